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

import numpy as np
from numpy.typing import ArrayLike, NDArray

from laconic.data.literals import Feature
from laconic.data.table import integer_weights
from laconic.errors import InputError
from laconic.model.columns import View, view
from laconic.model.predict import literal_masks
from laconic.model.targets import checked_labels
from laconic.scale.groups import Groups, groups_of, merge, table_of
from laconic.scale.training import TrainingTable, class_codes


def extended(
    training: TrainingTable, X: Any, y: Any, sample_weight: ArrayLike | None = None
) -> TrainingTable:
    """Return a training table with more rows.

    Parameters
    ----------
    training : TrainingTable
        Not changed.
    X : DataFrame or array-like of shape (n_rows, n_columns)
    y : array-like of shape (n_rows,)
    sample_weight : array-like of shape (n_rows,), optional
    """
    old = training.table
    features = training.binarizer.features_
    needed = [feature.positive.column for feature in features]
    rows = view(X, training.columns, needed, named=training.named)
    labels = checked_labels(y, rows.n_rows)
    weights, scale = integer_weights(sample_weight, rows.n_rows)
    present = weights > 0
    codes = class_codes(labels[present], training.classes)
    matrix = _matrix(features, rows, present)
    common = _common_scale(old.scale, scale)
    parts = [
        groups_of(old).scaled(int(common / old.scale)),
        Groups.of(matrix[present], codes, weights[present]).scaled(int(common / scale)),
    ]
    table = table_of(
        merge(parts),
        n_features=old.n_features,
        n_classes=old.n_classes,
        allowed=old.allowed,
        scale=common,
    )
    return replace(training, table=table)


def _matrix(features: tuple[Feature, ...], rows: View, present: NDArray[np.bool_]) -> NDArray[np.bool_]:
    masks = literal_masks((feature.positive for feature in features), rows)
    opposite = literal_masks((feature.negative for feature in features if feature.negative is not None), rows)
    matrix = np.zeros((rows.n_rows, len(features)), bool)
    for f, feature in enumerate(features):
        matrix[:, f] = masks[feature.positive]
        if feature.negative is None:
            continue
        neither = (matrix[:, f] == opposite[feature.negative]) & present
        if neither.any():
            row, name = int(np.flatnonzero(neither)[0]), feature.positive.column
            missing = bool(rows.cells[name].missing[row])
            what = "no value" if missing else f"the new value {rows.cells[name].values.iloc[row]!r}"
            raise InputError(
                f"row {row} has {what} in column {name!r}, for which neither '{feature.positive}' nor "
                f"'{feature.negative}' holds; fit again on all rows"
            )
    return matrix


def _common_scale(old: Fraction, new: Fraction) -> Fraction:
    """Return the smallest unit that both kinds of weights are whole numbers of."""
    return Fraction(math.lcm(old.numerator, new.numerator), math.gcd(old.denominator, new.denominator))
