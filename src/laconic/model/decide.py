"""The rule that decides each row, for tables of many rows.

Columns of plain numbers and of categories with codes are passed to the native kernel without a copy, with the
thresholds of the rules as cuts; every condition on them is then a range of places between cuts. Conditions on
texts and nullable columns are evaluated here, and the kernel gets their masks. Tables that are empty,
infinite, sparse or have a name twice are left to `laconic.data.column.view`, which refuses them with a
message.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from laconic.data.cells import LARGEST_EXACT, number_to_match, same_value
from laconic.data.column import Column, View, has_names, view
from laconic.data.foreign import as_pandas
from laconic.data.literals import Among, Equals, Interval, Literal, Missing, Threshold
from laconic.data.reading.column_reading import ColumnReading
from laconic.model.predict import NO_RULE, best_first, literal_masks
from laconic.model.rule import Rule
from laconic.runtime.native import kernels

_NUMBERS = "fiub"
"""Kinds of numpy types with plain numbers."""

_LAST = kernels.MISSING_PLACE - 1
"""The last place of a cell with a value."""


def decide(
    rules: Sequence[Rule], X: Any, columns: Sequence[Column], needed: Sequence[str], *, named: bool
) -> NDArray[np.intp]:
    """Return the number of the rule that decides each row, or `NO_RULE`.

    The same answer as `laconic.model.predict.deciding_rules`.

    Parameters
    ----------
    rules : sequence of Rule
    X : DataFrame or array-like
    columns, needed, named
        As for `laconic.data.column.view`.
    """
    computed = any(column.derived is not None and column.name in needed for column in columns)
    X = as_pandas(X, needed if named and not computed else None)
    literals = list(dict.fromkeys(literal for rule in rules for literal in rule.literals))
    grouped = {literal.column for literal in literals if isinstance(literal, Among)}
    ungrouped = [name for name in needed if name not in grouped]
    plain = _plain_columns(X, columns, ungrouped, literals)
    others = [name for name in needed if name not in plain]
    no_others = View(pd.RangeIndex(len(X) if plain else 0), {})
    rows = no_others if plain and not others else view(X, columns, others, named=named)
    masks = literal_masks((literal for literal in literals if literal.column not in plain), rows)
    cut: list[tuple[NDArray[Any], bool, list[float]]] = []
    ranges: dict[Literal, tuple[int, int, int, bool]] = {}
    for name, column in plain.items():
        own = [literal for literal in literals if literal.column == name]
        for cuts, group in _grouped(own, column):
            ranges |= {literal: _places(meaning, len(cut), cuts) for literal, meaning in group.items()}
            cut.append((column.cells, column.categories is not None, cuts))
    number = {literal: n for n, literal in enumerate(literals)}
    worst_first = best_first(rules)[::-1]
    decided = kernels.decide_rows(
        rows.n_rows,
        cut,
        [ranges[literal] if literal in ranges else masks[literal] for literal in literals],
        [[number[literal] for literal in rules[k].literals] for k in worst_first],
        [NO_RULE, *worst_first],
    )
    if decided is None:  # a number is infinite
        view(X, columns, needed, named=named)  # raises, and names the column and the row
        raise AssertionError("an infinite number went unnoticed")
    return np.asarray(decided, dtype=np.intp)


@dataclass(frozen=True, slots=True)
class _Plain:
    """A column in the form of the kernel: numbers, or codes (-1: missing) and their categories."""

    cells: NDArray[Any]
    categories: list[Any] | None = None

    def codes_of(self, value: Any) -> list[int]:
        """Return the codes of the categories that a condition on this value means."""
        return [k for k, category in enumerate(self.categories or ()) if same_value(category, value)]


@dataclass(frozen=True, slots=True)
class _Meaning:
    """A condition on numbers: ``low < x <= high``, or the opposite; ``None`` is an end without a cut."""

    low: float | None
    high: float | None
    negated: bool = False
    missing: bool = False

    @property
    def cuts(self) -> list[float]:
        return [end for end in (self.low, self.high) if end is not None]


def _meaning(literal: Literal, column: _Plain) -> _Meaning:
    match literal:
        case Threshold(op=op, value=value):
            return _Meaning(None, value) if op == "<=" else _Meaning(value, None)
        case Interval(low=low, high=high, inside=inside):
            return _Meaning(low, high, negated=not inside)
        case Equals(op=op, value=value):
            if column.categories is None:
                wanted = number_to_match(value, boolean_cells=column.cells.dtype.kind == "b")
            else:
                wanted = float(next(iter(column.codes_of(value)), math.nan))
            if math.isnan(wanted):
                return _Meaning(math.inf, math.inf, negated=op != "=")  # the range contains no number
            return _Meaning(math.nextafter(wanted, -math.inf), wanted, negated=op != "=")
        case Missing(missing=missing):
            return _Meaning(None, None, missing=missing)
    raise AssertionError(f"'{literal}' is no range")


def _grouped(
    literals: Sequence[Literal], column: _Plain
) -> Iterator[tuple[list[float], dict[Literal, _Meaning]]]:
    """Yield thresholds and their conditions, in blocks that the kernel can number."""
    group: dict[Literal, _Meaning] = {}
    cuts: set[float] = set()
    for literal in literals:
        meaning = _meaning(literal, column)
        if len(cuts.union(meaning.cuts)) > kernels.MOST_CUTS:
            yield sorted(cuts), group
            group, cuts = {}, set()
        group[literal] = meaning
        cuts.update(meaning.cuts)
    yield sorted(cuts), group


def _places(meaning: _Meaning, number: int, cuts: list[float]) -> tuple[int, int, int, bool]:
    """Return column, first and last place, and whether the range is negated, for the kernel."""
    if meaning.missing:
        return number, kernels.MISSING_PLACE, kernels.MISSING_PLACE, False
    low = 0 if meaning.low is None else bisect_left(cuts, meaning.low) + 1
    high = _LAST if meaning.high is None else bisect_left(cuts, meaning.high)
    return number, low, high, meaning.negated


def _plain_columns(
    X: Any, columns: Sequence[Column], needed: Sequence[str], literals: Sequence[Literal]
) -> dict[str, _Plain]:
    """Return the needed columns that the kernel can read without a copy; none if the table is unusual."""
    if any(column.derived is not None and column.name in needed for column in columns):
        return {}
    if isinstance(X, np.ndarray):
        if X.ndim != 2 or X.dtype.kind not in _NUMBERS or X.shape[1] != len(columns) or not len(X):
            return {}
        place = {column.name: k for k, column in enumerate(columns)}
        if not _all_doubles(X):
            return {}
        return {
            name: _Plain(_readable(X[:, place[name]]))
            for name in needed
            if (reading := columns[place[name]].reading) is None or reading.leaves_numbers
        }
    if not has_names(X) or not X.columns.is_unique or any(name not in X.columns for name in needed):
        return {}
    readings = {column.name: column.reading for column in columns}
    found = {
        name: _plain(X[name], [one for one in literals if one.column == name], readings[name])
        for name in needed
    }
    return {name: column for name, column in found.items() if column is not None and len(X)}


def _plain(
    values: pd.Series[Any], literals: Sequence[Literal], reading: ColumnReading | None
) -> _Plain | None:
    dtype = values.dtype
    if reading is not None and not (reading.leaves_numbers and isinstance(dtype, np.dtype)):
        return None
    if isinstance(dtype, np.dtype) and dtype.kind in _NUMBERS:
        if not _all_doubles(values.to_numpy()):
            return None
        return _Plain(_readable(values.to_numpy()))
    if isinstance(dtype, pd.CategoricalDtype):
        column = _Plain(values.cat.codes.to_numpy(), dtype.categories.tolist())
        one_code = all(
            isinstance(one, Missing) or (isinstance(one, Equals) and len(column.codes_of(one.value)) < 2)
            for one in literals
        )
        return column if one_code else None
    return None


def _all_doubles(cells: NDArray[Any]) -> bool:
    """Whether every number is exact as a double, which is what the kernel compares."""
    if cells.dtype.kind not in "iu" or cells.dtype.itemsize < 8 or not cells.size:
        return True
    return int(cells.max()) <= LARGEST_EXACT and int(cells.min()) >= -LARGEST_EXACT


def _readable(cells: NDArray[Any]) -> NDArray[Any]:
    """Return cells of a C++ type: numbers of 8 to 64 bits in the processor's own byte order."""
    dtype = cells.dtype
    strange = dtype.kind == "f" and dtype.itemsize not in {4, 8}
    odd = strange or not dtype.isnative or not cells.flags.aligned
    return cells.astype(np.float64) if odd else cells
