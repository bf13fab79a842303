"""Every export reads raw cells as the model does: blanks, decimal marks, codes for "no value"."""

from __future__ import annotations

import sqlite3

import duckdb
import numpy as np
import onnxruntime
import pandas as pd
import pytest

from laconic import Binarizer, DecisionSetClassifier, load_model, save_model
from laconic.data.reading.column_reading import ColumnReading

pytestmark = pytest.mark.filterwarnings("ignore::laconic.data.columns.ReadingWarning")

N_TRAINED, N_ROWS = 400, 3000
TEXTS = [" red", "red", "green ", "\tblue", "blue", "?", "never seen", "", " "]


def raw_rows(n, seed):
    """Return rows as a file holds them, texts everywhere; some cells are missing, some unseen."""
    rng = np.random.default_rng(seed)
    amounts = rng.integers(0, 4_000_000, n) / 100
    spelled = [f"{one:,.2f}".translate(str.maketrans(",.", ".,")) for one in amounts]
    ages = rng.integers(0, 99, n).astype(str)
    rows = pd.DataFrame(
        {
            "colour": rng.choice(TEXTS[:5] + TEXTS[5:] * (seed > 0), n),
            "amount": np.where(rng.random(n) < 0.1, "k.A.", spelled),
            "age": np.where(rng.random(n) < 0.1, "?", ages),
            "size": rng.choice([-9999.0, 99.0, np.nan, *range(20)], n),
        }
    )
    return rows.mask(rng.random(rows.shape) < 0.05)


@pytest.fixture(scope="module", params=[1, 2], ids=["single categories", "groups"])
def model(tmp_path_factory, request):
    rows = raw_rows(N_TRAINED, 0)
    amount = pd.to_numeric(rows["amount"].str.replace(".", "").str.replace(",", "."), errors="coerce")
    y = (rows["colour"].str.strip() == "red") & (amount > 9000) | (pd.to_numeric(rows["age"], "coerce") > 70)
    y |= rows["size"].between(0, 4) & (amount <= 30000)
    y |= (rows["size"] == 99) & rows["colour"].str.strip().isin(["green", "blue"])
    binarizer = Binarizer(max_members=request.param, columns={"size": {"codes": [-9999, 99]}})
    fitted = DecisionSetClassifier(regularization=0.003, binarizer=binarizer).fit(
        rows, np.where(y, "yes", "no")
    )
    path = tmp_path_factory.mktemp("readings") / "model.json"
    save_model(fitted.decision_set_, path)
    return load_model(path)


@pytest.fixture(scope="module")
def rows():
    return raw_rows(N_ROWS, 1)


@pytest.fixture(scope="module")
def expected(model, rows):
    assert {"colour", "amount", "age", "size"} <= set(model.used_columns)
    kinds = {one.kind for rule in model.rules for one in rule.literals if one.column == "size"}
    assert "threshold" in kinds  # which no special code satisfies
    return model.predict(rows).tolist()


def parsed(rows):
    """Return the same rows with numbers and None where others would have read them already."""
    colour = rows["colour"].str.strip(" \t")
    amount = rows["amount"].replace("k.A.", None).str.replace(".", "").str.replace(",", ".")
    return rows.assign(
        colour=colour.mask(colour.isin(["?", ""])),
        amount=pd.to_numeric(amount),
        age=pd.to_numeric(rows["age"].replace("?", None)),
    )


def test_what_was_found_is_what_the_cells_need(model):
    found = {column.name: column.reading for column in model.columns}
    assert found["colour"] == ColumnReading(strip=True)
    assert found["amount"] == ColumnReading(missing=("k.A.",), numbers=True, decimal=",", thousands=".")
    assert found["age"] == ColumnReading(missing=("?",), numbers=True)


def test_rows_that_are_read_already_get_the_same_answer(model, rows):
    known = rows["colour"].ne("?") & rows["colour"].ne("") & rows["colour"].ne(" ")
    assert model.predict(parsed(rows))[known].tolist() == model.predict(rows)[known].tolist()


@pytest.mark.parametrize("dialect", ["duckdb", "standard"])
@pytest.mark.parametrize("numbers", [False, True])
def test_duckdb(model, rows, expected, dialect, numbers):
    if numbers and dialect == "standard":
        pytest.skip("other databases hold texts as in the file")
    given = rows.assign(amount=parsed(rows)["amount"], age=parsed(rows)["age"]) if numbers else rows
    if dialect == "standard":  # which leaves out blanks, but no tabs
        given = given.assign(colour=given["colour"].str.replace("\t", " "))
    with duckdb.connect() as connection:
        connection.register("given", given)
        connection.execute("CREATE TABLE t AS SELECT * REPLACE (nullif(size, 'nan') AS size) FROM given")
        query = model.to_sql(dialect=dialect, table="t")
        assert [row[-1] for row in connection.execute(query).fetchall()] == expected


@pytest.mark.parametrize("numbers", [False, True])
def test_sqlite(model, rows, expected, numbers):
    given = rows.assign(amount=parsed(rows)["amount"], age=parsed(rows)["age"]) if numbers else rows
    with sqlite3.connect(":memory:") as connection:
        connection.execute("CREATE TABLE t (colour, amount, age, size)")
        cells = given.astype(object).where(given.notna(), None).to_numpy().tolist()
        connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", cells)
        query = model.to_sql(dialect="sqlite", table="t")
        assert [row[-1] for row in connection.execute(query).fetchall()] == expected


@pytest.mark.parametrize("numbers", [False, True])
def test_python(model, rows, expected, numbers):
    scope = {}
    exec(compile(model.to_python(), "exported", "exec"), scope)
    given = rows.assign(amount=parsed(rows)["amount"], age=parsed(rows)["age"]) if numbers else rows
    assert [scope["predict"](row) for row in given.to_dict("records")] == expected


def test_onnx(model, rows, expected):
    session = onnxruntime.InferenceSession(model.to_onnx(), providers=["CPUExecutionProvider"])
    given = rows.assign(amount=parsed(rows)["amount"], age=parsed(rows)["age"])
    inputs = {
        one.name: (
            given[one.name].fillna("").to_numpy(object)
            if one.type == "tensor(string)"
            else given[one.name].to_numpy(np.float64)
        )
        for one in session.get_inputs()
    }
    assert session.run(["label"], inputs)[0].tolist() == expected
