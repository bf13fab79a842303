"""Tables and decision sets for the report's tests."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from laconic import DecisionSetClassifier
from laconic.data.column import Column
from laconic.data.literals import Equals, Literal, Missing, Threshold
from laconic.model.decision_set import DecisionSet
from laconic.model.rule import Rule


def credit(n: int = 240, seed: int = 3) -> tuple[pd.DataFrame, pd.Series]:
    """Numbers, categories, booleans and missing values, with some noise."""
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 80, n).astype(float)
    income = np.round(rng.lognormal(10, 0.5, n), 2)
    job = rng.choice(["clerk", "driver", "nurse", "none"], n)
    owner = rng.random(n) < 0.5
    risk = np.where(age < 30, "high", np.where((income > 24000) & owner, "low", "medium"))
    risk = np.where(job == "none", "high", risk)
    noisy = rng.random(n) < 0.05
    risk[noisy] = rng.choice(["high", "low", "medium"], noisy.sum())
    X = pd.DataFrame({"age": age, "income": income, "job": job, "owner": owner})
    X.loc[rng.random(n) < 0.1, "income"] = np.nan
    X.loc[rng.random(n) < 0.1, "job"] = None
    return X, pd.Series(risk, name="risk")


def credit_classifier() -> DecisionSetClassifier:
    X, y = credit()
    return DecisionSetClassifier(regularization=0.02, time_limit=10).fit(X, y)


def as_rows(model: DecisionSet, X: pd.DataFrame) -> list[list[Any]]:
    """Return the used cells of each row as JSON has them: null is missing."""
    cells = X.loc[:, list(model.used_columns)].astype(object)
    return [
        [None if pd.isna(cell) else getattr(cell, "item", lambda cell=cell: cell)() for cell in row]
        for row in cells.itertuples(index=False)
    ]


def decision_set(
    rules: list[tuple[str, list[Literal], list[int]]],
    columns: dict[str, str],
    classes: tuple[str, ...] = ("no", "yes"),
    default: str | None = None,
) -> DecisionSet:
    """Build a set from (class, conditions, training weight per class)."""
    made = tuple(
        Rule(tuple(literals), label, classes.index(label), sum(weights), tuple(map(Fraction, weights)))
        for label, literals, weights in rules
    )
    width = max(1, math.ceil(max(map(len, classes))))
    return DecisionSet(
        rules=made,
        classes=classes,
        label_dtype=f"<U{width}",
        columns=tuple(Column(name, kind) for name, kind in columns.items()),
        named=True,
        default_class=default or classes[0],
        default_rows=0,
        default_weights=tuple(Fraction(1) for _ in classes),
    )


def loan_set() -> DecisionSet:
    """Three rules with Laplace precisions 9/12, 7/9 and 2/3, and a default."""
    return decision_set(
        [
            ("no", [Threshold("age", "<=", 54.0)], [8, 2]),
            ("yes", [Equals("colour", "=", "red"), Threshold("age", ">", 30.0)], [1, 6]),
            ("yes", [Missing("income")], [0, 1]),
        ],
        {"age": "numeric", "colour": "category", "income": "numeric"},
    )


def applicants() -> tuple[pd.DataFrame, list[str]]:
    """One row per case: one class, conflict won by yes, default, missing age, conflict won by no."""
    X = pd.DataFrame(
        {
            "age": [40, 40, 60, None, 20],
            "colour": ["blue", "red", "blue", "red", "blue"],
            "income": [5.0, 5.0, 5.0, None, None],
        }
    )
    return X, ["no", "yes", "no", "yes", "no"]
