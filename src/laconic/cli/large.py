"""Tables that do not fit in memory, or are several files: when to read them with DuckDB, and how."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from laconic.runtime.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

    from laconic.cli.inputs import Source
    from laconic.data.column_settings import ColumnSettings
    from laconic.data.columns import Cutting
    from laconic.data.training import TrainingTable

MODES = ("auto", "yes", "no")

_BYTES_PER_CELL = 16
"""Approximate bytes in memory per cell of a Parquet file, with texts and working copies."""

_GROWTH = {True: 15, False: 3}
"""Approximate ratio of memory to file size of a CSV table, plain and packed with gzip."""

_SMALL = 2**26
"""CSV files below this size are always read into memory."""

_SHARE = 0.25
"""Maximum share of the memory limit for a table in memory: binarizing and searching need the rest."""


@dataclass(frozen=True)
class Large:
    """A table to be reduced by DuckDB: files, or a query."""

    source: Source | None
    query: str | None
    database: Path | None
    memory_limit: str | None

    @classmethod
    def of(
        cls,
        source: Source | None,
        query: str | None,
        database: Path | None,
        mode: str,
        memory_limit: str | None,
    ) -> Large | None:
        """Check the options, and return ``None`` if the table is to be read into memory."""
        if mode not in MODES:
            raise InputError(f"--out-of-core must be one of {', '.join(MODES)}, not {mode!r}")
        if query is not None:
            if source is not None:
                raise InputError("give a file or --sql, not both")
            if mode == "no":
                raise InputError("--sql is answered by DuckDB; leave out --out-of-core no")
            return cls(None, query, database, memory_limit)
        if source is None:
            raise InputError("Missing argument 'DATA'; name a table, or ask for one with --sql")
        if database is not None:
            raise InputError("--database needs --sql, a query on it")
        one = cls(source, None, None, memory_limit)
        if mode == "yes" or source.is_several:
            if mode == "no":
                what = "there are several files" if source.more else f"{source.path} is a pattern"
                raise InputError(f"{what}, which needs --out-of-core yes or auto")
            return one
        return one if mode == "auto" and one._is_too_large() else None

    def first_rows(self) -> pd.DataFrame:
        """Return the first rows of the first file, from which the label column is guessed."""
        from laconic.data.read import (
            MISSING_WORDS,
            PARQUET_SUFFIXES,
            CsvFile,
            parquet_file,
            refuse_repeated,
        )

        assert self.source is not None
        path = self.source.files()[0].path
        if path.suffix.lower() not in PARQUET_SUFFIXES:
            file = CsvFile(path, self.source.encoding, self.source.delimiter)
            missing = (*MISSING_WORDS, *self.source.missing)
            rows = next(file.chunks(self.source.decimal, missing, {}, 1000))
            rows.attrs["notes"] = list(file.notes)
            return rows
        with parquet_file(path) as opened:
            refuse_repeated(opened.schema_arrow.names, path)
            first = next(opened.iter_batches(1000), None)
            if first is None:
                raise InputError(f"{path} has no rows")
            frame: pd.DataFrame = first.to_pandas()
        return frame

    def training_table(
        self,
        target: str,
        weight_column: str | None,
        drop: Sequence[str],
        types: Mapping[str, str],
        settings: Mapping[str, ColumnSettings],
        as_text: Collection[str],
        cutting: Cutting,
        threads: int,
    ) -> TrainingTable:
        """Reduce the table."""
        from laconic.data.binarize import Binarizer
        from laconic.data.large.open import from_files, from_query
        from laconic.data.large.sources import Dialect
        from laconic.data.read import MISSING_WORDS

        binarizer = Binarizer(
            cutting.method,
            bins=cutting.bins,
            max_thresholds=cutting.max_thresholds,
            max_categories=cutting.max_categories,
            max_members=cutting.max_members,
            columns=settings,
        )
        if self.query is not None:
            return from_query(
                self.query,
                target,
                database=self.database,
                weight_column=weight_column,
                drop=drop,
                binarizer=binarizer,
                column_types=types,
                memory_limit=self.memory_limit,
                threads=threads,
                from_file=True,
            )
        assert self.source is not None
        source = self.source
        missing = (*MISSING_WORDS, *source.missing)
        return from_files(
            (source.path, *source.more),
            target,
            weight_column=weight_column,
            drop=drop,
            binarizer=binarizer,
            column_types=types,
            as_text=as_text,
            dialect=Dialect(source.delimiter, source.encoding, source.decimal, missing, target),
            memory_limit=self.memory_limit,
            threads=threads,
            from_file=True,
        )

    def _is_too_large(self) -> bool:
        from laconic.data.read import PARQUET_SUFFIXES, parquet_file
        from laconic.runtime.memory import memory_bytes

        assert self.source is not None
        path = self.source.path
        if not path.is_file() or path.stat().st_size == 0:
            return False  # missing and empty files are refused when they are read
        if path.suffix.lower() in PARQUET_SUFFIXES:
            with parquet_file(path) as opened:  # the file size is no guide: equal cells are stored once
                size = opened.metadata.num_rows * opened.metadata.num_columns * _BYTES_PER_CELL
        elif path.stat().st_size < _SMALL:
            return False
        else:
            size = path.stat().st_size * _GROWTH[path.suffix.lower() == ".gz"]
        return bool(size > memory_bytes(self.memory_limit) * _SHARE)
