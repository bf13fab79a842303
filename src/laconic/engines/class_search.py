"""One class as a search of its own: what a native solver needs, on this machine or on a remote worker."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from laconic.engines.rows_of_class import RowsOfClass, rows_of_class
from laconic.engines.schedule import Search
from laconic.problem.objective import Problem
from laconic.runtime.native import kernels

Ints = NDArray[np.int64]
SparseArguments = tuple[NDArray[np.uint64], NDArray[np.bool_], Ints, Ints, int, int]
"""Bits of features, usable literals, costs of missing and covering each row, of a rule and of a literal."""


@dataclass(frozen=True, eq=False)
class ClassTask:
    """The task of finding the best rules of one class.

    Attributes
    ----------
    rows : RowsOfClass
    rule_cost, literal_cost : int
    hard : bool
        Whether no error is allowed; then only which rows are in the class, and which outside it, counts.
    compulsory : bool
        Whether the class must have a rule.
    seed : int
    """

    rows: RowsOfClass
    rule_cost: int
    literal_cost: int
    hard: bool
    compulsory: bool
    seed: int = 0

    @classmethod
    def of(cls, problem: Problem, target: int, seed: int = 0) -> ClassTask:
        """Return one class of a problem whose classes are independent."""
        rows = rows_of_class(problem, target)
        compulsory = problem.objective.every_class
        return cls(rows, problem.rule_cost, problem.literal_cost, problem.hard, compulsory, seed)

    def against_rest(self) -> ClassTask:
        """Return the same task without what other classes are, to be sent to a worker."""
        return replace(self, rows=self.rows.against_rest())

    @property
    def sparse_arguments(self) -> SparseArguments:
        """The arguments that all searches of a sparse class take."""
        rows = self.rows
        return rows.table.bits, rows.usable, rows.own, rows.others, self.rule_cost, self.literal_cost

    def native_search(self) -> Search:
        """Return the native solver."""
        rows, table = self.rows, self.rows.table
        if not self.hard:
            solver = kernels.CompulsorySolver if self.compulsory else kernels.SparseSolver
            return solver(*self.sparse_arguments)
        return kernels.CoverSolver(
            table.bits,
            np.flatnonzero(rows.usable.ravel()).tolist(),
            np.flatnonzero(table.rows_in(rows.target)),
            np.flatnonzero(table.rows_outside(rows.target)),
            self.rule_cost,
            self.literal_cost,
            self.seed,
        )
