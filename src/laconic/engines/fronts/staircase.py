"""Errors as a function of size, in integers: what is achieved, what is proved, and sums over classes.

``values[k]`` stands for decision sets of size at most ``k``, so a staircase never rises. An achieved one
lies on or above the truth, a proved one on or below; where they meet, the truth is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Staircase = NDArray[np.int64]
Point = tuple[int, int]
"""Size and errors."""


def total(stairs: Sequence[Staircase], max_size: int) -> tuple[Staircase, list[Staircase]]:
    """Return the least sum over all ways to share each size among the classes, and what each class gets.

    The second is, for each class, the size it has in the best way, for every total size; sizes are read off
    from the last class to the first, see `shares`.
    """
    best = np.zeros(1, np.int64)
    taken: list[Staircase] = []
    for values in stairs:
        length = min(max_size, best.size + values.size - 2) + 1
        # Every size up to the length is reachable, since sizes mean "at most".
        longer = np.concatenate([best, np.full(max(0, length - best.size), best[-1])])[:length]
        merged = longer + values[0]
        own = np.zeros(length, np.int64)
        for k in range(1, min(values.size, length)):
            tried = longer[: length - k] + values[k]
            better = tried < merged[k:]
            merged[k:][better] = tried[better]
            own[k:][better] = k
        best = merged
        taken.append(own)
    return best, taken


def shares(taken: Sequence[Staircase], size: int) -> list[int]:
    """Return the sizes of the classes in the best way to share a total size."""
    parts = []
    for own in reversed(taken):
        at = min(size, own.size - 1)
        parts.append(int(own[at]))
        size = at - parts[-1]
    return parts[::-1]


def corners(points: Sequence[Point]) -> list[Point]:
    """Return the corners of the lower convex hull, by size; the last has the fewest errors.

    >>> corners([(0, 10), (1, 9), (2, 4), (3, 3), (4, 3)])
    [(0, 10), (2, 4), (3, 3)]
    """
    hull: list[Point] = []
    for point in sorted(points):
        if hull and point[1] >= hull[-1][1]:
            continue
        while len(hull) > 1 and not _turns_up(hull[-2], hull[-1], point):
            hull.pop()
        hull.append(point)
    return hull


def _turns_up(a: Point, b: Point, c: Point) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0


def price_between(left: Point, right: Point) -> Fraction:
    """Return what a unit of size must cost for two points to cost the same."""
    return Fraction(left[1] - right[1], right[0] - left[0])


def steps(achieved: Staircase) -> list[int]:
    """Return the sizes at which errors fall, and 0."""
    return [0, *(int(k) for k in np.flatnonzero(np.diff(achieved) < 0) + 1)]
