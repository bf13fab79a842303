"""Tables of other libraries than pandas: polars, pyarrow, modin and whatever else narwhals knows.

They become pandas DataFrames at the door, column by column, so that everything behind it knows one kind of
table. Numbers without missing cells are not copied. Categories become text, for their order depends on what
else the process has read; enumerations, whose order somebody chose, keep it.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
import pandas as pd

from laconic.data.cells import CellTypeError
from laconic.errors import InputError

_OWN = {"numpy", "pandas", "builtins", "scipy", "array"}
"""Packages whose tables are known, so that narwhals need not be asked, nor imported."""


def as_pandas(X: Any, columns: Collection[str] | None = None) -> Any:
    """Return another library's table as a DataFrame, and anything else as it is.

    Parameters
    ----------
    X : object
    columns : collection of str, optional
        If given, no other columns are converted; those that the table lacks are left to the caller.

    Raises
    ------
    InputError
        The table is lazy, names a column twice, or a column holds neither numbers nor text.
    """
    if type(X).__module__.partition(".")[0] in _OWN or isinstance(X, pd.DataFrame):
        return X
    import narwhals as nw  # imported here: it is slow to load

    try:
        frame = nw.from_native(X, pass_through=True)
    except (ValueError, TypeError) as error:  # such as two columns of one name
        raise InputError(f"cannot read this {type(X).__name__}: {' '.join(str(error).split())}") from error
    if isinstance(frame, nw.LazyFrame):
        raise InputError(
            f"this {type(X).__name__} is lazy; turn it into rows first, with .collect(), .compute() or .df()"
        )
    if not isinstance(frame, nw.DataFrame):
        return X
    wanted = [name for name in frame.columns if columns is None or name in columns]
    found = {name: _column(frame[name], nw) for name in wanted}
    return pd.DataFrame(found, index=pd.RangeIndex(len(frame)), columns=wanted, copy=False)


def _column(values: Any, nw: Any) -> Any:
    """Return a column as pandas holds it."""
    dtype = values.dtype
    if isinstance(dtype, nw.Decimal):
        values, dtype = values.cast(nw.Float64()), nw.Float64()
    if dtype.is_numeric():
        return values.to_numpy()  # NaN for null; whole numbers with nulls become doubles
    if isinstance(dtype, nw.Boolean):
        return np.asarray(values.to_numpy()) if not values.is_null().any() else _objects(values)
    if isinstance(dtype, nw.Enum):
        return pd.Categorical(_objects(values), categories=list(dtype.categories))
    if isinstance(dtype, nw.String | nw.Categorical):
        return pd.array(_objects(values.cast(nw.String())), dtype="str")
    if isinstance(dtype, nw.Date | nw.Datetime):
        raise InputError(
            f"column {values.name!r} holds dates; turn it into numbers, such as a year or days since a date"
        )
    if isinstance(dtype, nw.Duration):
        raise InputError(f"column {values.name!r} holds time spans; turn it into numbers, such as days")
    if values.is_null().all():
        return np.full(len(values), None, dtype=object)
    raise CellTypeError(
        f"column {values.name!r}: every cell's argument must be a string or a number, but it holds "
        f"{dtype} values; convert the column or leave it out"
    )


def _objects(values: Any) -> np.ndarray[Any, np.dtype[np.object_]]:
    found = np.empty(len(values), dtype=object)
    found[:] = values.to_list()
    return found
