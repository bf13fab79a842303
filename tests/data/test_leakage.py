"""A column that alone tells a class from all others is named; one that only has many values is not."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from laconic.data.binarize import Binarizer
from laconic.data.leakage import leaks
from laconic.data.training import in_memory


def remarks(n=200, **columns):
    rng = np.random.default_rng(0)
    y = rng.choice(["a", "b", "c"], n)
    rows = pd.DataFrame({"x": rng.random(n)} | {name: make(y, rng) for name, make in columns.items()})
    return leaks(in_memory(rows, y, None, Binarizer()))


def state(y, rng):
    return np.where(y == "c", rng.choice(["closed", "paid"], len(y)), rng.choice(["u", "v"], len(y)))


def test_a_category_that_belongs_to_one_class_only_is_named():
    assert remarks(state=state) == [
        "column 'state' alone separates class 'c' from all others; if it is known only after the class is, "
        "leave it out (--drop state)"
    ]


def test_a_number_that_separates_every_class_is_named_with_all_of_them():
    found = remarks(**{"the number": lambda y, _: pd.Series(y).map({"a": 1, "b": 2, "c": 3})})
    assert len(found) == 1
    assert "column 'the number' alone separates classes 'a' and 'b' and 'c'" in found[0]
    assert "--drop 'the number'" in found[0]


@pytest.mark.parametrize(
    "columns",
    [
        {},
        {"name": lambda y, _: [f"n{k}" for k in range(len(y))]},
        {"near": lambda y, rng: np.where(rng.random(len(y)) < 0.05, rng.permutation(y), y)},
        {"constant": lambda y, _: ["k"] * len(y)},
    ],
)
def test_nothing_else_is_named(columns):
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert remarks(**columns) == []


def test_small_tables_are_not_looked_at():
    assert remarks(n=20, label=lambda y, _: y) == []
