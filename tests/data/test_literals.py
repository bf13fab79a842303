from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.clock import ProcessorTime

from laconic.data.cells import Cells, CellTypeError, format_number
from laconic.data.literals import (
    Equals,
    Feature,
    Interval,
    Literal,
    Missing,
    Threshold,
    feature_from_dict,
    feature_to_dict,
    literal_from_dict,
    literal_to_dict,
)
from laconic.runtime.errors import InputError, ModelFileError

ALL_KINDS: list[Literal] = [
    Threshold("x", "<=", 2.0),
    Threshold("x", ">", 2.0),
    Interval("x", 1.0, 2.0),
    Interval("x", 1.0, 2.0, inside=False),
    Interval("x", -math.inf, 2.0),
    Interval("x", 1.0, math.inf),
    Equals("x", "=", 2),
    Equals("x", "!=", 2),
    Equals("x", "=", True),
    Equals("x", "!=", "red"),
    Missing("x"),
    Missing("x", missing=False),
]


def holds(literal: Literal, *values: object, dtype: object = None) -> list[bool]:
    return literal.holds(pd.Series(list(values), name="x", dtype=dtype)).tolist()


@pytest.mark.parametrize("literal", ALL_KINDS, ids=str)
@pytest.mark.parametrize("dtype", ["float64", "Float64", "object", "category", "str"])
def test_a_missing_value_satisfies_only_is_missing(literal, dtype):
    column = pd.Series([np.nan, None], name="x").astype(dtype)
    expected = literal == Missing("x")
    assert literal.holds(column).tolist() == [expected, expected]


@pytest.mark.parametrize(
    "dtype", ["float64", "Float64", "Int64", "object", "category", "str", "int64[pyarrow]"]
)
def test_thresholds_read_numbers_from_every_type(dtype):
    column = pd.Series(["1", "2", "3"] if dtype == "str" else [1, 2, 3], name="x").astype(dtype)
    assert Threshold("x", "<=", 2).holds(column).tolist() == [True, True, False]
    assert Threshold("x", ">", 2).holds(column).tolist() == [False, False, True]
    assert Interval("x", 1, 2).holds(column).tolist() == [False, True, False]
    assert Interval("x", 1, 2, inside=False).holds(column).tolist() == [True, False, True]


def test_text_in_a_column_of_numbers_is_refused_with_its_row():
    with pytest.raises(InputError, match=r"column 'x' should hold numbers, but row 1 is 'abc'"):
        holds(Threshold("x", "<=", 2), "1", "abc", None)
    with pytest.raises(InputError, match="row 0 is ''"):
        holds(Threshold("x", "<=", 2), "", "1")


def test_an_unseen_category_is_unequal_to_every_known_one():
    assert holds(Equals("x", "=", "red"), "red", "blue", None) == [True, False, False]
    assert holds(Equals("x", "!=", "red"), "red", "blue", None) == [False, True, False]


def test_categories_are_equal_however_they_were_read():
    assert holds(Equals("x", "=", "1"), 1, 2) == [True, False]
    assert holds(Equals("x", "=", "1"), 1.0, np.nan) == [True, False]
    assert holds(Equals("x", "=", 1), "1", "1.0", "01", "x", None, dtype=object) == [
        True,
        True,
        True,
        False,
        False,
    ]
    assert holds(Equals("x", "=", 1), True, False) == [True, False]
    assert holds(Equals("x", "=", True), "true", "False", None) == [True, False, False]
    assert holds(Equals("x", "=", True), 1, 0) == [True, False]
    assert holds(Equals("x", "=", "True"), True, False) == [True, False]
    assert holds(Equals("x", "=", False), True, False, None, dtype=object) == [False, True, False]
    assert holds(Equals("x", "=", "01"), 1) == [False]
    assert holds(Equals("x", "=", "red"), 1) == [False]


def test_one_and_true_in_one_column_are_two_values():
    column = pd.Series([1, True, 1.5, "a"], dtype=object)
    assert Equals("x", "=", "1").holds(column).tolist() == [True, False, False, False]
    assert Equals("x", "=", "True").holds(column).tolist() == [False, True, False, False]


def test_pandas_categoricals_compare_by_category_and_ignore_unused_ones():
    column = pd.Categorical(["b", None, "a"], categories=["a", "b", "c"])
    assert Equals("x", "=", "b").holds(pd.Series(column)).tolist() == [True, False, False]
    assert Equals("x", "!=", "c").holds(pd.Series(column)).tolist() == [True, False, True]
    numbers = pd.Series(pd.Categorical([1, 2, 1]))
    assert Equals("x", "=", 1).holds(numbers).tolist() == [True, False, True]


def test_cells_that_cannot_be_compared_are_refused():
    with pytest.raises(CellTypeError, match="column 'x': argument must be a string or a number"):
        holds(Equals("x", "=", "a"), {"a": 1}, "a")


def test_a_column_is_read_once_for_many_conditions():
    cells = Cells(pd.Series(["1", "2"], name="x"))
    first = cells.numbers
    Threshold("x", "<=", 1).holds(cells)
    assert cells.numbers is first


def test_a_million_rows_are_compared_in_milliseconds():
    numbers = pd.Series(np.linspace(0, 1, 1_000_000), name="x")
    words = pd.Series(pd.Categorical.from_codes(np.arange(1_000_000) % 7, list("abcdefg")), name="x")

    def seconds(literal: Literal, column: pd.Series) -> float:
        with ProcessorTime() as spent:
            literal.holds(column)
        return spent.seconds

    # Ten times what was measured; a Python loop over the rows would take a hundred times as long.
    assert min(seconds(Threshold("x", "<=", 0.5), numbers) for _ in range(3)) < 0.02
    assert min(seconds(Equals("x", "=", "c"), words) for _ in range(3)) < 0.1


@pytest.mark.parametrize("literal", ALL_KINDS, ids=str)
def test_every_literal_survives_json(literal):
    again = literal_from_dict(json.loads(json.dumps(literal_to_dict(literal), allow_nan=False)))
    assert again == literal
    assert type(getattr(again, "value", None)) is type(getattr(literal, "value", None))


def test_features_survive_json():
    for feature in (Feature(ALL_KINDS[0], ALL_KINDS[1]), Feature(ALL_KINDS[0], None)):
        assert feature_from_dict(json.loads(json.dumps(feature_to_dict(feature)))) == feature


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"kind": "threshold", "column": 3, "op": "<=", "value": 1},
        {"kind": "threshold", "column": "x", "op": "<", "value": 1},
        {"kind": "threshold", "column": "x", "op": "<=", "value": "1"},
        {"kind": "threshold", "column": "x", "op": "<=", "value": True},
        {"kind": "equals", "column": "x", "op": "=", "value": None},
        {"kind": "equals", "column": "x", "op": "<=", "value": 1},
        {"kind": "interval", "column": "x", "low": "a", "high": None, "inside": True},
        {"kind": "interval", "column": "x", "low": 1, "high": None, "inside": 1},
        {"kind": "missing", "column": "x", "missing": "yes"},
        {"kind": "magic", "column": "x"},
    ],
)
def test_damaged_conditions_are_refused(data):
    with pytest.raises(ModelFileError, match="damaged"):
        literal_from_dict(data)
    with pytest.raises(ModelFileError, match="damaged"):
        feature_from_dict({"positive": data, "negative": None})


def test_a_damaged_feature_is_refused():
    with pytest.raises(ModelFileError, match="not a binary feature"):
        feature_from_dict({"positive": 1})


def test_conditions_read_as_words():
    assert [str(literal) for literal in ALL_KINDS] == [
        "x <= 2",
        "x > 2",
        "1 < x <= 2",
        "not (1 < x <= 2)",
        "x <= 2",
        "x > 1",
        "x is 2",
        "x is not 2",
        "x is True",
        "x is not red",
        "x is missing",
        "x is present",
    ]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_are_written_so_that_they_read_back_exactly(value):
    assert float(format_number(value)) == value


@given(st.lists(st.one_of(st.none(), st.integers(-3, 3), st.floats(-3, 3)), min_size=1), st.floats(-3, 3))
def test_the_sides_of_a_threshold_share_the_present_rows_between_them(values, cut):
    column = pd.Series(values, name="x", dtype=object)
    low, high = Threshold("x", "<=", cut).holds(column), Threshold("x", ">", cut).holds(column)
    missing = Missing("x").holds(column)
    assert (low.astype(int) + high + missing == 1).all()
