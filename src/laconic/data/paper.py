"""The quantisation of the paper's experiments, rule for rule.

Per column with sorted distinct values ``u``: at most two values are kept as they are; at most ``q`` are
one-hot encoded; otherwise the column is cut at the ``i/q`` quantiles of ``u`` (the distinct values, not the
rows), rounded to two decimals, and the bins are one-hot encoded; two bins need only ``x > median``.
Columns that hold for every row or for none are left out; otherwise our tables have the authors' columns.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from laconic.data.literals import Equals, Interval, Literal, Threshold

BothSides = tuple[Literal, Literal]


def paper_pairs(column: str, distinct: NDArray[np.float64], bins: int) -> list[BothSides]:
    """Return the literal pairs (true side, false side) of a column of numbers.

    >>> [str(yes) for yes, no in paper_pairs("x", np.array([1.0, 2.0, 4.0, 8.0, 16.0]), 3)]
    ['x <= 2.67', '2.67 < x <= 6.67', 'x > 6.67']
    """
    if distinct.size <= 2:
        low, high = (_whole(value) for value in distinct[[0, -1]])
        return [(Equals(column, "=", high), Equals(column, "=", low))]
    if distinct.size <= bins:
        return [(Equals(column, "=", v), Equals(column, "!=", v)) for v in map(_whole, distinct)]
    cuts = _cuts(distinct, bins)
    below = [0, *np.searchsorted(distinct, cuts, "right").tolist(), distinct.size]
    edges = [-math.inf, *cuts, math.inf]
    # Rounding can leave a bin empty or with all values; such a bin gives no condition.
    filled = [i for i in range(len(cuts) + 1) if 0 < below[i + 1] - below[i] < distinct.size]
    pairs = [_bin(column, edges[i], edges[i + 1]) for i in filled]
    return pairs[1:] if bins == 2 else pairs


def _cuts(distinct: NDArray[np.float64], bins: int) -> list[float]:
    position = (distinct.size - 1) * np.arange(1, bins) / bins
    left = position.astype(np.int64)
    share = position - left
    # Not np.quantile: it interpolates from the left value, and the last bit decides how 2.895 is rounded.
    cuts = distinct[left] * (1 - share) + distinct[left + 1] * share
    return sorted(set(np.round(cuts, 2).tolist()))


def _bin(column: str, low: float, high: float) -> BothSides:
    if math.isinf(low):
        return Threshold(column, "<=", high), Threshold(column, ">", high)
    if math.isinf(high):
        return Threshold(column, ">", low), Threshold(column, "<=", low)
    return Interval(column, low, high), Interval(column, low, high, inside=False)


def _whole(value: float) -> float | int:
    return int(value) if float(value).is_integer() else float(value)
