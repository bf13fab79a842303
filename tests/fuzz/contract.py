"""What a command promises whatever it is given, and the trial that holds it to that.

Exit code 0, 1 or 2 (1 only where a question is answered with no); with 2, one sentence on standard error and
no traceback; within the time; nothing run, no process started, nothing written outside the working directory.
"""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from laconic.cli.main import run

SECONDS = 30.0
ANSWERS_NO = {"verify"}
REMARKS = (
    "note: ",
    "laconic: ",
    "saved in ",
    "report in ",
    "certificate in ",
    "no certificate",
    "this is the best",
)
FORBIDDEN = {
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "subprocess.Popen",
    "pickle.find_class",
    "socket.connect",
    "webbrowser.open",
}


class Hang(BaseException):
    """A command took longer than it may."""


def broken_promise(arguments: Sequence[str]) -> str | None:
    """Run a command line in this process and return which promise it broke, if any."""
    out, err = io.StringIO(), io.StringIO()
    seen: list[str] = []
    with _alarm(), _watched(seen), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = run(list(arguments))
        except Hang:
            return f"no answer within {SECONDS:g} s"
        except BaseException as error:  # whatever leaves the command is a failure of its promise
            return f"raised {type(error).__name__}: {error}"
    if seen:
        return f"did what nobody asked for: {seen[0]}"
    if Path("HACKED").exists():
        return "ran code from its input"
    return complaint(arguments[0], code, err.getvalue())


def complaint(command: str, code: int, err: str) -> str | None:
    """Return what is wrong with an exit code and what was said with it, if anything."""
    if "Traceback" in err:
        return f"a traceback: {err.strip().splitlines()[-2:]}"
    if code not in {0, 2} and not (code == 1 and command in ANSWERS_NO):
        return f"exit code {code}: {err[-300:]!r}"
    lines = err.splitlines()
    refusals = [line for line in lines if line.startswith("laconic: ")]
    if code == 2 and (len(refusals) != 1 or lines[-1] != refusals[0] or len(refusals[0]) < 20):
        return f"refused, but not in one sentence: {err!r}"
    if code != 2 and refusals:
        return f"exit code {code} with a refusal: {err!r}"
    odd = [line for line in lines if not line.startswith(REMARKS) and " predictions in " not in line]
    # A name with a line break in it makes a remark of two lines; a warning is nobody's name.
    if any("Warning:" in line for line in odd):
        return f"a warning slipped through: {odd!r}"
    return None


_listening: list[list[str]] = []


def _listen(event: str, arguments: tuple[Any, ...]) -> None:
    if not _listening:
        return
    if event in FORBIDDEN:
        _listening[-1].append(f"{event}{arguments!r:.100}")
    elif event == "open" and isinstance(arguments[0], str) and _writes(arguments):
        place = os.path.realpath(arguments[0])
        if not place.startswith((os.path.realpath("."), "/dev/", "/proc/", "/tmp/laconic-")):
            _listening[-1].append(f"wrote {place}")


def _writes(arguments: tuple[Any, ...]) -> bool:
    return bool(arguments[2] & (os.O_WRONLY | os.O_RDWR)) if isinstance(arguments[2], int) else False


_installed = False


@contextlib.contextmanager
def _watched(seen: list[str]) -> Iterator[None]:
    """Note what the interpreter is asked to do; a hook stays, and can only be told to be still."""
    global _installed
    if not _installed:
        sys.addaudithook(_listen)
        _installed = True
    _listening.append(seen)
    try:
        with warnings.catch_warnings():
            yield
    finally:
        _listening.pop()


@contextlib.contextmanager
def _alarm() -> Iterator[None]:
    def ring(*_: Any) -> None:
        raise Hang

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
