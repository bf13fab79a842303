"""Which conditions of one column a value satisfies, as one small number that SQL can compute.

Values that satisfy the same conditions are the same to every rule, so each column is reduced to a code, and
equal rows of codes are grouped. A numeric column's code is the place of the number among the ends of its
conditions; any other column's is looked up by value. What a code means is found by evaluating the conditions
themselves on a number of that place, or on the value, never by reasoning about SQL.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from laconic.data.cells import Cells, NumberCells
from laconic.data.large.duck import Duck, number_literal
from laconic.data.literals import Equals, Feature, Interval, Literal, Threshold

if TYPE_CHECKING:
    import pyarrow as pa

_MOST_SUMMED = 16
"""Ends of conditions up to which comparing with all of them is quicker than searching among them."""


@dataclass(frozen=True, eq=False)
class Code:
    """The code of one column.

    Attributes
    ----------
    sql : str
        Gives the code of a row; ``{x}`` stands for the column and ``{code}`` for what was looked up.
    patterns : ndarray of bool, shape (n_codes, n_features)
        Which of the column's features each code satisfies.
    lookup : str or None
        A table of ``value`` and ``code``.
    """

    sql: str
    patterns: NDArray[np.bool_]
    lookup: str | None = None


def number_code(name: str, features: Sequence[Feature], *, has_missing: bool, boolean: bool) -> Code:
    """Return the code of a column of numbers."""
    cuts = sorted({cut for feature in features for cut in _cuts(feature.positive)})
    # A number of every place: before the first cut, and just after each.
    places = [-np.inf, *(value if before else np.nextafter(value, np.inf) for value, before in _ends(cuts))]
    if has_missing:
        places.append(np.nan)
    cells = NumberCells(name, np.array(places, np.float64), boolean=boolean)
    place = _search(cuts) if len(cuts) > _MOST_SUMMED else _sum(cuts)
    sql = f"CASE WHEN {{x}} IS NULL THEN {len(cuts) + 1} ELSE {place} END" if has_missing else place
    return Code(sql, _patterns(cells, features))


def value_code(
    duck: Duck, lookup: str, source: pa.Array, cells: pd.Series[Any], features: Sequence[Feature]
) -> Code:
    """Return the code of a column whose values are looked up; those not listed have the commonest pattern.

    Parameters
    ----------
    duck : Duck
    lookup : str
        Name for the table of codes.
    source : pyarrow.Array
        Distinct values as they are in the files, at most one of them missing.
    cells : Series
        The same values as the conditions see them.
    features : sequence of Feature
        Of the column.
    """
    rows = _patterns(Cells(cells), features)
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
    """Return where the truth of a condition changes: (number, 0) just before it, (number, 1) just after."""
    match literal:
        case Threshold(value=value):
            return [(value, 1)]
        case Interval(low=low, high=high):
            return [(low, 1), (high, 1)]
        case Equals(value=value):
            return [(float(value), 0), (float(value), 1)]
    return []


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
