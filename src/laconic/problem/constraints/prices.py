"""From factors and measures to integer prices, level by level.

The first level is the objective: errors and Λ times the first measure, or, if no avoidable error is allowed,
the measure alone; the cost of columns is part of it. Each further measure is a level of its own. Fractions
are cleared once, here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from laconic.data.table import Table
from laconic.data.words import about
from laconic.problem.constraints.class_weights import MAX_PRICE, MAX_PRICE_BY_CLASS
from laconic.problem.constraints.compiled import CompiledConstraints, Prices, Pricing
from laconic.problem.parts import Part
from laconic.runtime.errors import InputError
from laconic.runtime.native import MAX_COST

LARGEST_PRICE = 2**62
"""Largest price without constraints; each engine states its own limit below it."""

Faults = tuple[Sequence[Fraction | int], Sequence[Fraction | int], Sequence[Fraction | int]]
"""By class: the cost of a missed row, and the two factors of the cost of a claim; see `Prices`."""

_FEWER_DIGITS = "use fewer digits in costs, weights and regularization"


def pricing(
    table: Table, constraints: CompiledConstraints, regularization: Fraction | None, *, ceiling: bool = True
) -> Pricing:
    """Return the prices of a (reduced) table.

    Parameters
    ----------
    table : Table
    constraints : CompiledConstraints
    regularization : Fraction or None
        λ; None if no avoidable error is allowed.
    ceiling : bool
        Whether Λ is rounded up.
    """
    class_unit, factors, total = _factors(table, constraints)
    size_unit = _size_unit(constraints)
    if regularization is None:
        price, error_unit = Fraction(1), 0
    else:
        price = regularization * total
        price = Fraction(math.ceil(price)) if ceiling else price
        error_unit = price.denominator * _common([*constraints.miss_factor, *constraints.claim_factor])
    average = constraints.measure[0] == "average_length"
    # Everything in the first level is multiplied so that all of it is whole.
    errors = error_unit * size_unit * (table.total_weight if average else 1)
    sizes = int(price * (error_unit or 1)) * size_unit
    first = _level(
        constraints,
        constraints.measure[0],
        sizes,
        _faults(constraints, factors, errors),
        _columns(table, constraints, sizes),
    )
    _check_sum(table, constraints, first)
    if regularization is None:
        name, unit = constraints.measure[0], _measure_unit(table, constraints, 0)
    else:
        name, unit = "cost", Fraction(errors * class_unit) * table.scale
    named = [(name, unit, first), *_measures(table, constraints, 1)]
    levels, parts = _weighted(table, constraints, named, perfect=regularization is None)
    unit_cost = sizes * (table.total_weight if average else 1)
    return Pricing(
        levels,
        parts,
        *_plain_costs(levels, errors * class_unit, 0),
        measure_cost=unit_cost,
        all_rows=errors * total,
    )


def budget_pricing(
    table: Table, constraints: CompiledConstraints, size_budget: int | None, max_errors: Fraction | None
) -> Pricing:
    """Return the prices under a budget: errors and then the measures within a size, or the other way round.

    Parameters
    ----------
    table : Table
    constraints : CompiledConstraints
    size_budget : int or None
        In units of size, as `CompiledConstraints.literal_factor` and `CompiledConstraints.column_cost` count
        it.
    max_errors : Fraction or None
        Of the costs of errors, in the user's units.
    """
    class_unit, factors, total = _factors(table, constraints)
    errors = _common([*constraints.miss_factor, *constraints.claim_factor])
    faults = _level(constraints, None, 0, _faults(constraints, factors, errors), [0] * constraints.n_columns)
    _check_sum(table, constraints, faults)
    unit = Fraction(errors * class_unit) * table.scale
    measures = _measures(table, constraints, 0)
    limits: list[int | None] = [None] * (len(measures) + 1)
    if max_errors is None:
        assert size_budget is not None
        named, place = [("errors", unit, faults), *measures], 0
        limits[1 + constraints.measure.index("size")] = size_budget * _size_unit(constraints)
    else:
        named, place = [*measures, ("errors", unit, faults)], len(measures)
        limits[-1] = min(math.floor(max_errors * unit), _all_faults(table, faults))
    # A front under constraints moves its limits, so there the weights must hold for every size.
    levels, parts = _weighted(table, constraints, named, limits if constraints.any_set else ())
    return Pricing(
        levels,
        parts,
        *_plain_costs(levels, errors * class_unit, place),
        faults=place,
        limits=tuple(limits),
        all_rows=errors * total,
    )


def merged_levels(pricing: Pricing) -> Pricing:
    """Return prices whose levels count rules and literals only as one level that costs the same."""
    if len(pricing.levels) == 1:
        return pricing
    literal = np.sum([level.weight * level.literal for level in pricing.levels], axis=0)
    level = replace(pricing.levels[0], weight=1, rule=pricing.rule_cost, literal=literal)
    return replace(pricing, levels=(level,), parts=(Part("cost", 1, Fraction(1)),))


def _plain_costs(levels: Sequence[Prices], error: int, faults: int) -> tuple[int, int, int]:
    """Return the costs of a plain error, a literal and a rule."""
    # Without any conditions there are no literals to pay for, but λ is still a price of size.
    dearest = [int(level.literal.max()) if level.literal.size else level.plain_literal for level in levels]
    literal = sum(level.weight * price for level, price in zip(levels, dearest, strict=True))
    return levels[faults].weight * error, literal, sum(level.weight * level.rule for level in levels)


def _factors(table: Table, constraints: CompiledConstraints) -> tuple[int, list[int], int]:
    """Return class weights as whole numbers: how many make one, each, and their sum over all rows."""
    unit = _common(constraints.class_factor)
    factors = [int(factor * unit) for factor in constraints.class_factor]
    return unit, factors, int(table.weights.sum(axis=0) @ np.array(factors, dtype=object))


def _faults(constraints: CompiledConstraints, factors: Sequence[int], errors: int) -> Faults:
    """Return the costs of faults by class: a missed row, a row that another class covers, and that class."""
    unit = _common(constraints.claim_factor)
    missed = [factor * errors * miss for factor, miss in zip(factors, constraints.miss_factor, strict=True)]
    claimed = [Fraction(factor * errors, unit) for factor in factors]
    return missed, claimed, [unit * factor for factor in constraints.claim_factor]


def _check_sum(table: Table, constraints: CompiledConstraints, level: Prices) -> None:
    # Without constraints the limit is that of the engine, which is higher.
    if not constraints.any_set and table.total_weight * level.dearest_error > MAX_COST:
        raise InputError(f"the costs add up to more than {MAX_COST:.2g}; {_FEWER_DIGITS}")


def _columns(table: Table, constraints: CompiledConstraints, sizes: int) -> list[Fraction | int]:
    average = constraints.measure[0] == "average_length"
    return [sizes * cost * (table.total_weight if average else 1) for cost in constraints.column_cost]


def _size_unit(constraints: CompiledConstraints) -> int:
    return _common([*constraints.literal_factor, *constraints.column_cost])


def _measure_unit(table: Table, constraints: CompiledConstraints, place: int) -> Fraction:
    """Return the integers per unit of a measure."""
    measure = constraints.measure[place]
    unit = _size_unit(constraints) if place == 0 or measure in {"size", "literals"} else 1
    return Fraction(unit * (table.total_weight if measure == "average_length" else 1))


def _measures(
    table: Table, constraints: CompiledConstraints, first: int
) -> list[tuple[str, Fraction, Prices]]:
    """Return a level for each measure from a place on; costs of columns are part of the very first."""
    zeros = [0] * table.n_classes
    free = zeros, zeros, zeros
    found = []
    for place in range(first, len(constraints.measure)):
        measure = constraints.measure[place]
        unit = _size_unit(constraints) if place == 0 or measure in {"size", "literals"} else 1
        column = _columns(table, constraints, unit) if place == 0 else [0] * constraints.n_columns
        level = _level(constraints, measure, unit, free, column)
        found.append((measure, _measure_unit(table, constraints, place), level))
    return found


def _weighted(
    table: Table,
    constraints: CompiledConstraints,
    named: Sequence[tuple[str, Fraction, Prices]],
    limits: Sequence[int | None] = (),
    *,
    perfect: bool = False,
) -> tuple[tuple[Prices, ...], tuple[Part, ...]]:
    """Return the levels with weights that make an earlier one decide, and their names."""
    levels: list[Prices] = []
    weight = 1
    for place in reversed(range(len(named))):
        level = named[place][2]
        levels.insert(0, replace(level, weight=weight))
        limit = limits[place] if limits else None
        weight *= _more_than(table, constraints, level, perfect=perfect) if limit is None else limit + 1
    parts = [
        Part(name, level.weight, unit or Fraction(1))
        for (name, unit, _), level in zip(named, levels, strict=True)
    ]
    return tuple(levels), tuple(parts)


def _common(factors: Sequence[Fraction]) -> int:
    return math.lcm(*(factor.denominator for factor in factors))


def _level(
    constraints: CompiledConstraints,
    measure: str | None,
    sizes: int,
    faults: Faults,
    column: Sequence[Fraction | int],
) -> Prices:
    literal = [Fraction(0)] * constraints.n_columns
    if measure in {"size", "literals"}:
        literal = [sizes * factor for factor in constraints.literal_factor]
    if measure == "features":
        column = [cost + sizes for cost in column]
    most = MAX_PRICE_BY_CLASS if constraints.by_class else MAX_PRICE
    most = LARGEST_PRICE if constraints.any_set else most
    by_column = whole(literal, most)
    missed, claimed, claiming = (whole(values, most) for values in faults)
    return Prices(
        weight=1,
        missed=missed,
        claimed=claimed,
        claiming=claiming,
        rule=sizes if measure in {"size", "rules"} else 0,
        literal=by_column[constraints.column_of] if constraints.column_of.size else by_column[:0],
        column=whole(column, most),
        longest=sizes if measure == "longest" else 0,
        explained=sizes if measure == "average_length" else 0,
        plain_literal=sizes if measure in {"size", "literals"} else 0,
    )


def whole(values: Sequence[Fraction | int], most: int = MAX_PRICE) -> NDArray[np.int64]:
    """Return integers; refuse those that are too large for exact arithmetic."""
    if any(value > most for value in values):
        raise InputError(f"the costs reach {about(max(values))}, beyond exact arithmetic; {_FEWER_DIGITS}")
    assert all(Fraction(value).denominator == 1 for value in values)
    return np.array([int(value) for value in values], dtype=np.int64)


def _more_than(table: Table, constraints: CompiledConstraints, level: Prices, *, perfect: bool) -> int:
    """Return a number above the level's value for any set without a superfluous rule."""
    # In a perfect set each rule covers a row of its class that no other rule covers.
    rules = table.n_rows if perfect else table.n_rows * table.n_classes + table.n_classes
    rules += len(constraints.rules_in) + len(constraints.required)
    literals = rules * int(level.literal.max(initial=0)) * table.n_features
    bound = rules * level.rule + literals + int(level.column.sum()) + level.longest * table.n_features
    explained = level.explained * table.total_weight * table.n_features
    return 1 + bound + _all_faults(table, level) + explained


def _all_faults(table: Table, level: Prices) -> int:
    """Return the cost of missing every row and covering it by rules of all other classes."""
    claims = level.claimed * (level.claiming.sum() - level.claiming)
    return int(table.weights.sum(axis=0) @ (level.missed + claims))
