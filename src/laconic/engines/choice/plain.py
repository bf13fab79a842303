"""A problem without demands, stated as one with demands that ask for nothing."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from laconic.demands.demands import Demands, Prices, Pricing
from laconic.model.parts import Part
from laconic.objective import Problem


def without_demands(problem: Problem) -> Problem:
    """Return the same problem, with the same costs, in the form that `choose` takes."""
    table, one = problem.table, Fraction(1)
    ones = (one,) * table.n_classes
    demands = Demands(
        usable=np.broadcast_to(table.allowed, (table.n_classes, *table.allowed.shape)),
        column_of=np.zeros(table.n_features, np.int64),
        n_columns=1,
        measure=("size",),
        literal_factor=(one,),
        column_cost=(Fraction(0),),
        class_factor=ones,
        miss_factor=ones,
        claim_factor=ones,
        seen=table.weights,
    )
    level = Prices(
        weight=1,
        missed=np.full(table.n_classes, problem.error_cost, np.int64),
        claimed=problem.error_cost * (1 - np.eye(table.n_classes, dtype=np.int64)),
        rule=problem.rule_cost,
        literal=np.full(table.n_features, problem.literal_cost, np.int64),
        column=np.zeros(1, np.int64),
    )
    parts = (Part("cost", 1, one),)
    prices = Pricing((level,), parts, problem.error_cost, problem.literal_cost, problem.rule_cost)
    return replace(problem, demands=demands, pricing=prices)
