"""Files that DuckDB reduces give, bit for bit, what memory gives."""

import tempfile
import warnings
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from tests.support.messy_tables import assert_same, binarizers, outcome, reference, tables

from laconic import Binarizer, DecisionSetClassifier, TrainingTable
from laconic.data.columns import BinarizerWarning
from laconic.data.large import csv_files, out_of_core, partitions, ranges
from laconic.data.large.sources import Dialect
from laconic.data.read import read_table
from laconic.data.training import in_memory
from laconic.runtime.errors import InputError

duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")

# Each example is dozens of queries; shrinking one would take minutes.
QUICK = settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    phases=[Phase.explicit, Phase.generate],
)


@pytest.fixture
def few_values(monkeypatch):
    """Pretend that memory holds five distinct values of a column."""
    for module in (ranges, out_of_core, partitions):
        monkeypatch.setattr(module, "MAX_VALUES", 5)
    monkeypatch.setattr(ranges, "N_STRETCHES", 3)


def from_files(pattern, frame, binarizer, *, weighted, **options):
    roles = {"weight_column": "w"} if weighted else {"drop": ["w"]}
    return outcome(
        lambda: TrainingTable.from_files(pattern, "y", binarizer=clone(binarizer), **roles, **options)
    )


@QUICK
@given(frame=tables(), binarizer=binarizers(), weighted=st.booleans())
def test_a_parquet_file_gives_what_memory_gives(frame, binarizer, weighted):
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, "data [1]*.parquet")  # characters that patterns use
        frame.to_parquet(path)
        expected = reference(read_table(path), binarizer, weighted=weighted)
        assert_same(expected, from_files(path, frame, binarizer, weighted=weighted))


@QUICK
@given(frame=tables(), bins=st.integers(2, 4), weighted=st.booleans())
def test_quantiles_are_exact_when_the_values_do_not_fit(few_values, frame, bins, weighted):
    binarizer = Binarizer(bins=bins)
    frame = frame.drop(columns=[name for name in frame.select_dtypes(["category", "str"]) if name != "y"])
    if frame.shape[1] < 3:
        return
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, "data.parquet")
        frame.to_parquet(path)
        expected = reference(read_table(path), binarizer, weighted=weighted)
        assert_same(expected, from_files(path, frame, binarizer, weighted=weighted))


@settings(QUICK, max_examples=8)
@given(frame=tables(), binarizer=binarizers(), weighted=st.booleans(), semicolons=st.booleans())
def test_csv_files_give_what_memory_gives(frame, binarizer, weighted, semicolons):
    options = {"sep": ";", "decimal": ","} if semicolons else {}
    frame = frame.rename(columns={"x%": "x"})
    with tempfile.TemporaryDirectory() as place, pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_files, "CELLS_AT_A_TIME", 0)
        patch.setattr(csv_files, "FEWEST_ROWS", 4)
        whole, half = Path(place, "whole.csv"), len(frame) // 2
        frame.to_csv(whole, index=False, **options)
        frame[:half].to_csv(Path(place, "part-1.csv"), index=False, **options)
        frame[half:].to_csv(Path(place, "part-2.csv"), index=False, **options)
        how = {"delimiter": ";", "decimal": ","} if semicolons else {"delimiter": ","}
        expected = reference(read_table(whole, **how), binarizer, weighted=weighted)
        for pattern in ("whole.csv", "part-*.csv"):
            found = from_files(
                Path(place, pattern), frame, binarizer, weighted=weighted, dialect=Dialect(**how)
            )
            assert_same(without_readings(expected), without_readings(found))


def without_readings(training):
    """Return a training table that does not know of the decimal comma, which was only told to the files."""
    if isinstance(training, InputError):
        return training
    return replace(training, columns=tuple(replace(one, reading=None) for one in training.columns))


@settings(QUICK, max_examples=8)
@given(frame=tables(), binarizer=binarizers(), weighted=st.booleans())
def test_a_query_gives_what_memory_gives(frame, binarizer, weighted):
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, "data.duckdb")
        with duckdb.connect(str(path)) as connection:
            connection.register("frame", frame)
            connection.execute("CREATE TABLE loans AS SELECT * FROM frame")
            expected = reference(connection.sql("FROM loans").df(), binarizer, weighted=weighted)
        roles = {"weight_column": "w"} if weighted else {"drop": ["w"]}
        found = outcome(
            lambda: TrainingTable.from_query(
                "SELECT * FROM loans;", "y", database=path, binarizer=clone(binarizer), **roles
            )
        )
        assert_same(expected, found)


@pytest.fixture
def loans(tmp_path):
    rng = np.random.default_rng(5)
    n = 3000
    frame = pd.DataFrame(
        {
            "income": rng.lognormal(8, 1, n).round(2),
            "age": rng.integers(18, 90, n),
            "region": rng.choice(["north", "south", "east", None], n),
            "owner": rng.random(n) < 0.4,
            "reference": [f"L{k:05d}" for k in range(n)],
        }
    )
    risky = (frame["income"] < 3000) & ~frame["owner"]
    frame["repaid"] = np.where(risky ^ (rng.random(n) < 0.03), "no", "yes")
    path = tmp_path / "loans.parquet"
    frame.to_parquet(path)
    return frame, path


def test_the_model_is_the_same_byte_for_byte_from_files_and_relations(loans):
    frame, path = loans
    clf = DecisionSetClassifier(regularization=0.02)
    with pytest.warns(BinarizerWarning, match="'reference' is left out"):
        expected = clf.fit(frame.drop(columns="repaid"), frame["repaid"])
    with pytest.warns(BinarizerWarning, match="'reference' is left out"):
        found = clone(clf).fit(TrainingTable.from_files(path, "repaid"))
    with pytest.warns(BinarizerWarning, match="'reference' is left out"):
        from_relation = clone(clf).fit(duckdb.read_parquet(str(path)), "repaid")
    assert expected.optimal_
    assert found.decision_set_.to_json() == expected.decision_set_.to_json()
    assert from_relation.decision_set_.to_json() == expected.decision_set_.to_json()
    assert found.n_features_in_ == 5
    assert found.feature_names_in_.tolist() == expected.feature_names_in_.tolist()
    assert (found.predict(frame) == expected.predict(frame)).all()


def test_rows_can_be_added_to_what_was_learned_from_files(loans):
    frame, path = loans
    frame[:2000].to_parquet(path)
    clf = DecisionSetClassifier(regularization=0.02)
    clf.fit(TrainingTable.from_files(path, "repaid", drop=["reference"]))
    rest = frame[2000:].drop(columns=["reference", "repaid"])
    clf.partial_fit(rest, frame["repaid"][2000:])
    assert clf.decision_set_.proof.n_samples == 3000
    assert clf.optimal_


def test_texts_and_numbers_beyond_what_fits_are_cut_the_same_way(loans, few_values):
    frame, path = loans
    frame["y"], frame["w"] = frame["repaid"], 1.0
    for most in (50, 2):
        binarizer = Binarizer(max_categories=most)
        expected = reference(frame.drop(columns="repaid"), clone(binarizer), weighted=False)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", BinarizerWarning)
            assert_same(expected, TrainingTable.from_files(path, "repaid", binarizer=binarizer))


def test_a_summary_is_said_and_stays_close_to_all_values(loans, monkeypatch):
    frame, path = loans
    for module in (ranges, out_of_core):
        monkeypatch.setattr(module, "MAX_VALUES", 500)
    monkeypatch.setattr(ranges, "N_STRETCHES", 64)
    frame[["income", "repaid"]].to_parquet(path)
    with pytest.warns(BinarizerWarning, match="'income' come from a summary of its values in"):
        found = TrainingTable.from_files(path, "repaid", binarizer=Binarizer("entropy"))
    assert "summary" in found.notes[0]
    (cut,) = [feature.positive.value for feature in found.binarizer.features_]
    assert cut == pytest.approx(3000, rel=0.05)
    # Wherever the cut is, the rows on either side are counted exactly.
    below = (frame["income"] <= cut).to_numpy()
    no = (frame["repaid"] == "no").to_numpy()
    counts = [[int((one & side).sum()) for one in (no, ~no)] for side in (~below, below)]
    assert found.table.weights.tolist() == counts


def test_columns_can_be_left_out_and_read_as_categories(loans):
    _, path = loans
    binarizer = Binarizer(columns={"age": "category"}, max_categories=3)
    with pytest.warns(BinarizerWarning):
        found = TrainingTable.from_files(
            path,
            "repaid",
            drop=["reference", "income"],
            binarizer=binarizer,
            column_types={"age": "category"},
        )
    kinds = {column.name: column.kind for column in found.columns}
    assert kinds == {"age": "category", "region": "category", "owner": "binary"}
    assert {type(f.positive.value) for f in found.binarizer.features_ if f.positive.column == "age"} == {str}


def test_a_training_table_needs_no_labels_and_gets_none(loans):
    frame, path = loans
    table = TrainingTable.from_files(path, "repaid", drop=["reference"])
    with pytest.raises(InputError, match="holds its labels"):
        DecisionSetClassifier().fit(table, frame["repaid"])
    with pytest.raises(InputError, match="y must be the name of one of its columns"):
        DecisionSetClassifier().fit(duckdb.read_parquet(str(path)), frame["repaid"])


def same_as_memory(path, binarizer, **roles):
    frame = read_table(path)
    expected = outcome(
        lambda: in_memory(frame.drop(columns="y"), frame["y"], None, clone(binarizer)),
    )
    found = outcome(lambda: TrainingTable.from_files(path, "y", binarizer=clone(binarizer), **roles))
    assert_same(expected, found)
    return found


def test_nan_null_decimals_and_dictionaries_of_other_writers_are_read_as_in_memory(tmp_path):
    path = tmp_path / "other.parquet"
    labels = ["a", "b"] * 8
    table = pa.table(
        {
            "nan": pa.array([float("nan"), 1.0, None, 2.5] * 4),
            "half": pa.array(np.array([1, 2, 3, 4] * 4, np.float16)),
            "single": pa.array(np.array([0.1, 0.2, 0.3, np.nan] * 4, np.float32)),
            "price": pa.array([Decimal(f"{k}.10") for k in range(16)]),
            "unsigned": pa.array([2**63 + 2048 * k for k in range(16)], pa.uint64()),
            "word": pa.array(["z", "b", None, "a"] * 4).dictionary_encode(),
            "number": pa.array([30, 10, 20, 10] * 4).dictionary_encode(),
            "large": pa.array(["x", "y"] * 8, pa.large_string()),
            "y": labels,
        }
    )
    pq.write_table(table, path, row_group_size=3)
    found = same_as_memory(path, Binarizer(bins=3))
    words = [f.positive for f in found.binarizer.features_ if f.positive.column == "word"]
    assert [str(literal) for literal in words[:3:2]] == ["word is z", "word is b"]  # as the file lists them


def test_frequent_texts_are_chosen_as_in_memory_where_they_tie(tmp_path, few_values):
    path = tmp_path / "ties.parquet"
    words = ["é", "z", "Z", "a", "日本", "b", "🙂", "ab"]
    pd.DataFrame({"word": words * 2 + ["b", None], "y": ["p", "q"] * 9}).to_parquet(path)
    found = same_as_memory(path, Binarizer(max_categories=3))
    chosen = {f.positive.value for f in found.binarizer.features_[:-1]}
    assert chosen == {"b", "Z", "a"}


def test_texts_that_are_all_different_are_left_out_as_in_memory(tmp_path, few_values):
    path = tmp_path / "names.parquet"
    pd.DataFrame({"name": [f"n{k}" for k in range(12)], "x": range(12), "y": ["p", "q"] * 6}).to_parquet(path)
    found = same_as_memory(path, Binarizer(max_categories=3))
    assert "all of its 12 values are different" in found.binarizer.ignored_columns_["name"]


@pytest.mark.parametrize(
    "cells",
    [
        ["", "", "", "", "9007199254740993", "3", "4", "5"],  # a chunk without a value, and a huge number
        ["1", "2", "3", "4", "18446744073709551615", "7", "8", "9"],  # beyond 64 bits with a sign
        ["1", "2", "3", "4", "x", "01", "3.0", "5"],  # numbers, until a text comes
        ["true", "false", "True", "", "TRUE", "False", "", "true"],
        ["true", "false", "true", "true", "1", "0", "1", "0"],
        ["1", "2", "3", "4", "2.5", "1e3", ".5", "5."],
        ["0.30000000000000004", "0.1", "1e-320", "3", "123456789.123456789", "7", "8", "9"],
        ["NA", "null", "N/A", "", "None", "?", "-", "nan"],
    ],
)
def test_a_csv_column_has_the_type_it_has_in_memory(tmp_path, monkeypatch, cells):
    monkeypatch.setattr(csv_files, "CELLS_AT_A_TIME", 0)
    monkeypatch.setattr(csv_files, "FEWEST_ROWS", 4)
    path = tmp_path / "cells.csv"
    lines = [f"{cell},{k % 3},{'pq'[k % 2]}" for k, cell in enumerate(cells)]
    path.write_text("\n".join(["c,k,y", *lines]) + "\n")
    for method in ("quantile", "paper"):
        same_as_memory(path, Binarizer(method, bins=8))


def test_too_many_categories_of_numbers_are_refused(tmp_path, few_values):
    path = tmp_path / "numbers.parquet"
    pd.DataFrame({"x": range(40), "y": ["p", "q"] * 20}).to_parquet(path)
    with pytest.raises(InputError, match="more than 5 different values, too many to be read as category"):
        TrainingTable.from_files(path, "y", binarizer=Binarizer(columns={"x": "category"}))


@pytest.mark.parametrize(
    "cells",
    [
        ["1", "2", "3", "4", "184467440737095516150", "7", "8", "9"],
        ["-1", "2", "3", "4", "18446744073709551615", "7", "8", "9"],
        ["1", "", "3", "4", "18446744073709551615", "7", "8", "9"],
        ["1.5", "2", "3", "4", "18446744073709551615", "-7", "8", "9"],
    ],
)
def test_whole_numbers_beyond_63_bits_are_refused_with_advice(tmp_path, monkeypatch, cells):
    monkeypatch.setattr(csv_files, "CELLS_AT_A_TIME", 0)
    monkeypatch.setattr(csv_files, "FEWEST_ROWS", 4)
    path = tmp_path / "wide.csv"
    path.write_text("\n".join(["c,y", *(f"{cell},{'pq'[k % 2]}" for k, cell in enumerate(cells))]) + "\n")
    with pytest.raises(InputError, match="column 'c' holds whole numbers beyond 63 bits"):
        TrainingTable.from_files(path, "y")
    found = TrainingTable.from_files(path, "y", column_types={"c": "category"})
    assert {column.kind for column in found.columns} == {"category"}


def test_light_ranges_beside_a_heavy_value_are_not_cut(tmp_path, few_values):
    path = tmp_path / "heavy.parquet"
    light = [5, 5.2, 5.4, 5.6, 9, 9.3, 9.6, 10]
    pd.DataFrame({"x": [0.0] * 100 + light, "y": ["p", "q"] * 54}).to_parquet(path)
    found = same_as_memory(path, Binarizer(bins=3))
    assert [str(f.positive) for f in found.binarizer.features_] == ["x <= 0"]


def test_a_class_without_weight_is_none(tmp_path):
    path = tmp_path / "weights.parquet"
    frame = pd.DataFrame({"x": range(6), "w": [1, 2, 0, 1, 0.5, 0], "y": ["p", "q", "c", "p", "q", "c"]})
    frame.to_parquet(path)
    found = TrainingTable.from_files(path, "y", weight_column="w")
    assert_same(reference(frame, Binarizer(), weighted=True), found)
    assert found.classes.tolist() == ["p", "q"]


def parts():
    """Return two tables as somebody might write them, on two days."""
    rng = np.random.default_rng(5)
    for n in (120, 80):
        part = pd.DataFrame({"a": rng.integers(0, 60, n), "c": rng.choice(["u", "v", "w"], n)})
        part["y"] = np.where((part["a"] > 30) & (part["c"] != "u"), "yes", "no")
        yield part


@pytest.mark.parametrize(
    "second",
    [
        lambda f: f.assign(a=f["a"].where(f["a"] > 10)),  # a gap makes whole numbers doubles
        lambda f: f.assign(a=f["a"] + 0.5),
        lambda f: f.assign(a=np.nan),
        lambda f: f.assign(a=f["a"].astype("int8")),
        lambda f: f.assign(a=f["a"].astype("float32") + np.float32(0.1)),
        lambda f: f.assign(c=None),
        lambda f: f[["y", "c", "a"]],
        lambda f: f[:0],
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_parquet_files_may_differ_in_the_type_of_a_column_as_far_as_memory_can_join_them(
    tmp_path, second, turned
):
    one, other = parts()
    frames = [second(other), one] if turned else [one, second(other)]
    for k, frame in enumerate(frames):
        frame.to_parquet(tmp_path / f"{k}.parquet")
    joined = pd.concat([frame[frames[0].columns] for frame in frames if len(frame)], ignore_index=True)
    expected = in_memory(joined.drop(columns="y"), joined["y"], None, Binarizer())
    assert_same(expected, TrainingTable.from_files(tmp_path / "*.parquet", "y"))


def test_categories_of_files_may_be_few_and_many(tmp_path):
    one, other = parts()
    many = other.assign(c=[f"c{k}" for k in range(80)])
    many = pd.concat([many, many.assign(c=many["c"] + "'")])  # more than fit eight bits
    frames = [frame.assign(c=pd.Categorical(frame["c"])) for frame in (one, many)]
    for k, frame in enumerate(frames):
        frame.to_parquet(tmp_path / f"{k}.parquet")
    types = {pq.read_schema(tmp_path / f"{k}.parquet").field("c").type for k in range(2)}
    assert len(types) == 2
    joined = pd.concat(frames, ignore_index=True)
    joined["c"] = pd.api.types.union_categoricals([frame["c"] for frame in frames])
    expected = in_memory(joined.drop(columns="y"), joined["y"], None, Binarizer(max_categories=200))
    found = TrainingTable.from_files(tmp_path / "*.parquet", "y", binarizer=Binarizer(max_categories=200))
    assert_same(expected, found)


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (lambda f: f.assign(a=f["a"].astype(str)), "column 'a' is large_string in .*1.parquet, but int64 in"),
        (lambda f: f.assign(a=f["a"] > 3), "column 'a' is bool in"),
        (lambda f: f.assign(a=f["a"].astype("uint64")), "column 'a' is uint64 in"),
        (lambda f: f.assign(c=pd.Categorical(f["c"])), "column 'c' is dictionary"),
        (lambda f: f.drop(columns="c"), "1.parquet has no column 'c', but .*0.parquet has"),
        (lambda f: f.assign(z=1), "1.parquet has a column 'z', but .*0.parquet has none"),
    ],
)
def test_files_of_different_kinds_are_refused(tmp_path, second, message):
    one, other = parts()
    one.to_parquet(tmp_path / "0.parquet")
    second(other).to_parquet(tmp_path / "1.parquet")
    with pytest.raises(InputError, match=message + ".*; give the files one schema"):
        TrainingTable.from_files(tmp_path / "*.parquet", "y")
