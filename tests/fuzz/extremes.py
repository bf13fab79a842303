"""Inputs of extreme size, each in a process of its own with a limit of memory and of time.

    python -m tests.fuzz.extremes

Prints processor seconds and peak memory (the largest so far) of each; exits with 1 if a promise was broken.
"""

from __future__ import annotations

import gzip
import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.fuzz.cases import write_good
from tests.fuzz.contract import complaint
from tests.fuzz.seeds import Seeds

SECONDS = 120
"""Of processor time: how many others are at work is not what is tried here."""
PATIENCE = 3600
MEMORY = 4 * 2**30
"""Of addresses, which is more than what is held: the libraries alone map a gigabyte."""


def wide_csv(place: Path, n: int = 100_000) -> None:
    """A hundred thousand columns."""
    names = ",".join(f"c{i}" for i in range(n))
    rows = ["".join("01"[(i * k) % 7 == 0] + "," for i in range(n)) for k in range(1, 5)]
    (place / "big.csv").write_text(
        f"{names},class\n" + "".join(f"{row}{'ab'[k % 2]}\n" for k, row in enumerate(rows))
    )


def long_row(place: Path) -> None:
    """A row of ten megabytes, in one cell."""
    (place / "big.csv").write_text(f"a,class\n1,x\n{'z' * 10_000_000},y\n2,x\n3,y\n")


def long_ragged_row(place: Path) -> None:
    """A row of ten megabytes, in five million cells."""
    (place / "big.csv").write_text("a,class\n1,x\n" + "1," * 5_000_000 + "y\n2,x\n")


def endless_line(place: Path) -> None:
    """A file without a line's end."""
    (place / "big.csv").write_bytes(b"a" * 200_000_000)


def bomb(place: Path) -> None:
    """Three megabytes that unpack to three gigabytes of rows."""
    with gzip.open(place / "big.csv.gz", "wb", compresslevel=6) as out:
        out.write(b"a,class\n")
        for _ in range(300):
            out.write(b"1,x\n0,y\n" * 1_310_720)


def bomb_of_nothing(place: Path) -> None:
    """A megabyte that unpacks to a gigabyte of zeros, without a line's end."""
    with gzip.open(place / "big.csv.gz", "wb") as out:
        for _ in range(100):
            out.write(bytes(10_485_760))


def deep_model(place: Path) -> None:
    """JSON a million levels deep."""
    (place / "big.json").write_text("[" * 1_000_000 + "]" * 1_000_000)


def wide_model(place: Path) -> None:
    """A list of five million zeros where a model should be."""
    (place / "big.json").write_text("[" + "0," * 5_000_000 + "0]")


def many_classes(place: Path) -> None:
    """Ten thousand rows, each of a class of its own."""
    (place / "big.csv").write_text("a,class\n" + "".join(f"{i},k{i}\n" for i in range(10_000)))


def many_categories(place: Path) -> None:
    """A hundred thousand different texts in a column."""
    (place / "big.csv").write_text("a,class\n" + "".join(f"t{i},{'xy'[i % 2]}\n" for i in range(100_000)))


def nothing(_: Path) -> None:
    """A device that never ends."""


FIT = ["fit", "big.csv", "-t", "class", "--time-limit", "5"]
PACKED = ["fit", "big.csv.gz", "-t", "class", "--time-limit", "5"]

TRIALS: list[tuple[Callable[[Path], None], list[list[str]]]] = [
    (wide_csv, [FIT, ["predict", "model.json", "big.csv"], ["verify", "model.json", "big.csv"]]),
    (long_row, [FIT, [*FIT, "--out-of-core", "yes"], ["explain", "model.json", "big.csv"]]),
    (long_ragged_row, [FIT, ["predict", "model.json", "big.csv"]]),
    (endless_line, [FIT]),
    (bomb, [PACKED, ["predict", "model.json", "big.csv.gz"]]),
    (bomb_of_nothing, [PACKED]),
    (deep_model, [["show", "big.json"], ["verify", "--certificate", "big.json", "table.csv"]]),
    (wide_model, [["show", "big.json"], ["verify", "--certificate", "big.json", "table.csv"]]),
    (many_classes, [FIT, [*FIT, "--objective", "perfect"]]),
    (many_categories, [FIT, [*FIT, "--certificate", "out.cert"]]),
    (nothing, [["show", "/dev/zero"], ["verify", "--certificate", "/dev/zero", "table.csv"]]),
    (nothing, [["update", "model.json", "/dev/zero", "table.csv"], ["fit", "/dev/zero"]]),
]


def trials(place: Path) -> Iterator[tuple[str, list[str], str | None, float, int]]:
    """Yield name, command line, broken promise, seconds and peak memory of each trial."""
    for make, lines in TRIALS:
        for old in place.glob("big.*"):
            old.unlink()
        make(place)
        for line in lines:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            problem, peak = limited(line, place)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            yield make.__name__, line, problem, seconds, peak


def limited(line: list[str], place: Path) -> tuple[str | None, int]:
    """Run a command line within the limits; return the promise it broke, if any, and its peak memory."""

    def limits() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))

    child = subprocess.Popen(
        [sys.executable, "-m", "laconic", *line],
        cwd=place,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        preexec_fn=limits,
        env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
    )
    try:
        _, err = child.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()
        return f"no answer within {PATIENCE} s", 0
    if child.returncode in {-signal.SIGKILL, -signal.SIGXCPU}:
        return f"no answer within {SECONDS} s of processor time", 0
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
    return complaint(line[0], child.returncode, err), peak


def main() -> None:
    failed = 0
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory)
        write_good(Seeds.made_in(place), place)
        for name, line, problem, seconds, peak in trials(place):
            failed += problem is not None
            print(f"{seconds:7.1f} s {peak:6} MiB  {name}: {' '.join(line)}  {problem or 'ok'}", flush=True)
    print(f"{sum(len(lines) for _, lines in TRIALS)} extreme inputs, {failed} failures")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
