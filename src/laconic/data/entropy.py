"""Supervised thresholds: the recursive entropy cuts of Fayyad and Irani (IJCAI 1993).

A range of values is cut where the class entropy of the two sides, weighted by their rows, is smallest; the
cut is kept if its gain pays for its description length (their minimum description length criterion), and both
sides are tried again. A column without information about the classes is not cut at all. Compared with
quantiles this gives few thresholds, at the places that matter for one column by itself; it cannot find
thresholds that matter only in combination with other columns.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def class_counts(
    codes: NDArray[np.intp], labels: Ints, n_values: int, n_classes: int, weights: Ints | None = None
) -> Ints:
    """Return how many rows each distinct value has in each class: shape (n_values, n_classes)."""
    counts = np.zeros((n_values, n_classes), np.int64)
    np.add.at(counts, (codes, labels), 1 if weights is None else weights)
    return counts


def entropy_gaps(counts: Ints, limit: int) -> Ints:
    """Return the gaps between distinct values that the criterion accepts, at most ``limit`` of them.

    Parameters
    ----------
    counts : ndarray of int, shape (n_values, n_classes)
        Rows of each class at each distinct value, values ascending.
    limit : int
        When more gaps are accepted, those with the largest gain in bits are kept.

    Examples
    --------
    >>> entropy_gaps(np.array([[20, 0], [20, 0], [0, 30], [0, 9]]), 10)
    array([1])
    """
    below = np.concatenate((np.zeros((1, counts.shape[1]), np.int64), np.cumsum(counts, axis=0)))
    accepted: list[tuple[float, int]] = []
    ranges = [(0, counts.shape[0])]
    while ranges:
        start, stop = ranges.pop()
        found = _best_cut(below[start : stop + 1] - below[start])
        if found is not None:
            bits, cut = found
            accepted.append((-bits, start + cut - 1))
            ranges += [(start, start + cut), (start + cut, stop)]
    strongest = sorted(accepted)[:limit]
    return np.array(sorted(gap for _, gap in strongest), dtype=np.int64)


def _best_cut(below: Ints) -> tuple[float, int] | None:
    """Return the gain in bits and the length of the left part of the best cut, if it is accepted."""
    total = below[-1]
    n_rows = int(total.sum())
    if below.shape[0] < 3 or (total > 0).sum() < 2:
        return None
    left, right = below[1:-1], total - below[1:-1]
    bits_apart = _bits(left) + _bits(right)
    cut = int(bits_apart.argmin())
    whole = float(_bits(total[None, :])[0])
    gain = whole - float(bits_apart[cut])
    k, k_left, k_right = (int((part > 0).sum()) for part in (total, left[cut], right[cut]))
    sides = [(k_left, left[cut]), (k_right, right[cut])]
    entropy_change = k * whole / n_rows - sum(
        n_kinds * float(_bits(part[None, :])[0]) / int(part.sum()) for n_kinds, part in sides
    )
    price = np.log2(n_rows - 1) + np.log2(3.0**k - 2) - entropy_change
    return (gain, cut + 1) if gain > price else None


def _bits(counts: Ints) -> Floats:
    """Return rows times class entropy, for each line of class counts."""
    rows = counts.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(counts > 0, counts * np.log2(counts / rows[:, None]), 0.0)
    return np.asarray(-share.sum(axis=1))
