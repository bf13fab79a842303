"""SIGTERM and SIGHUP end a command as Ctrl-C does: with the best set so far, shown and saved.

Only the entry point of the command line installs this; importing laconic changes no signal.
"""

from __future__ import annotations

import signal
import time
from types import FrameType

INTERRUPTED = 130
"""Exit code after Ctrl-C: 128 + SIGINT."""

_AT_ONCE = 1.0
"""Seconds within which a repeated signal is ignored: a closed terminal and its shell both send SIGHUP."""

_received: list[tuple[int, float]] = []


def end_like_ctrl_c() -> None:
    """Let SIGTERM and SIGHUP raise KeyboardInterrupt, unless they are ignored, as SIGHUP is under nohup."""
    _received.clear()
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _interrupt)


def exit_code() -> int:
    """Return the exit code of an interrupted command: 128 and the number of the signal that ended it."""
    return 128 + _received[0][0] if _received else INTERRUPTED


def received() -> bool:
    """Whether SIGTERM or SIGHUP was received."""
    return bool(_received)


def _interrupt(number: int, _: FrameType | None) -> None:
    now = time.monotonic()
    repeated = bool(_received) and now - _received[-1][1] < _AT_ONCE
    _received.append((number, now))
    if not repeated:
        raise KeyboardInterrupt
