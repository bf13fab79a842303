"""Class weights as exact factors, on the finest grid that exact arithmetic can use."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from laconic.data.notes import class_rounding_note
from laconic.data.table import Table
from laconic.problem.constraints.constraints import Number
from laconic.problem.constraints.wording import Vocabulary
from laconic.runtime.errors import InputError
from laconic.runtime.native import MAX_COST

MAX_PRICE, MAX_PRICE_BY_CLASS = 2**44, 2**46
"""Largest single price: if constraints tie rules together, and if classes are independent."""

LARGEST_LAMBDA = Fraction(1)
"""λ up to which the price of a rule with all conditions stays below `MAX_COST`."""

PARTS = 2**8
"""Number of parts of an error that is counted per row, over which classes share its cost."""

DIGITS = 10**6
"""The grid is not finer than this part of the smallest class weight, or of 1."""


def class_factors(
    asked: Mapping[Any, Number] | str | None,
    words: Vocabulary,
    table: Table,
    *,
    per_row: bool,
    tied: bool,
    finer: int = 1,
) -> tuple[tuple[Fraction, ...], tuple[str, ...]]:
    """Return the cost of an error on a row of each class, and notes on rounding.

    Parameters
    ----------
    asked : mapping of label to number, "balanced" or None
    words : Vocabulary
    table : Table
    per_row : bool
        Whether errors are counted per row.
    tied : bool
        Whether constraints tie rules together.
    finer : int
        As `laconic.problem.objective.Objective.finer`.
    """
    totals = table.weights.sum(axis=0).tolist()
    factors = [Fraction(1)] * len(totals)
    if isinstance(asked, str):
        present = sum(total > 0 for total in totals)
        factors = [Fraction(sum(totals), present * total) if total else Fraction(1) for total in totals]
    else:
        for label, weight in (asked or {}).items():
            factors[words.label(label, "class_weight")] = Fraction(repr(weight))
    if not any(factors):
        raise InputError("class_weight is 0 for every class; give some class a positive weight")
    weighted = Fraction(sum(factor * total for factor, total in zip(factors, totals, strict=True)))
    spread = max(Fraction(1), LARGEST_LAMBDA * (table.n_features + 1)) * (PARTS if per_row else 1)
    # Its product with any λ up to `LARGEST_LAMBDA` must be a valid price as well.
    dearest = Fraction(MAX_PRICE if tied else MAX_PRICE_BY_CLASS) / LARGEST_LAMBDA
    room: Fraction = min(MAX_COST / spread, dearest) / max(weighted, Fraction(1)) / finer
    common = math.lcm(*(factor.denominator for factor in factors))
    if common <= DIGITS and common <= room:
        return tuple(factors), ()
    smallest = float(min(factor for factor in factors if factor))
    unit = _power_of_ten(min(float(room), DIGITS / min(1.0, smallest)))
    rounded = [Fraction(round(factor * unit), unit) for factor in factors]
    return tuple(rounded), _note(factors, rounded, unit)


def _power_of_ten(most: float) -> int:
    """Return the largest power of ten that is not above a number, at least 1."""
    power = 1
    while power * 10 <= most:
        power *= 10
    return power


def _note(factors: Sequence[Fraction], rounded: Sequence[Fraction], unit: int) -> tuple[str, ...]:
    """Return the largest relative rounding error in words, if there is any."""
    worst = max(abs(new - old) / old for old, new in zip(factors, rounded, strict=True) if old)
    return (class_rounding_note(Fraction(1, unit), worst),) if worst else ()
