from __future__ import annotations

import doctest

import pytest

from laconic.report import numbers


def test_the_examples_hold():
    found = doctest.testmod(numbers)
    assert (found.attempted, found.failed) == (4, 0)


@pytest.mark.parametrize("share", [1e-9, 0.0004, 0.9996, 1 - 1e-12])
def test_almost_nothing_and_almost_everything_are_not_rounded_away(share):
    assert numbers.percent(share) not in {"0 %", "100 %"}
