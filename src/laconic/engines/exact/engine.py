"""The exact engine: proven optima by column generation, strong duals and native search.

One native search per class (`laconic.engines.schedule`): a weighted set cover for the hard
objectives, the blame relaxation for the sparse ones. The joint counting (``per_row``) ties the classes
together and has its own module. ``docs/how-it-works.md`` gives the mathematics.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

from laconic.data.words import about
from laconic.engines import schedule
from laconic.engines.api import OnProgress, Recorder, Solution, StopReason, conclude
from laconic.engines.class_search import ClassTask
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Problem
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError
from laconic.runtime.native import kernels
from laconic.runtime.remote import is_remote

MANY_ROWS = 100_000
"""From so many unique rows on, sparse classes are searched in pieces (`lazy_rows`)."""
MANY_COLUMNS = 2_000
"""Up to so many columns: it weighs all pairs of them."""


def solve(
    problem: Problem,
    *,
    budget: Budget,
    seed: int = 0,
    n_jobs: int = 1,
    on_progress: OnProgress | None = None,
    options: Mapping[str, Any] | None = None,
) -> Solution:
    """Solve any objective with a proof, as far as the budget allows."""
    if options:
        raise InputError(f"engine 'exact' takes no options, got {', '.join(map(str, options))}")
    if not _by_class(problem):
        from laconic.engines.selection.engine import solve as solve_constrained

        return solve_constrained(problem, budget=budget, seed=seed, n_jobs=n_jobs, on_progress=on_progress)
    table = problem.table
    if table.n_features > schedule.MAX_FEATURES:
        raise InputError(
            f"engine 'exact' takes at most {schedule.MAX_FEATURES} binary features, not {table.n_features}; "
            "use fewer thresholds or drop columns"
        )
    largest = max(problem.error_cost * table.total_weight, problem.rule_price(table.n_features))
    if largest > schedule.MAX_COST:
        raise InputError(
            f"the objective's integers reach {about(largest)}, beyond exact arithmetic; "
            "use fewer digits in regularization or sample_weight"
        )
    if not problem.constraints.any_set:
        from laconic.engines.selection.relaxed import check_separable

        check_separable(problem, budget)
    recorder = Recorder(budget, on_progress)
    if problem.objective.has_budget:
        from laconic.engines.fronts.budget import solve_budget

        return solve_budget(problem, budget=budget, seed=seed, n_jobs=n_jobs, recorder=recorder)
    if not problem.separable:
        from laconic.engines.exact.joint.search import solve_joint

        return solve_joint(problem, budget=budget, n_jobs=n_jobs, recorder=recorder)
    away = n_jobs > 1 and is_remote()
    tasks = {c: ClassTask.of(problem, c, seed) for c in problem.classes}
    searches: dict[int, schedule.Search]
    if away:
        from laconic.engines.exact import remote

        remote_searches = {c: remote.RemoteSearch(task) for c, task in tasks.items()}
        searches = dict(remote_searches)
    else:
        searches = {c: search_for(task) for c, task in tasks.items()}
    # Costs and bounds are looked at while a search stands still: it may run in another thread.
    in_hand = {search: (search.upper_bound, search.lower_bound) for search in searches.values()}
    cost, bound = sum(upper for upper, _ in in_hand.values()), sum(lower for _, lower in in_hand.values())
    without = {search for search, (upper, lower) in in_hand.items() if upper < lower}

    def report(search: schedule.Search) -> None:
        # Only what changed is added up anew: there may be very many classes.
        nonlocal cost, bound
        old_cost, old_bound = in_hand[search]
        in_hand[search] = upper, lower = search.upper_bound, search.lower_bound
        cost, bound = cost + upper - old_cost, bound + lower - old_bound
        if upper >= lower:
            without.discard(search)
        recorder.report(None if without else cost, bound)

    reason = StopReason.TIME
    turn = max(map(longest_turn, tasks.values()), default=schedule.TURN)
    try:
        if away:
            remote.run(list(remote_searches.values()), budget, report, n_jobs)
        else:
            # Searches in pieces work in Python, where no other thread's flag stops them.
            schedule.run(list(searches.values()), budget, report, 1 if math.isinf(turn) else n_jobs, turn)
        # Proved, or what is left to list would take too much memory.
        if not budget.expired() and all(search.finished for search in searches.values()):
            reason = StopReason.MEMORY
    except KeyboardInterrupt:
        reason = StopReason.INTERRUPT
    except MemoryError:
        reason = StopReason.MEMORY
    for search in without:  # stopped before its turn: the first set that it can give
        search.take_turn(0.0, kernels.StopFlag())
    if away:
        recorder.history = remote.timeline(list(remote_searches.values()))
    rules = [CodedRule(c, tuple(sorted(body))) for c, search in searches.items() for body in search.best()]
    counts: Counter[str] = Counter()
    for search in searches.values():
        counts.update(search.counts())
    bound = sum(search.lower_bound for search in searches.values())
    return conclude(problem, rules, bound, reason, recorder=recorder, counts=counts)


def _by_class(problem: Problem) -> bool:
    """Whether the classes are searched by themselves, or errors per row are all that ties them together."""
    if problem.constraints.any_set:
        return True
    # Under constraints a rule has to cover a row, which a compulsory rule need not.
    return problem.constraints.by_class and problem.separable and not problem.objective.every_class


def _in_pieces(task: ClassTask, many_rows: int) -> bool:
    table = task.rows.table
    sparse = not task.hard and not task.compulsory
    return sparse and table.n_rows >= many_rows and table.n_features <= MANY_COLUMNS


def longest_turn(task: ClassTask) -> float:
    """Return how many seconds a turn of a class's search may last; searches in pieces plan their own."""
    return math.inf if _in_pieces(task, MANY_ROWS) else schedule.TURN


def search_for(task: ClassTask, many_rows: int = MANY_ROWS) -> schedule.Search:
    """Return the search for one class of a separable problem: native, or with very many rows in pieces."""
    if _in_pieces(task, many_rows):
        from laconic.engines.exact.lazy_rows.search import LazySearch

        return LazySearch(*task.sparse_arguments, seed=task.seed)
    return task.native_search()
