"""Sharing a time budget out over the classes, on one thread or several.

A search is one class's native solver, worked on in turns. Between turns it stands still in the middle of
whatever it does, so that its answer does not depend on when they end. Every class gets a first look before
any is worked on for long, so that a good set and a bound are in hand for all of them early; then the classes
still open take turns that are short enough for a caller to see the bounds move.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Protocol

from laconic.runtime.budget import Budget
from laconic.runtime.native import kernels

MAX_COST = 2**50
"""Largest cost the native kernels take: their sums stay exact."""

MAX_FEATURES = 2**15 - 1
"""The native kernels number literals, two per feature, in 16 bits."""

FIRST_LOOK = 0.2
"""Seconds each class gets before any class is worked on for long."""

TURN = 1.0
"""Seconds of a turn after that."""

EARLY = 0.25
"""Share of the time in which every class that is still open is worked on."""

FAR_MORE = 4
"""Then a class rests while another, with a gap so many times as large, can use its thread."""


class Search(Protocol):
    """One class's solver."""

    @property
    def lower_bound(self) -> int:
        """What no set can beat, proved so far."""
        ...

    @property
    def upper_bound(self) -> int:
        """Cost of the best set so far; below the lower bound while there is none."""
        ...

    @property
    def proved(self) -> bool:
        """Whether the best set is proved best."""
        ...

    @property
    def finished(self) -> bool:
        """Whether more time cannot help."""
        ...

    def take_turn(self, seconds: float, stop: kernels.StopFlag) -> bool:
        """Work for some seconds (negative: no limit), then stand still; return ``proved``."""
        ...

    def settle(self) -> None:
        """End what stands still, and take in what it has found."""
        ...

    def best(self) -> list[list[int]]:
        """Return the best rules' literals."""
        ...

    def counts(self) -> dict[str, int]:
        """Return the work done, by name."""
        ...


def run(
    searches: Sequence[Search],
    budget: Budget,
    report: Callable[[Search], None],
    n_jobs: int,
    longest: float = TURN,
    is_needed: Callable[[Search], bool] = lambda _: True,
) -> None:
    """Work on the searches until all are finished or the budget ends, and settle them.

    ``report`` is called with each search that has had a turn, in the calling thread. Other searches
    may be running then, so it must look at no other. No turn lasts more than ``longest`` seconds.
    A search that is not needed any more gets no further turn.
    """
    stop = budget.stop_flag()
    if not math.isinf(budget.remaining()):
        stop.set_seconds_left(budget.remaining())
    try:
        if n_jobs > 1 and len(searches) > 1:
            _run_threads(searches, budget, stop, report, n_jobs, longest, is_needed)
        else:
            stop.set_threads(n_jobs)
            for search, seconds in _shares(searches, budget, longest, is_needed):
                search.take_turn(-1.0 if math.isinf(seconds) else seconds, stop)
                report(search)
    finally:
        for search in searches:
            search.settle()


def _shares(
    searches: Sequence[Search], budget: Budget, longest: float, is_needed: Callable[[Search], bool]
) -> Iterator[tuple[Search, float]]:
    """Yield (search, seconds of its turn) until all are finished or out of time."""
    pending, first = list(searches), True
    while pending and (first or not budget.expired()):
        for place, search in enumerate(pending):
            if first or is_needed(search):
                share = budget.remaining() / (len(pending) - place)
                yield search, min(FIRST_LOOK if first else longest, share)
        pending, first = [one for one in pending if not one.finished and is_needed(one)], False


def _should_rest(search: Search, others: Iterable[Search], gaps: Mapping[Search, int]) -> bool:
    """Return whether its thread does more for another search, which can use it and has far more to gain."""
    far_more = FAR_MORE * gaps[search]
    return any(gaps.get(other, 0) > far_more and getattr(other, "shares_work", False) for other in others)


def _run_threads(
    searches: Sequence[Search],
    budget: Budget,
    stop: kernels.StopFlag,
    report: Callable[[Search], None],
    n_jobs: int,
    longest: float,
    is_needed: Callable[[Search], bool],
) -> None:
    """Work on several classes at once; the calling thread only waits, so that Ctrl-C reaches it."""
    with ThreadPoolExecutor(n_jobs) as pool:
        try:

            def turn(search: Search, seconds: float) -> None:
                search.take_turn(min(seconds, budget.remaining()), stop)

            running = {pool.submit(turn, search, FIRST_LOOK): search for search in searches}
            waiting: list[Search] = []  # open, and not at work
            gaps: dict[Search, int] = {}  # as they were after the last turn: a search may be at work
            end = budget.remaining()
            while running:
                stop.set_threads(max(1, n_jobs // len(running)))  # what others do not need
                done, _ = wait(running, timeout=0.1, return_when="FIRST_COMPLETED")
                for future in done:
                    future.result()
                    search = running.pop(future)
                    report(search)
                    gaps[search] = search.upper_bound - search.lower_bound
                    if not search.finished:
                        waiting.append(search)
                waiting = [search for search in waiting if is_needed(search)]
                late = budget.remaining() < (1 - EARLY) * end
                still_open = [*running.values(), *waiting]
                for search in [] if budget.expired() else waiting[:]:
                    if not (late and _should_rest(search, still_open, gaps)):
                        waiting.remove(search)
                        running[pool.submit(turn, search, longest)] = search
        except BaseException:
            stop.raise_flag()
            raise
