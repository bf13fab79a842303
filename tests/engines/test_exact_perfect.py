"""The perfect and rule-count optima of the exact engine, against the oracle and against themselves."""

from __future__ import annotations

import numpy as np
import pytest

from laconic.budget import Budget
from laconic.data.table import Table
from laconic.engines import brute
from laconic.engines.api import Recorder, Solution, StopReason, conclude
from laconic.engines.exact.perfect import solve_perfect
from laconic.objective import Kind, Objective, Problem

HARD_KINDS = (Kind.PERFECT, Kind.MIN_RULES, Kind.MIN_RULES_THEN_LITERALS)


def solved(problem: Problem, *, seconds: float | None = None, n_jobs: int = 1, seed: int = 0) -> Solution:
    budget = Budget(seconds)
    recorder = Recorder(budget)
    rules, bound, reason, counts = solve_perfect(
        problem, budget=budget, recorder=recorder, seed=seed, n_jobs=n_jobs
    )
    return conclude(problem, rules, bound, reason, recorder=recorder, counts=counts)


def random_problem(rng: np.random.Generator, kind: Kind, n_rows: int = 16, n_features: int = 5) -> Problem:
    n_rows = int(rng.integers(1, n_rows + 1))
    n_features = int(rng.integers(1, n_features + 1))
    n_classes = int(rng.integers(1, 4))
    features = rng.random((n_rows, n_features)) < rng.uniform(0.2, 0.8)
    labels = rng.integers(0, n_classes, n_rows)
    return Problem.of(Table.from_arrays(features, labels, n_classes=n_classes), Objective(kind))


def noisy_table(
    seed: int, n_rows: int, n_features: int, noise: float, *, allowed: np.ndarray | None = None
) -> Table:
    rng = np.random.default_rng(seed)
    features = rng.random((n_rows, n_features)) < 0.5
    labels = (features[:, 0] & features[:, 1]) | (features[:, 2] & ~features[:, 3])
    labels = labels ^ (rng.random(n_rows) < noise)
    return Table.from_arrays(features, labels.astype(int), allowed=allowed)


@pytest.mark.parametrize("kind", HARD_KINDS)
def test_the_optimum_is_that_of_the_oracle(kind: Kind) -> None:
    rng = np.random.default_rng(20200907)
    for _ in range(250):
        problem = random_problem(rng, kind)
        ours = solved(problem)
        assert ours.stop_reason is StopReason.PROVED
        assert ours.cost == brute.solve(problem, budget=Budget()).cost


def test_literals_that_are_not_allowed_are_never_used() -> None:
    rng = np.random.default_rng(5)
    checked = 0
    while checked < 150:
        problem = random_problem(rng, Kind.PERFECT, n_rows=12)
        # One-sided columns with their complement as a second feature keep every table solvable.
        matrix = problem.table.matrix
        both = np.hstack([matrix, ~matrix])
        if both.shape[1] > brute.MAX_FEATURES:
            continue
        labels = problem.table.weights.argmax(axis=1)
        allowed = np.zeros((both.shape[1], 2), bool)
        allowed[:, 1] = True
        one_sided = Problem.of(Table.from_arrays(both, labels, allowed=allowed), Objective(Kind.PERFECT))
        answer = solved(one_sided)
        assert all(code % 2 == 1 for rule in answer.rules for code in rule.literals)
        assert answer.cost == brute.solve(one_sided, budget=Budget()).cost
        checked += 1
