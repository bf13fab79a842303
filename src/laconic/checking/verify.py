"""The checker: recounts every answer from the rows up, sharing no code with any engine.

It uses neither the kernels, nor the cost function, nor `rows_covered`: it evaluates every rule on every row
and counts errors row by row, so that it cannot share a bug with the fast path.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from laconic.checking.verify_constraints import budget_violations, constraint_violations, recounted_cost
from laconic.data.table import Table
from laconic.data.words import exact_fraction
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Counting, Default, Problem


def recount(problem: Problem, rules: Sequence[CodedRule]) -> tuple[int, int, int]:
    """Return (errors, literals, rules) counted from the rows up, the OTHERWISE line among the rules."""
    table = problem.table
    claimed = _claimed(table, rules)
    missed, by_others = ~claimed, claimed.sum(axis=0) - claimed
    otherwise = otherwise_class(problem, rules)
    if otherwise is not None:
        missed[otherwise] = False
    # A row of a class is missed, claimed by others, or both; and a row may have weight in several classes.
    faults = by_others + missed
    if not problem.hard and problem.objective.counting is Counting.PER_ROW:
        faults = np.minimum(faults, 1)
    wrong = int((table.weights * faults.T).sum())
    literals = sum(len(rule.literals) for rule in rules)
    return wrong, literals, len(rules) + (problem.objective.default is Default.OTHERWISE)


def otherwise_class(problem: Problem, rules: Sequence[CodedRule]) -> int | None:
    """Return the class that the OTHERWISE line gives: the heaviest without rules, the first of equals."""
    if problem.objective.default is not Default.OTHERWISE:
        return None
    prices = problem.pricing.levels[problem.pricing.faults].missed.tolist()
    best, most = None, -1
    for c in problem.classes:
        if all(rule.target != c for rule in rules):
            weight = sum(problem.table.weights[:, c].tolist()) * (1 if problem.hard else prices[c])
            if weight > most:
                best, most = c, weight
    return best


def _claimed(table: Table, rules: Sequence[CodedRule]) -> NDArray[np.bool_]:
    """Return, for each class and row, whether a rule of the class covers the row.

    A set of rows is the bits of one Python number here, exact at any length and quick for thousands of rules.
    """
    everyone = (1 << table.n_rows) - 1
    holds: dict[int, int] = {}  # by literal
    claimed = [0] * table.n_classes
    for rule in rules:
        agree = everyone
        for code in rule.literals:
            if code not in holds:
                feature, wanted = divmod(code, 2)
                true = int.from_bytes(table.bits[feature].tobytes(), "little")
                holds[code] = true if wanted else true ^ everyone
            agree &= holds[code]
        claimed[rule.target] |= agree
    n_bytes = (table.n_rows + 7) // 8
    rows = np.frombuffer(b"".join(set_.to_bytes(n_bytes, "little") for set_ in claimed), np.uint8)
    bits = np.unpackbits(
        rows.reshape(table.n_classes, n_bytes), axis=1, count=table.n_rows, bitorder="little"
    )
    return bits.astype(bool)


def violations(
    problem: Problem, rules: Sequence[CodedRule], cost: int | None = None, lower_bound: int | None = None
) -> list[str]:
    """Return the faults of an answer; an empty list means that it is valid.

    Parameters
    ----------
    problem : Problem
    rules : sequence of CodedRule
    cost : int, optional
        What the engine claims the rules cost.
    lower_bound : int, optional
        What the engine claims no set can beat.
    """
    table, objective = problem.table, problem.objective
    found = []
    allowed = table.allowed.ravel().tolist()  # by literal
    for rule in rules:
        if not 0 <= rule.target < table.n_classes:
            return [f"rule {rule} predicts an unknown class"]
        if rule.literals and not 0 <= min(rule.literals) <= max(rule.literals) < len(allowed):
            return [f"rule {rule} uses an unknown feature"]
        if len({code // 2 for code in rule.literals}) < len(rule.literals):
            found.append(f"rule {rule} uses a feature twice")
        found += [
            f"rule {rule} uses literal {code}, which is not allowed"
            for code in rule.literals
            if not allowed[code]
        ]
    if len(set(rules)) < len(rules):
        found.append("a rule is listed twice")
    wrong, literals, n_rules = recount(problem, rules)
    if problem.hard and wrong:
        found.append(f"errors of weight {wrong} that a perfect set avoids")
    if objective.default is Default.OTHERWISE and otherwise_class(problem, rules) is None:
        found.append("every class has a rule, so that none is left for OTHERWISE")
    if objective.every_class:
        own = _claimed(problem.table, rules) & (problem.table.weights.T > 0)
        for rule in problem.constraints.rules_in:  # a rule that the user requires, whatever it covers
            own[rule.target] = True
        found += [
            f"class {c} has no rule that covers a row of it" for c in problem.classes if not own[c].any()
        ]
    actual = problem.error_cost * wrong + problem.literal_cost * literals + problem.rule_cost * n_rules
    if not problem.constraints.any_set:
        otherwise = otherwise_class(problem, rules)
        found += constraint_violations(problem, rules) + budget_violations(problem, rules, otherwise)
        actual = recounted_cost(problem, rules, otherwise)
    else:
        found += _over_budget(problem, wrong, literals + n_rules)
    if cost is not None and cost != actual:
        found.append(f"claimed cost {cost}, recounted {actual}")
    if lower_bound is not None and lower_bound > actual:
        found.append(f"claimed lower bound {lower_bound} exceeds the cost {actual} of its own rules")
    return found


def _over_budget(problem: Problem, errors: int, size: int) -> list[str]:
    objective, table = problem.objective, problem.table
    found = []
    if objective.size_budget is not None and size > objective.size_budget:
        found.append(f"size {size} exceeds the limit {objective.size_budget}")
    if objective.max_errors is not None and errors / table.scale > exact_fraction(objective.max_errors):
        found.append(f"errors of weight {errors / table.scale} exceed the limit {objective.max_errors}")
    return found
