"""Put one error after another into the code and report which ones the tests notice.

    python tools/mutants.py [NAME OR AREA ...]

The table of errors is `tools/mutant_table.py`. Every error is put into a copy of the sources under
build/mutants, never into the working copy, so nothing has to be restored when a run is stopped. The native
code is built there once, with little optimisation, and again, file by file, for each error in it. The tests
of an area must pass without any error first. An error is killed if a test fails or runs out of time.
Results go to benchmarks/results/mutants.csv; a run for some names replaces their lines only.
"""

from __future__ import annotations

import csv
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))

from mutant_table import MUTANTS, TESTS, Mutant  # noqa: E402

BUILD = ROOT / "build" / "mutants"
TREE, NATIVE = BUILD / "tree", BUILD / "native"
RESULTS = ROOT / "benchmarks" / "results" / "mutants.csv"
FIELDS = ["area", "mutant", "result", "noticed_by", "why_harmless"]
SECONDS = 300  # for the tests of one error; they take a small part of it without one


def main() -> None:
    """Run the errors that are asked for, or all."""
    asked = set(sys.argv[1:])
    unknown = asked - {m.area for m in MUTANTS} - {m.name for m in MUTANTS}
    if unknown:
        sys.exit(
            f"no mutant and no area is called {sorted(unknown)[0]!r}; the table is tools/mutant_table.py"
        )
    # Errors in the same file follow each other, so that a native file is compiled once for each.
    chosen = [m for m in MUTANTS if not asked or m.area in asked or m.name in asked]
    chosen.sort(key=lambda m: (m.area, m.file))
    copy_sources()
    build()
    for area in sorted({m.area for m in chosen}):
        output, code = run_tests(area)
        if code != 0:
            sys.exit(f"the tests of {area!r} fail without any error in the code:\n{output}")
    results = read_results()
    for number, mutant in enumerate(chosen, 1):
        result, by = try_mutant(mutant)
        results[mutant.name] = dict(
            zip(FIELDS, [mutant.area, mutant.name, result, by, mutant.harmless], strict=True)
        )
        print(f"{number}/{len(chosen)} {mutant.area}: {mutant.name}: {result} {by}", flush=True)
        write_results(results)
    survived = [m for m in chosen if results[m.name]["result"] == "survived"]
    print(f"{len(chosen) - len(survived)} of {len(chosen)} killed")
    sys.exit(any(not m.harmless for m in survived))


def copy_sources() -> None:
    """Bring the copy up to date; files that did not change keep their times, so that little is built anew."""
    for name in ("src", "native", "tests", "tools", "pyproject.toml"):
        source = ROOT / name
        wanted = [source] if source.is_file() else [p for p in source.rglob("*") if p.is_file()]
        wanted = [p for p in wanted if p.suffix not in {".so", ".pyc"}]
        known = {p.relative_to(ROOT) for p in wanted}
        old = TREE / name
        for there in old.rglob("*") if old.is_dir() else ():
            if there.is_file() and there.relative_to(TREE) not in known:
                there.unlink()
        for path in wanted:
            there = TREE / path.relative_to(ROOT)
            if not there.is_file() or there.read_bytes() != path.read_bytes():
                there.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, there)


def build() -> str:
    """Build the portable native module of the copy; return what the compiler says if it fails."""
    if not (NATIVE / "build.ninja").is_file():
        configure = ["cmake", "-S", TREE / "native", "-B", NATIVE, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=None"]
        configure += ["-DLACONIC_OPTIMISATION=-O1", "-DLACONIC_TESTING=ON"]
        configure += [f"-DPython_EXECUTABLE={sys.executable}"]
        subprocess.run(configure, check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run(
        ["cmake", "--build", NATIVE, "--target", "_native", "_native_testing"],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout if done.returncode else ""


def run_tests(area: str) -> tuple[str, int]:
    """Run the tests of an area against the copy: (output, exit code); 124 if the time was over."""
    command = [sys.executable, "tools/sanitized_tests.py", NATIVE, "-x", "-q", "-p", "no:cacheprovider"]
    command += ["--tb=line", "--capture=sys", "-m", "not slow", *TESTS[area]]
    command += ["-k", "not portable_and_the_avx2 and not both_builds"]
    environment = {**os.environ, "LACONIC_PORTABLE": "1"}
    process = subprocess.Popen(
        command,
        cwd=TREE,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=SECONDS)
    except BaseException as stopped:  # Ctrl-C too: the tests run in a session of their own
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        if isinstance(stopped, subprocess.TimeoutExpired):
            return "", 124
        raise
    return output, process.returncode


def try_mutant(mutant: Mutant) -> tuple[str, str]:
    """Return (result, the test that noticed the error)."""
    path = TREE / mutant.file
    before = path.read_text(encoding="utf-8")
    if before.count(mutant.old) != 1:
        return "stale", f"its text is {before.count(mutant.old)} times in {mutant.file}"
    path.write_text(before.replace(mutant.old, mutant.new), encoding="utf-8")
    try:
        if complaint := build():  # also without the native error before this one
            sys.exit(f"{mutant.name} does not compile:\n{complaint}")
        output, code = run_tests(mutant.area)
    finally:
        path.write_text(before, encoding="utf-8")
    if code == 0:
        return "survived", ""
    if code in (-signal.SIGABRT, -signal.SIGSEGV):
        return "killed", f"signal {-code}"
    if code == 124:
        return "killed", "time-out"
    noticed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", output, re.MULTILINE)
    if code != 1 or noticed is None:
        sys.exit(f"{mutant.name}: the tests end with exit code {code}:\n{output}")
    return "killed", noticed.group(1)


def read_results() -> dict[str, dict[str, str]]:
    """Return the results so far of errors that are still in the table."""
    if not RESULTS.is_file():
        return {}
    with RESULTS.open(encoding="utf-8", newline="") as file:
        known = {row["mutant"]: row for row in csv.DictReader(file)}
    return {m.name: known[m.name] for m in MUTANTS if m.name in known}


def write_results(results: dict[str, dict[str, str]]) -> None:
    """Write the results in the order of the table."""
    with RESULTS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(results[m.name] for m in MUTANTS if m.name in results)


if __name__ == "__main__":
    main()
