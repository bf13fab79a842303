"""The exact engine: proven optima by column generation, strong duals and native search.

One native search per class (`laconic.engines.schedule`) solves a weighted set cover for perfect objectives
and the blame relaxation for sparse ones. Counting errors per row ties the classes together; the room
``joint`` solves that case. ``docs/how-it-works.md`` explains the mathematics.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from types import ModuleType
from typing import Any

from laconic.data.words import about
from laconic.engines import schedule
from laconic.engines.api import OnProgress, Recorder, Solution, StopReason, conclude
from laconic.engines.class_search import ClassTask
from laconic.engines.exact import local
from laconic.engines.exact.in_and_out import is_in_and_out, solve_in_and_out
from laconic.engines.fronts.capped import cap_of, solve_capped
from laconic.engines.known_classes import KnownClasses
from laconic.engines.tuning import tuning_of
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Problem
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError
from laconic.runtime.native import MAX_COST, kernels
from laconic.runtime.remote import is_remote


def solve(
    problem: Problem,
    *,
    budget: Budget,
    seed: int = 0,
    n_jobs: int = 1,
    on_progress: OnProgress | None = None,
    options: Mapping[str, Any] | None = None,
) -> Solution:
    """Solve a problem of any objective, with a proof if the budget allows one."""
    tuning = tuning_of(options)
    capped = None if problem.constraints.any_set else cap_of(problem)
    named = is_in_and_out(problem)
    if capped is None and not named and not _by_class(problem):
        from laconic.engines.selection.engine import solve as solve_constrained

        run = partial(solve_constrained, problem, budget=budget, seed=seed, n_jobs=n_jobs)
        return run(on_progress=on_progress, options=tuning)
    table = problem.table
    if table.n_features > schedule.MAX_FEATURES:
        raise InputError(
            f"engine 'exact' takes at most {schedule.MAX_FEATURES} binary features, not {table.n_features}; "
            "use fewer thresholds or drop columns"
        )
    largest = max(problem.error_cost * table.total_weight, problem.rule_price(table.n_features))
    if largest > MAX_COST:
        raise InputError(
            f"the objective's integers reach {about(largest)}, beyond exact arithmetic; "
            "use fewer digits in regularization or sample_weight"
        )
    unexplained: set[int] = set()
    if not problem.constraints.any_set or problem.otherwise:
        from laconic.engines.separable import check_separable

        unexplained = check_separable(problem, budget)
    recorder = Recorder(budget, on_progress)
    if problem.objective.has_budget:
        from laconic.engines.fronts.budget import solve_budget

        return solve_budget(
            problem, budget=budget, seed=seed, n_jobs=n_jobs, recorder=recorder, tuning=tuning
        )
    if not problem.separable:
        from laconic.engines.exact.joint.search import solve_joint

        return solve_joint(problem, budget=budget, n_jobs=n_jobs, recorder=recorder, tuning=tuning)
    if capped is not None:
        run_capped = partial(solve_capped, problem, *capped, budget=budget, seed=seed, n_jobs=n_jobs)
        return run_capped(recorder=recorder, tuning=tuning)
    if named:
        run_named = partial(solve_in_and_out, problem, budget=budget, seed=seed, n_jobs=n_jobs)
        return run_named(recorder=recorder, tuning=tuning)
    place = _place(n_jobs)
    # The class that OTHERWISE may give comes last: the searches of the others may show that it needs no
    # rules.
    classes = problem.heaviest_first[::-1] if problem.otherwise else problem.classes
    tasks = {c: ClassTask.of(problem, c, seed, tuning) for c in classes if c not in unexplained}
    searches = place.searches_of(tasks)
    known = KnownClasses(problem, searches)

    def report(search: schedule.Search) -> None:
        known.update(search)
        recorder.report(known.cost, known.lower_bound)

    reason = StopReason.TIME
    try:
        place.run(list(searches.values()), budget, report, n_jobs, known.is_needed)
        if budget.work is not None and not budget.expired():
            reason = StopReason.WORK
        # If a search ended without a proof, its list of rules would have taken too much memory.
        elif not budget.expired() and all(
            search.finished or not known.is_needed(search) for search in searches.values()
        ):
            reason = StopReason.MEMORY
    except KeyboardInterrupt:
        reason = StopReason.INTERRUPT
    except MemoryError:
        reason = StopReason.MEMORY
    for search in list(known.without):  # stopped before its first turn: get the first set it can give
        search.take_turn(0.0, kernels.StopFlag())
    for search in searches.values():
        known.update(search)
    recorder.history = place.history(list(searches.values()), recorder.history, problem.total)
    without_rules = known.otherwise_class()
    rules = [
        CodedRule(c, tuple(sorted(body)))
        for c, search in searches.items()
        if c != without_rules
        for body in search.best()
    ]
    counts: Counter[str] = Counter()
    for search in searches.values():
        counts.update(search.counts())
    return conclude(problem, rules, known.lower_bound, reason, recorder=recorder, counts=counts)


def _by_class(problem: Problem) -> bool:
    """Return whether classes are searched independently, or tied together only by errors per row."""
    if problem.constraints.any_set:
        return True
    # Under constraints a rule must cover a row, which a compulsory rule need not do.
    if not problem.separable or problem.objective.every_class:
        return False
    ties = problem.constraints.ties
    # Sparse rules of limited length are searched natively; for perfect sets and budgets they are listed.
    limited = ties == ("max_rule_length",) and not problem.hard and not problem.objective.has_budget
    return not ties or limited


def _place(n_jobs: int) -> ModuleType:
    """Return the module that runs the searches: in this process, or on remote workers."""
    if n_jobs > 1 and is_remote():
        from laconic.engines.exact import remote

        return remote
    return local
