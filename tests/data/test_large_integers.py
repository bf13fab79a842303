"""Whole numbers beyond 2**53: never merged with their neighbours in silence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from laconic import Binarizer, DecisionSetClassifier, TrainingTable
from laconic.cli.main import run
from laconic.data.cells import Cells, same_value
from laconic.data.literals import Equals, Interval, Threshold
from laconic.runtime.errors import InputError

BIG = 2**53
IDS = [BIG, BIG + 1, BIG, BIG + 1, BIG + 2, BIG + 3]
LABELS = [0, 1, 0, 1, 0, 1]
REFUSED = r"column 'id': .*is 90071992547409\d\d, a whole number beyond 2\*\*53 .* leave the column out"

TABLES = {
    "int64": lambda: pd.DataFrame({"id": IDS}),
    "uint64": lambda: pd.DataFrame({"id": np.array(IDS, np.uint64)}),
    "objects": lambda: pd.DataFrame({"id": pd.Series(IDS, dtype=object)}),
    "Int64": lambda: pd.DataFrame({"id": pd.array([*IDS[:5], None], "Int64")}),
    "arrow dtype": lambda: pd.DataFrame({"id": pd.array([*IDS[:5], None], "int64[pyarrow]")}),
    "objects with None": lambda: pd.DataFrame({"id": pd.Series([*IDS[:5], None], dtype=object)}),
    "polars": lambda: pl.DataFrame({"id": IDS}),
    "polars with null": lambda: pl.DataFrame({"id": [*IDS[:5], None]}),
    "pyarrow with null": lambda: pa.table({"id": pa.array([*IDS[:5], None], pa.int64())}),
    "negative": lambda: pd.DataFrame({"id": [-one for one in IDS]}),
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("thresholds", ["quantile", "all", "midpoints", "entropy", "paper"])
def test_numbers_that_doubles_merge_are_refused(name, thresholds):
    pattern = REFUSED.replace("is 9", "is -?9")
    with pytest.raises(InputError, match=pattern):
        DecisionSetClassifier(binarizer=Binarizer(thresholds)).fit(TABLES[name](), LABELS)


@pytest.mark.parametrize("rows", [[[one, 0.5] for one in IDS], [[one + 2**63, -1] for one in range(6)]])
def test_a_list_that_numpy_would_merge_is_refused(rows):
    with pytest.raises(InputError, match=r"column 'x0': .* a whole number beyond 2\*\*53"):
        DecisionSetClassifier().fit(rows, LABELS)


def test_a_masked_array_is_refused_too():
    cells = np.ma.array([[one] for one in IDS], mask=[[False]] * 5 + [[True]])
    with pytest.raises(InputError, match=r"column 'x0': .* a whole number beyond 2\*\*53"):
        DecisionSetClassifier().fit(cells, LABELS)


def test_large_numbers_that_are_doubles_are_cut_exactly():
    ids = [2**60, 2**60 + 256, 2**62, 2**62 + 1024] * 2
    clf = DecisionSetClassifier("perfect", binarizer=Binarizer("midpoints"))
    clf.fit(pd.DataFrame({"id": ids}), [0, 1, 0, 1] * 2)
    assert clf.errors_ == 0


@pytest.mark.parametrize("name", [name for name in TABLES if name != "negative"])
def test_as_categories_they_are_told_apart_in_fit_and_predict(name):
    table = TABLES[name]()
    clf = DecisionSetClassifier("perfect", binarizer=Binarizer(columns={"id": "category"})).fit(table, LABELS)
    assert clf.errors_ == 0
    assert clf.predict(table).tolist() == LABELS
    other = TABLES["int64"]()
    assert clf.predict(other)[:5].tolist() == LABELS[:5]
    assert clf.predict(other.astype(str))[:5].tolist() == LABELS[:5]


@pytest.mark.parametrize("dtype", ["int64", "uint64", object, "Int64", "int64[pyarrow]", str])
def test_every_condition_holds_for_just_the_right_numbers(dtype):
    values = [BIG + k for k in range(-3, 12)] + [2**62 + k for k in (-1, 0, 1)]
    cells = Cells(pd.Series(values, name="id").astype(dtype))
    for cut in (float(BIG - 1), float(BIG), float(BIG + 2), float(2**62)):
        if dtype is not str:
            assert Threshold("id", "<=", cut).holds(cells).tolist() == [one <= cut for one in values]
            assert Threshold("id", ">", cut).holds(cells).tolist() == [one > cut for one in values]
            inside = Interval("id", float(BIG), float(BIG + 6)).holds(cells)
            assert inside.tolist() == [BIG < one <= BIG + 6 for one in values]
        for wanted in (*values, float(BIG + 2)):
            assert Equals("id", "=", wanted).holds(cells).tolist() == [one == wanted for one in values]


@pytest.mark.parametrize("kind", [np.int64, np.uint64])
def test_predict_compares_exactly_what_fit_never_saw(kind):
    clf = DecisionSetClassifier("perfect").fit(np.array([[BIG], [BIG + 2]] * 2, kind), [0, 1] * 2)
    (cut,) = {literal.value for rule in clf.rules_ for literal in rule.literals}
    new = np.array([[BIG - 1], [BIG], [BIG + 1], [BIG + 2], [BIG + 3]], kind)
    expected = [int(one > cut) for one in new[:, 0].tolist()]
    assert clf.predict(new).tolist() == expected
    assert clf.predict(pd.DataFrame(new, columns=["x0"])).tolist() == expected
    assert clf.predict(new.astype(object)).tolist() == expected


def test_labels_are_told_apart():
    clf = DecisionSetClassifier("perfect").fit([[0], [1], [2]], [BIG, BIG + 1, BIG + 2])
    assert clf.classes_.tolist() == [BIG, BIG + 1, BIG + 2]
    assert clf.predict([[0], [1], [2]]).tolist() == [BIG, BIG + 1, BIG + 2]
    for labels in ([2**63, -1, 2**63 + 1], [2**64, 2**64 + 1, 0]):
        with pytest.raises(InputError, match="a whole number beyond 64 bits"):
            DecisionSetClassifier().fit([[0], [1], [2]], labels)


def lines(ids):
    return "\n".join(f"{one},{label}" for one, label in zip(ids, LABELS, strict=True))


FILES = {
    "whole": lines(IDS),
    "with a gap": lines(["", *IDS[1:]]),
    "with a fraction": lines(["0.5", *IDS[1:]]),
}


@pytest.mark.parametrize("text", FILES)
@pytest.mark.parametrize("more", [[], ["--out-of-core", "yes"], ["--type", "id=numeric"]])
def test_a_csv_file_is_refused_however_it_is_read(text, more, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text(f"id,class\n{FILES[text]}\n")
    assert run(["fit", "t.csv", *more]) == 2
    assert "a whole number beyond 2**53" in capsys.readouterr().err
    assert run(["fit", "t.csv", "--type", "id=category", "--objective", "perfect", "-o", "m.json"]) == 0
    assert run(["predict", "m.json", "t.csv", "-o", "p.csv"]) == 0
    assert pd.read_csv("p.csv")["prediction"].tolist() == LABELS


@pytest.mark.parametrize("gap", [False, True])
@pytest.mark.parametrize("more", [[], ["--out-of-core", "yes"]])
def test_a_parquet_file_is_refused_however_it_is_read(gap, more, tmp_path, capsys):
    path = tmp_path / "t.parquet"
    ids = [None, *IDS[1:]] if gap else IDS
    pq.write_table(pa.table({"id": pa.array(ids, pa.int64()), "class": LABELS}), path)
    assert run(["fit", str(path), "-t", "class", *more]) == 2
    assert "a whole number beyond 2**53" in capsys.readouterr().err


def test_many_distinct_numbers_outside_memory_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("laconic.data.large.out_of_core.MAX_VALUES", 3)
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"id": pa.array([BIG + k for k in range(50)]), "class": [0, 1] * 25}), path)
    with pytest.raises(InputError, match=r"column 'id': a cell is \d+, a whole number beyond 2\*\*53"):
        TrainingTable.from_files(path, "class")


def test_same_value_compares_whole_numbers_exactly():
    assert same_value(str(BIG + 1), BIG + 1)
    assert not same_value(str(BIG + 1), BIG)
    assert not same_value(BIG + 1, float(BIG))
    assert same_value("1e3", 1000)
