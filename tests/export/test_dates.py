"""Conditions on dates: found, shown, kept, checked and exported as dates, whatever the table holds."""

from __future__ import annotations

import datetime as dt
import sqlite3

import duckdb
import numpy as np
import onnxruntime
import pandas as pd
import pytest

from laconic import Binarizer, DecisionSetClassifier, load_model, save_model, verify_certificate
from laconic.checking.recheck import recheck
from laconic.data.large.open import from_files
from laconic.data.training import in_memory

pytestmark = pytest.mark.filterwarnings("ignore::laconic.data.columns.ReadingWarning")

WRITTEN = {"iso": "%Y-%m-%d", "german": "%d.%m.%Y", "american": "%m/%d/%Y", "timed": "%Y-%m-%d %H:%M:%S"}


def dates(n, seed, *, timed=False):
    rng = np.random.default_rng(seed)
    days = pd.Timestamp("2022-01-01") + pd.to_timedelta(rng.integers(0, 900, n), "D")
    return pd.Series(days + pd.to_timedelta(rng.integers(0, 86_400, n) * timed, "s"))


def rows_of(when, written, seed):
    rng = np.random.default_rng(seed + 100)
    shown = when if written == "dtype" else when.dt.strftime(WRITTEN[written])
    rows = pd.DataFrame({"since": shown, "v": rng.integers(0, 9, len(when))})
    return rows.mask(rng.random(rows.shape) < 0.05)


@pytest.fixture(scope="module", params=["dtype", "iso", "german", "american", "timed"])
def learned(request, tmp_path_factory):
    when = dates(300, 0, timed=request.param == "timed")
    rows = rows_of(when, request.param, 0)
    y = np.where((when > "2023-06-30") & (rows["v"] > 3), "yes", "no")
    fitted = DecisionSetClassifier(regularization=0.01, certificate=True).fit(rows, y)
    assert verify_certificate(fitted.certificate_, rows, y).holds
    path = tmp_path_factory.mktemp("dates") / "model.json"
    save_model(fitted.decision_set_, path)
    model = load_model(path)
    assert recheck(model, rows, y) == []
    later = dates(3000, 1, timed=True) if request.param in {"dtype", "timed"} else dates(3000, 1)
    return request.param, model, rows_of(later, request.param, 1)


def test_rules_name_dates(learned):
    _, model, rows = learned
    conditions = {one.text for rule in model.rules for one in rule.literals if one.column == "since"}
    assert conditions
    for text in conditions:
        dt.datetime.fromisoformat(text.split(" ", 2)[2])
    assert {one.kind for one in model.columns if one.name == "since"} == {"date"}
    found = model.explain(rows.iloc[:20]).to_text()
    assert "(it is 202" in found
    model.explain(rows.iloc[:20]).to_json()


def test_a_date_is_the_same_however_it_is_written(learned):
    written, model, rows = learned
    if written in {"dtype", "timed"}:
        return
    when = pd.to_datetime(rows["since"], format=WRITTEN[written])
    expected = model.predict(rows).tolist()
    for same in (when, when.dt.date, when.dt.strftime("%Y-%m-%d"), when + pd.Timedelta("7h")):
        assert model.predict(rows.assign(since=same)).tolist() == expected


def test_duckdb(learned):
    written, model, rows = learned
    expected = model.predict(rows).tolist()
    tables = [rows]
    if written != "dtype":
        tables.append(rows.assign(since=pd.to_datetime(rows["since"], format=WRITTEN[written])))
    for given in tables:
        with duckdb.connect() as connection:
            connection.register("given", given)
            connection.execute("CREATE TABLE t AS SELECT * REPLACE (nullif(v, 'nan') AS v) FROM given")
            answers = connection.execute(model.to_sql(dialect="duckdb", table="t")).fetchall()
            assert [row[-1] for row in answers] == expected


def test_sqlite_and_other_databases(learned):
    written, model, rows = learned
    expected = model.predict(rows).tolist()
    when = pd.to_datetime(rows["since"], format=WRITTEN.get(written))
    with sqlite3.connect(":memory:") as connection:
        connection.execute("CREATE TABLE t (since, v)")
        given = rows.assign(since=when.dt.strftime("%Y-%m-%d %H:%M:%S")).astype(object)
        connection.executemany(
            "INSERT INTO t VALUES (?, ?)", given.where(given.notna(), None).to_numpy().tolist()
        )
        answers = connection.execute(model.to_sql(dialect="sqlite", table="t")).fetchall()
        assert [row[-1] for row in answers] == expected
    with duckdb.connect() as connection:
        connection.register("given", rows.assign(since=when))
        connection.execute("CREATE TABLE t AS SELECT * REPLACE (nullif(v, 'nan') AS v) FROM given")
        answers = connection.execute(model.to_sql(table="t")).fetchall()
        assert [row[-1] for row in answers] == expected


def test_python(learned):
    written, model, rows = learned
    expected = model.predict(rows).tolist()
    scope = {}
    exec(compile(model.to_python(), "exported", "exec"), scope)
    assert [scope["predict"](row) for row in rows.to_dict("records")] == expected
    if written != "dtype":
        when = pd.to_datetime(rows["since"], format=WRITTEN[written])
        given = rows.assign(since=when).to_dict("records")
        assert [scope["predict"](row) for row in given] == expected


def test_onnx_takes_days_or_seconds(learned):
    written, model, rows = learned
    expected = model.predict(rows).tolist()
    session = onnxruntime.InferenceSession(model.to_onnx(), providers=["CPUExecutionProvider"])
    when = pd.to_datetime(rows["since"], format=WRITTEN.get(written))
    seconds = (when - pd.Timestamp(0)).dt.total_seconds()
    unit = next(one.reading.unit for one in model.columns if one.name == "since")
    numbers = (seconds // 86_400 if unit == "day" else seconds).to_numpy(np.float64)
    inputs = {"since": numbers, "v": rows["v"].to_numpy(np.float64)}
    inputs = {one.name: inputs[one.name] for one in session.get_inputs()}
    assert session.run(["label"], inputs)[0].tolist() == expected


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_out_of_core_gives_the_same_training_table(tmp_path, suffix):
    rows = rows_of(dates(400, 3), "german" if suffix == "csv" else "dtype", 3)
    rows["y"] = np.where(rows["v"] > 4, "yes", "no")
    for k, part in enumerate((rows[:200], rows[200:])):
        path = tmp_path / f"{k}.{suffix}"
        part.to_csv(path, index=False) if suffix == "csv" else part.to_parquet(path)
    columns = {"since": {"cuts": ["2022-12-31", "2023-07-01"], "names": ["old", "mid", "new"]}}
    for said in (None, columns):
        found = from_files(str(tmp_path / f"*.{suffix}"), "y", binarizer=Binarizer(columns=said))
        expected = in_memory(rows[["since", "v"]], rows["y"], None, Binarizer(columns=said))
        assert found.binarizer.features_ == expected.binarizer.features_
        assert found.columns == expected.columns
        assert (found.table.weights == expected.table.weights).all()
    assert str(found.binarizer.features_[2].positive) == "since is mid (> 2022-12-31 and <= 2023-07-01)"


PARTS = {"opened": {"parts": ["year", "month", "weekday", "hour"]}, "closed": {"since": "opened"}}


@pytest.fixture(scope="module", params=["month", "weekday", "hour", "days", "year"])
def computed(request, tmp_path_factory):
    """A model whose rules ask for one part of a date, and later rows."""

    def table(n, seed):
        opened = dates(n, seed, timed=True)
        closed = opened.dt.normalize() + pd.to_timedelta(
            np.random.default_rng(seed + 50).integers(-9, 90, n), "D"
        )
        rows = pd.DataFrame({"opened": opened, "closed": closed})
        return rows.mask(np.random.default_rng(seed + 1).random(rows.shape) < 0.05), rows

    rows, whole = table(400, 5)
    said = {
        "month": whole["opened"].dt.month > 6,
        "weekday": whole["opened"].dt.day_of_week == 2,
        "hour": whole["opened"].dt.hour < 8,
        "days": (whole["closed"] - whole["opened"].dt.normalize()).dt.days > 30,
        "year": whole["opened"].dt.year == 2023,
    }[request.param]
    settings = {**PARTS, "opened": {"parts": [request.param] if request.param != "days" else []}}
    fitted = DecisionSetClassifier(
        regularization=0.01, binarizer=Binarizer(bins=12, columns=settings), certificate=True
    ).fit(rows, np.where(said, "yes", "no"))
    assert verify_certificate(fitted.certificate_, rows, np.where(said, "yes", "no")).holds
    assert fitted.n_features_in_ == 2 == len(fitted.feature_importances_)
    path = tmp_path_factory.mktemp("parts") / "model.json"
    save_model(fitted.decision_set_, path)
    model = load_model(path)
    assert recheck(model, rows, np.where(said, "yes", "no")) == []
    return request.param, model, table(3000, 6)[0]


def test_parts_of_dates_are_columns_of_their_own(computed):
    part, model, rows = computed
    name = {"days": "days from opened to closed"}.get(part, f"{part} of opened")
    assert name in model.used_columns
    assert set(model.needed_columns) <= {"opened", "closed"}
    assert model.predict(rows[["closed", "opened"]]).tolist() == model.predict(rows.to_numpy()).tolist()
    model.explain(rows[:5]).to_json()


@pytest.mark.parametrize("dialect", ["duckdb", "standard"])
def test_parts_of_dates_in_duckdb(computed, dialect):
    _, model, rows = computed
    with duckdb.connect() as connection:
        connection.register("given", rows)
        connection.execute("CREATE TABLE t AS SELECT * FROM given")
        answers = connection.execute(model.to_sql(dialect=dialect, table="t")).fetchall()
    assert [row[-1] for row in answers] == model.predict(rows).tolist()


def test_parts_of_dates_in_sqlite(computed):
    _, model, rows = computed
    with sqlite3.connect(":memory:") as connection:
        connection.execute("CREATE TABLE t (opened, closed)")
        given = rows.apply(lambda column: column.dt.strftime("%Y-%m-%d %H:%M:%S")).astype(object)
        connection.executemany(
            "INSERT INTO t VALUES (?, ?)", given.where(given.notna(), None).to_numpy().tolist()
        )
        answers = connection.execute(model.to_sql(dialect="sqlite", table="t")).fetchall()
    assert [row[-1] for row in answers] == model.predict(rows).tolist()


def test_parts_of_dates_in_python(computed):
    _, model, rows = computed
    scope = {}
    exec(compile(model.to_python(), "exported", "exec"), scope)
    expected = model.predict(rows).tolist()
    assert [scope["predict"](row) for row in rows.to_dict("records")] == expected
    assert set(scope["COLUMNS"]) == set(model.needed_columns)
