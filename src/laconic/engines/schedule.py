"""Sharing a time budget between the class searches, on one thread or several.

A search runs in turns. Between turns it is paused, at any point of its work, so its answer does not depend on
when turns end. Every class first gets a short turn, so that all of them have an incumbent and a bound early.
The unfinished classes then take longer turns, still short enough for a caller to see the bounds move.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Protocol

from laconic.runtime.budget import Budget
from laconic.runtime.native import kernels

MAX_FEATURES = 2**15 - 1
"""Maximum number of features: native kernels number literals, two per feature, in 16 bits."""

FIRST_TURN = 0.2
"""Seconds of the first turn of each class."""

TURN = 1.0
"""Minimum number of work units per search, however small the budget of work is."""

MIN_WORK = 5_000
"""Minimum number of work units per search, however many searches share a budget of work."""

EARLY = 0.25
"""Fraction of the time limit during which every unfinished class gets turns."""

MUCH_LARGER = 4
"""After the fraction `EARLY`, a class yields its thread to one whose gap is larger by this factor."""


class Search(Protocol):
    """The search for one class, which runs in turns."""

    @property
    def lower_bound(self) -> int:
        """Lower bound proved so far."""
        ...

    @property
    def upper_bound(self) -> int:
        """Cost of the incumbent; below the lower bound if there is no incumbent."""
        ...

    @property
    def proved(self) -> bool:
        """Whether the incumbent is proved optimal."""
        ...

    @property
    def finished(self) -> bool:
        """Whether more time cannot improve incumbent or bound."""
        ...

    def take_turn(self, seconds: float, stop: kernels.StopFlag) -> bool:
        """Run for some seconds (no limit if negative), then pause; return ``proved``."""
        ...

    def settle(self) -> None:
        """End a paused search and collect its results."""
        ...

    def best(self) -> list[list[int]]:
        """Return the literals of each rule of the incumbent."""
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
    """Run the searches in turns until all are finished or the budget expires, and settle them.

    ``report`` is called in the calling thread with each search whose turn has ended. Other searches may be
    running then, so it must not access them. No turn is longer than ``longest`` seconds. A search that is not
    needed any more gets no further turn.
    """
    stop = budget.stop_flag()
    if not math.isinf(budget.remaining()):
        stop.set_seconds_left(budget.remaining())
    most = None if budget.work is None else max(MIN_WORK, budget.work // max(1, len(searches)))
    try:
        if n_jobs > 1 and len(searches) > 1:
            _run_threads(searches, budget, stop, report, n_jobs, longest, most, is_needed)
        else:
            # The count of work units depends on the machine if several threads share the work.
            stop.set_threads(n_jobs if most is None else 1)
            for search, seconds in _shares(searches, budget, longest, most, is_needed):
                _take_turn(search, seconds, stop, most)
                report(search)
    finally:
        for search in searches:
            search.settle()


def _take_turn(search: Search, seconds: float, stop: kernels.StopFlag, most: int | None) -> None:
    """Give a search a turn of some seconds, within ``most`` work units in total."""
    seconds = -1.0 if math.isinf(seconds) else seconds
    if most is None or not hasattr(search, "take_turn_of"):
        search.take_turn(seconds, stop)
    else:
        search.take_turn_of(most - search.work, seconds, stop)  # type: ignore[attr-defined]


def is_over(search: Search, most: int | None) -> bool:
    """Return whether a search is finished or has used its work units."""
    return search.finished or (most is not None and getattr(search, "work", 0) >= most)


def _shares(
    searches: Sequence[Search],
    budget: Budget,
    longest: float,
    most: int | None,
    is_needed: Callable[[Search], bool],
) -> Iterator[tuple[Search, float]]:
    """Yield (search, seconds of its turn) until all searches are over or time is up."""
    pending, first = list(searches), True
    while pending and (first or not budget.expired()):
        for place, search in enumerate(pending):
            if first or is_needed(search):
                share = budget.remaining() / (len(pending) - place)
                yield search, min(FIRST_TURN if first else longest, share)
        pending, first = [one for one in pending if not is_over(one, most) and is_needed(one)], False


def _should_rest(search: Search, others: Iterable[Search], gaps: Mapping[Search, int]) -> bool:
    """Return whether another search with a much larger gap could use this search's thread."""
    much_larger = MUCH_LARGER * gaps[search]
    return any(gaps.get(other, 0) > much_larger and getattr(other, "shares_work", False) for other in others)


def _run_threads(
    searches: Sequence[Search],
    budget: Budget,
    stop: kernels.StopFlag,
    report: Callable[[Search], None],
    n_jobs: int,
    longest: float,
    most: int | None,
    is_needed: Callable[[Search], bool],
) -> None:
    """Run several classes at once; the calling thread only waits, so that it receives Ctrl-C."""
    with ThreadPoolExecutor(n_jobs) as pool:
        try:

            def turn(search: Search, seconds: float) -> None:
                _take_turn(search, min(seconds, budget.remaining()), stop, most)

            running = {pool.submit(turn, search, FIRST_TURN): search for search in searches}
            waiting: list[Search] = []  # unfinished, and not running
            gaps: dict[Search, int] = {}  # after each search's last turn: the search itself may be running
            end = budget.remaining()
            while running:
                # Idle threads are distributed over the running searches.
                stop.set_threads(max(1, n_jobs // len(running)) if most is None else 1)
                done, _ = wait(running, timeout=0.1, return_when="FIRST_COMPLETED")
                for future in done:
                    future.result()
                    search = running.pop(future)
                    report(search)
                    gaps[search] = search.upper_bound - search.lower_bound
                    if not is_over(search, most):
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
