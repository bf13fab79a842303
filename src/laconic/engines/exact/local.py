"""The searches of all classes in this process: native, or by row subsets if there are very many rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence

from laconic.engines import schedule
from laconic.engines.class_search import ClassTask
from laconic.problem.history import Progress
from laconic.runtime.budget import Budget

MANY_ROWS = 100_000
"""Number of unique rows from which sparse classes are searched by row subsets (`lazy_rows`)."""
MANY_COLUMNS = 2_000
"""Maximum number of features of a search by row subsets, whose memory is quadratic in it."""


def searches_of(tasks: Mapping[int, ClassTask]) -> dict[int, schedule.Search]:
    """Return the search of each class."""
    return {target: search_for(task) for target, task in tasks.items()}


def run(
    searches: Sequence[schedule.Search],
    budget: Budget,
    report: Callable[[schedule.Search], None],
    n_jobs: int,
    is_needed: Callable[[schedule.Search], bool] = lambda _: True,
) -> None:
    """Run the searches until all are finished or no longer needed, or the budget expires."""
    if any(plans_its_turns(search) for search in searches):
        # Searches by row subsets run in Python, where the stop flag of another thread does not reach them.
        schedule.run(searches, budget, report, 1, math.inf, is_needed)
    else:
        schedule.run(searches, budget, report, n_jobs, is_needed=is_needed)


def history(
    searches: Sequence[schedule.Search], reported: list[Progress], total: Callable[[Collection[int]], int]
) -> list[Progress]:
    """Return the improvements of cost and bound as they were reported."""
    return reported


def search_for(task: ClassTask, many_rows: int = MANY_ROWS) -> schedule.Search:
    """Return the search of one class of a separable problem; it is native unless there are very many rows."""
    table = task.rows.table
    sparse = not task.hard and not task.compulsory and task.max_length is None
    if sparse and table.n_rows >= many_rows and table.n_features <= MANY_COLUMNS:
        from laconic.engines.exact.lazy_rows.search import LazySearch

        return LazySearch(*task.sparse_arguments, seed=task.seed, tuning=task.tuning)
    return task.native_search()


def plans_its_turns(search: schedule.Search) -> bool:
    """Whether the search divides its time by itself, so that a turn may have any length."""
    return getattr(search, "plans_its_turns", False)
