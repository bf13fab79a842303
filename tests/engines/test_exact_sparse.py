"""The sparse optima of the exact engine: against the oracle, and on tables made to mislead."""

from __future__ import annotations

import importlib
import itertools
import signal
import threading
from fractions import Fraction

import numpy as np
import pytest
from tests.support.checking.builders import facts
from tests.support.clock import ProcessorTime
from tests.support.native_testing import parts

from laconic.checking.certify.certificate import Certificate
from laconic.checking.certify.certify import check_table, with_proofs
from laconic.data.table import Table
from laconic.engines import brute, class_search
from laconic.engines.api import StopReason
from laconic.engines.class_search import ClassTask
from laconic.engines.exact import engine
from laconic.engines.exact.local import search_for
from laconic.problem.objective import Counting, Kind, Objective, Problem
from laconic.runtime import _native
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError
from laconic.runtime.native import kernels

PRICES = (0.005, 0.01, 0.03, 0.05, 0.1, 0.2, 0.5)


def random_table(rng, max_rows=12, max_features=5, max_classes=3):
    n_rows, n_features = int(rng.integers(2, max_rows + 1)), int(rng.integers(1, max_features + 1))
    n_classes = int(rng.integers(2, max_classes + 1))
    features = rng.random((n_rows, n_features)) < rng.choice([0.3, 0.5, 0.7])
    labels = rng.integers(0, n_classes, n_rows)
    if rng.random() < 0.5:
        labels = ((features[:, 0] & features[:, -1]) | (rng.random(n_rows) < 0.15)).astype(int)
    weights = rng.integers(1, 6, n_rows) if rng.random() < 0.6 else None
    allowed = rng.random((n_features, 2)) < 0.8 if rng.random() < 0.3 else None
    return Table.from_arrays(features, labels, weights, n_classes=n_classes, allowed=allowed)


def noisy_arrays(seed, n_rows, n_features, noise):
    rng = np.random.default_rng(seed)
    features = rng.random((n_rows, n_features)) < 0.5
    labels = (features[:, 0] & features[:, 1]) | (features[:, 2] & ~features[:, 3])
    return features, (labels ^ (rng.random(n_rows) < noise)).astype(int)


def noisy_table(seed, n_rows, n_features, noise):
    return Table.from_arrays(*noisy_arrays(seed, n_rows, n_features, noise))


def solve(table, price, seconds=60.0, n_jobs=1, **settings):
    problem = Problem.of(table, Objective(Kind.SPARSE, price, **settings))
    return engine.solve(problem, budget=Budget(seconds), n_jobs=n_jobs), problem


@pytest.mark.parametrize("every_class", [False, True])
def test_the_optimum_is_that_of_the_oracle(every_class):
    rng = np.random.default_rng(2020)
    for _ in range(700):
        table, price = random_table(rng), float(rng.choice(PRICES))
        solution, problem = solve(table, price, every_class=every_class)
        assert solution.cost == solution.lower_bound == brute.solve(problem, budget=Budget()).cost


@pytest.mark.parametrize("seed", range(4))
def test_optima_from_coarse_groups_are_certified(seed):
    # Too many rules to list and too many rows to tell apart: all that merges and splits groups takes part.
    # The certificate is made on other groups and checked in other code.
    table = noisy_table(seed, 500, 12, 0.2)
    solution, problem = solve(table, 0.01)
    assert solution.cost == solution.lower_bound
    document = with_proofs(
        facts(table, problem.objective, solution.rules, solution.cost), table, Budget(None)
    )
    assert check_table(Certificate(document), table).optimal


@pytest.mark.parametrize(
    ("seed", "every_class"), [(1, False), (11, False), (3, True), (12, True), (13, True)]
)
def test_optima_found_by_branching_are_certified(seed, every_class):
    # Noise alone: no relaxation is tight, and every kind of question is asked, about rules and about groups.
    features, labels = noisy_arrays(seed, 90, 12, 0.5)
    table = Table.from_arrays(features, labels, np.random.default_rng(seed).integers(1, 4, 90))
    solution, problem = solve(table, 0.01, every_class=every_class)
    assert solution.cost == solution.lower_bound
    assert solution.counts["nodes"] > 30
    document = with_proofs(
        facts(table, problem.objective, solution.rules, solution.cost), table, Budget(None)
    )
    assert check_table(Certificate(document), table).optimal


def test_trying_all_sets_of_the_last_rules_finds_the_optimum():
    """Also sets whose rules just fit what is left: only their prices are known here."""
    rng = np.random.default_rng(8)
    n_sets = 0
    for _ in range(200):
        features = rng.random((int(rng.integers(8, 16)), 4)) < 0.5
        labels = (features[:, 0] ^ features[:, 1]) ^ (rng.random(len(features)) < 0.1)
        weights = rng.integers(1, 6, len(features))
        table = Table.from_arrays(features, labels.astype(int), weights, n_classes=2)
        problem = Problem.of(table, Objective(Kind.SPARSE, float(rng.choice([0.02, 0.04, 0.06]))))
        own, others = (np.ascontiguousarray(table.weights[:, c]) for c in (1, 0))
        arrays = table.bits, table.allowed, own, others, problem.rule_cost, problem.literal_cost
        search = kernels.SparseSolver(*arrays)
        assert search.advance(-1.0, kernels.StopFlag())
        assert parts.cheapest_enumerated(*arrays) == search.upper_bound
        n_sets += len(search.best()) > 1
    assert n_sets > 20


def test_heavy_weights_are_priced_as_exactly_as_light_ones():
    """With weights of up to a million millions a share of blame per unit of weight is no integer any more."""
    rng = np.random.default_rng(12)
    for _ in range(150):
        table = random_table(rng, max_classes=2)
        heavy = table.weights * rng.integers(1, 10 ** rng.integers(6, 12), (table.n_rows, 1))
        table = Table(table.bits, heavy, table.allowed, table.scale)
        solution, problem = solve(table, float(rng.choice(PRICES)))
        assert solution.cost == solution.lower_bound == brute.solve(problem, budget=Budget()).cost


def test_multiplying_the_weights_multiplies_the_optimum():
    """Large enough that rules are priced, not listed: the same optimum is proved at any weight."""
    rng = np.random.default_rng(3)
    features = rng.random((300, 12)) < 0.5
    labels = (features[:, 0] & features[:, 1] | features[:, 2] & ~features[:, 3]) ^ (rng.random(300) < 0.15)
    weights = 100 * rng.integers(1, 6, 300)
    light, _ = solve(Table.from_arrays(features, labels.astype(int), weights), 0.01)
    heavy, _ = solve(
        Table.from_arrays(features, labels.astype(int), weights * 10**9, scale=Fraction(1)), 0.01
    )
    assert light.cost == light.lower_bound
    assert heavy.cost == heavy.lower_bound == light.cost * 10**9


def test_the_joint_optimum_is_that_of_the_oracle():
    rng = np.random.default_rng(34)
    for _ in range(150):
        table, price = random_table(rng, max_rows=8, max_classes=2), float(rng.choice(PRICES))
        solution, problem = solve(table, price, counting=Counting.PER_ROW)
        assert solution.cost == solution.lower_bound == brute.solve(problem, budget=Budget()).cost


def test_rules_that_share_false_positives_are_kept_together():
    """Each rule alone loses to the empty set; together they win: pricing rules one by one would miss it."""
    # Positives: 8 with feature a, 8 with b; negatives: 10 with both.
    rows = [[1, 0, 0]] * 8 + [[0, 1, 0]] * 8 + [[1, 1, 1]] * 10 + [[0, 0, 1]] * 4
    labels = [1] * 16 + [0] * 14
    table = Table.from_arrays(rows, labels, allowed=[[False, True], [False, True], [False, True]])
    solution, problem = solve(table, 0.03)
    assert solution.cost == brute.solve(problem, budget=Budget()).cost
    assert {rule.literals for rule in solution.rules if rule.target == 1} == {(1,), (3,)}


def test_a_compulsory_pair_beats_every_single_rule():
    """The free optimum is empty, yet two rules together are better than the best single rule."""
    rows = [[1, 0]] * 8 + [[0, 1]] * 8 + [[1, 1]] * 10 + [[0, 0]] * 60
    labels = [1] * 16 + [0] * 70
    table = Table.from_arrays(rows, labels, allowed=[[False, True], [False, True]])
    price = 2.3 / 86  # a rule of one literal costs 4.6
    solution, problem = solve(table, price, every_class=True)
    assert solution.cost == solution.lower_bound == brute.solve(problem, budget=Budget()).cost
    assert len([rule for rule in solution.rules if rule.target == 1]) == 2


def test_two_compulsory_rules_of_one_literal_each_beat_a_single_one():
    """They cost less than two rules of two literals would without any error."""
    # Positives: 11 with feature a, 11 with b; 3 negatives with both. A rule of one literal costs 10.
    rows = [[1, 0]] * 11 + [[0, 1]] * 11 + [[1, 1]] * 3 + [[0, 0]] * 75
    labels = [1] * 22 + [0] * 78
    table = Table.from_arrays(rows, labels, allowed=[[False, True], [False, True]])
    solution, problem = solve(table, 0.05, every_class=True)
    assert solution.cost == solution.lower_bound == brute.solve(problem, budget=Budget()).cost
    assert {rule.literals for rule in solution.rules if rule.target == 1} == {(1,), (3,)}


def test_a_compulsory_pair_is_found_where_a_discount_on_rules_prefers_three():
    """The pair costs 38, the best single rule and all three rules 40; the empty set, 32, is forbidden."""
    weights = [12, 12, 8, 10, 58]
    rows = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1], [0, 0, 0]]
    table = Table.from_arrays(rows, [1, 1, 1, 0, 0], weights, allowed=[[False, True]] * 3)
    problem = Problem.of(table, Objective(Kind.SPARSE, 0.05, every_class=True))
    search = search_for(ClassTask.of(problem, 1))
    assert search.advance(-1.0, kernels.StopFlag())
    assert search.upper_bound == search.lower_bound == 38 * problem.error_cost
    assert sorted(map(sorted, search.best())) == [[1], [3]]


def test_a_stopped_search_returns_a_valid_set_and_bound():
    table = noisy_table(1, 1500, 24, 0.25)
    exact = None
    for seconds in (0.0, 0.05, 0.5):
        with ProcessorTime() as spent:
            solution, _ = solve(table, 0.004, seconds=seconds)
        assert spent.seconds < seconds + 1.0
        assert solution.lower_bound <= solution.cost
        assert exact is None or solution.lower_bound <= exact
        exact = solution.cost if exact is None else min(exact, solution.cost)


@pytest.mark.parametrize("price", [0.004, 0.01])
def test_a_search_in_many_short_turns_ends_at_the_same_cost(price):
    problem = Problem.of(noisy_table(3, 300, 12, 0.2), Objective(Kind.SPARSE, price))
    for target in problem.classes:
        whole, turns = (search_for(ClassTask.of(problem, target)) for _ in range(2))
        assert whole.advance(-1.0, kernels.StopFlag())
        n_turns = 0
        while not turns.advance(0.002 * 1.1**n_turns, kernels.StopFlag()):
            assert turns.lower_bound <= whole.upper_bound <= turns.upper_bound
            n_turns += 1
        assert n_turns > 3  # else nothing was stopped
        assert turns.upper_bound == whole.upper_bound


def test_threads_do_not_change_the_answer():
    table = noisy_table(3, 300, 10, 0.1)
    one, two = (solve(table, 0.01, n_jobs=n)[0] for n in (1, 2))
    assert one.rules == two.rules
    assert one.stop_reason is StopReason.PROVED


def test_threads_share_the_pricing_of_a_large_table_and_do_not_change_the_answer():
    table = noisy_table(3, 6000, 90, 0.03)  # literals times rows beyond a million
    answers = [solve(table, 0.02, n_jobs=n)[0] for n in (1, 2, 5)]
    assert all(answer.stop_reason is StopReason.PROVED for answer in answers)
    assert all(answer.rules == answers[0].rules and answer.counts == answers[0].counts for answer in answers)


@pytest.mark.parametrize("seed", range(4))
def test_a_table_priced_in_parts_has_the_same_optimum(seed):
    features, labels = noisy_arrays(seed, 300, 12, 0.2)
    rng = np.random.default_rng(seed)
    useless = np.zeros((300, 1700), dtype=bool)  # a literal costs three errors; each of these changes two
    for column in useless.T:
        column[rng.choice(300, 2, replace=False)] = True
    tables = Table.from_arrays(features, labels), Table.from_arrays(np.hstack([features, useless]), labels)
    plain, parts = (solve(table, 0.01, n_jobs=4)[0] for table in tables)
    assert plain.cost == plain.lower_bound == parts.cost == parts.lower_bound
    assert parts.counts["pricing_nodes"] > 0  # else nothing was priced


@pytest.mark.skipif(not _native.cpu_has_avx2(), reason="this processor has no AVX2: there is one build only")
def test_both_builds_give_the_same_rules(monkeypatch):
    table = noisy_table(5, 200, 9, 0.1)
    here = solve(table, 0.01)[0]
    other = (
        _native
        if kernels.__name__.endswith("avx2")
        else importlib.import_module("laconic.runtime._native_avx2")
    )
    monkeypatch.setattr(class_search, "kernels", other)
    monkeypatch.setattr("laconic.runtime.budget.kernels", other)
    assert solve(table, 0.01)[0].rules == here.rules


@pytest.mark.usefixtures("ctrl_c")
def test_control_c_stops_a_search_at_once():
    table = noisy_table(2, 3000, 30, 0.3)
    timer = threading.Timer(0.5, signal.raise_signal, [signal.SIGINT])
    with ProcessorTime() as spent:
        timer.start()
        answer, _ = solve(table, 0.001, seconds=60)
    assert spent.seconds < 3
    assert answer.stop_reason is StopReason.INTERRUPT


def test_integers_beyond_exact_arithmetic_are_refused():
    table = Table.from_arrays([[0], [1]], [0, 1], [2.0**40, 1.0])
    with pytest.raises(InputError, match="beyond exact arithmetic"):
        solve(table, 0.123456789, every_class=True)


def test_more_features_than_the_kernels_can_number_are_refused():
    table = Table.from_arrays(np.eye(3, 2**15, dtype=bool), [0, 1, 1])
    with pytest.raises(InputError, match="at most 32767 binary features, not 32768"):
        solve(table, 0.05)


def test_progress_never_goes_backwards():
    table = noisy_table(7, 400, 12, 0.2)
    seen = []
    problem = Problem.of(table, Objective(Kind.SPARSE, 0.01))
    engine.solve(problem, budget=Budget(20), on_progress=seen.append)
    assert len(seen) >= 2
    assert all(a.cost >= b.cost and a.lower_bound <= b.lower_bound for a, b in itertools.pairwise(seen))
