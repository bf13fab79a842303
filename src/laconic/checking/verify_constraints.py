"""The checker for constraints: each constraint is checked, and the cost counted, row by row.

It shares no code with the engines or with `laconic.problem.constraints.evaluate`: plain loops over rules and
classes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from laconic.data.words import exact_fraction
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Counting, Problem


def constraint_violations(problem: Problem, rules: Sequence[CodedRule]) -> list[str]:
    """Return the constraints that the rules break, in words."""
    constraints = problem.constraints
    found = []
    for name, limit, value in (
        ("max_rules", constraints.max_rules, len(rules)),
        (
            "max_rule_length",
            constraints.max_rule_length,
            max([len(rule.literals) for rule in rules], default=0),
        ),
        ("max_literals", constraints.max_literals, sum(len(rule.literals) for rule in rules)),
        ("max_size", constraints.max_size, sum(len(rule.literals) + 1 for rule in rules)),
    ):
        if limit is not None and value > limit:
            found.append(f"{name} is {limit}, but the rules have {value}")
    found += [f"rule {rule} must be in" for rule in sorted(constraints.rules_in) if rule not in rules]
    found += [f"rule {rule} must be out" for rule in sorted(constraints.rules_out) if rule in rules]
    for group in constraints.required:
        if not any(code in group for rule in rules for code in rule.literals):
            found.append(f"no rule uses one of the required literals {sorted(group)}")
    claiming = np.zeros((problem.table.n_rows, problem.table.n_classes), bool)
    for rule, rows in _covers(problem, rules):
        claiming[rows, rule.target] = True
        for code in rule.literals:
            if not constraints.usable[rule.target][code // 2][code % 2]:
                found.append(f"rule {rule} uses literal {code}, which the constraints forbid")
        if rule not in constraints.rules_in:
            found += _weak(problem, rule, rows)
    if constraints.disjoint:
        found += [
            f"distinct row {row} is covered by rules of classes {np.flatnonzero(claiming[row]).tolist()}"
            for row in np.flatnonzero(claiming.sum(axis=1) > 1).tolist()
        ]
    return found


def recounted_cost(problem: Problem, rules: Sequence[CodedRule], otherwise: int | None = None) -> int:
    """Return the cost, counted from the rows up; ``otherwise`` is the class of the OTHERWISE line, if any."""
    levels, totals = problem.pricing.levels, _recounted(problem, rules, otherwise)
    return sum(level.weight * total for level, total in zip(levels, totals, strict=True))


def budget_violations(
    problem: Problem, rules: Sequence[CodedRule], otherwise: int | None = None
) -> list[str]:
    """Return the budgets that the rules exceed, in words."""
    prices, objective = problem.pricing, problem.objective
    found = []
    for part, total in zip(prices.parts, _recounted(problem, rules, otherwise), strict=True):
        limit = {"size": objective.size_budget, "errors": objective.max_errors}.get(part.name)
        if limit is not None and total / part.unit > exact_fraction(limit):
            found.append(f"{part.name} of {total / part.unit} exceed the limit {limit}")
    return found


def _recounted(problem: Problem, rules: Sequence[CodedRule], otherwise: int | None) -> list[int]:
    """Return the value of each level, counted from the rows up."""
    constraints, prices = problem.constraints, problem.pricing
    weights = problem.table.weights
    n_rows, n_classes = weights.shape
    lengths = np.full((n_classes, n_rows), np.inf)
    for rule, rows in _covers(problem, rules):
        lengths[rule.target, rows] = np.minimum(lengths[rule.target, rows], len(rule.literals))
    covering = np.isfinite(lengths)
    totals = [0] * len(prices.levels)
    for own in range(n_classes):
        weight, right = weights[:, own], covering[own]
        explained = int((weight[right] * lengths[own][right].astype(np.int64)).sum())
        missed = 0 if own == otherwise else int(weight[~right].sum())
        wrong = np.delete(covering, own, axis=0).any(axis=0)
        at_all = int(weight[~right | wrong].sum())
        claimed = {c: int(weight[covering[c]].sum()) for c in range(n_classes) if c != own}
        for k, level in enumerate(prices.levels):
            totals[k] += level.explained * explained
            if problem.hard:
                continue
            if problem.objective.counting is Counting.PER_ROW:
                totals[k] += at_all * int(level.missed[own])
            else:
                totals[k] += missed * int(level.missed[own])
                totals[k] += sum(
                    weight * int(level.claimed[own] * level.claiming[c]) for c, weight in claimed.items()
                )
    columns = {int(constraints.column_of[code // 2]) for rule in rules for code in rule.literals}
    for k, level in enumerate(prices.levels):
        totals[k] += level.rule * (len(rules) + (otherwise is not None))
        totals[k] += sum(int(level.literal[code // 2]) for rule in rules for code in rule.literals)
        totals[k] += sum(int(level.column[column]) for column in columns)
        totals[k] += level.longest * max([len(rule.literals) for rule in rules], default=0)
    return totals


def _weak(problem: Problem, rule: CodedRule, rows: NDArray[np.int64]) -> list[str]:
    """Return the shortfall of a rule in the required precision and support, in words."""
    constraints = problem.constraints
    found = []
    if not problem.table.weights[:, rule.target].any():
        found.append(f"rule {rule} is of a class without rows")
    samples = int(problem.table.samples[rows].sum())
    if samples < constraints.min_support:
        found.append(f"rule {rule} covers {samples} rows, fewer than {constraints.min_support}")
    if not problem.table.weights[rows, rule.target].any():
        found.append(f"rule {rule} covers no row of its class")
    right, total = int(constraints.seen[rows, rule.target].sum()), int(constraints.seen[rows].sum())
    if right < constraints.min_precision * total:
        found.append(f"rule {rule} is right on {right} of {total}, below {constraints.min_precision}")
    return found


def _covers(problem: Problem, rules: Sequence[CodedRule]) -> Iterator[tuple[CodedRule, NDArray[np.int64]]]:
    """Yield each rule with the rows that it covers."""
    true = np.ascontiguousarray(problem.table.matrix.T)
    false = ~true
    for rule in rules:
        agrees = np.ones(problem.table.n_rows, bool)
        for code in rule.literals:
            agrees &= (true if code % 2 == 1 else false)[code // 2]
        yield rule, np.flatnonzero(agrees)
