"""The line that a long fit keeps up to date on a terminal: time, incumbent, bound and gap."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from laconic.engines.api import OnProgress, Progress
from laconic.estimator import DecisionSetClassifier, progress_text
from laconic.objective import Problem

if TYPE_CHECKING:
    from rich.text import Text


class WatchedClassifier(DecisionSetClassifier):
    """A classifier that shows its search on a line, in the user's units."""

    line: Line | None = None

    def _reporter(self, problem: Problem) -> OnProgress | None:
        if self.line is None:
            return super()._reporter(problem)
        line = self.line

        def report(state: Progress) -> None:
            line.show(state, problem)

        return report


class Line:
    """The latest state of a search; the clock runs on between two improvements."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._text = "starting"
        self._state: tuple[Progress, Problem] | None = None

    def show(self, state: Progress, problem: Problem) -> None:
        """Take note of an improvement."""
        self._state = state, problem

    def text(self) -> str:
        """Return the line as it should read now."""
        seconds = time.monotonic() - self._start
        if self._state is None:
            return f"{seconds:7.1f} s   preparing"
        state, problem = self._state
        return progress_text(Progress(seconds, state.cost, state.lower_bound, state.note), problem)

    def __rich__(self) -> Text:
        from rich.text import Text

        return Text(self.text(), no_wrap=True, overflow="ellipsis")


@contextmanager
def progress_line() -> Iterator[Line | None]:
    """Show a line on standard error while the body runs, if that is a terminal; else nothing."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.live import Live

    line = Line()
    with Live(line, console=Console(stderr=True), refresh_per_second=5, transient=True):
        yield line
