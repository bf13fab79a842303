from __future__ import annotations

import decimal

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from laconic import DecisionSetClassifier
from laconic.data.frame import as_frame
from laconic.runtime.errors import InputError


def test_arrays_get_scikit_learns_names():
    assert as_frame(np.zeros((2, 3))).columns.tolist() == ["x0", "x1", "x2"]
    assert as_frame([[1, 2]], ["a", "b"]).columns.tolist() == ["a", "b"]


def test_a_dataframe_keeps_its_names_and_types():
    frame = pd.DataFrame(
        {"a": [1, 2], "b": pd.Categorical(["u", None]), "c": pd.array([True, None], "boolean")}
    )
    pd.testing.assert_frame_equal(as_frame(frame), frame)


def test_names_that_are_not_text_are_replaced_and_mixed_ones_become_text():
    assert as_frame(pd.DataFrame({0: [1], 7: [2]})).columns.tolist() == ["x0", "x1"]
    assert as_frame(pd.DataFrame({"a": [1], 7: [2]})).columns.tolist() == ["a", "7"]
    with pytest.raises(InputError, match="column '7' occurs more than once"):
        as_frame(pd.DataFrame([[1, 2]], columns=["7", 7]))


def test_mixed_names_empty_tables_and_sparse_ones_reach_prediction():
    X = pd.DataFrame({"a": [1, 2, 3, 4], 7: [0, 1, 0, 1]})
    model = DecisionSetClassifier("perfect").fit(X, ["n", "n", "y", "y"])
    assert model.feature_names_in_.tolist() == ["a", "7"]
    assert model.predict(X).tolist() == ["n", "n", "y", "y"]
    assert model.predict(X[:0]).tolist() == []
    assert model.predict_proba(X[:0]).shape == (0, 2)
    assert len(model.decision_set_.explain(X[:0])) == 0
    for sparse in (scipy.sparse.csr_matrix(X.to_numpy()), scipy.sparse.coo_array(X.to_numpy())):
        plain = DecisionSetClassifier("perfect").fit(sparse, ["n", "n", "y", "y"])
        assert plain.predict(sparse).tolist() == ["n", "n", "y", "y"]
        assert plain.predict(np.zeros((0, 2))).tolist() == []
    columns = X.astype({7: pd.SparseDtype(int)}).set_axis(["a", "b"], axis=1)
    assert DecisionSetClassifier("perfect").fit(columns, [0, 0, 1, 1]).predict(columns).sum() == 2


def test_lists_of_mixed_rows_keep_numbers_as_numbers():
    frame = as_frame([[1, "red"], [2.5, None]])
    assert frame["x0"].tolist() == [1.0, 2.5]
    assert frame["x0"].dtype == float
    assert frame["x1"].tolist()[0] == "red"
    assert frame["x1"].isna().tolist() == [False, True]


def test_a_list_of_numbers_and_words_without_missing_cells_keeps_its_numbers():
    # numpy makes such a list an array of text, unlike one that holds None
    assert as_frame([[1, "red"], [2.5, "blue"]])["x0"].tolist() == [1.0, 2.5]


def test_object_columns_become_numbers_where_they_hold_numbers():
    frame = as_frame(np.array([[1, "a"], [None, "b"]], dtype=object))
    assert frame["x0"].dtype == float
    assert as_frame(pd.DataFrame({"a": [decimal.Decimal("1.5"), None]})).shape == (2, 1)


def test_the_users_frame_is_not_changed():
    frame = pd.DataFrame({"a": pd.Series([1, 2], dtype=object)})
    as_frame(frame)
    assert frame["a"].dtype == object


REFUSED = {
    "one dimension": ([1, 2], ValueError, "Reshape your data"),
    "a series": (pd.Series([1, 2]), ValueError, "Expected a 2-dimensional container"),
    "no rows": (np.zeros((0, 2)), ValueError, r"0 sample\(s\)"),
    "no columns": (np.zeros((2, 0)), ValueError, r"0 feature\(s\)"),
    "frame without rows": (pd.DataFrame({"a": []}), InputError, r"0 sample\(s\).*the table has no rows"),
    "frame without columns": (pd.DataFrame(index=[0]), InputError, r"0 feature\(s\).*no columns"),
    "repeated name": (
        pd.DataFrame([[1, 2]], columns=["a", "a"]),
        InputError,
        "column 'a' occurs more than once",
    ),
    "repeated number name": (pd.DataFrame([[1, 2]], columns=[3, 3]), InputError, "column 3 occurs more than"),
    "infinity": (
        pd.DataFrame({"a": [1.0, -np.inf]}),
        InputError,
        "contains infinity: column 'a', row 1 is -inf",
    ),
    "infinity beside NaN": ([[np.nan], [np.inf]], InputError, "column 'x0', row 1 is inf"),
    "opposite infinities": ([[-np.inf], [np.inf]], InputError, "column 'x0', row 0 is -inf"),
    "time spans": (pd.DataFrame({"d": pd.to_timedelta([1], "D")}), InputError, "holds time spans"),
    "complex": (np.array([[1j]]), ValueError, "Complex data not supported"),
    "complex frame": (
        pd.DataFrame({"a": [1j]}),
        InputError,
        "column 'a' holds complex.*Complex data not supported",
    ),
    "dict": (
        np.array([[{}], [1]], dtype=object),
        TypeError,
        "column 'x0'.* must be a string or a number.*row 0",
    ),
    "list": (
        pd.DataFrame({"a": [1, [2]]}),
        InputError,
        "column 'a'.* must be a string or a number.*row 1 is a list",
    ),
    "bytes": (pd.DataFrame({"a": [b"x"]}), InputError, "column 'a'.*bytes"),
    "periods": (pd.DataFrame({"a": pd.period_range("2020", periods=2)}), InputError, "column 'a'.*period"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_used_is_refused_by_name(case):
    X, error, message = REFUSED[case]
    with pytest.raises(error, match=message):
        as_frame(X)


def test_the_number_of_names_must_fit_the_array():
    with pytest.raises(InputError, match="X has 2 features, but is expecting 1 features as input"):
        as_frame([[1, 2]], ["a"])


def test_large_numbers_whose_sum_overflows_are_not_called_infinite():
    assert as_frame([[1.7e308], [1.7e308]]).shape == (2, 1)
