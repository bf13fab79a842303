"""Proofs under constraints, other measures and budgets, level by level."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from laconic.checking.certify.apart import Apart
from laconic.checking.certify.together import prove_together
from laconic.checking.constraint_checker import Statement, without_line
from laconic.runtime.budget import Budget

LATER_LEVELS = 0.4
"""Share of the time that is reserved for the levels after the first."""


MOST_ROUNDS = 3
"""Maximum number of rounds of proofs over the possible OTHERWISE classes; bounds fall from round to round."""


def prove_levels(
    statement: Statement, values: Sequence[int], budget: Budget
) -> tuple[list[int], list[dict[str, Any] | None]]:
    """Return a bound for each level and its proof; 0 and none from the first open level on."""
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
    """Prove apart if that may suffice, else together; an incomplete bound is better than none."""
    if statement.otherwise is not None:
        return _prove_for_every_class(statement, values, place, budget)
    apart, found = Apart(statement, values, place, budget.part(0.2)), []
    if apart.reaches:
        found.append(apart.prove(budget.part(0.6)))
        if found[-1][0] == values[place]:
            return found[-1]
    found.append(prove_together(statement, values, place, budget.part(0.7)))
    if found[-1][0] < values[place] and not apart.reaches:
        found.append(apart.prove(budget))
    return max(found, key=lambda one: one[0])


def _prove_for_every_class(
    statement: Statement, values: Sequence[int], place: int, budget: Budget
) -> tuple[int, dict[str, Any] | None]:
    """Prove a lower bound on the sets of other rules, whichever class OTHERWISE gives."""
    line = statement.levels[place].prices.rule
    others = without_line(statement, values)
    known: dict[int, tuple[int, dict[str, Any] | None]] = {}
    for _ in range(MOST_ROUNDS):
        for k, target in enumerate(statement.classes):
            if others[place] > 0 and known.get(target, (-1, None))[0] != others[place]:
                part = budget.part(1 / (len(statement.classes) - k))
                known[target] = _prove_level(statement.without(target), others, place, part)
                # Where a proof falls short, all others have to be of the lower bound.
                others[place] = min(others[place], known[target][0])
    if others[place] > 0 and any(bound != others[place] for bound, _ in known.values()):
        others[place] = 0
    if others[place] + line == 0:
        return 0, None
    proofs = [known[target][1] if others[place] > 0 else None for target in statement.classes]
    return others[place] + line, {"otherwise": proofs}
