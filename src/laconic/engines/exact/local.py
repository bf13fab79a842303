"""The searches of all classes in this process, natively, or in pieces where there are very many rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence

from laconic.engines import schedule
from laconic.engines.class_search import ClassTask
from laconic.problem.history import Progress
from laconic.runtime.budget import Budget

MANY_ROWS = 100_000
"""Number of unique rows from which sparse classes are searched in pieces (`lazy_rows`)."""
MANY_COLUMNS = 2_000
"""Maximum number of features of a search in pieces: its memory is quadratic in it."""


def searches_of(tasks: Mapping[int, ClassTask]) -> dict[int, schedule.Search]:
    """Return the search for each class."""
    return {target: search_for(task) for target, task in tasks.items()}


def run(
    searches: Sequence[schedule.Search],
    budget: Budget,
    report: Callable[[schedule.Search], None],
    n_jobs: int,
    is_needed: Callable[[schedule.Search], bool] = lambda _: True,
) -> None:
    """Work on the searches until all are finished, or not needed any more, or the budget ends."""
    if any(plans_its_turns(search) for search in searches):
        # Searches in pieces work in Python, where no other thread's flag stops them.
        schedule.run(searches, budget, report, 1, math.inf, is_needed)
    else:
        schedule.run(searches, budget, report, n_jobs, is_needed=is_needed)


def history(
    searches: Sequence[schedule.Search], reported: list[Progress], total: Callable[[Collection[int]], int]
) -> list[Progress]:
    """Return how cost and bound improved: as reported."""
    return reported


def search_for(task: ClassTask, many_rows: int = MANY_ROWS) -> schedule.Search:
    """Return the search for one class of a separable problem: native, or with very many rows in pieces."""
    table = task.rows.table
    sparse = not task.hard and not task.compulsory
    if sparse and table.n_rows >= many_rows and table.n_features <= MANY_COLUMNS:
        from laconic.engines.exact.lazy_rows.search import LazySearch

        return LazySearch(*task.sparse_arguments, seed=task.seed)
    return task.native_search()


def plans_its_turns(search: schedule.Search) -> bool:
    """Whether a search divides its time by itself and takes turns of any length."""
    return getattr(search, "plans_its_turns", False)
