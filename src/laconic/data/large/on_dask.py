"""Training tables from dask DataFrames: partitions are reduced on the workers and merged in a tree.

Only counts are transferred. Labels and weights are counted first, then the values of each column, from which
the conditions are chosen as in memory; finally each worker turns its partitions into unique weighted rows.
Counts are integers, so the result depends neither on the number of partitions nor on the order in which
workers finish, and if a worker dies, its partitions are reduced again by another one.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from laconic.data.column import Column
from laconic.data.column_settings import ColumnSettings
from laconic.data.columns import (
    BinarizerWarning,
    Classes,
    ColumnFeatures,
    Cutting,
    as_features,
    column_features,
    guess_kind,
    number_pairs,
)
from laconic.data.conditions import Conditions, reading_of
from laconic.data.groups import Groups, table_of
from laconic.data.large import partitions
from laconic.data.large.fitted import checked_parameters, fitted_binarizer
from laconic.data.large.partitions import LabelKey, Partition, Roles, ValueCounts
from laconic.data.large.ranges import MAX_VALUES, Ranges, ranges_for
from laconic.data.large.wording import Wording
from laconic.data.notes import summary_note
from laconic.data.reading.column_reading import ColumnReading, cells_of
from laconic.data.table import Table
from laconic.data.targets import checked_labels, encode_labels
from laconic.data.training import TrainingTable, class_codes, named_classes
from laconic.data.weights import ScaledWeights, added_scaling, scaling
from laconic.runtime.errors import InputError
from laconic.runtime.texts import visible

FAN_IN = 8
"""Number of counts that are merged in one task."""


def from_dask(
    X: Any, y: Any, sample_weight: Any, binarizer: Any, classes: ArrayLike | None = None
) -> TrainingTable:
    """Reduce a dask DataFrame on the workers that hold its partitions.

    Parameters
    ----------
    X : dask.dataframe.DataFrame
    y : str or dask.dataframe.Series
        The labels: a column of ``X``, or a series with the same partitions.
    sample_weight : str or dask.dataframe.Series, optional
        The weights: likewise a column of ``X`` or a series.
    binarizer : Binarizer
        Its parameters say how columns become conditions; it is not changed.
    classes : array-like, optional
        All possible labels, if the rows may lack some of them.
    """
    table = _Partitioned(X, y, sample_weight)
    names = table.names
    cutting, said = checked_parameters(binarizer, names)
    kinds = _only_kinds(said)
    labels, key, scaled = _key(table, None if classes is None else named_classes(classes))
    n_classes = int(labels.size)
    counted = table.reduced(
        partial(partitions.column_counts, key=key, n_classes=n_classes), partitions.merged_columns
    )
    found: dict[str, ColumnFeatures] = {}
    columns, notes = [], []
    for name in names:
        if counted[name].values is None:
            if kinds.get(name) not in {None, "numeric"} or not pd.api.types.is_numeric_dtype(
                table.dtypes[name]
            ):
                raise InputError(
                    f"column {name!r} has more than {MAX_VALUES} different values, too many for categories; "
                    f"leave it out"
                )
            numbers = _PartitionedNumbers(table, key, name, n_classes)
            found[name], note = _many_numbers(numbers, name, cutting, counted[name].has_missing)
            notes += [] if note is None else [note]
            columns.append(Column(name, "numeric"))
            continue
        found[name], reading = _features(counted[name], cutting, kinds.get(name))
        cells = cells_of(counted[name].values, reading)
        columns.append(Column(name, kinds.get(name) or guess_kind(cells), reading))
    fitted = fitted_binarizer(binarizer, found, {column.name: column.reading for column in columns})
    conditions = Conditions(fitted.features_, fitted.ignored_columns_, readings=fitted.readings_)
    groups = table.reduced(
        partial(partitions.groups, key=key, conditions=conditions), partitions.merged_groups
    )
    merged = table_of(
        groups,
        n_features=len(fitted.features_),
        n_classes=n_classes,
        allowed=fitted.allowed_,
        scale=scaled.scale,
    )
    for note in notes:
        warnings.warn(visible(note), BinarizerWarning, stacklevel=2)
    return TrainingTable(merged, fitted, labels, tuple(columns), notes=(*scaled.notes, *notes))


def added_rows(training: TrainingTable, X: Any, y: Any, sample_weight: Any) -> tuple[Groups, ScaledWeights]:
    """Return new rows in terms of the conditions and classes of a training table, with their weights' scale.

    Parameters
    ----------
    training : TrainingTable
    X, y, sample_weight
        As for `from_dask`.
    """
    table = _Partitioned(X, y, sample_weight)
    _, key, scaled = _key(table, training.classes, training.table)
    count = partial(partitions.added, key=key, wording=Wording.of(training))
    groups: Groups = table.reduced(count, partitions.merged_groups)
    return groups, scaled


def columns_of(X: Any, y: Any, sample_weight: Any) -> list[str]:
    """Return the columns of a dask DataFrame other than labels and weights."""
    return _Partitioned(X, y, sample_weight).names


class _Partitioned:
    """The partitions of a table with their labels and weights, each as a task that can be run again."""

    def __init__(self, X: Any, y: Any, sample_weight: Any) -> None:
        if not hasattr(X, "to_delayed") or not hasattr(X, "columns") or X.ndim != 2:
            raise InputError(f"a {type(X).__name__} of dask cannot be learned from; give a dask DataFrame")
        columns = list(X.columns)
        if not all(isinstance(name, str) for name in columns):
            raise InputError("the columns of a dask DataFrame must all have text names; rename them")
        target, weight = (one if isinstance(one, str) else None for one in (y, sample_weight))
        for role, name in (("y", target), ("sample_weight", weight)):
            if name is not None and name not in columns:
                shown = ", ".join(columns[:10]) + (", …" if len(columns) > 10 else "")
                raise InputError(f"{role} names column {name!r}, which X lacks; its columns are: {shown}")
        frames = X.to_delayed()
        labels = _aligned(y, "y", len(frames))
        weights = _aligned(sample_weight, "sample_weight", len(frames), optional=True)
        self.names = [name for name in columns if name not in {target, weight}]
        if not self.names:
            raise InputError("the table has no columns to learn from")
        self.dtypes = dict(X.dtypes.items())
        self._given = X, y, sample_weight
        self._parts = list(zip(frames, labels, weights, strict=True))
        self._roles = Roles(tuple(self.names), target, weight)

    def only(self, name: str) -> _Partitioned:
        """Return the table with one feature column, so that the others are not read."""
        X, y, sample_weight = self._given
        used = [one for one in (name, self._roles.target, self._roles.weight) if one is not None]
        return _Partitioned(X[used], y, sample_weight)

    def reduced(self, count: Callable[..., Any], merge: Callable[[Sequence[Any]], Any]) -> Any:
        """Count in every partition and merge the counts in a tree, on the workers."""
        from dask.base import compute
        from dask.delayed import delayed

        one = delayed(_counted, pure=False)
        level = [
            one(frame, labels, weights, self._roles, count, k)
            for k, (frame, labels, weights) in enumerate(self._parts)
        ]
        many = delayed(merge, pure=False)
        while len(level) > 1:
            level = [many(level[i : i + FAN_IN]) for i in range(0, len(level), FAN_IN)]
        (result,) = compute(many(level))
        return result


def _counted(
    frame: pd.DataFrame, labels: Any, weights: Any, roles: Roles, count: Callable[..., Any], k: int
) -> Any:
    try:
        return count(Partition.of(frame, labels, weights, roles))
    except InputError as error:
        raise InputError(f"in partition {k}: {error}") from error


def _aligned(one: Any, name: str, n: int, *, optional: bool = False) -> list[Any]:
    """Return the partitions of labels or weights that are not a column of the table."""
    if isinstance(one, str) or (optional and one is None):
        return [None] * n
    if not hasattr(one, "to_delayed") or getattr(one, "ndim", None) != 1:
        raise InputError(f"with a dask DataFrame, {name} must be a dask Series or the name of a column")
    parts: list[Any] = list(one.to_delayed())
    if len(parts) != n:
        raise InputError(f"{name} has {len(parts)} partitions, but X has {n}; partition both alike")
    return parts


def _key(
    table: _Partitioned, classes: NDArray[Any] | None, old: Table | None = None
) -> tuple[NDArray[Any], LabelKey, ScaledWeights]:
    """Assign numbers to classes (by default those that occur) and scale the weights, from their counts.

    ``old`` is the table that the rows are to be added to, if there is one.
    """
    labels, weights = table.reduced(partial(partitions.label_counts, scale=None), _merged_labels)
    if labels.values is None:
        raise InputError(f"there are more than {MAX_VALUES} different labels; is y the target?")
    if len(labels.values) == 0:
        raise InputError("the table has no rows; give at least one row per class")
    if labels.has_missing:
        n = int(labels.counts[labels.values.isna().to_numpy()].sum())
        raise InputError(f"the label is missing in {n} rows; drop those rows or give them a class")
    checked = checked_labels(labels.values, len(labels.values))
    scaled = ScaledWeights(Fraction(1))
    if old is not None:
        counted = (np.ones(1), labels.counts.sum(keepdims=True).reshape(1)) if weights is None else weights
        scaled = added_scaling(old.scale, old.total_weight, *counted)
    elif weights is not None:
        scaled = scaling(*weights)
    if weights is not None:
        weighing, _ = table.reduced(partial(partitions.label_counts, scale=scaled.scale), _merged_labels)
        checked = checked[labels.values.isin(weighing.values).to_numpy()]
    if classes is None:
        classes, _ = encode_labels(checked, weighted=weights is not None)
    else:
        class_codes(checked, classes)
    numbers = {label: k for k, label in enumerate(classes.tolist())}
    return classes, LabelKey(numbers, scaled.scale), scaled


def _merged_labels(parts: Sequence[tuple[ValueCounts, Any]]) -> tuple[ValueCounts, Any]:
    labels = partitions.merged_counts([part for part, _ in parts])
    if parts[0][1] is None:
        return labels, None
    return labels, partitions.merged_weights([weights for _, weights in parts])


def _features(
    counted: ValueCounts, cutting: Cutting, kind: str | None
) -> tuple[ColumnFeatures, ColumnReading | None]:
    """Choose the conditions of a column from its values, each as one cell per class in which it occurs."""
    assert counted.values is not None
    which, classes = np.nonzero(counted.counts)
    values = counted.values.iloc[which].reset_index(drop=True)
    units = counted.counts[which, classes]
    reading = reading_of(values, None if kind is None else ColumnSettings(kind=kind), None, units)
    cells = cells_of(values, reading)
    labels = Classes(classes.astype(np.int64), counted.counts.shape[1])
    return column_features(cells, cutting, labels, kind, units), reading


def _only_kinds(said: Mapping[str, ColumnSettings]) -> dict[str, str]:
    """Return the kinds of columns; other settings are refused on a cluster."""
    for name, one in said.items():
        if one != ColumnSettings(kind=one.kind):
            raise InputError(
                f"column {name!r}: on a cluster only the kind of a column can be set; read the table into "
                f"memory, or from files, for other settings"
            )
    return {name: one.kind for name, one in said.items() if one.kind is not None}


def _many_numbers(
    numbers: _PartitionedNumbers, name: str, cutting: Cutting, has_missing: bool
) -> tuple[ColumnFeatures, str | None]:
    ranges, exact = ranges_for(numbers, cutting)
    by_class = ranges.counts if cutting.method == "entropy" else None
    pairs, reason = number_pairs(name, ranges.low, ranges.high, ranges.totals, by_class, cutting)
    features = as_features(pairs, name, has_missing=has_missing)
    note = None if exact else summary_note(name, ranges.low.size, MAX_VALUES)
    return ColumnFeatures(features, None if features else reason), note


class _PartitionedNumbers:
    """The numbers of one column, for `laconic.data.large.ranges`."""

    def __init__(self, table: _Partitioned, key: LabelKey, name: str, n_classes: int) -> None:
        self._table = table.only(name)
        self._of_column: dict[str, Any] = {"key": key, "name": name}
        self._n_classes = n_classes

    def extent(self) -> tuple[float, float]:
        """Return the smallest and the largest number."""
        low, high = self._table.reduced(partial(partitions.extent, **self._of_column), _widest)
        return float(low), float(high)

    def stretches(self, low: float, high: float, n: int) -> Ranges:
        """Return the numbers from ``low`` to ``high`` in at most ``n`` ranges."""
        span = (low, high)
        count = partial(partitions.stretches, **self._of_column, n_classes=self._n_classes, span=span, n=n)
        ranges: Ranges = self._table.reduced(count, partial(partitions.merged_stretches, span=span, n=n))
        return ranges

    def values(self, spans: Sequence[tuple[float, float]]) -> Ranges:
        """Return the distinct numbers inside some spans."""
        count = partial(partitions.span_values, **self._of_column, n_classes=self._n_classes, spans=spans)
        ranges: Ranges = self._table.reduced(count, partitions.merged_values)
        return ranges


def _widest(parts: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return min(low for low, _ in parts), max(high for _, high in parts)
