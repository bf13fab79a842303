"""Folds of a merged table: how much of each row's weight is left out, class by class."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from laconic.data.table import Table


def left_out_weights(table: Table, n_folds: int, seed: int) -> list[NDArray[np.int64]]:
    """Return the weights that each fold leaves out; together they are the weights of the table.

    Every class is spread evenly over the folds, and so are samples that are equal. Samples of one row and
    class are assumed to have equal weights.

    Examples
    --------
    >>> table = Table.from_arrays([[0], [0], [0], [1]], [0, 0, 1, 1])
    >>> [part.sum(axis=0).tolist() for part in left_out_weights(table, 2, seed=0)]
    [[1, 1], [1, 1]]
    """
    rows, classes = np.nonzero(table.weights)
    shuffled = np.random.default_rng(seed).permutation(rows.size)
    order = shuffled[np.argsort(classes[shuffled], kind="stable")]
    rows, classes = rows[order], classes[order]
    weights = table.weights[rows, classes]
    parts = np.minimum(_samples(table, rows, weights), weights)
    # The parts of all cells are dealt to the folds in turn; `dealt` counts the parts before a cell.
    dealt = np.concatenate([[0], np.cumsum(parts)])[:-1]
    taken = np.zeros_like(weights)
    folds = []
    for fold in range(n_folds):
        # Parts of the cell that are dealt to this fold: positions congruent to it.
        own = (dealt + parts - fold + n_folds - 1) // n_folds - (dealt - fold + n_folds - 1) // n_folds
        left_out = np.zeros_like(table.weights)
        left_out[rows, classes] = weights * (taken + own) // parts - weights * taken // parts
        taken += own
        folds.append(left_out)
    return folds


def _samples(table: Table, rows: NDArray[np.intp], weights: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of samples in each cell, in proportion to the weights of a row's classes."""
    share = weights * (table.samples[rows] / table.row_weights[rows])
    return np.maximum(1, np.rint(share)).astype(np.int64)
