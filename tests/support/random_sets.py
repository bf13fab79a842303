"""Random decision sets over columns of every kind, and random rows for them, missing values included."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd

from laconic.data.column import Column
from laconic.data.literals import Among, Equals, Feature, Interval, Missing, Threshold
from laconic.model.decision_set import DecisionSet
from laconic.model.rule import Rule

AWKWARD = ["red", "o'hara", 'say "hi"', "missing", "", "日本", "1", "\\", "a\nb", "'); DROP TABLE t; --"]
CUTS = [-2.5, -1.0, 0.1, 0.30000000000000004, 2.0, 16777217.0]
COLUMNS = (
    Column("age", "numeric"),
    Column('in"come `x`', "numeric"),
    Column("colo'ur", "category"),
    Column("smo]ker; --", "binary"),
    Column("flag", "binary"),
    Column("unused", "numeric"),
)
# What a binarizer would have found in the two columns whose kind does not say what they hold.
FEATURES = tuple(
    Feature(Equals(name, "=", values[1]), Equals(name, "=", values[0]))
    for name, values in (("smo]ker; --", (False, True)), ("flag", (0, 1)))
)
LABELS = {
    "text": (("no", "o'yes", 'q"uote\n'), "<U7"),
    "integers": ((-3, 0, 7), "<i8"),
    "numbers": ((-0.5, 0.0, 2.0), "<f8"),
    "booleans": ((False, True), "|b1"),
}


def random_literal(rng: np.random.Generator, column: Column):
    if rng.random() < 0.15:
        return Missing(column.name, bool(rng.random() < 0.7))
    if column.kind == "numeric":
        if rng.random() < 0.3:
            low, high = sorted(rng.choice([-np.inf, *CUTS, np.inf], 2, replace=False).tolist())
            return Interval(column.name, low, high, bool(rng.random() < 0.5))
        return Threshold(column.name, str(rng.choice(["<=", ">"])), float(rng.choice(CUTS)))
    if column.kind == "category" and rng.random() < 0.4:
        size = int(rng.integers(2, 5))
        members = rng.choice(len(AWKWARD), size, replace=False).tolist()
        return Among(column.name, tuple(AWKWARD[k] for k in members), bool(rng.random() < 0.5))
    value = {
        "colo'ur": lambda: AWKWARD[rng.integers(len(AWKWARD))],
        "smo]ker; --": lambda: bool(rng.random() < 0.5),
        "flag": lambda: int(rng.integers(2)),
    }[column.name]()
    return Equals(column.name, str(rng.choice(["=", "!="])), value)


def random_set(rng: np.random.Generator, labels: str = "text", **changes) -> DecisionSet:
    """Return a set of up to eight rules whose training counts, and so whose precedence, are random too."""
    classes, dtype = LABELS[labels]

    def rule(literals) -> Rule:
        target = int(rng.integers(len(classes)))
        weights = [Fraction(int(n), int(rng.integers(1, 4))) for n in rng.integers(0, 6, len(classes))]
        return Rule(tuple(literals), classes[target], target, int(rng.integers(20)), tuple(weights))

    rules = tuple(
        rule(
            random_literal(rng, COLUMNS[rng.integers(5)]) for _ in range(rng.integers(0 if i == 7 else 1, 4))
        )
        for i in range(rng.integers(0, 9))
    )
    made = DecisionSet(
        rules=rules,
        classes=classes,
        label_dtype=dtype,
        columns=COLUMNS,
        named=True,
        default_class=classes[int(rng.integers(len(classes)))],
        default_rows=1,
        default_weights=(Fraction(1),) * len(classes),
        else_rule=rule(()) if rng.random() < 0.3 else None,
        features=FEATURES,
    )
    return replace(made, **changes)


def random_rows(rng: np.random.Generator, n_rows: int) -> pd.DataFrame:
    """Return rows that hit every threshold exactly as well as from both sides."""
    near = np.array([*CUTS, *np.nextafter(CUTS, -np.inf), *np.nextafter(CUTS, np.inf), np.float32(0.1)])

    def numbers():
        mixed = np.where(rng.random(n_rows) < 0.6, rng.choice(near, n_rows), rng.normal(0, 3, n_rows))
        return np.where(rng.random(n_rows) < 0.15, np.nan, mixed)

    def some(values):
        picked = np.array(values, dtype=object)[rng.integers(len(values), size=n_rows)]
        picked[rng.random(n_rows) < 0.15] = None
        return picked

    return pd.DataFrame(
        {
            "age": numbers(),
            'in"come `x`': numbers(),
            "colo'ur": some([*AWKWARD, "other", "RED"]),
            "smo]ker; --": some([True, False]),
            "flag": np.where(rng.random(n_rows) < 0.15, np.nan, rng.integers(0, 2, n_rows)),
            "unused": numbers(),
        }
    )
