"""The target column: one label per row, of any sensible type, or one clear refusal."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from laconic.data.cells import LARGEST_EXACT
from laconic.data.foreign import refuse_masked
from laconic.data.words import refuse_half_characters
from laconic.runtime.errors import InputError
from laconic.runtime.texts import shown


class TargetWarning(UserWarning):
    """The target does not look like classes."""


FEW_ROWS = 20
"""Maximum number of rows of a table that may have a different label on every row."""

MANY_CLASSES = 100
"""Number of classes beyond which the target may be a quantity."""

_OBJECT_TYPES = {"string": object, "boolean": bool, "integer": np.int64, "floating": np.float64}


def checked_labels(y: Any, n_rows: int) -> NDArray[Any]:
    """Return the labels as an array of booleans, numbers or texts.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        Texts, whole numbers or booleans; pandas categoricals and nullable types are fine.
    n_rows : int
        Rows of the table they belong to.
    """
    if y is None:
        raise InputError(
            "a classifier requires y to be passed, but the target y is None; give one label per row"
        )
    refuse_masked(y, "the label")
    labels = _flat(_as_array(y))
    if labels.size != n_rows:
        raise InputError(f"y has {labels.size} labels, but X has {n_rows} rows; give one label per row")
    missing = np.asarray(pd.isna(labels))
    if missing.any():
        row = int(np.flatnonzero(missing)[0])
        raise InputError(f"the label of row {row} is missing; drop that row or give it a class")
    if labels.dtype.kind == "O":
        found = pd.api.types.infer_dtype(labels)
        if found not in _OBJECT_TYPES:
            raise InputError(f"Unknown label type: {found}; use texts, whole numbers or booleans as labels")
        try:
            labels = labels.astype(_OBJECT_TYPES[found])
        except OverflowError:
            raise InputError(
                "Unknown label type: a whole number beyond 64 bits; use texts or smaller numbers as labels"
            ) from None
    if labels.dtype.kind not in "biufUO":
        raise InputError(
            f"Unknown label type: {labels.dtype.name}; use texts, whole numbers or booleans as labels"
        )
    if labels.dtype.kind == "f":
        _refuse_fractions(labels)
    return labels


def many_classes(n_classes: int, n_rows: int) -> str | None:
    """Return a warning if labels look like a quantity or like names of rows; refuse one label per row.

    Parameters
    ----------
    n_classes : int
        Classes with rows.
    n_rows : int
    """
    if n_rows < FEW_ROWS:
        return None
    if n_classes == n_rows:
        raise InputError(
            f"each of the {n_rows} rows has a label of its own, so there is nothing to learn; "
            "is the target a name or a quantity? Cut quantities into classes first"
        )
    if 2 * n_classes > n_rows or n_classes > MANY_CLASSES:
        return (
            f"the target has {n_classes} different labels in {n_rows} rows, and each is a class that needs "
            "rules of its own. If the target is a quantity, cut it into classes first"
        )
    return None


def encode_labels(labels: NDArray[Any], *, weighted: bool = False) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the sorted classes and the class number of every row; one class is refused.

    ``weighted`` says that rows without weight have been left out, for the message.
    """
    classes, codes = np.unique(labels, return_inverse=True)
    refuse_half_characters(classes.tolist(), "a label")
    if classes.size == 1:
        which = "all rows with a positive weight" if weighted else "all rows"
        raise InputError(
            f"{which} have one class ({shown(classes.tolist()[0])}); give rows of at least two classes"
        )
    return classes, codes.astype(np.int64)


def _as_array(y: Any) -> Any:
    if isinstance(y, pd.DataFrame) and y.shape[1] == 1:
        y = y.iloc[:, 0]
    if isinstance(y, pd.Series | pd.Index | pd.api.extensions.ExtensionArray):
        extension = not isinstance(y.dtype, np.dtype)
        return np.asarray(y, dtype=object) if extension else np.asarray(y)
    if isinstance(y, list | tuple) and not all(isinstance(label, str) for label in y):
        # numpy would turn [1, "a"] into texts and [1, None] into objects; read the labels as they are.
        try:
            array = np.asarray(y)
        except ValueError:
            return y
        # numpy turns whole numbers into doubles if some are too large for its integers.
        merged = array.dtype.kind == "f" and any(
            isinstance(label, int) and abs(label) > LARGEST_EXACT for label in y
        )
        return np.array(y, dtype=object) if array.dtype.kind in "US" or merged else array
    return y


def _flat(y: Any) -> NDArray[Any]:
    if isinstance(y, np.ndarray) and y.ndim == 1:
        return y
    from sklearn.utils.validation import column_or_1d  # imported here: it is slow to load

    labels: NDArray[Any] = column_or_1d(y, warn=True)
    return labels


def _refuse_fractions(labels: NDArray[np.float64]) -> None:
    continuous = (labels != np.floor(labels)) | np.isinf(labels)
    if continuous.any():
        row = int(np.flatnonzero(continuous)[0])
        raise InputError(
            f"Unknown label type: continuous; the label of row {row} is {labels[row]:g}, "
            f"so cut the target into classes first"
        )
