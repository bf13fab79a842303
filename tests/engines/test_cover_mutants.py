"""Errors in the covering solver that its other tests did not notice, each with covers on which it shows."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.engines.test_exact_cover_parts import cheapest_by_dynamic_programming
from tests.support.native_testing import parts

UNIT = 2**20  # of prices, per unit of cost


def covers_of(n_rows: int, covers: list[list[int]]) -> list[tuple[int, ...]]:
    """All choices of columns that cover every row."""
    return [
        chosen
        for size in range(len(covers) + 1)
        for chosen in itertools.combinations(range(len(covers)), size)
        if set().union(*(covers[k] for k in chosen)) == set(range(n_rows))
    ]


@pytest.mark.parametrize("overpaying", [False, True])
def test_prices_leave_room_for_every_cover_cheaper_than_the_goal(overpaying: bool) -> None:
    """Also for one that costs just as much as the prices add up to, and where prices overpay some columns."""
    rng = np.random.default_rng(overpaying)
    n_closed = n_tight = n_overpaid = n_unwanted = 0
    for _ in range(400):
        n_rows, n_columns = int(rng.integers(1, 5)), int(rng.integers(1, 7))
        covers = [
            sorted(rng.choice(n_rows, int(rng.integers(1, n_rows + 1)), replace=False).tolist())
            for _ in range(n_columns)
        ]
        costs = rng.integers(1, 4, n_columns).tolist()
        prices = (rng.integers(0, 4, n_rows) * UNIT // 2).tolist()
        slack = [
            UNIT * cost - sum(prices[row] for row in cover) for cover, cost in zip(covers, costs, strict=True)
        ]
        if min(slack) < 0 and not overpaying:
            continue
        all_covers = covers_of(n_rows, covers)
        for goal in range(1, sum(costs) + 2):
            is_open, wanted = parts.judge_prices(covers, costs, prices, goal)
            cheap = [chosen for chosen in all_covers if sum(costs[k] for k in chosen) < goal]
            for chosen in cheap:
                assert is_open
                assert all(wanted[k] for k in chosen)
            n_closed += not is_open
            n_unwanted += is_open and not all(wanted)
            n_tight += bool(cheap) and sum(prices) == UNIT * (goal - 1)
            n_overpaid += bool(cheap) and min(slack) < 0 and sum(prices) > UNIT * (goal - 1)
    assert n_closed > 100
    assert n_unwanted > 100
    assert n_tight > 10
    assert n_overpaid > 10 or not overpaying


def test_a_column_left_over_one_row_is_the_cheapest_one() -> None:
    """Merging rows and keeping them apart leaves columns over single rows, equal ones at different costs."""
    rng = np.random.default_rng(5)
    for _ in range(4000):
        n_rows, n_columns = int(rng.integers(3, 7)), int(rng.integers(6, 16))
        covers = [
            sorted(rng.choice(n_rows, int(rng.integers(1, 4)), replace=False).tolist())
            for _ in range(n_columns)
        ]
        costs = rng.integers(1, 9, n_columns).tolist()
        best = cheapest_by_dynamic_programming(n_rows, covers, costs)
        if best is None:
            continue
        for afresh in (False, True):
            chosen = parts.cheapest_cover(n_rows, covers, costs, best + 7, afresh)
            assert chosen is not None
            assert sum(costs[k] for k in chosen) == best


def test_a_row_that_is_covered_whenever_another_one_is_goes() -> None:
    # No reduction makes a ring of seven rows and columns of two neighbours smaller. Row 7 has both columns
    # over row 1 and a cheap one of its own, so it goes, and its own column with it.
    covers = [[i, (i + 1) % 7] for i in range(7)]
    covers[0], covers[1] = [0, 1, 7], [1, 2, 7]
    chosen, bound, left = parts.cheapest_listed(8, [*covers, [7]], [2] * 7 + [1])
    assert (len(chosen), bound, left) == (4, 8, 7)
