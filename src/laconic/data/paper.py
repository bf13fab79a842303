"""The quantisation of the paper's experiments, rule for rule.

Per column with sorted distinct values ``u``: at most two values are kept as they are; at most ``q`` are
one-hot encoded; otherwise the column is cut at the ``i/q`` quantiles of ``u`` (the distinct values, not the
rows), rounded to two decimals, and the bins are one-hot encoded; two bins need only ``x > median``.
The redundant columns this can produce are kept, so that our tables have the authors' columns.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from laconic.data.literals import Equals, Interval, Literal, Threshold

Pair = tuple[Literal, Literal]


def paper_pairs(column: str, distinct: NDArray[np.float64], bins: int) -> list[Pair]:
    """Return the literal pairs (true side, false side) of a column of numbers.

    >>> [str(yes) for yes, no in paper_pairs("x", np.array([1.0, 2.0, 4.0, 8.0, 16.0]), 3)]
    ['x <= 2.67', '2.67 < x <= 6.67', 'x > 6.67']
    """
    if distinct.size <= 2:
        low, high = (_whole(value) for value in distinct[[0, -1]])
        return [(Equals(column, "=", high), Equals(column, "=", low))]
    if distinct.size <= bins:
        return [(Equals(column, "=", v), Equals(column, "!=", v)) for v in map(_whole, distinct)]
    cuts = np.unique(np.round(np.quantile(distinct, np.arange(1, bins) / bins), 2)).tolist()
    if bins == 2:
        return [(Threshold(column, ">", cuts[0]), Threshold(column, "<=", cuts[0]))]
    return [_bin(column, low, high) for low, high in zip([-math.inf, *cuts], [*cuts, math.inf], strict=True)]


def _bin(column: str, low: float, high: float) -> Pair:
    if math.isinf(low):
        return Threshold(column, "<=", high), Threshold(column, ">", high)
    if math.isinf(high):
        return Threshold(column, ">", low), Threshold(column, "<=", low)
    return Interval(column, low, high), Interval(column, low, high, inside=False)


def _whole(value: float) -> float | int:
    return int(value) if float(value).is_integer() else float(value)
