"""Very many rows in pieces: counts, bounds and sets against direct computation and the plain engine."""

from __future__ import annotations

import itertools
import math
from collections.abc import Generator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from tests.support.clock import ProcessorTime

from laconic.checking.verify import violations
from laconic.data.table import Table
from laconic.engines.api import Progress, Recorder, StopReason
from laconic.engines.class_search import ClassTask
from laconic.engines.exact import engine, local
from laconic.engines.exact.lazy_rows.ascent import Dual, RuleList, raised
from laconic.engines.exact.lazy_rows.every_rule import Costs, Examined, examine
from laconic.engines.exact.lazy_rows.groups import RowGroups, grouped, split_by
from laconic.engines.exact.lazy_rows.rows import FEW_WEIGHTS, SignedRows, few_weights
from laconic.engines.exact.lazy_rows.search import LazySearch
from laconic.engines.exact.lazy_rows.triples import all_triples
from laconic.engines.exact.local import search_for
from laconic.problem.objective import Objective, Problem
from laconic.runtime.budget import Budget
from laconic.runtime.native import kernels


def drained(work: Generator[Any, None, Any]) -> Any:
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


def random_problem(seed: int, n_rows: int = 40, n_features: int = 5) -> Problem:
    rng = np.random.default_rng(seed)
    x = rng.random((n_rows, n_features)) < rng.uniform(0.2, 0.8, n_features)
    truth = (x[:, 0] & x[:, 1]) | ~x[:, 2]
    y = (truth ^ (rng.random(n_rows) < 0.2)).astype(np.int64)
    weight = rng.integers(1, 4, n_rows) if seed % 2 else None
    table = Table.from_arrays(x, y, weight, n_classes=2)
    return Problem.of(table, Objective(regularization=float(rng.choice([0.01, 0.02, 0.05]))))


def class_arrays(problem: Problem, c: int) -> tuple[Any, ...]:
    own = problem.table.weights[:, c]
    others = problem.table.weights.sum(axis=1) - own
    return problem.table.bits, problem.table.allowed, own, others, problem.rule_cost, problem.literal_cost


def optimum(problem: Problem, c: int) -> int:
    solver = kernels.SparseSolver(*class_arrays(problem, c))
    assert solver.advance(-1.0, kernels.StopFlag())
    return solver.upper_bound


def two_sides(
    problem: Problem, c: int, rules: Sequence[tuple[int, ...]] = ((1,), (3,))
) -> tuple[RowGroups, RowGroups, SignedRows]:
    """Group the rows of a class by some rules, in both signs."""
    bits, _, own, others, _, _ = class_arrays(problem, c)
    rows = SignedRows(bits, own - others)
    sides = []
    for side in rows.sides:
        weight = np.abs(rows.net[side])
        covers = (cover[side] for cover in rows.covers(rules))
        group_of, _ = split_by(rules, covers, weight, 1)
        sides.append(drained(grouped(bits, side, weight, group_of)))
    return sides[0], sides[1], rows


def all_rules(n_features: int) -> list[tuple[int, ...]]:
    return [
        tuple(2 * f + value for f, value in zip(features, values, strict=True))
        for length in range(n_features + 1)
        for features in itertools.combinations(range(n_features), length)
        for values in itertools.product((0, 1), repeat=length)
    ]


def claims_of(search: LazySearch) -> list[int]:
    """Return a list that will hold all bounds that the search claims, even those above its best set."""
    claimed: list[int] = []
    raise_bound = search._raise_bound
    search._raise_bound = lambda bound: (claimed.append(bound), raise_bound(bound))[1]  # type: ignore[method-assign]
    return claimed


@pytest.mark.parametrize("seed", range(6))
def test_groups_weigh_every_rule_as_its_rows_do(seed: int) -> None:
    problem = random_problem(seed)
    pos, neg, rows = two_sides(problem, seed % 2)
    for groups, side in zip((pos, neg), rows.sides, strict=True):
        for body in all_rules(5):
            (covered,) = rows.covers([body])
            assert groups.weigh_rule(body).sum() == np.abs(rows.net[side][covered[side]]).sum()
        for body in [(), (3,), (2,), (1, 4), (0, 5, 8)]:
            extended = groups.extended(body)
            for code in {0, 1, 6, 7, 9} - {c ^ k for c in body for k in (0, 1)}:
                assert extended[code].tolist() == groups.weigh_rule((*body, code)).tolist()


@pytest.mark.parametrize("seed", range(4))
def test_triples_keep_what_their_rows_are_priced(seed: int) -> None:
    pos, _, _ = two_sides(random_problem(seed), 1)
    price = np.random.default_rng(seed).random(pos.n_groups)
    triples = drained(all_triples(pos, price))
    for first, second, third in [(1, 3, 5), (0, 3, 8), (6, 4, 2), (9, 0, 4), (8, 6, 1)]:
        kept = pos.weigh_rule((first, second, third)) @ price
        assert kept <= triples.with_literal(first)[second, third] <= kept + 1e-2 * pos.weight.sum()


@pytest.mark.parametrize("seed", range(40))
def test_any_prices_prove_no_more_than_the_optimum(seed: int) -> None:
    rng = np.random.default_rng(seed)
    problem = random_problem(seed)
    c = seed % 2
    pos, neg, _ = two_sides(problem, c)
    least = optimum(problem, c) - int(np.minimum(*class_arrays(problem, c)[2:4]).sum())
    costs = Costs(problem.rule_cost, problem.literal_cost)
    dual = Dual(
        pos.weight * rng.random(pos.n_groups) * 1.2,
        neg.weight[:, None] * rng.dirichlet(np.ones(pos.n_groups), neg.n_groups) * 1.2,
    )
    bodies = all_rules(5)
    listed = RuleList(
        np.array([pos.weigh_rule(b) / pos.weight for b in bodies]),
        np.array([neg.weigh_rule(b) / neg.weight for b in bodies]),
        np.array([costs.of(len(b)) for b in bodies], float),
    )
    good = raised(dual.admissible(pos.weight, neg.weight), listed, pos.weight, neg.weight, least, 150)[1]
    for one in (dual, good):
        triples = drained(all_triples(pos, one.admissible(pos.weight, neg.weight).price / pos.weight))
        for three in (None, triples):
            found = Examined(0.0)
            for found in examine(pos, neg, one, costs, np.arange(10), triples=three):
                assert math.ceil(found.bound()) <= least  # wherever it is stopped
            assert found.unseen == 0
            price = one.admissible(pos.weight, neg.weight).price / pos.weight
            blame = one.admissible(pos.weight, neg.weight).blame / np.outer(neg.weight, pos.weight)
            worst = 0.0
            for body in bodies:
                left = np.maximum(price - neg.weigh_rule(body) @ blame, 0)
                worst = max(worst, float(pos.weigh_rule(body) @ left) / costs.of(len(body)) - 1)
            seen = max((value / cost for value, cost, _ in found.violated), default=0.0)
            assert seen == pytest.approx(worst, abs=1e-6)
    assert found.bound() > 0.3 * least


@pytest.mark.parametrize("enough", [0.05, 0.3])
def test_rules_overpaid_too_little_to_be_looked_for_are_paid_for(enough: float) -> None:
    """The prices are best ones, a little raised: they overpay many rules, each by little."""
    n_above = 0
    for seed in range(24):
        problem = random_problem(seed)
        c = seed % 2
        pos, neg, _ = two_sides(problem, c)
        least = optimum(problem, c) - int(np.minimum(*class_arrays(problem, c)[2:4]).sum())
        costs = Costs(problem.rule_cost, problem.literal_cost)
        bodies = all_rules(5)
        listed = RuleList(
            np.array([pos.weigh_rule(b) / pos.weight for b in bodies]),
            np.array([neg.weigh_rule(b) / neg.weight for b in bodies]),
            np.array([costs.of(len(b)) for b in bodies], float),
        )
        first = Dual.first(pos.weight, neg.weight)
        best = raised(first, listed, pos.weight, neg.weight, least, 150)[1]
        dual = Dual(best.price * (1 + 0.5 * enough), best.blame).admissible(pos.weight, neg.weight)
        found = drained(examine(pos, neg, dual, costs, np.arange(10), enough=enough))
        assert math.ceil(found.bound()) <= least
        n_above += math.ceil(found.total) > least
    assert n_above > 5


@pytest.mark.parametrize("seed", range(6))
def test_the_most_overpaid_rule_is_found_however_cheap_literals_are(seed: int) -> None:
    rng = np.random.default_rng(seed)
    problem = random_problem(seed, n_rows=150, n_features=7)
    pos, neg, _ = two_sides(problem, 1)
    costs = Costs(0.5, 0.02 + 0.1 * rng.random())
    dual = Dual(
        pos.weight * rng.uniform(0.1, 0.3, pos.n_groups),
        np.outer(neg.weight, pos.weight / pos.weight.sum()),
    ).admissible(pos.weight, neg.weight)
    price, blame = dual.price / pos.weight, dual.blame / np.outer(neg.weight, pos.weight)
    worst = 0.0
    for body in all_rules(7):
        left = np.maximum(price - neg.weigh_rule(body) @ blame, 0)
        ratio = float(pos.weigh_rule(body) @ left) / costs.of(len(body)) - 1
        worst = max(worst, ratio)
    triples = drained(all_triples(pos, price))
    for three in (None, triples):
        found = drained(examine(pos, neg, dual, costs, np.arange(14), triples=three))
        assert max(value / cost for value, cost, _ in found.violated) == pytest.approx(worst, abs=1e-6)


@pytest.mark.parametrize("seed", range(150))
def test_every_overpaid_rule_that_needs_its_literals_is_found(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.random((150, 5)) < rng.uniform(0.5, 0.8, 5)
    y = x[:, : rng.integers(2, 5)].all(axis=1) ^ (rng.random(150) < 0.1)
    problem = Problem.of(Table.from_arrays(x, y.astype(int)), Objective(regularization=0.01))
    pos, neg, _ = two_sides(problem, 1, rules=[(1,), (3,), (5,), (8,)])
    dual = Dual(
        pos.weight * rng.random(pos.n_groups) ** rng.uniform(0, 2),
        neg.weight[:, None] * rng.dirichlet(np.full(pos.n_groups, rng.uniform(0.1, 2)), neg.n_groups),
    ).admissible(pos.weight, neg.weight)
    price, blame = dual.price / pos.weight, dual.blame / np.outer(neg.weight, pos.weight)
    kept = {
        body: float(pos.weigh_rule(body) @ np.maximum(price - neg.weigh_rule(body) @ blame, 0))
        for body in all_rules(5)
    }
    # Costs at which many rules are overpaid, or few, and these by little: bounds a little too low show.
    shape = Costs(1.0, 0.5 * rng.random() ** 2)
    scale = max(worth / shape.of(len(body)) for body, worth in kept.items()) / (
        1.02 + rng.exponential(rng.choice([0.5, 20]))
    )
    costs = Costs(scale * shape.rule, scale * shape.literal)
    value = {body: worth - costs.of(len(body)) for body, worth in kept.items()}
    needed = {
        body
        for body in value
        if value[body] > 1e-6
        and all(value[body[:k] + body[k + 1 :]] < value[body] - 1e-6 for k in range(len(body)))
    }
    for three in (None, drained(all_triples(pos, price))):
        found = drained(examine(pos, neg, dual, costs, np.arange(10), triples=three))
        assert needed <= {body for _, _, body in found.violated}


@pytest.mark.parametrize("seed", range(20))
def test_no_bound_exceeds_what_its_prices_prove_in_exact_arithmetic(seed: int) -> None:
    """Where no rule is overpaid, the prices' sum is the bound, and rounding must not raise it."""
    rng = np.random.default_rng(seed)
    pos, neg, _ = two_sides(random_problem(seed), seed % 2)
    dual = Dual(pos.weight * rng.random(pos.n_groups), np.zeros((neg.n_groups, pos.n_groups)))
    found = drained(examine(pos, neg, dual, Costs(1e6, 1.0), np.arange(10)))
    assert found.violated == []
    assert Fraction(found.bound()) <= sum(Fraction(price) for price in dual.price)
    assert found.bound() == pytest.approx(dual.price.sum(), rel=1e-6)


@pytest.mark.parametrize("seed", range(20))
def test_a_rule_overpaid_by_less_than_rounding_is_found(seed: int) -> None:
    """In exact arithmetic each rule here is worth a little more than it costs."""
    rng = np.random.default_rng(seed)
    pos, neg, _ = two_sides(random_problem(seed), seed % 2)
    price = rng.random(pos.n_groups) / 3
    dual = Dual(price * pos.weight, np.zeros((neg.n_groups, pos.n_groups)))
    per_unit = [Fraction(p) for p in dual.price / pos.weight]
    for body in [(), (1,), (2,), (6,)]:
        worth = sum(Fraction(w) * p for w, p in zip(pos.weigh_rule(body), per_unit, strict=True))
        cost = float(worth)
        if Fraction(cost) >= worth:
            cost = math.nextafter(cost, 0)
        literal = 2.0**-30
        costs = Costs(cost - literal * len(body), literal)
        if Fraction(costs.of(len(body))) >= worth:
            continue
        found = drained(examine(pos, neg, dual, costs, np.arange(10)))
        assert body in {rule for _, _, rule in found.violated}


def test_prices_and_blame_are_brought_within_the_weights() -> None:
    pos, neg = np.array([2.0, 3.0]), np.array([4.0, 1.0])
    within = Dual(np.array([5.0, -1.0]), np.array([[6.0, 2.0], [0.25, 0.25]])).admissible(pos, neg)
    assert within.price.tolist() == [2.0, 0.0]
    assert within.blame.tolist() == [[3.0, 1.0], [0.25, 0.25]]


def test_heavy_groups_are_weighed_exactly() -> None:
    rng = np.random.default_rng(0)
    x = rng.random((300, 4)) < 0.5
    weight = 2**24 + 2 * rng.integers(0, 1000, 300) + 1
    problem = Problem.of(Table.from_arrays(x, x[:, 0].astype(int), weight), Objective(regularization=0.01))
    rows = SignedRows(problem.table.bits, problem.table.weights.sum(axis=1))
    side = rows.sides[0]
    groups = drained(grouped(rows.bits, side, rows.net[side], np.zeros(side.size, np.int64)))
    for body in all_rules(4):
        (covered,) = rows.covers([body])
        if 1 <= len(body) <= 2:
            assert groups.extended(body[:-1])[body[-1]].sum() == rows.net[covered].sum()


@pytest.mark.parametrize("seed", range(12))
def test_the_search_in_pieces_agrees_with_the_plain_one(seed: int) -> None:
    problem = random_problem(seed)
    for c in problem.classes:
        best = optimum(problem, c)
        search = LazySearch(*class_arrays(problem, c), seed=seed)
        bounded = LazySearch(*class_arrays(problem, c), seed=seed)
        assert search.take_turn(-1.0, kernels.StopFlag())
        assert (search.upper_bound, search.lower_bound) == (best, best)
        rows = SignedRows(problem.table.bits, bounded._own - bounded._others)
        claimed = claims_of(bounded)
        drained(bounded._bound(rows, 100))
        assert 0 < max(claimed) <= best <= bounded.upper_bound
        whole = LazySearch(*class_arrays(problem, c), seed=seed)
        drained(whole._all_rows(whole._native(), math.inf))
        assert (whole.upper_bound, whole.lower_bound) == (best, best)


def test_bounds_of_a_subset_hold_for_all_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    from laconic.engines.exact.lazy_rows import search as module

    monkeypatch.setattr(module, "PRICED_ROWS", 60)
    monkeypatch.setattr(module, "MIN_OF_A_SIDE", 10)
    for seed in range(3):
        problem = random_problem(seed, n_rows=400, n_features=8)
        for c in problem.classes:
            search = LazySearch(*class_arrays(problem, c), seed=seed)
            drained(search._subset(100))
            drained(search._small_table(list(search._columns)))
            rows = SignedRows(problem.table.bits, search._own - search._others)
            assert search._sampled_rows(rows)[0].net.size < rows.net.size
            claimed = claims_of(search)
            drained(search._bound(rows, 400))
            best = optimum(problem, c)
            assert max(claimed) <= best <= search.upper_bound
            # With prices of rules for the subset, which are lower, it would be half of that.
            assert max(claimed) - search._constant > 0.9 * (best - search._constant)


def test_the_engine_takes_large_tables_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = random_problem(3, n_rows=300, n_features=8)
    expected = engine.solve(problem, budget=Budget())
    made: list[LazySearch] = []

    def in_pieces(task: ClassTask) -> LazySearch:
        made.append(LazySearch(*task.sparse_arguments, seed=task.seed))
        return made[-1]

    assert isinstance(search_for(ClassTask.of(problem, 0), many_rows=10), LazySearch)
    assert not isinstance(search_for(ClassTask.of(problem, 0)), LazySearch)
    monkeypatch.setattr(local, "search_for", in_pieces)
    seen: list[Progress] = []
    solution = engine.solve(problem, budget=Budget(), on_progress=seen.append)
    assert (solution.cost, solution.lower_bound) == (expected.cost, expected.cost)
    assert violations(problem, solution.rules, solution.cost) == []
    assert len(made) == 2
    assert seen[-1].cost == solution.cost


def test_without_time_the_empty_set_is_returned_with_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = random_problem(5)
    monkeypatch.setattr(local, "search_for", lambda task: LazySearch(*task.sparse_arguments, seed=task.seed))
    solution = engine.solve(problem, budget=Budget(0.0))
    assert solution.rules == ()
    assert solution.stop_reason is StopReason.TIME
    assert 0 <= solution.lower_bound < solution.cost


def test_a_class_without_opponents_is_settled_at_once() -> None:
    for labels in ([1, 1, 1, 1], [0, 0, 0, 0]):
        table = Table.from_arrays([[0, 0], [0, 1], [1, 0], [1, 1]], labels, n_classes=2)
        problem = Problem.of(table, Objective(regularization=0.05))
        for c in (0, 1):
            search = LazySearch(*class_arrays(problem, c))
            assert search.take_turn(-1.0, kernels.StopFlag())
            assert search.upper_bound == optimum(problem, c)


def test_coarse_weights_are_few_and_never_larger() -> None:
    net = np.random.default_rng(0).integers(-100_000, 100_000, 5_000)
    coarse = few_weights(net)
    assert (np.sign(coarse) == np.sign(net)).all()
    assert (np.abs(coarse) <= np.abs(net)).all()
    assert (np.abs(coarse) > 0.75 * np.abs(net)).all()
    assert np.unique(np.abs(coarse)).size < 80
    few = np.arange(-FEW_WEIGHTS, FEW_WEIGHTS + 1)
    assert few_weights(few[few != 0]).tolist() == few[few != 0].tolist()


def test_recorded_bounds_never_fall() -> None:
    problem = random_problem(9, n_rows=200, n_features=7)
    search = LazySearch(*class_arrays(problem, 1))
    recorder = Recorder(Budget())
    last = search.lower_bound
    while not search.finished:
        search.take_turn(0.02, kernels.StopFlag())
        recorder.report(search.upper_bound, search.lower_bound)
        assert last <= search.lower_bound <= search.upper_bound
        last = search.lower_bound
    assert search.proved


def test_a_turn_ends_on_time_with_a_set_and_a_bound() -> None:
    rng = np.random.default_rng(0)
    x = rng.random((60_000, 40)) < 0.5
    y = ((x[:, 0] & x[:, 1]) ^ (rng.random(60_000) < 0.1)).astype(np.int64)
    problem = Problem.of(Table.from_arrays(x, y), Objective(regularization=0.02))
    search = search_for(ClassTask.of(problem, 1), many_rows=60_000)
    assert isinstance(search, LazySearch)
    for seconds in (0.0, 0.2, 1.0):
        with ProcessorTime() as spent:
            search.take_turn(seconds, kernels.StopFlag())
        assert spent.seconds < seconds + 1.0
        assert 0 <= search.lower_bound <= search.upper_bound
    assert search.upper_bound < y.sum()


def test_ctrl_c_keeps_the_best_set(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = random_problem(3, n_rows=300, n_features=8)
    monkeypatch.setattr(local, "search_for", lambda task: LazySearch(*task.sparse_arguments, seed=task.seed))

    def interrupted(*_: object) -> Generator[None, None, None]:
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(LazySearch, "_all_rows", interrupted)
    solution = engine.solve(problem, budget=Budget())
    assert solution.stop_reason is StopReason.INTERRUPT
    assert violations(problem, solution.rules, solution.cost, solution.lower_bound) == []
