"""Any table the user may hand over, as a DataFrame with text column names, or one clear refusal.

Arrays go through scikit-learn's own `check_array`, so its conventions and its wording hold; DataFrames
keep their column types, which `check_array` would flatten.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from laconic.data.cells import CellTypeError, has_large_doubles
from laconic.data.foreign import as_pandas
from laconic.data.words import refuse_half_characters
from laconic.runtime.errors import InputError
from laconic.runtime.memory import physical_memory

_NEXT_STEP = {
    "m": "time spans; turn it into numbers, such as days",
    "c": "complex numbers; Complex data not supported, so split it into real columns",
}


_PLAIN_OBJECTS = {
    "string", "boolean", "integer", "floating", "mixed-integer-float", "decimal", "empty", "date", "datetime",
    "datetime64",
}  # fmt: skip
"""What a column of objects may hold, in the words of pandas."""


def as_frame(
    X: Any, feature_names: Sequence[str] | None = None, *, may_be_empty: bool = False
) -> pd.DataFrame:
    """Return the table as a DataFrame whose columns are numbers, booleans, texts or categories.

    Parameters
    ----------
    X : DataFrame or array-like, shape (n_samples, n_columns)
        Of pandas, polars or any other library that narwhals knows. Missing values are allowed:
        ``NaN``, ``None``, ``pd.NA``, null.
    feature_names : sequence of str, optional
        Names for the columns of an array, by default ``x0``, ``x1``, …; a DataFrame whose names are
        all text keeps its own.
    may_be_empty : bool
        Whether a table without rows is accepted.

    Raises
    ------
    InputError
        A column name occurs twice, a cell is infinite, or a column holds time spans, complex numbers or
        objects; empty and one-dimensional input is refused in scikit-learn's words.

    Examples
    --------
    >>> as_frame([[1.0, "red"], [2.5, None]]).dtypes.tolist()
    [dtype('float64'), <StringDtype(na_value=nan)>]
    """
    X = dense(with_text_names(as_pandas(X)))
    if isinstance(X, pd.DataFrame):
        frame = _named(X, feature_names, may_be_empty=may_be_empty)
    else:
        from sklearn.utils.validation import check_array  # imported here: it is slow to load

        fewest = 0 if may_be_empty else 1
        array = check_array(X, dtype=None, ensure_all_finite=False, ensure_min_samples=fewest, estimator="X")
        if array.dtype.kind in "SU" and not hasattr(X, "dtype"):
            # A list of mixed rows: numpy would have turned its numbers into text.
            array = check_array(X, dtype=object, ensure_all_finite=False)
        if (
            array.dtype.kind == "f"
            and not hasattr(X, "dtype")
            and has_large_doubles(pd.Series(array.ravel()))
        ):
            # A list of whole numbers and others: numpy has made doubles of all.
            array = check_array(X, dtype=object, ensure_all_finite=False)
        names = _default_names(array.shape[1], feature_names)
        frame = pd.DataFrame(array, columns=names, copy=False)
    objects = [name for name, dtype in frame.dtypes.items() if dtype == np.dtype(object)]
    if objects:
        frame = frame.assign(**{str(name): _inferred(frame[name]) for name in objects})
    refuse_half_characters(frame.columns, "a column's name")
    for name in frame.columns:
        _check_column(frame[name])
    return frame


def _inferred(values: pd.Series[Any]) -> pd.Series[Any]:
    """Give a column of objects the type of its cells, if they have one."""
    try:
        inferred = values.infer_objects()
    except UnicodeEncodeError:  # pandas keeps texts as UTF-8
        refuse_half_characters(values, f"column {values.name!r}")
        raise
    # Whole numbers beside missing ones would become doubles, which merge large ones.
    return values if has_large_doubles(inferred) else inferred


def with_text_names(X: Any) -> Any:
    """Return a table with texts for all names if only some are texts, and any other as it is."""
    if not isinstance(X, pd.DataFrame):
        return X
    is_text = [isinstance(name, str) for name in X.columns]
    return X.set_axis([str(name) for name in X.columns], axis=1) if any(is_text) and not all(is_text) else X


def dense(X: Any) -> Any:
    """Return a sparse matrix as an array, sparse columns as dense ones, and anything else as it is."""
    if type(X).__module__.partition(".")[0] == "scipy" and hasattr(X, "toarray"):
        if X.shape[0] * X.shape[-1] * 8 > physical_memory() / 2:
            raise InputError(
                f"this sparse matrix of {X.shape[0]} rows by {X.shape[-1]} columns would not fit in memory; "
                f"leave out columns or rows"
            )
        return X.toarray()
    if isinstance(X, pd.DataFrame):
        sparse = [name for name, dtype in X.dtypes.items() if isinstance(dtype, pd.SparseDtype)]
        if sparse and X.columns.is_unique:
            X = X.copy()
            for name in sparse:
                X[name] = X[name].astype(X[name].dtype.subtype)
    return X


def _named(X: pd.DataFrame, feature_names: Sequence[str] | None, *, may_be_empty: bool) -> pd.DataFrame:
    """Check the shape and the names of a DataFrame; those that are not text become x0, x1 and so on."""
    n_rows, n_columns = X.shape
    if n_columns == 0:
        raise InputError(
            f"Found array with 0 feature(s) (shape={X.shape}) while a minimum of 1 is required; "
            f"the table has no columns"
        )
    if n_rows == 0 and not may_be_empty:
        raise InputError(
            f"Found array with 0 sample(s) (shape={X.shape}) while a minimum of 1 is required; "
            f"the table has no rows"
        )
    is_text = [isinstance(name, str) for name in X.columns]
    repeated = X.columns[X.columns.duplicated()]
    if len(repeated):
        name = repeated.tolist()[0]
        raise InputError(f"column {name!r} occurs more than once; give every column its own name")
    if all(is_text):
        return X
    return X.set_axis(_default_names(n_columns, feature_names), axis=1)


def _default_names(n_columns: int, feature_names: Sequence[str] | None) -> list[str]:
    if feature_names is None:
        return [f"x{i}" for i in range(n_columns)]
    if len(feature_names) != n_columns:
        raise InputError(
            f"X has {n_columns} features, but is expecting {len(feature_names)} features as input"
        )
    return [str(name) for name in feature_names]


def _check_column(values: pd.Series[Any]) -> None:
    """Refuse what can be neither compared nor shown in a rule."""
    dtype = values.dtype
    kind = getattr(dtype, "kind", "O")
    if kind in _NEXT_STEP:
        raise InputError(f"column {values.name!r} holds {_NEXT_STEP[kind]}")
    if kind == "f":
        numbers = values.to_numpy(dtype=np.float64, na_value=np.nan)
        infinite = np.isinf(numbers)
        if infinite.any():
            row = int(np.flatnonzero(infinite)[0])
            raise InputError(
                f"Input X contains infinity: column {values.name!r}, row {row} is {numbers[row]}; "
                f"replace it by a number, or by NaN if it is missing"
            )
    elif not isinstance(dtype, pd.CategoricalDtype | pd.StringDtype) and kind not in "biuM":
        _check_objects(values)


def _check_objects(values: pd.Series[Any]) -> None:
    found = pd.api.types.infer_dtype(values, skipna=True)
    if found in _PLAIN_OBJECTS:
        return
    if found in {"mixed", "mixed-integer"}:
        odd = next((cell for cell in values if not _is_plain(cell)), None)
        if odd is None:
            return
        row = next(i for i, cell in enumerate(values) if not _is_plain(cell))
        what = f"row {row} is a {type(odd).__name__}"
    else:
        what = f"it holds {found} values"
    raise CellTypeError(
        f"column {values.name!r}: every cell's argument must be a string or a number, but {what}; "
        f"convert the column or leave it out"
    )


def _is_plain(cell: Any) -> bool:
    return isinstance(cell, str | int | float | np.number | np.bool_) or cell is None or cell is pd.NA
