"""The search for the best rules of one class: its input, for this machine or a worker, and its solver."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from laconic.engines.rows_of_class import RowsOfClass, rows_of_class
from laconic.engines.schedule import Search
from laconic.engines.tuning import Tuning
from laconic.problem.objective import Problem
from laconic.runtime.native import kernels

Ints = NDArray[np.int64]
SparseArguments = tuple[NDArray[np.uint64], NDArray[np.bool_], Ints, Ints, int, int]
"""Bits of features, usable literals, costs of missing and covering each row, of a rule and of a literal."""


@dataclass(frozen=True, eq=False)
class ClassTask:
    """The problem of finding the best rules of one class.

    Attributes
    ----------
    rows : RowsOfClass
    rule_cost, literal_cost : int
    hard : bool
        Whether no error is allowed. The weights then matter only by their sign.
    compulsory : bool
        Whether the class must have at least one rule.
    seed : int
    tuning : dict
        Options of the native search that are not the defaults.
    max_length : int or None
        Maximum number of literals of a rule, for sparse objectives.
    """

    rows: RowsOfClass
    rule_cost: int
    literal_cost: int
    hard: bool
    compulsory: bool
    seed: int = 0
    tuning: Tuning = field(default_factory=dict)
    max_length: int | None = None

    @classmethod
    def of(cls, problem: Problem, target: int, seed: int = 0, tuning: Tuning | None = None) -> ClassTask:
        """Return the task of one class of a problem whose classes are independent."""
        rows = rows_of_class(problem, target)
        compulsory = problem.objective.every_class
        costs = problem.rule_cost, problem.literal_cost
        longest = problem.constraints.max_rule_length
        return cls(rows, *costs, problem.hard, compulsory, seed, tuning or {}, longest)

    def against_rest(self) -> ClassTask:
        """Return the task with all other classes merged into one, which is less to send to a worker."""
        return replace(self, rows=self.rows.against_rest())

    @property
    def sparse_arguments(self) -> SparseArguments:
        """The arguments shared by all native searches for sparse objectives."""
        rows = self.rows
        return rows.table.bits, rows.usable, rows.own, rows.others, self.rule_cost, self.literal_cost

    def native_search(self) -> Search:
        """Return the native solver of the task."""
        rows, table = self.rows, self.rows.table
        if not self.hard:
            solver = kernels.CompulsorySolver if self.compulsory else kernels.SparseSolver
            if self.max_length is None:
                return solver(*self.sparse_arguments, self.tuning)
            return solver(*self.sparse_arguments, self.tuning, max_length=self.max_length)
        return kernels.CoverSolver(
            table.bits,
            np.flatnonzero(rows.usable.ravel()).tolist(),
            np.flatnonzero(table.rows_in(rows.target)),
            np.flatnonzero(table.rows_outside(rows.target)),
            self.rule_cost,
            self.literal_cost,
            self.seed,
            self.tuning,
        )
