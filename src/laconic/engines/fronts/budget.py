"""The best decision set under a budget: the fewest errors within a size, or the smallest size within errors.

This is one point of the front (`laconic.engines.fronts`); only the chords and sizes that decide it are
searched.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

import numpy as np

from laconic.data.words import number_text
from laconic.engines.api import Recorder, Solution, StopReason, conclude
from laconic.engines.fronts.staircase import Staircase
from laconic.engines.fronts.start import start_front
from laconic.engines.tuning import Tuning
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Problem
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError


def solve_budget(
    problem: Problem, *, budget: Budget, seed: int, n_jobs: int, recorder: Recorder, tuning: Tuning
) -> Solution:
    """Solve a problem with ``size_budget`` or ``max_errors``; refuse a budget that no set can keep."""
    limit = problem.objective.size_budget
    front = start_front(problem, limit, seed, n_jobs, budget, tuning)
    point = _SmallEnough(problem, front, limit) if limit is not None else _GoodEnough(problem, front)
    point.check_feasible()
    recorder.report(point.cost(), point.bound())
    front.settle(point.open_sizes, budget, lambda: recorder.report(point.cost(), point.bound()))
    size = point.size()
    if size is None:
        point.check_feasible()
        raise InputError(
            f"no decision set with errors of weight at most {problem.objective.max_errors:g} was found in "
            "time; allow more errors or more time"
        )
    return conclude(
        problem,
        front.rules_at(size),
        point.bound(),
        why_stopped(front, time_is_over=budget.expired()),
        recorder=recorder,
        counts=front.counts(),
    )


class KnownFront(Protocol):
    """A front, whose points may not be proved yet."""

    achieved: Staircase
    proved: Staircase
    interrupted: bool
    out_of_memory: bool

    @property
    def max_size(self) -> int:
        """The last size of interest."""
        ...

    def first_size(self, errors: int) -> int | None:
        """Return the smallest size of a known set with at most this many errors."""
        ...

    def rules_at(self, size: int) -> Sequence[CodedRule]:
        """Return the best known decision set of at most this size."""
        ...


def solution_at(front: KnownFront, problem: Problem, size: int) -> Solution:
    """Return the point of a front at a size, as the answer to the problem with this ``size_budget``."""
    point = _SmallEnough(problem, front, size)
    recorder = Recorder(Budget())
    reason = why_stopped(front, time_is_over=True)
    return conclude(problem, front.rules_at(size), point.bound(), reason, recorder=recorder)


def why_stopped(front: KnownFront, *, time_is_over: bool) -> StopReason:
    """Return why a search ended without a proof; with time left, too many rules came up to be listed."""
    if front.interrupted:
        return StopReason.INTERRUPT
    return StopReason.TIME if time_is_over and not front.out_of_memory else StopReason.MEMORY


class _Point:
    """One point of a front: bounds on its place, and the sizes to search next."""

    def __init__(self, problem: Problem, front: KnownFront) -> None:
        self.problem, self.front = problem, front

    def size(self) -> int | None:
        """Return the size of the best known set."""
        raise NotImplementedError

    def fits(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Return the sizes at which a set within the budget is not excluded."""
        raise NotImplementedError

    def cost(self) -> int | None:
        """Return the cost of the best known set."""
        size = self.size()
        return None if size is None else self._cost(size, int(self.front.achieved[size]))

    def bound(self) -> int:
        """Return the lower bound on the cost within the budget."""
        sizes = np.flatnonzero(self.fits())
        costs = [self._cost(int(k), int(self.front.proved[k])) for k in sizes]
        return min(costs, default=self._cost(self.front.max_size + 1, 0))

    def open_sizes(self) -> list[int]:
        """Return the size that decides: the one with the lowest cost that is not excluded."""
        if self.cost() == self.bound():
            return []
        sizes = np.flatnonzero(self.fits())
        costs = sorted((self._cost(int(k), int(self.front.proved[k])), int(k)) for k in sizes)
        return [size for _, size in costs[:1]]

    def check_feasible(self) -> None:
        """Raise `InputError` if the budget is proved to be too small."""

    def _cost(self, size: int, errors: int) -> int:
        return self.problem.budget_cost(errors, size)


class _SmallEnough(_Point):
    """The fewest errors within a size."""

    def __init__(self, problem: Problem, front: KnownFront, limit: int) -> None:
        super().__init__(problem, front)
        self.limit = limit

    def size(self) -> int | None:
        return self.front.first_size(int(self.front.achieved[min(self.limit, self.front.max_size)]))

    def fits(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        return np.arange(self.front.max_size + 1) <= self.limit


class _GoodEnough(_Point):
    """The smallest size within errors."""

    def __init__(self, problem: Problem, front: KnownFront) -> None:
        super().__init__(problem, front)
        self.most = problem.most_errors

    def size(self) -> int | None:
        return self.front.first_size(self.most)

    def fits(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        return self.front.proved <= self.most

    def check_feasible(self) -> None:
        if self.front.proved[-1] <= self.most:
            return
        fewest = number_text(Fraction(int(self.front.proved[-1])) / self.problem.error_unit)
        limit = self.problem.objective.max_errors
        reached = self.front.proved[-1] == self.front.achieved[-1]
        what = "even the best decision set makes" if reached else "every decision set makes at least"
        raise InputError(
            f"max_errors is {limit:g}, but {what} errors of weight {fewest} on this table, counted per "
            f"class; allow at least {fewest}"
        )
