"""The rows of a large table and the roles of its columns: features, labels, weights.

DuckDB computes counts: of labels, of weights, of the values of one column at a time. Values are returned as
the column that reading the whole table into memory would give, only shorter, so the rules for columns in
memory apply unchanged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from laconic.data.cells import LARGEST_EXACT, has_large_doubles
from laconic.data.columns import inexact_number
from laconic.data.frame import as_frame
from laconic.data.large.duck import Duck, number_literal, parquet_scan, quoted
from laconic.data.large.ranges import Ranges
from laconic.data.read import with_types
from laconic.data.reading.identifiers import numbers_rows
from laconic.data.targets import checked_labels, encode_labels
from laconic.data.weights import MAX_WEIGHTS, scaling
from laconic.runtime.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

    from laconic.data.large.sources import ParquetSource

MAX_CLASSES = 10_000
"""Maximum number of labels: with more, the target column must be a mistake."""


@dataclass(frozen=True, eq=False)
class Values:
    """The distinct values of one column.

    Attributes
    ----------
    source : pyarrow.Array
        The values as they are in the files.
    cells : Series
        The values as they would be in memory, including missing ones.
    labels : ndarray of int64 or None
        The class of each value, if values were counted by class.
    weights : ndarray of int64
    """

    source: pa.Array
    cells: pd.Series[Any]
    labels: NDArray[np.int64] | None
    weights: NDArray[np.int64]


class ParquetRows:
    """A table in Parquet files, read through DuckDB.

    Parameters
    ----------
    duck : Duck
    source : ParquetSource
    target : str
        Name of the label column.
    weight : str, optional
        Name of the weight column.
    types : mapping of str to {"numeric", "category", "binary"}
        The kinds that the user has given to columns.
    """

    def __init__(
        self, duck: Duck, source: ParquetSource, target: str, weight: str | None, types: Mapping[str, str]
    ) -> None:
        self.duck = duck
        self.source = source
        self.target = target
        self.types = dict(types)
        for name in (target, *([] if weight is None else [weight]), *types):
            if name not in source.columns:
                shown = ", ".join(source.columns[:10]) + (", …" if len(source.columns) > 10 else "")
                raise InputError(f"{source.name} has no column {name!r}; its columns are: {shown}")
        duck.run(f"CREATE OR REPLACE TEMP VIEW rows AS SELECT * FROM {parquet_scan(source.files)}")
        self.scale = Fraction(1)
        self.notes: tuple[str, ...] = ()
        self._weight = weight
        self._weighed = weight is not None and self._prepare_weights(weight)
        self.classes = self._prepare_labels()

    def expression(self, name: str) -> str:
        """Return a column in SQL, with NaN as NULL, and numbers as the doubles that conditions compare."""
        import pyarrow as pa

        kind, column = self._kind(name), f"r.{quoted(name)}"
        if pa.types.is_floating(kind):
            return f"CASE WHEN isnan({column}) THEN NULL ELSE {column}::DOUBLE END"
        if pa.types.is_decimal(kind):
            return f"{column}::VARCHAR::DOUBLE"  # via text, because a direct cast may round twice
        return column

    def is_number(self, name: str) -> bool:
        """Return whether the column contains numbers or truth values in the files and is read as such."""
        import pyarrow as pa

        kind = self._kind(name)
        tests = (pa.types.is_floating, pa.types.is_integer, pa.types.is_decimal, pa.types.is_boolean)
        return any(test(kind) for test in tests) and self.types.get(name) != "category"

    def is_date(self, name: str) -> bool:
        """Return whether the column contains dates in the files."""
        import pyarrow as pa

        return bool(pa.types.is_date(self._kind(name)) or pa.types.is_timestamp(self._kind(name)))

    def tables(self, *, labels: bool) -> str:
        """Return the FROM clause; rows without weight are left out."""
        joined = "rows r"
        if labels:
            joined += f" JOIN labels l ON {self.expression(self.target)} = l.value"
        if self._weighed:
            assert self._weight is not None
            joined += f" JOIN weights w ON ({self.expression(self._weight)})::DOUBLE = w.value"
        return joined

    @property
    def weight_sum(self) -> str:
        """The SQL expression for the weight of a group."""
        return "sum(w.units)::BIGINT" if self._weighed else "count(*)::BIGINT"

    def distinct_estimates(self, names: Sequence[str]) -> dict[str, int]:
        """Return estimates of the numbers of distinct values, computed in one pass."""
        if not names:
            return {}
        counts = ", ".join(f"approx_count_distinct(r.{quoted(name)})" for name in names)
        return dict(zip(names, self.duck.row(f"SELECT {counts} FROM rows r"), strict=True))

    def are_numbered_by(self, name: str) -> bool:
        """Return whether a column of whole numbers counts the rows, in any order."""
        import pyarrow as pa

        kind = self._kind(name)
        if not (pa.types.is_integer(kind) or pa.types.is_floating(kind)) or name in self.types:
            return False
        x = f"({self.expression(name)})::DOUBLE"
        n_rows, n_present, low, high, whole = self.duck.row(
            f"SELECT count(*), count({x}), min({x}), max({x}), bool_and({x} = floor({x})) "
            f"FROM {self.tables(labels=False)}"
        )
        if n_present < n_rows or not whole or not numbers_rows(n_rows, n_rows, low, high):
            return False
        (n_values,) = self.duck.row(f"SELECT count(DISTINCT {x}) FROM {self.tables(labels=False)}")
        return numbers_rows(n_rows, n_values, low, high)

    def values(self, name: str, *, by_class: bool = False) -> Values:
        """Return the distinct values of a column, counted by class if ``by_class``."""
        label = ", l.class AS label" if by_class else ""
        found = self.duck.arrow(
            f"SELECT {self.expression(name)} AS value{label}, {self.weight_sum} AS weight "
            f"FROM {self.tables(labels=by_class)} GROUP BY ALL"
        )
        source = found.column("value").combine_chunks()
        labels = found.column("label").to_numpy() if by_class else None
        cells = self.in_memory(name, source)
        _refuse_infinity(cells)
        cells = as_frame(pd.DataFrame({name: cells}))[name]
        return Values(source, cells, labels, found.column("weight").to_numpy())

    def in_memory(self, name: str, source: pa.Array) -> pd.Series[Any]:
        """Return values of a column as reading the whole table would give them."""
        import pyarrow as pa

        field = self.source.schema.field(name)
        if name in self.source.orders:
            order = self.source.orders[name]
            categories = pd.Series(pd.Categorical(source.to_pylist(), categories=order), name=name)
            frame = pd.DataFrame({name: categories})
        else:
            kind = pa.float64() if pa.types.is_decimal(field.type) else field.type
            schema = pa.schema([pa.field(name, kind)], metadata=self.source.schema.metadata)
            held = pa.table([source.cast(kind)], schema=schema)
            frame = held.to_pandas(ignore_metadata=False)
            if pa.types.is_integer(kind) and has_large_doubles(frame[name]):
                frame = held.to_pandas(integer_object_nulls=True)
        if name in self.types:
            frame = with_types(frame, {name: self.types[name]}, self.source.files[0])
        return frame[name]

    def refuse_inexact(self, name: str) -> None:
        """Refuse a column of integers that doubles do not represent exactly."""
        import pyarrow as pa

        if not pa.types.is_integer(self._kind(name)):
            return
        column = f"r.{quoted(name)}"
        found = self.duck.arrow(
            f"SELECT {column} AS value FROM rows r "
            f"WHERE {column}::DOUBLE::HUGEINT <> {column}::HUGEINT LIMIT 1"
        ).column("value")
        if len(found):
            raise inexact_number(name, found[0].as_py(), "a cell")

    def refuse_odd_types(self, names: Sequence[str]) -> None:
        """Refuse dates, lists and similar types before any of them is counted."""
        import pyarrow as pa

        known = (
            pa.types.is_floating, pa.types.is_integer, pa.types.is_decimal, pa.types.is_boolean,
            pa.types.is_string, pa.types.is_large_string, pa.types.is_null, pa.types.is_date,
            pa.types.is_timestamp,
        )  # fmt: skip
        for name in names:
            kind = self._kind(name)
            if any(test(kind) for test in known):
                continue
            some = self.duck.arrow(f"SELECT r.{quoted(name)} AS value FROM rows r LIMIT 10").column("value")
            as_frame(pd.DataFrame({name: some.to_pandas()}))
            raise InputError(f"column {name!r} holds {kind} values; convert the column or leave it out")

    def _kind(self, name: str) -> pa.DataType:
        import pyarrow as pa

        kind = self.source.schema.field(name).type
        return kind.value_type if pa.types.is_dictionary(kind) else kind

    def _prepare_labels(self) -> NDArray[Any]:
        """Assign numbers to the classes; refuse rows without a label, and labels of an unknown type."""
        name = self.target
        self.refuse_odd_types([name])
        found = self.duck.arrow(
            f"SELECT {self.expression(name)} AS value, count(*) AS n FROM rows r GROUP BY ALL "
            f"LIMIT {MAX_CLASSES + 1}"
        )
        if found.num_rows > MAX_CLASSES:
            raise InputError(
                f"column {name!r} has more than {MAX_CLASSES} different labels; is it the target?"
            )
        source = found.column("value").combine_chunks()
        if source.null_count:
            n = found.column("n").to_numpy()[np.flatnonzero(source.is_null())[0]]
            raise InputError(
                f"the label is missing in {n} rows of column {name!r}; drop those rows or give them a class"
            )
        labels = checked_labels(self.in_memory(name, source), len(source))
        self.duck.create("labels", {"value": source, "class": np.arange(len(source))})
        if self._weighed:
            kept = self.duck.arrow(f"SELECT DISTINCT l.class AS k FROM {self.tables(labels=True)}")
            present = np.sort(kept.column("k").to_numpy())
            source, labels = source.take(present), labels[present]
        classes, codes = encode_labels(labels, weighted=self._weighed)
        self.duck.create("labels", {"value": source, "class": codes})
        return classes

    def _prepare_weights(self, name: str) -> bool:
        """Scale the weights to integers; return whether any row weighs other than 1."""
        import pyarrow as pa

        kind = self._kind(name)
        if not (pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_decimal(kind)):
            raise InputError(
                f"the weights in column {name!r} must be numbers, not {kind}; convert the column"
            )
        value = f"({self.expression(name)})::DOUBLE"
        bad = f"{value} IS NULL OR isinf({value}) OR {value} < 0"
        n_bad, n_distinct = self.duck.row(
            f"SELECT count(*) FILTER ({bad}), approx_count_distinct({value}) FROM rows r"
        )
        if n_bad:
            raise InputError(
                f"column {name!r} holds {n_bad} weights that are missing, infinite or negative; "
                f"weights must be numbers of at least 0"
            )
        if n_distinct > MAX_WEIGHTS:
            raise InputError(
                f"column {name!r} holds about {n_distinct} different weights, more than {MAX_WEIGHTS}; "
                f"round them"
            )
        found = self.duck.arrow(
            f"SELECT {value} AS value, count(*) AS n FROM rows r GROUP BY ALL ORDER BY value"
        )
        weights, counts = (found.column(one).to_numpy() for one in ("value", "n"))
        scaled = scaling(weights, counts)
        self.scale, self.notes = scaled.scale, scaled.notes
        units = scaled.units(weights)
        weights, units = weights[units > 0], units[units > 0]
        self.duck.create("weights", {"value": weights, "units": units})
        return True


class RowNumbers:
    """The numbers of one column of some rows, for `laconic.data.large.ranges`."""

    def __init__(self, rows: ParquetRows, name: str, n_classes: int | None) -> None:
        self._rows = rows
        self._name = name
        self._n_classes = n_classes
        number = f"({rows.expression(name)})::DOUBLE"
        label = ", l.class AS label" if n_classes is not None else ""
        weight = "w.units" if "weights w" in rows.tables(labels=False) else "1"
        self._all = (
            f"(SELECT {number} AS x{label}, {weight} AS n FROM {rows.tables(labels=n_classes is not None)} "
            f"WHERE {number} IS NOT NULL)"
        )

    def extent(self) -> tuple[float, float]:
        """Return the smallest and the largest number."""
        low, high = self._rows.duck.row(f"SELECT min(x), max(x) FROM {self._all}")
        _refuse_infinity(pd.Series([low, high], name=self._name, dtype=np.float64))
        if max(high, -low) >= LARGEST_EXACT:
            self._rows.refuse_inexact(self._name)
        return float(low), float(high)

    def stretches(self, low: float, high: float, n: int) -> Ranges:
        """Return the numbers from ``low`` to ``high`` in at most ``n`` ranges."""
        from_, width = number_literal(low / 2), number_literal(high / 2 - low / 2)
        which = f"least(floor((x / 2 - {from_}) / {width} * {n}::DOUBLE), {n - 1}::DOUBLE)::BIGINT"
        where = f"x BETWEEN {number_literal(low)} AND {number_literal(high)}"
        return self._ranges(f"SELECT {which} AS k, x, n{self._label} FROM {self._all} WHERE {where}")

    def values(self, spans: Sequence[tuple[float, float]]) -> Ranges:
        """Return the distinct numbers inside some spans."""
        where = " OR ".join(
            f"x BETWEEN {number_literal(low)} AND {number_literal(high)}" for low, high in spans
        )
        # -0.0 and 0.0 are one value to DuckDB's GROUP BY, as to numpy.
        return self._ranges(f"SELECT x AS k, x, n{self._label} FROM {self._all} WHERE {where}")

    @property
    def _label(self) -> str:
        return "" if self._n_classes is None else ", label"

    def _ranges(self, query: str) -> Ranges:
        found = self._rows.duck.arrow(
            f"SELECT k{self._label}, min(x) AS low, max(x) AS high, sum(n)::BIGINT AS n "
            f"FROM ({query}) GROUP BY ALL ORDER BY k"
        )
        keys, group_of = np.unique(found.column("k").to_numpy(), return_inverse=True)
        low, high = np.full(keys.size, np.inf), np.full(keys.size, -np.inf)
        np.minimum.at(low, group_of, found.column("low").to_numpy())
        np.maximum.at(high, group_of, found.column("high").to_numpy())
        counts = np.zeros((keys.size, self._n_classes or 1), np.int64)
        labels = found.column("label").to_numpy() if self._n_classes is not None else np.zeros_like(group_of)
        np.add.at(counts, (group_of, labels), found.column("n").to_numpy())
        return Ranges(low, high, counts)


def _refuse_infinity(cells: pd.Series[Any]) -> None:
    if cells.dtype.kind == "f" and np.isinf(cells.to_numpy(np.float64, na_value=np.nan)).any():
        raise InputError(
            f"Input X contains infinity: column {cells.name!r}; replace it by a number, or by NaN if it is "
            f"missing"
        )
