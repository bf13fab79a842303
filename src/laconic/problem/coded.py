"""Rules as engines see them: literals are numbers, classes are numbers.

The literal "feature f is true" is ``2 * f + 1``, "feature f is false" is ``2 * f``. Engines speak only
this language; `laconic.model.rule` says the same in the user's words.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from laconic.data.table import Table


@dataclass(frozen=True, slots=True, order=True)
class CodedRule:
    """A conjunction of literals and the class it predicts.

    Attributes
    ----------
    target : int
        Class number.
    literals : tuple of int
        Sorted, without repetition; empty means "always".
    """

    target: int
    literals: tuple[int, ...]

    @classmethod
    def of(cls, target: int, literals: Iterable[int]) -> CodedRule:
        """Build a rule from literals in any order."""
        return cls(int(target), tuple(sorted({int(literal) for literal in literals})))

    @property
    def size(self) -> int:
        """Literals plus one for the class."""
        return len(self.literals) + 1


def literal(feature: int, value: bool) -> int:
    """Return the number of the literal "feature is value"."""
    return 2 * feature + int(value)


def packed_cover(rule: CodedRule, table: Table) -> NDArray[np.uint64]:
    """Return the rows that satisfy every literal of the rule, packed as in `Table.bits`.

    Bits beyond the last row are arbitrary.
    """
    if not rule.literals:
        return np.full(table.bits.shape[1], np.iinfo(np.uint64).max, np.uint64)
    first, *others = rule.literals
    column = table.bits[first >> 1]
    covered: NDArray[np.uint64] = column.copy() if first & 1 else ~column
    for code in others:
        column = table.bits[code >> 1]
        covered &= column if code & 1 else ~column
    return covered


def rows_covered(rule: CodedRule, table: Table) -> NDArray[np.bool_]:
    """Return which rows of the table satisfy every literal of the rule."""
    return unpacked(packed_cover(rule, table), table)


def unpacked(rows: NDArray[np.uint64], table: Table) -> NDArray[np.bool_]:
    """Return which rows of the table are in a packed set."""
    flat = np.unpackbits(rows.view(np.uint8), bitorder="little")
    return flat[: table.n_rows].astype(bool)
