"""mopt, mopt∪ and sp[λ]: decision sets by MaxSAT (Sections 3.2 to 3.5).

Perfect sets use the paper's formula with unused nodes. Sparse sets use one formula per size, or the paper's
formula with ``model="unused"``. In the joint model (3.4) a misclassified row pays once. In the separated
models (3.5) it pays in each class, with the net weight of the samples that share its features.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from laconic.engines.api import OnProgress, Recorder, Solution, StopReason, conclude
from laconic.engines.paper.sat.options import MaxSatOptions
from laconic.engines.paper.sat.sizes import solve_by_size
from laconic.engines.paper.sat.unused import solve_with_unused
from laconic.engines.paper.satkit.bounds import anchors_of
from laconic.engines.paper.satkit.options import parse
from laconic.engines.paper.satkit.part import ProblemPart, split
from laconic.engines.paper.satkit.single import offer_single_rule
from laconic.engines.paper.satkit.work import Work
from laconic.engines.registry import require_support
from laconic.problem.objective import Problem
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError


def solve(
    problem: Problem,
    *,
    budget: Budget,
    seed: int = 0,
    n_jobs: int = 1,
    on_progress: OnProgress | None = None,
    options: Mapping[str, Any] | None = None,
) -> Solution:
    """Find an optimal perfect or sparse decision set by MaxSAT."""
    chosen = parse(MaxSatOptions, "maxsat", options)
    require_support("maxsat", problem)
    if problem.literal_cost != problem.rule_cost:
        raise InputError("engine 'maxsat' prices literals and rules alike; use engine='minrules' or 'exact'")
    recorder = Recorder(budget, on_progress)
    parts = split(problem, budget, recorder, separated=chosen.separated, warm_start=chosen.warm_start)
    reason = StopReason.TIME
    work = Work()
    try:
        # Parts with a small gap come first; the time they do not use goes to the others.
        order = sorted(parts, key=lambda part: part.cost - part.lower_bound)
        for part, share in zip(order, budget.shares(len(order)), strict=True):
            if budget.expired():
                break
            _solve_part(part, chosen, share, work)
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


def _solve_part(part: ProblemPart, options: MaxSatOptions, budget: Budget, work: Work) -> None:
    if part.problem.hard:
        bound, anchors = anchors_of(part, budget.part(0.1))
        if options.warm_start:
            part.claim(bound)
        solve_with_unused(part, part.cost, anchors, options, budget, work)
        return
    other_bound = part.cost
    if part.problem.objective.every_class:
        other_bound = offer_single_rule(part, options, budget.part(0.5), work)
    if options.model == "sizes":
        solve_by_size(part, other_bound, options, budget, work)
    else:
        solve_with_unused(part, other_bound, (), options, budget, work)
