"""Size against errors: the best sets at several prices of size, found within a few seconds.

The sets are built from the model's own conditions, on the table of the report, so that the model lies on the
same plane. High prices come first, because their searches are easy. A point whose search was stopped by the
budget is marked as such.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from laconic.checking.recheck import rebuilt_table
from laconic.data.table import Table
from laconic.engines import registry
from laconic.engines.api import Status
from laconic.learning.learn import DEFAULT_ENGINE
from laconic.model.decision_set import DecisionSet
from laconic.model.decode import decode
from laconic.problem.coded import CodedRule
from laconic.problem.constraints.constraints import Constraints
from laconic.problem.constraints.translate import compiled_constraints
from laconic.problem.objective import (
    Counting,
    Default,
    Kind,
    Objective,
    Problem,
    cost,
    errors,
    otherwise_class,
)
from laconic.runtime.budget import Budget

PRICES = (0.3, 0.2, 0.1, 0.05, 0.03, 0.02, 0.01, 0.005)
"""λ of the points, easiest first."""

_PATIENCE = 0.4
"""Maximum share of the remaining time for one price."""


@dataclass(frozen=True, slots=True)
class TradeOffPoint:
    """A set of rules on the plane of size and errors.

    Attributes
    ----------
    size : int
    errors : float
        What the errors cost, as the model's objective counts them: with class weights or costs of errors, by
        these; else their weight.
    regularization : float or None
        λ at which it is the best set; None for the model of the report.
    proved : bool
        Whether nothing better exists at this λ.
    """

    size: int
    errors: float
    regularization: float | None = None
    proved: bool = True


def trade_off(
    model: DecisionSet, X: Any, y: Any, sample_weight: ArrayLike | None, seconds: float
) -> list[TradeOffPoint] | str:
    """Return the best sets at several prices, or the sentence that says why there are none."""
    if not model.features:
        return "The model does not carry the conditions it was chosen from, so no other set could be tried."
    table = rebuilt_table(model, X, y, sample_weight)
    if isinstance(table, str):
        return f"No other set could be tried: {table}."
    engine = _engine(model, table)
    budget = Budget(seconds)
    found: dict[tuple[int, float], TradeOffPoint] = {}
    for price in PRICES:
        if budget.expired():
            break
        problem = _problem(model, table, price)
        solution = registry.get(engine)(problem, budget=budget.part(_PATIENCE))
        point = _point(model, problem, table, solution.rules, price, solution.status is Status.OPTIMAL)
        known = found.get((point.size, point.errors))
        if known is None or point.proved > known.proved:
            found[point.size, point.errors] = point
    points = sorted(found.values(), key=lambda point: (point.size, point.errors))
    return points or "The time allowed was too short to try any other set."


def own_point(model: DecisionSet, X: Any, y: Any, sample_weight: ArrayLike | None) -> TradeOffPoint | None:
    """Return the model as a point, with its errors counted as in `trade_off`."""
    if model.proof is None or not model.features:
        return None
    table = rebuilt_table(model, X, y, sample_weight)
    if isinstance(table, str):
        return None
    problem = _problem(model, table, 0.05)
    return _point(model, problem, table, model.proof.rules, None, model.proof.optimal)


def _objective(model: DecisionSet, price: float) -> Objective:
    """Return the sparse objective at a price that counts errors as the model's does."""
    proof = model.proof
    if proof is None:
        return Objective(Kind.SPARSE, price)
    if proof.otherwise is not None:
        return Objective(Kind.SPARSE, price, default=Default.OTHERWISE)
    return Objective(Kind.SPARSE, price, Counting(proof.counting), proof.every_class)


def error_costs(model: DecisionSet) -> Constraints | None:
    """Return what the model's constraints say about the costs of errors; None if all count one."""
    constraints = None if model.proof is None else model.proof.constraints
    if constraints is None:
        return None
    names = ("class_weight", "false_positive_costs", "false_negative_costs")
    return Constraints(**{name: getattr(constraints, name) for name in names}) or None


def _problem(model: DecisionSet, table: Table, price: float) -> Problem:
    """Return the sparse problem at a price in which errors cost what they cost the model."""
    objective, counted = _objective(model, price), error_costs(model)
    if counted is None:
        return Problem.of(table, objective)
    compiled = compiled_constraints(
        counted,
        table,
        model.features,
        model.columns,
        np.array(model.classes, dtype=model.label_dtype),
        objective=objective.kind.value,
        per_row=objective.counting is Counting.PER_ROW,
        finer=objective.finer,
    )
    return Problem.of(table, objective, compiled)


def _engine(model: DecisionSet, table: Table) -> str:
    """Return the engine of the model if it supports this problem, otherwise the default."""
    problem = _problem(model, table, PRICES[0])
    own = None if model.proof is None else model.proof.engine
    able = own in registry.available() and own != "brute" and registry.entry(own).supports(problem)
    return own if own is not None and able else DEFAULT_ENGINE


def _point(
    model: DecisionSet,
    problem: Problem,
    table: Table,
    rules: Sequence[CodedRule],
    price: float | None,
    proved: bool,
) -> TradeOffPoint:
    shown = decode(
        rules,
        table,
        model.features,
        np.array(model.classes, dtype=model.label_dtype),
        model.columns,
        every_class=problem.objective.every_class,
        otherwise=otherwise_class(problem, rules),
    )
    weight = (errors(problem, rules) + problem.unavoidable) / table.scale
    total = cost(problem, rules) if error_costs(model) is not None else None
    if total is not None:  # what the errors cost is what is left of the cost without the size
        sizes = sum(problem.rule_price(len(rule.literals)) for rule in rules)
        line = problem.rule_price(0) if problem.otherwise else 0
        weight = (total - sizes - line) / problem.error_unit
    return TradeOffPoint(shown.size, float(weight), price, proved)
