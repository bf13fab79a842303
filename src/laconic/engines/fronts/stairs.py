"""Upper and lower bounds on the fewest errors at every size.

Upper bounds are the best sets found for every size. Lower bounds come from lines (at a price Λ = p/q, every
set has q·errors + p·size ≥ B) and from searches within single sizes. Where the two meet, the front is known.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Generic, TypeVar

import numpy as np

from laconic.engines.fronts.staircase import NO_SET, Point, Staircase, corners, price_between
from laconic.runtime.errors import UnsoundSolutionError

LONGEST = 20_000
"""Largest size with an entry of its own; larger sets share the last entry."""

ALL_SIZES = (0, math.inf)

ANY_PRICE = Fraction(0)

Rules = TypeVar("Rules")


class Stairs(Generic[Rules]):
    """Achieved and proved errors by size.

    Parameters
    ----------
    large : int
        No larger set makes fewer errors than all of this size or less.
    fewest : int
        What no set of any size can beat.
    last_price : Fraction, optional
        The price at which the set with the fewest errors is best. By default a unit of size costs less than
        any error.

    Attributes
    ----------
    achieved, proved : ndarray of int64
        Errors of the best known set of size at most k, and the least that is not excluded yet; `NO_SET`
        where there is none.
    n_sizes : int
        How many sizes are of interest.
    """

    def __init__(self, large: int, fewest: int, last_price: Fraction | None = None) -> None:
        self.large, self.fewest = large, fewest
        self._last_price = Fraction(1, large + 1) if last_price is None else last_price
        self._lines: dict[Fraction, int] = {}
        self._points: dict[int, tuple[int, Rules]] = {}

    def build(self, max_size: int) -> None:
        """Give every size up to a limit an entry of its own."""
        limit = min(LONGEST, self.large, max_size)
        hull = self.corners()
        known = bool(hull) and hull[-1][1] <= self.fewest
        self.n_sizes = (min(limit, hull[-1][0]) if known else limit) + 1
        self.proved: Staircase = np.full(self.n_sizes, self.fewest, np.int64)
        self.achieved: Staircase = self.proved.copy()
        self._refresh()

    def take(self, size: int, errors: int, rules: Rules) -> None:
        """Record a set."""
        if errors < self._points.get(size, (errors + 1, rules))[0]:
            self._points[size] = errors, rules
            if hasattr(self, "achieved"):
                self._refresh()

    def corners(self) -> list[Point]:
        """Return the corners of the hull of the best known sets."""
        return corners([(size, errors) for size, (errors, _) in self._points.items()])

    def chords(self) -> list[tuple[Point, Point]]:
        """Return neighbouring corners, steepest chord first."""
        hull = self.corners()
        return list(itertools.pairwise(hull))

    def raise_at(self, size: int, errors: int) -> None:
        """Raise the lower bound on the errors of all sets of at most this size."""
        if size >= self.n_sizes or errors <= self.proved[size]:
            return
        self.proved[: size + 1] = np.maximum(self.proved[: size + 1], errors)
        self._check()

    def add_line(self, price: Fraction, bound: int) -> None:
        """Record the lower bound on q·errors + p·size, for price p/q."""
        sizes = np.minimum(np.arange(self.n_sizes, dtype=np.int64), self.large)
        errors = -((price.numerator * sizes - bound) // price.denominator)
        self._lines[price] = max(bound, self._lines.get(price, bound))
        self.fewest = max(self.fewest, -((price.numerator * self.large - bound) // price.denominator))
        self.proved = np.maximum(self.proved, errors)
        self._check()

    def _refresh(self) -> None:
        values = np.full(self.n_sizes, NO_SET, np.int64)
        for size, (errors, _) in self._points.items():
            if size < self.n_sizes:
                values[size] = min(values[size], errors)
        self.achieved = np.minimum.accumulate(values)
        self._check()

    def _check(self) -> None:
        if (self.proved > self.achieved).any():
            raise UnsoundSolutionError(
                "a bound on the errors exceeds those of a set in hand (please report this table)"
            )
        # Sizes beyond the smallest set with the fewest errors of all are of no interest.
        if self.proved[-1] == self.achieved[-1]:
            self.n_sizes = int((self.achieved == self.achieved[-1]).argmax()) + 1
            self.proved, self.achieved = self.proved[: self.n_sizes], self.achieved[: self.n_sizes]

    def least_cost(self, price: Fraction) -> int:
        """Return the cost, times the price's denominator, of the best known set at a price."""
        return min(
            price.denominator * errors + price.numerator * size for size, (errors, _) in self._points.items()
        )

    def bound_at(self, price: Fraction) -> Fraction:
        """Return a proved lower bound on errors + price · size over all sets."""
        # A set of at least n sizes costs (price - lower) · n more than at a lower price.
        lines = (
            Fraction(bound, lower.denominator) + (price - lower) * self.n_sizes
            for lower, bound in self._lines.items()
            if lower <= price
        )
        beyond = max(self.fewest + price * self.n_sizes, *lines, Fraction(0))
        sizes = np.flatnonzero(self.proved < NO_SET)
        costs = price.denominator * self.proved[sizes] + price.numerator * sizes
        within = Fraction(int(costs.min()), price.denominator) if sizes.size else beyond
        line = max(self._lines.get(price, 0), 0)
        return max(Fraction(line, price.denominator), min(beyond, within))

    def is_open(self, left: Point, right: Point) -> bool:
        """Whether a point below the chord, or on it at a corner, is not excluded yet."""
        last = min(right[0], self.n_sizes - 1)
        if left[0] > last:
            return False
        sizes = np.arange(left[0], last + 1, dtype=np.int64)
        below = (self.proved[left[0] : last + 1] - left[1]) * (right[0] - left[0])
        return bool((below < (right[1] - left[1]) * (sizes - left[0])).any())

    def open_stretches(self, floor: Fraction = ANY_PRICE) -> list[tuple[Fraction, tuple[int, float]]]:
        """Return the prices at which a new corner is possible, highest first, with the sizes.

        Sets that are optimal only below the ``floor`` are of no interest. Where all chords above it are
        closed, one search at the floor itself decides whether the hull is known down to it.
        """
        chords = [(price_between(*chord), chord) for chord in self.chords()]
        found: list[tuple[Fraction, tuple[int, float]]] = [
            (price, (chord[0][0], chord[1][0]))
            for price, chord in chords
            if price >= floor and self.is_open(*chord)
        ]
        if floor > 0:
            if not found and self.bound_at(floor) * floor.denominator < self.least_cost(floor):
                below = next((chord for price, chord in chords if price < floor), None)
                found.append((floor, (0, math.inf) if below is None else (below[0][0], below[1][0])))
            return found
        last = self.corners()[-1]
        if last[1] > self.fewest and last[0] < self.n_sizes and self.proved[-1] < self.achieved[-1]:
            found.append((self._last_price, (last[0], math.inf)))  # no set with the fewest errors is known
        return found

    def open_prices(
        self, sizes: tuple[float, float] = ALL_SIZES, floor: Fraction = ANY_PRICE
    ) -> list[Fraction]:
        """Return the prices at which a new corner is possible within some sizes, highest first."""
        stretches = self.open_stretches(floor)
        return [price for price, (low, high) in stretches if sizes[0] <= low and high <= sizes[1]]

    def price_at(self, size: int) -> Fraction:
        """Return the price of the chord over a size, or of the last one."""
        for left, right in self.chords():
            if size <= right[0]:
                return price_between(left, right)
        return self.open_prices()[-1]
