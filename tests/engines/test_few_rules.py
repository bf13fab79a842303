"""Sparse sets of a handful of rules, tried one by one, and sets of short rules: against oracles."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support.constraint_oracle import optimum
from tests.support.constraint_problems import constraints_with

from laconic.data.table import Table
from laconic.engines import brute
from laconic.engines.class_search import ClassTask
from laconic.engines.exact import engine
from laconic.problem.objective import Kind, Objective, Problem
from laconic.runtime.budget import Budget
from laconic.runtime.native import kernels

ONLY_FEW = {
    "sparse_list_rules": 0,  # column generation
    "sparse_sets_tried": 0,
    "sparse_few_rules": 1000,
    "sparse_survivors_at_once": 0,
}
"""Options with which a list of survivors is searched set by set, or not at once."""


def random_table(rng: np.random.Generator, n_classes: int = 2) -> Table:
    n_rows, n_features = int(rng.integers(6, 16)), int(rng.integers(2, 6))
    features = rng.random((n_rows, n_features)) < rng.choice([0.3, 0.5, 0.7])
    labels = (features[:, 0] & features[:, -1]) ^ (rng.random(n_rows) < rng.choice([0.1, 0.3]))
    weights = rng.integers(1, 6, n_rows) if rng.random() < 0.5 else None
    labels = labels * rng.integers(1, n_classes, n_rows)
    return Table.from_arrays(features, labels.astype(int), weights, n_classes=n_classes)


@pytest.mark.parametrize("price", [0.01, 0.05, 0.15])
def test_sets_tried_one_by_one_are_as_good_as_the_oracles(price: float) -> None:
    rng = np.random.default_rng(int(1000 * price))
    for _ in range(150):
        problem = Problem.of(random_table(rng, int(rng.integers(2, 4))), Objective(Kind.SPARSE, price))
        found = engine.solve(problem, budget=Budget(60), options=ONLY_FEW)
        assert found.cost == found.lower_bound == brute.solve(problem, budget=Budget()).cost


def test_rules_of_limited_length_are_searched_natively_and_agree_with_the_oracle() -> None:
    rng = np.random.default_rng(5)
    shorter = 0
    for _ in range(150):
        table = random_table(rng)
        objective = Objective(Kind.SPARSE, float(rng.choice([0.01, 0.03, 0.1])))
        longest = int(rng.integers(0, 3))
        limited = Problem.of(table, objective, constraints_with(table, max_rule_length=longest))
        options = {"sparse_list_rules": int(rng.choice([0, 1500]))}
        found = engine.solve(limited, budget=Budget(60), options=options)
        assert "relaxations" not in found.counts  # not by selection among listed rules
        assert all(len(rule.literals) <= longest for rule in found.rules)
        if table.n_features <= 3:
            best = optimum(limited)
            assert best is not None
            assert found.cost == found.lower_bound == best[0][0]
        else:
            assert found.cost == found.lower_bound
        free = engine.solve(Problem.of(table, objective), budget=Budget(60))
        assert found.cost >= free.cost
        shorter += found.cost > free.cost
    assert shorter > 10


def test_a_search_never_bounds_by_nothing() -> None:
    rng = np.random.default_rng(0)
    features = rng.random((300, 40)) < 0.5
    labels = (features[:, 0] & features[:, 1]) ^ (rng.random(300) < 0.2)
    problem = Problem.of(Table.from_arrays(features, labels.astype(int)), Objective(Kind.SPARSE, 0.005))
    for c in problem.classes:
        assert ClassTask.of(problem, c).native_search().lower_bound > 0


def test_a_first_bound_takes_few_nodes() -> None:
    rng = np.random.default_rng(1)
    features = rng.random((200, 150)) < 0.5
    labels = (features[:, 0] & features[:, 1]) ^ (rng.random(200) < 0.2)
    problem = Problem.of(Table.from_arrays(features, labels.astype(int)), Objective(Kind.SPARSE, 0.005))
    search = ClassTask.of(problem, 0).native_search()
    search.take_turn_of(15_000, -1.0, kernels.StopFlag())
    search.settle()
    assert search.lower_bound > search.upper_bound / 4
