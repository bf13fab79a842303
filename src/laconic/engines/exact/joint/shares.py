"""Errors counted per row, split into errors of the single classes.

A row is wrong if its own class does not cover it or another one does: if any class is at *fault*. Split
what the error costs over the classes, shares that are not negative and sum up to one: it costs at least
the shares of the classes at fault. With the shares fixed, each class minimises what its own faults and
rules cost, by itself, and the minima add up to a lower bound, whatever the shares.

The bound is concave in the shares, and the sets that attain it say how it changes: it rises with the
share of a class at fault. So shares move towards the classes at fault where classes disagree, by steps as
long as the gap to the best set suggests (Polyak). With two classes even shares are often best; with more,
the class that claims a row wrongly has a small share at first.

Shares are whole parts, so that all costs are integers.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from laconic.engines.schedule import MAX_COST
from laconic.problem.coded import CodedRule
from laconic.problem.constraints.evaluate import coverage
from laconic.problem.objective import Problem
from laconic.runtime.errors import InputError
from laconic.runtime.native import kernels

LEAST_PARTS = 16
"""That the cost of an error is split into; more of them make finer shares, and slower searches."""

FINER = 16
"""Times as many parts where every class must have one of every row's."""

Ints = NDArray[np.int64]


class Shares:
    """How the cost of an error is split, for each row and each label that it has.

    Attributes
    ----------
    classes : list of int
    parts : int
        What a cost is multiplied by, to be split into whole parts.
    """

    def __init__(self, problem: Problem) -> None:
        table = problem.table
        self._problem = problem
        self.classes = list(problem.classes)
        n = len(self.classes)
        self.parts = 1 if n == 1 else max(LEAST_PARTS, 2 * (n - 1))
        self._least = 0
        if FINER * self.parts * problem.error_cost * table.total_weight > MAX_COST:
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
        """Return the parts of each class, by row and label."""
        free = self.parts - self._least * len(self.classes)
        wanted = free * self._shares
        whole = np.floor(wanted + 1e-9).astype(np.int64)
        left = free - whole.sum(axis=1, keepdims=True)
        rank = np.argsort(np.argsort(whole - wanted, axis=1, kind="stable"), axis=1, kind="stable")
        units: Ints = self._least + whole + (rank < left)
        return units

    def of_every_row(self) -> Shares:
        """Return about the same shares, so fine that no class is without a part of any row's cost."""
        if len(self.classes) == 1:
            return self
        out = copy.copy(self)
        out.parts, out._least = FINER * self.parts, 1
        return out

    def weights_of(self, place: int, units: Ints) -> tuple[Ints, Ints]:
        """Return what not covering and what covering each table row costs the class at this place."""
        mine, costs = self._own == place, self._costs * units[:, place]
        own, others = np.zeros((2, self._problem.table.n_rows), np.int64)
        np.add.at(own, self._rows[mine], costs[mine])
        np.add.at(others, self._rows[~mine], costs[~mine])
        return own, others

    def least_units(self, place: int, units: Ints) -> tuple[int, int]:
        """Return the fewest parts of a cost that the class bears: of its own rows, of others'."""
        mine = self._own == place
        return (
            int(units[mine, place].min(initial=self.parts)),
            int(units[~mine, place].min(initial=self.parts)),
        )

    def searches(self) -> dict[int, kernels.SparseSolver]:
        """Return a search for each class, with these shares; all costs are multiplied by `parts`."""
        problem, table, units = self._problem, self._problem.table, self.units()
        return {
            c: kernels.SparseSolver(
                table.bits,
                table.allowed,
                *self.weights_of(place, units),
                problem.rule_cost * self.parts,
                problem.literal_cost * self.parts,
            )
            for place, c in enumerate(self.classes)
        }

    def moved(self, rules: Sequence[CodedRule], gap: float) -> Shares | None:
        """Return shares moved towards the classes at fault, as far as the gap asks; None: nowhere to go."""
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
    """Return, row by row, the nearest point with no negative part and a sum of one."""
    falling = -np.sort(-points, axis=1)
    beyond = np.cumsum(falling, axis=1) - 1.0
    counts = np.arange(1, points.shape[1] + 1)
    positive = (falling > beyond / counts).sum(axis=1, keepdims=True)
    shift = np.take_along_axis(beyond, positive - 1, axis=1) / positive
    nearest: NDArray[np.float64] = np.maximum(points - shift, 0.0)
    return nearest
