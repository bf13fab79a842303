"""Ctrl-C, kill, full disks and read-only places: nothing is lost, and nothing half written stays."""

from __future__ import annotations

import ast
import contextlib
import errno
import json
import os
import random
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import laconic
from laconic import DecisionSetClassifier, load_certificate, load_model
from laconic.cli.main import run
from laconic.data.write import write_whole

FITS = {
    "exact perfect": {"objective": "perfect"},
    "exact sparse": {"regularization": 0.0005},
    "exact per row": {"regularization": 0.0005, "counting": "per_row"},
    "sat": {"objective": "perfect", "engine": "sat"},
    "maxsat": {"regularization": 0.001, "engine": "maxsat"},
    "minrules": {"objective": "min_rules", "engine": "minrules"},
}


@pytest.fixture(scope="module")
def hard_rows():
    rng = np.random.default_rng(1)
    return rng.integers(0, 2, (400, 20)), rng.integers(0, 2, 400)


@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("name", FITS)
def test_ctrl_c_stops_a_loop_and_leaves_the_best_set_so_far(name, hard_rows):
    started, stopped = threading.Event(), threading.Event()
    clf = DecisionSetClassifier(**FITS[name], time_limit=100, on_progress=lambda _: started.set())

    def press():
        started.wait(60)
        time.sleep(0.3)
        # Python itself loses a Ctrl-C that it meets in the callback of a weak reference: press again.
        while not stopped.is_set():
            signal.raise_signal(signal.SIGINT)
            stopped.wait(5)

    thread = threading.Thread(target=press)
    thread.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        clf.fit(*hard_rows)
    stopped.set()
    thread.join()
    assert time.monotonic() - start < 60
    assert (clf.stop_reason_, clf.status_) == ("interrupt", "feasible")
    assert len(clf.predict(hard_rows[0])) == 400


def test_an_interrupt_before_any_search_leaves_the_classifier_as_it_was(hard_rows, monkeypatch):
    clf = DecisionSetClassifier().fit([[0], [1]], [0, 1])
    before = clf.decision_set_
    monkeypatch.setattr(
        "laconic.estimators.classifier.learn", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt)
    )
    with pytest.raises(KeyboardInterrupt):
        clf.fit(*hard_rows)
    assert clf.decision_set_ is before


WRITERS = """
    import sys
    from laconic import DecisionSetClassifier, save_model
    from laconic.report import write_report

    X = [[i, i % 7, i % 3] for i in range(60)]
    labels = [[(i // k) % 2 for i in range(60)] for k in (10, 20)]
    fits = [DecisionSetClassifier(certificate=True).fit(X, y) for y in labels]
    print("ready", flush=True)
    while True:
        for clf in fits:
            save_model(clf, "model.json")
            clf.certificate_.save("proof.cert")
            clf.training_table_.save("rows.npz")
            write_report(clf, X, [0, 1] * 30, "report.html", seconds=0)
"""


def test_a_killed_process_leaves_whole_files_only(tmp_path):
    rng = random.Random(0)
    for _ in range(6):
        child = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(WRITERS)], cwd=tmp_path, stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        while not (tmp_path / "report.html").exists():
            time.sleep(0.01)
        time.sleep(rng.random() * 0.3)
        child.kill()
        child.wait()
        child.stdout.close()
        load_model(tmp_path / "model.json")
        load_certificate(tmp_path / "proof.cert")
        laconic.TrainingTable.load(tmp_path / "rows.npz")
        assert (tmp_path / "report.html").read_text().rstrip().endswith("</html>")


SCRATCH = {
    "data/write.py",  # the one writer
    "data/read.py",  # a docstring
    "bench/worker.py",
    "bench/supervise.py",
    "bench/execute.py",
    "bench/records.py",  # appends, and cuts off half a record when it is opened again
    "bench/peers/call.py",
    "bench/peers/environments.py",
    "bench/peers/drivers/minds.py",
    "bench/peers/drivers/serve.py",
    "bench/peers/drivers/serve_tables.py",
}
"""Modules that may write by themselves: directories of their own that nobody else reads, and the records."""


def test_every_file_for_a_user_goes_through_the_one_writer():
    root = Path(laconic.__file__).parent
    found = set()
    for path in root.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            modes = [
                one.value
                for one in [*node.args, *(k.value for k in node.keywords)]
                if isinstance(one, ast.Constant)
            ]
            writes = any(
                isinstance(mode, str) and mode in {"w", "wb", "a", "ab", "a+b", "x", "r+b"} for mode in modes
            )
            if name in {"write_text", "write_bytes"} or (name in {"open", "fdopen"} and writes):
                found.add(path.relative_to(root).as_posix())
    assert found <= SCRATCH
    assert "data/write.py" in found


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A table, and a model, a certificate and rows of it."""
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text(
        "age,job,class\n" + "".join(f"{20 + 3 * i},{'ab'[i % 2]},{i // 5 % 2}\n" for i in range(20))
    )
    keep = ["-o", "model.json", "--certificate", "proof.cert", "--save-rows", "rows.npz"]
    assert run(["fit", "t.csv", "-t", "class", "--lambda", "0.05", *keep]) == 0
    return tmp_path


COMMANDS = {
    "fit": ["fit", "t.csv", "-t", "class", "-o", "OUT.json"],
    "fit certificate": ["fit", "t.csv", "-t", "class", "--certificate", "OUT.cert"],
    "fit rows": ["fit", "t.csv", "-t", "class", "--save-rows", "OUT.npz"],
    "fit report": ["fit", "t.csv", "-t", "class", "--report", "OUT.html"],
    "update": ["update", "model.json", "rows.npz", "t.csv", "-o", "OUT.json"],
    "predict csv": ["predict", "model.json", "t.csv", "-o", "OUT.csv"],
    "predict parquet": ["predict", "model.json", "t.csv", "-o", "OUT.parquet"],
    "report": ["report", "model.json", "t.csv", "-o", "OUT.html", "--trade-off-time", "0"],
    "export sql": ["export", "model.json", "-o", "OUT.sql"],
    "export python": ["export", "model.json", "-o", "OUT.py"],
    "export onnx": ["export", "model.json", "-o", "OUT.onnx"],
    "export json": ["export", "model.json", "-o", "OUT.json"],
}


def refused_as_unwritable(capsys, command, out, reason):
    code = run(command)
    said = capsys.readouterr().err.splitlines()[-1]
    assert code == 2
    assert said.startswith("laconic: cannot write ")
    assert str(out) in said
    assert reason in said


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_full_disk_is_said_and_the_old_file_stays(name, monkeypatch, capsys):
    command = COMMANDS[name]
    out = Path(next(one for one in command if one.startswith("OUT")))
    out.write_text("old")
    before = sorted(Path().iterdir())

    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    refused_as_unwritable(capsys, command, out, "No space left on device")
    assert out.read_text() == "old"
    assert sorted(Path().iterdir()) == before


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_read_only_place_is_said_before_any_work(name, monkeypatch, capsys):
    command = [one.replace("OUT", "/proc/OUT") for one in COMMANDS[name]]
    out = next(one for one in command if one.startswith("/proc/"))
    monkeypatch.setattr("laconic.learning.learn.learn", lambda *_: pytest.fail("worked for nothing"))
    refused_as_unwritable(capsys, command, out, "")


def test_a_file_larger_than_may_be_is_not_left_half(files):
    lines = list(COMMANDS.values())
    code = (
        "import resource; from laconic.cli.main import run\n"
        "import pandas, numpy, jinja2, onnx, duckdb, matplotlib\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))\n"
        f"print([run(line) for line in {lines!r}])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=200)
    assert set(json.loads(done.stdout.splitlines()[-1])) == {2}
    assert "Traceback" not in done.stderr
    assert done.stderr.count("File too large") == len(lines)
    assert not list(files.glob("OUT*"))
    assert not list(files.glob(".*"))


def test_the_directory_is_flushed_after_the_rename(tmp_path, monkeypatch):
    seen = []
    real = os.fsync

    def note(handle):
        seen.append(os.path.realpath(f"/proc/self/fd/{handle}"))
        real(handle)

    monkeypatch.setattr(os, "fsync", note)
    write_whole(tmp_path / "a.json", b"{}")
    assert seen[-1] == str(tmp_path.resolve())
    assert len(seen) == 2


def test_a_place_that_cannot_be_flushed_still_gets_its_file(tmp_path, monkeypatch):
    real = os.open

    def no_directories(path, flags, *rest, **more):
        if Path(path).is_dir():
            raise OSError(errno.EINVAL, "no directories here")
        return real(path, flags, *rest, **more)

    monkeypatch.setattr(os, "open", no_directories)
    with contextlib.suppress(KeyError):
        write_whole(tmp_path / "a.json", b"{}")
    assert (tmp_path / "a.json").read_bytes() == b"{}"


def test_memory_that_runs_out_in_a_search_leaves_the_best_set_so_far(hard_rows, monkeypatch):
    from laconic.engines import schedule

    real = schedule._shares

    def short(*arguments):
        for k, share in enumerate(real(*arguments)):
            if k == 2:
                raise MemoryError
            yield share

    monkeypatch.setattr(schedule, "_shares", short)
    clf = DecisionSetClassifier("perfect", time_limit=30).fit(*hard_rows)
    assert (clf.stop_reason_, clf.errors_) == ("memory", clf.unavoidable_errors_)
