"""Classes without a rule, and the price of the cheapest rule for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from laconic.data.table import Table
from laconic.data.words import number_text
from laconic.engines.rows_of_class import RowsOfClass, rows_of_class
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Kind, Problem, otherwise_class
from laconic.runtime.native import kernels
from laconic.runtime.texts import shown

WORK, SECONDS = 5_000, 2.0
"""Units of work, and seconds, for the cheapest rules of a class."""
STARTS = 5
"""Number of literals that a rule is grown from."""
MAX_CLASSES = 20
"""Maximum number of classes whose cheapest rules are searched for; others are only named."""


@dataclass(frozen=True)
class Unexplained:
    """A class without a rule.

    Attributes
    ----------
    target : int
        Class number.
    weight : Fraction
        Weight of its training rows, in the user's units.
    price : Fraction or None
        The cost of the cheapest rules that were found for it, less what they save, in the user's units; None
        if it is not known.
    set_aside : bool
        Whether all its rows contradict rows of heavier classes, so that rules for it were not asked for.
    """

    target: int
    weight: Fraction
    price: Fraction | None
    set_aside: bool = False

    def text(self, label: object) -> str:
        """Write the class and the price of a rule in a sentence."""
        said = f"no rule explains {shown(label)} (rows of weight {number_text(self.weight)})"
        if self.set_aside:
            return f"{said}: each of its rows looks like rows of a class that is more frequent there"
        if self.price is None:
            return said
        if self.price < 0:
            return f"{said}; a rule for it saves {number_text(-self.price)} more than it costs: search longer"
        return f"{said}; a rule for it would cost {number_text(self.price)} more than it saves"


def unexplained_classes(
    problem: Problem, table: Table, rules: Sequence[CodedRule]
) -> tuple[Unexplained, ...]:
    """Return the classes without a rule, with the price of one where classes are independent.

    Parameters
    ----------
    problem : Problem
    table : Table
        All rows, those that the problem sets aside included.
    rules : sequence of CodedRule
    """
    explained: set[int | None] = {rule.target for rule in rules}
    if problem.otherwise:
        explained.add(otherwise_class(problem, rules))
    weights = table.weights.sum(axis=0).tolist()
    silent = [target for target, weight in enumerate(weights) if weight and target not in explained]
    objective = problem.objective
    independent = problem.separable and problem.constraints.by_class and not objective.has_budget
    priced = objective.kind is Kind.SPARSE and independent
    found: list[Unexplained] = []
    for target in silent:
        set_aside = target not in problem.classes
        known = priced and not set_aside and len(found) < MAX_CLASSES
        price = _price(problem, target) if known else None
        found.append(Unexplained(target, Fraction(weights[target]) / table.scale, price, set_aside))
    return tuple(found)


def _price(problem: Problem, target: int) -> Fraction:
    """Return the smallest excess of the cost of rules for a class over what they save."""
    rows = rows_of_class(problem, target)
    search = kernels.CompulsorySolver(
        rows.table.bits, rows.usable, rows.own, rows.others, problem.rule_cost, problem.literal_cost
    )
    search.take_turn_of(WORK, SECONDS, kernels.StopFlag())
    search.settle()
    price = min(search.upper_bound - int(rows.own.sum()), -_grown_gain(problem, rows))
    return Fraction(price) / (problem.error_unit * problem.error_cost)


def _grown_gain(problem: Problem, rows: RowsOfClass) -> int:
    """Return the savings of the best rule that grows literal by literal, minus its price.

    The native search may have found no rule with conditions if it was cut short.
    """
    matrix = problem.table.matrix
    codes = np.flatnonzero(rows.usable.ravel())
    holds = matrix[:, codes >> 1] == (codes & 1).astype(bool)
    worth = (rows.own - rows.others).astype(float)
    best = int(worth.sum()) - problem.rule_price(0)
    if not codes.size:
        return best
    for start in np.argsort(-(worth @ holds), kind="stable")[:STARTS]:
        covered, n_literals = holds[:, start], 1
        free = codes >> 1 != codes[start] >> 1
        while (rows.own[covered] > 0).any():
            best = max(best, int(worth[covered].sum()) - problem.rule_price(n_literals))
            gains = np.where(free, (worth * covered) @ holds, -np.inf)
            choice = int(gains.argmax())
            if gains[choice] <= worth[covered].sum():
                break
            covered, n_literals = covered & holds[:, choice], n_literals + 1
            free &= codes >> 1 != codes[choice] >> 1
    return best
