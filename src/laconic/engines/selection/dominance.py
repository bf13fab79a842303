"""Which of two candidate rules makes the other superfluous."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from laconic.problem.coded import CodedRule
from laconic.problem.objective import Problem
from laconic.runtime.budget import Budget

Rows = NDArray[np.bool_]
Looks = tuple[list[int], frozenset[int], frozenset[int]]
"""What constraints and prices see of a rule besides its cover: prices, columns, required groups it lacks."""


MOST_COMPARED = 6000
"""Rules of a class beyond which they are not compared with each other: there would be too many pairs."""


def cheapest_of_their_cover(problem: Problem, found: Mapping[CodedRule, Rows]) -> list[CodedRule]:
    """Drop every rule that one of its class and cover beats in all that constraints and prices look at."""
    see = _looks(problem)
    looks = {rule: see(rule) for rule in found}
    groups: dict[tuple[int, bytes], list[CodedRule]] = {}
    for rule, cover in found.items():
        groups.setdefault((rule.target, np.packbits(cover).tobytes()), []).append(rule)
    kept: list[CodedRule] = []
    for rules in groups.values():
        front: list[Looks] = []
        for rule in sorted(rules, key=lambda one: (looks[one][0], len(looks[one][1]), one)):
            seen = looks[rule]
            beaten = any(_fits(other, seen) for other in front)
            if not beaten:
                front.append(seen)
            if not beaten or rule in problem.constraints.rules_in:
                kept.append(rule)
    return sorted(kept)


def undominated(
    problem: Problem,
    rules: list[CodedRule],
    found: Mapping[CodedRule, Rows],
    sides: Mapping[int, tuple[Rows, Rows]],
    budget: Budget,
) -> list[CodedRule]:
    """Drop every rule that another of its class beats: more rows of use, fewer of harm, no dearer.

    Sound where a shorter rule with a larger cover may replace a longer one, and for the same reasons. When
    the time is over, the rules not yet looked at stay.

    Parameters
    ----------
    problem : Problem
    rules : list of CodedRule
    found : mapping
        The cover of each rule.
    sides : mapping
        By class, the rows that are of use and those that do harm; other classes keep their rules.
    budget : Budget
    """
    kept: list[CodedRule] = []
    for target in sorted({rule.target for rule in rules}):
        own = [rule for rule in rules if rule.target == target]
        compared = target in sides and len(own) <= MOST_COMPARED
        kept += _undominated(problem, own, found, *sides[target], budget) if compared else own
    return kept


def _undominated(
    problem: Problem,
    own: list[CodedRule],
    found: Mapping[CodedRule, Rows],
    wanted: Rows,
    unwanted: Rows,
    budget: Budget,
) -> list[CodedRule]:
    looks = _looks(problem)
    seen = {rule: looks(rule) for rule in own}
    rows = {rule: np.packbits(np.concatenate([found[rule][wanted], ~found[rule][unwanted]])) for rule in own}
    # Whoever could beat a rule comes before it.
    own = sorted(own, key=lambda rule: (seen[rule][0], -int(np.bitwise_count(rows[rule]).sum()), rule))
    prices = np.array([seen[rule][0] for rule in own], dtype=np.int64)
    covers = np.array([rows[rule] for rule in own], dtype=np.uint8)
    kept: list[int] = []
    for place, rule in enumerate(own):
        if budget.expired():
            return [own[k] for k in kept] + own[place:]
        better = ~(covers[place] & ~covers[kept]).any(axis=1) & (prices[kept] <= prices[place]).all(axis=1)
        beaten = any(_fits(seen[own[kept[k]]], seen[rule]) for k in np.flatnonzero(better))
        if not beaten or rule in problem.constraints.rules_in:
            kept.append(place)
    return [own[place] for place in kept]


def _looks(problem: Problem) -> Callable[[CodedRule], Looks]:
    constraints = problem.constraints
    levels = problem.pricing.levels
    columns_matter = any(level.column.any() for level in levels)

    def looks(rule: CodedRule) -> Looks:
        prices = [len(rule.literals), *(level.of_rule(rule) for level in levels)]
        columns = frozenset(int(constraints.column_of[code >> 1]) for code in rule.literals if columns_matter)
        missing = (k for k, group in enumerate(constraints.required) if not group & set(rule.literals))
        return prices, columns, frozenset(missing)

    return looks


def _fits(other: Looks, rule: Looks) -> bool:
    """Whether a rule could stand in for another as far as prices, columns and required groups go."""
    cheaper = all(a <= b for a, b in zip(other[0], rule[0], strict=True))
    return cheaper and other[1] <= rule[1] and other[2] <= rule[2]
