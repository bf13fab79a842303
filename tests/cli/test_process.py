"""The command as a process of its own: start-up, signals, pipes, terminals and full disks."""

from __future__ import annotations

import json
import os
import pty
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from laconic import __version__, load_model

COMMAND = [sys.executable, "-m", "laconic"]
HEAVY = ("numpy", "pandas", "sklearn", "scipy", "pysat", "pyarrow", "matplotlib", "rich", "highspy", "joblib")


def process(*arguments, **options):
    return subprocess.run(
        [*COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=120, **options
    )


def processor_seconds(*arguments):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process(*arguments, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.parametrize("arguments", [["--help"], ["fit", "--help"], ["bench", "--help"], ["--version"]])
def test_help_imports_nothing_heavy(arguments):
    code = (
        "import sys; from laconic.cli.main import run; "
        f"code = run({arguments!r}); print([m for m in {HEAVY!r} if m in sys.modules], code)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[] 0"


def test_help_takes_less_than_a_third_of_a_second_of_processor_time():
    # Processor time, and the best of three: the clock on the wall measures who else is busy.
    used = [processor_seconds("--help") for _ in range(3)]
    assert min(used) < 0.3


def test_the_installed_command_is_the_module():
    script = Path(sys.executable).with_name("laconic")
    if not script.exists():
        pytest.skip("laconic is not installed beside this Python")
    done = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == process("--version").stdout == f"laconic {__version__}\n"


def test_a_pipe_gets_rules_only(iris_csv):
    done = process("fit", iris_csv, "--target", "species", "--bins", "6")
    assert done.returncode == 0
    assert all("alone separates class 'setosa'" in note for note in done.stderr.splitlines())
    assert done.stdout.startswith("IF ")


@pytest.mark.parametrize(
    "arguments", [["predict"], ["explain"], ["show"], ["explain", "--json"]], ids=lambda one: "-".join(one)
)
def test_a_reader_that_goes_away_is_no_error(arguments, model, loans):
    many = Path("many.csv")
    head, rows = loans.read_text().split("\n", 1)
    many.write_text(head + "\n" + rows * 2000)
    command, *options = arguments
    data = [] if command == "show" else [many]
    child = subprocess.Popen(
        [*COMMAND, command, model, *data, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    child.stdout.close()
    assert child.stderr is not None
    assert child.stderr.read() == ""
    child.stderr.close()
    assert child.wait(60) == 141


def test_a_full_disk_is_said_and_the_rules_are_still_shown(iris_csv):
    done = process("fit", iris_csv, "--target", "species", "--bins", "6", "-o", "/dev/full")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        "laconic: cannot write /dev/full: No space left on device; choose another place with --output"
    )
    assert done.stdout.startswith("IF ")
    assert not Path("/dev/full").is_file()


TO_STANDARD_OUTPUT = {
    "fit": ["fit", "loans.csv"],
    "fit --json": ["fit", "loans.csv", "--json"],
    "predict": ["predict", "model.json", "loans.csv"],
    "predict --json": ["predict", "model.json", "loans.csv", "--json"],
    "explain": ["explain", "model.json", "loans.csv"],
    "export": ["export", "model.json", "--to", "sql"],
    "show": ["show", "model.json"],
    "verify": ["verify", "model.json", "loans.csv"],
    "path": ["path", "loans.csv"],
    "enumerate": ["enumerate", "loans.csv"],
    "help": ["--help"],
    "bench": ["bench", "methods"],
}
TO_A_FILE = {
    "fit report": ["fit", "loans.csv", "--report", "/dev/full"],
    "fit certificate": ["fit", "loans.csv", "--certificate", "/dev/full"],
    "fit rows": ["fit", "loans.csv", "--save-rows", "/dev/full"],
    "predict": ["predict", "model.json", "loans.csv", "-o", "/dev/full"],
    "export": ["export", "model.json", "--to", "sql", "-o", "/dev/full"],
    "report": ["report", "model.json", "loans.csv", "-o", "/dev/full", "--trade-off-time", "0"],
    "path": ["path", "loans.csv", "-o", "/dev/full"],
    "enumerate": ["enumerate", "loans.csv", "--importance", "/dev/full"],
}


@pytest.mark.usefixtures("model")
def test_output_that_does_not_fit_is_one_sentence():
    lines = [*TO_STANDARD_OUTPUT.values(), *TO_A_FILE.values()]
    code = (
        "import io, os, sys; from laconic.cli.main import run\n"
        f"for line in {lines!r}:\n"
        "    full = line[-1] != '/dev/full' and '/dev/full' not in line\n"
        "    sys.stdout = open('/dev/full' if full else os.devnull, 'w')\n"
        "    print(run(line), file=sys.stderr)\n"
        "    sys.stdout = sys.__stdout__\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=200)
    said = [line for line in done.stderr.splitlines() if not line.startswith("note: ")]
    assert len(said) == 2 * len(lines)
    assert set(said[1::2]) == {"2"}
    for line, sentence in zip(lines, said[::2], strict=True):
        wanted = "cannot write" if "/dev/full" in line else "cannot write the output: No space left on device"
        assert sentence.startswith(f"laconic: {wanted}"), line


@pytest.mark.parametrize("line", ["fit", "export", "path", "help", "bench"])
def test_a_closed_pipe_ends_a_command_quietly(line, model):
    child = subprocess.Popen(
        [*COMMAND, *TO_STANDARD_OUTPUT[line]], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.close()
    said = [one for one in child.stderr.read().splitlines() if not one.startswith("note: ")]
    child.stderr.close()
    assert (child.wait(60), said) == (141, [])


def test_standard_error_that_is_full_does_not_cost_the_result(model, loans):
    with Path("/dev/full").open("w") as full:
        command = [*COMMAND, "fit", loans, "-o", "again.json"]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=full, text=True, timeout=120)
    assert done.returncode == 0
    assert done.stdout.startswith(("IF ", "OTHERWISE"))
    assert load_model("again.json")


def test_streams_that_are_closed_are_no_error(model, loans):
    line = f"{sys.executable} -m laconic fit {loans} -o again.json >&- 2>&-"
    assert subprocess.run(["sh", "-c", line], timeout=120).returncode == 0
    assert load_model("again.json")


def test_a_file_that_does_not_fit_leaves_the_old_one(model, loans):
    Path("out.csv").write_text("old")
    head, rows = loans.read_text().split("\n", 1)
    loans.write_text(head + "\n" + rows * 500)

    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    done = process("predict", model, loans, "-o", "out.csv", preexec_fn=little_room)
    assert done.returncode == 2
    assert done.stderr == (
        "laconic: cannot write out.csv: File too large; choose another place with --output\n"
    )
    assert Path("out.csv").read_text() == "old"
    assert sorted(path.name for path in Path().iterdir()) == ["loans.csv", "model.json", "out.csv"]


def test_a_pipe_can_be_named_as_the_output(model, loans):
    done = process("predict", model, loans, "-o", "/dev/stdout")
    assert done.returncode == 0
    assert done.stdout.split()[:2] == ["prediction", "bad"]


def test_ctrl_c_keeps_the_best_set_so_far(hard_csv, tmp_path):
    out = tmp_path / "m.json"
    arguments = ["fit", hard_csv, "--objective", "perfect", "--engine", "sat", "-o", out, "--time-limit", 60]
    child, screen = on_a_terminal(*arguments)
    watched = read_until(screen, b"bound")
    child.send_signal(signal.SIGINT)
    rest = read_until(screen, b"interrupted")
    os.close(screen)
    assert child.wait(30) == 130
    assert b"cost" in watched
    assert b"Traceback" not in rest
    assert load_model(out).proof.stop_reason == "interrupt"


def test_a_terminal_sees_incumbent_bound_gap_and_time(hard_csv):
    child, screen = on_a_terminal(
        "fit", hard_csv, "--objective", "perfect", "--engine", "sat", "--time-limit", 1.5
    )
    shown = read_until(screen, b"gap")
    rest = b""
    try:
        while chunk := os.read(screen, 65536):
            rest += chunk
    except OSError:  # a closed terminal reads as an error on Linux
        pass
    os.close(screen)
    assert child.wait(30) == 0
    assert b" s   cost " in shown
    assert b"bound " in shown
    assert b"\x1b[2K" in rest  # the line is wiped at the end


def on_a_terminal(*arguments):
    """Start a command whose standard error is a terminal; return it and the terminal's other end."""
    screen, terminal = pty.openpty()
    child = subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=terminal,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
        restore_signals=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    os.close(terminal)
    return child, screen


def read_until(screen, word, seconds=60):
    shown = b""
    stop = time.monotonic() + seconds
    while word not in shown:
        assert time.monotonic() < stop, shown
        shown += os.read(screen, 65536)
    return shown


def test_a_bug_has_its_own_exit_code_and_asks_for_a_report(model, laconic, monkeypatch):
    def broken(path):
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("laconic.model.store.load_model", broken)
    result = laconic("show", model)
    assert (result.code, result.out) == (3, "")
    assert "ZeroDivisionError: oops" in result.err
    assert result.err.endswith("laconic broke; this is a bug, please report it with the lines above\n")


def test_bench_is_mounted(laconic):
    listed = laconic("bench", "methods", "--json")
    assert listed.code == 0
    assert "opt" in json.loads(listed.out)


def test_fitting_and_using_a_model_imports_only_what_it_needs(iris_csv, tmp_path):
    model = tmp_path / "model.json"
    unneeded = ("sklearn", "scipy", "joblib", "pysat", "matplotlib", "rich", "highspy", "jinja2", "onnx")
    lines = [
        ["fit", str(iris_csv), "-o", str(model)],
        ["show", str(model)],
        ["predict", str(model), str(iris_csv), "-o", str(tmp_path / "found.csv")],
        ["explain", str(model), str(iris_csv), "--row", "3"],
        ["export", str(model), "--to", "sql"],
        ["verify", str(model), str(iris_csv)],
    ]
    code = (
        "import sys; from laconic.cli.main import run; "
        f"codes = [run(line) for line in {lines!r}]; "
        f"print(codes, [m for m in {unneeded!r} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[0, 0, 0, 0, 0, 0] []"


def test_fit_answers_on_iris_at_once(iris_csv):
    # Imports included: about 0.65 s on an idle machine, where this is the clock on the wall as well, and up
    # to 0.9 s where others compete for the caches. With scikit-learn it would be 1.7 s.
    used = [processor_seconds("fit", iris_csv) for _ in range(3)]
    assert min(used) < 1.3
