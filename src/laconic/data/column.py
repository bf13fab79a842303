"""The columns a model knows, and how to find them in new data.

Only the columns that rules use are looked up. Tables with names are read by name, in any order, and
other columns are ignored; plain arrays are read by position and must have as many columns as in training.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from laconic.data.cells import Cells
from laconic.data.columns import KINDS
from laconic.data.documents import damaged
from laconic.data.foreign import as_pandas
from laconic.data.frame import as_frame, with_text_names
from laconic.data.reading.column_reading import ColumnReading, cells_of, reading_from_document
from laconic.data.reading.derived import Derived, derived_from_document
from laconic.runtime.errors import InputError, MissingColumnsError


@dataclass(frozen=True, slots=True)
class Column:
    """A training column.

    Attributes
    ----------
    name : str
    kind : {"numeric", "category", "binary"}
    reading : ColumnReading or None
        What is done to its cells before conditions see them; None if they are taken as they are.
    derived : Derived or None
        What it is computed from; None for a column of the table.
    """

    name: str
    kind: str
    reading: ColumnReading | None = None
    derived: Derived | None = None


def column_to_document(column: Column) -> dict[str, Any]:
    """Return plain data for JSON."""
    reading = {} if column.reading is None else {"reading": column.reading.to_document()}
    derived = {} if column.derived is None else {"derived": column.derived.to_document()}
    return {"name": column.name, "kind": column.kind, **reading, **derived}


def column_from_document(data: Any) -> Column:
    """Check plain data and build the column that it describes."""
    match data:
        case {"name": str(name), "kind": str(kind)} if kind in KINDS:
            reading = data.get("reading")
            if not isinstance(reading, dict | None):
                raise damaged("the reading of a column is not one")
            derived = derived_from_document(data.get("derived"))
            if derived is not None and (derived.name, derived.kind) != (name, kind):
                raise damaged(f"column {name!r} is computed as {derived.name!r}")
            return Column(name, kind, reading_from_document(reading), derived)
    raise damaged("a column has no name or kind")


@dataclass(frozen=True)
class View:
    """The needed columns of some rows."""

    index: pd.Index[Any]
    cells: Mapping[str, Cells]

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.index)


def view(X: Any, columns: Sequence[Column], needed: Iterable[str], *, named: bool = True) -> View:
    """Find the needed columns in new data.

    Parameters
    ----------
    X : DataFrame or array-like, shape (n_rows, n_columns)
    columns : sequence of Column
        As in training, in that order.
    needed : iterable of str
        Names of the columns to fetch.
    named : bool
        Whether the training table had names. If not, a table with other names is read by position.
    """
    derived = {one.name: one.derived for one in columns if one.derived is not None}
    asked = sorted(set(needed))
    computed = [name for name in asked if name in derived]
    wanted = sorted({name for one in asked for name in (derived[one].columns if one in derived else (one,))})
    found = _of_table(X, [one for one in columns if one.derived is None], wanted, named=named)
    cells = {name: one for name, one in found.cells.items() if name in asked}
    return View(found.index, cells | {name: derived[name].cells(found.cells) for name in computed})


def _of_table(X: Any, columns: Sequence[Column], wanted: list[str], *, named: bool) -> View:
    """Find columns of the table itself."""
    X = with_text_names(as_pandas(X, wanted if named else None))
    if not has_names(X):
        return _by_position(X, columns, wanted)
    X = _with_plain_names(X, wanted)
    absent = [name for name in wanted if name not in X.columns]
    if absent and not named:
        return _by_position(X, columns, wanted)
    if absent:
        raise MissingColumnsError(
            f"the table lacks {_listing(absent)}, which the rules use; add what is missing or rename it"
        )
    if not wanted:
        return View(X.index, {})
    return _collect(as_frame(X.loc[:, wanted], may_be_empty=True), wanted, columns)


def has_names(X: Any) -> bool:
    """Whether a table comes with column names: a DataFrame whose names are all text."""
    return isinstance(X, pd.DataFrame) and all(isinstance(name, str) for name in X.columns)


def _with_plain_names(X: pd.DataFrame, wanted: Sequence[str]) -> pd.DataFrame:
    """Leave out blanks around names, and a byte order mark, where a wanted column is found only then."""
    if all(name in X.columns for name in wanted):
        return X
    plain = {name: name.lstrip("\ufeff").strip() for name in X.columns}
    found = [name for name, short in plain.items() if short in wanted and short not in X.columns]
    return X.rename(columns={name: plain[name] for name in found})


def _by_position(X: Any, columns: Sequence[Column], wanted: list[str]) -> View:
    # Only the used columns of an array are checked and converted: a million rows in tens of milliseconds.
    whole = X if isinstance(X, np.ndarray) and X.ndim == 2 else as_frame(X, may_be_empty=True)
    if whole.shape[1] != len(columns):
        raise InputError(
            f"X has {whole.shape[1]} features, but DecisionSetClassifier is expecting {len(columns)} "
            f"features as input; without column names there must be as many columns as in training"
        )
    position = {column.name: k for k, column in enumerate(columns)}
    picked = [position[name] for name in wanted]
    if not wanted:
        return View(pd.RangeIndex(len(whole)), {})
    part = whole[:, picked] if isinstance(whole, np.ndarray) else whole.iloc[:, picked]
    return _collect(as_frame(part, wanted, may_be_empty=True), wanted, columns)


def _collect(frame: pd.DataFrame, names: Sequence[str], columns: Sequence[Column]) -> View:
    readings = {column.name: column.reading for column in columns}
    return View(
        frame.index,
        {name: cells_of(frame.iloc[:, k].rename(name), readings[name]) for k, name in enumerate(names)},
    )


def _listing(names: list[str]) -> str:
    quoted = ", ".join(repr(name) for name in names)
    return f"column {quoted}" if len(names) == 1 else f"columns {quoted}"
