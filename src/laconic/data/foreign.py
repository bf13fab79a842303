"""Tables of other libraries than pandas: polars, pyarrow, modin and all others that narwhals supports.

They are converted to pandas DataFrames, column by column, before anything else is done. Numbers without
missing cells are not copied. Categories become text, because their order depends on what else the process has
read; enumerations, whose order the user chose, keep it.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
import pandas as pd

from laconic.data.cells import LARGEST_EXACT, CellTypeError
from laconic.runtime.errors import InputError

_OWN = {"numpy", "pandas", "builtins", "scipy", "array"}
"""Packages whose tables are recognised without importing narwhals."""


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
    X = without_mask(X)
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


def without_mask(X: Any) -> Any:
    """Return a masked array as an array whose masked cells are missing, and anything else as it is.

    >>> without_mask(np.ma.array([[1, 2], [3, 4]], mask=[[0, 1], [0, 0]]))
    array([[ 1., nan],
           [ 3.,  4.]])
    """
    if isinstance(X, list | tuple) and any(isinstance(row, np.ma.MaskedArray) for row in X):
        X = np.ma.array(X)
    if not isinstance(X, np.ma.MaskedArray):
        return X
    mask, cells = np.ma.getmaskarray(X), np.ma.getdata(X)
    if not mask.any():
        return cells
    if cells.dtype.kind == "f":
        return np.where(mask, np.nan, cells)
    if cells.dtype.kind in "iu" and _fits_double(cells[~mask]):
        return np.where(mask, np.nan, cells.astype(np.float64))
    found = cells.astype(object)
    found[mask] = None
    return found


def refuse_masked(values: Any, what: str) -> None:
    """Refuse labels or weights of which some are masked."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.getmaskarray(values).any():
        row = int(np.flatnonzero(np.ma.getmaskarray(values))[0])
        raise InputError(f"{what} of row {row} is masked; leave that row out, or fill it with .filled()")


def _fits_double(numbers: np.ndarray[Any, Any]) -> bool:
    """Whether whole numbers are the same as doubles."""
    return not numbers.size or max(int(numbers.max()), -int(numbers.min())) <= LARGEST_EXACT


def _column(values: Any, nw: Any) -> Any:
    """Return a column as pandas holds it."""
    dtype = values.dtype
    if isinstance(dtype, nw.Decimal):
        values, dtype = values.cast(nw.Float64()), nw.Float64()
    if dtype.is_numeric():
        if dtype.is_integer() and values.is_null().any() and not values.is_null().all():
            low, high = int(values.min()), int(values.max())
            if max(high, -low) > LARGEST_EXACT:
                return _objects(values)
        return values.to_numpy()  # NaN for null; whole numbers with nulls become doubles
    if isinstance(dtype, nw.Boolean):
        return np.asarray(values.to_numpy()) if not values.is_null().any() else _objects(values)
    if isinstance(dtype, nw.Enum):
        return pd.Categorical(_objects(values), categories=list(dtype.categories))
    if isinstance(dtype, nw.String | nw.Categorical):
        return pd.array(_objects(values.cast(nw.String())), dtype="str")
    if isinstance(dtype, nw.Date | nw.Datetime):
        if getattr(dtype, "time_zone", None) is not None:
            values = values.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
        return np.asarray(values.to_numpy(), dtype="datetime64[us]")
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
