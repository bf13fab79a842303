"""A linear program over 0-1 variables in integers, and bounds that rounding cannot spoil.

Rows read ``sum of coefficient * variable >= least``. HiGHS works on it in floating point; what it proves is
not taken from it. Any non-negative multipliers y of the rows give a bound,

    cost(x) >= sum_r y_r least_r + sum_j min over x_j in [low_j, high_j] of (c_j - sum_r y_r a_rj) x_j,

so its dual solution, rounded to integers over 2^k, gives one in exact arithmetic (Neumaier and
Shcherbina, "Safe bounds in linear and mixed-integer linear programming", 2004). With c = 0 the same sum above
zero proves that no x exists (Farkas).
"""

from __future__ import annotations

from collections.abc import Sequence

import highspy
import numpy as np
from numpy.typing import NDArray

from laconic.runtime.budget import Budget

_SLICE = 200
"""Iterations of one call of HiGHS: between calls the clock is read and Ctrl-C is heard. Seconds would make
the way through the program depend on the machine."""

_LARGEST = 2**60
"""Sums beyond this might not be exact in 64 bits."""

Ints = NDArray[np.int64]


class Program:
    """Variables in [0, 1] and rows, with one cost vector per level."""

    def __init__(self, n_levels: int) -> None:
        self._costs: list[list[int]] = [[] for _ in range(n_levels)]
        self.constants = [0] * n_levels
        self.n_vars = 0
        self.least: list[int] = []
        self._row: list[Ints] = []
        self._col: list[Ints] = []
        self._value: list[Ints] = []
        self._joined: tuple[int, tuple[Ints, Ints, Ints]] | None = None

    def new(self, costs: Sequence[int] = ()) -> int:
        """Add a variable; return its number."""
        for k, level in enumerate(self._costs):
            level.append(int(costs[k]) if k < len(costs) else 0)
        self.n_vars += 1
        return self.n_vars - 1

    def require(
        self, variables: Sequence[int] | Ints, values: Sequence[int] | Ints | int, least: int
    ) -> None:
        """Add a row."""
        columns = np.asarray(variables, dtype=np.int64)
        self._row.append(np.full(columns.size, len(self.least), np.int64))
        self._col.append(columns)
        self._value.append(np.broadcast_to(np.asarray(values, dtype=np.int64), columns.shape))
        self.least.append(int(least))

    def costs(self, level: int) -> Ints:
        """Return the prices of the variables at one level."""
        return np.array(self._costs[level], dtype=np.int64)

    def entries(self) -> tuple[Ints, Ints, Ints]:
        """Return (row, variable, coefficient) of every entry, row by row."""
        if self._joined is None or self._joined[0] != len(self.least):
            parts = ([np.empty(0, np.int64), *part] for part in (self._row, self._col, self._value))
            rows, columns, values = (np.concatenate(part) for part in parts)
            self._joined = len(self.least), (rows, columns, values)
        return self._joined[1]


class Relaxation:
    """The program with fractions allowed, for one level; rows added to the program later are taken up."""

    def __init__(self, program: Program, level: int) -> None:
        self._program, self._costs = program, program.costs(level)
        self._constant = program.constants[level]
        self._highs = highspy.Highs()  # type: ignore[no-untyped-call]
        self._highs.silent()
        for option, value in (
            ("threads", 1),
            ("presolve", "off"),
            ("solver", "simplex"),
            ("simplex_iteration_limit", _SLICE),
        ):
            self._highs.setOptionValue(option, value)
        n = program.n_vars
        self._highs.addVars(n, np.zeros(n), np.ones(n))
        every = np.arange(n, dtype=np.int32)
        self._highs.changeColsCost(n, every, self._costs.astype(float))
        self._n_rows = 0
        self.low, self.high = np.zeros(n, np.int64), np.ones(n, np.int64)
        self.values = np.zeros(n)
        self.solves = 0

    def fix(self, low: Ints, high: Ints) -> None:
        """Set the bounds of all variables."""
        changed = np.flatnonzero((low != self.low) | (high != self.high)).astype(np.int32)
        if changed.size:
            self._highs.changeColsBounds(
                changed.size, changed, low[changed].astype(float), high[changed].astype(float)
            )
        self.low, self.high = low, high

    def solve(self, budget: Budget) -> int | None:
        """Return an integer that no 0-1 solution costs less than; None if there is no solution at all.

        When the time is over, the bound is still one, if a poor one. `values` holds the fractions.
        """
        self._take_up_rows()
        self.solves += 1
        status = None
        while True:
            self._highs.setOptionValue("time_limit", self._highs.getRunTime() + budget.remaining())
            self._highs.run()
            status = self._highs.getModelStatus()
            if status != highspy.HighsModelStatus.kIterationLimit or budget.expired():
                break
        if status == highspy.HighsModelStatus.kInfeasible:
            exists, has_ray, ray = self._highs.getDualRay()  # type: ignore[attr-defined]
            if exists == highspy.HighsStatus.kOk and has_ray:
                direction = np.asarray(ray) / max(1e-9, float(np.abs(ray).max(initial=0.0)))
                for y in (direction, -direction):
                    if self._safe_sum(y, np.zeros_like(self._costs)) > 0:
                        return None
            return self._bound_without_rows()
        solution = self._highs.getSolution()
        if len(solution.col_value) == self.low.size:
            self.values = np.asarray(solution.col_value)
        if len(solution.row_dual) != len(self._program.least):
            return self._bound_without_rows()
        found = self._safe_sum(np.asarray(solution.row_dual), self._costs)
        return max(found, self._sum_of_minima(self._costs)) + self._constant

    def bounds_with(self, n: int) -> Ints:
        """Return, for each of the first variables, a bound on the cost of all solutions in which it is 1."""
        y = np.asarray(self._highs.getSolution().row_dual)
        if y.size != len(self._program.least):
            return np.full(n, self._bound_without_rows(), np.int64)
        scale, total, rest = self._sums(y, self._costs)
        return -(-(total + np.maximum(rest[:n], 0)) // scale) + self._constant

    def _bound_without_rows(self) -> int:
        return self._sum_of_minima(self._costs) + self._constant

    def _take_up_rows(self) -> None:
        first = self._n_rows
        least = self._program.least[first:]
        if not least:
            return
        rows, columns, values = self._program.entries()
        start = int(np.searchsorted(rows, first))
        rows, columns, values = rows[start:], columns[start:], values[start:]
        starts = np.searchsorted(rows, np.arange(first, first + len(least))).astype(np.int32)
        self._highs.addRows(
            len(least),
            np.array(least, dtype=float),
            np.full(len(least), highspy.kHighsInf),
            columns.size,
            starts,
            columns.astype(np.int32),
            values.astype(float),
        )
        self._n_rows = len(self._program.least)

    def _rounded(self, y: NDArray[np.float64], costs: Ints) -> tuple[int, Ints]:
        """Return a scale and integer multipliers whose sums cannot overflow."""
        y = np.maximum(np.nan_to_num(y), 0.0)
        rows, columns, values = self._program.entries()
        size = np.zeros(costs.size)
        np.add.at(size, columns, y[rows] * np.abs(values))
        least = float(np.abs(y * np.array(self._program.least, dtype=float)).sum())
        largest = max(1.0, float(size.sum()) + float(np.abs(costs).sum()) + least)
        if largest > _LARGEST:
            return 1, np.zeros(y.size, np.int64)
        scale = 2 ** max(0, min(24, 60 - int(np.ceil(np.log2(largest)))))
        return scale, np.floor(y * scale).astype(np.int64)

    def _weighted(self, multipliers: Ints) -> Ints:
        rows, columns, values = self._program.entries()
        total = np.zeros(self.low.size, np.int64)
        np.add.at(total, columns, multipliers[rows] * values)
        return total

    def _safe_sum(self, y: NDArray[np.float64], costs: Ints) -> int:
        scale, total, _ = self._sums(y, costs)
        return -(-total // scale)

    def _sums(self, y: NDArray[np.float64], costs: Ints) -> tuple[int, int, Ints]:
        """Return a scale and, times it, the bound of the text above and what is left of each cost."""
        scale, multipliers = self._rounded(y, costs)
        rest = costs * scale - self._weighted(multipliers)
        total = int(multipliers @ np.array(self._program.least, dtype=np.int64)) + self._sum_of_minima(rest)
        return scale, total, rest

    def _sum_of_minima(self, rest: Ints) -> int:
        return int(np.where(rest < 0, rest * self.high, rest * self.low).sum())
