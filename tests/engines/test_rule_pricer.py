"""The pricer against every rule there is: after a pass no rule may cost less than it is paid."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pytest
from tests.support.native_testing import parts

SCALE = 1 << 12


class Case(NamedTuple):
    """Literals over rows, and prices and blame that may violate any rule."""

    pos: np.ndarray
    neg: np.ndarray
    pos_weight: list[int]
    neg_weight: list[int]
    rule_cost: int
    literal_cost: int
    prices: list[int]
    blame: list[tuple[int, int, int]]


def random_case(seed: int) -> Case:
    """A table on which rules of three literals and more are worth their price."""
    rng = np.random.default_rng(seed)
    n_features, n_pos, n_neg = 5, 40, 30
    rows = rng.random((n_pos + n_neg, n_features)) < rng.uniform(0.5, 0.9, n_features)
    rows[:n_pos] |= rng.random((n_pos, n_features)) < 0.5  # positives have more features
    return case_of(rng, np.concatenate([rows, ~rows], axis=1).T, n_pos)


def case_of_thresholds(seed: int) -> Case:
    """Nested literals: both sides of the thresholds of three columns, in the order of features."""
    rng = np.random.default_rng(seed)
    n_pos, n_neg = 40, 30
    values = rng.integers(0, 5, (n_pos + n_neg, 3))
    values[:n_pos] += rng.integers(0, 2, (n_pos, 3))
    sides = [values[:, [column]] <= np.arange(4) for column in range(3)]
    literals = np.concatenate(
        [np.stack([side, ~side], axis=2).reshape(len(values), -1) for side in sides], 1
    ).T
    return case_of(rng, literals[literals.any(axis=1)], n_pos)


def case_of(rng: np.random.Generator, literals: np.ndarray, n_pos: int) -> Case:
    """Random prices and blame for literals, by row, whose first rows are positives."""
    n_neg = literals.shape[1] - n_pos
    pos, neg = np.ascontiguousarray(literals[:, :n_pos]), np.ascontiguousarray(literals[:, n_pos:])
    pos_weight = sorted(rng.integers(1, 4, n_pos).tolist(), reverse=True)
    neg_weight = sorted(rng.integers(1, 4, n_neg).tolist(), reverse=True)
    shares_of_weight = rng.random(n_pos) ** rng.choice([0.5, 3])
    prices = [1 + int((w * SCALE - 1) * share) for w, share in zip(pos_weight, shares_of_weight, strict=True)]
    blame = []
    for j in range(n_neg):
        shares = rng.random(n_pos) * (rng.random(n_pos) < 0.5)
        shares *= SCALE / max(1e-9, shares @ pos_weight)
        blame += [(j, i, int(units)) for i, units in enumerate(shares) if units >= 1]
    rule_cost, literal_cost = int(rng.integers(1, 5)), int(rng.integers(1, 4))
    return Case(pos, neg, pos_weight, neg_weight, rule_cost, literal_cost, prices, blame)


@pytest.mark.parametrize("heaviest", [5, 10**12], ids=["whole shares", "shares of any size"])
def test_no_negative_blames_more_than_its_weight_however_blame_was_rounded(heaviest: int) -> None:
    """In exact arithmetic: the ascent may overdraw a negative's weight, by rounding or by much."""
    rng = np.random.default_rng(heaviest)
    n_full = 0
    for overdrawn in (1.0, 1 + 1e-7, 1.5):
        for _ in range(40):
            n_pos, n_neg = rng.integers(1, 8, 2)
            pos, neg = rng.integers(1, heaviest + 1, n_pos), rng.integers(1, heaviest + 1, n_neg)
            blame = neg[:, None] * rng.dirichlet(np.full(n_pos, 0.5), n_neg) * overdrawn
            prices = pos * rng.random(n_pos) * overdrawn
            scale, y, shares = parts.row_dual(
                *(pos.tolist(), neg.tolist(), prices.tolist()), np.float32(blame).ravel().tolist()
            )
            assert all(0 <= price <= weight * scale for price, weight in zip(y, pos.tolist(), strict=True))
            for row in shares:
                spent = sum(Fraction(share) * weight for share, weight in zip(row, pos.tolist(), strict=True))
                assert spent <= scale
                n_full += spent > 0.999 * scale
    assert n_full > 100


def matrix(case: Case, blame: list[tuple[int, int, int]]) -> np.ndarray:
    """What each negative row charges each positive row."""
    out = np.zeros((len(case.neg_weight), len(case.pos_weight)), dtype=np.int64)
    for j, i, units in blame:
        out[j, i] = units * case.pos_weight[i] * case.neg_weight[j]
    return out


def most_overpaid(case: Case, prices: list[int], charges: np.ndarray, longest: int = 5) -> int:
    """Return by how much the most overpaid rule, of those with so many literals at most, is overpaid."""
    y, worst = np.array(prices), -(10**9)
    for size in range(longest + 1):
        for body in combinations(range(len(case.pos)), size):
            chosen = list(body)
            covers_pos, covers_neg = case.pos[chosen].all(axis=0), case.neg[chosen].all(axis=0)
            counted = np.maximum(0, y - charges[covers_neg].sum(axis=0))[covers_pos].sum()
            worst = max(worst, int(counted) - SCALE * (case.rule_cost + case.literal_cost * size))
    return worst


def repaired(
    case: Case, spare_prices: int = 0, spare_blame: float = 0.0, threads: int = 0, width: int = 0
) -> tuple[bool, list[int], list[tuple[int, int, int]], list[list[int]]]:
    """Return what a pass leaves."""
    return parts.repair_prices(
        case.pos, case.pos_weight, case.neg, case.neg_weight, case.rule_cost, case.literal_cost, SCALE,
        case.prices, case.blame, spare_prices, spare_blame, threads, width,
    )  # fmt: skip


@pytest.mark.parametrize("threads", [0, 1, 3])
@pytest.mark.parametrize("seed", range(40))
def test_after_a_pass_every_rule_is_paid_for(seed: int, threads: int) -> None:
    assert_paid_for(random_case(seed), threads)


@pytest.mark.parametrize("seed", range(40))
def test_after_a_pass_every_rule_of_thresholds_is_paid_for(seed: int) -> None:
    assert_paid_for(case_of_thresholds(seed), threads=2 * (seed % 2), longest=3)


def assert_paid_for(case: Case, threads: int, longest: int = 5) -> None:
    complete, prices, blame, found = repaired(case, threads=threads)
    assert complete
    assert blame == case.blame
    assert all(0 <= new <= old for new, old in zip(prices, case.prices, strict=True))
    assert most_overpaid(case, prices, matrix(case, blame), longest) <= 0
    violated = most_overpaid(case, case.prices, matrix(case, case.blame), longest) > 0
    assert bool(found) == violated
    if not violated:
        assert prices == case.prices


@pytest.mark.parametrize("seed", range(40))
def test_the_parts_of_a_pass_give_the_same_on_any_number_of_threads(seed: int) -> None:
    case = random_case(seed)
    assert repaired(case, threads=1) == repaired(case, threads=4)


@pytest.mark.parametrize("seed", range(40))
def test_rows_that_hardly_count_lose_their_price_and_no_more(seed: int) -> None:
    case = random_case(seed)
    spare = sum(case.prices) // 20
    complete, prices, blame, _ = repaired(case, spare_prices=spare)
    charges = matrix(case, blame)
    assert complete
    assert most_overpaid(case, prices, charges) <= 0
    # No row blames more than its weight.
    assert (charges.sum(axis=1) <= SCALE * np.array(case.neg_weight)).all()
    lost = [old for old, new in zip(case.prices, prices, strict=True) if new == 0]
    assert lost  # some rows are left out
    untouched = [new == old for old, new in zip(case.prices, prices, strict=True)]
    if most_overpaid(case, case.prices, matrix(case, case.blame)) <= 0:
        assert sum(lost) <= spare
        assert all(same or new == 0 for same, new in zip(untouched, prices, strict=True))


@pytest.mark.parametrize("seed", range(40))
def test_the_smallest_shares_of_blame_go_and_no_row_blames_for_more_than_its_weight(seed: int) -> None:
    case = random_case(seed)
    spare = 0.3
    complete, prices, blame, _ = repaired(case, spare_blame=spare)
    before, after = matrix(case, case.blame), matrix(case, blame)
    assert complete
    assert most_overpaid(case, prices, after) <= 0
    assert (after.sum(axis=1) <= SCALE * np.array(case.neg_weight)).all()
    gone = (before > 0) & (after == 0)
    assert gone.any()
    for old, new, is_gone in zip(before, after, gone, strict=True):
        assert old[is_gone].sum() <= spare * old.sum()
        # What is left blames for no less than before, and what is gone was smaller.
        assert (new[~is_gone] >= old[~is_gone]).all()
        if is_gone.any():
            assert old[is_gone].max() <= old[(old > 0) & ~is_gone].min()


def test_a_narrow_look_meets_every_rule_of_one_literal() -> None:
    n_incomplete = 0
    for case in map(random_case, range(40)):
        complete, prices, blame, _ = repaired(case, width=1)
        n_incomplete += not complete
        assert most_overpaid(case, prices, matrix(case, blame), longest=1) <= 0
    assert n_incomplete > 20  # else the look was not narrow


BEFORE = [100, 50, 50] + [10] * 80  # nodes of the parts of a pass: a thousand


def told_after(
    n_parts: int, times: int, seconds: float, limit: float, farther: bool = False
) -> tuple[bool, float]:
    """A pass whose parts take so many times as many nodes as before, and what is told once some are done."""
    forecast = parts.PassForecast(BEFORE, limit, farther)
    goes_on, so_far = True, 0
    for part in range(n_parts):
        so_far += times * BEFORE[part]
        goes_on = forecast.goes_on(part, times * BEFORE[part], so_far, seconds)
    return goes_on, forecast.seconds


def test_a_pass_that_will_not_end_in_time_is_given_up_after_a_part_of_it() -> None:
    goes_on, seconds = told_after(1, times=3, seconds=1.0, limit=9.0)
    assert not goes_on  # a tenth took a second, and what comes later takes a little longer
    assert 10 < seconds < 13
    assert told_after(1, times=3, seconds=1.0, limit=13.0) == (True, seconds)
    assert told_after(len(BEFORE), times=3, seconds=10.0, limit=10.01)[0]


def test_a_pass_that_leaves_half_of_the_time_is_given_up_if_it_can_go_farther_and_little_is_done() -> None:
    assert not told_after(1, times=3, seconds=1.0, limit=30.0, farther=True)[0]
    assert told_after(1, times=3, seconds=1.0, limit=20.0, farther=True)[0]
    assert told_after(1, times=3, seconds=1.0, limit=30.0, farther=False)[0]
    assert told_after(43, times=3, seconds=5.0, limit=30.0, farther=True)[0]  # more than half is done


def test_too_little_of_a_pass_tells_nothing() -> None:
    forecast = parts.PassForecast(BEFORE, 1.0, True)
    assert forecast.goes_on(1, 10_000, 10_000, 100.0)  # a twentieth
    assert forecast.seconds == 0
