"""Class labels: any type the user has, kept through prediction and through JSON."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic.runtime.errors import ModelFileError
from laconic.runtime.texts import misleading

Label = str | int | float | bool

_PYTHON_TYPES: dict[str, type] = {"b": bool, "i": int, "u": int, "f": float, "U": str, "O": str}


def label_tuple(classes: NDArray[Any]) -> tuple[Label, ...]:
    """Return the labels as plain Python values."""
    return tuple(classes.tolist())


def label_text(label: Label) -> str:
    """Write a label into a rule; one that would read as another one, or as a fact, is put in quotes.

    >>> [label_text(label) for label in ("good", 1, "good ", "good [9 rows, precision 1.00]")]
    ['good', '1', "'good '", "'good [9 rows, precision 1.00]'"]
    """
    text = str(label)
    return repr(text) if isinstance(label, str) and (misleading(text) or "[" in text) else text


def label_array(labels: tuple[Label, ...], dtype: str) -> NDArray[Any]:
    """Return the labels as an array of the type they had in training."""
    return np.array(labels, dtype=np.dtype(dtype))


def with_marker(classes: NDArray[Any], marker: Any) -> NDArray[Any]:
    """Return the labels and one more value, in a type that represents both exactly."""
    extra = np.asarray(marker)
    if extra.ndim == 0 and extra.dtype.kind == classes.dtype.kind and classes.dtype.kind != "O":
        return np.append(classes, extra)
    pool = np.empty(classes.size + 1, dtype=object)
    pool[:-1] = classes.tolist()
    pool[-1] = marker
    return pool


def labels_to_document(labels: tuple[Label, ...], dtype: str) -> dict[str, Any]:
    """Return plain data for JSON."""
    return {"dtype": dtype, "labels": list(labels)}


def labels_from_document(data: Any) -> tuple[tuple[Label, ...], str]:
    """Read what `labels_to_document` wrote; anything else is refused."""
    match data:
        case {"dtype": str(dtype), "labels": list(labels)} if labels:
            kind = _kind(dtype)
            expected = _PYTHON_TYPES.get(kind)
            if expected is None or any(type(label) is not expected for label in labels):
                raise ModelFileError(f"class labels do not have type {dtype!r}; the model file is damaged")
            if len(set(labels)) < len(labels):
                raise ModelFileError("a class label is listed twice; the model file is damaged")
            if labels != sorted(labels):
                raise ModelFileError("the class labels are not in order; the model file is damaged")
            try:
                held = label_array(tuple(labels), dtype).tolist()
            except (OverflowError, ValueError):
                held = None
            if held != labels:
                raise ModelFileError(f"class labels do not fit type {dtype!r}; the model file is damaged")
            return tuple(labels), dtype
    raise ModelFileError("the class labels are missing; the model file is damaged")


def _kind(dtype: str) -> str:
    try:
        return np.dtype(dtype).kind
    except (TypeError, ValueError, SyntaxError):
        return ""
