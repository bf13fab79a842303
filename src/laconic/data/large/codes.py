"""Codes of columns: small numbers that SQL can compute and that determine all conditions of a column.

Values that satisfy the same conditions are equal to every rule, so each column is reduced to a code, and rows
with equal codes are grouped. The code of a numeric column is the interval of the number between the cut
points of its conditions; the code of any other column is looked up by value. The meaning of a code is found
by evaluating the conditions themselves, on a number of the interval or on the value, never by reasoning about
SQL.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from laconic.data.cells import Cells, NumberCells
from laconic.data.large.duck import Duck, number_literal
from laconic.data.literals import Feature, Interval, Literal, Threshold, named_values

if TYPE_CHECKING:
    import pyarrow as pa

_MAX_SUMMED = 16
"""Maximum number of cut points for a linear search, which is faster than a binary search up to this."""


@dataclass(frozen=True, eq=False)
class Code:
    """The code of one column.

    Attributes
    ----------
    sql : str
        The code of a row in SQL; ``{x}`` stands for the column and ``{code}`` for the looked-up code.
    patterns : ndarray of bool, shape (n_codes, n_features)
        Whether each code satisfies each of the column's features.
    lookup : str or None
        Name of a table of ``value`` and ``code``.
    """

    sql: str
    patterns: NDArray[np.bool_]
    lookup: str | None = None


def number_code(name: str, features: Sequence[Feature], *, has_missing: bool, boolean: bool) -> Code:
    """Return the code of a column of numbers."""
    cuts = sorted({cut for feature in features for cut in _cuts(feature.positive)})
    # One number of every interval: before the first cut point, and just after each.
    places = [-np.inf, *(value if before else np.nextafter(value, np.inf) for value, before in _ends(cuts))]
    if has_missing:
        places.append(np.nan)
    cells = NumberCells(name, np.array(places, np.float64), boolean=boolean)
    place = _search(cuts) if len(cuts) > _MAX_SUMMED else _sum(cuts)
    sql = f"CASE WHEN {{x}} IS NULL THEN {len(cuts) + 1} ELSE {place} END" if has_missing else place
    return Code(sql, _patterns(cells, features))


def value_code(duck: Duck, lookup: str, source: pa.Array, cells: Cells, features: Sequence[Feature]) -> Code:
    """Return the code of a column whose values are looked up; unlisted values get the most common pattern.

    Parameters
    ----------
    duck : Duck
    lookup : str
        Name of the table of codes.
    source : pyarrow.Array
        Distinct values as they are in the files, at most one of them missing.
    cells : Cells
        The same values as seen by the conditions.
    features : sequence of Feature
        The features of the column.
    """
    rows = _patterns(cells, features)
    patterns, code_of, counts = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    code_of = code_of.reshape(-1)
    missing = np.asarray(source.is_null())
    usual = int(counts.argmax())
    listed = np.flatnonzero((code_of != usual) & ~missing)
    duck.create(lookup, {"value": source.take(listed), "code": code_of[listed]})
    sql = f"coalesce({{code}}, {usual})"
    if missing.any():
        sql = f"CASE WHEN {{x}} IS NULL THEN {int(code_of[missing][0])} ELSE {sql} END"
    return Code(sql, patterns, lookup)


def _patterns(cells: Cells, features: Sequence[Feature]) -> NDArray[np.bool_]:
    if not features:
        return np.zeros((len(cells), 0), bool)
    return np.stack([feature.positive.holds(cells) for feature in features], axis=1)


def _cuts(literal: Literal) -> list[tuple[float, int]]:
    """Return the points where a condition changes: (number, 0) just before it, (number, 1) just after it."""
    match literal:
        case Threshold(value=value):
            return [(value, 1)]
        case Interval(low=low, high=high):
            return [(low, 1), (high, 1)]
    return [(float(value), side) for value in named_values(literal) for side in (0, 1)]


def _ends(cuts: Sequence[tuple[float, int]]) -> list[tuple[float, bool]]:
    return [(value, side == 0) for value, side in cuts]


def _test(cut: tuple[float, int]) -> str:
    value, side = cut
    return f"{{x}} {'>' if side else '>='} {number_literal(value)}"


def _sum(cuts: Sequence[tuple[float, int]]) -> str:
    return " + ".join(f"({_test(cut)})::BIGINT" for cut in cuts) or "0"


def _search(cuts: Sequence[tuple[float, int]], first: int = 0) -> str:
    if not cuts:
        return str(first)
    middle = len(cuts) // 2
    after, before = _search(cuts[middle + 1 :], first + middle + 1), _search(cuts[:middle], first)
    return f"CASE WHEN {_test(cuts[middle])} THEN {after} ELSE {before} END"
