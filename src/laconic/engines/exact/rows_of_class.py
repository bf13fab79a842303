"""One class as the native searches see it: what covering a row costs and saves, and the usable literals."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from laconic.data.table import Table
from laconic.objective import Problem


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


def rows_of_class(problem: Problem, target: int, error_cost: int = 1) -> RowsOfClass:
    """Return the rows of one class; without demands, errors cost ``error_cost`` times their weight."""
    table, demands = problem.table, problem.demands
    own = table.weights[:, target]
    if demands is None or problem.pricing is None:
        others = table.row_weights - own
        return RowsOfClass(table, target, own * error_cost, others * error_cost, table.allowed)
    prices = problem.pricing.levels[problem.pricing.faults]
    missed, claimed = own * prices.missed[target], (table.weights @ prices.claimed)[:, target]
    usable = np.ascontiguousarray(demands.usable[target])
    return RowsOfClass(table, target, np.ascontiguousarray(missed), np.ascontiguousarray(claimed), usable)
