"""Estimates of the remaining time of a run.

A task is expected to take as long as the latest tasks of its method, from the start of its processes to their
end. The largest tables run first, so a mean over all tasks of a method would be too high, and a mean over all
methods would mix fast and slow ones. A method without a finished task is expected to take as long as the
others, up to its limit.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Sequence
from statistics import fmean

from laconic.bench.plan import BenchTask
from laconic.bench.records import Record
from laconic.bench.supervise import overtime

LATEST = 20
"""Number of latest tasks of a method in its mean."""


class Estimate:
    """The remaining time of a run.

    Parameters
    ----------
    todo : sequence of BenchTask
    n_workers : callable
        Returns how many tasks run at a time; called whenever a task ends, since the number of nodes may
        change.
    clock : callable
    """

    def __init__(
        self,
        todo: Sequence[BenchTask],
        n_workers: Callable[[], int],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._n_workers = n_workers
        self._clock = clock
        self._left = Counter(task.method for task in todo)
        self._most = {task.method: task.limit_s + overtime(task.limit_s) for task in todo}
        self._taken: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=LATEST))
        self._beside: deque[float] = deque(maxlen=LATEST)
        self._updated = self._clock()
        self._expected: float | None = None

    def longest(self) -> float | None:
        """Return the remaining time if every task uses its whole limit, or ``None`` without workers."""
        return self._shared({method: self._most[method] for method in +self._left})

    def add(self, record: Record, elapsed_s: float) -> None:
        """Add a task that has ended ``elapsed_s`` seconds after the start of its processes."""
        method = record.task.method
        self._left[method] -= 1
        self._taken[method].append(elapsed_s)
        self._beside.append(max(0.0, elapsed_s - record.wall_s))
        known = {name: fmean(times) for name, times in self._taken.items()}
        typical, beside = fmean(known.values()), fmean(self._beside)
        self._expected = self._shared(
            {name: known.get(name, min(typical, self._most[name] + beside)) for name in +self._left}
        )
        self._updated = self._clock()

    def seconds(self) -> float | None:
        """Return the expected remaining time, or ``None`` before the first task has ended."""
        if self._expected is None:
            return None
        return max(0.0, self._expected - (self._clock() - self._updated))

    def _shared(self, each: dict[str, float]) -> float | None:
        """Return the total time of the remaining tasks from the time of each, shared by the workers."""
        n_workers = self._n_workers()
        if n_workers < 1:
            return None
        work = sum(self._left[method] * seconds for method, seconds in each.items())
        # Idle workers do not speed up the last tasks.
        return max([work / n_workers, *each.values()])


def duration(seconds: float | None) -> str:
    """Return a duration in words.

    >>> duration(7), duration(125), duration(7300), duration(None)
    ('7 s', '2 min', '2 h 2 min', '?')
    """
    if seconds is None:
        return "?"
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
