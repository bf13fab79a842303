"""Classes that end without a rule, and what the cheapest rule for each would cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from laconic.data.table import Table
from laconic.data.words import number_text
from laconic.engines.rows_of_class import rows_of_class
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Kind, Problem, otherwise_class
from laconic.runtime.native import kernels
from laconic.runtime.texts import shown

WORK, SECONDS = 5_000, 0.5
"""Units of work, and seconds, for the cheapest rules of a class."""
MAX_CLASSES = 20
"""Number of classes whose cheapest rules are searched for; more are only named."""


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
    explained = {rule.target for rule in rules} | {otherwise_class(problem, rules)}
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
    """Return what the cheapest rules for a class cost more than they save."""
    rows = rows_of_class(problem, target)
    search = kernels.CompulsorySolver(
        rows.table.bits, rows.usable, rows.own, rows.others, problem.rule_cost, problem.literal_cost
    )
    search.take_turn_of(WORK, SECONDS, kernels.StopFlag())
    search.settle()
    price = search.upper_bound - int(rows.own.sum())
    return Fraction(price) / (problem.error_unit * problem.error_cost)
