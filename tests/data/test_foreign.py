"""Tables of polars, pyarrow and others are read as the same table of pandas would be."""

from __future__ import annotations

import datetime as dt
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline

from laconic import Binarizer, DecisionSetClassifier
from laconic.data.foreign import as_pandas
from laconic.data.frame import as_frame
from laconic.runtime.errors import InputError, MissingColumnsError

N = 240


@pytest.fixture(scope="module")
def table() -> tuple[pl.DataFrame, pl.Series]:
    rng = np.random.default_rng(0)

    def holes(values):
        return [None if hole else value for hole, value in zip(rng.random(N) < 0.1, values, strict=True)]

    X = pl.DataFrame(
        {
            "age": rng.integers(18, 80, N),
            "income": pl.Series(holes(rng.lognormal(10, 1, N).tolist()), dtype=pl.Float32),
            "children": pl.Series(holes(rng.integers(0, 5, N).tolist()), dtype=pl.UInt8),
            "colour": holes(rng.choice(["red", "blue", "grün"], N).tolist()),
            "owner": holes((rng.random(N) < 0.5).tolist()),
            "smoker": rng.random(N) < 0.3,
            "size": pl.Series(rng.choice(["S", "M", "L"], N), dtype=pl.Enum(["S", "M", "L", "XL"])),
            "kind": pl.Series(holes(rng.choice(["x", "y", "z"], N).tolist()), dtype=pl.Categorical),
            "price": pl.Series(rng.integers(0, 999, N)).cast(pl.Decimal(10, 2)),
        }
    )
    truth = (X["age"].to_numpy() > 50) | (X["colour"].fill_null("") == "red").to_numpy()
    return X, pl.Series("y", np.where(truth ^ (rng.random(N) < 0.05), "yes", "no"))


def pandas_twin(X: pl.DataFrame) -> pd.DataFrame:
    """What a careful user of pandas would have."""
    return pd.DataFrame(
        {
            "age": X["age"].to_numpy(),
            "income": X["income"].to_numpy(),
            "children": X["children"].cast(pl.Float64).to_numpy(),
            "colour": X["colour"].to_list(),
            "owner": pd.array(X["owner"].to_list(), dtype="boolean"),
            "smoker": X["smoker"].to_numpy(),
            "size": pd.Categorical(X["size"].to_list(), categories=["S", "M", "L", "XL"]),
            "kind": X["kind"].cast(pl.String).to_list(),
            "price": X["price"].cast(pl.Float64).to_numpy(),
        }
    )


@pytest.mark.parametrize("form", ["polars", "pyarrow"])
def test_the_same_model_as_with_pandas_and_the_same_answers(table, form):
    X, y = table
    given = X if form == "polars" else X.to_arrow()
    twin = pandas_twin(X)
    if form == "pyarrow":  # its dictionaries have no chosen order
        twin = twin.astype({"size": "str"})
    options = {"regularization": 0.01, "binarizer": Binarizer(bins=4)}
    theirs = DecisionSetClassifier(**options).fit(given, y)
    ours = DecisionSetClassifier(**options).fit(twin, y.to_list())
    assert theirs.decision_set_.to_json() == ours.decision_set_.to_json()
    assert theirs.feature_names_in_.tolist() == X.columns
    assert theirs.n_features_in_ == 9
    for rows, same in ((given, twin), (given[:1] if form == "polars" else given.slice(0, 1), twin[:1])):
        assert theirs.predict(rows).tolist() == ours.predict(same).tolist()
        assert np.array_equal(theirs.predict_proba(rows), ours.predict_proba(same))
        assert np.array_equal(theirs.covers(rows), ours.covers(same))
        assert theirs.predict(rows, abstain="?").tolist() == ours.predict(same, abstain="?").tolist()
        assert theirs.explain(rows).to_json() == ours.explain(same).to_json()
    assert theirs.score(given, y) == ours.score(twin, y.to_numpy())
    assert theirs.strict_score(given, y) == ours.strict_score(twin, y.to_numpy())


def test_columns_are_found_by_name_in_any_order_and_missed_by_name(table):
    X, y = table
    clf = DecisionSetClassifier(regularization=0.01).fit(X, y)
    shuffled = X.select(list(reversed(X.columns))).with_columns(dates=dt.date(2020, 1, 1))
    assert clf.predict(shuffled).tolist() == clf.predict(X).tolist()  # unused columns may hold anything
    with pytest.raises(MissingColumnsError, match="the table lacks"):
        clf.predict(X.drop(clf.decision_set_.used_columns[0]))


def test_weights_of_polars_count(table):
    X, y = table
    weights = pl.Series(np.arange(N) % 3)
    theirs = DecisionSetClassifier().fit(X, y, sample_weight=weights)
    kept = weights.to_numpy() > 0
    ours = DecisionSetClassifier().fit(
        pandas_twin(X)[kept], y.to_numpy()[kept], sample_weight=weights.to_numpy()[kept]
    )
    assert theirs.decision_set_.rules == ours.decision_set_.rules


@pytest.mark.parametrize("output", ["default", "pandas", "polars"])
@pytest.mark.parametrize("given", ["pandas", "polars", "numpy"])
def test_a_binarizer_writes_tables_of_the_kind_asked_for(table, output, given):
    X = table[0].select("age", "smoker", "income")
    rows = {"pandas": pandas_twin(table[0])[X.columns], "polars": X, "numpy": X.to_numpy()}[given]
    binarizer = Binarizer(bins=3).set_output(transform=output)
    found = binarizer.fit(rows).transform(rows)
    assert type(found).__module__.partition(".")[0] == {"default": "numpy"}.get(output, output)
    if output != "default":
        assert list(found.columns) == binarizer.get_feature_names_out().tolist()
    plain = Binarizer(bins=3).fit(rows).transform(rows)
    assert np.array_equal(np.asarray(found), plain)


def test_a_classifier_works_behind_transformers_that_write_polars(table):
    X, y = table
    pipeline = make_pipeline(Binarizer(bins=3), DecisionSetClassifier(regularization=0.02))
    pipeline.set_output(transform="polars")
    pipeline.fit(X, y)
    assert "age <= 40" in pipeline[-1].feature_names_in_.tolist() or pipeline[-1].n_features_in_ > 9
    assert pipeline.score(X, y) > 0.8
    assert pickle.loads(pickle.dumps(pipeline)).predict(X).tolist() == pipeline.predict(X).tolist()


def test_cross_validation_and_grid_search_take_polars(table):
    X, y = table
    assert cross_val_score(DecisionSetClassifier(), X, y.to_numpy(), cv=3).mean() > 0.7
    search = GridSearchCV(DecisionSetClassifier(), {"regularization": [0.02, 0.1]}, cv=2).fit(X, y.to_numpy())
    assert search.predict(X).shape == (N,)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (pl.Series("d", [dt.timedelta(1)] * 2), "column 'd' holds time spans; turn it into numbers"),
        (pl.Series("d", [dt.time(1)] * 2), "column 'd': every cell's argument must be a string or a number"),
        (pl.Series("d", [[1], [2]]), "column 'd': every cell's argument must be a string or a number"),
        (pl.Series("d", [{"a": 1}] * 2), "column 'd': every cell's argument must be a string or a number"),
        (pl.Series("d", [1.0, float("inf")]), "column 'd', row 1 is inf"),
    ],
    ids=str,
)
def test_columns_without_an_order_or_a_name_are_refused_in_words(cells, message):
    with pytest.raises(InputError, match=message):
        DecisionSetClassifier().fit(pl.DataFrame([cells]), ["a", "b"])


def test_lazy_and_odd_tables_are_refused_in_words(table):
    X, y = table
    with pytest.raises(InputError, match=r"this LazyFrame is lazy; turn it into rows first, with .collect"):
        DecisionSetClassifier().fit(X.lazy(), y)
    clf = DecisionSetClassifier(regularization=0.01).fit(X, y)
    with pytest.raises(InputError, match="is lazy"):
        clf.predict(X.lazy())
    with pytest.raises(InputError):
        as_frame(pa.table([[1], [2]], names=["a", "a"]))
    assert clf.predict(X[:0]).tolist() == []


def test_numbers_are_not_copied_and_others_pass_unchanged():
    frame = pl.DataFrame({"a": np.arange(5.0)})
    assert np.shares_memory(as_pandas(frame)["a"].to_numpy(), frame["a"].to_numpy())
    for other in (np.zeros((2, 2)), [[1], [2]], pd.DataFrame({"a": [1]}), None):
        assert as_pandas(other) is other


def test_pandas_and_numpy_do_not_load_narwhals():
    code = (
        "import sys, pandas as pd, numpy as np; from laconic.data.frame import as_frame\n"
        "as_frame(pd.DataFrame({'a': [1]})); print('narwhals' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
