"""Near-optimal sets under a budget: within a size, or within errors.

These sets have at most some size and make at most some errors. At any price Λ of size they cost at most
errors + Λ · size, so all of them are among the sets that `laconic.engines.enumeration.near` lists up to that
cost. The chosen price makes this cost nearest to the optimum. All other listed sets are dropped.
"""

from __future__ import annotations

import math

from laconic.data.words import as_fraction
from laconic.engines import registry
from laconic.engines.enumeration.near import MOST_SETS, NearSets, near_sets
from laconic.learning.choose import lambdas
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Objective, Problem, cost, errors
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError

OPTIMUM_SHARE, PRICE_SHARE = 0.3, 0.3
"""Shares of the time for the optimum under the budget, and for the choice of a price."""


def near_sets_within(
    problem: Problem, within: float, limit: int, budget: Budget, seed: int = 0, n_jobs: int = 1
) -> NearSets:
    """Return the sets whose errors, or size, exceed the least under the budget by at most ``within``."""
    if not problem.constraints.any_set or problem.otherwise:
        raise InputError("under a budget, sets are listed without constraints and default='otherwise'")
    solve = registry.get("exact")
    best = solve(problem, budget=budget.part(OPTIMUM_SHARE), seed=seed, n_jobs=n_jobs)
    only = NearSets(((best.cost, best.rules),), 1, False, best.cost)
    if best.lower_bound != best.cost:
        return only
    distance = as_fraction(within) if within else 0
    size = problem.objective.size_budget
    if size is None:
        size, most = _size(best.rules) + math.floor(distance), problem.most_errors
    else:
        most = errors(problem, best.rules) + math.floor(distance * problem.error_unit)
    priced, excess = _nearest_price(problem, size, most, budget.part(PRICE_SHARE), seed)
    found = near_sets(priced, excess, MOST_SETS, budget, seed, n_jobs)
    kept = []
    for _, rules in found.sets:
        value = cost(problem, rules)
        if value is not None and _size(rules) <= size and errors(problem, rules) <= most:
            kept.append((value, rules))
    kept.sort(key=lambda one: (one[0], _size(one[1]), one[1]))
    complete = found.complete and len(found.sets) == found.n_sets
    return NearSets(tuple(kept[:limit]) or only.sets, max(1, len(kept)), complete, best.cost)


def _size(rules: tuple[CodedRule, ...]) -> int:
    return sum(rule.size for rule in rules)


def _nearest_price(problem: Problem, size: int, most: int, budget: Budget, seed: int) -> tuple[Problem, int]:
    """Return the problem at the price where these sets are nearest to the optimum, and the distance."""
    prices = lambdas(problem.table.n_samples)
    solve = registry.get("exact")
    found: list[tuple[Problem, int]] = []
    for share, part in zip(prices, budget.shares(len(prices)), strict=True):
        priced = Problem.of(problem.table, Objective(regularization=share))
        bound = solve(priced, budget=part, seed=seed).lower_bound
        found.append((priced, max(0, most + priced.rule_price(0) * size - bound)))
    return min(found, key=lambda one: one[1] / one[0].rule_price(0))
