"""Perfect sets whose rules are too many for a list: the search goes on, and says why it ends."""

from __future__ import annotations

import numpy as np
import pytest

from laconic.data.table import Table
from laconic.engines import brute
from laconic.engines.api import StopReason
from laconic.engines.exact import engine
from laconic.problem.objective import Kind, Objective, Problem
from laconic.runtime.budget import Budget

SHORT = {"cover_words_listed": 0, "cover_enumerated": 1000, "cover_ahead_rules": 0, "cover_ahead_nodes": 0}


def noisy_problem(seed: int, n_rows: int, n_features: int, kind: Kind = Kind.PERFECT) -> Problem:
    rng = np.random.default_rng(seed)
    features = rng.random((n_rows, n_features)) < 0.5
    labels = (features[:, 0] & features[:, 1] | features[:, 2]) ^ (rng.random(n_rows) < 0.2)
    table = Table.from_arrays(features, labels.astype(int), n_classes=2)
    return Problem.of(table, Objective(kind))


@pytest.mark.parametrize("without_simplex", [False, True])
def test_a_list_that_is_too_short_grows_until_the_proof(without_simplex: bool) -> None:
    options = SHORT | ({"cover_simplex_rows": 1} if without_simplex else {})
    for seed in range(3):
        problem = noisy_problem(seed, 110, 10)
        found = engine.solve(problem, budget=Budget(60), options=options)
        whole = engine.solve(problem, budget=Budget(60))
        assert whole.stop_reason is StopReason.PROVED
        assert found.cost == found.lower_bound == whole.cost


@pytest.mark.parametrize("kind", [Kind.PERFECT, Kind.MIN_RULES, Kind.MIN_RULES_THEN_LITERALS])
def test_widening_agrees_with_the_oracle(kind: Kind) -> None:
    options = SHORT | {"cover_simplex_rows": 1, "cover_polish_patience": 1}
    for seed in range(30):
        problem = noisy_problem(seed, 14, 4, kind)
        found = engine.solve(problem, budget=Budget(60), options=options)
        assert found.cost == found.lower_bound == brute.solve(problem, budget=Budget()).cost


def test_a_search_that_time_ends_does_not_blame_the_memory() -> None:
    problem = noisy_problem(1, 600, 30)
    found = engine.solve(problem, budget=Budget(0.7), options=SHORT | {"cover_polish_patience": 1})
    assert found.stop_reason is StopReason.TIME
