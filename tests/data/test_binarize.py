from __future__ import annotations

import json
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import parametrize_with_checks

from laconic.data import finest
from laconic.data.binarize import Binarizer, BinarizerWarning
from laconic.data.literals import Missing
from laconic.data.table import Table
from laconic.engines.schedule import MAX_FEATURES
from laconic.runtime.errors import InputError, ModelFileError

METHODS = ["quantile", "all", "midpoints", "entropy", "paper"]


@parametrize_with_checks(
    [Binarizer(), Binarizer("midpoints"), Binarizer("entropy"), Binarizer("paper", bins=3)]
)
def test_scikit_learns_checks(estimator, check):
    check(estimator)


def names(X: object, y: object = None, **params: object) -> list[str]:
    return Binarizer(**params).fit(X, y).get_feature_names_out().tolist()


N_ROWS = 8
few_examples = settings(max_examples=30, deadline=None)

CELLS = {
    "number": (st.one_of(st.floats(-1e6, 1e6), st.sampled_from([0.0, 1.0, 2.0])), "float64"),
    "whole": (st.integers(-5, 5), "Int64"),
    "bit": (st.integers(0, 1), "float64"),
    "flag": (st.booleans(), "boolean"),
    "word": (st.sampled_from(["a", "b", "c d", "1"]), "str"),
    "category": (st.sampled_from("pqr"), pd.CategoricalDtype(list("rqpo"))),
    "mixture": (st.sampled_from(["a", 1, 2.5, True]), "object"),
}


@st.composite
def tables(draw: st.DrawFn) -> pd.DataFrame:
    """Small tables with two columns of different kinds, with and without missing cells."""
    kinds = draw(st.lists(st.sampled_from(sorted(CELLS)), min_size=2, max_size=2, unique=True))
    columns = {}
    for kind in kinds:
        cells, dtype = CELLS[kind]
        with_missing = st.one_of(cells, st.none()) if draw(st.booleans()) else cells
        values = draw(st.lists(with_missing, min_size=N_ROWS, max_size=N_ROWS))
        if all(value is None for value in values):
            values[0] = draw(cells)
        columns[kind] = pd.Series(values, dtype=dtype)
    return pd.DataFrame(columns)


@pytest.mark.parametrize("method", METHODS)
@few_examples
@given(X=tables(), y=st.lists(st.integers(0, 2), min_size=N_ROWS, max_size=N_ROWS))
def test_every_bit_is_its_literal_and_every_allowed_negation_is_the_opposite(method, X, y):
    binarizer = Binarizer(method, bins=3).fit(X, y)
    bits = binarizer.transform(X)
    assert bits.dtype == bool
    assert bits.shape == (N_ROWS, len(binarizer.features_))
    for f, feature in enumerate(binarizer.features_):
        column = X[feature.positive.column]
        assert binarizer.inverse(2 * f + 1) == feature.positive
        assert (feature.positive.holds(column) == bits[:, f]).all()
        assert 0 < bits[:, f].sum() < N_ROWS, f"{feature.positive} says nothing"
        assert binarizer.allowed_[f].tolist() == [feature.negative is not None, True]
        if feature.negative is None:
            assert column.isna().any()
            assert not bits[column.isna(), f].any()
            with pytest.raises(InputError, match="is not allowed"):
                binarizer.inverse(2 * f)
        else:
            assert (binarizer.inverse(2 * f).holds(column) == ~bits[:, f]).all()


@pytest.mark.parametrize("method", METHODS)
@few_examples
@given(X=tables())
def test_a_missing_cell_satisfies_nothing_but_is_missing(method, X):
    binarizer = Binarizer(method, bins=3).fit(X, np.arange(N_ROWS) % 2)
    for f, feature in enumerate(binarizer.features_):
        blank = X.copy()
        column = feature.positive.column
        blank[column] = pd.Series([None] * N_ROWS, dtype=X[column].dtype)
        expected = isinstance(feature.positive, Missing)
        assert (binarizer.transform(blank)[:, f] == expected).all()
        if feature.negative is not None:
            assert not feature.negative.holds(blank[column]).any()


@few_examples
@given(st.lists(st.floats(-1e9, 1e9), min_size=2, max_size=40).map(lambda v: [x + 0.0 for x in v]))
def test_midpoints_lose_no_difference_between_values(values):
    column = np.array(values)
    bits = Binarizer("midpoints", columns={"x0": "numeric"}).fit_transform(column[:, None])
    assert np.unique(bits, axis=0).shape[0] == np.unique(column).size
    # The more thresholds a value lies above, the larger it is.
    order = np.argsort(column, kind="stable")
    assert (np.diff((~bits).sum(axis=1)[order]) >= 0).all()


@few_examples
@given(tables())
def test_the_order_of_the_rows_does_not_matter(X):
    shuffled = X.sample(frac=1, random_state=1)
    assert Binarizer(bins=3).fit(X).features_ == Binarizer(bins=3).fit(shuffled).features_


@pytest.mark.parametrize("method", METHODS)
@few_examples
@given(X=tables(), weights=st.lists(st.integers(0, 3), min_size=N_ROWS, max_size=N_ROWS))
def test_a_weight_is_a_number_of_rows(method, X, weights):
    repeated = np.repeat(np.arange(N_ROWS), weights)
    y = np.arange(N_ROWS) % 3
    if X.iloc[repeated].notna().any().all():
        expected = Binarizer(method, bins=3).fit(X.iloc[repeated], y[repeated])
        assert Binarizer(method, bins=3).fit(X, y, weights).features_ == expected.features_


@few_examples
@given(tables())
def test_a_fitted_binarizer_survives_json(X):
    binarizer = Binarizer(bins=3).fit(X)
    again = Binarizer.from_dict(json.loads(json.dumps(binarizer.to_dict(), allow_nan=False)))
    assert again.features_ == binarizer.features_
    assert (again.transform(X) == binarizer.transform(X)).all()
    assert again.get_params() == binarizer.get_params()
    assert again.ignored_columns_ == binarizer.ignored_columns_


def test_an_unnamed_binarizer_survives_json():
    binarizer = Binarizer(columns={"x0": "category"}).fit([[1, 2.0], [3, 5.0]])
    again = Binarizer.from_dict(json.loads(json.dumps(binarizer.to_dict())))
    assert not hasattr(again, "feature_names_in_")
    assert again.n_features_in_ == 2
    assert again.transform([[3, 2.0]]).tolist() == [[True, True]]


@pytest.mark.parametrize(
    "data", [None, {}, {"params": {}}, {**Binarizer().fit([[1], [2]]).to_dict(), "features": 3}]
)
def test_a_damaged_binarizer_is_refused(data):
    with pytest.raises(ModelFileError, match="damaged"):
        Binarizer.from_dict(data)


def test_numbers_are_cut_at_quantiles_with_short_thresholds():
    iris = load_iris(as_frame=True).data
    assert [name for name in names(iris) if name.startswith("petal width")] == [
        "petal width (cm) <= 0.2",
        "petal width (cm) <= 0.8",
        "petal width (cm) <= 1.3",
        "petal width (cm) <= 1.5",
        "petal width (cm) <= 2",
    ]


def test_both_sides_of_a_column_with_missing_values_are_features_of_their_own():
    X = pd.DataFrame({"age": [20, None, 40, 60]})
    binarizer = Binarizer(bins=2).fit(X)
    assert [str(feature.positive) for feature in binarizer.features_] == [
        "age <= 30",
        "age > 30",
        "age is missing",
    ]
    assert binarizer.allowed_.tolist() == [[False, True], [False, True], [True, True]]
    assert str(binarizer.inverse(4)) == "age is present"


def test_categories_with_missing_values():
    X = pd.DataFrame({"c": ["a", "b", "c", None], "two": ["u", "v", None, "v"], "one": ["k", "k", None, "k"]})
    assert names(X) == [
        "c is a",
        "c is not a",
        "c is b",
        "c is not b",
        "c is c",
        "c is not c",
        "c is missing",
        "two is v",
        "two is u",
        "two is missing",
        "one is missing",
    ]


def test_two_values_need_one_feature():
    X = pd.DataFrame({"sex": ["m", "f"], "flag": [True, False], "bit": [0, 1], "code": [1, 2]})
    binarizer = Binarizer().fit(X)
    both = [(str(feature.positive), str(feature.negative)) for feature in binarizer.features_]
    assert both == [
        ("sex is m", "sex is f"),
        ("flag is True", "flag is False"),
        ("bit is 1", "bit is 0"),
        ("code <= 1", "code > 1"),
    ]


def test_pandas_categories_keep_their_order_and_unused_ones_give_nothing():
    X = pd.DataFrame({"size": pd.Categorical(["s", "l", "m"], categories=["s", "m", "l", "xl"])})
    assert names(X) == ["size is s", "size is m", "size is l"]


def test_guessed_kinds_can_be_overridden():
    X = pd.DataFrame({"zip": [10, 20, 30], "text": ["1", "2", "10"], "code": [1, 2, 2]})
    kinds = {"zip": "category", "text": "numeric", "code": "binary"}
    assert names(X, columns=kinds) == [
        "zip is 10",
        "zip is 20",
        "zip is 30",
        "text <= 1",
        "text <= 6",
        "code is 2",
    ]


@pytest.mark.parametrize(
    ("kinds", "message"),
    [
        ({"b": "numeric"}, "columns names 'b', which the table lacks; its columns are: a"),
        ({"a": "number"}, "column 'a' cannot be 'number'; choose one of: numeric, category, binary"),
        ({"a": "numeric"}, "column 'a' should hold numbers, but row 0 is 'x'"),
        ({"a": "binary"}, r"column 'a' is said to be binary, but it has 3 different values \(x, y, z, …\)"),
    ],
)
def test_overrides_that_do_not_fit_are_refused(kinds, message):
    with pytest.raises(InputError, match=message):
        Binarizer(columns=kinds).fit(pd.DataFrame({"a": ["x", "y", "z"]}))


def test_constant_columns_are_recorded():
    X = pd.DataFrame({"a": [1.5, 1.5], "b": ["k", "k"], "c": [0, 0], "d": [1, 2]})
    binarizer = Binarizer().fit(X)
    assert binarizer.get_feature_names_out().tolist() == ["d <= 1"]
    assert binarizer.ignored_columns_ == {
        "a": "every value is 1.5",
        "b": "every value is k",
        "c": "every value is 0",
    }


def test_a_column_without_values_is_skipped():
    binarizer = Binarizer().fit(pd.DataFrame({"a": [1, 2], "b": [None, None]}))
    assert binarizer.ignored_columns_ == {"b": "it has no values, only missing ones"}


def test_a_column_of_names_is_left_out_with_a_warning():
    X = pd.DataFrame({"name": [f"p{i}" for i in range(60)], "age": range(60)})
    with pytest.warns(
        BinarizerWarning, match="column 'name' is left out: all of its 60 values are different"
    ):
        binarizer = Binarizer(bins=2).fit(X)
    assert binarizer.get_feature_names_out().tolist() == ["age <= 29"]
    assert "name" in binarizer.ignored_columns_


def test_only_the_most_frequent_categories_are_kept():
    X = pd.DataFrame({"c": [*"aabbbcdde"]})
    with pytest.warns(BinarizerWarning, match="has 5 categories; only the 3 most frequent"):
        binarizer = Binarizer(max_categories=3).fit(X)
    assert binarizer.get_feature_names_out().tolist() == ["c is a", "c is b", "c is d"]
    assert binarizer.transform(pd.DataFrame({"c": ["e", "zzz"]})).any() == np.False_


def test_too_many_midpoints_are_thinned_with_a_warning():
    with pytest.warns(BinarizerWarning, match="only 4 of the 99 thresholds between them are used"):
        binarizer = Binarizer("midpoints", max_thresholds=4).fit(np.arange(100.0)[:, None])
    assert len(binarizer.features_) == 4


def test_every_threshold_is_offered_whatever_the_limit_of_other_methods():
    binarizer = Binarizer("all", max_thresholds=4).fit(np.arange(2000.0)[:, None])
    assert len(binarizer.features_) == 1999


def test_thresholds_within_a_class_go_first_where_all_are_too_many(monkeypatch):
    monkeypatch.setattr(finest, "MAX_CONDITIONS", 30)
    X = np.arange(100.0)[:, None]
    y = (X[:, 0] % 40 < 5).astype(int)
    binarizer = Binarizer("all").fit(X, y)
    assert [str(name) for name in binarizer.get_feature_names_out()] == [
        f"x0 <= {last}" for last in (4, 39, 44, 79, 84)
    ]


def test_a_sentence_says_which_grid_is_used_where_all_thresholds_are_too_many(monkeypatch):
    monkeypatch.setattr(finest, "MAX_CONDITIONS", 30)
    X = pd.DataFrame({"a": np.arange(100.0), "b": np.arange(100.0) % 3, "c": np.arange(100.0)})
    X.loc[7, "c"] = np.nan
    y = np.arange(100) % 2
    with pytest.warns(BinarizerWarning, match="297 thresholds are too many .* at 9 quantiles at most, 29"):
        binarizer = Binarizer("all").fit(X, y)
    assert len(binarizer.features_) == 30


def test_all_thresholds_are_as_many_as_a_search_takes():
    assert finest.MAX_CONDITIONS == MAX_FEATURES


def test_parameters_are_checked():
    for params in (
        {"thresholds": "magic"},
        {"bins": 1},
        {"bins": 2.5},
        {"max_categories": 1},
        {"columns": ["a"]},
    ):
        with pytest.raises(ValueError, match=f"The '{next(iter(params))}' parameter of Binarizer must be"):
            Binarizer(**params).fit([[1.0], [2.0]])


def test_new_tables_must_have_the_columns_of_the_old_one():
    X = pd.DataFrame({"a": [1, 2, 3], "b": ["u", "v", "w"]})
    binarizer = Binarizer().fit(X)
    with pytest.raises(ValueError, match="feature names should match"):
        binarizer.transform(X[["a"]])
    with pytest.raises(ValueError, match="Feature names must be in the same order"):
        binarizer.transform(X[["b", "a"]])
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        bits = binarizer.transform(X.to_numpy(dtype=object))
    assert (bits == binarizer.transform(X)).all()


def test_an_unfitted_binarizer_says_so():
    with pytest.raises(NotFittedError):
        Binarizer().inverse(0)


def test_literals_that_do_not_exist_are_refused():
    binarizer = Binarizer().fit([[1.0], [2.0]])
    for code in (-1, 2):
        with pytest.raises(InputError, match=f"literal {code} does not exist; there are 1 features"):
            binarizer.inverse(code)


def test_output_can_be_a_dataframe_and_the_binarizer_can_be_cloned_and_pickled():
    iris = load_iris(as_frame=True).data
    binarizer = clone(Binarizer(bins=2)).set_output(transform="pandas").fit(iris)
    frame = pickle.loads(pickle.dumps(binarizer)).transform(iris)
    assert frame.columns.tolist() == binarizer.get_feature_names_out().tolist()
    assert set(frame.dtypes) == {np.dtype(bool)}
    assert (frame.index == iris.index).all()


def test_blocks_of_rows_do_not_show(monkeypatch):
    X = load_breast_cancer().data
    whole = Binarizer().fit(X)
    expected = whole.transform(X)
    monkeypatch.setattr("laconic.data.conditions.BLOCK_BYTES", 1)
    repeated = np.tile(X, (5, 1))
    assert (whole.transform(repeated) == np.tile(expected, (5, 1))).all()


def test_the_features_fit_the_table():
    X = pd.DataFrame({"age": [20, None, 40, 60], "c": ["a", "b", "c", "a"]})
    binarizer = Binarizer(bins=2).fit(X)
    table = Table.from_arrays(binarizer.transform(X), [0, 1, 0, 1], allowed=binarizer.allowed_)
    assert table.n_features == len(binarizer.features_)
