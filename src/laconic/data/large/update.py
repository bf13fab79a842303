"""Adding rows to a training table. The result is exact, because merged rows and integer weights add up.

The conditions remain those of the first fit. New rows must fit them: a missing value in a column that had
none, or a third value in a column of two values, would make a condition and its opposite both false, and is
refused.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from laconic.data.groups import Groups, groups_of, merge, table_of
from laconic.data.large.wording import Wording
from laconic.data.targets import checked_labels
from laconic.data.training import TrainingTable, class_codes, is_dask
from laconic.data.weights import ScaledWeights, added_scaling, checked_weights


def extended(
    training: TrainingTable, X: Any, y: Any, sample_weight: ArrayLike | None = None
) -> TrainingTable:
    """Return a training table with additional rows.

    Parameters
    ----------
    training : TrainingTable
        The table to extend; it is not changed.
    X : DataFrame or array-like of shape (n_rows, n_columns)
        The new rows, or a dask DataFrame as for `laconic.data.large.on_dask.from_dask`.
    y : array-like of shape (n_rows,)
    sample_weight : array-like of shape (n_rows,), optional
    """
    old = training.table
    if is_dask(X):
        from laconic.data.large.on_dask import added_rows

        added, scaled = added_rows(training, X, y, sample_weight)
    else:
        added, scaled = _in_memory(training, X, y, sample_weight)
    parts = [groups_of(old).scaled(int(scaled.scale / old.scale)), added]
    table = table_of(
        merge(parts),
        n_features=old.n_features,
        n_classes=old.n_classes,
        allowed=old.allowed,
        scale=scaled.scale,
    )
    notes = tuple(dict.fromkeys((*training.notes, *scaled.notes)))
    return replace(training, table=table, notes=notes)


def _in_memory(
    training: TrainingTable, X: Any, y: Any, sample_weight: ArrayLike | None
) -> tuple[Groups, ScaledWeights]:
    rows = Wording.of(training).view(X)
    labels = checked_labels(y, rows.n_rows)
    weights = np.ones(rows.n_rows) if sample_weight is None else checked_weights(sample_weight, rows.n_rows)
    old = training.table
    scaled = added_scaling(old.scale, old.total_weight, *np.unique(weights, return_counts=True))
    units = scaled.units(weights)
    present = units > 0
    codes = class_codes(labels[present], training.classes)
    matrix = Wording.of(training).matrix(rows, present)
    return Groups.of(matrix[present], codes, units[present]), scaled
