"""One class as the native searches see it: what covering a row costs and saves, and the usable literals."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from laconic.data.table import Table
from laconic.problem.objective import Problem


@dataclass(frozen=True, eq=False)
class RowsOfClass:
    """The rows of a table from the point of view of one class.

    Attributes
    ----------
    table : Table
    target : int
        The class.
    own, others : ndarray of int64, shape (n_rows,)
        What it costs that no rule of the class covers a row, and that one does.
    usable : ndarray of bool, shape (n_features, 2)
        Which literals rules of the class may use.
    """

    table: Table
    target: int
    own: NDArray[np.int64]
    others: NDArray[np.int64]
    usable: NDArray[np.bool_]

    def against_rest(self) -> RowsOfClass:
        """Return the same rows without what other classes are, to be sent to a worker; the class is 0."""
        return replace(self, table=self.table.against_rest(self.target), target=0)


def rows_of_class(problem: Problem, target: int, *, weight: int = 1) -> RowsOfClass:
    """Return the rows of one class, with what errors cost at their level, times a weight."""
    table = problem.table
    prices = problem.pricing.levels[problem.pricing.faults]
    missed = table.weights[:, target] * (weight * prices.missed[target])
    claimed = weight * prices.of_claims(table.weights, target)
    usable = np.ascontiguousarray(problem.constraints.usable[target])
    return RowsOfClass(table, target, missed, claimed, usable)
