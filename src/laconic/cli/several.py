"""Several files, or the answer of a query, read like one table in memory."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from laconic.data.read import TableFile, with_types
from laconic.runtime.errors import InputError


class SeveralTables:
    """Files with the same columns; their rows follow each other in the order of the files.

    Attributes
    ----------
    columns : list of str
        In the order of the first file.
    """

    def __init__(self, files: Sequence[TableFile]) -> None:
        self._files = files
        self.columns = files[0].columns
        for file in files[1:]:
            odd = set(file.columns) ^ set(self.columns)
            if odd:
                raise InputError(
                    f"{file.path} and {files[0].path} do not have the same columns (see {min(odd)!r}); "
                    f"give the files one header"
                )

    def read(self, **how: Any) -> pd.DataFrame:
        """Return the rows of all files; the parameters are those of `TableFile.read`."""
        return pd.concat([file.read(**how)[self.columns] for file in self._files], ignore_index=True)


class QueryTable:
    """What a query finds in a DuckDB database, or in the files that it names; it is asked at once."""

    def __init__(self, query: str, database: Path | None) -> None:
        from laconic.data.large.duck import workspace
        from laconic.data.large.sources import open_query
        from laconic.runtime.memory import memory_bytes

        with workspace() as staging:
            found = open_query(query, database, staging, memory_bytes(None), 1)
            self._frame = TableFile(found.files[0]).read()
        self.columns = list(self._frame.columns)

    def read(self, *, column_types: Mapping[str, str], **_: Any) -> pd.DataFrame:
        """Return the rows; options for CSV files mean nothing here."""
        return with_types(self._frame, dict(column_types), Path("the query"))


AnyTable = TableFile | SeveralTables | QueryTable


def split_model(files: Sequence[Path], *, surely: bool) -> tuple[Path | None, list[Path]]:
    """Return the model among the arguments of a command, and the tables.

    The first argument is the model; unless it surely is, not if it has the name of a table.
    """
    from laconic.data.read import CSV_SUFFIXES, PARQUET_SUFFIXES

    if not files:
        return None, []
    first = files[0].name.lower().removesuffix(".gz")
    is_table = first.endswith((*CSV_SUFFIXES, *PARQUET_SUFFIXES))
    return (None, list(files)) if is_table and not surely else (files[0], list(files[1:]))


def named(paths: Collection[Path], query: str | None) -> str:
    """Return the name of a table in messages."""
    if query is not None:
        return "the query"
    first, *others = map(str, paths)
    return first if not others else f"{first} and {len(others)} more"
