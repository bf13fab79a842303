"""What is counted in one partition of a table, and how two counts become one.

These functions run on the workers of a cluster. They see plain DataFrames and return counts, which merge in
any order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from laconic.data.cells import Cells
from laconic.data.columns import refuse_inexact
from laconic.data.conditions import Conditions
from laconic.data.frame import as_frame
from laconic.data.groups import Groups, merge
from laconic.data.large.ranges import MOST_VALUES, Ranges, stretch_of
from laconic.data.large.wording import Wording
from laconic.runtime.errors import InputError


@dataclass(frozen=True)
class Roles:
    """The columns to learn from; labels and weights, if they are columns of the table at all."""

    names: tuple[str, ...]
    target: str | None
    weight: str | None


@dataclass(frozen=True, eq=False)
class Part:
    """One partition: the columns to learn from, labels and weights."""

    frame: pd.DataFrame
    labels: pd.Series[Any]
    weights: pd.Series[Any] | None

    @classmethod
    def of(cls, frame: pd.DataFrame, labels: Any, weights: Any, roles: Roles) -> Part:
        """Take a partition apart."""
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
class Counted:
    """Distinct values with counts: ``counts`` has one row per value, and one column per class or weight.

    ``values`` is ``None`` once there are too many of them.
    """

    values: pd.Series[Any] | None
    counts: NDArray[np.int64]
    has_missing: bool

    @classmethod
    def of(cls, values: pd.Series[Any], columns: NDArray[np.int64], units: Any, n_columns: int) -> Counted:
        """Count the cells of a column; ``columns`` says where each counts, ``units`` how much."""
        codes, first = _factorized(values)
        if first.size > MOST_VALUES:
            return cls(None, np.zeros((0, n_columns), np.int64), bool(values.isna().any()))
        counts = np.zeros((first.size, n_columns), np.int64)
        np.add.at(counts, (codes, columns), units)
        return cls(values.iloc[first].reset_index(drop=True), counts, bool(values.isna().any()))


def merged_counts(parts: Sequence[Counted]) -> Counted:
    """Return the counts of several partitions as one."""
    has_missing = any(part.has_missing for part in parts)
    counts = np.concatenate([part.counts for part in parts])
    series = [part.values for part in parts if part.values is not None]
    if len(series) < len(parts):
        return Counted(None, counts[:0], has_missing)
    values = joined(series)
    codes, first = _factorized(values)
    if first.size > MOST_VALUES:
        return Counted(None, counts[:0], has_missing)
    totals = np.zeros((first.size, counts.shape[1]), np.int64)
    np.add.at(totals, codes, counts)
    return Counted(values.iloc[first].reset_index(drop=True), totals, has_missing)


def joined(series: Sequence[pd.Series[Any]]) -> pd.Series[Any]:
    """Put pieces of a column together, in the type that the whole column has."""
    name = str(series[0].name)
    filled = [one for one in series if len(one)] or list(series[:1])
    if all(isinstance(one.dtype, pd.CategoricalDtype) for one in filled):
        united = pd.api.types.union_categoricals(filled, ignore_order=True)
        return pd.Series(united, name=name)
    return pd.concat(filled, ignore_index=True).rename(name)


def label_counts(part: Part, weights: NDArray[np.float64] | None) -> tuple[Counted, Any]:
    """Count the labels of a partition, and its weights; with known weights, labels by weight."""
    n = len(part.labels)
    if weights is None or part.weights is None:
        labels = Counted.of(part.labels, np.zeros(n, np.int64), 1, 1)
        if part.weights is None:
            return labels, None
        return labels, _weight_counts(part.weights)
    position = np.searchsorted(weights, Cells(part.weights).numbers)
    present = position < weights.size
    present[present] &= weights[position[present]] == Cells(part.weights).numbers[present]
    return Counted.of(part.labels[present], np.zeros(int(present.sum()), np.int64), 1, 1), None


def _weight_counts(weights: pd.Series[Any]) -> dict[float, int]:
    numbers = Cells(weights).numbers
    bad = ~(np.isfinite(numbers) & (numbers >= 0))
    if bad.any():
        raise InputError(
            f"{int(bad.sum())} weights of a partition are missing, infinite or negative; weights must be "
            f"numbers of at least 0"
        )
    distinct, counts = np.unique(numbers, return_counts=True)
    if distinct.size > MOST_VALUES:
        raise InputError(f"there are more than {MOST_VALUES} different weights; round them")
    return dict(zip(distinct.tolist(), counts.tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class Key:
    """What labels and weights mean: class numbers and integer units."""

    classes: Mapping[Any, int]
    weights: NDArray[np.float64] | None
    units: NDArray[np.int64] | None

    def applied(self, part: Part) -> tuple[pd.DataFrame, NDArray[np.int64], NDArray[np.int64]]:
        """Return the rows that weigh something, their classes and their units."""
        frame, labels = part.frame, part.labels
        if self.weights is None or self.units is None:
            units = np.ones(len(frame), np.int64)
        else:
            numbers = Cells(part.weights).numbers  # type: ignore[arg-type]
            position = np.minimum(np.searchsorted(self.weights, numbers), self.weights.size - 1)
            units = np.where(self.weights[position] == numbers, self.units[position], 0)
            frame, labels, units = frame[units > 0], labels[units > 0], units[units > 0]
        codes, first = _factorized(labels)
        numbers_of = np.array([self.classes[_plain(value)] for value in labels.iloc[first]], np.int64)
        return frame, numbers_of[codes] if first.size else np.empty(0, np.int64), units


def column_counts(part: Part, key: Key, n_classes: int) -> dict[str, Counted]:
    """Count the values of every column by class."""
    frame, classes, units = key.applied(part)
    if len(frame) == 0:
        return {
            str(name): Counted(frame[name], np.zeros((0, n_classes), np.int64), False)
            for name in frame.columns
        }
    frame = as_frame(frame)
    return {str(name): Counted.of(frame[name], classes, units, n_classes) for name in frame.columns}


def merged_columns(parts: Sequence[dict[str, Counted]]) -> dict[str, Counted]:
    """Return the counts of several partitions as one, column by column."""
    return {name: merged_counts([part[name] for part in parts]) for name in parts[0]}


def groups(part: Part, key: Key, conditions: Conditions) -> Groups:
    """Return the unique weighted rows of a partition."""
    frame, classes, units = key.applied(part)
    matrix = (
        conditions.matrix(as_frame(frame)) if len(frame) else np.zeros((0, len(conditions.features)), bool)
    )
    return Groups.of(matrix, classes, units)


def added(part: Part, key: Key, wording: Wording) -> Groups:
    """Return the unique weighted rows of a partition in conditions that were found before."""
    frame, classes, units = key.applied(part)
    matrix = np.zeros((0, len(wording.features)), bool)
    if len(frame):
        matrix = wording.matrix(wording.view(frame), np.ones(len(frame), bool))
    return Groups.of(matrix, classes, units)


def merged_groups(parts: Sequence[Groups]) -> Groups:
    """Return the rows of several partitions as one."""
    return merge(parts)


def extent(part: Part, key: Key, name: str) -> tuple[float, float]:
    """Return the smallest and the largest number of a column."""
    cells = Cells(key.applied(part)[0][name])
    refuse_inexact(cells)
    numbers = cells.numbers
    known = numbers[~np.isnan(numbers)]
    return (float(known.min()), float(known.max())) if known.size else (np.inf, -np.inf)


def stretches(part: Part, key: Key, name: str, n_classes: int, span: tuple[float, float], n: int) -> Ranges:
    """Return the numbers of a column inside a span in at most ``n`` ranges."""
    numbers, classes, units = _inside(part, key, name, [span])
    return _ranges(stretch_of(numbers, *span, n), numbers, numbers, classes, units, n_classes)


def span_values(
    part: Part, key: Key, name: str, n_classes: int, spans: Sequence[tuple[float, float]]
) -> Ranges:
    """Return the distinct numbers of a column inside some spans."""
    numbers, classes, units = _inside(part, key, name, spans)
    return _ranges(numbers, numbers, numbers, classes, units, n_classes)


def merged_stretches(parts: Sequence[Ranges], span: tuple[float, float], n: int) -> Ranges:
    """Return stretches of several partitions as one."""
    low, high, counts = _stacked(parts)
    return _ranges_of_counts(stretch_of(low, *span, n), low, high, counts)


def merged_values(parts: Sequence[Ranges]) -> Ranges:
    """Return values of several partitions as one."""
    low, high, counts = _stacked(parts)
    return _ranges_of_counts(low, low, high, counts)


def _stacked(parts: Sequence[Ranges]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    return (
        np.concatenate([part.low for part in parts]),
        np.concatenate([part.high for part in parts]),
        np.concatenate([part.counts for part in parts]),
    )


def _inside(
    part: Part, key: Key, name: str, spans: Sequence[tuple[float, float]]
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
    """Return a code per cell and where each code first occurs; missing cells have one code."""
    plain = values
    if values.dtype == np.dtype(object):
        # For Python 1 and True are one value; as keys with their type they are two.
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
