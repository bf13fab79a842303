"""Splitting errors that are counted per row into errors of single classes.

A row is wrong if any class is at *fault*: its own class because it does not cover the row, another class
because it does. Split the cost of the error over the classes by shares that are non-negative and add up to
one. Then the error costs at least the shares of the classes at fault. For fixed shares each class minimises
the cost of its own faults and rules independently, and the minima add up to a lower bound.

The bound is concave in the shares, and the optimal sets of the classes are a supergradient: the bound rises
with the share of a class at fault. So shares move towards the classes at fault, by Polyak steps from the gap
to the incumbent. With two classes even shares are often best; with more, the class that wrongly claims a row
starts with a small share.

Shares are whole numbers of parts, so all costs remain integers.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from laconic.engines.tuning import Tuning
from laconic.problem.coded import CodedRule
from laconic.problem.constraints.evaluate import coverage
from laconic.problem.objective import Problem
from laconic.runtime.errors import InputError
from laconic.runtime.native import MAX_COST, kernels

MIN_PARTS = 16
"""Minimum number of parts of an error's cost; more parts make finer shares and slower searches."""

FINER_FACTOR = 16
"""Factor on the number of parts if every class must have at least one part of every row."""

Ints = NDArray[np.int64]


class Shares:
    """The shares of the classes in the cost of an error, for each row and each label it has.

    Attributes
    ----------
    classes : list of int
    parts : int
        Number of parts of a cost. All costs are multiplied by it.
    """

    def __init__(self, problem: Problem, tuning: Tuning | None = None) -> None:
        table = problem.table
        self._problem, self._tuning = problem, tuning or {}
        self.classes = list(problem.classes)
        n = len(self.classes)
        self.parts = 1 if n == 1 else max(MIN_PARTS, 2 * (n - 1))
        self._least = 0
        if FINER_FACTOR * self.parts * problem.error_cost * table.total_weight > MAX_COST:
            raise InputError(
                "with errors counted per row the objective's integers are beyond exact arithmetic; "
                "use fewer digits in regularization or sample_weight"
            )
        place = np.zeros(table.n_classes, np.int64)
        place[self.classes] = np.arange(n)
        self._rows, labels = np.nonzero(table.weights)
        self._own = place[labels]
        self._costs = problem.error_cost * table.weights[self._rows, labels]
        self._shares = np.full((self._rows.size, n), 0.5 / max(1, n - 1))
        self._shares[np.arange(self._rows.size), self._own] = 0.5 if n > 1 else 1.0

    def units(self) -> Ints:
        """Return the number of parts of each class, by row and label."""
        free = self.parts - self._least * len(self.classes)
        wanted = free * self._shares
        whole = np.floor(wanted + 1e-9).astype(np.int64)
        left = free - whole.sum(axis=1, keepdims=True)
        rank = np.argsort(np.argsort(whole - wanted, axis=1, kind="stable"), axis=1, kind="stable")
        units: Ints = self._least + whole + (rank < left)
        return units

    def of_every_row(self) -> Shares:
        """Return shares on a finer grid on which every class has at least one part of every row's cost."""
        if len(self.classes) == 1:
            return self
        out = copy.copy(self)
        out.parts, out._least = FINER_FACTOR * self.parts, 1
        return out

    def weights_of(self, place: int, units: Ints) -> tuple[Ints, Ints]:
        """Return the cost of not covering and of covering each table row, for the class at this place."""
        mine, costs = self._own == place, self._costs * units[:, place]
        own, others = np.zeros((2, self._problem.table.n_rows), np.int64)
        np.add.at(own, self._rows[mine], costs[mine])
        np.add.at(others, self._rows[~mine], costs[~mine])
        return own, others

    def least_units(self, place: int, units: Ints) -> tuple[int, int]:
        """Return the least number of parts that the class bears of its own rows, and of other rows."""
        mine = self._own == place
        return (
            int(units[mine, place].min(initial=self.parts)),
            int(units[~mine, place].min(initial=self.parts)),
        )

    def searches(self) -> dict[int, kernels.SparseSolver]:
        """Return a search for each class with these shares; all costs are multiplied by `parts`."""
        problem, table, units = self._problem, self._problem.table, self.units()
        return {
            c: kernels.SparseSolver(
                table.bits,
                table.allowed,
                *self.weights_of(place, units),
                problem.rule_cost * self.parts,
                problem.literal_cost * self.parts,
                self._tuning,
            )
            for place, c in enumerate(self.classes)
        }

    def moved(self, rules: Sequence[CodedRule], gap: float) -> Shares | None:
        """Return shares moved towards the classes at fault by a Polyak step; None if the gradient is zero."""
        claimed = coverage(self._problem.table, rules)[:, self.classes]
        slopes = claimed[self._rows].astype(float)
        entries = np.arange(self._rows.size)
        slopes[entries, self._own] = ~claimed[self._rows, self._own]
        slopes *= self._costs[:, None]
        slopes -= slopes.mean(axis=1, keepdims=True)
        steepness = float((slopes**2).sum())
        if steepness == 0.0:
            return None
        out = copy.copy(self)
        out._shares = _onto_simplex(self._shares + gap / steepness * slopes)
        return out


def _onto_simplex(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Project each row onto the simplex: non-negative entries that add up to one."""
    falling = -np.sort(-points, axis=1)
    beyond = np.cumsum(falling, axis=1) - 1.0
    counts = np.arange(1, points.shape[1] + 1)
    positive = (falling > beyond / counts).sum(axis=1, keepdims=True)
    shift = np.take_along_axis(beyond, positive - 1, axis=1) / positive
    nearest: NDArray[np.float64] = np.maximum(points - shift, 0.0)
    return nearest
