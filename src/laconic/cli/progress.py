"""The line that a long fit keeps up to date on a terminal: time, incumbent, bound and gap."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from laconic.engines.api import OnProgress, Progress
from laconic.learning.progress import progress_text
from laconic.problem.objective import Problem
from laconic.runtime.texts import visible

if TYPE_CHECKING:
    from rich.text import Text


class ProgressLine:
    """The latest state of a search; the clock runs on between two improvements."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._text = "starting"
        self._state: tuple[Progress, Problem] | None = None
        self._said = ""

    def say(self, text: str) -> None:
        """Set the text beside the time."""
        self._said = text

    def watch(self, problem: Problem) -> OnProgress:
        """Return a callback that records every improvement of a search."""

        def note(state: Progress) -> None:
            self._state = state, problem

        return note

    def text(self) -> str:
        """Return the current text of the line."""
        seconds = time.monotonic() - self._start
        if self._state is None:
            return f"{seconds:7.1f} s   {visible(self._said) or 'preparing'}"
        state, problem = self._state
        return progress_text(Progress(seconds, state.cost, state.lower_bound, state.note), problem)

    def __rich__(self) -> Text:
        from rich.text import Text

        return Text(self.text(), no_wrap=True, overflow="ellipsis")


@contextmanager
def progress_line() -> Iterator[ProgressLine | None]:
    """Show a line on standard error while the body runs, if that is a terminal; else nothing."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.live import Live

    line = ProgressLine()
    live = Live(line, console=Console(stderr=True), refresh_per_second=5, transient=True)
    live.start()
    try:
        yield line
    finally:
        with contextlib.suppress(OSError):  # the terminal was closed
            live.stop()
