"""SIGTERM and SIGHUP end a command as Ctrl-C does."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pandas as pd
import pytest
from tests.cli.test_process import on_a_terminal, read_until

from laconic import load_model
from laconic.cli import signals

SIGNALS = [signal.SIGTERM, signal.SIGHUP]
HARD = ["--objective", "perfect", "--engine", "sat", "--time-limit", 60]


@pytest.fixture(autouse=True)
def no_signal_is_ignored():
    """Children inherit ignored signals, so a test run under nohup would start commands that ignore SIGHUP."""
    before = {number: signal.signal(number, signal.SIG_DFL) for number in SIGNALS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def handlers(no_signal_is_ignored):
    """The handlers of the command line, in this process."""
    signals.end_like_ctrl_c()
    yield
    signals._received.clear()


def press_until(stopped, number, seconds=1.0):
    """Send a signal to this process after a while; again, in case Python lost it."""

    def press():
        while not stopped.wait(seconds):
            signal.raise_signal(number)

    thread = threading.Thread(target=press)
    thread.start()
    return thread


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_keeps_the_best_set_so_far(number, hard_csv, tmp_path):
    out = tmp_path / "m.json"
    child, screen = on_a_terminal("fit", hard_csv, *HARD, "-o", out)
    read_until(screen, b"bound")
    child.send_signal(number)
    rest = read_until(screen, b"interrupted")
    os.close(screen)
    assert child.wait(30) == 128 + number
    assert b"Traceback" not in rest
    assert load_model(out).proof.stop_reason == "interrupt"


def test_a_closed_terminal_keeps_the_best_set_so_far(hard_csv, tmp_path):
    out = tmp_path / "m.json"
    child, screen = on_a_terminal("fit", hard_csv, *HARD, "-o", out, "--report", tmp_path / "r.html")
    read_until(screen, b"bound")
    os.close(screen)
    child.send_signal(signal.SIGHUP)
    child.send_signal(signal.SIGHUP)  # the terminal sends one, and its shell another
    assert child.wait(60) == 129
    assert load_model(out).proof.stop_reason == "interrupt"
    assert (tmp_path / "r.html").exists()


@pytest.mark.usefixtures("handlers")
def test_update_and_path_keep_what_they_have(laconic, tmp_path):
    out, rows, front, data = (tmp_path / name for name in ("m.json", "rows.npz", "front.json", "data.csv"))
    table = np.random.default_rng(1).integers(0, 2, (400, 21))
    pd.DataFrame(table, columns=[*(f"f{i}" for i in range(20)), "class"]).to_csv(data, index=False)
    fitted = laconic("fit", data, "--objective", "perfect", "--time-limit", 1, "-o", out, "--save-rows", rows)
    assert fitted.code == 0
    for line in (
        ["update", out, rows, data, "-o", out],
        ["path", data, "--max-size", 0, "-o", front],
    ):
        signals._received.clear()
        stopped = threading.Event()
        thread = press_until(stopped, signal.SIGTERM)
        result = laconic(*line)
        stopped.set()
        thread.join()
        assert result.code == 143, result.err
        assert "interrupted" in result.err
    assert load_model(out).proof.stop_reason == "interrupt"
    assert json.loads(front.read_text())["points"]


def test_nohup_keeps_its_meaning():
    code = (
        "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN); from laconic.cli import signals; "
        "signals.end_like_ctrl_c(); print(signal.getsignal(signal.SIGHUP) is signal.SIG_IGN)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


def test_importing_and_fitting_install_no_handler():
    code = (
        "import signal; before = [signal.getsignal(n) for n in signal.valid_signals()]; import laconic; "
        "from laconic.cli.main import run; run(['engines']); "
        "laconic.DecisionSetClassifier().fit([[0], [1]], [0, 1]); "
        "print(before == [signal.getsignal(n) for n in signal.valid_signals()])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "True"


def test_a_signal_repeated_at_once_counts_as_one(monkeypatch):
    monkeypatch.setattr(signals, "_received", [])
    with pytest.raises(KeyboardInterrupt):
        signals._interrupt(signal.SIGHUP, None)
    signals._interrupt(signal.SIGHUP, None)
    monkeypatch.setattr(time, "monotonic", lambda: signals._received[-1][1] + 2)
    with pytest.raises(KeyboardInterrupt):
        signals._interrupt(signal.SIGHUP, None)
    assert signals.exit_code() == 129
