"""Sources of large tables: Parquet files, CSV files, a query. All of them become Parquet files.

Parquet files are read in place. CSV files are parsed twice in chunks, by the same parser and the same rules
as in memory: once to infer the type of each column over all files, once to write them as Parquet. The result
of a query is also written as Parquet, so the query runs only once.
"""

from __future__ import annotations

import glob
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laconic.data.large.duck import Duck, explained
from laconic.data.read import MISSING_WORDS, PARQUET_SUFFIXES, is_parquet, parquet_file, refuse_repeated
from laconic.data.reading.column_reading import ColumnReading
from laconic.runtime.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class Dialect:
    """How to parse CSV files; the parameters are those of `laconic.data.read.read_table`.

    Blanks around the texts of the column ``labels`` are left out.
    """

    delimiter: str | None = None
    encoding: str = "utf-8"
    decimal: str = "."
    missing: tuple[str, ...] = MISSING_WORDS
    labels: str | None = None

    @property
    def reading(self) -> ColumnReading | None:
        """What this says about the cells of every column, None if it is what is usual."""
        more = tuple(word for word in self.missing if word not in MISSING_WORDS)
        found = ColumnReading(missing=more, decimal=self.decimal)
        return None if found == ColumnReading() else found


@dataclass(frozen=True)
class ParquetSource:
    """Parquet files with the same columns.

    Attributes
    ----------
    name : str
        The user's name for the source.
    files : tuple of Path
    schema : pyarrow.Schema
        The schema of all files; the order of the columns is the first file's.
    orders : mapping of str to list
        The categories in their natural order, for columns that have one.
    """

    name: str
    files: tuple[Path, ...]
    schema: pa.Schema
    orders: Mapping[str, list[Any]] = field(default_factory=dict)

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self.schema.names)


Named = str | Path | Sequence[str | Path]
"""A file, a pattern such as ``parts/*.parquet``, or several of these."""


def matching(named: Named) -> list[Path]:
    """Return the files that paths or patterns name, in order and without repetition."""
    several = [named] if isinstance(named, str | Path) else list(named)
    files = list(dict.fromkeys(file for pattern in several for file in _matching(pattern)))
    if len({is_parquet(file) for file in files}) > 1:
        verb = "matches" if len(several) == 1 else "are"
        raise InputError(f"{_name(named)!r} {verb} CSV and Parquet files; name one kind")
    return files


def _name(named: Named) -> str:
    """Return the name of the files in messages."""
    several = [named] if isinstance(named, str | Path) else list(named)
    return str(several[0]) if len(several) == 1 else f"{several[0]} and {len(several) - 1} more"


def _matching(pattern: str | Path) -> list[Path]:
    path = Path(pattern)
    if path.exists() or not glob.has_magic(str(pattern)):
        is_parquet(path)  # refuses a file that is missing, empty, not a regular file, or of an unknown kind
        return [path]
    files = sorted(Path(one) for one in glob.glob(str(pattern), recursive=True))  # noqa: PTH207, a pattern may be absolute
    files = [file for file in files if not file.is_dir()]
    if not files:
        raise InputError(f"no file matches {str(pattern)!r}; check the path")
    return files


def open_files(
    named: Named,
    staging: Path,
    dialect: Dialect | None = None,
    as_text: Collection[str] = (),
) -> ParquetSource:
    """Open Parquet files, or convert CSV files to Parquet.

    Parameters
    ----------
    named : str, Path or sequence of these
    staging : Path
        A directory for the converted files.
    dialect : Dialect, optional
        How to parse CSV files.
    as_text : collection of str
        Columns of CSV files to be read as text.
    """
    files = matching(named)
    if files[0].suffix.lower() in PARQUET_SUFFIXES:
        return _checked(_name(named), files)
    from laconic.data.large.csv_files import stage_csv

    staged = stage_csv(files, staging, dialect or Dialect(), as_text)
    return _checked(_name(named), staged)


def open_query(query: str, database: Path | None, staging: Path, memory: int, threads: int) -> ParquetSource:
    """Write the result of a query on a DuckDB database, or on the files it names, as Parquet."""
    if database is not None and not database.is_file():
        raise InputError(f"there is no database {database}; check the path")
    duck = Duck(memory, staging, threads, database)
    try:
        with explained(memory, staging, users_own=True):
            return _written("the query", duck.user_query(query, database), staging / "query.parquet")
    finally:
        duck.close()


def open_relation(relation: Any, staging: Path) -> ParquetSource:
    """Write a ``duckdb.DuckDBPyRelation`` as Parquet."""
    with explained(0, staging):
        return _written("the relation", relation, staging / "relation.parquet")


def _written(name: str, relation: Any, out: Path) -> ParquetSource:
    orders = {
        column: list(kind.children[0][1])
        for column, kind in zip(relation.columns, relation.types, strict=True)
        if kind.id == "enum"
    }
    relation.write_parquet(str(out))
    return _checked(name, [out], orders)


def _checked(
    name: str, files: Sequence[Path], orders: Mapping[str, list[Any]] | None = None
) -> ParquetSource:
    """Read the schemas, refuse files whose columns differ, and find the order of the categories."""
    schema, n_rows = _schema(files[0])
    for file in files[1:]:
        other, n_more = _schema(file)
        n_rows += n_more
        if other != schema:
            schema = _united(files[0], schema, file, other)
    if n_rows == 0:
        raise InputError(f"{name} has no rows")
    found = dict(orders or {}) or _category_orders(files, schema)
    return ParquetSource(name, tuple(files), schema, found)


def _schema(file: Path) -> tuple[pa.Schema, int]:
    with parquet_file(file) as opened:
        schema, n_rows = opened.schema_arrow, opened.metadata.num_rows
    refuse_repeated(schema.names, file)
    # A pandas index is not a column of the table, and one file may have an index while another has none.
    for name in (schema.pandas_metadata or {}).get("index_columns", []):
        if name in schema.names:
            schema = schema.remove(schema.get_field_index(name))
    return schema, n_rows


def _united(first: Path, schema: pa.Schema, file: Path, other: pa.Schema) -> pa.Schema:
    """Return the schema of both files: a column without values has no type, and numbers are compatible."""
    for name in schema.names:
        if name not in other.names:
            raise InputError(f"{file} has no column {name!r}, but {first} has; give the files one schema")
        here, there = other.field(name), schema.field(name)
        if here.type == there.type:
            continue
        both = _common(there, here) if _alike(here.type, there.type) else None
        if both is None:
            raise InputError(
                f"column {name!r} is {here.type} in {file}, but {there.type} in {first}; "
                "give the files one schema"
            )
        schema = schema.set(schema.get_field_index(name), both)
    extra = [name for name in other.names if name not in schema.names]
    if extra:
        raise InputError(f"{file} has a column {extra[0]!r}, but {first} has none; give the files one schema")
    return schema


def _common(one: pa.Field, other: pa.Field) -> pa.Field | None:
    import pyarrow as pa

    try:
        both = pa.unify_schemas([pa.schema([one]), pa.schema([other])], promote_options="permissive")
    except pa.ArrowTypeError:  # for instance ordered and unordered categories
        return None
    return both.field(0)


def _alike(one: pa.DataType, other: pa.DataType) -> bool:
    """Return whether two types, once unified, have the same values in memory and in DuckDB."""
    from pyarrow import types

    if types.is_null(one) or types.is_null(other):
        return True
    if types.is_uint64(one) or types.is_uint64(
        other
    ):  # unified with signed integers, the values would be integers of neither type
        return not (types.is_signed_integer(one) or types.is_signed_integer(other))
    kinds = (
        (types.is_integer, types.is_floating),
        (types.is_string, types.is_large_string),
        (types.is_dictionary,),
    )
    return any(all(any(test(kind) for test in tests) for kind in (one, other)) for tests in kinds)


def _category_orders(files: Sequence[Path], schema: pa.Schema) -> dict[str, list[Any]]:
    """Return the categories of dictionary columns in the order in which the files list them."""
    import pyarrow as pa

    names = [one.name for one in schema if pa.types.is_dictionary(one.type)]
    orders: dict[str, dict[Any, None]] = {name: {} for name in names}
    for file in files if names else ():
        with parquet_file(file) as opened:
            for batch in opened.iter_batches(columns=names):
                for name in names:
                    if pa.types.is_dictionary(batch.schema.field(name).type):  # not if it lacks values
                        orders[name].update(dict.fromkeys(batch.column(name).dictionary.to_pylist()))
    return {name: list(order) for name, order in orders.items()}
