"""Errors as a function of size, in integers: achieved errors, lower bounds, and their sums over classes.

``values[k]`` stands for decision sets of size at most ``k``, so a staircase never rises. Achieved errors lie
on or above the front, lower bounds on or below it; where they meet, the front is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Staircase = NDArray[np.int64]
Point = tuple[int, int]
"""Size and errors."""

NO_SET = 2**60
"""The errors of a size at which there is no set, or none is known."""


def total(stairs: Sequence[Staircase], max_size: int) -> tuple[Staircase, list[Staircase]]:
    """Return the least sum over all ways to share each size among the classes, and the classes' sizes.

    The latter are, for each class and total size, the size of the class in the best way to share; they are
    read from the last class to the first, see `shares`.
    """
    best = np.zeros(1, np.int64)
    taken: list[Staircase] = []
    for values in stairs:
        best, own = _added(best, values, max_size)
        taken.append(own)
    return best, taken


def _added(best: Staircase, values: Staircase, max_size: int) -> tuple[Staircase, Staircase]:
    """Return the least sums of two staircases, and the size that the second has in each."""
    length = min(max_size, best.size + values.size - 2) + 1
    # Every size up to the length is reachable, since sizes mean "at most".
    longer = _extended(best, length)[:length]
    merged = longer + values[0]
    own = np.zeros(length, np.int64)
    for k in range(1, min(values.size, length)):
        tried = longer[: length - k] + values[k]
        better = tried < merged[k:]
        merged[k:][better] = tried[better]
        own[k:][better] = k
    return merged, own


def _extended(values: Staircase, length: int) -> Staircase:
    """Extend a staircase to a number of sizes; its last value holds for all larger sizes."""
    return np.concatenate([values, np.full(max(0, length - values.size), values[-1])])


def shares(taken: Sequence[Staircase], size: int) -> list[int]:
    """Return the sizes of the classes in the best way to share a total size."""
    parts = []
    for own in reversed(taken):
        at = min(size, own.size - 1)
        parts.append(int(own[at]))
        size = at - parts[-1]
    return parts[::-1]


class SumOfAll:
    """The front of sets of rules for all classes: the least sums over all classes, by size.

    Parameters
    ----------
    stairs : sequence of ndarray
        One per class.
    max_size : int
    """

    def __init__(self, stairs: Sequence[Staircase], max_size: int) -> None:
        self.values, self._taken = total(stairs, max_size)

    def shares(self, size: int) -> list[int | None]:
        """Return the sizes of the classes in the best way to share a size."""
        return list(shares(self._taken, size))


class SumOfAllButOne:
    """The front of sets with an OTHERWISE line, of size 1, for one class: the best to leave out, by size.

    Of classes that could be left out equally well, the first is.

    Parameters
    ----------
    stairs : sequence of ndarray
        One per class.
    max_size : int
        At least 1.
    """

    def __init__(self, stairs: Sequence[Staircase], max_size: int) -> None:
        # Sums over the classes so far: over all of them, and over all but one.
        every: Staircase = np.zeros(1, np.int64)
        but_one: Staircase = np.full(1, NO_SET, np.int64)
        self._taken: list[tuple[Staircase, Staircase, NDArray[np.bool_]]] = []
        for values in stairs:
            longer, from_every = _added(every, values, max_size - 1)
            others, from_others = _added(but_one, values, max_size - 1)
            length = max(every.size, others.size)
            every, others = _extended(every, length), _extended(others, length)
            left_out = every < others
            self._taken.append((from_every, from_others, left_out))
            every, but_one = longer, np.where(left_out, every, others)
        self.values: Staircase = np.concatenate([[NO_SET], but_one])

    def shares(self, size: int) -> list[int | None]:
        """Return the sizes of the classes in the best way to share a size; None for the one left out."""
        parts: list[int | None] = []
        size -= 1
        for from_every, from_others, left_out in reversed(self._taken):
            if None not in parts and left_out[min(size, left_out.size - 1)]:
                parts.append(None)
                continue
            own = from_every if None in parts else from_others
            at = min(size, own.size - 1)
            parts.append(int(own[at]))
            size = at - int(own[at])
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
    """Return the price of size at which two points cost the same."""
    return Fraction(left[1] - right[1], right[0] - left[0])


def steps(achieved: Staircase) -> list[int]:
    """Return the sizes at which errors fall, and 0."""
    return [0, *(int(k) for k in np.flatnonzero(np.diff(achieved) < 0) + 1)]
