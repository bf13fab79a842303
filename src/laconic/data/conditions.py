"""The conditions that a table's columns offer, and which rows satisfy them.

What `laconic.Binarizer` does behind its scikit-learn face, without importing scikit-learn: that alone takes
longer than most searches.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from laconic.data.cells import Cells
from laconic.data.column_settings import ColumnSettings, Said, settings_of
from laconic.data.columns import Classes, ColumnFeatures, Cutting, ReadingWarning, column_features
from laconic.data.frame import as_frame
from laconic.data.literals import Feature
from laconic.data.reading.column_reading import ColumnReading, cells_of
from laconic.data.reading.date_cells import DateCells
from laconic.data.reading.derived import Derived
from laconic.data.reading.detect import detected
from laconic.data.reading.identifiers import is_row_number, row_number_reason
from laconic.data.shaped import shaped_features
from laconic.data.weights import integer_weights
from laconic.runtime.errors import InputError
from laconic.runtime.texts import visible

BLOCK_BYTES = 2**22
"""Rows are taken in blocks whose output is about this large, so that it stays in the cache."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """Binary features, each a condition on one column and its opposite.

    Attributes
    ----------
    features : tuple of Feature
    ignored : mapping of str to str
        The columns without a feature, and why.
    kinds : mapping of str to str
        The kind of each column, where the conditions were found in a table.
    readings : mapping of str to ColumnReading
        How the cells of a column are read, where they are not taken as they are.
    derived : mapping of str to Derived
        What columns that are not the table's are computed from.
    """

    features: tuple[Feature, ...]
    ignored: Mapping[str, str]
    kinds: Mapping[str, str] = field(default_factory=dict)
    readings: Mapping[str, ColumnReading] = field(default_factory=dict)
    derived: Mapping[str, Derived] = field(default_factory=dict)

    @property
    def allowed(self) -> NDArray[np.bool_]:
        """Whether a rule may ask for the feature to be false (column 0) or true (column 1)."""
        return np.array([[f.negative is not None, True] for f in self.features], dtype=bool).reshape(-1, 2)

    def matrix(self, frame: pd.DataFrame) -> NDArray[np.bool_]:
        """Return which conditions each row satisfies: shape (n_rows, n_features)."""
        by_column: dict[str, list[int]] = {}
        for f, feature in enumerate(self.features):
            by_column.setdefault(feature.positive.column, []).append(f)
        out = np.empty((len(frame), len(self.features)), dtype=bool)
        step = max(1024, BLOCK_BYTES // max(1, out.shape[1]))
        series = {
            one: frame[one]
            for name in by_column
            for one in (self.derived[name].columns if name in self.derived else (name,))
        }
        for start in range(0, len(frame), step):
            block = out[start : start + step]
            for name, members in by_column.items():
                cells = self._cells(name, series, slice(start, start + step))
                for f in members:
                    block[:, f] = self.features[f].positive.holds(cells)
        return out

    def _cells(self, name: str, series: Mapping[str, pd.Series[Any]], rows: slice) -> Cells:
        """Return the cells of a column, of the table or computed, for some rows."""
        columns = self.derived[name].columns if name in self.derived else (name,)
        known = {one: cells_of(series[one].iloc[rows], self.readings.get(one)) for one in columns}
        return self.derived[name].cells(known) if name in self.derived else known[name]


def find_conditions(
    frame: pd.DataFrame,
    cutting: Cutting,
    kinds: Mapping[str, Said] | None = None,
    *,
    classes: Classes | None = None,
    weights: NDArray[np.int64] | None = None,
    base: ColumnReading | None = None,
    from_file: bool = False,
) -> Conditions:
    """Choose the conditions on each column of a table.

    Parameters
    ----------
    frame : DataFrame
        From `laconic.data.frame.as_frame`.
    cutting : Cutting
    kinds : mapping of str to str, dict or ColumnSettings, optional
        What the user says about columns; a text is the kind.
    classes : Classes, optional
        Needed by entropy thresholds; with them, "all" thresholds leave fewer out of a very large table.
    weights : ndarray of int64, optional
        How often each row counts; rows of weight 0 are not looked at.
    base : ColumnReading, optional
        What the user has said about the cells of all columns.
    from_file : bool
        Whether nobody has looked at the table: columns that number the rows are left out if there are others.
    """
    said = settings_of(kinds)
    _check_columns(frame, said)
    if weights is not None:
        present = weights > 0
        frame, weights = frame[present], weights[present]
        if classes is not None:
            classes = Classes(classes.codes[present], classes.n_classes)
    find = partial(
        _conditions,
        frame,
        said=said,
        classes=classes,
        weights=weights,
        base=base,
        from_file=from_file and frame.shape[1] > 1,
    )
    found = find(cutting)
    if cutting.method == "all":
        from laconic.data.finest import limit_of, thinned

        if len(found.features) > limit_of(len(frame)):
            return thinned(found, len(frame), cutting, find, classes=classes is not None)
    return found


def _conditions(
    frame: pd.DataFrame,
    cutting: Cutting,
    *,
    said: Mapping[str, ColumnSettings],
    classes: Classes | None,
    weights: NDArray[np.int64] | None,
    base: ColumnReading | None,
    from_file: bool,
) -> Conditions:
    features: list[Feature] = []
    ignored: dict[str, str] = {}
    taken_as: dict[str, str] = {}
    readings: dict[str, ColumnReading] = {}
    dates: dict[str, Cells] = {}
    for name in frame.columns:
        own = said.get(name)
        reading = reading_of(frame[name], own, base, weights)
        if reading is not None:
            readings[name] = reading
        cells = cells_of(frame[name], reading)
        if isinstance(cells, DateCells):
            dates[name] = cells
        if from_file and own is None and is_row_number(cells):
            found = ColumnFeatures((), row_number_reason(name), "numeric")
        else:
            found = shaped_features(cells, cutting, classes, own, weights)
        features += found.features
        if found.kind is not None:
            taken_as[name] = found.kind
        if found.ignored is not None:
            ignored[name] = found.ignored
    derived = derived_columns(said, dates, frame.columns)
    for name, one in derived.items():
        found = column_features(one.cells(dates), cutting, classes, one.kind, weights)
        features += found.features
        taken_as[name] = one.kind
        if found.ignored is not None:
            ignored[name] = found.ignored
    return Conditions(tuple(features), ignored, taken_as, readings, derived)


def derived_columns(
    said: Mapping[str, ColumnSettings], dates: Mapping[str, Cells], names: Iterable[str]
) -> dict[str, Derived]:
    """Return the columns that are to be computed from dates.

    Parameters
    ----------
    said : mapping of str to ColumnSettings
    dates : mapping of str to Cells
        The columns of dates.
    names : iterable of str
        Of all columns of the table.
    """
    found: dict[str, Derived] = {}
    for name, one in said.items():
        wanted = [Derived(part, name) for part in one.parts]
        wanted += [] if one.since is None else [Derived("days", name, one.since)]
        for derived in wanted:
            for column in derived.columns:
                if column not in dates:
                    raise InputError(
                        f"column {column!r} holds no dates, from which {derived.name!r} is computed"
                    )
            if derived.name in names:
                raise InputError(
                    f"the table has a column {derived.name!r}, which is to be computed; rename it"
                )
            found[derived.name] = derived
    return found


def reading_of(
    values: pd.Series[Any],
    said: ColumnSettings | None,
    base: ColumnReading | None = None,
    weights: NDArray[np.int64] | None = None,
) -> ColumnReading | None:
    """Return how the cells of a column are read, and warn of what was found out about them.

    Parameters
    ----------
    values : Series
    said : ColumnSettings, optional
        What the user says about the column.
    base : ColumnReading, optional
        What the user says about the cells of all columns.
    weights : ndarray of int64, optional
        How often each cell counts.
    """
    known = base if said is None else said.reading(base)
    found = detected(values, None if said is None else said.kind, known, weights)
    if found.said is not None:
        warnings.warn(visible(found.said), ReadingWarning, stacklevel=2)
    return found.reading


def _check_columns(frame: pd.DataFrame, said: Mapping[str, ColumnSettings]) -> None:
    for name in said:
        if name not in frame.columns:
            known = ", ".join(map(str, frame.columns[:10])) + (", …" if frame.shape[1] > 10 else "")
            raise InputError(f"columns names {name!r}, which the table lacks; its columns are: {known}")


class PlainBinarizer:
    """A binarizer like `laconic.Binarizer` that does not import scikit-learn; for the command line.

    Parameters and attributes are those of `laconic.Binarizer`.
    """

    def __init__(
        self, cutting: Cutting, columns: Mapping[str, Said], base: ColumnReading | None = None
    ) -> None:
        self.cutting = cutting
        self.columns = columns
        self.base = base

    def fit(self, X: pd.DataFrame, y: NDArray[Any], sample_weight: ArrayLike | None = None) -> PlainBinarizer:
        """Choose the conditions."""
        frame = as_frame(X)
        weights = None if sample_weight is None else integer_weights(sample_weight, len(frame))[0]
        classes, codes = np.unique(y, return_inverse=True)
        labels = Classes(codes.astype(np.int64), classes.size)
        self._found = find_conditions(
            frame,
            self.cutting,
            self.columns,
            classes=labels,
            weights=weights,
            base=self.base,
            from_file=True,
        )
        self.features_ = self._found.features
        self.allowed_ = self._found.allowed
        self.ignored_columns_ = dict(self._found.ignored)
        self.kinds_ = dict(self._found.kinds)
        self.readings_ = dict(self._found.readings)
        self.derived_ = dict(self._found.derived)
        return self

    def transform(self, X: pd.DataFrame) -> NDArray[np.bool_]:
        """Return which conditions each row satisfies."""
        return self._found.matrix(as_frame(X))
