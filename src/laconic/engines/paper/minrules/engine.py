"""The engine for the fewest rules: MinDS's objectives by MinDS's models, class by class.

``min_rules`` is the paper's mds2, ``min_rules_then_literals`` its mds2*, and a sparse problem priced by rules
(`laconic.problem.objective.Problem.priced_by_rules`) its mds2*[ρ].
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from laconic.engines.api import OnProgress, Recorder, Solution, StopReason, conclude
from laconic.engines.paper.minrules.options import MinRulesOptions
from laconic.engines.paper.minrules.perfect import PerfectSearch
from laconic.engines.paper.minrules.sparse import solve_sparse
from laconic.engines.paper.satkit.options import parse
from laconic.engines.paper.satkit.part import ProblemPart, split
from laconic.engines.paper.satkit.work import Work
from laconic.engines.registry import require_support
from laconic.problem.objective import Problem
from laconic.runtime.budget import Budget

_COUNTING_SHARE = 0.75
"""Share of the time for minimising rules; the rest is for minimising literals."""


def solve(
    problem: Problem,
    *,
    budget: Budget,
    seed: int = 0,
    n_jobs: int = 1,
    on_progress: OnProgress | None = None,
    options: Mapping[str, Any] | None = None,
) -> Solution:
    """Find a decision set with the fewest rules, or with the least cost of errors and rules."""
    chosen = parse(MinRulesOptions, "minrules", options)
    require_support("minrules", problem)
    recorder = Recorder(budget, on_progress)
    parts = split(problem, budget, recorder, separated=True, warm_start=chosen.warm_start)
    reason = StopReason.TIME
    work = Work()
    try:
        if problem.hard:
            _solve_perfect(parts, chosen, budget, work)
        else:
            _solve_sparse(parts, chosen, budget, work)
    except KeyboardInterrupt:
        reason = StopReason.INTERRUPT
    return conclude(
        problem,
        [rule for part in parts for rule in part.rules],
        sum(part.lower_bound for part in parts),
        reason,
        recorder=recorder,
        counts=work.counts,
    )


def _solve_perfect(parts: list[ProblemPart], options: MinRulesOptions, budget: Budget, work: Work) -> None:
    searches: list[PerfectSearch] = []
    try:
        # The static bounds are not computed if the greedy incumbent has taken all the time.
        searches.extend(PerfectSearch(part, options, budget) for part in parts if not budget.expired())
        counting = budget.part(_COUNTING_SHARE) if parts[0].problem.literal_cost else budget
        _share_time(searches, lambda one: one.counted, PerfectSearch.count, counting)
        counted = [search for search in searches if search.counted]
        _share_time(counted, lambda one: one.done, lambda one, share: one.shorten(share, work), budget)
        _share_time(searches, lambda one: one.counted, PerfectSearch.count, budget)
    finally:
        for search in searches:
            search.delete(work)


def _solve_sparse(parts: list[ProblemPart], options: MinRulesOptions, budget: Budget, work: Work) -> None:
    # Parts with a small gap come first; the time they do not use goes to the others.
    open_ = sorted(parts, key=lambda part: part.cost - part.lower_bound)
    longest = 0.0
    # A search starts from scratch, so it is repeated only with more time than it had before.
    while open_ and budget.remaining() / len(open_) > longest:
        longest = budget.remaining() / len(open_)
        for part, share in zip(open_, budget.shares(len(open_)), strict=True):
            solve_sparse(part, options, share, work)
        open_ = [part for part in open_ if not part.solved]


def _share_time(
    searches: list[PerfectSearch],
    ended: Callable[[PerfectSearch], bool],
    step: Callable[[PerfectSearch, Budget], None],
    budget: Budget,
) -> None:
    """Give each class an equal share of the time, and share again what finished classes did not use."""
    open_ = [search for search in searches if not ended(search)]
    while open_ and not budget.expired():
        for k, search in enumerate(open_):
            step(search, budget.part(1 / (len(open_) - k)))
        open_ = [search for search in open_ if not ended(search)]
