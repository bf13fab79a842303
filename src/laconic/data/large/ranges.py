"""A column of numbers with more distinct values than fit in memory, as counted ranges.

The values are split into stretches of equal width, each with its smallest and largest value and its exact
weight. To cut at quantiles, only the stretches that contain a wanted rank are split further, pass by pass,
down to single values: the thresholds are exactly those of all values. The other methods need every value.
They get a summary of many narrow ranges with exact weights instead, and a note says so; no threshold falls
inside a range.

The module does not depend on where the values are: DuckDB counts them in files, workers in the partitions of
a cluster.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from laconic.data.columns import Cutting

MAX_VALUES = 2**20
"""Maximum number of distinct values of one column that are held in memory."""

N_STRETCHES = 2**14
"""Number of stretches into which a range is split in one pass."""

SUMMARY_SHARE = 2**-12
"""Maximum share of the weight in a range of a summary, unless the range is a single value."""

MAX_PASSES = 60
"""Maximum number of passes in which a range is split; each pass divides its width by `N_STRETCHES`."""


@dataclass(frozen=True, eq=False)
class Ranges:
    """Disjoint ranges of values in ascending order.

    Attributes
    ----------
    low, high : ndarray of float64, shape (n,)
        The smallest and the largest value of each range.
    counts : ndarray of int64, shape (n, n_classes)
        The integer weight of each range and class; a single column if classes do not matter.
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    counts: NDArray[np.int64]

    @property
    def totals(self) -> NDArray[np.int64]:
        """The weight of each range."""
        total: NDArray[np.int64] = self.counts.sum(axis=1)
        return total

    @property
    def single(self) -> NDArray[np.bool_]:
        """Whether each range is a single value."""
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
    """The numbers of one column, wherever they are stored; missing values are left out."""

    def extent(self) -> tuple[float, float]:
        """Return the smallest and the largest number."""
        ...

    def stretches(self, low: float, high: float, n: int) -> Ranges:
        """Return the numbers from ``low`` to ``high`` in at most ``n`` ranges, by `stretch_of`."""
        ...

    def values(self, spans: Sequence[tuple[float, float]]) -> Ranges:
        """Return the distinct numbers inside some spans."""
        ...


def stretch_of(numbers: NDArray[np.float64], low: float, high: float, n: int) -> NDArray[np.int64]:
    """Return the stretch of each number, of ``n`` stretches of equal width from ``low`` to ``high``.

    Every step is monotone in floating point, so a larger number never falls into an earlier stretch. Halving
    keeps the width finite.
    """
    width = high / 2 - low / 2
    return np.minimum(np.floor((numbers / 2 - low / 2) / width * n), n - 1).astype(np.int64)


def ranges_for(numbers: Numbers, cutting: Cutting) -> tuple[Ranges, bool]:
    """Return ranges to cut between, and whether the thresholds are then exactly those of all values."""
    low, high = numbers.extent()
    ranges = _split(numbers, low, high)
    if cutting.method == "quantile":
        bins = min(cutting.bins, cutting.max_thresholds + 1)
        return _opened_at_quantiles(numbers, ranges, bins), True
    return _opened_where_heavy(numbers, ranges), False


def _opened_at_quantiles(numbers: Numbers, ranges: Ranges, bins: int) -> Ranges:
    """Split the ranges that contain the i/bins quantiles, until those ranges are single values."""
    for _ in range(MAX_PASSES):
        below = np.cumsum(ranges.totals)
        wanted = np.arange(1, bins) * (int(below[-1]) / bins)
        holding = np.unique(np.minimum(np.searchsorted(below, wanted), below.size - 1))
        # With few ranges every gap is a threshold, so every value must be known.
        watched = np.arange(ranges.low.size) if ranges.low.size <= bins else holding
        open_ = watched[~ranges.single[watched]]
        if open_.size == 0:
            return ranges
        ranges = _opened(numbers, ranges, open_.tolist())
    raise AssertionError("a range of numbers could not be split")


def _opened_where_heavy(numbers: Numbers, ranges: Ranges) -> Ranges:
    """Split the ranges whose weight is too large for a summary."""
    for _ in range(MAX_PASSES):
        totals = ranges.totals
        heavy = np.flatnonzero(~ranges.single & (totals > max(1.0, SUMMARY_SHARE * int(totals.sum()))))
        if heavy.size == 0:
            break
        ranges = _opened(numbers, ranges, heavy.tolist())
    return ranges


def _opened(numbers: Numbers, ranges: Ranges, which: list[int]) -> Ranges:
    """Return the ranges with some of them split: into values if these are few, otherwise into stretches."""
    totals = ranges.totals
    light: list[int] = []
    for k in sorted(which, key=lambda k: int(totals[k])):
        if int(totals[[*light, k]].sum()) <= MAX_VALUES:
            light.append(k)
    spans = {k: (float(ranges.low[k]), float(ranges.high[k])) for k in which}
    parts = [numbers.values([spans[k] for k in light])] if light else []
    parts += [_split(numbers, *spans[k]) for k in which if k not in light]
    return ranges.replaced(which, parts)


def _split(numbers: Numbers, low: float, high: float) -> Ranges:
    if not high / 2 - low / 2 > 0:  # neighbours among the smallest representable numbers
        return numbers.values([(low, high)])
    return numbers.stretches(low, high, N_STRETCHES)
