"""Perfect decision sets and rule counts: one weighted set cover per class.

Only rules that cover no row of another class matter, so the classes are independent: cover the rows of the
class with consistent rules as cheaply as possible. `laconic.native.kernels.CoverSolver` does the work
for one class and can be stopped and resumed at any time; this module shares the budget out over the classes.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait

import numpy as np

from laconic.budget import Budget
from laconic.engines.api import Recorder, StopReason
from laconic.model.coded import CodedRule
from laconic.native import kernels
from laconic.objective import Problem

Answer = tuple[list[CodedRule], int, StopReason, dict[str, int]]

FIRST_LOOK = 0.2
"""Seconds each class gets before any class is worked on for long: a bound and a good set for all, early."""


def solve_perfect(
    problem: Problem,
    *,
    budget: Budget,
    recorder: Recorder,
    seed: int = 0,
    n_jobs: int = 1,
) -> Answer:
    """Find the cheapest rules that explain every row.

    Parameters
    ----------
    problem : Problem
        A ``hard`` one: perfect, min_rules or min_rules_then_literals.
    budget : Budget
        When it ends, the best rules so far are returned with the proved bound.
    recorder : Recorder
        Told of the total cost and bound as they improve.
    seed : int
    n_jobs : int
        Classes worked on at once. The answer does not depend on it, unless time runs out.

    Returns
    -------
    rules : list of CodedRule
    lower_bound : int
    stop_reason : StopReason
    counts : dict
        Work done, summed over the classes.
    """
    searches = {c: _search(problem, c, seed) for c in problem.classes}
    stop = kernels.StopFlag()

    def report() -> None:
        found = all(search.upper_bound > 0 for search in searches.values())
        recorder.report(
            sum(search.upper_bound for search in searches.values()) if found else None,
            sum(search.lower_bound for search in searches.values()),
        )

    run = _run_threads if n_jobs > 1 and len(searches) > 1 else _run_here
    run(list(searches.values()), budget, stop, report, n_jobs)
    rules = [CodedRule.of(c, body) for c, search in searches.items() for body in search.best()]
    counts: Counter[str] = Counter()
    for search in searches.values():
        counts.update(search.counts())
    lower_bound = sum(search.lower_bound for search in searches.values())
    proved = all(search.proved for search in searches.values())
    return rules, lower_bound, StopReason.PROVED if proved else StopReason.TIME, dict(counts)


def _search(problem: Problem, target: int, seed: int) -> kernels.CoverSolver:
    table = problem.table
    own = table.weights[:, target] > 0
    literals = np.flatnonzero(table.allowed.ravel()).tolist()
    return kernels.CoverSolver(
        table.bits,
        literals,
        np.flatnonzero(own),
        np.flatnonzero(~own),
        problem.rule_cost,
        problem.literal_cost,
        seed,
    )


def _shares(
    searches: list[kernels.CoverSolver], budget: Budget
) -> Iterator[tuple[kernels.CoverSolver, float]]:
    """Yield (search, seconds it may run now) until all are proved, stuck or out of time."""
    for search in searches:
        yield search, min(FIRST_LOOK, budget.remaining())
    while not budget.expired():
        pending = [search for search in searches if not search.finished]
        if not pending:
            return
        for place, search in enumerate(pending):
            left = budget.remaining()
            yield search, left if math.isinf(left) else left / (len(pending) - place)


def _run_here(
    searches: list[kernels.CoverSolver],
    budget: Budget,
    stop: kernels.StopFlag,
    report: Callable[[], None],
    n_jobs: int,
) -> None:
    for search, seconds in _shares(searches, budget):
        search.advance(-1.0 if math.isinf(seconds) else seconds, stop)
        report()


def _run_threads(
    searches: list[kernels.CoverSolver],
    budget: Budget,
    stop: kernels.StopFlag,
    report: Callable[[], None],
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
                running: set[Future[None]] = {
                    pool.submit(_advance, search, longest, budget, stop, left, n_jobs) for search in waiting
                }
                while running:
                    done, running = wait(running, timeout=0.1, return_when="FIRST_COMPLETED")
                    for future in done:
                        future.result()
                        report()
                longest = math.inf
        except BaseException:
            stop.raise_flag()
            raise


class _Countdown:
    """How many searches of this pass have not ended yet."""

    def __init__(self, n: int) -> None:
        self.n = n


def _advance(
    search: kernels.CoverSolver,
    longest: float,
    budget: Budget,
    stop: kernels.StopFlag,
    left: _Countdown,
    n_jobs: int,
) -> None:
    remaining = budget.remaining()
    share = remaining * min(1.0, n_jobs / left.n)
    seconds = min(longest, share)
    search.advance(-1.0 if math.isinf(seconds) else seconds, stop)
    left.n -= 1
