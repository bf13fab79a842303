"""Thresholds of a column of numbers.

Every method starts from the sorted distinct values with a count for each, and returns *gaps*: gap ``g`` lies
between the distinct values ``g`` and ``g + 1``. The threshold is then the shortest decimal inside the gap, so
it has no more digits than needed: between 0.6 and 1.0 it reads ``0.8``, and no training row changes sides.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def distinct_values(numbers: Floats, weights: Ints | None = None) -> tuple[Floats, Ints]:
    """Return the sorted distinct values and how often each occurs; missing ones are left out.

    With weights, a row of weight 2 counts twice.

    >>> distinct_values(np.array([3.0, 1.0, np.nan, 3.0]))
    (array([1., 3.]), array([1, 2]))
    """
    if weights is not None:
        present = ~np.isnan(numbers)
        values, of_row = np.unique(numbers[present], return_inverse=True)
        totals = np.zeros(values.size, np.int64)
        np.add.at(totals, of_row, weights[present])
        return values, totals
    ordered = np.sort(numbers)  # NaN goes last
    ordered = ordered[: ordered.size - int(np.isnan(numbers).sum())]
    if ordered.size == 0:
        return ordered, np.empty(0, np.int64)
    first = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    counts = np.diff(np.append(first, ordered.size))
    return ordered[first], counts.astype(np.int64)


def quantile_gaps(counts: Ints, bins: int) -> Ints:
    """Cut nearest to the i/bins quantiles; everywhere, if there are no more distinct values than bins.

    Nearest in rows, not in value: a column that is zero for half of the rows is cut once beside
    the zeros, not three times at the same place.

    >>> quantile_gaps(np.array([50, 1, 1, 1, 1, 46]), 4)
    array([0, 4])
    """
    n_gaps = counts.size - 1
    if counts.size <= bins:
        return np.arange(n_gaps)
    below = np.cumsum(counts)[:-1]
    wanted = np.arange(1, bins) * (int(counts.sum()) / bins)
    right = np.clip(np.searchsorted(below, wanted), 1, n_gaps - 1)
    left = right - 1
    return np.unique(np.where(wanted - below[left] <= below[right] - wanted, left, right))


def midpoint_gaps(counts: Ints, limit: int) -> Ints:
    """Cut between all distinct values, or at ``limit`` evenly spread ones of those gaps."""
    n_gaps = counts.size - 1
    if n_gaps <= limit:
        return np.arange(n_gaps)
    return np.unique(np.linspace(0, n_gaps - 1, limit).round().astype(np.int64))


def boundary_gaps(by_class: Ints) -> Ints:
    """Cut between neighbouring values, unless all rows of both have one and the same class.

    >>> boundary_gaps(np.array([[3, 0], [1, 0], [0, 2], [1, 1], [0, 1], [0, 4]]))
    array([1, 2, 3])
    """
    only = np.where((by_class > 0).sum(axis=1) == 1, by_class.argmax(axis=1), -1)
    return np.flatnonzero((only[1:] != only[:-1]) | (only[1:] < 0))


def shortest_between(low: float, high: float) -> float:
    """Return the decimal with the fewest digits that puts ``low`` and ``high`` on different sides.

    The answer ``t`` satisfies ``low <= t < high``; among equally short ones the nearest to the middle.

    >>> shortest_between(0.6, 1.0), shortest_between(54, 55), shortest_between(1234.5, 1999.0)
    (0.8, 54.0, 1600.0)
    """
    if low <= 0 < high:
        return 0.0
    middle = low / 2 + high / 2
    magnitude = math.floor(math.log10(max(abs(low), abs(high)))) + 1
    for exponent in range(min(magnitude, 308), max(magnitude - 20, -308), -1):
        scaled = middle / 10.0**exponent if exponent >= 0 else middle * 10.0**-exponent
        # Whole multiples of 10**exponent next to the middle; if any multiple fits, one of these does.
        neighbours = [float(f"{m}e{exponent}") for m in (math.floor(scaled), math.ceil(scaled))]
        fitting = [t for t in neighbours if low <= t < high]
        if fitting:
            return min(fitting, key=lambda t: abs(t - middle))
    return low  # neighbouring doubles: no decimal of a reasonable length lies between, but low separates
