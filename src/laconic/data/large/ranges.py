"""A column of numbers with more distinct values than fit in memory, as counted ranges.

The values are split into equal stretches, each with its smallest and largest value and its exact weight.
To cut at quantiles, only the stretches that hold a wanted rank are opened, pass by pass, down to single
values: the thresholds are those of all values, exactly. The other methods look at every value; they get a
summary of many narrow ranges instead, with exact weights, and that is said. No threshold falls inside one.

Where the values are does not matter: DuckDB counts them in files, workers in the partitions of a cluster.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from laconic.data.columns import Cutting

MOST_VALUES = 2**20
"""Distinct values of one column that are held in memory at a time."""

N_STRETCHES = 2**14
"""Parts that a range is split into at a time."""

SUMMARY_SHARE = 2**-12
"""Ranges of a summary are split until none holds more than this share, or until it is a single value."""

MOST_PASSES = 60
"""Passes after which splitting a range is given up; each divides its width by `N_STRETCHES`."""


@dataclass(frozen=True, eq=False)
class Ranges:
    """Disjoint ranges of values, ascending.

    Attributes
    ----------
    low, high : ndarray of float64, shape (n,)
        Smallest and largest value of each.
    counts : ndarray of int64, shape (n, n_classes)
        Integer weight of each class; one column if classes do not matter.
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    counts: NDArray[np.int64]

    @property
    def totals(self) -> NDArray[np.int64]:
        """Weight of each range."""
        total: NDArray[np.int64] = self.counts.sum(axis=1)
        return total

    @property
    def single(self) -> NDArray[np.bool_]:
        """Which ranges are one value."""
        return np.asarray(self.low == self.high)

    def replaced(self, where: Sequence[int], parts: Sequence[Ranges]) -> Ranges:
        """Return the ranges with some of them replaced by finer ones."""
        kept = np.ones(self.low.size, bool)
        kept[list(where)] = False
        pieces = [Ranges(self.low[kept], self.high[kept], self.counts[kept]), *parts]
        low = np.concatenate([piece.low for piece in pieces])
        order = np.argsort(low, kind="stable")
        high = np.concatenate([piece.high for piece in pieces])
        counts = np.concatenate([piece.counts for piece in pieces])
        return Ranges(low[order], high[order], counts[order])


class Numbers(Protocol):
    """The numbers of one column, wherever they are; missing ones are left out."""

    def extent(self) -> tuple[float, float]:
        """Return the smallest and the largest."""
        ...

    def stretches(self, low: float, high: float, n: int) -> Ranges:
        """Return those from ``low`` to ``high`` in at most ``n`` ranges, by `stretch_of`."""
        ...

    def values(self, spans: Sequence[tuple[float, float]]) -> Ranges:
        """Return the distinct ones inside some spans."""
        ...


def stretch_of(numbers: NDArray[np.float64], low: float, high: float, n: int) -> NDArray[np.int64]:
    """Return which of ``n`` equal stretches from ``low`` to ``high`` holds each number.

    Every step is monotone in floating point, so larger numbers never fall into earlier stretches. Halves keep
    the width finite.
    """
    width = high / 2 - low / 2
    return np.minimum(np.floor((numbers / 2 - low / 2) / width * n), n - 1).astype(np.int64)


def ranges_for(numbers: Numbers, cutting: Cutting) -> tuple[Ranges, bool]:
    """Return ranges to cut between, and whether the thresholds are then those of all values."""
    low, high = numbers.extent()
    ranges = _split(numbers, low, high)
    if cutting.method == "quantile":
        bins = min(cutting.bins, cutting.max_thresholds + 1)
        return _opened_at_quantiles(numbers, ranges, bins), True
    return _opened_where_heavy(numbers, ranges), False


def _opened_at_quantiles(numbers: Numbers, ranges: Ranges, bins: int) -> Ranges:
    """Open the ranges that hold the i/bins quantiles, until those are single values."""
    for _ in range(MOST_PASSES):
        below = np.cumsum(ranges.totals)
        wanted = np.arange(1, bins) * (int(below[-1]) / bins)
        holding = np.unique(np.minimum(np.searchsorted(below, wanted), below.size - 1))
        # With few ranges the rule is to cut everywhere, so every value must be seen.
        watched = np.arange(ranges.low.size) if ranges.low.size <= bins else holding
        open_ = watched[~ranges.single[watched]]
        if open_.size == 0:
            return ranges
        ranges = _opened(numbers, ranges, open_.tolist())
    raise AssertionError("a range of numbers could not be split")


def _opened_where_heavy(numbers: Numbers, ranges: Ranges) -> Ranges:
    """Open the ranges that hold too much to be summed up by their ends."""
    for _ in range(MOST_PASSES):
        totals = ranges.totals
        heavy = np.flatnonzero(~ranges.single & (totals > max(1.0, SUMMARY_SHARE * int(totals.sum()))))
        if heavy.size == 0:
            break
        ranges = _opened(numbers, ranges, heavy.tolist())
    return ranges


def _opened(numbers: Numbers, ranges: Ranges, which: list[int]) -> Ranges:
    """Return the ranges with these ones taken apart: into values if they are few, else into stretches."""
    totals = ranges.totals
    light: list[int] = []
    for k in sorted(which, key=lambda k: int(totals[k])):
        if int(totals[[*light, k]].sum()) <= MOST_VALUES:
            light.append(k)
    spans = {k: (float(ranges.low[k]), float(ranges.high[k])) for k in which}
    parts = [numbers.values([spans[k] for k in light])] if light else []
    parts += [_split(numbers, *spans[k]) for k in which if k not in light]
    return ranges.replaced(which, parts)


def _split(numbers: Numbers, low: float, high: float) -> Ranges:
    if not high / 2 - low / 2 > 0:  # neighbours among the smallest numbers there are
        return numbers.values([(low, high)])
    return numbers.stretches(low, high, N_STRETCHES)
