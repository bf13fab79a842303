"""The two axes of a front: what is limited, and what is kept small within the limit.

By default these are size and errors. Under a cap on rules, literals or size besides λ, the capped amount is
limited, and what is kept small is the cost: errors plus the price of every rule and literal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Axes:
    """What a front limits, and what rules cost besides the errors that they make.

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
        """Return what a rule with so many literals adds to the limited amount."""
        return self.per_rule + self.per_literal * n_literals

    def price_of(self, n_literals: int) -> int:
        """Return what a rule with so many literals adds to the cost."""
        return self.rule_cost + self.literal_cost * n_literals

    def amount(self, bodies: Iterable[Sequence[int]]) -> int:
        """Return the limited amount of some rules."""
        return sum(self.amount_of(len(body)) for body in bodies)

    def price(self, bodies: Iterable[Sequence[int]]) -> int:
        """Return what some rules cost besides their errors."""
        return sum(self.price_of(len(body)) for body in bodies)

    def search_prices(self, price: Fraction) -> tuple[int, int]:
        """Return the costs of a rule and of a literal if a unit of the amount costs p/q, times q."""
        p, q = price.numerator, price.denominator
        return p * self.per_rule + q * self.rule_cost, p * self.per_literal + q * self.literal_cost


SIZE_AND_ERRORS = Axes()
