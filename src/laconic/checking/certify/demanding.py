"""Proofs under constraints, other measures and budgets, level by level."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from laconic.checking.certify.apart import Apart
from laconic.checking.certify.together import prove_together
from laconic.checking.constraint_checker import Statement
from laconic.runtime.budget import Budget

LATER_LEVELS = 0.4
"""Of the time, what is kept for the levels after the first."""


def prove_levels(
    statement: Statement, values: Sequence[int], budget: Budget
) -> tuple[list[int], list[dict[str, Any] | None]]:
    """Return a bound for each level and its proof; 0 and none from the first level on that stays open."""
    bounds, proofs = [0] * len(values), list[dict[str, Any] | None]([None] * len(values))
    for place, value in enumerate(values):
        last = place == len(values) - 1
        if value:
            part = budget if last else budget.part(1 - LATER_LEVELS)
            bounds[place], proofs[place] = _prove_level(statement, values, place, part)
        if bounds[place] < value:
            break
    return bounds, proofs


def _prove_level(
    statement: Statement, values: Sequence[int], place: int, budget: Budget
) -> tuple[int, dict[str, Any] | None]:
    """Prove apart if that can be enough, else together; a bound that falls short is better than none."""
    apart, found = Apart(statement, values, place, budget.part(0.2)), []
    if apart.reaches:
        found.append(apart.prove(budget.part(0.6)))
        if found[-1][0] == values[place]:
            return found[-1]
    found.append(prove_together(statement, values, place, budget.part(0.7)))
    if found[-1][0] < values[place] and not apart.reaches:
        found.append(apart.prove(budget))
    return max(found, key=lambda one: one[0])
