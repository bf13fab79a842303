"""All optimal or near-optimal sets where rules are tied together.

Constraints, errors counted per row, and a compulsory rule for every class tie rules together.

The sets are those that `laconic.engines.enumeration.near` lists, among the admissible ones: without any one
rule, or any one condition of a rule, a set would make more errors or break a constraint. No rule of such a
set has a superfluous condition. All such rules are listed, and the search over their sets uses the same
integer bounds as the search for one optimum, but visits all sets within the limit.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from laconic.engines.api import Status
from laconic.engines.enumeration.near import NearSets
from laconic.engines.selection.branch import search
from laconic.engines.selection.candidates import Candidates
from laconic.engines.selection.engine import solve
from laconic.engines.selection.listing import find_candidates
from laconic.engines.selection.master import MAX_ENTRIES, Master, OutOfTimeError
from laconic.problem.coded import CodedRule
from laconic.problem.constraints.evaluate import broken
from laconic.problem.objective import Problem, cost, level_values
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError

MOST_SETS = 20_000
"""Maximum number of enumerated sets."""

OPTIMUM_SHARE = 0.5
LISTING_SHARE = 0.3

Rules = tuple[CodedRule, ...]


def near_sets(
    problem: Problem, excess: int, limit: int, budget: Budget, seed: int = 0, n_jobs: int = 1
) -> NearSets:
    """Return the decision sets that cost at most ``excess`` above the optimum, at most ``limit`` of them."""
    if problem.constraints.measure != ("size",):
        raise InputError(
            f"sets are enumerated by errors and size, not by {problem.constraints.measure[0]}; "
            "leave measure out"
        )
    best = solve(problem, budget=budget.part(OPTIMUM_SHARE), seed=seed, n_jobs=n_jobs)
    only = NearSets(((best.cost, best.rules),), 1, False, best.cost)
    if best.status is not Status.OPTIMAL:
        return only
    candidates = find_candidates(problem, budget.part(LISTING_SHARE), every=True)
    if not candidates.complete or int(candidates.covers.sum()) > MAX_ENTRIES:
        return only
    found, complete = _all_sets(problem, candidates, best.cost + excess, budget)
    ordered = sorted((value, sum(rule.size for rule in rules), rules) for rules, value in found.items())
    sets = tuple((value, rules) for value, _, rules in ordered[:limit])
    return NearSets(sets or only.sets, max(1, len(ordered)), complete, best.cost)


def best_sets(problem: Problem, n_best: int, budget: Budget, seed: int = 0, n_jobs: int = 1) -> NearSets:
    """Return the best ``n_best`` decision sets; fewer if there are no more or the time is over."""
    level = problem.pricing.levels[0]
    rules = problem.table.n_rows * problem.table.n_classes + 1
    dearest = int(level.literal.sum()) + level.rule
    # No set without a superfluous rule costs more than all errors and a rule for every row.
    most = (
        rules * dearest
        + int(level.column.sum())
        + 2 * int((problem.table.weights * level.missed + level.of_all_claims(problem.table.weights)).sum())
    )
    excess = 0
    while True:
        found = near_sets(problem, excess, n_best, budget, seed, n_jobs)
        if found.n_sets >= n_best or not found.complete or excess >= most:
            return found
        excess = min(most, max(1, 2 * excess, level.rule // 4))


def _all_sets(
    problem: Problem, candidates: Candidates, most: int, budget: Budget
) -> tuple[dict[Rules, int], bool]:
    """Return the irredundant sets of candidates that cost at most ``most``, and whether these are all."""
    found: dict[Rules, int] = {}
    try:
        master = Master(problem, candidates, budget)
    except OutOfTimeError:
        return found, False
    weighed: set[bytes] = set()

    def weigh(members: NDArray[np.int64]) -> None:
        if members.tobytes() in weighed:
            return
        weighed.add(members.tobytes())
        rules = tuple(sorted(candidates.rules[k] for k in members))
        value = cost(problem, rules)
        if value is not None and value <= most and is_irredundant(problem, rules):
            found[rules] = value

    def limit() -> int:
        """Return the least cost of no interest: any cost once there are too many sets."""
        return most + 1 if len(found) <= MOST_SETS else -1

    outcome = search(master, 0, limit, weigh, lambda _: None, budget, lambda _: None, visit_all=True)
    complete = outcome.bound is None or outcome.bound > most
    return found, complete


def is_irredundant(problem: Problem, rules: Rules) -> bool:
    """Return whether every smaller set makes more errors or breaks a constraint."""
    before = _errors(problem, rules)
    assert before is not None
    for smaller in _smaller(rules):
        after = _errors(problem, smaller)
        if after is not None and after <= before:
            return False
    return True


def _smaller(rules: Rules) -> Iterator[Rules]:
    """Yield the set without each rule, and without each literal of a rule."""
    for rule in rules:
        rest = {*rules} - {rule}
        yield tuple(sorted(rest))
        for code in rule.literals:
            shorter = CodedRule.of(rule.target, [other for other in rule.literals if other != code])
            yield tuple(sorted({*rest, shorter}))


def _errors(problem: Problem, rules: Rules) -> int | None:
    """Return the cost of the errors of a set, or None if the set is not admissible."""
    if problem.objective.every_class and not {rule.target for rule in rules} >= {*problem.classes}:
        return None
    if broken(problem.table, problem.constraints, rules) is not None:
        return None
    if problem.hard:
        return 0 if cost(problem, rules) is not None else None
    _, values = level_values(problem, rules)
    return values[0] - _paid(problem, rules)


def _paid(problem: Problem, rules: Rules) -> int:
    """Return the prices of the rules and of their columns."""
    level = problem.pricing.levels[0]
    columns = {int(problem.constraints.column_of[code >> 1]) for rule in rules for code in rule.literals}
    return sum(level.of_rule(rule) for rule in rules) + sum(int(level.column[one]) for one in columns)
