"""A user's query is one SELECT: it reads its database, or the files that it names, and does nothing else."""

from __future__ import annotations

import hashlib
from pathlib import Path

import duckdb
import pytest

from laconic import TrainingTable
from laconic.data.large.sources import open_query
from laconic.runtime.errors import InputError

MEMORY = 600 * 2**20

secret = [1]
"""DuckDB would find it as a table, by its name in Python."""


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in ("parts", "staging", "elsewhere"):
        Path(folder).mkdir()
    Path("x.csv").write_text("a,b\n1,2\n3,4\n")
    Path("parts/1.csv").write_text("a\n1\n")
    Path("parts/2.csv").write_text("a\n2\n")
    Path("it's.csv").write_text("a\n1\n")
    Path("elsewhere/secret.csv").write_text("a\n1\n")
    with duckdb.connect("bank.duckdb") as bank:
        bank.execute("CREATE TABLE t AS SELECT i AS a, ['x', 'y'][1 + i % 2] AS b FROM range(4) r(i)")
        bank.execute("CREATE VIEW outside AS FROM 'x.csv'")
        bank.execute("CREATE MACRO twice() AS TABLE (SELECT a, a + a AS b FROM t)")
    return tmp_path


def state(place: Path) -> dict[str, str]:
    files = [one for one in place.rglob("*") if one.is_file() and "staging" not in one.parts]
    return {str(one): hashlib.sha256(one.read_bytes()).hexdigest() for one in files}


def asked(query: str, database: str | None = None):
    source = open_query(query, database and Path(database), Path("staging").absolute(), MEMORY, 1)
    return duckdb.sql(f"FROM '{source.files[0]}'").fetchall()


SMUGGLED = [
    ("FROM t) TO 'h.csv'; COPY (FROM t", "DuckDB refuses the query: Parser Error: syntax error"),
    ("FROM t); COPY t TO 'h.csv'; --", "DuckDB refuses the query: Parser Error: syntax error"),
    ("FROM t; COPY t TO 'h.csv'", "the query holds 2 statements; give one SELECT statement"),
    ("SELECT 1; SELECT 2", "the query holds 2 statements; give one SELECT statement"),
    ("WITH c AS (COPY t TO 'h.csv') FROM c", "the query contains COPY, which writes"),
    ("WITH c AS (COPY t TO 'x.csv') SELECT * FROM 'x.csv', c", "the query contains COPY, which writes"),
    ("FROM (WITH c AS (COPY t TO 'h.csv') FROM c)", "the query contains COPY, which writes"),
    (
        "WITH c AS (INSERT INTO t VALUES (9, 'z') RETURNING *) FROM c",
        "the query contains INSERT, which writes",
    ),
    ("WITH c AS (UPDATE t SET a = 9 RETURNING *) FROM c", "the query contains UPDATE, which writes"),
    ("WITH c AS (DELETE FROM t RETURNING *) FROM c", "the query contains DELETE, which writes"),
    ("COPY t TO 'h.csv'", "the query is not a SELECT statement but COPY"),
    ("CREATE TABLE u AS FROM t", "the query is not a SELECT statement but CREATE"),
    ("ATTACH 'h.duckdb'", "the query is not a SELECT statement but ATTACH"),
    ("EXPORT DATABASE 'h'", "the query is not a SELECT statement but EXPORT"),
    ("INSTALL httpfs", "the query is not a SELECT statement but LOAD"),
    ("LOAD httpfs", "the query is not a SELECT statement but LOAD"),
    ("PRAGMA database_list", "the query is not a SELECT statement but PRAGMA"),
    ("SET threads = 3", "the query is not a SELECT statement but SET"),
    ("CALL enable_logging()", "the query is not a SELECT statement but CALL"),
    ("EXPLAIN ANALYZE FROM t", "the query is not a SELECT statement but EXPLAIN"),
    ("FROM enable_logging(storage = 'file')", "the query calls enable_logging; it may call read_parquet"),
    ("FROM enable_profiling(save_location = 'h')", "the query calls enable_profiling; it may call"),
    ("SELECT (SELECT 1 FROM Enable_Logging()) AS a", "the query calls enable_logging; it may call"),
    ("FROM query('FROM t')", "the query calls query; it may call"),
    ("FROM json_execute_serialized_sql(json_serialize_sql('FROM t'))", "calls json_execute_serialized_sql"),
    ("FROM arrow_scan(1::UBIGINT, 2::UBIGINT, 3::UBIGINT)", "the query calls arrow_scan; it may call"),
    ("FROM pandas_scan(1::UBIGINT)", "the query calls pandas_scan; it may call"),
    ("FROM checkpoint()", "the query calls checkpoint; it may call"),
    ("FROM duckdb_secrets()", "the query calls duckdb_secrets; it may call"),
    ("FROM glob('/etc/*')", "the query calls glob; it may call"),
    ("FROM read_duckdb('bank.duckdb')", "the query calls read_duckdb; it may call"),
    ("FROM secret", "DuckDB refuses the query: Catalog Error"),
    ("SELECT $1 AS a", "DuckDB cannot read this: Invalid Input Error: Values were not provided"),
    ("", "the query is empty; give a SELECT statement"),
    (" ;; -- nothing", "the query is empty; give a SELECT statement"),
    ("FROM (" * 3000 + "SELECT 1" + ")" * 3000, "the query is nested too deeply; simplify it"),
    ("SELECT 'a\ud800' AS a", "the query has half a surrogate pair"),
]


@pytest.mark.parametrize("database", ["bank.duckdb", None])
@pytest.mark.parametrize(("query", "message"), SMUGGLED, ids=[query[:40] for query, _ in SMUGGLED])
def test_what_is_more_than_one_select_is_refused_and_nothing_is_written(query, message, database, place):
    before = state(place)
    with pytest.raises(InputError) as caught:
        asked(query, database)
    assert message in str(caught.value)
    assert state(place) == before


@pytest.mark.parametrize(
    "query",
    [
        "FROM 'x.csv'",
        "FROM read_text('/etc/passwd')",
        "FROM read_csv('elsewhere/' || 'secret.csv')",
        "SELECT a FROM t JOIN 'x.csv' USING (a)",
        "FROM outside",
        "FROM 'https://example.com/x.csv'",
    ],
)
def test_a_query_on_a_database_reads_nothing_else(query, place):
    with pytest.raises(InputError, match="the query may read its database, or without one the files that"):
        asked(query, "bank.duckdb")


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (
            "FROM read_csv('elsewhere/' || 'secret.csv')",
            "the query may read its database, or without one the",
        ),
        ("FROM 'bank.duckdb'", "the query may read its database, or without one the files that it names"),
        (
            "FROM 'https://example.com/x.csv'",
            "names 'https://example.com/x.csv', but can only read local files",
        ),
        (
            "FROM read_parquet('s3://bucket/x.parquet')",
            "names 's3://bucket/x.parquet', but can only read local files",
        ),
        ("FROM 'nothing.csv'", "there is no file 'nothing.csv', which the query names; check the path"),
    ],
)
def test_a_query_without_a_database_reads_only_files_that_it_names(query, message, place):
    with pytest.raises(InputError) as caught:
        asked(query)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("FROM 'x.csv'", [(1, 2), (3, 4)]),
        ('FROM "./x.csv" -- all of it', [(1, 2), (3, 4)]),
        ("FROM 'it''s.csv';", [(1,)]),
        ("FROM 'parts/*.csv' ORDER BY a", [(1,), (2,)]),
        ("FROM '**/[0-9].csv' ORDER BY a", [(1,), (2,)]),
        ("FROM read_csv(['parts/1.csv', 'parts/2.csv']) ORDER BY a", [(1,), (2,)]),
        ("WITH c AS (FROM 'x.csv') SELECT a FROM c JOIN 'parts/1.csv' USING (a)", [(1,)]),
        ("SELECT count(*) AS n FROM range(300000) ORDER BY 1", [(300000,)]),
    ],
)
def test_files_that_a_query_names_are_read(query, rows, place):
    assert asked(query) == rows
    absolute = query.replace("parts/", f"{place}/parts/").replace("./x.csv", f"{place}/x.csv")
    assert asked(absolute) == rows


@pytest.mark.parametrize("call", ["hidden()", "shown"])
@pytest.mark.parametrize(
    "body",
    [
        "FROM enable_logging(storage = 'file', storage_path = 'h')",
        "FROM enable_profiling(save_location = 'h')",
        "FROM glob('/etc/*')",
        "FROM read_text('/etc/passwd')",
    ],
)
def test_nor_does_what_the_database_hides_in_a_macro_or_a_view(body, call, place):
    with duckdb.connect("bank.duckdb") as bank:
        bank.execute(f"CREATE MACRO hidden() AS TABLE ({body})")
        bank.execute(f"CREATE VIEW shown AS {body}")
    before = state(place)
    with pytest.raises(
        InputError, match=r"the configuration has been locked|the query may read its database"
    ):
        asked(f"SELECT t.* FROM t, {call}", "bank.duckdb")
    assert state(place) == before


def test_a_query_does_not_count_a_sequence_on(place):
    with duckdb.connect("bank.duckdb") as bank:
        bank.execute("CREATE SEQUENCE s")
    before = state(place)
    with pytest.raises(InputError, match="attached in read-only mode"):
        asked("SELECT *, nextval('s') AS n FROM t", "bank.duckdb")
    assert state(place) == before


def test_a_query_asks_tables_and_macros_of_its_database(place):
    assert asked("SELECT a FROM t WHERE a > 1 ORDER BY a;", "bank.duckdb") == [(2,), (3,)]
    assert asked("FROM twice() WHERE a = 3", "bank.duckdb") == [(3, 6)]
    table = TrainingTable.from_query("FROM t", "b", database=Path("bank.duckdb"))
    assert table.table.n_samples == 4


def test_categories_keep_their_order(place):
    query = "SELECT a, 'low'::ENUM('low', 'high') AS e FROM t"
    source = open_query(query, Path("bank.duckdb"), Path("staging").absolute(), MEMORY, 1)
    assert source.orders == {"e": ["low", "high"]}


def test_what_does_not_fit_in_memory_still_goes_to_the_staging_directory(place):
    query = "SELECT hash(i) AS h, i::VARCHAR || repeat('x', 40) AS s FROM range(2000000) r(i) ORDER BY h"
    source = open_query(query, None, Path("staging").absolute(), 128 * 2**20, 1)
    assert duckdb.sql(f"SELECT count(*) FROM '{source.files[0]}'").fetchall() == [(2000000,)]
