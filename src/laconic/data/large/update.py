"""New rows added to a training table: exact, because merged rows and integer weights simply add up.

The conditions stay those of the first fit. New rows must be describable by them: a missing value in a column
that had none, or a third value in a column of two, would make a condition and its opposite both false, and is
refused.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

from numpy.typing import ArrayLike

from laconic.data.groups import Groups, groups_of, merge, table_of
from laconic.data.large.wording import Wording
from laconic.data.table import integer_weights
from laconic.data.targets import checked_labels
from laconic.data.training import TrainingTable, class_codes, is_dask


def extended(
    training: TrainingTable, X: Any, y: Any, sample_weight: ArrayLike | None = None
) -> TrainingTable:
    """Return a training table with more rows.

    Parameters
    ----------
    training : TrainingTable
        Not changed.
    X : DataFrame or array-like of shape (n_rows, n_columns)
        Or a dask DataFrame, as in `laconic.data.large.on_dask.from_dask`.
    y : array-like of shape (n_rows,)
    sample_weight : array-like of shape (n_rows,), optional
    """
    old = training.table
    if is_dask(X):
        from laconic.data.large.on_dask import added_rows

        added, scale = added_rows(training, X, y, sample_weight)
    else:
        added, scale = _in_memory(training, X, y, sample_weight)
    common = _common_scale(old.scale, scale)
    parts = [groups_of(old).scaled(int(common / old.scale)), added.scaled(int(common / scale))]
    table = table_of(
        merge(parts),
        n_features=old.n_features,
        n_classes=old.n_classes,
        allowed=old.allowed,
        scale=common,
    )
    return replace(training, table=table)


def _in_memory(
    training: TrainingTable, X: Any, y: Any, sample_weight: ArrayLike | None
) -> tuple[Groups, Fraction]:
    rows = Wording.of(training).view(X)
    labels = checked_labels(y, rows.n_rows)
    weights, scale = integer_weights(sample_weight, rows.n_rows)
    present = weights > 0
    codes = class_codes(labels[present], training.classes)
    matrix = Wording.of(training).matrix(rows, present)
    return Groups.of(matrix[present], codes, weights[present]), scale


def _common_scale(old: Fraction, new: Fraction) -> Fraction:
    """Return the smallest unit that both kinds of weights are whole numbers of."""
    return Fraction(math.lcm(old.numerator, new.numerator), math.gcd(old.denominator, new.denominator))
