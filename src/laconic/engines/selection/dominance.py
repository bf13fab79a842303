"""Dominance between candidate rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from laconic.data.bits import keys
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Problem
from laconic.runtime.budget import Budget

Rows = NDArray[np.bool_]
Traits = tuple[list[int], frozenset[int], frozenset[int]]
"""Prices, columns and missing required groups: what constraints and prices depend on besides the cover."""


MAX_COMPARED = 6000
"""Maximum number of rules of a class for pairwise comparison."""


def cheapest_of_their_cover(problem: Problem, found: Mapping[CodedRule, Rows]) -> list[CodedRule]:
    """Drop every rule dominated by one of the same class and cover: in prices, columns and groups."""
    traits_of = _traits(problem)
    traits = {rule: traits_of(rule) for rule in found}
    groups: dict[tuple[int, bytes], list[CodedRule]] = {}
    for rule, cover in found.items():
        groups.setdefault((rule.target, keys(cover).tobytes()), []).append(rule)
    kept: list[CodedRule] = []
    for rules in groups.values():
        front: list[Traits] = []
        for rule in sorted(rules, key=lambda one: (traits[one][0], len(traits[one][1]), one)):
            seen = traits[rule]
            dominated = any(_can_replace(other, seen) for other in front)
            if not dominated:
                front.append(seen)
            if not dominated or rule in problem.constraints.rules_in:
                kept.append(rule)
    return sorted(kept)


def undominated(
    problem: Problem,
    rules: list[CodedRule],
    found: Mapping[CodedRule, Rows],
    sides: Mapping[int, tuple[Rows, Rows]],
    budget: Budget,
) -> list[CodedRule]:
    """Drop every rule that another one of its class dominates: it covers more useful and fewer harmful rows.

    This is sound wherever a shorter rule with a larger cover may replace a longer one, for the same reasons.
    When the time is up, the remaining rules are kept.

    Parameters
    ----------
    problem : Problem
    rules : list of CodedRule
    found : mapping
        The cover of each rule.
    sides : mapping
        The useful and the harmful rows of a class. The rules of classes without an entry are kept.
    budget : Budget
    """
    kept: list[CodedRule] = []
    for target in sorted({rule.target for rule in rules}):
        own = [rule for rule in rules if rule.target == target]
        compared = target in sides and len(own) <= MAX_COMPARED
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
    traits = _traits(problem)
    seen = {rule: traits(rule) for rule in own}
    rows = {rule: keys(np.concatenate([found[rule][wanted], ~found[rule][unwanted]])) for rule in own}
    # Every rule comes after all rules that could dominate it.
    own = sorted(own, key=lambda rule: (seen[rule][0], -int(np.bitwise_count(rows[rule]).sum()), rule))
    prices = np.array([seen[rule][0] for rule in own], dtype=np.int64)
    covers = np.array([rows[rule] for rule in own], dtype=np.uint8)
    kept: list[int] = []
    for place, rule in enumerate(own):
        if budget.expired():
            return [own[k] for k in kept] + own[place:]
        better = ~(covers[place] & ~covers[kept]).any(axis=1) & (prices[kept] <= prices[place]).all(axis=1)
        dominated = any(_can_replace(seen[own[kept[k]]], seen[rule]) for k in np.flatnonzero(better))
        if not dominated or rule in problem.constraints.rules_in:
            kept.append(place)
    return [own[place] for place in kept]


def _traits(problem: Problem) -> Callable[[CodedRule], Traits]:
    constraints = problem.constraints
    levels = problem.pricing.levels
    columns_matter = any(level.column.any() for level in levels)

    def traits(rule: CodedRule) -> Traits:
        prices = [len(rule.literals), *(level.of_rule(rule) for level in levels)]
        columns = frozenset(int(constraints.column_of[code >> 1]) for code in rule.literals if columns_matter)
        missing = (k for k, group in enumerate(constraints.required) if not group & set(rule.literals))
        return prices, columns, frozenset(missing)

    return traits


def _can_replace(other: Traits, rule: Traits) -> bool:
    """Return whether a rule can replace another, judged by prices, columns and required groups."""
    cheaper = all(a <= b for a, b in zip(other[0], rule[0], strict=True))
    return cheaper and other[1] <= rule[1] and other[2] <= rule[2]
