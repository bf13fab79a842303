"""What a run says while it runs: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TextIO

from laconic.bench.plan import Task
from laconic.bench.records import Record

if TYPE_CHECKING:
    from rich.progress import Progress


class Reporter(Protocol):
    """Is told what happens in a run."""

    def start(self, planned: int, todo: Sequence[Task]) -> None:
        """Say how much there is to do."""
        ...

    def finished(self, record: Record) -> None:
        """Say that a task has ended."""
        ...

    def stop(self) -> None:
        """Say no more."""
        ...


class Silent:
    """Says nothing."""

    def start(self, planned: int, todo: Sequence[Task]) -> None:
        """Say nothing."""

    def finished(self, record: Record) -> None:
        """Say nothing."""

    def stop(self) -> None:
        """Say nothing."""


class Estimate:
    """Time left, from the mean time of each method's tasks so far.

    Large tables run first, so a mean over all tasks would be far too gloomy at first; a mean per
    method at least does not mix fast with slow methods.
    """

    def __init__(self, todo: Sequence[Task], n_jobs: int) -> None:
        self._left = Counter(task.method for task in todo)
        self._n_jobs = n_jobs
        self._times: dict[str, list[float]] = defaultdict(list)

    def add(self, record: Record) -> None:
        """Take a finished task into account."""
        self._left[record.task.method] -= 1
        # Starting the processes and reading the data takes about a second that is not in the record.
        self._times[record.task.method].append(record.wall_s + 1.0)

    def seconds(self) -> float | None:
        """Return the expected time to the end, or ``None`` before the first task has ended."""
        known = {method: sum(times) / len(times) for method, times in self._times.items()}
        if not known:
            return None
        typical = sum(known.values()) / len(known)
        return sum(count * known.get(m, typical) for m, count in self._left.items()) / self._n_jobs


class Lines:
    """One line per finished task, for logs and pipes."""

    def __init__(self, n_jobs: int, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._n_jobs = n_jobs
        self._total = self._done = 0

    def start(self, planned: int, todo: Sequence[Task]) -> None:
        """Say how many tasks are left."""
        self._total = len(todo)
        self._estimate = Estimate(todo, self._n_jobs)
        self._say(f"{planned} tasks, {planned - len(todo)} of them done before, {len(todo)} to run")

    def finished(self, record: Record) -> None:
        """Say how a task ended."""
        self._done += 1
        self._estimate.add(record)
        left = self._estimate.seconds()
        self._say(f"[{self._done}/{self._total}] {describe(record)}; {duration(left)} left")

    def stop(self) -> None:
        """Say nothing."""

    def _say(self, text: str) -> None:
        self._stream.write(text + "\n")
        self._stream.flush()


class Bar:
    """A progress bar with counts by outcome and the time left."""

    def __init__(self, n_jobs: int) -> None:
        self._n_jobs = n_jobs
        self._counts: Counter[str] = Counter()
        self._progress: Progress | None = None

    def start(self, planned: int, todo: Sequence[Task]) -> None:
        """Show the bar."""
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        self._estimate = Estimate(todo, self._n_jobs)
        self._progress = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[left]} left"),
            TextColumn("{task.description}"),
            console=Console(stderr=True),
        )
        self._row = self._progress.add_task("", total=planned, completed=planned - len(todo), left="…")
        self._progress.start()

    def finished(self, record: Record) -> None:
        """Move the bar."""
        assert self._progress is not None
        self._counts[record.exit.value] += 1
        self._estimate.add(record)
        counts = ", ".join(f"{count} {name}" for name, count in self._counts.most_common())
        self._progress.update(
            self._row, advance=1, description=counts, left=duration(self._estimate.seconds())
        )

    def stop(self) -> None:
        """Leave the bar as it is."""
        if self._progress is not None:
            self._progress.stop()


def reporter(n_jobs: int) -> Reporter:
    """Return a bar on a terminal, else lines; both on standard error."""
    return Bar(n_jobs) if sys.stderr.isatty() else Lines(n_jobs)


def describe(record: Record) -> str:
    """Return one line about a record."""
    task = record.task
    text = f"{task.method} on {task.dataset} q{task.quantisation} fold {task.fold}: {record.exit.value}"
    text += f", {record.wall_s:.2f} s"
    if record.score is not None:
        text += f", size {record.score['size']}" + ("" if record.solved else ", not proved")
    return text + (f" ({first_line(record.message)})" if record.message else "")


def first_line(text: str) -> str:
    """Return the last line of a traceback, else the first line of a message."""
    lines = [line for line in text.splitlines() if line.strip()] or [""]
    return (lines[-1] if lines[0].startswith("Traceback") else lines[0])[:160]


def duration(seconds: float | None) -> str:
    """Write a time as a person would.

    >>> duration(7), duration(125), duration(7300), duration(None)
    ('7 s', '2 min', '2 h 2 min', '?')
    """
    if seconds is None:
        return "?"
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
