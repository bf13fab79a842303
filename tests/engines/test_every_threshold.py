"""Fits over every threshold against an oracle that tries every interval of every column."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from tests.support.condition_oracle import number_choices, optimum

from laconic.checking.verify import violations
from laconic.data.binarize import Binarizer
from laconic.data.training import in_memory
from laconic.engines.api import Status
from laconic.engines.registry import get
from laconic.problem.objective import Counting, Default, Kind, Objective, Problem
from laconic.runtime.budget import Budget

PRICES = (0.01, 0.03, 0.08, 0.2)
OBJECTIVES = {
    "sparse": [Objective(Kind.SPARSE, price) for price in PRICES],
    "per row": [Objective(Kind.SPARSE, price, Counting.PER_ROW) for price in PRICES],
    "every class": [Objective(Kind.SPARSE, price, every_class=True) for price in PRICES],
    "otherwise": [Objective(Kind.SPARSE, price, default=Default.OTHERWISE) for price in PRICES],
    "perfect": [Objective(Kind.PERFECT)],
    "min_rules": [Objective(Kind.MIN_RULES)],
    "min_rules_then_literals": [Objective(Kind.MIN_RULES_THEN_LITERALS)],
}


def random_training(rng, *, n_rows, n_columns, n_values, missing):
    """Return a training table of numbers, and the choices of each column for the oracle."""
    X = pd.DataFrame(rng.integers(0, n_values, (n_rows, n_columns)).astype(float))
    X.columns = [f"c{k}" for k in range(n_columns)]
    if missing:
        X = X.mask(rng.random(X.shape) < 0.15)
        X = X.loc[:, X.notna().any()]
    y = (
        X.fillna(n_values / 2).to_numpy().sum(axis=1) * 0.4 + rng.normal(size=n_rows) > n_values * 0.5
    ).astype(int)
    y = np.where(rng.random(n_rows) < 0.2, rng.integers(0, 3, n_rows), y)
    y[:2] = 0, 1
    kinds = dict.fromkeys(X.columns, "numeric")
    weights = rng.integers(1, 4, n_rows)
    training = in_memory(X, y, weights, Binarizer("all", columns=kinds))
    first = [int(np.flatnonzero(training.table.group_of == g)[0]) for g in range(training.table.n_rows)]
    return training, [number_choices(X[name].to_numpy()[first]) for name in X.columns]


def check(problem, choices, options=None):
    found = get("exact")(problem, budget=Budget(60), options=options)
    assert (found.status, found.cost) == (Status.OPTIMAL, optimum(problem, choices))
    assert violations(problem, found.rules, found.cost, found.lower_bound) == []


@pytest.mark.parametrize("name", OBJECTIVES)
def test_the_optimum_is_that_over_every_interval(name):
    rng = np.random.default_rng(sorted(OBJECTIVES).index(name))
    joint = name == "per row"
    for k in range(60):
        training, choices = random_training(
            rng,
            n_rows=int(rng.integers(3, 7 if joint else 11)),
            n_columns=int(rng.integers(1, 3)),
            n_values=int(rng.integers(2, 4 if joint else 7)),
            missing=k % 3 == 0,
        )
        objective = OBJECTIVES[name][k % len(OBJECTIVES[name])]
        check(Problem.of(training.table, objective), choices)


def test_column_generation_finds_the_optimum_over_every_interval():
    """Small tables are usually listed, which prices no rule."""
    rng = np.random.default_rng(5)
    for k in range(20):
        training, choices = random_training(rng, n_rows=12, n_columns=2, n_values=6, missing=k % 3 == 0)
        objective = OBJECTIVES["sparse"][k % 2]
        without_lists = {"sparse_list_rules": 0, "sparse_sets_tried": 0, "sparse_greedy_nodes": 1}
        check(Problem.of(training.table, objective), choices, without_lists)
