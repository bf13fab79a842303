"""The input of a class search: costs of missing and of covering each row, and the usable literals."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from laconic.data.table import Table
from laconic.problem.objective import Problem


@dataclass(frozen=True, eq=False)
class RowsOfClass:
    """The rows of a table, with their costs for one class.

    Attributes
    ----------
    table : Table
    target : int
        Number of the class.
    own, others : ndarray of int64, shape (n_rows,)
        Cost of leaving each row uncovered by the class, and cost of covering it.
    usable : ndarray of bool, shape (n_features, 2)
        Whether rules of the class may use each literal.
    """

    table: Table
    target: int
    own: NDArray[np.int64]
    others: NDArray[np.int64]
    usable: NDArray[np.bool_]

    def against_rest(self) -> RowsOfClass:
        """Return the rows with all other classes merged into one; the class gets number 0."""
        return replace(self, table=self.table.against_rest(self.target), target=0)


def rows_of_class(problem: Problem, target: int, *, weight: int = 1) -> RowsOfClass:
    """Return the rows of one class with the costs of errors at their level, multiplied by ``weight``."""
    table = problem.table
    prices = problem.pricing.levels[problem.pricing.faults]
    missed = table.weights[:, target] * (weight * prices.missed[target])
    claimed = weight * prices.of_claims(table.weights, target)
    usable = np.ascontiguousarray(problem.constraints.usable[target])
    return RowsOfClass(table, target, missed, claimed, usable)
