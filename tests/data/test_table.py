from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from laconic.data.table import MAX_TOTAL_WEIGHT, Table, integer_weights
from laconic.runtime.errors import InputError

ROWS = [[0, 1], [1, 0], [0, 1], [0, 0], [1, 0], [0, 1]]
LABELS = [1, 0, 1, 0, 0, 0]


def test_equal_rows_are_merged_in_lexicographic_order():
    table = Table.from_arrays(ROWS, LABELS)
    assert table.matrix.astype(int).tolist() == [[0, 0], [0, 1], [1, 0]]
    assert table.weights.tolist() == [[1, 0], [1, 2], [2, 0]]
    assert (table.n_rows, table.n_features, table.n_classes, table.total_weight) == (3, 2, 2, 6)


def test_group_of_says_where_each_sample_went():
    table = Table.from_arrays(ROWS, LABELS)
    assert table.group_of.tolist() == [1, 2, 1, 0, 2, 1]
    assert (table.matrix[table.group_of] == np.array(ROWS, bool)).all()


def test_order_of_samples_does_not_matter():
    order = [4, 0, 5, 2, 1, 3]
    one, other = (
        Table.from_arrays(ROWS, LABELS),
        Table.from_arrays(np.array(ROWS)[order], np.array(LABELS)[order]),
    )
    assert (one.bits == other.bits).all()
    assert (one.weights == other.weights).all()


@given(
    hnp.arrays(bool, st.tuples(st.integers(1, 140), st.integers(0, 70))),
    st.integers(1, 4),
    st.randoms(use_true_random=False),
)
def test_nothing_is_lost_by_merging(matrix, n_classes, random):
    labels = np.array([random.randrange(n_classes) for _ in matrix])
    table = Table.from_arrays(matrix, labels, n_classes=n_classes)
    assert (table.matrix[table.group_of] == matrix).all()
    assert table.n_rows == len({row.tobytes() for row in matrix})
    assert table.weights.sum(axis=0).tolist() == np.bincount(labels, minlength=n_classes).tolist()
    for i in range(table.n_rows):
        here = labels[table.group_of == i]
        assert table.weights[i].tolist() == np.bincount(here, minlength=n_classes).tolist()
    assert sorted(map(tuple, table.matrix.tolist())) == list(map(tuple, table.matrix.tolist()))


def test_bits_hold_feature_f_as_a_set_of_rows():
    matrix = np.eye(70, dtype=bool)
    table = Table.from_arrays(matrix, np.zeros(70, int))
    assert table.bits.shape == (70, 2)
    for f in range(70):
        row = int(np.flatnonzero(table.matrix[:, f])[0])
        assert int(table.bits[f, row // 64]) == 1 << (row % 64)
        assert int(table.bits[f, 1 - row // 64]) == 0


def test_a_weight_of_two_is_the_row_twice():
    twice = Table.from_arrays(ROWS + ROWS[:1], LABELS + LABELS[:1])
    weighted = Table.from_arrays(ROWS, LABELS, [2, 1, 1, 1, 1, 1])
    assert (twice.weights == weighted.weights).all()
    assert weighted.scale == 1


def test_majority_reduction_keeps_the_heaviest_class_and_the_first_of_a_tie():
    table = Table.from_arrays([[0], [0], [1], [1], [1]], [1, 0, 0, 1, 1])
    assert table.reduced_to_majority().weights.tolist() == [[1, 0], [0, 2]]


def test_allowed_defaults_to_every_literal():
    assert Table.from_arrays(ROWS, LABELS).allowed.tolist() == [[True, True], [True, True]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ([[0, 1]], [0, 1]),
            "features must be two-dimensional with one label per row; got shapes (1, 2) and (2,)",
        ),
        ((np.zeros((0, 2)), []), "the table has no rows; give at least one row per class"),
        (([[0]], [-1]), "class numbers must not be negative"),
    ],
)
def test_bad_tables_are_refused(arguments, message):
    with pytest.raises(InputError) as caught:
        Table.from_arrays(*arguments)
    assert str(caught.value) == message


def test_allowed_of_the_wrong_shape_is_refused():
    with pytest.raises(InputError, match=r"allowed must have shape \(2, 2\), not \(1, 2\)"):
        Table.from_arrays(ROWS, LABELS, allowed=[[True, True]])


def test_decimal_weights_are_scaled_exactly():
    weights, scale = integer_weights([0.1, 0.25, 3.0], 3)
    assert weights.tolist() == [2, 5, 60]
    assert scale == 20


def test_weights_without_a_small_denominator_are_rounded_on_a_decimal_scale():
    weights, scale = integer_weights([1 / 3, 2 / 3], 2)
    assert scale == Fraction(10**15)
    assert weights.tolist() == [333333333333333, 666666666666667]
    assert weights.sum() <= MAX_TOTAL_WEIGHT


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 2], "sample_weight has shape (2,), but there are 3 rows"),
        ([1, np.nan, 1], "sample_weight of row 1 is nan; weights must be finite"),
        ([1, 1, np.inf], "sample_weight of row 2 is inf; weights must be finite"),
        ([1, -0.5, 1], "sample_weight of row 1 is negative (-0.5); weights must be at least 0"),
        ([0, 0, 0], "all sample weights are zero; give some row a positive weight"),
        ([1e300, 1, 1], "the sample weights add up to 1e+300, above 2**53; divide them by a constant"),
    ],
)
def test_bad_weights_are_refused(weights, message):
    with pytest.raises(InputError) as caught:
        integer_weights(weights, 3)
    assert str(caught.value) == message


@pytest.mark.parametrize("weights", [[1e-18, 1, 1], [1e-300, 1.0, 1.0], [5e-324, 1e3, 0]])
def test_a_weight_that_would_round_to_nothing_is_refused(weights):
    """Such rows were left out without a word, and a set that is wrong on them was called perfect."""
    with pytest.raises(InputError, match="too small beside the sum of all"):
        integer_weights(weights, 3)


@pytest.mark.parametrize("unit", [1e-300, 1e-308, 5e-324])
def test_weights_at_the_end_of_doubles_are_weights(unit):
    """They ended with a traceback."""
    assert integer_weights([unit, 2 * unit, 0], 3)[0].tolist() == [1, 2, 0]
    third = integer_weights([unit / 3, unit, 0], 3)[0].tolist() if unit > 1e-300 / 2 else [1, 3, 0]
    assert third[1] / third[0] == pytest.approx(3)
