"""The front of a whole table: the fewest errors for every size, over all classes.

Errors are counted per class, so a decision set is one set per class, and the front is the min-plus sum of the
classes' fronts: of the achieved errors and of the lower bounds. Where the two differ at a size, the cheapest
way to share that size by the *lower bounds* gives the classes and sizes to search next. With an OTHERWISE
line one class is left out, which is the best one at each size. Searches get short slices of time first, and
longer ones after all have had a turn.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from fractions import Fraction
from functools import partial

import numpy as np

from laconic.engines.fronts.axes import SIZE_AND_ERRORS, Axes
from laconic.engines.fronts.closing import Closer
from laconic.engines.fronts.one_class import ANY_WORK, FIRST_COVER, ClassFront
from laconic.engines.fronts.staircase import (
    Point,
    Staircase,
    SumOfAll,
    SumOfAllButOne,
    corners,
    price_between,
)
from laconic.engines.fronts.stairs import ANY_PRICE
from laconic.engines.rows_of_class import RowsOfClass, rows_of_class
from laconic.engines.tuning import Tuning
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Problem
from laconic.runtime.budget import Budget
from laconic.runtime.native import kernels

FIRST_UNITS = 5_000
"""Work units of the first search at each price; a second has some 50,000 to 100,000."""

FIRST_SHARE_OF_ERRORS = 4
"""The first price that is searched is the cost of all errors divided by this."""

PATIENCE = 1
"""Without a time limit, a price is left open once it has taken this many times the work of the hardest price
that was proved, and at least `LEAST_PATIENCE` units."""
LEAST_PATIENCE = 15_000

FIRST_SLICE = 0.25
"""Seconds of the first search at each size."""

FIRST_SHARE = 0.2
"""Share of a time limit for the first sets."""

AT_ONCE = 4
"""Maximum number of open prices of a class that are searched in turn."""

Step = Callable[[], None]


class WholeFront:
    """Bounds on the fewest errors at every size, and the sets found.

    Parameters
    ----------
    problem : Problem
        Whose errors are counted; its constraints, if any, must be
        `laconic.problem.constraints.compiled.CompiledConstraints.by_class`.
    max_size : int, optional
        Larger sets are of no interest.
    seed, n_jobs : int
    budget : Budget, optional
        A small share of it may be spent on first sets.
    axes : Axes
        What stands for size and errors.
    tuning : dict, optional
        Options of the native searches that are not the defaults.

    Attributes
    ----------
    achieved, proved : ndarray of int64
        Errors of the best known set of size at most k, and the least that is not excluded yet.
    max_size : int
        Their last size: larger sets are of no interest, or not needed for the fewest errors of all.
    interrupted, out_of_memory : bool
        Whether Ctrl-C or the memory of a worker ended a search; sets and bounds found so far are kept.
    """

    engine = "exact"

    def __init__(
        self,
        problem: Problem,
        max_size: int | None = None,
        seed: int = 0,
        n_jobs: int = 1,
        budget: Budget | None = None,
        tuning: Tuning | None = None,
        axes: Axes = SIZE_AND_ERRORS,
    ) -> None:
        self._axes = axes
        # Of several classes that could be left out at equal cost, the heaviest is taken.
        classes = problem.heaviest_first if problem.otherwise else problem.classes
        rows = [rows_of_class(problem, c) for c in classes]
        self._otherwise = problem.otherwise
        self._stop = kernels.StopFlag()
        self._n_jobs, self._tuning = n_jobs, tuning or {}
        self.interrupted = self.out_of_memory = False
        self.fronts = self._start(rows, max_size, seed, Budget() if budget is None else budget)
        self._closers = [Closer(front) for front in self.fronts]
        self._limit = max_size
        self.refresh()

    def _start(
        self, rows: Sequence[RowsOfClass], max_size: int | None, seed: int, budget: Budget
    ) -> list[ClassFront]:
        seconds = min(FIRST_COVER, FIRST_SHARE * budget.remaining() / len(rows))
        fronts = []
        for one in rows:
            # A set without avoidable errors ends the front only if rules have no price besides the amount.
            cover = None if self._axes != SIZE_AND_ERRORS else 0.0 if self.interrupted else seconds
            front = ClassFront(one, max_size, seed, cover, self._tuning, self._axes)
            self.interrupted = self.interrupted or front.interrupted
            fronts.append(front)
        return fronts

    def refresh(self) -> None:
        """Recompute the sum of the classes' fronts."""
        largest = sum(front.n_sizes - 1 for front in self.fronts) + self._otherwise
        if self._limit is not None:
            largest = min(largest, self._limit)
        kind = SumOfAllButOne if self._otherwise else SumOfAll
        self._achieved_sum = kind([front.achieved for front in self.fronts], largest)
        self._proved_sum = kind([front.proved for front in self.fronts], largest)
        self.achieved: Staircase = self._achieved_sum.values
        self.proved: Staircase = self._proved_sum.values
        self.max_size = len(self.achieved) - 1

    def first_size(self, errors: int) -> int | None:
        """Return the smallest size of a known set with at most this many errors."""
        enough = np.flatnonzero(self.achieved <= errors)
        return int(enough[0]) if enough.size else None

    def rules_at(self, size: int) -> list[CodedRule]:
        """Return the best known decision set of at most this size; of equals, the smallest."""
        first = self.first_size(int(self.achieved[min(size, self.max_size)]))
        assert first is not None
        parts = zip(self.fronts, self._achieved_sum.shares(first), strict=True)
        return [rule for front, part in parts if part is not None for rule in front.rules_at(part)]

    def corners_proved(self) -> bool:
        """Whether every corner of the hull is known and proved."""
        floor = self.price_floor()
        return not any(front.open_prices(floor=floor) for front in self.fronts)

    def price_floor(self) -> Fraction:
        """Return the price below which every corner exceeds the sizes of interest; 0 if there is none."""
        if self._limit is None:
            return ANY_PRICE
        if not self._otherwise:
            return _floor_of(self.fronts, self._limit)
        return min(
            _floor_of([front for front in self.fronts if front is not left_out], self._limit - 1)
            for left_out in self.fronts
        )

    def corners(self) -> list[Point]:
        """Return the corners of the hull of the sets found, whatever their size."""
        if not self._otherwise:
            return hull_of(self.fronts)
        found: list[Point] = []
        for left_out in self.fronts:
            others = hull_of([front for front in self.fronts if front is not left_out])
            found += [(size + 1, errors) for size, errors in others]
        return corners(found)

    def is_best_at(self, point: Point, price: Fraction) -> bool:
        """Whether it is proved that no set of any size costs less than a point, at a price of size."""
        bounds = [front.bound_at(price) for front in self.fronts]
        line = price - max(bounds) if self._otherwise else 0
        return sum(bounds) + line >= point[1] + price * point[0]

    def counts(self) -> dict[str, int]:
        """Return the work done, by name."""
        summed: Counter[str] = Counter()
        for front, closer in zip(self.fronts, self._closers, strict=True):
            for counts in (front.counts, closer.counts):
                for name, number in counts.items():
                    summed[name] += number
        return dict(sorted(summed.items()))

    def find_corners(self, budget: Budget, report: Callable[[], None] = lambda: None) -> None:
        """Search for every corner of the hull, until all are proved or the time is over."""
        self._sweep(budget, report)
        units = FIRST_UNITS
        while self._may_go_on(budget):
            # After a brief search at every price, small sets come first: they are easier to prove.
            n_prices = 2 if units == FIRST_UNITS else 1
            tasks = self._corner_tasks(n_prices, units, budget)
            if not tasks:
                return
            self._run(tasks, report)
            units *= 2

    def _sweep(self, budget: Budget, report: Callable[[], None]) -> None:
        """Search briefly at falling prices, until the sets exceed the largest size.

        High prices are easy, and their sets start the searches at lower ones. Without this the first price
        would be that between no rule and a set without errors, which is hard and seldom of interest.
        """
        all_missed = sum(int(front.achieved[0]) for front in self.fronts)
        price = Fraction(max(1, all_missed // FIRST_SHARE_OF_ERRORS))
        while self._may_go_on(budget) and price >= 1 and price > self.price_floor():
            self.probe_all(price, budget, report)
            price = Fraction(price.numerator // 2)

    def probe_all(self, price: Fraction, budget: Budget, report: Callable[[], None]) -> None:
        """Search every class briefly at a price."""
        self._run(
            [
                partial(front.probe, price, budget.remaining(), self._stop, FIRST_UNITS)
                for front in self.fronts
            ],
            report,
        )

    def most_work(self, budget: Budget) -> int:
        """Return the number of work units after which a price is left open; unlimited under a time limit."""
        if not math.isinf(budget.remaining()):
            return ANY_WORK
        hardest = max((front.hardest() for front in self.fronts), default=0)
        return max(LEAST_PATIENCE, PATIENCE * hardest)

    def _corner_tasks(self, n_prices: int | None, units: int, budget: Budget) -> list[Step]:
        floor, most = self.price_floor(), self.most_work(budget)
        fronts = [
            front
            for front in self.fronts
            if front.worthwhile_prices(most, floor=floor) or (not floor and front.cover_is_open())
        ]
        return [
            partial(front.find_corners, units, budget, self._stop, n_prices, floor=floor, most=most)
            for front in fronts
        ]

    def settle(
        self, wanted: Callable[[], list[int]], budget: Budget, report: Callable[[], None] = lambda: None
    ) -> None:
        """Work on sizes until each is proved or the time is over.

        ``wanted`` returns the sizes that are still of interest.
        """
        seconds = FIRST_SLICE
        while self._may_go_on(budget):
            sizes = [k for k in wanted() if self.proved[k] < self.achieved[k] and self._can_learn(k)]
            if not sizes:
                return
            for size in sizes[:AT_ONCE]:
                self._work_on(size, seconds, budget, report)
            seconds *= 2

    def _may_go_on(self, budget: Budget) -> bool:
        return not (budget.expired() or self.interrupted or self.out_of_memory)

    def _can_learn(self, size: int) -> bool:
        """Return whether more work on a size can change its bounds."""
        return any(
            self._size_task(place, part, 0, Budget()) is not None for place, part in self._proved_shares(size)
        )

    def _proved_shares(self, size: int) -> list[tuple[int, int]]:
        """Return the classes' shares of a size in the best way that is not excluded."""
        parts = enumerate(self._proved_sum.shares(size))
        return [(place, part) for place, part in parts if part is not None]

    def _work_on(self, size: int, seconds: float, budget: Budget, report: Callable[[], None]) -> None:
        """Work on the classes' shares of a size until it is proved or a slice makes no progress."""
        while not budget.expired() and size <= self.max_size and self.proved[size] < self.achieved[size]:
            before = [(front.proved.copy(), front.achieved.copy()) for front in self.fronts]
            tasks = [
                task
                for place, part in self._proved_shares(size)
                if (task := self._size_task(place, part, seconds, budget)) is not None
            ]
            self._run(tasks, report)
            if self.interrupted or all(
                np.array_equal(front.proved, proved) and np.array_equal(front.achieved, achieved)
                for front, (proved, achieved) in zip(self.fronts, before, strict=True)
            ):
                return

    def _size_task(self, place: int, size: int, seconds: float, budget: Budget) -> Step | None:
        front, closer = self.fronts[place], self._closers[place]
        if front.proved[size] == front.achieved[size]:
            return None
        if front.price_at(size) not in front.open_prices() and closer.is_hopeless(size):
            return None
        return partial(closer.learn, size, seconds, budget, self._stop)

    def _run(self, tasks: Sequence[Step], report: Callable[[], None]) -> None:
        """Run tasks of different classes; Ctrl-C ends them, and their results are kept."""
        try:
            self._run_all(tasks, report)
        except KeyboardInterrupt:
            self.interrupted = True
        self.refresh()
        report()

    def _run_all(self, tasks: Sequence[Step], report: Callable[[], None]) -> None:
        if self._n_jobs > 1 and len(tasks) > 1:
            with ThreadPoolExecutor(self._n_jobs) as pool:
                running = {pool.submit(task) for task in tasks}
                try:
                    while running:  # in short waits, so that Ctrl-C reaches this thread
                        done, running = wait(running, timeout=0.1, return_when="FIRST_COMPLETED")
                        for future in done:
                            future.result()
                except BaseException:
                    self._stop.raise_flag()
                    raise
        else:
            for task in tasks:
                task()
                self.refresh()
                report()


def hull_of(fronts: Sequence[ClassFront]) -> list[Point]:
    """Return the corners of the hull of the sum of some classes' sets.

    A hull of sums is the chords of all classes, the steepest first.
    """
    found = [(0, sum(int(front.achieved[0]) for front in fronts))]
    for _, (size, errors) in _chords_of(fronts):
        found.append((found[-1][0] + size, found[-1][1] + errors))
    return found


def _chords_of(fronts: Sequence[ClassFront]) -> list[tuple[Fraction, Point]]:
    """Return the chords of the hulls of some classes, steepest first: price, and both lengths."""
    found: dict[Fraction, Point] = {}
    for front in fronts:
        for left, right in front.chords():
            price = price_between(left, right)
            size, errors = found.get(price, (0, 0))
            found[price] = size + right[0] - left[0], errors + right[1] - left[1]
    return sorted(found.items(), reverse=True)


def _floor_of(fronts: Sequence[ClassFront], limit: int) -> Fraction:
    size = 0
    for price, (longer, _) in _chords_of(fronts):
        size += longer
        if size > limit:
            return price
    return ANY_PRICE
