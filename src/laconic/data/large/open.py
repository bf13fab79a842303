"""Training tables from sources that DuckDB can read: files, a query, a relation."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from laconic.data.binarize import Binarizer
from laconic.data.large import sources
from laconic.data.large.duck import Duck, workspace
from laconic.data.large.out_of_core import training_table
from laconic.data.large.rows import ParquetRows
from laconic.data.large.sources import Dialect, Named, ParquetSource
from laconic.data.reading.column_reading import ColumnReading
from laconic.data.training import TrainingTable
from laconic.runtime.errors import InputError
from laconic.runtime.memory import memory_bytes


def from_files(
    pattern: Named,
    target: str,
    *,
    weight_column: str | None = None,
    drop: Collection[str] = (),
    binarizer: Binarizer | None = None,
    column_types: Mapping[str, str] | None = None,
    dialect: Dialect | None = None,
    memory_limit: str | int | None = None,
    threads: int = 1,
    from_file: bool = False,
    as_text: Collection[str] = (),
) -> TrainingTable:
    """Reduce files; see `TrainingTable.from_files`."""
    types = dict(column_types or {})
    texts = {name for name, kind in types.items() if kind == "category"} | set(as_text)
    return _reduced(
        lambda staging, memory: sources.open_files(pattern, staging, dialect, texts),
        target,
        weight_column,
        drop,
        binarizer,
        types,
        memory_limit,
        threads,
        None if dialect is None else dialect.reading,
        from_file=from_file,
    )


def from_query(
    query: str,
    target: str,
    *,
    database: Path | None = None,
    weight_column: str | None = None,
    drop: Collection[str] = (),
    binarizer: Binarizer | None = None,
    column_types: Mapping[str, str] | None = None,
    memory_limit: str | int | None = None,
    threads: int = 1,
    from_file: bool = False,
) -> TrainingTable:
    """Reduce the result of a query; see `TrainingTable.from_query`."""
    return _reduced(
        lambda staging, memory: sources.open_query(query, database, staging, memory, threads),
        target,
        weight_column,
        drop,
        binarizer,
        dict(column_types or {}),
        memory_limit,
        threads,
        from_file=from_file,
    )


def from_relation(X: Any, y: Any, sample_weight: Any, binarizer: Binarizer) -> TrainingTable:
    """Reduce a DuckDB relation whose labels and weights are named columns of it."""
    for name, value in (("y", y), ("sample_weight", sample_weight)):
        if not isinstance(value, str) and not (name == "sample_weight" and value is None):
            raise InputError(f"with a DuckDB relation, {name} must be the name of one of its columns")
    return _reduced(
        lambda staging, memory: sources.open_relation(X, staging),
        y,
        sample_weight,
        (),
        binarizer,
        {},
        None,
        1,
    )


def _reduced(
    open_source: Callable[[Path, int], ParquetSource],
    target: str,
    weight_column: str | None,
    drop: Collection[str],
    binarizer: Binarizer | None,
    types: Mapping[str, str],
    memory_limit: str | int | None,
    threads: int,
    base: ColumnReading | None = None,
    *,
    from_file: bool = False,
) -> TrainingTable:
    memory = memory_bytes(memory_limit)
    with workspace() as staging:
        duck = Duck(memory, staging, threads)
        try:
            source = open_source(staging, memory)
            rows = ParquetRows(duck, source, target, weight_column, types)
            for name in drop:
                if name not in source.columns:
                    raise InputError(f"{source.name} has no column {name!r} to leave out")
            left_out = {target, weight_column, *drop}
            names = [name for name in source.columns if name not in left_out]
            if not names:
                raise InputError(f"{source.name} has no column besides {target!r} to learn from; add some")
            return training_table(
                rows, names, Binarizer() if binarizer is None else binarizer, base, from_file=from_file
            )
        finally:
            duck.close()
