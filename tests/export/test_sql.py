"""SQL answers like predict, in databases that are really asked."""

from __future__ import annotations

import sqlite3
from fractions import Fraction

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from tests.support.random_sets import AWKWARD, LABELS, random_rows, random_set

from laconic.data.column import Column
from laconic.data.literals import Equals, Interval, Missing, Threshold
from laconic.export.sql import DIALECTS, to_sql
from laconic.model.decision_set import DecisionSet
from laconic.model.rule import Rule
from laconic.runtime.errors import InputError

N_SETS, N_ROWS = 25, 150
NUMBERS = ("age", 'in"come `x`', "flag", "unused")


def set_of(*rules, columns=(("x", "numeric"),), default="no"):
    """A set whose earlier rules are the more precise ones."""
    made = tuple(
        Rule(tuple(literals), label, ["no", "yes"].index(label), 1, (Fraction(20 - i),) * 2)
        for i, (literals, label) in enumerate(rules)
    )
    return DecisionSet(
        made,
        ("no", "yes"),
        "<U3",
        tuple(Column(*column) for column in columns),
        True,
        default,
        0,
        (Fraction(1), Fraction(1)),
    )


def ask_duckdb(query, rows, columns="", name="t"):
    """Create the table with plain DuckDB types, NaN kept apart from NULL, and return the last column."""
    with duckdb.connect() as connection:
        quoted = '"' + name.replace('"', '""') + '"'
        connection.register("given", rows)
        connection.execute(f"CREATE TABLE {quoted} AS SELECT {columns or '*'} FROM given")
        return [row[-1] for row in connection.execute(query).fetchall()]


def ask_sqlite(query, rows, name="t"):
    with sqlite3.connect(":memory:") as connection:
        quoted = '"' + name.replace('"', '""') + '"'
        # Without declared types SQLite stores what it is given.
        listed = ", ".join('"' + c.replace('"', '""') + '"' for c in rows.columns)
        connection.execute(f"CREATE TABLE {quoted} ({listed})")
        marks = ", ".join("?" * rows.shape[1])
        cells = rows.astype(object).where(rows.notna(), None).to_numpy().tolist()
        connection.executemany(f"INSERT INTO {quoted} VALUES ({marks})", cells)
        found = [row[-1] for row in connection.execute(query).fetchall()]
    connection.close()
    return found


def arrow_table(rows, rng):
    """Missing numbers half as NULL and half as NaN, truth values as booleans."""
    columns = {}
    for name in rows.columns:
        values = rows[name].tolist()
        if name in NUMBERS:
            lost = [np.isnan(value) and rng.random() < 0.5 for value in values]
            columns[name] = pa.array([None if no else v for no, v in zip(lost, values, strict=True)])
        else:
            kind = pa.bool_() if name.startswith("smo") else pa.string()
            columns[name] = pa.array(values, kind, from_pandas=True)
    return pa.table(columns)


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("dialect", ["duckdb", "sqlite", "standard"])
def test_sql_answers_like_predict(dialect, labels):
    rng = np.random.default_rng([list(LABELS).index(labels), list(DIALECTS).index(dialect)])
    seen = set()
    for _ in range(N_SETS):
        model, rows = random_set(rng, labels), random_rows(rng, N_ROWS)
        expected = model.predict(rows).tolist()
        query = to_sql(model, dialect=dialect, table="t")
        in_duckdb = dialect == "duckdb"
        found = ask_duckdb(query, arrow_table(rows, rng)) if in_duckdb else ask_sqlite(query, rows)
        assert found == expected, query
        seen.update(expected)
    assert seen == set(LABELS[labels][0])


def test_standard_sql_runs_in_duckdb_where_nothing_is_nan():
    rng = np.random.default_rng(8)
    for _ in range(N_SETS):
        model, rows = random_set(rng), random_rows(rng, N_ROWS)
        table = arrow_table(rows, rng)
        for place, name in enumerate(table.column_names):
            if name in NUMBERS:
                table = table.set_column(place, name, pa.array(rows[name], from_pandas=True))
        assert ask_duckdb(model.to_sql(table="t"), table) == model.predict(rows).tolist()


def test_columns_of_short_floats_and_integers_are_compared_as_doubles():
    rows = pd.DataFrame({"x": np.array([0.1, 0.25, 16777216, 16777218, np.nan], np.float32)})
    for cut in (0.1, 16777217.0):
        model = set_of(([Threshold("x", "<=", cut)], "yes"))
        query = model.to_sql(dialect="duckdb", table="t")
        assert ask_duckdb(query, pa.table({"x": pa.array(rows["x"])})) == model.predict(rows).tolist()
    whole = pd.DataFrame({"x": [1, 2, 3]})
    model = set_of(([Missing("x")], "no"), ([Threshold("x", ">", 2.0)], "yes"))
    query = model.to_sql(dialect="duckdb", table="t")
    for kind in ("BIGINT", "TINYINT", "DECIMAL(5, 2)", "FLOAT"):
        found = ask_duckdb(query, pa.table(whole), f"CAST(x AS {kind}) AS x")
        assert found == model.predict(whole).tolist()


def test_the_more_precise_rule_stands_first():
    both = [([Threshold("x", ">", 1.0)], "yes"), ([Threshold("x", ">", 0.0)], "no")]
    text = set_of(*both).to_sql()
    assert text == (
        "CASE\n  WHEN \"x\" > 1.0e0 THEN 'yes'\n  WHEN \"x\" > 0.0e0 THEN 'no'\n  ELSE 'no'\nEND\n"
    )
    assert ask_sqlite(f"SELECT {text} FROM t", pd.DataFrame({"x": [2.0, 0.5]})) == ["yes", "no"]


def test_a_query_adds_one_column_to_the_table():
    model = set_of(([Threshold("x", ">", 1.0)], "yes"))
    query = model.to_sql(table='my "table"', column="it's", dialect="duckdb")
    assert query.startswith("SELECT\n  *,\n  CASE\n    WHEN")
    rows = pd.DataFrame({"other": [7, 8], "x": [0.0, 2.0]})
    assert ask_duckdb(query, pa.table(rows), name='my "table"') == ["no", "yes"]


def test_a_set_without_rules_is_a_constant():
    assert set_of(default="yes").to_sql() == "'yes'\n"
    rows = pd.DataFrame({"x": [0.0, 2.0]})
    assert ask_sqlite(set_of(default="yes").to_sql(table="t"), rows) == ["yes", "yes"]


@pytest.mark.parametrize("text", [*AWKWARD, "`; DROP TABLE t; --", '"; DROP TABLE t; --', "%s ? :x $1"])
def test_names_are_only_ever_names(text):
    columns = ((text or "x", "category"), ("n", "numeric"))
    name = columns[0][0]
    model = set_of(([Equals(name, "=", text)], "yes"), ([Threshold("n", ">", 1.0)], "yes"), columns=columns)
    rows = pd.DataFrame({name: [text, text + "'", None, text], "n": [0.0, 0.0, 2.0, None]})
    expected = ["yes", "no", "yes", "yes"]
    assert model.predict(rows).tolist() == expected
    for ask, dialect in ((ask_sqlite, "sqlite"), (ask_sqlite, "standard")):
        query = model.to_sql(dialect=dialect, table=text or "t", column=text + "'")
        assert ask(query, rows, name=text or "t") == expected
    query = model.to_sql(dialect="duckdb", table=text or "t", column=text + "'")
    assert ask_duckdb(query, pa.Table.from_pandas(rows), name=text or "t") == expected


def test_a_column_that_the_table_lacks_is_an_error_and_not_a_text():
    query = set_of(([Equals("x", "=", "x")], "yes"), columns=(("x", "category"),)).to_sql(
        dialect="sqlite", table="t"
    )
    with pytest.raises(sqlite3.OperationalError, match="no such column: x"):
        ask_sqlite(query, pd.DataFrame({"y": [1]}))


@pytest.mark.parametrize(
    ("model", "options", "message"),
    [
        (
            set_of(),
            {"dialect": "mysql"},
            "unknown SQL dialect 'mysql'; choose one of: standard, duckdb, sqlite",
        ),
        (set_of(), {"table": "a\0b"}, "has a NUL character, which SQL cannot hold; rename it"),
        (
            set_of(([Equals("x", "=", "\ud800")], "yes")),
            {},
            "is not valid Unicode, so SQL cannot hold it; rename it",
        ),
        (
            set_of(
                ([Threshold("Age", ">", 1.0), Threshold("age", ">", 1.0)], "yes"),
                columns=(("Age", "numeric"), ("age", "numeric")),
            ),
            {},
            "columns 'Age' and 'age' differ only in case, which SQL does not tell apart; rename one",
        ),
    ],
)
def test_what_sql_cannot_say_is_refused(model, options, message):
    with pytest.raises(InputError, match=message):
        model.to_sql(**options)


def test_infinite_ends_are_left_out():
    inf = float("inf")
    for literal, test in (
        (Interval("x", -inf, 2.0), '"x" <= 2.0e0'),
        (Interval("x", 2.0, inf), '"x" > 2.0e0'),
        (Interval("x", -inf, inf), '"x" IS NOT NULL'),
        (Interval("x", -inf, 2.0, inside=False), '("x" > 2.0e0)'),
        (Interval("x", -inf, inf, inside=False), "1 = 0"),
    ):
        assert f"WHEN {test} THEN" in set_of(([literal], "yes")).to_sql()
