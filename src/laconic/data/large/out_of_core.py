"""Training tables from files larger than memory: count, cut, encode, group.

Each column is counted separately, and its conditions are chosen by the same rules as in memory. One query
then turns every row into a few integers, which hold the codes of its columns, and groups equal ones; DuckDB
does both within its memory limit and uses the disk beyond it. Only the unique weighted rows are returned.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from laconic.data.binarize import Binarizer
from laconic.data.bits import pack_rows
from laconic.data.cells import Cells
from laconic.data.column import Column
from laconic.data.column_settings import ColumnSettings
from laconic.data.columns import (
    BinarizerWarning,
    Classes,
    ColumnFeatures,
    Cutting,
    as_features,
    category_pairs,
    guess_kind,
    number_pairs,
)
from laconic.data.conditions import reading_of
from laconic.data.groups import Groups, table_of
from laconic.data.large.codes import Code, number_code, value_code
from laconic.data.large.fitted import checked_parameters, fitted_binarizer
from laconic.data.large.ranges import MAX_VALUES, ranges_for
from laconic.data.large.rows import ParquetRows, RowNumbers
from laconic.data.notes import summary_note
from laconic.data.reading.column_reading import ColumnReading, cells_of
from laconic.data.reading.detect import detected
from laconic.data.reading.identifiers import row_number_reason
from laconic.data.shaped import shaped_features
from laconic.data.training import TrainingTable
from laconic.runtime.errors import InputError
from laconic.runtime.texts import visible

_MAX_KEY = 2**62
"""Upper limit of an integer that holds the codes of several columns."""

_BYTES_PER_ROW = 64
"""Bytes per unique row while rows are merged, in addition to its conditions and weights."""

_N_LOOKED_AT = 5000
"""Number of texts of a column that are looked at to find out how it is to be read, if it has very many."""

_BLOCK_ROWS = 2**16
"""Number of grouped rows that are unpacked into conditions at a time."""


@dataclass(frozen=True, eq=False)
class _ColumnResult:
    """The conditions and the code of one column."""

    features: ColumnFeatures
    kind: str
    code: Code | None
    note: str | None = None
    reading: ColumnReading | None = None


def training_table(
    rows: ParquetRows,
    names: Sequence[str],
    binarizer: Binarizer,
    base: ColumnReading | None = None,
    *,
    from_file: bool = False,
) -> TrainingTable:
    """Reduce the rows to the table that a fit needs.

    Parameters
    ----------
    rows : ParquetRows
    names : sequence of str
        The columns to learn from.
    binarizer : Binarizer
        Its parameters say how columns become conditions; it is not changed.
    base : ColumnReading, optional
        What the user has said about the cells of all columns.
    from_file : bool
        As for `laconic.data.conditions.find_conditions`.
    """
    cutting, said = checked_parameters(binarizer, names)
    rows.refuse_odd_types(names)
    finder = _Finder(rows, cutting, base, from_file=from_file and len(names) > 1)
    estimates = rows.distinct_estimates(names)
    found = {
        name: finder.find(k, name, said.get(name), estimates[name] > MAX_VALUES)
        for k, name in enumerate(names)
    }
    fitted = fitted_binarizer(
        binarizer,
        {name: one.features for name, one in found.items()},
        {name: one.reading for name, one in found.items()},
    )
    table = table_of(
        _grouped(rows, {name: one.code for name, one in found.items() if one.code is not None}),
        n_features=len(fitted.features_),
        n_classes=rows.classes.size,
        allowed=fitted.allowed_,
        scale=rows.scale,
    )
    notes = tuple(one.note for one in found.values() if one.note is not None)
    for note in notes:
        warnings.warn(visible(note), BinarizerWarning, stacklevel=2)
    columns = tuple(Column(name, one.kind, one.reading) for name, one in found.items())
    return TrainingTable(table, fitted, rows.classes, columns, notes=(*rows.notes, *notes))


class _Finder:
    """Finds the conditions of one column at a time."""

    def __init__(
        self, rows: ParquetRows, cutting: Cutting, base: ColumnReading | None, *, from_file: bool
    ) -> None:
        self._rows = rows
        self._from_file = from_file
        self._cutting = cutting
        self._base = base
        self._by_class = cutting.method == "entropy"

    def find(self, k: int, name: str, said: ColumnSettings | None, many: bool) -> _ColumnResult:
        """Return conditions and code of the k-th column; ``many``: it may have many distinct values."""
        rows = self._rows
        kind = None if said is None else said.kind
        if self._from_file and said is None and rows.are_numbered_by(name):
            return _ColumnResult(ColumnFeatures((), row_number_reason(name)), "numeric", None)
        if many and name not in rows.source.orders:
            if said is not None and said != ColumnSettings(kind=kind):
                raise InputError(
                    f"column {name!r} has more than {MAX_VALUES} different values, too many for settings of "
                    f"its own out of core; read it into memory, or round its values"
                )
            if rows.is_date(name):
                raise InputError(
                    f"column {name!r} has more than {MAX_VALUES} different dates, too many out of core; "
                    f"round them to days or hours, or leave the column out"
                )
            if rows.is_number(name) and kind in {None, "numeric"}:
                return self._many_numbers(name)
            if not rows.is_number(name) and kind in {None, "category"}:
                return self._many_texts(k, name, kind)
            raise InputError(
                f"column {name!r} has more than {MAX_VALUES} different values, too many to be read as "
                f"{kind}; convert it in the file, or leave it out"
            )
        values = rows.values(name, by_class=self._by_class)
        reading = reading_of(values.cells, said, self._base, values.weights)
        cells = cells_of(values.cells, reading)
        classes = None if values.labels is None else Classes(values.labels, rows.classes.size)
        features = shaped_features(cells, self._cutting, classes, said, values.weights)
        kind = features.kind or kind or guess_kind(cells)
        if not features.features:
            return _ColumnResult(features, kind, None, reading=reading)
        plain = reading is None or reading.leaves_numbers
        if rows.is_number(name) and cells.is_numeric and plain and not cells.inexact.any():
            missing = bool(cells.missing.any())
            code = number_code(name, features.features, has_missing=missing, boolean=cells.is_boolean)
        else:
            # Counted by class, a value occurs several times; its first position is enough.
            unique = values.source.dictionary_encode().indices.to_pandas().fillna(-1)
            first = np.flatnonzero(~unique.duplicated().to_numpy())
            source, shown = values.source.take(first), cells_of(values.cells.iloc[first], reading)
            code = value_code(rows.duck, f"codes_{k}", source, shown, features.features)
        return _ColumnResult(features, kind, code, reading=reading)

    def _many_numbers(self, name: str) -> _ColumnResult:
        rows, cutting = self._rows, self._cutting
        n_classes = rows.classes.size if self._by_class else None
        ranges, exact = ranges_for(RowNumbers(rows, name, n_classes), cutting)
        has_missing = self._has_missing(name)
        by_class = ranges.counts if self._by_class else None
        pairs, reason = number_pairs(name, ranges.low, ranges.high, ranges.totals, by_class, cutting)
        features = as_features(pairs, name, has_missing=has_missing)
        note = None if exact else summary_note(name, ranges.low.size, MAX_VALUES)
        code = number_code(name, features, has_missing=has_missing, boolean=False) if features else None
        reading = reading_of(pd.Series([], dtype=float, name=name), None, self._base)
        return _ColumnResult(
            ColumnFeatures(features, None if features else reason), "numeric", code, note, reading
        )

    def _many_texts(self, k: int, name: str, kind: str | None) -> _ColumnResult:
        rows, limit = self._rows, self._cutting.max_categories
        rows.duck.run(
            f"CREATE OR REPLACE TEMP TABLE counted AS SELECT {rows.expression(name)} AS value, "
            f"{rows.weight_sum} AS weight FROM {rows.tables(labels=False)} GROUP BY ALL"
        )
        n_values, n_missing = rows.duck.row("SELECT count(value), count(*) - count(value) FROM counted")
        top = rows.duck.arrow(
            "SELECT value, weight FROM (SELECT * FROM counted WHERE value IS NOT NULL "
            f"ORDER BY weight DESC, value LIMIT {limit}) ORDER BY value"
        )
        self._refuse_reading(name, kind)
        rows.duck.run("DROP TABLE counted")
        values = top.column("value").to_pylist()
        weights, members = top.column("weight").to_numpy(), self._cutting.max_members
        pairs, reason = category_pairs(name, values, weights, n_values, members, asked=kind is not None)
        features = as_features(pairs, name, has_missing=n_missing > 0)
        if not features:
            return _ColumnResult(ColumnFeatures((), reason), "category", None)
        import pyarrow as pa

        # All unlisted texts are equal to the conditions. One such text stands for them; it is listed twice,
        # so that its pattern is the most common one.
        other = "x" * (1 + max(map(len, values)))
        source = pa.array([*values, *[other] * (len(values) + 2), *([None] if n_missing else [])])
        cells = Cells(rows.in_memory(name, source))
        return _ColumnResult(
            ColumnFeatures(features),
            "category",
            value_code(rows.duck, f"codes_{k}", source, cells, features),
            reading=self._base,
        )

    def _refuse_reading(self, name: str, kind: str | None) -> None:
        """Refuse texts that have to be read as something else: there are too many to look at each."""
        some = self._rows.duck.arrow(
            f"SELECT value FROM counted WHERE value IS NOT NULL ORDER BY value LIMIT {_N_LOOKED_AT}"
        )
        texts = pd.Series(some.column("value").to_pandas(), name=name)
        found = detected(texts, kind, self._base)
        if found.said is not None:
            raise InputError(
                f"{found.said}, but it has more than {MAX_VALUES} different texts, too many to read one by "
                f"one out of core; convert it in the file, use --decimal or --missing, or leave it out"
            )

    def _has_missing(self, name: str) -> bool:
        rows = self._rows
        query = f"SELECT count(*) FROM {rows.tables(labels=False)} WHERE ({rows.expression(name)}) IS NULL"
        return bool(rows.duck.row(query)[0])


def _grouped(rows: ParquetRows, codes: dict[str, Code]) -> Groups:
    """Encode every row, group equal ones, and unpack the codes into conditions."""
    n_features = sum(code.patterns.shape[1] for code in codes.values())
    keys = _keys(codes)
    joins = "".join(
        f" LEFT JOIN {code.lookup} j{k} ON ({rows.expression(name)}) = j{k}.value"
        for k, (name, code) in enumerate(codes.items())
        if code.lookup is not None
    )
    parts = [
        code.sql.format(x=f"({_compared(rows, name, code)})", code=f"j{k}.code")
        for k, (name, code) in enumerate(codes.items())
    ]
    shown = []
    for j, (members, radices) in enumerate(keys):
        terms = " + ".join(
            f"({parts[k]})::BIGINT * {radix}" for k, radix in zip(members, radices, strict=True)
        )
        shown.append(f"{terms} AS k{j}, ")
    rows.duck.run(
        f"CREATE OR REPLACE TEMP TABLE grouped AS SELECT {''.join(shown)}l.class AS label, "
        f"{rows.weight_sum} AS weight, count(*)::BIGINT AS samples "
        f"FROM {rows.tables(labels=True)}{joins} GROUP BY ALL"
    )
    _refuse_too_many(rows, n_features)
    found = rows.duck.arrow("SELECT * FROM grouped")
    rows.duck.run("DROP TABLE grouped")
    return _unpacked(found, list(codes.values()), keys, n_features)


def _compared(rows: ParquetRows, name: str, code: Code) -> str:
    expression = rows.expression(name)
    return f"({expression})::DOUBLE" if code.lookup is None else expression


def _keys(codes: dict[str, Code]) -> list[tuple[list[int], list[int]]]:
    """Distribute the columns over integers; return the columns in each integer, and their units."""
    keys: list[tuple[list[int], list[int]]] = []
    size = _MAX_KEY
    for k, code in enumerate(codes.values()):
        n_codes = code.patterns.shape[0]
        if size * n_codes >= _MAX_KEY:
            keys.append(([], []))
            size = 1
        keys[-1][0].append(k)
        keys[-1][1].append(size)
        size *= n_codes
    return keys


def _refuse_too_many(rows: ParquetRows, n_features: int) -> None:
    (n_rows,) = rows.duck.row("SELECT count(*) FROM grouped")
    needed = n_rows * (6 * (n_features // 8 + 8) + 24 * rows.classes.size + _BYTES_PER_ROW)
    if needed > rows.duck.memory * 0.6:
        raise InputError(
            f"the table still has {n_rows} different rows with {n_features} conditions, which do not fit in "
            f"a memory limit of {rows.duck.memory / 2**20:.0f} MiB; use fewer bins or columns, entropy "
            f"thresholds, or raise the limit"
        )


def _unpacked(
    found: Any, codes: Sequence[Code], keys: Sequence[tuple[list[int], list[int]]], n_features: int
) -> Groups:
    columns = [found.column(f"k{j}").to_numpy() for j in range(len(keys))]
    n_rows = found.num_rows
    first = np.cumsum([0, *(code.patterns.shape[1] for code in codes)])
    packed = []
    for start in range(0, n_rows, _BLOCK_ROWS):
        block = np.empty((min(_BLOCK_ROWS, n_rows - start), n_features), bool)
        for column, (members, radices) in zip(columns, keys, strict=True):
            for k, radix in zip(members, radices, strict=True):
                patterns = codes[k].patterns
                code = column[start : start + _BLOCK_ROWS] // radix % patterns.shape[0]
                block[:, first[k] : first[k + 1]] = patterns[code]
        packed.append(pack_rows(block))
    words = np.concatenate(packed) if packed else pack_rows(np.zeros((0, n_features), bool))
    return Groups(words, *(found.column(name).to_numpy() for name in ("label", "weight", "samples")))
