"""A small decision set made by hand, and the rows that each of its cases is about."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pandas as pd

from laconic.data.column import Column
from laconic.data.literals import Equals, Literal, Missing, Threshold
from laconic.model.decision_set import DecisionSet
from laconic.model.rule import Rule

CLASSES = ("no", "yes")


def rule(label: str, literals: list[Literal], rows: int, no: int, yes: int) -> Rule:
    return Rule(tuple(literals), label, CLASSES.index(label), rows, (Fraction(no), Fraction(yes)))


# Laplace precisions: 9/12, 7/9, 2/3.
YOUNG = rule("no", [Threshold("age", "<=", 54.0)], 10, 8, 2)
RED = rule("yes", [Equals("colour", "=", "red"), Threshold("age", ">", 30.0)], 7, 1, 6)
NO_INCOME = rule("yes", [Missing("income")], 1, 0, 1)


def loan_set(**changes) -> DecisionSet:
    made = DecisionSet(
        rules=(YOUNG, RED, NO_INCOME),
        classes=CLASSES,
        label_dtype="<U3",
        columns=(
            Column("name", "category"),
            Column("age", "numeric"),
            Column("colour", "category"),
            Column("income", "numeric"),
        ),
        named=True,
        default_class="no",
        default_rows=3,
        default_weights=(Fraction(2), Fraction(1)),
    )
    return replace(made, **changes)


def applicants() -> pd.DataFrame:
    """One row per case: one class, conflict won by yes, default, missing age, conflict won by no."""
    return pd.DataFrame(
        {
            "name": ["Ann", "Bob", "Cid", "Dee", "Eve"],
            "age": [40, 40, 60, None, 20],
            "colour": ["blue", "red", "blue", "red", "blue"],
            "income": [5.0, 5.0, 5.0, None, None],
        },
        index=["a", "b", "c", "d", "e"],
    )
