from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.data.thresholds import distinct_values, midpoint_gaps, quantile_gaps, shortest_between

finite = st.floats(allow_nan=False, allow_infinity=False)


def n_digits(value: float) -> int:
    """Significant digits of the shortest decimal that reads back as the value."""
    return len(str(Decimal(repr(value)).normalize().as_tuple().digits))


@given(finite, finite)
def test_a_threshold_separates_its_neighbours(a, b):
    low, high = min(a, b), max(a, b)
    if low < high:
        assert low <= shortest_between(low, high) < high


@given(st.integers(-(10**6), 10**6), st.integers(1, 10**6), st.integers(-6, 3))
def test_no_shorter_decimal_separates(start, length, exponent):
    low, high = float(f"{start}e{exponent}"), float(f"{start + length}e{exponent}")
    found = Decimal(repr(shortest_between(low, high))).normalize()
    if found == 0:
        return
    # One digit fewer means whole multiples of a ten times larger step: none may fit.
    step = Decimal(1).scaleb(int(found.as_tuple().exponent) + 1)
    nearest_above = (Decimal(repr(low)) / step).to_integral_value("ROUND_CEILING") * step
    assert nearest_above >= Decimal(repr(high))


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.6, 1.0, 0.8),
        (54, 55, 54),
        (54, 60, 57),
        (-1, 1, 0),
        (0, 1, 0),
        (-0.3, 0.0, -0.1),
        (99, 1000, 500),
        (0.1234, 0.1235, 0.1234),
        (1e-12, 2e-12, 1e-12),
        (1.5e300, 1.6e300, 1.5e300),
        (5e-324, 1e-323, 5e-324),
        (0.1, np.nextafter(0.1, 1), 0.1),
        (np.nextafter(0.1, 0), 0.1, np.nextafter(0.1, 0)),
        (-1.7e308, 1.7e308, 0),
    ],
)
def test_thresholds_are_the_shortest_near_the_middle(low, high, expected):
    assert shortest_between(float(low), float(high)) == expected


def test_missing_values_are_not_distinct_values():
    values, counts = distinct_values(np.array([2.0, np.nan, -1.0, 2.0, np.nan]))
    assert values.tolist() == [-1.0, 2.0]
    assert counts.tolist() == [1, 2]
    assert distinct_values(np.array([np.nan]))[0].size == 0


def test_signed_zeros_are_one_value():
    _, counts = distinct_values(np.array([0.0, -0.0, 1.0]))
    assert counts.tolist() == [2, 1]


@given(st.lists(st.integers(0, 30), min_size=1), st.integers(2, 8))
def test_quantile_cuts_are_nearest_in_rows(values, bins):
    _, counts = distinct_values(np.array(values, dtype=float))
    gaps = quantile_gaps(counts, bins)
    below = np.cumsum(counts)[:-1]
    assert gaps.tolist() == sorted(set(gaps.tolist()))
    if counts.size <= bins:
        assert gaps.size == counts.size - 1
        return
    assert 1 <= gaps.size <= bins - 1
    for i in range(1, bins):
        wanted = i * len(values) / bins
        assert np.abs(below[gaps] - wanted).min() == pytest.approx(np.abs(below - wanted).min())


def test_equal_bins_of_distinct_values_are_equal():
    _, counts = distinct_values(np.arange(12.0))
    assert quantile_gaps(counts, 4).tolist() == [2, 5, 8]


def test_midpoints_are_all_gaps_or_an_even_choice_of_them():
    assert midpoint_gaps(np.ones(5, np.int64), 10).tolist() == [0, 1, 2, 3]
    assert midpoint_gaps(np.ones(101, np.int64), 5).tolist() == [0, 25, 50, 74, 99]
    assert midpoint_gaps(np.ones(1, np.int64), 5).size == 0
