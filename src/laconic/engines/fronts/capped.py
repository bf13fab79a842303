"""The best decision set under one cap on rules, literals or size, besides λ.

The cap ties the classes together only through an amount that they share. So for every class the least cost
within each amount is a front (`Axes`), the fronts of the classes add up, and only the chords and amounts that
decide the point at the cap are searched.
"""

from __future__ import annotations

from fractions import Fraction

from laconic.engines.api import Recorder, Solution, conclude
from laconic.engines.fronts.all_classes import WholeFront
from laconic.engines.fronts.axes import Axes
from laconic.engines.fronts.budget import why_stopped
from laconic.engines.fronts.stairs import LONGEST
from laconic.engines.tuning import Tuning
from laconic.problem.objective import Problem
from laconic.runtime.budget import Budget

UNCAPPED = Fraction(0)
"""The price of the amount if the cap does not bind."""

PER_RULE_AND_LITERAL = {"max_rules": (1, 0), "max_literals": (0, 1), "max_size": (1, 1)}
"""The amounts of a rule and of a literal under each cap."""


def cap_of(problem: Problem) -> tuple[int, Axes] | None:
    """Return the cap and its axes if one cap is all that ties the rules together; else None."""
    ties, objective = problem.constraints.ties, problem.objective
    if len(ties) != 1 or ties[0] not in PER_RULE_AND_LITERAL:
        return None
    if problem.hard or not problem.separable or objective.every_class or objective.has_budget:
        return None
    if len(problem.pricing.levels) > 1:
        return None
    cap: int = getattr(problem.constraints, ties[0])
    if cap > LONGEST:
        return None  # amounts beyond this are not told apart
    level = problem.pricing.levels[0]
    literal_cost = int(level.literal.max(initial=0))
    return cap, Axes(*PER_RULE_AND_LITERAL[ties[0]], level.rule, literal_cost)


def solve_capped(
    problem: Problem,
    cap: int,
    axes: Axes,
    *,
    budget: Budget,
    seed: int,
    n_jobs: int,
    recorder: Recorder,
    tuning: Tuning,
) -> Solution:
    """Solve a sparse problem under one cap, with a proof if the budget allows one."""
    front = WholeFront(problem, cap, seed, n_jobs, budget, tuning, axes)

    def cost() -> int:
        return int(front.achieved[-1])

    def bound() -> int:
        return int(front.proved[-1])

    def report() -> None:
        recorder.report(cost(), bound())

    report()
    front.probe_all(UNCAPPED, budget, report)
    front.settle(lambda: [front.max_size], budget, report)
    return conclude(
        problem,
        front.rules_at(front.max_size),
        bound(),
        why_stopped(front, time_is_over=budget.expired()),
        recorder=recorder,
        counts=front.counts(),
    )
