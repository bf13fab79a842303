"""What a run says while it runs: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TextIO

from laconic.bench.estimate import Estimate, duration
from laconic.bench.plan import Task
from laconic.bench.records import Exit, Record
from laconic.runtime.texts import visible

if TYPE_CHECKING:
    from rich.progress import Progress


class Reporter(Protocol):
    """Is told what happens in a run."""

    def start(self, planned: int, todo: Sequence[Task]) -> None:
        """Say how much there is to do."""
        ...

    def finished(self, record: Record, elapsed_s: float) -> None:
        """Say that a task has ended, so long after the start of its processes."""
        ...

    def stop(self) -> None:
        """Say no more."""
        ...


class Silent:
    """Says nothing."""

    def start(self, planned: int, todo: Sequence[Task]) -> None:
        """Say nothing."""

    def finished(self, record: Record, elapsed_s: float) -> None:
        """Say nothing."""

    def stop(self) -> None:
        """Say nothing."""


class Lines:
    """One line per finished task, for logs and pipes."""

    def __init__(self, n_workers: Callable[[], int], stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._n_workers = n_workers
        self._total = self._done = 0

    def start(self, planned: int, todo: Sequence[Task]) -> None:
        """Say how many tasks are left."""
        self._total = len(todo)
        self._estimate = Estimate(todo, self._n_workers)
        text = f"{planned} tasks, {planned - len(todo)} of them done before, {len(todo)} to run"
        if todo:
            text += f": {duration(self._estimate.longest())} if every one uses its whole time limit"
        self._say(text)

    def finished(self, record: Record, elapsed_s: float) -> None:
        """Say how a task ended."""
        self._done += 1
        self._estimate.add(record, elapsed_s)
        left = self._estimate.seconds()
        self._say(f"[{self._done}/{self._total}] {describe(record)}; {duration(left)} left")

    def stop(self) -> None:
        """Say nothing."""

    def _say(self, text: str) -> None:
        self._stream.write(visible(text) + "\n")
        self._stream.flush()


class Bar:
    """A progress bar with counts by outcome and the time left."""

    def __init__(self, n_workers: Callable[[], int]) -> None:
        self._n_workers = n_workers
        self._counts: Counter[str] = Counter()
        self._progress: Progress | None = None

    def start(self, planned: int, todo: Sequence[Task]) -> None:
        """Show the bar."""
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        self._estimate = estimate = Estimate(todo, self._n_workers)

        class Left:
            """Written anew at each refresh, so that the time runs between two tasks."""

            def __str__(self) -> str:
                return duration(estimate.seconds())

        self._progress = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[left]} left"),
            TextColumn("{task.description}"),
            console=Console(stderr=True),
        )
        self._row = self._progress.add_task("", total=planned, completed=planned - len(todo), left=Left())
        self._progress.start()

    def finished(self, record: Record, elapsed_s: float) -> None:
        """Move the bar."""
        assert self._progress is not None
        self._counts[record.exit.value] += 1
        self._estimate.add(record, elapsed_s)
        counts = ", ".join(f"{count} {name}" for name, count in self._counts.most_common())
        self._progress.update(self._row, advance=1, description=counts)

    def stop(self) -> None:
        """Leave the bar as it is."""
        if self._progress is not None:
            self._progress.stop()


def reporter(n_workers: Callable[[], int]) -> Reporter:
    """Return a bar on a terminal, else lines; both on standard error."""
    return Bar(n_workers) if sys.stderr.isatty() else Lines(n_workers)


def describe(record: Record) -> str:
    """Return one line about a record."""
    task = record.task
    text = f"{task.method} on {task.dataset} q{task.quantisation} fold {task.fold}: {record.exit.value}"
    text += f", {record.wall_s:.2f} s"
    if record.score is not None:
        text += f", size {record.score['size']}" + ("" if record.solved else ", not proved")
    return text + (f" ({first_line(record.message)})" if record.message else "")


def failures(records: Sequence[Record]) -> list[tuple[str, str, str, int]]:
    """Return (method, exit, message, count) of crashes, refusals and missing peers."""
    bad = (Exit.CRASH, Exit.ERROR, Exit.MISSING)
    counts = Counter(
        (record.task.method, record.exit.value, first_line(record.message))
        for record in records
        if record.exit in bad
    )
    return [(*key, count) for key, count in counts.most_common(60)]


def first_line(text: str) -> str:
    """Return the last line of a traceback, else the first line of a message."""
    lines = [line for line in text.splitlines() if line.strip()] or [""]
    return (lines[-1] if lines[0].startswith("Traceback") else lines[0])[:160]
