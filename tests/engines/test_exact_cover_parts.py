"""The parts of the covering solver alone: branching without a good incumbent, pricing against a full list."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.support.native_testing import parts

from laconic.data.table import Table
from laconic.runtime.native import kernels

SCALE = 1000


def cheapest_by_dynamic_programming(n_rows: int, covers: list[list[int]], costs: list[int]) -> int | None:
    best = {0: 0}
    for cover, cost in zip(covers, costs, strict=True):
        bits = sum(1 << row for row in cover)
        for union, paid in list(best.items()):
            merged = union | bits
            if best.get(merged, paid + cost + 1) > paid + cost:
                best[merged] = paid + cost
    return best.get((1 << n_rows) - 1)


def random_covers(rng: np.random.Generator) -> tuple[int, list[list[int]], list[int]]:
    """Small sets of rows: the relaxation of such covers is far from whole, so it takes cuts and branching."""
    n_rows = int(rng.integers(3, 13))
    n_columns = int(rng.integers(3, 40))
    largest = int(rng.integers(2, 5))
    covers = [
        sorted(rng.choice(n_rows, int(rng.integers(1, min(largest, n_rows) + 1)), replace=False).tolist())
        for _ in range(n_columns)
    ]
    dearest = int(rng.integers(1, 6))
    return n_rows, covers, rng.integers(1, dearest + 1, n_columns).tolist()


@pytest.mark.parametrize("afresh", [False, True])
@pytest.mark.parametrize("slack", [1, 2, 50])
def test_branching_finds_the_cheapest_cover_without_help(slack: int, afresh: bool) -> None:
    rng = np.random.default_rng(slack)
    possible = 0
    for _ in range(500):
        n_rows, covers, costs = random_covers(rng)
        best = cheapest_by_dynamic_programming(n_rows, covers, costs)
        if best is None:
            assert parts.cheapest_cover(n_rows, covers, costs, 1000) is None
            continue
        possible += 1
        chosen = parts.cheapest_cover(n_rows, covers, costs, best + slack, afresh)
        assert chosen is not None
        assert sum(costs[k] for k in chosen) == best
        assert set().union(*(covers[k] for k in chosen)) == set(range(n_rows))
        assert parts.cheapest_cover(n_rows, covers, costs, best, afresh) is None
    assert possible > 150


def test_reductions_and_blocks_leave_the_cheapest_cover() -> None:
    rng = np.random.default_rng(11)
    possible = decided = 0
    for _ in range(1500):
        n_rows, covers, costs = random_covers(rng)
        best = cheapest_by_dynamic_programming(n_rows, covers, costs)
        if best is None:
            continue
        possible += 1
        chosen, bound, left = parts.cheapest_listed(n_rows, covers, costs)
        assert sum(costs[k] for k in chosen) == bound == best
        assert set().union(*(covers[k] for k in chosen)) == set(range(n_rows))
        decided += left == 0
    assert possible > 500
    assert 0 < decided < possible


def test_reductions_alone_decide_intervals() -> None:
    # Rows in a line, columns over neighbours, one cost: a row always implies others or has one column left.
    rng = np.random.default_rng(12)
    for _ in range(200):
        n_rows = int(rng.integers(2, 60))
        starts = [*rng.integers(0, n_rows, int(rng.integers(1, 40))).tolist(), *range(n_rows)]
        covers = [
            list(range(start, min(n_rows, start + int(length))))
            for start, length in zip(starts, rng.integers(1, 9, len(starts)), strict=True)
        ]
        chosen, bound, left = parts.cheapest_listed(n_rows, covers, [2] * len(covers))
        assert left == 0
        n_chosen, reached = 0, 0
        while reached < n_rows:  # the column over the first uncovered row that goes furthest is best
            reached = max(cover[-1] + 1 for cover in covers if cover[0] <= reached <= cover[-1])
            n_chosen += 1
        assert bound == 2 * len(chosen) == 2 * n_chosen


def test_blocks_without_common_rows_are_searched_one_by_one() -> None:
    # Three rings of seven rows, columns of two neighbours: no reduction applies, each ring needs four.
    covers = [[7 * b + i, 7 * b + (i + 1) % 7] for b in range(3) for i in range(7)]
    chosen, bound, left = parts.cheapest_listed(21, covers, [1] * 21)
    assert len(chosen) == bound == 12
    assert left == 21


def cheapest_by_integer_programme(n_rows: int, covers: list[list[int]], costs: list[int]) -> int:
    highspy = pytest.importorskip("highspy")
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("mip_rel_gap", 0.0)
    for k, cost in enumerate(costs):
        highs.addVar(0.0, 1.0)
        highs.changeColCost(k, float(cost))
        highs.changeColIntegrality(k, highspy.HighsVarType.kInteger)
    for row in range(n_rows):
        over = np.array([k for k, cover in enumerate(covers) if row in cover], dtype=np.int32)
        highs.addRow(1.0, highs.getInfinity(), over.size, over, np.ones(over.size))
    highs.run()
    return round(highs.getInfoValue("objective_function_value")[1])


def test_deep_trees_find_the_cheapest_cover_without_help() -> None:
    rng = np.random.default_rng(42)
    for _ in range(15):
        n_rows = int(rng.integers(25, 45))
        covers = [
            sorted(rng.choice(n_rows, int(rng.integers(2, 5)), replace=False).tolist()) for _ in range(90)
        ]
        covers += [[row] for row in range(n_rows)]
        costs = rng.integers(2, 4, 90).tolist() + [3] * n_rows
        best = cheapest_by_integer_programme(n_rows, covers, costs)
        chosen = parts.cheapest_cover(n_rows, covers, costs, best + 3)
        assert chosen is not None
        assert sum(costs[k] for k in chosen) == best
        assert parts.cheapest_cover(n_rows, covers, costs, best) is None


@pytest.mark.parametrize("seed", range(4))
def test_wide_columns_with_cuts_over_merged_rows_find_the_cheapest_cover(seed: int) -> None:
    # Columns over many rows: after a merge a cut's rows are covered three at a time.
    rng = np.random.default_rng(seed)
    for _ in range(12):
        n_rows, n_columns = int(rng.integers(18, 34)), int(rng.integers(40, 110))
        widest = int(rng.integers(5, 9))
        covers = [
            sorted(rng.choice(n_rows, int(rng.integers(3, widest)), replace=False).tolist())
            for _ in range(n_columns)
        ]
        covers += [[row] for row in range(n_rows)]
        costs = rng.integers(2, 5, n_columns).tolist() + [3] * n_rows
        best = cheapest_by_integer_programme(n_rows, covers, costs)
        for slack in (1, 4):
            chosen = parts.cheapest_cover(n_rows, covers, costs, best + slack)
            assert chosen is not None
            assert sum(costs[k] for k in chosen) == best
            assert set().union(*(covers[k] for k in chosen)) == set(range(n_rows))
        assert parts.cheapest_cover(n_rows, covers, costs, best) is None


def test_rows_that_are_always_covered_together_are_not_both_dropped() -> None:
    # Rows 2k and 2k + 1 have the same columns: each implies the other, and one of them must stay.
    pairs = [[2 * i, 2 * i + 1, (2 * i + 2) % 14, (2 * i + 3) % 14] for i in range(7)]
    chosen = parts.cheapest_cover(14, pairs, [1] * 7, 100)
    assert chosen is not None
    assert len(chosen) == 4


def test_the_proof_finds_the_optimum_when_there_is_no_local_search() -> None:
    rng = np.random.default_rng(8)
    repaired = 0
    for _ in range(30):
        features = rng.random((80, 8)) < 0.5
        labels = (features[:, 0] & features[:, 1]) ^ (rng.random(80) < 0.3)
        table = Table.from_arrays(features, labels.astype(int), n_classes=2).reduced_to_majority()
        own = table.weights[:, 1] > 0
        answers = []
        for steps in (0, 10_000):
            search = kernels.CoverSolver(
                *(table.bits, list(range(16)), np.flatnonzero(own), np.flatnonzero(~own), 1, 1, 0),
                {"cover_words_listed": 0, "cover_local_steps": steps},
            )
            assert search.advance(-1.0, kernels.StopFlag())
            answers.append((search.upper_bound, search.counts()["nodes"]))
        assert answers[0][0] == answers[1][0]
        repaired += answers[0][1] > answers[1][1]
    assert repaired > 0


def test_odd_cycles_of_rows_need_more_than_half() -> None:
    # Seven rows in a ring, columns of two neighbours: the relaxation says 3.5, the truth is 4.
    covers = [[i, (i + 1) % 7] for i in range(7)]
    chosen = parts.cheapest_cover(7, covers, [1] * 7, 100)
    assert chosen is not None
    assert len(chosen) == 4


def projective_plane(order: int) -> list[list[int]]:
    """Lines of a projective plane of prime order: any two points share exactly one line."""
    points = [(1, a, b) for a in range(order) for b in range(order)]
    points += [(0, 1, a) for a in range(order)] + [(0, 0, 1)]
    return [
        [i for i, p in enumerate(points) if sum(x * y for x, y in zip(p, q, strict=True)) % order == 0]
        for q in points
    ]


@pytest.mark.parametrize(("order", "fewest"), [(2, 3), (3, 4), (5, 6)])
def test_all_lines_through_a_point_are_the_smallest_cover_of_a_projective_plane(
    order: int, fewest: int
) -> None:
    lines = projective_plane(order)
    chosen = parts.cheapest_cover(len(lines), lines, [1] * len(lines), len(lines))
    assert chosen is not None
    assert len(chosen) == fewest


def prime_rules(table: Table, own: np.ndarray) -> dict[tuple[int, ...], frozenset[int]]:
    """Consistent conjunctions over some positive that can spare no literal, with the positives they cover."""
    positives = np.flatnonzero(own)
    number = {int(row): k for k, row in enumerate(positives)}
    consistent: dict[tuple[int, ...], frozenset[int]] = {}
    for picked in itertools.product((None, 0, 1), repeat=table.n_features):
        body = tuple(2 * f + v for f, v in enumerate(picked) if v is not None)
        rows = np.ones(table.n_rows, bool)
        for code in body:
            rows &= table.matrix[:, code // 2] == bool(code % 2)
        if (rows & own).any() and not (rows & ~own).any():
            consistent[body] = frozenset(number[int(row)] for row in np.flatnonzero(rows & own))
    return {
        body: cover
        for body, cover in consistent.items()
        if not any(tuple(c for c in body if c != out) in consistent for out in body)
    }


def random_table(rng: np.random.Generator) -> tuple[Table, np.ndarray]:
    n_features = int(rng.integers(2, 6))
    features = rng.random((int(rng.integers(4, 22)), n_features)) < 0.5
    table = Table.from_arrays(features, rng.integers(0, 2, len(features)), n_classes=2).reduced_to_majority()
    return table, table.weights[:, 1] > 0


@pytest.mark.parametrize("unpriced_too", [False, True])
def test_pricing_finds_a_rule_as_good_as_every_rule_above_the_threshold(unpriced_too: bool) -> None:
    rng = np.random.default_rng(int(unpriced_too))
    compared = 0
    for _ in range(400):
        table, own = random_table(rng)
        if not own.any() or own.all():
            continue
        y = (rng.integers(0, 3, int(own.sum())) * rng.integers(1, 2 * SCALE, int(own.sum()))).tolist()
        threshold = int(rng.integers(-4 * SCALE, SCALE)) if unpriced_too else int(rng.integers(0, SCALE))
        literals = list(range(2 * table.n_features))
        rules, exhausted = parts.price_rules(
            *(table.bits, literals, np.flatnonzero(own), np.flatnonzero(~own), 1, 1),
            *(y, SCALE, threshold, 100_000, 0, unpriced_too),
        )
        assert exhausted
        known = prime_rules(table, own)
        value = {body: sum(y[i] for i in cover) - SCALE * (len(body) + 1) for body, cover in known.items()}
        found = {tuple(sorted(body)): reported for body, reported in rules}
        assert len(found) == len(rules)
        for body, reported in found.items():
            assert reported == value[body] > threshold
        priced = frozenset(i for i, price in enumerate(y) if price or unpriced_too)
        for body, cover in known.items():
            if value[body] <= threshold:
                continue
            compared += 1
            assert any(
                len(other) <= len(body) and known[other] & priced >= cover & priced for other in found
            ), f"nothing found does what {body} does"
    assert compared > 100


def test_pricing_keeps_the_best_when_there_is_room_for_few() -> None:
    rng = np.random.default_rng(7)
    for _ in range(100):
        table, own = random_table(rng)
        if not own.any() or own.all():
            continue
        y = rng.integers(0, 3 * SCALE, int(own.sum())).tolist()
        values = sorted(
            (
                sum(y[i] for i in cover) - SCALE * (len(body) + 1)
                for body, cover in prime_rules(table, own).items()
            ),
            reverse=True,
        )
        rules, exhausted = parts.price_rules(
            *(table.bits, list(range(2 * table.n_features)), np.flatnonzero(own), np.flatnonzero(~own), 1, 1),
            *(y, SCALE, 0, 100, 2, False),
        )
        assert exhausted
        if values[0] > 0:
            assert rules[0][1] == values[0]
        else:
            assert rules == []


@pytest.mark.parametrize(("rule_cost", "literal_cost"), [(1, 1), (1, 0), (50, 1)])
def test_listed_rules_do_what_any_rule_does_for_no_more(rule_cost: int, literal_cost: int) -> None:
    rng = np.random.default_rng(3)
    compared = 0
    for _ in range(300):
        table, own = random_table(rng)
        if not own.any() or own.all():
            continue
        arguments = (
            *(table.bits, list(range(2 * table.n_features)), np.flatnonzero(own), np.flatnonzero(~own)),
            *(rule_cost, literal_cost),
        )
        rules, complete = parts.list_rules(*arguments, 10**9)
        assert complete
        known = prime_rules(table, own)
        listed = {tuple(sorted(body)) for body in rules}
        assert len(listed) == len(rules)
        assert listed <= known.keys()
        assert len({known[body] for body in listed}) == len(listed)
        price = {body: rule_cost + literal_cost * len(body) for body in known}
        cheapest = {
            i: min((price[body] for body in listed if i in known[body]), default=10**9)
            for i in range(int(own.sum()))
        }
        for body, cover in known.items():
            compared += 1
            if any(price[other] <= price[body] and known[other] >= cover for other in listed):
                continue
            assert price[body] >= sum(cheapest[i] for i in cover)
        few, complete = parts.list_rules(*arguments, 40)
        assert {tuple(sorted(body)) for body in few} <= known.keys()
        assert not complete or len(few) == len(rules)
    assert compared > 1000


def test_a_rule_that_costs_no_less_than_rules_over_its_rows_is_not_listed() -> None:
    # Rows 0 and 1 have a literal of their own each (cost 2 + 2); three literals hold on both alone (cost 4).
    features = [[1, 0, 1, 1, 1], [0, 1, 1, 1, 1], [0, 0, 0, 1, 1], [0, 0, 1, 0, 1], [0, 0, 1, 1, 0]]
    table = Table.from_arrays(features, [1, 1, 0, 0, 0])
    own = table.weights[:, 1] > 0
    arguments = (table.bits, list(range(10)), np.flatnonzero(own), np.flatnonzero(~own))
    for rule_cost, expected in ((1, {(1,), (3,)}), (2, {(1,), (3,), (5, 7, 9)})):
        rules, complete = parts.list_rules(*arguments, rule_cost, 1, 10**6)
        assert complete
        assert {tuple(sorted(body)) for body in rules} == expected


def test_listing_and_column_generation_prove_the_same_cost() -> None:
    rng = np.random.default_rng(21)
    for _ in range(60):
        features = rng.random((int(rng.integers(5, 90)), int(rng.integers(2, 12)))) < 0.5
        labels = (features[:, 0] | features[:, 1]) ^ (rng.random(len(features)) < 0.2)
        table = Table.from_arrays(features, labels.astype(int), n_classes=2).reduced_to_majority()
        own = table.weights[:, 1] > 0
        costs = []
        for words in (0, 10**8):
            search = kernels.CoverSolver(
                *(table.bits, list(range(2 * table.n_features)), np.flatnonzero(own), np.flatnonzero(~own)),
                *(1, 1, 0, {"cover_words_listed": words}),
            )
            assert search.advance(-1.0, kernels.StopFlag())
            assert search.lower_bound == search.upper_bound
            costs.append(search.upper_bound)
        assert costs[0] == costs[1]
