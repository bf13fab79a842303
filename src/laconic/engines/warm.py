"""Solving with a decision set in hand, such as the one found before some rows were added.

The old rules are the first incumbent: whatever happens to the search, nothing worse is returned, and if
nothing better exists they stay, so that rules change only when the data demands it. What was proved about the
old problem may still hold: rows only add errors and conflicts, so the old lower bound is often one of the new
problem, and if the old rules still cost that much, they are proved again without a search.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from laconic.data.groups import positions
from laconic.engines.api import Engine, OnProgress, Progress, Recorder, Solution, StopReason, conclude
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Kind, Problem, cost, trivial_bound
from laconic.runtime.budget import Budget


@dataclass(frozen=True)
class Start:
    """A decision set to start from.

    Attributes
    ----------
    rules : tuple of CodedRule
    lower_bound : int
        A valid bound on the new problem, from `inherited_bound`, or 0.
    """

    rules: tuple[CodedRule, ...]
    lower_bound: int = 0


def solve_from(
    start: Start,
    engine: Engine,
    problem: Problem,
    *,
    budget: Budget,
    on_progress: OnProgress | None = None,
    **how: object,
) -> Solution:
    """Solve a problem, starting from a decision set; other arguments as an engine takes them."""
    first = cost(problem, start.rules)
    if first is None:  # the old rules make an error that is no longer unavoidable
        return engine(problem, budget=budget, on_progress=on_progress, **how)  # type: ignore[arg-type]
    recorder = Recorder(budget, on_progress)
    bound = max(start.lower_bound, trivial_bound(problem))
    recorder.report(first, min(bound, first), "the rules so far")
    if bound >= first:
        return conclude(problem, start.rules, first, StopReason.PROVED, recorder=recorder)

    def pass_on(state: Progress) -> None:
        recorder.report(state.cost, state.lower_bound, state.note)

    found = engine(problem, budget=budget, on_progress=pass_on, **how)  # type: ignore[arg-type]
    rules = found.rules if found.cost < first else start.rules
    best = min(found.cost, first)
    return conclude(
        problem,
        rules,
        min(max(found.lower_bound, bound), best),
        found.stop_reason,
        recorder=recorder,
        counts=found.counts,
    )


def inherited_bound(old: Problem, lower_bound: int, new: Problem) -> int:
    """Return what a bound on an old problem says about one with more rows and the same conditions.

    Sparse: every set makes at least its old errors, and if its price has not fallen, it costs no less.
    Otherwise: what had to be explained still has to be, unless a row now has another heaviest class. Where
    nothing follows, the bound is 0.
    """
    factor = new.table.scale / old.table.scale
    if old.objective != new.objective or old.objective.every_class or factor.denominator != 1:
        return 0
    units = factor.numerator
    if old.objective.kind is Kind.SPARSE:
        dearer = new.literal_cost >= units * old.literal_cost and new.rule_cost >= units * old.rule_cost
        return units * lower_bound if dearer else 0
    if (old.literal_cost, old.rule_cost) != (new.literal_cost, new.rule_cost):
        return 0
    before, after = (one.table.weights.argmax(axis=1) for one in (old, new))
    return lower_bound if np.array_equal(before, after[positions(old.table, new.table)]) else 0
