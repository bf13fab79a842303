"""The conditions on a column about which the user knows something: cuts, bins, codes, sides, intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from laconic.data.cells import Cells, Scalar
from laconic.data.column_settings import ColumnSettings
from laconic.data.columns import Classes, ColumnFeatures, Cutting, column_features
from laconic.data.dates import number_of_date
from laconic.data.literals import Equals, Feature, Interval, Literal, Missing, Threshold
from laconic.data.reading.date_cells import DateCells
from laconic.runtime.errors import InputError

MOST_CUTS = 30
"""Maximum number of cuts of a column with intervals as conditions: their number is quadratic in it."""


def shaped_features(
    cells: Cells,
    cutting: Cutting,
    classes: Classes | None,
    said: ColumnSettings | None,
    weights: NDArray[np.int64] | None,
) -> ColumnFeatures:
    """Return the conditions on a column, as the user's settings shape them.

    Parameters
    ----------
    cells : Cells
        Read as the settings say.
    cutting, classes, weights
        As for `laconic.data.columns.column_features`.
    said : ColumnSettings or None
    """
    kind = None if said is None else said.kind
    if said is None or not said.shapes_conditions or cells.missing.all():
        return column_features(cells, cutting, classes, kind, weights)
    numbers = cells.numbers  # refuses a column of other texts, with the row
    unit = cells.unit if isinstance(cells, DateCells) else ""
    cuts = [_cut(cells.name, cut, unit) for cut in said.cuts]
    literals: list[tuple[Literal, Literal]] = []
    reason: str | None = None
    if said.names:
        literals += _named_bins(cells.name, said.names, cuts, unit)
    elif said.cuts:
        literals += _thresholds(cells.name, cuts, unit)
    elif not np.isnan(numbers).all():
        # Special codes look missing here.
        shown = cells if unit else Cells(pd.Series(numbers, name=cells.name))
        found = column_features(shown, cutting, classes, "date" if unit else "numeric", weights)
        reason = found.ignored
        positive = [one.positive for one in found.features]
        offered = sorted({one.value for one in positive if isinstance(one, Threshold)})
        literals += _thresholds(cells.name, offered, unit)
    present = [_plain(code) for code in said.codes if cells.equal_to(_plain(code)).any()]
    codes = [(Equals(cells.name, "=", code), Equals(cells.name, "!=", code)) for code in present]
    features = _features(cells, literals, codes, said)
    ignored = None if features else reason or "no condition is on offer"
    return ColumnFeatures(tuple(features), ignored, "date" if unit else "numeric")


def _features(
    cells: Cells,
    literals: Sequence[tuple[Literal, Literal]],
    codes: Sequence[tuple[Literal, Literal]],
    said: ColumnSettings,
) -> list[Feature]:
    """Return features of which both sides may be used only where one of them holds for every row."""
    has_missing = bool(cells.missing.any())
    partial = has_missing or bool(said.codes)
    found: list[Feature] = []
    for positive, negative in literals:
        if said.sides is not None:
            found.append(Feature(positive if said.sides == "<=" else negative, None))
        elif partial:
            found += [Feature(positive, None), Feature(negative, None)]
        else:
            found.append(Feature(positive, negative))
    if said.intervals:
        found += [Feature(one, None) for one in _intervals(cells.name, literals)]
    for positive, negative in codes:
        both = [Feature(positive, negative)]
        found += [Feature(positive, None), Feature(negative, None)] if has_missing else both
    if has_missing and found:
        found.append(Feature(Missing(cells.name), Missing(cells.name, missing=False)))
    return list(dict.fromkeys(found))


def _cut(name: str, cut: float | str, unit: str) -> float:
    """Return a cut of the user's as a number."""
    if isinstance(cut, str) and not unit:
        raise InputError(f"column {name!r}: the cut {cut} is a date, but the column holds none")
    if not isinstance(cut, str) and unit:
        raise InputError(f"column {name!r} holds dates: cuts must be dates, such as 2024-05-31, not {cut:g}")
    number = number_of_date(cut, unit) if isinstance(cut, str) else cut
    assert number is not None  # the settings are checked
    return number


def _thresholds(name: str, cuts: Sequence[float], unit: str) -> list[tuple[Literal, Literal]]:
    return [(Threshold(name, "<=", cut, unit), Threshold(name, ">", cut, unit)) for cut in sorted(cuts)]


def _named_bins(
    name: str, names: Sequence[str], cuts: Sequence[float], unit: str
) -> list[tuple[Literal, Literal]]:
    ends = [-math.inf, *sorted(cuts), math.inf]
    return [
        (Interval(name, low, high, True, bin_name, unit), Interval(name, low, high, False, bin_name, unit))
        for (low, high), bin_name in zip(pairwise(ends), names, strict=True)
    ]


def _intervals(name: str, literals: Sequence[tuple[Literal, Literal]]) -> list[Interval]:
    units = {one.value: one.unit for pair in literals for one in pair if isinstance(one, Threshold)}
    cuts = sorted(units)
    if len(cuts) > MOST_CUTS:
        raise InputError(
            f"column {name!r}: intervals between {len(cuts)} cuts are too many conditions; name at most "
            f"{MOST_CUTS} cuts, or fewer bins"
        )
    return [
        Interval(name, low, high, unit=units[low]) for k, low in enumerate(cuts) for high in cuts[k + 1 :]
    ]


def _plain(code: float) -> Scalar:
    return int(code) if code.is_integer() else code
