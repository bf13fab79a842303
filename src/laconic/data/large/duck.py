"""DuckDB within a memory limit: what it cannot hold goes to a directory, and its errors are sentences."""

from __future__ import annotations

import errno
import os
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from laconic.data.large.query import parsed_query
from laconic.runtime.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

DUCK_SHARE = 0.5
"""DuckDB's part of the memory limit; the rest is for the merged rows, the search and Python itself."""


class Duck:
    """A connection that keeps to its share of a memory limit.

    Parameters
    ----------
    memory : int
        The limit for the whole process, in bytes.
    directory : Path
        Where to put what does not fit.
    threads : int
        More threads need more memory.
    database : Path, optional
        Opened for reading only.
    """

    def __init__(self, memory: int, directory: Path, threads: int = 1, database: Path | None = None) -> None:
        self.memory = memory
        self.directory = directory
        self.error: type[Exception] = _duckdb().Error
        try:
            with self._explained():
                self._connection = self._connected(database, threads)
        except self.error as error:
            if database is None:
                raise
            reason = " ".join(str(error).split())[:200]
            raise InputError(f"{database} cannot be opened as a DuckDB database: {reason}") from error

    def _connected(self, database: Path | None, threads: int) -> Any:
        return _duckdb().connect(
            ":memory:" if database is None else str(database),
            read_only=database is not None,
            config={
                "memory_limit": f"{int(self.memory * DUCK_SHARE) >> 20}MiB",
                "temp_directory": str(self.directory),
                "threads": max(1, threads),
                "preserve_insertion_order": False,
            },
        )

    def run(self, statement: str) -> None:
        """Run a statement for its effect."""
        with self._explained():
            self._connection.execute(statement).fetchall()

    def arrow(self, query: str) -> pa.Table:
        """Return what a query finds."""
        with self._explained():
            return self._connection.sql(query).to_arrow_table()

    def row(self, query: str) -> tuple[Any, ...]:
        """Return the only row that a query finds."""
        with self._explained():
            (found,) = self._connection.execute(query).fetchall()
        return tuple(found)

    def asked(self, query: str, database: Path | None) -> Any:
        """Return what a user's query finds, as a relation; from then on no other file can be opened.

        Parameters
        ----------
        query : str
            Exactly one SELECT, see `laconic.data.large.query`.
        database : Path or None
            The database that this connection has opened.
        """
        found = parsed_query(self._connection, query, database)
        listed = ", ".join(text_literal(file) for files in found.files.values() for file in files)
        self._connection.execute(
            f"SET allowed_paths = [{listed}]; "
            f"SET allowed_directories = [{text_literal(str(self.directory))}]; "
            "SET autoinstall_known_extensions = false; "
            "SET autoload_known_extensions = false; "
            "SET python_enable_replacements = false; "
            "SET enable_external_access = false; "
            "SET lock_configuration = true"
        )
        try:
            return self._connection.sql(found.statement)
        except _duckdb().PermissionException as error:
            for name, files in found.files.items():
                if f'"{name}' in str(error) and not any(map(os.path.exists, files)):
                    raise InputError(
                        f"there is no file {name!r}, which the query names; check the path"
                    ) from None
            raise

    def create(self, name: str, columns: Mapping[str, Any]) -> None:
        """Make a temporary table of arrays, texts or numbers."""
        import pyarrow as pa

        data = pa.table(dict(columns))
        with self._explained():
            self._connection.register("_incoming", data)
            self.run(f"CREATE OR REPLACE TEMP TABLE {name} AS SELECT * FROM _incoming")
            self._connection.unregister("_incoming")

    def close(self) -> None:
        """Let go of memory and files."""
        self._connection.close()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        with explained(self.memory, self.directory):
            yield


@contextmanager
def explained(memory: int, directory: Path, *, users_own: bool = False) -> Iterator[None]:
    """Turn the errors of DuckDB and of the disk, as far as they are not ours, into one sentence.

    Parameters
    ----------
    memory : int
        The limit, in bytes.
    directory : Path
        Where what does not fit is put.
    users_own : bool
        Whether the SQL is the user's, so that its mistakes are as well.
    """
    duckdb = _duckdb()
    try:
        yield
    except duckdb.Error as error:
        first = str(error).strip().splitlines()[0]
        if "No space left" in str(error) or "max_temp_directory_size" in str(error):
            raise disk_full(directory) from error
        if isinstance(error, duckdb.OutOfMemoryException):
            raise InputError(
                f"a memory limit of {memory / 2**20:.0f} MiB is too small for this table; raise it, or use "
                f"fewer bins"
            ) from error
        if isinstance(error, duckdb.ParserException | duckdb.BinderException | duckdb.CatalogException):
            if users_own:
                raise InputError(f"DuckDB refuses the query: {' '.join(str(error).split())[:300]}") from error
            raise  # our own SQL: a bug
        if users_own and isinstance(error, duckdb.PermissionException):
            raise InputError(
                f"the query may read its database, or without one the files that it names in quotes, and "
                f"nothing else: {first}"
            ) from error
        raise InputError(f"DuckDB cannot read this: {first}") from error
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise disk_full(directory) from error
        raise


def disk_full(directory: Path) -> InputError:
    """Return what to say when what does not fit in memory does not fit on the disk either."""
    return InputError(
        f"the disk of {directory} is full of what does not fit in memory; make room, or set TMPDIR to a "
        f"larger disk"
    )


@contextmanager
def workspace(directory: Path | None = None) -> Iterator[Path]:
    """Give a directory for files on the way, and remove it afterwards."""
    if directory is not None and not directory.is_dir():
        raise InputError(f"there is no directory {directory} for temporary files; make it or name another")
    with tempfile.TemporaryDirectory(prefix="laconic-", dir=directory, ignore_cleanup_errors=True) as place:
        yield Path(place)


def quoted(name: str) -> str:
    """Return a column's name for SQL.

    >>> print(quoted('the "new" price'))
    "the ""new"" price"
    """
    return '"' + name.replace('"', '""') + '"'


def text_literal(text: str) -> str:
    """Return a text for SQL."""
    return "'" + text.replace("'", "''") + "'"


def number_literal(number: float) -> str:
    """Return a double for SQL, bit for bit."""
    return f"'{number!r}'::DOUBLE"


def parquet_scan(files: Sequence[Path]) -> str:
    """Return the table function that reads these files, whatever characters their names have."""
    names = ", ".join(text_literal(re.sub(r"([\[*?])", r"[\1]", str(file))) for file in files)
    return f"read_parquet([{names}], hive_partitioning = false, union_by_name = {_flag(len(files) > 1)})"


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _duckdb() -> Any:
    try:
        import duckdb
    except ImportError:
        raise InputError(
            "tables that do not fit in memory need DuckDB; run: pip install 'laconic-rules[scale]'"
        ) from None
    return duckdb
