"""The front of one class: the fewest errors for every size, from both sides.

Upper bounds are the best sets found for every size. Lower bounds come from

- *lines*: a search at price Λ = p/q proves q·errors + p·size ≥ B for every set (`Probe`), hence
  errors ≥ ⌈(B − p·k) / q⌉ at size k;
- *closed sizes*: an exact search under a budget (`laconic.engines.fronts.closing`).

Dichotomy: between two neighbouring corners of the hull, search at the price at which both cost the same.
Either a set lies below their chord and splits it, or the chord itself is proved. Chords under which no point
with integer coordinates remains are not searched.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from laconic.engines.fronts.axes import SIZE_AND_ERRORS, Axes
from laconic.engines.fronts.staircase import Point, Staircase
from laconic.engines.fronts.stairs import ALL_SIZES, ANY_PRICE, LONGEST, Stairs
from laconic.engines.rows_of_class import RowsOfClass
from laconic.engines.separable import separates
from laconic.engines.tuning import Tuning
from laconic.problem.coded import CodedRule, packed_cover, unpacked
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError
from laconic.runtime.native import MAX_COST, kernels

Bodies = tuple[tuple[int, ...], ...]
"""The literals of each rule of a set."""

FIRST_COVER = 0.2
"""Seconds for a first set without avoidable errors."""

ANY_WORK = 2**62
"""A number of work units that no search reaches."""

FIRST_PIECE = 2_000
"""Work units before a search first checks whether it can end."""


@dataclass(frozen=True)
class Facts:
    """The points and bounds of a class without its searches; those of several fronts can be merged."""

    sets: tuple[Bodies, ...]
    lines: Mapping[Fraction, int]
    proved: Staircase
    fewest: int
    work: Mapping[Fraction, int]


class ClassFront(Stairs[Bodies]):
    """Bounds on the fewest errors of one class at every size, and the sets found.

    Parameters
    ----------
    rows : RowsOfClass
    max_size : int, optional
        Sizes beyond this are of no interest.
    seed : int
        Of the covering search.
    seconds : float or None
        For a first set without avoidable errors; ``None`` leaves that search to others.
    tuning : dict, optional
        Options of the native searches that are not the defaults.
    axes : Axes
        What stands for size and errors.

    Attributes
    ----------
    rows : RowsOfClass
    unavoidable : int
        Errors that equal rows force on every set.
    interrupted : bool
        Whether Ctrl-C ended the search for a first set.
    work : dict of Fraction to int
        Units of work done at each price.
    """

    def __init__(
        self,
        rows: RowsOfClass,
        max_size: int | None = None,
        seed: int = 0,
        seconds: float | None = FIRST_COVER,
        tuning: Tuning | None = None,
        axes: Axes = SIZE_AND_ERRORS,
    ) -> None:
        table = rows.table
        self.tuning, self.axes = tuning or {}, axes
        self.rows, self.table, self.target, self.usable = rows, table, rows.target, rows.usable
        self.own: NDArray[np.int64] = np.ascontiguousarray(rows.own)
        self.others: NDArray[np.int64] = np.ascontiguousarray(rows.others)
        self.unavoidable = int(np.minimum(self.own, self.others).sum())
        # A rule per row with all features in it: no larger set makes fewer errors.
        # The price of rules limits the amount of the cheapest set, even without a price of the amount.
        last_price = ANY_PRICE if axes.rule_cost else None
        super().__init__(table.n_rows * (table.n_features + 1), self.unavoidable, last_price)
        self._points[0] = int(self.own.sum()), ()
        self._sets: dict[Bodies, Point] = {}
        self.interrupted = False
        self.cover = None if seconds is None else self._covering(seed)
        if self.cover is not None and seconds is not None:
            try:
                self.cover.advance(seconds, kernels.StopFlag())
            except KeyboardInterrupt:  # the search keeps its incumbent
                self.interrupted = True
            self.offer(self.cover.best())
        self.offer([[]])
        self._probes: dict[Fraction, Probe] = {}
        self.work: dict[Fraction, int] = {}
        self.counts = Counter(probes=0)
        self.build(LONGEST if max_size is None else max_size)
        if axes.per_rule and axes.per_literal:  # a set of size 1 is a rule without literals
            self.raise_at(min(1, self.n_sizes - 1), int(self.achieved[:2].min()))
        self.raise_at(0, int(self.achieved[0]))

    def _covering(self, seed: int) -> kernels.CoverSolver | None:
        """Return the search for the smallest set without avoidable errors, None if there may be none."""
        positives, negatives = (np.flatnonzero(sign * (self.own - self.others) > 0) for sign in (1, -1))
        if not positives.size or not separates(self.table, self.usable, positives, negatives):
            return None
        literals = np.flatnonzero(self.usable.ravel()).tolist()
        return kernels.CoverSolver(self.table.bits, literals, positives, negatives, 1, 1, seed, self.tuning)

    def offer(self, bodies: Sequence[Sequence[int]]) -> Point:
        """Record a set of rules, and return its size and its recounted errors."""
        chosen: Bodies = tuple(sorted({tuple(sorted(body)) for body in bodies}))
        known = self._sets.get(chosen)
        if known is not None:
            return known
        packed = np.zeros(self.table.bits.shape[1], np.uint64)
        for body in chosen:
            packed |= packed_cover(CodedRule(self.target, body), self.table)
        covered = unpacked(packed, self.table)
        errors = int(self.own[~covered].sum() + self.others[covered].sum())
        size, errors = self.axes.amount(chosen), errors + self.axes.price(chosen)
        self._sets[chosen] = size, errors
        self.take(size, errors, chosen)
        return size, errors

    def rules_at(self, size: int) -> list[CodedRule]:
        """Return the best known set of at most this size; of equals, the smallest."""
        errors = self.achieved[min(size, self.n_sizes - 1)]
        best = min(k for k, (wrong, _) in self._points.items() if wrong <= errors and k <= size)
        return [CodedRule.of(self.target, body) for body in self._points[best][1]]

    def rules_at_price(self, price: Fraction) -> list[CodedRule]:
        """Return the best known set at a price; of equals, the smallest."""
        size = min(
            self._points, key=lambda k: (price.denominator * self._points[k][0] + price.numerator * k, k)
        )
        return [CodedRule.of(self.target, body) for body in self._points[size][1]]

    def bodies_near(self, size: int) -> list[list[int]]:
        """Return the rules of the corners on both sides of a size, to start a search from."""
        found: list[list[int]] = []
        for left, right in self.chords():
            if left[0] <= size <= right[0]:
                for point in (left, right):
                    found += [list(body) for body in self._points[point[0]][1]]
        return found

    def check_exact(self, price: Fraction) -> None:
        """Refuse weights whose sums at this price would not be exact in 64 bits."""
        most = price.denominator * int(self.own.sum() + self.others.sum())
        if max(most, sum(self.axes.search_prices(price)) * self.table.n_features) > MAX_COST:
            raise InputError(
                "the sample weights have too many digits for exact trade-offs of size and errors; round them"
            )

    def probe(self, price: Fraction, seconds: float, stop: kernels.StopFlag, units: int = ANY_WORK) -> None:
        """Continue the search at a price for some seconds and work units."""
        if price not in self._probes:
            self._probes[price] = Probe(self, price)
            self.counts["probes"] += 1
        probe = self._probes[price]
        self.work[price] = self.work.get(price, 0) + probe.advance(seconds, stop, units)

    def find_corners(
        self,
        units: int,
        budget: Budget,
        stop: kernels.StopFlag,
        n_prices: int | None = None,
        sizes: tuple[float, float] = ALL_SIZES,
        floor: Fraction = ANY_PRICE,
        most: int = ANY_WORK,
    ) -> None:
        """Search for corners within some sizes and above a price, for some units of work at each price.

        Prices that have taken ``most`` units are left alone.
        """
        tried: set[Fraction] = set()
        while not budget.expired():
            wanted = self.worthwhile_prices(most, sizes, floor)[:n_prices]
            price = next((price for price in wanted if price not in tried), None)
            if price is None:
                break
            tried.add(price)
            self.probe(price, budget.remaining(), stop, min(units, most - self.work.get(price, 0)))
        self.forget_probes(floor)
        if not floor and self.cover_is_open() and not budget.expired():
            self.improve_cover(budget.remaining(), stop, units)

    def worthwhile_prices(
        self, most: int, sizes: tuple[float, float] = ALL_SIZES, floor: Fraction = ANY_PRICE
    ) -> list[Fraction]:
        """Return the open prices, highest first, except those that have taken ``most`` units of work."""
        return [price for price in self.open_prices(sizes, floor) if self.work.get(price, 0) < most]

    def hardest(self) -> int:
        """Return the largest number of work units that a proved price has taken."""
        proved = (price for price in self.work if self._lines.get(price, -1) >= self.least_cost(price))
        return max((self.work[price] for price in proved), default=0)

    def facts(self) -> Facts:
        """Return the known points and bounds."""
        sets = tuple(bodies for _, bodies in self._points.values())
        return Facts(sets, dict(self._lines), self.proved.copy(), self.fewest, dict(self.work))

    def learn(self, facts: Facts) -> None:
        """Merge the facts that another search found about the same class."""
        for bodies in facts.sets:
            self.offer(bodies)
        for price, bound in facts.lines.items():
            if bound > self._lines.get(price, bound - 1):
                self.add_line(price, bound)
        for price, units in facts.work.items():
            self.work[price] = max(units, self.work.get(price, 0))
        self.fewest = max(self.fewest, facts.fewest)
        self.n_sizes = min(self.n_sizes, facts.proved.size)
        self.proved = np.maximum(self.proved[: self.n_sizes], facts.proved[: self.n_sizes])
        self._refresh()

    def forget_probes(self, floor: Fraction = ANY_PRICE) -> None:
        """Drop searches at prices that are no longer of interest."""
        wanted = {*self.open_prices(), *self.open_prices(floor=floor)}
        self._probes = {price: probe for price, probe in self._probes.items() if price in wanted}

    def improve_cover(self, seconds: float, stop: kernels.StopFlag, units: int = ANY_WORK) -> None:
        """Continue the search for the smallest set without avoidable errors."""
        if self.cover is None or self.cover.finished:
            return
        self.cover.take_turn_of(units, -1.0 if math.isinf(seconds) else seconds, stop)
        size, _ = self.offer(self.cover.best())
        # Fewer literals and rules than the bound leave at least one error more than is unavoidable.
        self.raise_at(min(self.cover.lower_bound, size) - 1, self.unavoidable + 1)

    def cover_is_open(self) -> bool:
        """Whether the smallest set without avoidable errors is of interest and not known yet."""
        if self.cover is None or self.cover.finished:
            return False
        return self.achieved[-1] == self.unavoidable and not self._last_is_proved()

    def _last_is_proved(self) -> bool:
        size = self.corners()[-1][0]
        return size == 0 or size > self.n_sizes or bool(self.proved[size - 1] > self.unavoidable)


class Probe:
    """A search of one class at one price of size, which can be resumed.

    It ends as soon as its bound reaches the best known set, whichever search found that.
    """

    def __init__(self, front: ClassFront, price: Fraction) -> None:
        self.front, self.price = front, price
        front.check_exact(price)
        self.solver = kernels.SparseSolver(
            front.table.bits,
            front.usable,
            front.own * price.denominator,
            front.others * price.denominator,
            *front.axes.search_prices(price),
            front.tuning,
        )

    @property
    def settled(self) -> bool:
        """Whether the bound equals the cost of the best known set."""
        return self.solver.lower_bound >= self.front.least_cost(self.price)

    def advance(self, seconds: float, stop: kernels.StopFlag, units: int) -> int:
        """Continue the search, in short pieces at first, and return the work units done."""
        before = self.solver.work
        clock = Budget(None if math.isinf(seconds) else seconds)
        end, piece = before + units, FIRST_PIECE
        while self.solver.work < end and not (self.solver.finished or self.settled or clock.expired()):
            done = self.solver.work
            self.solver.take_turn_of(min(piece, end - done), clock.native_seconds(), stop)
            self.front.offer(self.solver.incumbent())
            if self.solver.work == done:
                break  # interrupted
            piece *= 4
        self.front.add_line(self.price, self.solver.lower_bound)
        return self.solver.work - before
