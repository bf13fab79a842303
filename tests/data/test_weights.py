"""Sample weights as integers: exact where a small denominator exists, on the finest grid elsewhere."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.utils.class_weight import compute_sample_weight

from laconic.data.notes import notes_from_document
from laconic.data.weights import (
    MAX_EXACT_TOTAL,
    MAX_ROUNDED_TOTAL,
    added_scaling,
    checked_weights,
    integer_weights,
    scaling,
)
from laconic.runtime.errors import InputError


def of_rows(weights):
    return scaling(*np.unique(np.asarray(weights, float), return_counts=True))


def test_decimal_weights_are_scaled_exactly():
    weights, scale = integer_weights([0.1, 0.25, 3.0], 3)
    assert weights.tolist() == [2, 5, 60]
    assert scale == 20


def test_fractions_are_found_behind_their_doubles():
    weights, scale = integer_weights([1 / 3, 2 / 3, 0.1 + 0.2], 3)
    assert (weights.tolist(), scale) == ([10, 20, 9], 30)


def test_balanced_weights_of_a_few_classes_are_exact():
    labels = np.repeat(["a", "b", "c"], [50, 37, 13])
    weights = compute_sample_weight("balanced", labels)
    scaled = of_rows(weights)
    assert scaled.notes == ()
    assert scaled.units(weights).sum() == 100 * scaled.scale
    assert [Fraction(int(units)) / scaled.scale for units in scaled.units(weights)[[0, 50, 99]]] == [
        Fraction(100, 3 * n) for n in (50, 37, 13)
    ]


def test_many_different_weights_are_put_on_the_finest_decimal_grid():
    weights = np.random.default_rng(0).random(1000)
    scaled = of_rows(weights)
    assert scaled.scale == 10**8  # 500 units of weight: ten times finer would exceed 2³⁶
    assert MAX_ROUNDED_TOTAL / 10 < scaled.units(weights).sum() <= MAX_ROUNDED_TOTAL + 500
    assert np.abs(scaled.units(weights) / 1e8 - weights).max() <= 0.5e-8


def test_the_rounding_is_stated_with_its_largest_relative_error():
    scaled = of_rows([np.pi, 1000 * np.e])
    error = max(abs(round(w * 1e7) / 1e7 / w - 1) for w in (np.pi, 1000 * np.e))
    (note,) = scaled.notes
    said = float(note.split("each by at most ")[1].split(" ")[0])
    assert error <= said <= 1.1 * error
    assert "multiples of 1e-07" in note


def test_weights_too_small_beside_the_others_count_as_zero_and_are_named():
    weights = [1e-9] * 3 + [1e9, 2e9]
    scaled = of_rows(weights)
    assert scaled.units(np.array(weights)).tolist() == [0, 0, 0, 10**9, 2 * 10**9]
    assert scaled.notes == (
        "the sample weights of 3 rows, together 1.1e-18 of the sum of all, are too small and count as 0",
    )


@pytest.mark.parametrize("size", [1e300, 1e308, 1e-300, 5e-324, 1e12, 1e-12])
def test_weights_of_any_size_are_scaled(size):
    weights = np.array([size, size, 2 * size]) if size < 1e308 else np.full(3, size)
    scaled = of_rows(weights)
    units = scaled.units(weights)
    assert units[0] == units[1] > 0
    assert abs(int(units[2]) - round(units[0] * (weights[2] / weights[0]))) <= 1


def test_what_is_exact_up_to_the_noise_of_doubles_needs_no_note():
    assert of_rows([0.1, 0.2, 0.1 + 0.2]).notes == ()


@given(
    st.lists(st.floats(0, 1e12, allow_nan=False), min_size=1, max_size=30).filter(lambda w: any(w)),
    st.integers(1, 9),
)
def test_scaled_weights_are_near_and_depend_neither_on_order_nor_on_parts(weights, times):
    weights = np.array(weights)
    scaled = of_rows(weights)
    units = scaled.units(weights)
    assert units.dtype == np.int64
    assert 0 < units.sum() <= MAX_EXACT_TOTAL + weights.size
    exact = [Fraction(weight) * scaled.scale for weight in weights.tolist()]  # no double may hold the scale
    assert max(abs(unit - one) for unit, one in zip(units.tolist(), exact, strict=True)) <= 0.5 + 1e-3
    assert of_rows(weights[::-1]).scale == scaled.scale
    repeated = of_rows(np.tile(weights, times))
    counted = scaling(np.unique(weights), times * np.unique(weights, return_counts=True)[1])
    assert (repeated.scale, repeated.notes) == (counted.scale, counted.notes)
    assert notes_from_document(list(scaled.notes), ()) == scaled.notes


@given(st.lists(st.floats(1e-9, 1e9), min_size=2, max_size=20))
def test_rows_whose_weight_is_rounded_to_zero_do_not_change_what_the_others_get(weights):
    weights = np.array(weights)
    scaled = of_rows(weights)
    kept = weights[scaled.units(weights) > 0]
    assert of_rows(kept).scale == scaled.scale


@pytest.mark.parametrize(
    ("old", "total", "new", "scale"),
    [
        (Fraction(1), 30, [0.5, 0.2], 10),  # exact
        (Fraction(4), 30, [1.0], 4),
        (Fraction(1), 30, [np.pi, np.e], 10**9),  # the grid of both together
        (Fraction(10**8), 5 * 10**9, [np.pi, np.e], 10**9),
        (Fraction(10**8), 6 * 10**10, [np.pi, np.e], 10**8),  # no room for a finer one
    ],
)
def test_added_rows_are_put_on_a_multiple_of_the_scale_so_far(old, total, new, scale):
    found = added_scaling(old, total, *np.unique(new, return_counts=True))
    assert found.scale == scale
    assert (found.scale / old).denominator == 1


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 2], "sample_weight has shape (2,), but there are 3 rows"),
        ([1, np.nan, 1], "sample_weight of row 1 is nan; weights must be finite"),
        ([1, 1, np.inf], "sample_weight of row 2 is inf; weights must be finite"),
        ([1, -0.5, 1], "sample_weight of row 1 is negative (-0.5); weights must be at least 0"),
    ],
)
def test_bad_weights_are_refused(weights, message):
    with pytest.raises(InputError) as caught:
        checked_weights(weights, 3)
    assert str(caught.value) == message


def test_weights_of_zero_alone_are_refused():
    with pytest.raises(InputError, match="all sample weights are zero; give some row a positive weight"):
        integer_weights([0, 0, 0], 3)
