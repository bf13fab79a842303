"""Rules as engines see them: literals are numbers, classes are numbers.

The literal "feature f is true" is ``2 * f + 1``, "feature f is false" is ``2 * f``. Engines use only this
form; `laconic.model.rule` has rules in the user's words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from laconic.data.bits import unpack
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


def covers(rules: Sequence[CodedRule], table: Table) -> NDArray[np.bool_]:
    """Return which rows of the table each rule covers: shape (n_rules, n_rows)."""
    packed = np.array([packed_cover(rule, table) for rule in rules], np.uint64)
    return unpack(packed.reshape(len(rules), table.bits.shape[1]), table.n_rows).astype(bool)


def renumbered(rules: Iterable[CodedRule], number: NDArray[np.int64]) -> tuple[CodedRule, ...]:
    """Return rules with feature f renumbered to ``number[f]``, sorted."""
    return tuple(
        sorted(
            CodedRule.of(rule.target, (2 * int(number[code >> 1]) + (code & 1) for code in rule.literals))
            for rule in rules
        )
    )


def unpacked(rows: NDArray[np.uint64], table: Table) -> NDArray[np.bool_]:
    """Return which rows of the table are in a packed set."""
    return unpack(rows, table.n_rows).astype(bool)
