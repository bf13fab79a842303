"""What a fit needs of a labelled table: the conditions, the classes, and the unique weighted rows.

Every objective depends on the data through these alone, so where they came from does not matter: a
DataFrame, files that do not fit in memory, the partitions of a cluster, or an older table and some new rows.
Whoever makes the same training table gets the same model, byte for byte.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from laconic.data.cells import Cells
from laconic.data.columns import guess_kind
from laconic.data.frame import as_frame
from laconic.data.table import Table, integer_weights
from laconic.model.columns import Column, has_names
from laconic.model.targets import checked_labels, encode_labels


@dataclass(frozen=True, eq=False)
class TrainingTable:
    """A labelled table, reduced to what a fit needs; hand it to ``DecisionSetClassifier.fit``.

    Attributes
    ----------
    table : Table
        The unique weighted rows.
    binarizer : Binarizer
        Fitted: what the table's features mean.
    classes : ndarray
        What its classes mean.
    columns : tuple of Column
        The user's columns.
    named : bool
        Whether their names are the user's.
    notes : tuple of str
        What the user should know about how it was made, such as thresholds from a summary.
    """

    table: Table
    binarizer: Any
    classes: NDArray[Any]
    columns: tuple[Column, ...]
    named: bool = True
    notes: tuple[str, ...] = ()


def in_memory(X: Any, y: Any, sample_weight: ArrayLike | None, binarizer: Any) -> TrainingTable:
    """Reduce a DataFrame or an array; the binarizer given is fitted.

    Parameters
    ----------
    X : DataFrame or array-like of shape (n_samples, n_columns)
    y : array-like of shape (n_samples,)
    sample_weight : array-like of shape (n_samples,), optional
    binarizer : object with ``fit`` and ``transform``
    """
    frame = as_frame(X)
    labels = checked_labels(y, len(frame))
    present = integer_weights(sample_weight, len(frame))[0] > 0
    if not present.all():
        X = X[present] if isinstance(X, pd.DataFrame) else frame.to_numpy()[present]
        frame, labels = as_frame(X), labels[present]
        sample_weight = np.asarray(sample_weight, dtype=float)[present]
    classes, codes = encode_labels(labels, weighted=not present.all())
    weighted = "sample_weight" in inspect.signature(binarizer.fit).parameters
    weighting = {"sample_weight": sample_weight} if weighted else {}
    binarizer.fit(X, labels, **weighting)
    table = Table.from_arrays(
        binarizer.transform(X), codes, sample_weight, n_classes=classes.size, allowed=binarizer.allowed_
    )
    overridden = getattr(binarizer, "columns", None) or {}
    columns = tuple(
        Column(name, overridden.get(name) or guess_kind(Cells(frame[name])))
        for name in map(str, frame.columns)
    )
    return TrainingTable(table, binarizer, classes, columns, has_names(X))
