"""The proof facts of a decision set, and the data needed to check them again.

All numbers are the integers of `laconic.problem.objective.Problem`, so that a later reader can recount them
exactly; `weight_scale` turns integer weights into the user's units. Nothing here depends on the clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from laconic.data.weights import PARTS_OF_A_ROW
from laconic.data.words import plain
from laconic.problem.coded import CodedRule
from laconic.problem.constraints.constraints import Constraints
from laconic.problem.parts import Part, taken_apart

OBJECTIVES = ("sparse", "perfect", "min_rules", "min_rules_then_literals")
COUNTINGS = ("per_class", "per_row")
DEFAULTS = ("explained", "otherwise")
"""The words of a model file; `laconic.problem.objective` defines their meaning."""


@dataclass(frozen=True, slots=True)
class Proof:
    """The facts of one search.

    Attributes
    ----------
    objective, counting : str
        What was minimised, as the user named it.
    regularization : float or None
        λ; ``None`` where the objective has none.
    every_class : bool
        Whether each class had to have a rule.
    error_cost, literal_cost, rule_cost : int
        Coefficients of the cost; for a sparse objective ``literal_cost / error_cost`` is Λ.
    cost, lower_bound : int
        Of the rules in hand, and of every decision set.
    stop_reason : str
        Why the search ended.
    errors, unavoidable_errors : int
        Integer weight of the errors counted in the cost, and of the contradicting samples that no
        decision set can get right and that were removed.
    n_samples, n_rows, n_features : int
        Training samples, distinct binary rows, binary features.
    total_weight : int
        Integer weight of all samples.
    weight_scale : Fraction
        Integer weight per unit of the user's weight.
    engine, version : str
        Who searched.
    table_digest : str
        Fingerprint of the binary table, see `table_digest`.
    rules : tuple of CodedRule
        The engine's answer, as the checker saw it.
    constraints : Constraints or None
        The constraints that the set respects.
    parts : tuple of Part
        With constraints: what the cost consists of, part by part; later ones break ties.
    measures : tuple of (str, Fraction)
        With constraints: the measures that were kept small, in this order, and their values.
    size_budget : int or None
        The size that was not to be exceeded while errors were minimised.
    max_errors : float or None
        The weight of errors, in the user's units, that was not to be exceeded while the size was minimised.
    otherwise : int or None
        The class that the OTHERWISE rule of the set gives to rows that no other rule covers; ``None`` if
        every class is explained by rules of its own, and what such rows get is no part of the set.
    """

    objective: str
    counting: str
    regularization: float | None
    every_class: bool
    error_cost: int
    literal_cost: int
    rule_cost: int
    cost: int
    lower_bound: int
    stop_reason: str
    errors: int
    unavoidable_errors: int
    n_samples: int
    n_rows: int
    n_features: int
    total_weight: int
    weight_scale: Fraction
    engine: str
    version: str
    table_digest: str
    rules: tuple[CodedRule, ...]
    constraints: Constraints | None = None
    parts: tuple[Part, ...] = ()
    measures: tuple[tuple[str, Fraction], ...] = ()
    size_budget: int | None = None
    max_errors: float | None = None
    otherwise: int | None = None

    @property
    def default(self) -> str:
        """Whether every class is ``"explained"`` by its own rules, or one is what ``"otherwise"`` remains."""
        return DEFAULTS[self.otherwise is not None]

    @property
    def n_rules(self) -> int:
        """Number of rules, the OTHERWISE rule included."""
        return len(self.rules) + (self.otherwise is not None)

    @property
    def size(self) -> int:
        """Literals plus rules."""
        return sum(len(rule.literals) for rule in self.rules) + self.n_rules

    @property
    def has_plain_weights(self) -> bool:
        """Whether each training row weighs 1."""
        plain = self.weight_scale in {1, PARTS_OF_A_ROW}
        return plain and self.total_weight == self.weight_scale * self.n_samples

    @property
    def has_budget(self) -> bool:
        """Whether size or errors were limited, instead of being traded against each other."""
        return self.size_budget is not None or self.max_errors is not None

    @property
    def optimal(self) -> bool:
        """Whether the bound equals the cost, in integers."""
        return self.cost == self.lower_bound

    @property
    def status(self) -> str:
        """``"optimal"`` or ``"feasible"``."""
        return "optimal" if self.optimal else "feasible"

    @property
    def gap(self) -> float:
        """Relative gap between cost and bound, of the first measure that is not proved; 0.0 means proved."""
        for known in taken_apart(self.parts, self.cost, self.lower_bound):
            if not known.proved and known.bound is not None:
                return float((known.value - known.bound) / known.value)
        return (self.cost - self.lower_bound) / self.cost if self.cost else 0.0

    def in_user_units(self, cost: int) -> int | Fraction:
        """Return a cost in the user's units.

        Sparse costs are weights, divided here by the scale of the weights (and by the factor that makes λM an
        integer when ``every_class`` is set); the other objectives count literals and rules. Under constraints
        it is the first measure, without the measures that break ties. Under a budget it is the amount that
        was minimised first: errors, or size.
        """
        if self.parts:
            return plain(next(taken_apart(self.parts, cost, 0)).value)
        if self.has_budget:
            return budget_units(cost, self.error_cost, self.literal_cost, self.weight_scale)
        return user_units(cost, self.error_cost, self.weight_scale)


def user_units(cost: int, error_cost: int, scale: Fraction) -> int | Fraction:
    """Return an integer cost in the user's units, see `Proof.in_user_units`."""
    return plain(Fraction(cost, error_cost) / scale) if error_cost else cost


def budget_units(cost: int, error_cost: int, literal_cost: int, scale: Fraction) -> int | Fraction:
    """Return the first part of a lexicographic cost: errors in the user's units, or size."""
    return plain(cost // error_cost / scale) if error_cost > literal_cost else cost // literal_cost
