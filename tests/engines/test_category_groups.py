"""Fits with groups of categories against an oracle that tries every group."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from tests.engines.test_every_threshold import OBJECTIVES, check
from tests.support.condition_oracle import category_choices, number_choices

from laconic.data.binarize import Binarizer
from laconic.data.training import in_memory
from laconic.problem.objective import Problem


def random_training(rng, *, n_rows, n_columns, n_categories, numbers):
    """Return a training table of categories, maybe with a column of numbers, and the oracle's choices."""
    texts = np.array(list("abcdef"))[:n_categories]
    X = pd.DataFrame({f"c{k}": rng.choice(texts, n_rows) for k in range(n_columns)})
    if numbers:
        X["n"] = rng.integers(0, 4, n_rows).astype(float)
    y = np.isin(X["c0"], rng.choice(texts, n_categories // 2)).astype(int)
    y = np.where(rng.random(n_rows) < 0.25, rng.integers(0, 3, n_rows), y)
    y[:2] = 0, 1
    kinds = {"n": "numeric"} if numbers else None
    binarizer = Binarizer("all", max_members=3, columns=kinds)
    training = in_memory(X, y, rng.integers(1, 4, n_rows), binarizer)
    first = [int(np.flatnonzero(training.table.group_of == g)[0]) for g in range(training.table.n_rows)]
    shown = X.iloc[first]
    choices = [
        category_choices(shown[f"c{k}"].tolist(), range(1, X[f"c{k}"].nunique())) for k in range(n_columns)
    ]
    return training, choices + ([number_choices(shown["n"].tolist())] if numbers else [])


@pytest.mark.parametrize("name", OBJECTIVES)
def test_the_optimum_is_that_over_every_group(name):
    rng = np.random.default_rng(100 + sorted(OBJECTIVES).index(name))
    joint = name == "per row"
    for k in range(30):
        training, choices = random_training(
            rng,
            n_rows=int(rng.integers(4, 7 if joint else 11)),
            n_columns=1 if joint else int(rng.integers(1, 3)),
            n_categories=int(rng.integers(4, 5 if joint else 7)),
            numbers=not joint and k % 4 == 0,
        )
        objective = OBJECTIVES[name][k % len(OBJECTIVES[name])]
        check(Problem.of(training.table, objective), choices)
