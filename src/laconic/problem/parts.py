"""The parts of a cost of several measures that decide one after the other.

The cost is one integer: the sum of the parts, each times a weight so large that an earlier part always
decides. A bound on it therefore says something about the first part that is not proved, and about those
before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a cost, by name and weight.

    Attributes
    ----------
    name : str
        ``cost`` for errors and a measure together, ``errors``, or the name of a measure.
    weight : int
        What one integer of the part is in the whole cost.
    unit : Fraction
        Integers of the part per unit that the user knows.
    """

    name: str
    weight: int
    unit: Fraction


@dataclass(frozen=True, slots=True)
class KnownPart:
    """The value of one part and, unless an earlier part is open, a bound, in the user's units."""

    name: str
    value: Fraction
    bound: Fraction | None

    @property
    def proved(self) -> bool:
        """Whether the value is proved minimal, given the parts before."""
        return self.bound == self.value


def taken_apart(parts: Sequence[Part], cost: int, lower_bound: int) -> Iterator[KnownPart]:
    """Yield the value and the bound of each part of a cost."""
    is_open = False
    for part in parts:
        value, cost = divmod(cost, part.weight)
        bound, lower_bound = divmod(lower_bound, part.weight)
        yield KnownPart(part.name, value / part.unit, None if is_open else bound / part.unit)
        is_open = is_open or bound < value
