"""From factors and measures to integer prices, level by level.

The first level is what the objective trades: errors and Λ times the first measure, or, when no avoidable
error is allowed, the measure alone; cost of columns is part of it. Each further measure is a level of its
own. Fractions are cleared once, here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from laconic.data.table import Table
from laconic.demands.demands import Demands, Prices, Pricing
from laconic.errors import InputError

MAX_PRICE = 2**40
"""Largest price of one thing."""

MAX_COST = 2**50
"""Largest sum of prices; in 64 bits it stays exact, with room to spare."""

_FEWER_DIGITS = "use fewer digits in costs, weights and regularization"


def pricing(
    table: Table, demands: Demands, regularization: Fraction | None, *, ceiling: bool = True
) -> Pricing:
    """Return the prices of a (reduced) table.

    Parameters
    ----------
    table : Table
    demands : Demands
    regularization : Fraction or None
        λ; None if no avoidable error is allowed.
    ceiling : bool
        Whether Λ is rounded up.
    """
    class_unit = _common(demands.class_factor)
    factors = [int(factor * class_unit) for factor in demands.class_factor]
    total = int(table.weights.sum(axis=0) @ np.array(factors, dtype=object))
    size_unit = _common([*demands.literal_factor, *demands.column_cost])
    if regularization is None:
        price, error_unit = Fraction(1), 0
    else:
        price = regularization * total
        price = Fraction(math.ceil(price)) if ceiling else price
        error_unit = price.denominator * _common([*demands.miss_factor, *demands.claim_factor])
    average = demands.measure[0] == "average_length"
    # Everything in the first level is multiplied so that all of it is whole.
    errors = error_unit * size_unit * (table.total_weight if average else 1)
    sizes = int(price * (error_unit or 1)) * size_unit
    column = [sizes * cost * (table.total_weight if average else 1) for cost in demands.column_cost]
    pay = [factors[c] * errors * demands.miss_factor[c] for c in range(table.n_classes)]
    claims = [
        [0 if own == c else factors[own] * errors * demands.claim_factor[c] for c in range(table.n_classes)]
        for own in range(table.n_classes)
    ]
    levels = [_level(demands, demands.measure[0], sizes, pay, claims, column)]
    largest = table.weights.sum(axis=0) @ np.maximum(levels[0].missed, levels[0].claimed.max(axis=1))
    if int(table.total_weight) * max(map(int, pay), default=0) > MAX_COST or int(largest) > MAX_COST:
        raise InputError(f"the costs add up to more than {MAX_COST:.2g}; {_FEWER_DIGITS}")
    free, no_claims = [0] * table.n_classes, [[0] * table.n_classes] * table.n_classes
    for measure in demands.measure[1:]:
        unit = size_unit if measure in {"size", "literals"} else 1
        levels.append(_level(demands, measure, unit, free, no_claims, [0] * demands.n_columns))
    weight = 1
    for k in reversed(range(len(levels))):
        levels[k] = replace(levels[k], weight=weight)
        weight *= _more_than(table, demands, levels[k])
    plain_literal = sizes if demands.measure[0] in {"size", "literals"} else 0
    plain_rule = sizes if demands.measure[0] in {"size", "rules"} else 0
    if regularization is None:
        unit_of_first = Fraction(size_unit * (table.total_weight if average else 1))
    else:
        unit_of_first = Fraction(errors * class_unit) * table.scale
    return Pricing(tuple(levels), unit_of_first, errors * class_unit, plain_literal, plain_rule)


def _common(factors: Sequence[Fraction]) -> int:
    return math.lcm(*(factor.denominator for factor in factors))


def _level(
    demands: Demands,
    measure: str,
    sizes: int,
    pay: Sequence[Fraction | int],
    claims: Sequence[Sequence[Fraction | int]],
    column: Sequence[Fraction | int],
) -> Prices:
    literal = [Fraction(0)] * demands.n_columns
    if measure in {"size", "literals"}:
        literal = [sizes * factor for factor in demands.literal_factor]
    if measure == "features":
        column = [cost + sizes for cost in column]
    by_column = whole(literal)
    return Prices(
        weight=1,
        missed=whole(pay),
        claimed=np.stack([whole(row) for row in claims]),
        rule=sizes if measure in {"size", "rules"} else 0,
        literal=by_column[demands.column_of] if demands.column_of.size else by_column[:0],
        column=whole(column),
        longest=sizes if measure == "longest" else 0,
        explained=sizes if measure == "average_length" else 0,
    )


def whole(values: Sequence[Fraction | int]) -> NDArray[np.int64]:
    """Return integers; refuse those that are too large for exact arithmetic."""
    if any(value > MAX_PRICE for value in values):
        raise InputError(f"the costs reach {float(max(values)):.2g}, too much to be exact; {_FEWER_DIGITS}")
    assert all(Fraction(value).denominator == 1 for value in values)
    return np.array([int(value) for value in values], dtype=np.int64)


def _more_than(table: Table, demands: Demands, level: Prices) -> int:
    """Return more than the level's value for any set without a superfluous rule."""
    rules = table.n_rows * table.n_classes + len(demands.rules_in) + len(demands.required) + table.n_classes
    literals = rules * int(level.literal.max(initial=0)) * table.n_features
    bound = rules * level.rule + literals + int(level.column.sum()) + level.longest * table.n_features
    return 1 + bound + level.explained * table.total_weight * table.n_features
