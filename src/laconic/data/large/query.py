"""What a user's query may do: one SELECT that reads a database, or the files that it names.

DuckDB has no user rights. Its SELECT can hold a COPY that writes (``WITH a AS (COPY … TO …)``), and table
functions that change settings, follow pointers or run another query. So the query is parsed by DuckDB itself,
its tree is searched for what may not be there, and it runs where the configuration is locked and files are
closed, except those that stand in it as constants.
"""

from __future__ import annotations

import glob
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from laconic.data.words import refuse_half_characters
from laconic.runtime.errors import InputError

_READING = frozenset(
    {"parquet_scan", "read_parquet", "read_csv", "read_csv_auto", "read_text", "read_blob"}
    | {"read_json", "read_json_auto", "read_json_objects", "read_json_objects_auto"}
    | {"read_ndjson", "read_ndjson_auto", "read_ndjson_objects"}
)
"""Table functions that read the files that they name."""

_COMPUTING = frozenset(
    {"range", "generate_series", "unnest", "repeat", "repeat_row", "json_each", "json_tree"}
)
"""Table functions without any effect."""

_NODES = frozenset({"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"})
"""Parts of a query that only read."""

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


@dataclass(frozen=True)
class Query:
    """One SELECT statement, parsed.

    Attributes
    ----------
    statement : duckdb.Statement
    files : dict of str to list of str
        The names in it that may be files or patterns, each with what may be opened for it; none if it asks a
        database.
    """

    statement: Any
    files: dict[str, list[str]]


def parsed_query(connection: Any, query: str, database: Path | None) -> Query:
    """Parse a query; what is not exactly one SELECT that only reads is refused.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
    query : str
    database : Path or None
        The database that is asked; if there is one, no files are read.
    """
    refuse_half_characters([query], "the query")
    statements = connection.extract_statements(query)
    if not statements:
        raise InputError("the query is empty; give a SELECT statement")
    if len(statements) > 1:
        raise InputError(f"the query holds {len(statements)} statements; give one SELECT statement")
    kind = statements[0].type.name
    if kind != "SELECT":
        raise InputError(f"the query is no SELECT statement, but {kind}; give one SELECT statement")
    (answer,) = connection.execute("SELECT json_serialize_sql(?)", [query]).fetchone()
    try:
        tree = json.loads(answer)
    except RecursionError:
        raise InputError("the query is nested too deeply; take it apart") from None
    if tree["error"]:
        raise InputError(f"DuckDB refuses the query: {tree['error_message']}")
    own = {name for (name,) in connection.execute(_TABLE_FUNCTIONS).fetchall()}
    named = list(dict.fromkeys(_named(tree, own)))
    files = {} if database is not None else {name: list(_files(name)) for name in named}
    return Query(statements[0], files)


_TABLE_FUNCTIONS = "SELECT DISTINCT lower(function_name) FROM duckdb_functions() WHERE internal"


def _named(tree: Any, own: set[str]) -> Iterator[str]:
    """Refuse what does more than read; yield the names of tables and the constants of reading functions."""
    for part in _parts(tree):
        kind = part.get("type")
        if isinstance(kind, str) and kind.endswith("_NODE") and kind not in _NODES:
            what = kind.removesuffix("_NODE").removesuffix("_QUERY")
            raise InputError(f"the query holds a part that writes, {what}; a query may only read")
        if kind == "BASE_TABLE":
            yield part["table_name"]
        elif kind == "TABLE_FUNCTION":
            function = part["function"]
            name = str(function.get("function_name", "")).lower()
            if name in _READING:
                yield from _constants(function)
            elif name in own and name not in _COMPUTING:  # what is not DuckDB's own is the database's
                raise InputError(
                    f"the query calls {name}; it may call read_parquet, read_csv, read_json, read_text and "
                    f"their like, range and unnest"
                )


def _constants(tree: Any) -> Iterator[str]:
    for part in _parts(tree):
        literal = part.get("literal")
        if isinstance(literal, dict) and isinstance(literal.get("text"), str):
            yield literal["text"]


def _parts(tree: Any) -> Iterator[dict[str, Any]]:
    """Yield all objects of a tree."""
    waiting = [tree]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            yield one
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one


def _files(name: str) -> Iterator[str]:
    if _ADDRESS.match(name) and not name.startswith("file://"):
        raise InputError(
            f"the query names {name!r}, but reads only files of this machine; fetch it and name the copy"
        )
    place = os.path.expanduser(name.removeprefix("file://"))  # noqa: PTH111, a pattern is no path
    yield from dict.fromkeys((name, place))
    if glob.has_magic(place):
        yield from glob.iglob(place, recursive=True, include_hidden=True)  # noqa: PTH207, as in sources
