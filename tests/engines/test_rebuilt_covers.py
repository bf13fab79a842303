"""Covers found without a proof: how rules are grown and pruned, and what rebuilding makes of a first one."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.support.native_testing import parts

from laconic.data.table import Table
from laconic.engines import registry
from laconic.engines.incumbent import incumbent
from laconic.problem.objective import Kind, Objective, Problem
from laconic.problem.objective import cost as evaluate
from laconic.runtime.budget import Budget
from laconic.runtime.native import kernels

ALL_COLUMNS = 20_000


class OneClass:
    """A noisy table, seen from one class: which rows each literal holds on."""

    def __init__(self, seed: int, n_samples: int, n_features: int, *, single: bool = False) -> None:
        rng = np.random.default_rng(seed)
        features = rng.random((n_samples, n_features)) < rng.uniform(0.2, 0.8, n_features)
        labels = (features[:, 0] & features[:, 1] | features[:, 2]) ^ (rng.random(n_samples) < 0.2)
        self.literals = list(range(2 * n_features))
        if single:  # more features, with one of their two literals each
            features = np.hstack([features, features[:, 1:] & features[:, :-1]])
            self.literals += [2 * f + f % 2 for f in range(n_features, features.shape[1])]
        table = Table.from_arrays(features, labels.astype(int), n_classes=2).reduced_to_majority()
        own = table.weights[:, 1] > 0
        self.positives, self.negatives = np.flatnonzero(own), np.flatnonzero(~own)
        unpacked = np.unpackbits(table.bits.view(np.uint8), axis=1, bitorder="little")[:, : table.n_rows]
        holds = np.stack([unpacked == 0, unpacked == 1], axis=1).reshape(2 * len(unpacked), -1)
        self.on_positives, self.on_negatives = holds[:, self.positives], holds[:, self.negatives]
        self.arguments = (table.bits, self.literals, self.positives, self.negatives)

    def covers(self, rule: list[int], holds: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return np.logical_and.reduce(holds[rule], axis=0) if rule else np.ones(holds.shape[1], bool)

    def assert_cover(self, rules: list[list[int]]) -> None:
        assert all(not self.covers(rule, self.on_negatives).any() for rule in rules)
        assert np.logical_or.reduce([self.covers(rule, self.on_positives) for rule in rules]).all()


def cost(rules: list[list[int]]) -> int:
    return sum(len(rule) + 1 for rule in rules)


def gains(one: OneClass, pos: NDArray[np.bool_], neg: NDArray[np.bool_]) -> dict[int, float]:
    """Return FOIL's gain of every literal that keeps a positive and excludes a negative."""
    before = np.log2(1 + neg.sum() / pos.sum())
    out = {}
    for code in one.literals:
        kept, wrong = (one.on_positives[code] & pos).sum(), (one.on_negatives[code] & neg).sum()
        if kept and wrong < neg.sum():
            out[code] = kept * (before - np.log2(1 + wrong / kept))
    return out


def wanted_sets(one: OneClass, rng: np.random.Generator) -> list[tuple[list[int], int]]:
    """Return sets of positives that shrink a little, jump and grow again, with and without a seed."""
    n = one.positives.size
    left = np.ones(n, bool)
    out = []
    for step in range(12):
        if step % 4 == 3:
            left = rng.random(n) < rng.uniform(0.05, 1)
        else:
            left[rng.choice(n, 2)] ^= True
        left[rng.integers(n)] = True
        members = np.flatnonzero(left).tolist()
        out.append((members, -1 if step % 2 else int(rng.choice(members))))
    return out


@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize("n_samples", [60, 700, 3000])
def test_every_literal_of_a_grown_rule_has_the_largest_gain(n_samples: int, single: bool) -> None:
    one = OneClass(n_samples, n_samples, 14, single=single)
    wanted = wanted_sets(one, np.random.default_rng(1))
    grown = parts.grow_rules(*one.arguments, wanted)
    assert max(len(rule) for rule, _ in grown) >= 4  # rows are packed on the way
    for (left, seed), (rule, _) in zip(wanted, grown, strict=True):
        pos, neg = np.zeros(one.positives.size, bool), np.ones(one.negatives.size, bool)
        pos[left] = True
        for code in rule:
            possible = gains(one, pos, neg)
            if seed >= 0:
                possible = {c: gain for c, gain in possible.items() if one.on_positives[c, seed]}
            assert possible[code] >= max(possible.values()) - 1e-3
            pos, neg = pos & one.on_positives[code], neg & one.on_negatives[code]
        assert pos.any()
        assert not neg.any()


def test_pruning_drops_the_literal_whose_loss_covers_most_until_all_are_needed() -> None:
    dropped = 0
    for seed in range(30):
        one = OneClass(seed, 400, 12)
        wanted = wanted_sets(one, np.random.default_rng(seed))
        for (left, _), (rule, pruned) in zip(wanted, parts.grow_rules(*one.arguments, wanted), strict=True):
            expected = list(rule)
            while True:
                shorter = [expected[:k] + expected[k + 1 :] for k in range(len(expected))]
                shorter = [body for body in shorter if not one.covers(body, one.on_negatives).any()]
                if not shorter:
                    break
                expected = max(shorter, key=lambda body: one.covers(body, one.on_positives)[left].sum())
                dropped += 1
            assert pruned == expected
    assert dropped > 60


def test_literals_with_neighbouring_numbers_need_not_be_opposites() -> None:
    # Two literals, as certificates number them: both hold on the positive, each excludes another negative.
    pos, neg = np.ones((2, 1), bool), np.array([[True, False], [False, True]])
    prices = kernels.CoverPrices(pos, neg, 1, 1)
    assert prices.relax(-1.0, kernels.StopFlag())
    assert 2 < sum(prices.prices()) / prices.scale <= 3  # rounded up: a rule of two literals


@pytest.mark.parametrize("most_columns", [ALL_COLUMNS, 30])
def test_rebuilding_keeps_a_cover_and_makes_it_cheaper(most_columns: int) -> None:
    better = 0.0
    for seed in range(8):
        one = OneClass(seed, 2000, 16, single=seed % 2 == 0)
        first, rebuilt = parts.rebuild_cover(*one.arguments, 25, 2, most_columns, -1.0)
        one.assert_cover(first)
        one.assert_cover(rebuilt)
        assert cost(rebuilt) <= cost(first)
        better += 1 - cost(rebuilt) / cost(first)
    assert better / 8 > 0.25


def test_no_round_of_rebuilding_makes_a_cover_dearer() -> None:
    one = OneClass(4, 900, 12)
    costs = [cost(parts.rebuild_cover(*one.arguments, 1, times, ALL_COLUMNS, -1.0)[1]) for times in range(40)]
    assert costs == sorted(costs, reverse=True)
    assert len(set(costs)) > 5


def test_rebuilding_that_is_stopped_keeps_a_cover() -> None:
    one = OneClass(3, 6000, 20)
    for seconds in (0.0, 0.003, 0.02):
        first, rebuilt = parts.rebuild_cover(*one.arguments, 10**6, 1, ALL_COLUMNS, seconds)
        one.assert_cover(rebuilt)
        assert cost(rebuilt) <= cost(first)


def test_a_short_search_has_a_better_set_than_greedy_covering() -> None:
    rng = np.random.default_rng(2)
    features = rng.random((2500, 18)) < 0.5
    labels = (features[:, 0] & features[:, 1] | features[:, 2]) ^ (rng.random(2500) < 0.25)
    table = Table.from_arrays(features, labels.astype(int), n_classes=2)
    problem = Problem.of(table, Objective(Kind.PERFECT))
    solution = registry.get("exact")(problem, budget=Budget(1.0))
    greedy = evaluate(problem, incumbent(problem, Budget(None)))
    assert greedy is not None
    assert solution.cost < 0.95 * greedy


def test_the_cover_of_a_large_table_is_rebuilt_before_anything_else() -> None:
    one = OneClass(6, 4_000, 130)
    first, _ = parts.rebuild_cover(*one.arguments, 0, 0, ALL_COLUMNS, -1.0)
    search = kernels.CoverSolver(*one.arguments, 1, 1, 0)
    while search.counts()["lp_rounds"] == 0:
        search.advance(0.2, kernels.StopFlag())
    assert search.upper_bound < 0.95 * cost(first)
