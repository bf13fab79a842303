"""Solving from a known decision set, such as the one found before some rows were added.

The known rules are the first incumbent. A worse set is never returned, and if no better one is found the
rules stay, so that they change only when the data requires it. A lower bound proved on the old problem often
holds for the new one, since additional rows only add errors and conflicts; if the rules still cost as much as
that bound, they are optimal without a search.
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
    """A decision set from which a search starts.

    Attributes
    ----------
    rules : tuple of CodedRule
    lower_bound : int
        A valid lower bound on the new problem, from `inherited_bound`, or 0.
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
    """Solve a problem from a known decision set; ``how`` is passed to the engine."""
    first = cost(problem, start.rules)
    if first is None:  # the known rules make an error that is no longer unavoidable
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
    """Return a lower bound on a problem that has more rows than an old one, and the same conditions.

    Sparse: every set makes at least its old errors, so it costs no less if its price has not fallen. Perfect:
    every row that had to be explained still has to be, unless the heaviest class of a row has changed. If
    neither argument applies, the bound is 0.
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
