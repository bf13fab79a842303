"""Compare every export with ``predict`` on random rows as files hold them.

Blanks around texts, unseen categories, decimal commas, words for "no value", special codes, dates in local
form, parts of dates and missing cells. Run ``python -m benchmarks.exports_agree [ROWS]``; the number of rows
is a million by default.
"""

from __future__ import annotations

import sqlite3
import sys
import time
import warnings
from typing import Any

import duckdb
import numpy as np
import onnxruntime
import pandas as pd

from laconic import Binarizer, DecisionSetClassifier
from laconic.model.decision_set import DecisionSet

COLOURS = [" red", "red", "green ", "\tblue", "blue", "?", "", " "]
SETTINGS = {
    "size": {"codes": [-9999, 99]},
    "since": {"dates": "dmy", "parts": ["weekday", "month"]},
    "closed": {"since": "since"},
}


def raw_rows(n: int, seed: int) -> pd.DataFrame:
    """Return rows as a file holds them, with some cells missing."""
    rng = np.random.default_rng(seed)
    amounts = rng.integers(0, 4_000_000, n) / 100
    spelled = pd.Series(amounts).map("{:,.2f}".format).str.translate(str.maketrans(",.", ".,"))
    since = pd.Timestamp("2022-01-01") + pd.to_timedelta(rng.integers(0, 900, n), "D")
    unseen = ["never seen"] if seed else []
    rows = pd.DataFrame(
        {
            "colour": rng.choice(COLOURS + unseen, n),
            "amount": np.where(rng.random(n) < 0.1, "k.A.", spelled),
            "size": rng.choice([-9999.0, 99.0, *range(20)], n),
            "since": since.strftime("%d.%m.%Y"),
            "closed": since + pd.to_timedelta(rng.integers(0, 90, n), "D"),
        }
    )
    return rows.mask(rng.random(rows.shape) < 0.03)


def learned() -> DecisionSet:
    """Return a set whose rules use every column."""
    rows = raw_rows(3000, 0)
    since = pd.to_datetime(rows["since"], format="%d.%m.%Y")
    said = (rows["colour"].str.strip() == "red") & (rows["size"] > 8)
    said |= (since.dt.day_of_week > 4) & rows["amount"].str.len().gt(8)
    said |= (rows["closed"] - since).dt.days > 75
    said |= (rows["size"] == 99) & (since > "2023-06-30")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = DecisionSetClassifier(
            regularization=0.002, binarizer=Binarizer(columns=SETTINGS), time_limit=20
        ).fit(rows, np.where(said, "yes", "no"))
    return fitted.decision_set_


def in_duckdb(model: DecisionSet, rows: pd.DataFrame) -> list[Any]:
    """Return the answers of DuckDB."""
    with duckdb.connect() as connection:
        connection.register("given", rows)
        connection.execute("CREATE TABLE t AS SELECT * REPLACE (nullif(size, 'nan') AS size) FROM given")
        return [row[-1] for row in connection.execute(model.to_sql(dialect="duckdb", table="t")).fetchall()]


def in_sqlite(model: DecisionSet, rows: pd.DataFrame) -> list[Any]:
    """Return the answers of SQLite, which holds dates as ISO texts."""
    since = pd.to_datetime(rows["since"], format="%d.%m.%Y").dt.strftime("%Y-%m-%d")
    given = rows.assign(since=since, closed=rows["closed"].dt.strftime("%Y-%m-%d")).astype(object)
    with sqlite3.connect(":memory:") as connection:
        connection.execute("CREATE TABLE t (colour, amount, size, since, closed)")
        cells = given.where(given.notna(), None).to_numpy().tolist()
        connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?)", cells)
        return [row[-1] for row in connection.execute(model.to_sql(dialect="sqlite", table="t")).fetchall()]


def in_python(model: DecisionSet, rows: pd.DataFrame) -> list[Any]:
    """Return the answers of the Python function."""
    scope: dict[str, Any] = {}
    exec(compile(model.to_python(), "exported", "exec"), scope)
    return [scope["predict"](row) for row in rows.to_dict("records")]


def in_onnx(model: DecisionSet, rows: pd.DataFrame) -> list[Any]:
    """Return the answers of onnxruntime, which takes texts that are numbers or dates as numbers."""
    session = onnxruntime.InferenceSession(model.to_onnx(), providers=["CPUExecutionProvider"])
    amount = rows["amount"].replace("k.A.", None).str.replace(".", "").str.replace(",", ".")
    since = pd.to_datetime(rows["since"], format="%d.%m.%Y")
    days = {
        name: (one - pd.Timestamp(0)).dt.days for name, one in (("since", since), ("closed", rows["closed"]))
    }
    known = {
        "colour": rows["colour"].fillna("").to_numpy(object),
        "amount": pd.to_numeric(amount).to_numpy(np.float64),
        "size": rows["size"].to_numpy(np.float64),
        "since": days["since"].to_numpy(np.float64),
        "closed": days["closed"].to_numpy(np.float64),
        "weekday of since": since.dt.day_name().fillna("").to_numpy(object),
        "month of since": since.dt.month.to_numpy(np.float64),
        "days from since to closed": (days["closed"] - days["since"]).to_numpy(np.float64),
    }
    inputs = {one.name: known[one.name] for one in session.get_inputs()}
    found: list[Any] = session.run(["label"], inputs)[0].tolist()
    return found


def main(n_rows: int = 1_000_000) -> int:
    """Print how many rows each export answers differently, and return their number."""
    model, rows, n_wrong = learned(), raw_rows(n_rows, 1), 0
    expected = model.predict(rows).tolist()
    print(f"{len(model.rules)} rules on {', '.join(model.used_columns)}; {n_rows} rows")
    for export in (in_duckdb, in_sqlite, in_python, in_onnx):
        start = time.process_time()
        wrong = sum(one != two for one, two in zip(export(model, rows), expected, strict=True))
        print(
            f"{export.__name__}: {wrong} rows differ ({time.process_time() - start:.1f} s of processor time)"
        )
        n_wrong += wrong
    return n_wrong


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])) > 0)
