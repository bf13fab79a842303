"""Counts in one partition of a table, and their merging.

These functions run on the workers of a cluster. They take plain DataFrames and return counts, which can be
merged in any order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from laconic.data.cells import Cells
from laconic.data.columns import refuse_inexact
from laconic.data.conditions import Conditions
from laconic.data.frame import as_frame
from laconic.data.groups import Groups, merge
from laconic.data.large.ranges import MAX_VALUES, Ranges, stretch_of
from laconic.data.large.wording import Wording
from laconic.data.weights import MAX_WEIGHTS, units_of
from laconic.runtime.errors import InputError


@dataclass(frozen=True)
class Roles:
    """The columns to learn from, and the label and weight columns if the table contains them."""

    names: tuple[str, ...]
    target: str | None
    weight: str | None


@dataclass(frozen=True, eq=False)
class Partition:
    """One partition: the columns to learn from, labels and weights."""

    frame: pd.DataFrame
    labels: pd.Series[Any]
    weights: pd.Series[Any] | None

    @classmethod
    def of(cls, frame: pd.DataFrame, labels: Any, weights: Any, roles: Roles) -> Partition:
        """Split a partition into columns, labels and weights."""
        used = [*roles.names, *(name for name in (roles.target, roles.weight) if name is not None)]
        absent = [name for name in used if name not in frame.columns]
        if absent:
            raise InputError(f"the partition lacks column {absent[0]!r}, which the table has")
        if roles.target is not None:
            labels = frame[roles.target]
        if roles.weight is not None:
            weights = frame[roles.weight]
        for name, one in (("y", labels), ("sample_weight", weights)):
            if one is not None and len(one) != len(frame):
                raise InputError(
                    f"a partition of {name} has {len(one)} rows, but that of X has {len(frame)}; "
                    f"partition both alike"
                )
        return cls(frame[list(roles.names)], labels, weights)


@dataclass(frozen=True, eq=False)
class ValueCounts:
    """Distinct values with counts: ``counts`` has one row per value, and one column per class or weight.

    ``values`` is ``None`` if there are too many of them.
    """

    values: pd.Series[Any] | None
    counts: NDArray[np.int64]
    has_missing: bool

    @classmethod
    def of(
        cls, values: pd.Series[Any], columns: NDArray[np.int64], units: Any, n_columns: int
    ) -> ValueCounts:
        """Count the cells of a column; ``columns`` is where to count each cell, ``units`` is its weight."""
        codes, first = _factorized(values)
        if first.size > MAX_VALUES:
            return cls(None, np.zeros((0, n_columns), np.int64), bool(values.isna().any()))
        counts = np.zeros((first.size, n_columns), np.int64)
        np.add.at(counts, (codes, columns), units)
        return cls(values.iloc[first].reset_index(drop=True), counts, bool(values.isna().any()))


def merged_counts(parts: Sequence[ValueCounts]) -> ValueCounts:
    """Merge the counts of several partitions."""
    has_missing = any(part.has_missing for part in parts)
    counts = np.concatenate([part.counts for part in parts])
    series = [part.values for part in parts if part.values is not None]
    if len(series) < len(parts):
        return ValueCounts(None, counts[:0], has_missing)
    values = joined(series)
    codes, first = _factorized(values)
    if first.size > MAX_VALUES:
        return ValueCounts(None, counts[:0], has_missing)
    totals = np.zeros((first.size, counts.shape[1]), np.int64)
    np.add.at(totals, codes, counts)
    return ValueCounts(values.iloc[first].reset_index(drop=True), totals, has_missing)


def joined(series: Sequence[pd.Series[Any]]) -> pd.Series[Any]:
    """Concatenate pieces of a column, with the type of the whole column."""
    name = str(series[0].name)
    filled = [one for one in series if len(one)] or list(series[:1])
    if all(isinstance(one.dtype, pd.CategoricalDtype) for one in filled):
        united = pd.api.types.union_categoricals(filled, ignore_order=True)
        return pd.Series(united, name=name)
    return pd.concat(filled, ignore_index=True).rename(name)


WeightCounts = tuple[NDArray[np.float64], NDArray[np.int64]]
"""Different weights, and the number of rows of each."""


def label_counts(part: Partition, scale: Fraction | None) -> tuple[ValueCounts, WeightCounts | None]:
    """Count the labels of a partition and its weights; given their scale, the labels of rows that weigh."""
    n = len(part.labels)
    if scale is None or part.weights is None:
        labels = ValueCounts.of(part.labels, np.zeros(n, np.int64), 1, 1)
        if part.weights is None:
            return labels, None
        return labels, _weight_counts(part.weights)
    present = units_of(Cells(part.weights).numbers, scale) > 0
    return ValueCounts.of(part.labels[present], np.zeros(int(present.sum()), np.int64), 1, 1), None


def _weight_counts(weights: pd.Series[Any]) -> WeightCounts:
    numbers = Cells(weights).numbers
    bad = ~(np.isfinite(numbers) & (numbers >= 0))
    if bad.any():
        raise InputError(
            f"{int(bad.sum())} weights of a partition are missing, infinite or negative; weights must be "
            f"numbers of at least 0"
        )
    return np.unique(numbers, return_counts=True)


def merged_weights(parts: Sequence[WeightCounts]) -> WeightCounts:
    """Merge the weights of several partitions."""
    distinct, place = np.unique(np.concatenate([weights for weights, _ in parts]), return_inverse=True)
    if distinct.size > MAX_WEIGHTS:
        raise InputError(f"there are more than {MAX_WEIGHTS} different weights; round them")
    totals = np.zeros(distinct.size, np.int64)
    np.add.at(totals, place, np.concatenate([counts for _, counts in parts]))
    return distinct, totals


@dataclass(frozen=True, eq=False)
class LabelKey:
    """The mapping from labels to class numbers, and the scale of the weights."""

    classes: Mapping[Any, int]
    scale: Fraction

    def applied(self, part: Partition) -> tuple[pd.DataFrame, NDArray[np.int64], NDArray[np.int64]]:
        """Return the rows of positive weight, their classes and their units."""
        frame, labels = part.frame, part.labels
        numbers = np.ones(len(frame)) if part.weights is None else Cells(part.weights).numbers
        units = units_of(numbers, self.scale)
        frame, labels, units = frame[units > 0], labels[units > 0], units[units > 0]
        codes, first = _factorized(labels)
        numbers_of = np.array([self.classes[_plain(value)] for value in labels.iloc[first]], np.int64)
        return frame, numbers_of[codes] if first.size else np.empty(0, np.int64), units


def column_counts(part: Partition, key: LabelKey, n_classes: int) -> dict[str, ValueCounts]:
    """Count the values of every column by class."""
    frame, classes, units = key.applied(part)
    if len(frame) == 0:
        return {
            str(name): ValueCounts(frame[name], np.zeros((0, n_classes), np.int64), False)
            for name in frame.columns
        }
    frame = as_frame(frame)
    return {str(name): ValueCounts.of(frame[name], classes, units, n_classes) for name in frame.columns}


def merged_columns(parts: Sequence[dict[str, ValueCounts]]) -> dict[str, ValueCounts]:
    """Merge the counts of several partitions, column by column."""
    return {name: merged_counts([part[name] for part in parts]) for name in parts[0]}


def groups(part: Partition, key: LabelKey, conditions: Conditions) -> Groups:
    """Return the unique weighted rows of a partition."""
    frame, classes, units = key.applied(part)
    matrix = (
        conditions.matrix(as_frame(frame)) if len(frame) else np.zeros((0, len(conditions.features)), bool)
    )
    return Groups.of(matrix, classes, units)


def added(part: Partition, key: LabelKey, wording: Wording) -> Groups:
    """Return the unique weighted rows of a partition in terms of known conditions."""
    frame, classes, units = key.applied(part)
    matrix = np.zeros((0, len(wording.features)), bool)
    if len(frame):
        matrix = wording.matrix(wording.view(frame), np.ones(len(frame), bool))
    return Groups.of(matrix, classes, units)


def merged_groups(parts: Sequence[Groups]) -> Groups:
    """Merge the rows of several partitions."""
    return merge(parts)


def extent(part: Partition, key: LabelKey, name: str) -> tuple[float, float]:
    """Return the smallest and the largest number of a column."""
    cells = Cells(key.applied(part)[0][name])
    refuse_inexact(cells)
    numbers = cells.numbers
    known = numbers[~np.isnan(numbers)]
    return (float(known.min()), float(known.max())) if known.size else (np.inf, -np.inf)


def stretches(
    part: Partition, key: LabelKey, name: str, n_classes: int, span: tuple[float, float], n: int
) -> Ranges:
    """Return the numbers of a column inside a span in at most ``n`` ranges."""
    numbers, classes, units = _inside(part, key, name, [span])
    return _ranges(stretch_of(numbers, *span, n), numbers, numbers, classes, units, n_classes)


def span_values(
    part: Partition, key: LabelKey, name: str, n_classes: int, spans: Sequence[tuple[float, float]]
) -> Ranges:
    """Return the distinct numbers of a column inside some spans."""
    numbers, classes, units = _inside(part, key, name, spans)
    return _ranges(numbers, numbers, numbers, classes, units, n_classes)


def merged_stretches(parts: Sequence[Ranges], span: tuple[float, float], n: int) -> Ranges:
    """Merge the stretches of several partitions."""
    low, high, counts = _stacked(parts)
    return _ranges_of_counts(stretch_of(low, *span, n), low, high, counts)


def merged_values(parts: Sequence[Ranges]) -> Ranges:
    """Merge the values of several partitions."""
    low, high, counts = _stacked(parts)
    return _ranges_of_counts(low, low, high, counts)


def _stacked(parts: Sequence[Ranges]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    return (
        np.concatenate([part.low for part in parts]),
        np.concatenate([part.high for part in parts]),
        np.concatenate([part.counts for part in parts]),
    )


def _inside(
    part: Partition, key: LabelKey, name: str, spans: Sequence[tuple[float, float]]
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    frame, classes, units = key.applied(part)
    numbers = Cells(frame[name]).numbers
    kept = np.zeros(numbers.size, bool)
    for low, high in spans:
        kept |= (numbers >= low) & (numbers <= high)
    return numbers[kept], classes[kept], units[kept]


def _ranges(
    keys: NDArray[Any],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    classes: NDArray[np.int64],
    units: NDArray[np.int64],
    n_classes: int,
) -> Ranges:
    counts = np.zeros((keys.size, n_classes), np.int64)
    counts[np.arange(keys.size), classes] = units
    return _ranges_of_counts(keys, low, high, counts)


def _ranges_of_counts(
    keys: NDArray[Any], low: NDArray[np.float64], high: NDArray[np.float64], counts: NDArray[np.int64]
) -> Ranges:
    distinct, group_of = np.unique(keys, return_inverse=True)
    lows, highs = np.full(distinct.size, np.inf), np.full(distinct.size, -np.inf)
    np.minimum.at(lows, group_of, low)
    np.maximum.at(highs, group_of, high)
    totals = np.zeros((distinct.size, counts.shape[1]), np.int64)
    np.add.at(totals, group_of, counts)
    return Ranges(lows, highs, totals)


def _factorized(values: pd.Series[Any]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return a code per cell and the first position of each code; all missing cells have one code."""
    plain = values
    if values.dtype == np.dtype(object):
        # Python considers 1 and True equal; with their types as part of the key they differ.
        keys = [
            None if missing else (type(cell), cell)
            for cell, missing in zip(values, values.isna(), strict=True)
        ]
        plain = pd.Series(keys, dtype=object)
    codes, _ = pd.factorize(plain, use_na_sentinel=True)
    codes = np.where(codes < 0, codes.max(initial=-1) + 1, codes)
    _, first = np.unique(codes, return_index=True)
    return codes, first


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
