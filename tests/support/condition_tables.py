"""Random tables with every threshold and every group of categories, beside the choices of the oracle."""

from __future__ import annotations

import numpy as np
import pandas as pd
from tests.support.condition_oracle import Choices, category_choices, number_choices, optimum

from laconic.checking.verify import violations
from laconic.data.binarize import Binarizer
from laconic.data.training import TrainingTable, in_memory
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
JOINT = "per row"
"""The objective whose oracle takes all combinations of the classes, and so the smallest tables."""


def check(problem, choices, options=None):
    """Check that the exact engine proves the optimum of the oracle, with rules that stand."""
    found = get("exact")(problem, budget=Budget(60), options=options)
    assert (found.status, found.cost) == (Status.OPTIMAL, optimum(problem, choices))
    assert violations(problem, found.rules, found.cost, found.lower_bound) == []


def check_thresholds(rng, name, k):
    """Check a random table of numbers, every third with missing values."""
    joint = name == JOINT
    training, choices = table_of_numbers(
        rng,
        n_rows=int(rng.integers(3, 7 if joint else 11)),
        n_columns=int(rng.integers(1, 3)),
        n_values=int(rng.integers(2, 4 if joint else 7)),
        missing=k % 3 == 0,
    )
    check(Problem.of(training.table, OBJECTIVES[name][k % len(OBJECTIVES[name])]), choices)


def check_groups(rng, name, k):
    """Check a random table of categories, every fourth with a column of numbers."""
    joint = name == JOINT
    training, choices = table_of_categories(
        rng,
        n_rows=int(rng.integers(4, 7 if joint else 11)),
        n_columns=1 if joint else int(rng.integers(1, 3)),
        n_categories=int(rng.integers(4, 5 if joint else 7)),
        numbers=not joint and k % 4 == 0,
    )
    check(Problem.of(training.table, OBJECTIVES[name][k % len(OBJECTIVES[name])]), choices)


def table_of_numbers(rng, *, n_rows, n_columns, n_values, missing) -> tuple[TrainingTable, list[Choices]]:
    """Return a training table of numbers, and the choices of each column for the oracle."""
    X = pd.DataFrame(rng.integers(0, n_values, (n_rows, n_columns)).astype(float))
    X.columns = [f"c{k}" for k in range(n_columns)]
    if missing:
        X = X.mask(rng.random(X.shape) < 0.15)
        X = X.loc[:, X.notna().any()]
    sums = X.fillna(n_values / 2).to_numpy().sum(axis=1)
    y = labels(rng, 0.4 * sums + rng.normal(size=n_rows) > 0.5 * n_values, noise=0.2)
    binarizer = Binarizer("all", columns=dict.fromkeys(X.columns, "numeric"))
    training = in_memory(X, y, rng.integers(1, 4, n_rows), binarizer)
    shown = X.iloc[first_samples(training)]
    return training, [number_choices(shown[name].to_numpy()) for name in X.columns]


def table_of_categories(
    rng, *, n_rows, n_columns, n_categories, numbers
) -> tuple[TrainingTable, list[Choices]]:
    """Return a training table of categories, maybe with a column of numbers, and the oracle's choices."""
    texts = np.array(list("abcdef"))[:n_categories]
    X = pd.DataFrame({f"c{k}": rng.choice(texts, n_rows) for k in range(n_columns)})
    if numbers:
        X["n"] = rng.integers(0, 4, n_rows).astype(float)
    y = labels(rng, np.isin(X["c0"], rng.choice(texts, n_categories // 2)), noise=0.25)
    binarizer = Binarizer("all", max_members=3, columns={"n": "numeric"} if numbers else None)
    training = in_memory(X, y, rng.integers(1, 4, n_rows), binarizer)
    shown = X.iloc[first_samples(training)]
    choices = [
        category_choices(shown[f"c{k}"].tolist(), range(1, X[f"c{k}"].nunique())) for k in range(n_columns)
    ]
    return training, choices + ([number_choices(shown["n"].tolist())] if numbers else [])


def labels(rng, of_rule, *, noise):
    """Return labels by a rule, some of them random and of three classes."""
    y = np.where(rng.random(len(of_rule)) < noise, rng.integers(0, 3, len(of_rule)), of_rule)
    y[:2] = 0, 1
    return y


def first_samples(training: TrainingTable) -> list[int]:
    """Return one sample for each unique row."""
    group_of = training.table.group_of
    return [int(np.flatnonzero(group_of == row)[0]) for row in range(training.table.n_rows)]
