"""Classes that end without a rule, and what the cheapest rule for each would cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from laconic.data.words import number_text
from laconic.engines.rows_of_class import rows_of_class
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Kind, Problem, otherwise_class
from laconic.runtime.native import kernels
from laconic.runtime.texts import shown

WORK, SECONDS = 5_000, 2.0
"""Units of work, and seconds, for the cheapest rules of a class."""
MAX_CLASSES = 20
"""Maximum number of classes without rules for which prices are computed."""


@dataclass(frozen=True)
class Unexplained:
    """A class without a rule.

    Attributes
    ----------
    target : int
        Class number.
    weight : Fraction
        Weight of its training rows, in the user's units.
    price : Fraction
        The cost of the cheapest rules that were found for it, less what they save, in the user's units.
    """

    target: int
    weight: Fraction
    price: Fraction

    def text(self, label: object) -> str:
        """Write the class and the price of a rule in a sentence."""
        return (
            f"no rule explains {shown(label)} (rows of weight {number_text(self.weight)}); "
            f"a rule for it would cost {number_text(self.price)} more than it saves"
        )


def unexplained_classes(problem: Problem, rules: Sequence[CodedRule]) -> tuple[Unexplained, ...]:
    """Return the classes without a rule, where the classes are independent and may have none."""
    explained = {rule.target for rule in rules} | {otherwise_class(problem, rules)}
    silent = [target for target in problem.classes if target not in explained]
    objective = problem.objective
    independent = problem.separable and problem.constraints.by_class and not objective.has_budget
    if objective.kind is not Kind.SPARSE or not independent or not 0 < len(silent) <= MAX_CLASSES:
        return ()
    found = []
    for target in silent:
        rows = rows_of_class(problem, target)
        search = kernels.CompulsorySolver(
            rows.table.bits, rows.usable, rows.own, rows.others, problem.rule_cost, problem.literal_cost
        )
        search.take_turn_of(WORK, SECONDS, kernels.StopFlag())
        search.settle()
        price = search.upper_bound - int(rows.own.sum())
        weight = int(problem.table.weights[:, target].sum())
        unit = problem.error_unit * problem.error_cost
        found.append(Unexplained(target, Fraction(weight) / problem.table.scale, Fraction(price) / unit))
    return tuple(found)
