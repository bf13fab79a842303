"""The front of size and errors, and optima under a budget, against the oracle."""

from __future__ import annotations

import signal
import threading
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.front_oracle import staircase
from tests.support.priced import priced
from tests.support.strategies import tables

from laconic.checking.verify import violations
from laconic.data.table import Table
from laconic.engines.api import Status, StopReason
from laconic.engines.fronts.all_classes import WholeFront
from laconic.engines.fronts.one_class import ClassFront
from laconic.engines.fronts.staircase import corners, shares, steps, total
from laconic.engines.registry import get
from laconic.engines.rows_of_class import rows_of_class
from laconic.engines.separable import separates
from laconic.problem.objective import Counting, Kind, Objective, Problem
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError, UnsoundSolutionError


def quick(examples):
    return settings(
        max_examples=examples,
        deadline=None,
        suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow, HealthCheck.data_too_large],
    )


def noisy_table(seed=0, n_rows=40, n_features=6, n_classes=2):
    rng = np.random.default_rng(seed)
    features = rng.random((n_rows, n_features)) < 0.5
    labels = (features[:, 0] & features[:, 1]) | (features[:, 2] & ~features[:, 3])
    labels = np.where(rng.random(n_rows) < 0.2, rng.integers(0, n_classes, n_rows), labels)
    return Table.from_arrays(features, labels, rng.integers(1, 4, n_rows), n_classes=n_classes)


@quick(150)
@given(table=tables())
def test_the_front_is_that_of_the_oracle_at_every_size(table):
    front = WholeFront(Problem.of(table, Objective()))
    front.find_corners(Budget(60))
    truth = staircase(table, front.max_size)
    assert (front.proved <= truth).all()
    assert (truth <= front.achieved).all()
    front.settle(lambda: list(range(front.max_size + 1)), Budget(60))
    truth = truth[: front.max_size + 1]
    assert front.proved.tolist() == front.achieved.tolist() == truth.tolist()
    assert truth[-1] == staircase(table, front.max_size + 3)[-1], (
        "the last size makes the fewest errors of all"
    )


@quick(100)
@given(table=tables())
def test_the_corners_are_the_hull_of_the_oracles_points(table):
    front = WholeFront(Problem.of(table, Objective()))
    front.find_corners(Budget(60))
    assert front.corners_proved()
    truth = staircase(table, front.max_size)
    assert front.corners() == corners([(k, int(truth[k])) for k in steps(truth)])
    for size, errors in front.corners():
        rules = front.rules_at(size)
        assert sum(rule.size for rule in rules) == size
        problem = Problem.of(table, Objective(size_budget=size))
        assert violations(problem, rules, problem.error_cost * errors + size) == []


@quick(150)
@given(table=tables(), size=st.integers(0, 14))
def test_the_fewest_errors_within_a_size_are_those_of_the_oracle(table, size):
    problem = Problem.of(table, Objective(size_budget=size))
    solution = get("exact")(problem, budget=Budget(60))
    truth = staircase(table, size)
    smallest = int((truth == truth[size]).argmax())
    assert solution.status is Status.OPTIMAL
    assert solution.cost == (size + 1) * truth[size] + smallest
    assert sum(rule.size for rule in solution.rules) == smallest
    assert violations(problem, solution.rules, solution.cost, solution.lower_bound) == []


@quick(150)
@given(table=tables(), share=st.integers(0, 12))
def test_the_smallest_size_within_errors_is_that_of_the_oracle(table, share):
    most = table.total_weight * share // 12
    truth = staircase(table, 40)
    problem = Problem.of(table, Objective(max_errors=most))
    if truth[-1] > most:
        with pytest.raises(InputError, match="max_errors"):
            get("exact")(problem, budget=Budget(60))
        return
    solution = get("exact")(problem, budget=Budget(60))
    size = int((truth <= most).argmax())
    assert solution.status is Status.OPTIMAL
    assert solution.cost == (most + 1) * size + truth[size]
    assert violations(problem, solution.rules, solution.cost, solution.lower_bound) == []


def test_a_point_below_no_line_is_found_between_two_corners():
    # XOR of two features: a rule of size 3 explains half of a class, and no λ ever chooses only one of them.
    features = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], bool)
    table = Table.from_arrays(features, [0, 1, 1, 0], [3, 3, 3, 2], n_classes=2)
    front = WholeFront(Problem.of(table, Objective()))
    front.find_corners(Budget(60))
    before = int(front.achieved[3])
    front.settle(lambda: list(range(front.max_size + 1)), Budget(60))
    assert front.achieved.tolist() == staircase(table, front.max_size).tolist()
    assert front.achieved[3] <= before
    assert 3 in steps(front.achieved)


def test_sizes_between_corners_are_closed_by_the_native_search_on_noisy_rows():
    table = noisy_table()
    front = WholeFront(Problem.of(table, Objective()), max_size=12)
    front.find_corners(Budget(60))
    open_before = int((front.proved < front.achieved).sum())
    front.settle(lambda: list(range(front.max_size + 1)), Budget(120))
    assert open_before > 0
    assert (front.proved == front.achieved).all()
    assert front.counts()["closed"] > 0
    # Independent of the chords: no price finds anything below what was found.
    for price in (Fraction(1, 2), Fraction(1), Fraction(3)):
        problem = priced(table, price.denominator, price.numerator, price.numerator)
        solution = get("exact")(problem, budget=Budget(60))
        sizes = np.arange(front.max_size + 1)
        best = int((price.denominator * front.achieved + price.numerator * sizes).min())
        if sum(rule.size for rule in solution.rules) <= front.max_size:
            assert solution.cost == best


def test_threads_find_the_same_front():
    table = noisy_table(1, n_classes=3)
    found = []
    for n_jobs in (1, 2):
        front = WholeFront(Problem.of(table, Objective()), max_size=9, n_jobs=n_jobs)
        front.find_corners(Budget(60))
        front.settle(lambda front=front: list(range(front.max_size + 1)), Budget(60))
        found.append(front.achieved.tolist())
        assert (front.proved == front.achieved).all()
    assert found[0] == found[1]


def test_without_time_the_front_claims_nothing_that_is_not_proved():
    table = noisy_table(2, n_rows=60, n_features=8)
    front = WholeFront(Problem.of(table, Objective()))
    front.find_corners(Budget(1e-9))
    exact = WholeFront(Problem.of(table, Objective()), max_size=4)
    exact.find_corners(Budget(60))
    exact.settle(lambda: list(range(5)), Budget(60))
    assert (front.proved[:5] <= exact.achieved).all()
    assert (exact.achieved <= front.achieved[:5]).all()
    assert not front.corners_proved()


def test_a_time_limit_leaves_a_budget_open_with_a_true_bound():
    rng = np.random.default_rng(5)
    features = rng.random((300, 20)) < 0.5
    table = Table.from_arrays(features, rng.integers(0, 2, 300), n_classes=2)
    problem = Problem.of(table, Objective(size_budget=30))
    solution = get("exact")(problem, budget=Budget(0.3))
    assert solution.status is Status.FEASIBLE
    assert solution.stop_reason is StopReason.TIME
    assert 0 < solution.lower_bound < solution.cost
    assert sum(rule.size for rule in solution.rules) <= 30


def test_a_bound_above_a_set_in_hand_is_refused_loudly():
    front = ClassFront(rows_of_class(Problem.of(noisy_table(), Objective()), 0))
    with pytest.raises(UnsoundSolutionError, match="exceeds"):
        front.raise_at(front.n_sizes - 1, int(front.achieved[-1]) + 1)


def test_rows_that_allowed_literals_cannot_tell_apart_are_noticed():
    features = np.array([[0, 0], [1, 0]], bool)
    free = Table.from_arrays(features, [0, 1])
    only_true = Table.from_arrays(features, [0, 1], allowed=[[False, True], [False, True]])
    first, second = np.array([0]), np.array([1])
    assert separates(free, free.allowed, first, second)
    assert not separates(only_true, only_true.allowed, first, second)
    assert separates(only_true, only_true.allowed, second, first)


def test_sums_of_staircases_share_each_size_in_the_best_way():
    stairs = [np.array([9, 9, 4, 4]), np.array([7, 6, 6, 1])]
    best, taken = total(stairs, 10)
    brute = [
        min(stairs[0][min(a, 3)] + stairs[1][min(k - a, 3)] for a in range(k + 1)) for k in range(len(best))
    ]
    assert best.tolist() == brute
    for k in range(len(best)):
        parts = shares(taken, k)
        assert sum(parts) <= k
        assert stairs[0][parts[0]] + stairs[1][parts[1]] == best[k]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"size_budget": 3, "max_errors": 2}, "exclude each other"),
        ({"size_budget": -1}, "size_budget must be a whole number from 0"),
        ({"size_budget": 10**6}, "size_budget must be a whole number from 0"),
        ({"max_errors": -1}, "max_errors must be a number of at least 0"),
        ({"max_errors": float("nan")}, "max_errors must be a number of at least 0"),
        ({"size_budget": 3, "kind": Kind.PERFECT}, "size_budget needs objective='sparse'"),
        ({"max_errors": 3, "counting": Counting.PER_ROW}, "max_errors needs objective='sparse'"),
        ({"size_budget": 3, "every_class": True}, "exclude each other"),
    ],
)
def test_budgets_that_make_no_sense_are_refused(settings, message):
    with pytest.raises(InputError, match=message):
        Objective(**settings)


@pytest.mark.parametrize("engine", ["maxsat", "minrules", "brute"])
def test_engines_that_know_no_budget_refuse_it(engine):
    from laconic.engines.registry import require_support

    with pytest.raises(InputError, match=r"size_budget; use one of: exact"):
        require_support(engine, Problem.of(noisy_table(), Objective(size_budget=3)))


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_during_the_first_sets_leaves_one(monkeypatch):
    monkeypatch.setattr("laconic.engines.fronts.all_classes.FIRST_COVER", 60.0)
    rng = np.random.default_rng(1)
    table = Table.from_arrays(rng.integers(0, 2, (400, 20)), rng.integers(0, 3, 400), n_classes=3)
    thread = threading.main_thread().ident
    alarm = threading.Timer(0.5, lambda: signal.pthread_kill(thread, signal.SIGINT))
    alarm.start()
    found = get("exact")(Problem.of(table, Objective(size_budget=12)), budget=Budget())
    alarm.join()
    assert found.stop_reason is StopReason.INTERRUPT
    assert found.lower_bound <= found.cost
