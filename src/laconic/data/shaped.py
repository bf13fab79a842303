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
from laconic.data.literals import Equals, Feature, Interval, Literal, Missing, Threshold
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
    literals: list[tuple[Literal, Literal]] = []
    reason: str | None = None
    if said.names:
        literals += _named_bins(cells.name, said)
    elif said.cuts:
        literals += [(Threshold(cells.name, "<=", cut), Threshold(cells.name, ">", cut)) for cut in said.cuts]
    elif not np.isnan(numbers).all():
        shown = Cells(pd.Series(numbers, name=cells.name))  # special codes look missing here
        found = column_features(shown, cutting, classes, "numeric", weights)
        reason = found.ignored
        pairs = {one.positive: one for one in found.features if isinstance(one.positive, Threshold)}
        cuts = sorted({one.value for one in pairs if isinstance(one, Threshold)})
        literals += [(Threshold(cells.name, "<=", cut), Threshold(cells.name, ">", cut)) for cut in cuts]
    present = [_plain(code) for code in said.codes if cells.equal_to(_plain(code)).any()]
    codes = [(Equals(cells.name, "=", code), Equals(cells.name, "!=", code)) for code in present]
    features = _features(cells, literals, codes, said)
    return ColumnFeatures(
        tuple(features), None if features else reason or "no condition is on offer", "numeric"
    )


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


def _named_bins(name: str, said: ColumnSettings) -> list[tuple[Literal, Literal]]:
    ends = [-math.inf, *said.cuts, math.inf]
    return [
        (Interval(name, low, high, True, bin_name), Interval(name, low, high, False, bin_name))
        for (low, high), bin_name in zip(pairwise(ends), said.names, strict=True)
    ]


def _intervals(name: str, literals: Sequence[tuple[Literal, Literal]]) -> list[Interval]:
    cuts = sorted({one.value for pair in literals for one in pair if isinstance(one, Threshold)})
    if len(cuts) > MOST_CUTS:
        raise InputError(
            f"column {name!r}: intervals between {len(cuts)} cuts are too many conditions; name at most "
            f"{MOST_CUTS} cuts, or fewer bins"
        )
    return [Interval(name, low, high) for k, low in enumerate(cuts) for high in cuts[k + 1 :]]


def _plain(code: float) -> Scalar:
    return int(code) if code.is_integer() else code
