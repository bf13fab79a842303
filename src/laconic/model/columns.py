"""The columns a model knows, and how to find them in new data.

Only the columns that rules use are looked up. Tables with names are read by name, in any order, and
other columns are ignored; plain arrays are read by position and must have as many columns as in training.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from laconic.data.cells import Cells
from laconic.data.frame import as_frame
from laconic.errors import InputError, MissingColumnsError


@dataclass(frozen=True, slots=True)
class Column:
    """A training column: its name and kind (``"numeric"``, ``"category"`` or ``"binary"``)."""

    name: str
    kind: str


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
    wanted = sorted(set(needed))
    if not has_names(X):
        return _by_position(as_frame(X), columns, wanted)
    absent = [name for name in wanted if name not in X.columns]
    if absent and not named:
        return _by_position(as_frame(X), columns, wanted)
    if absent:
        raise MissingColumnsError(
            f"the table lacks {_listing(absent)}, which the rules use; add what is missing or rename it"
        )
    if not wanted:
        return View(X.index, {})
    return _collect(as_frame(X.loc[:, wanted]), {name: k for k, name in enumerate(wanted)})


def has_names(X: Any) -> bool:
    """Whether a table comes with column names: a DataFrame whose names are all text."""
    return isinstance(X, pd.DataFrame) and all(isinstance(name, str) for name in X.columns)


def _by_position(frame: pd.DataFrame, columns: Sequence[Column], wanted: list[str]) -> View:
    if frame.shape[1] != len(columns):
        raise InputError(
            f"X has {frame.shape[1]} features, but DecisionSetClassifier is expecting {len(columns)} "
            f"features as input; without column names there must be as many columns as in training"
        )
    position = {column.name: k for k, column in enumerate(columns)}
    return _collect(frame, {name: position[name] for name in wanted})


def _collect(frame: pd.DataFrame, positions: Mapping[str, int]) -> View:
    return View(frame.index, {name: Cells(frame.iloc[:, k].rename(name)) for name, k in positions.items()})


def _listing(names: list[str]) -> str:
    quoted = ", ".join(repr(name) for name in names)
    return f"column {quoted}" if len(names) == 1 else f"columns {quoted}"
