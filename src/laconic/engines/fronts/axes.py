"""The two axes of a front: the limited amount, and the cost that is minimised within the limit.

By default these are size and errors. Under a cap on rules, literals or size besides λ, they are the capped
amount and the cost: errors plus the price of every rule and literal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Axes:
    """The amount that a front limits, and the prices of rules.

    Attributes
    ----------
    per_rule, per_literal : int
        What a rule without literals, and a literal, add to the limited amount: 0 or 1.
    rule_cost, literal_cost : int
        What they add to the cost.
    """

    per_rule: int = 1
    per_literal: int = 1
    rule_cost: int = 0
    literal_cost: int = 0

    def amount_of(self, n_literals: int) -> int:
        """Return the limited amount of a rule with this number of literals."""
        return self.per_rule + self.per_literal * n_literals

    def price_of(self, n_literals: int) -> int:
        """Return the price of a rule with this number of literals."""
        return self.rule_cost + self.literal_cost * n_literals

    def amount(self, bodies: Iterable[Sequence[int]]) -> int:
        """Return the limited amount of some rules."""
        return sum(self.amount_of(len(body)) for body in bodies)

    def price(self, bodies: Iterable[Sequence[int]]) -> int:
        """Return the sum of the prices of some rules."""
        return sum(self.price_of(len(body)) for body in bodies)

    def search_prices(self, price: Fraction) -> tuple[int, int]:
        """Return the costs of a rule and of a literal if a unit of the amount costs p/q, times q."""
        p, q = price.numerator, price.denominator
        return p * self.per_rule + q * self.rule_cost, p * self.per_literal + q * self.literal_cost


SIZE_AND_ERRORS = Axes()
