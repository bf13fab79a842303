"""The price of an opinion: what the best set costs more with it than without it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from laconic.data.words import plain
from laconic.studio.solver import BestSet


@dataclass(frozen=True)
class Price:
    """The difference of two best sets, in the user's units.

    Attributes
    ----------
    least, most : Fraction
        Bounds on the difference of the costs; equal if both sets are proved best.
    errors, wrong : Fraction
        Weight of the errors, as the objective counts them, and of the wrong predictions, that the set with
        the opinion has more.
    conditions, rules : int
        What it has more.
    """

    least: Fraction
    most: Fraction
    errors: Fraction
    wrong: Fraction
    conditions: int
    rules: int

    @classmethod
    def between(cls, with_it: BestSet, without: BestSet) -> Price:
        """Return the price of what one answer respects and the other does not.

        Parameters
        ----------
        with_it, without : BestSet
        """
        zero = Fraction(0)
        return cls(
            max(zero, with_it.lower_bound - without.cost),
            max(zero, with_it.cost - without.lower_bound),
            with_it.errors - without.errors,
            with_it.wrong - without.wrong,
            with_it.conditions - without.conditions,
            with_it.rules - without.rules,
        )

    @property
    def proved(self) -> bool:
        """Whether the difference is exact."""
        return self.least == self.most

    def to_document(self) -> dict[str, Any]:
        """Return plain data; exact numbers are also given as text."""
        return {
            "least": float(self.least),
            "most": float(self.most),
            "exact": str(plain(self.most)) if self.proved else None,
            "errors": float(self.errors),
            "wrong": float(self.wrong),
            "conditions": self.conditions,
            "rules": self.rules,
            "proved": self.proved,
        }
