from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris

from laconic.data.binarize import Binarizer
from laconic.data.entropy import class_counts, entropy_gaps


def entropy(counts: list[int]) -> float:
    total = sum(counts)
    return -sum(n / total * math.log2(n / total) for n in counts if n)


def plain_gaps(rows: list[list[int]], start: int = 0) -> list[int]:
    """The criterion as printed in the article, by recursion and with Python numbers."""
    total = [sum(column) for column in zip(*rows, strict=True)]
    n = sum(total)
    best = None
    for cut in range(1, len(rows)):
        left = [sum(column) for column in zip(*rows[:cut], strict=True)]
        right = [a - b for a, b in zip(total, left, strict=True)]
        mean = sum(left) / n * entropy(left) + sum(right) / n * entropy(right)
        if best is None or mean < best[0] - 1e-12:
            best = (mean, cut, left, right)
    if best is None:
        return []
    mean, cut, left, right = best
    k, k1, k2 = (sum(1 for x in part if x) for part in (total, left, right))
    delta = math.log2(3**k - 2) - (k * entropy(total) - k1 * entropy(left) - k2 * entropy(right))
    if entropy(total) - mean <= (math.log2(n - 1) + delta) / n:
        return []
    return [*plain_gaps(rows[:cut], start), start + cut - 1, *plain_gaps(rows[cut:], start + cut)]


@given(
    st.lists(
        st.tuples(st.integers(0, 40), st.integers(0, 40), st.integers(0, 3)), min_size=2, max_size=8
    ).filter(lambda rows: all(sum(row) for row in rows))
)
def test_the_criterion_is_the_one_of_the_article(rows):
    counts = np.array(rows, dtype=np.int64)
    assert sorted(entropy_gaps(counts, 99).tolist()) == plain_gaps([list(row) for row in rows])


def test_the_strongest_cuts_are_kept():
    counts = np.array([[90, 0, 0], [0, 100, 0], [0, 0, 10]])
    assert entropy_gaps(counts, 9).tolist() == [0, 1]
    assert entropy_gaps(counts, 1).tolist() == [0]


def test_rows_are_counted_by_value_and_class():
    counts = class_counts(np.array([0, 1, 1]), np.array([1, 0, 0]), 2, 2)
    assert counts.tolist() == [[0, 1], [2, 0]]


def test_iris_is_cut_where_the_species_change():
    iris = load_iris(as_frame=True)
    binarizer = Binarizer("entropy").fit(iris.data, iris.target_names[iris.target])
    assert [name for name in binarizer.get_feature_names_out() if name.startswith("petal width")] == [
        "petal width (cm) <= 0.8",
        "petal width (cm) <= 1.7",
    ]


def test_a_column_without_information_is_left_out():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 1)), np.arange(200) % 2
    binarizer = Binarizer("entropy").fit(X, y)
    assert binarizer.features_ == ()
    assert binarizer.ignored_columns_ == {"x0": "no threshold separates the classes well enough"}
    assert binarizer.transform(X).shape == (200, 0)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "entropy thresholds need the labels"),
        ([0, 1, None], "Input y contains NaN|Unknown label type"),
        ([0, 1], "inconsistent numbers of samples"),
        ([0.5, 0.1, 0.7], "Unknown label type: continuous"),
    ],
)
def test_labels_that_cannot_be_used_are_refused(y, message):
    with pytest.raises(ValueError, match=message):
        Binarizer("entropy").fit([[1.0], [2.0], [3.0]], y)
