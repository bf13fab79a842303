"""Sharing a time budget out over the classes, on one thread or several.

A search is one class's native solver: it can be advanced for some seconds, stopped, and advanced again.
Every class gets a first look before any is worked on for long, so that a good set and a bound are
in hand for all of them early; what is left is shared among the classes still open.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Protocol

from laconic.budget import Budget
from laconic.native import kernels

MAX_COST = 2**50
"""Largest cost the native kernels take: their sums stay exact."""

MAX_FEATURES = 2**15 - 1
"""The native kernels number literals, two per feature, in 16 bits."""

FIRST_LOOK = 0.2
"""Seconds each class gets before any class is worked on for long."""


class Search(Protocol):
    """One class's solver."""

    @property
    def lower_bound(self) -> int:
        """What no set can beat, proved so far."""
        ...

    @property
    def upper_bound(self) -> int:
        """Cost of the best set so far."""
        ...

    @property
    def proved(self) -> bool:
        """Whether the best set is proved best."""
        ...

    @property
    def finished(self) -> bool:
        """Whether more time cannot help."""
        ...

    def advance(self, seconds: float, stop: kernels.StopFlag) -> bool:
        """Work for some seconds (negative: no limit); return ``proved``."""
        ...

    def best(self) -> list[list[int]]:
        """Return the best rules' literals."""
        ...

    def counts(self) -> dict[str, int]:
        """Return the work done, by name."""
        ...


def run(searches: Sequence[Search], budget: Budget, report: Callable[[Search], None], n_jobs: int) -> None:
    """Advance the searches until all are finished or the budget ends.

    ``report`` is called with each search that has worked for a while, in the calling thread. Other searches
    may be running then, so it must look at no other.
    """
    stop = budget.stop_flag()
    if n_jobs > 1 and len(searches) > 1:
        _run_threads(searches, budget, stop, report, n_jobs)
        return
    for search, seconds in _shares(searches, budget):
        search.advance(-1.0 if math.isinf(seconds) else seconds, stop)
        report(search)


def _shares(searches: Sequence[Search], budget: Budget) -> Iterator[tuple[Search, float]]:
    """Yield (search, seconds it may run now) until all are finished or out of time."""
    for search in searches:
        yield search, min(FIRST_LOOK, budget.remaining())
    while not budget.expired():
        pending = [search for search in searches if not search.finished]
        if not pending:
            return
        for place, search in enumerate(pending):
            left = budget.remaining()
            yield search, left if math.isinf(left) else left / (len(pending) - place)


def _run_threads(
    searches: Sequence[Search],
    budget: Budget,
    stop: kernels.StopFlag,
    report: Callable[[Search], None],
    n_jobs: int,
) -> None:
    """Work on several classes at once; the calling thread only waits, so that Ctrl-C reaches it."""
    with ThreadPoolExecutor(n_jobs) as pool:
        try:
            longest = FIRST_LOOK
            while not budget.expired() or longest == FIRST_LOOK:
                waiting = [search for search in searches if not search.finished]
                if not waiting:
                    return
                left = _Countdown(len(waiting))
                running: dict[Future[None], Search] = {
                    pool.submit(_advance, search, longest, budget, stop, left, n_jobs): search
                    for search in waiting
                }
                while running:
                    done, _ = wait(running, timeout=0.1, return_when="FIRST_COMPLETED")
                    for future in done:
                        future.result()
                        report(running.pop(future))
                longest = math.inf
        except BaseException:
            stop.raise_flag()
            raise


class _Countdown:
    """How many searches of this pass have not ended yet."""

    def __init__(self, n: int) -> None:
        self.n = n


def _advance(
    search: Search, longest: float, budget: Budget, stop: kernels.StopFlag, left: _Countdown, n_jobs: int
) -> None:
    share = budget.remaining() * min(1.0, n_jobs / left.n)
    seconds = min(longest, share)
    search.advance(-1.0 if math.isinf(seconds) else seconds, stop)
    left.n -= 1
