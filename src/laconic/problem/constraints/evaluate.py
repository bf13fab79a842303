"""The cost of a decision set under constraints, and the constraint that it breaks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from laconic.data.table import Table
from laconic.problem.coded import CodedRule, rows_covered
from laconic.problem.constraints.compiled import CompiledConstraints, Prices
from laconic.runtime.native import kernels


def broken(table: Table, constraints: CompiledConstraints, rules: Sequence[CodedRule]) -> str | None:
    """Return the first constraint that the rules break, or None."""
    lengths = [len(rule.literals) for rule in rules]
    for name, limit, value in (
        ("max_rules", constraints.max_rules, len(rules)),
        ("max_rule_length", constraints.max_rule_length, max(lengths, default=0)),
        ("max_literals", constraints.max_literals, sum(lengths)),
        ("max_size", constraints.max_size, sum(lengths) + len(rules)),
    ):
        if limit is not None and value > limit:
            return name
    if not constraints.rules_in <= set(rules):
        return "rules_in"
    used = {code for rule in rules for code in rule.literals}
    if any(not used & group for group in constraints.required):
        return "required"
    claims = np.zeros((table.n_classes, table.n_rows), bool)
    for rule in rules:
        covered = rows_covered(rule, table)
        if not _admissible(table, constraints, rule, covered):
            return "a rule that is not admissible"
        claims[rule.target] |= covered
    if constraints.disjoint and (claims.sum(axis=0) > 1).any():
        return "disjoint"
    return None


def admissible(table: Table, constraints: CompiledConstraints, rule: CodedRule) -> bool:
    """Return whether some admissible set could contain the rule, as far as the rule alone decides that."""
    return _admissible(table, constraints, rule, rows_covered(rule, table))


def _admissible(
    table: Table, constraints: CompiledConstraints, rule: CodedRule, covered: NDArray[np.bool_]
) -> bool:
    if rule in constraints.rules_out:
        return False
    if any(not constraints.usable[rule.target, code >> 1, code & 1] for code in rule.literals):
        return False
    if constraints.max_rule_length is not None and len(rule.literals) > constraints.max_rule_length:
        return False
    if rule in constraints.rules_in:
        return True
    if not good_enough(table, constraints, rule.target, covered):
        return False
    return bool(table.weights[:, rule.target].any())  # a class without rows explains nothing


def good_enough(
    table: Table, constraints: CompiledConstraints, target: int, covered: NDArray[np.bool_]
) -> bool:
    """Return whether a rule of the class with this cover has the required precision and support.

    Every rule has to cover a row of its class.
    """
    rows = np.flatnonzero(covered)
    if int(table.samples[rows].sum()) < constraints.min_support or not table.weights[rows, target].any():
        return False
    weights = constraints.seen[rows].sum(axis=0)
    asked = constraints.min_precision
    return int(weights[target]) * asked.denominator >= asked.numerator * int(weights.sum())


def level_value(
    table: Table,
    constraints: CompiledConstraints,
    prices: Prices,
    rules: Sequence[CodedRule],
    *,
    per_row: bool,
) -> int:
    """Return the cost of the rules at one level."""
    value = sum(prices.of_rule(rule) for rule in rules)
    if prices.counts_errors:
        value += _faults(table, prices, coverage(table, rules), per_row=per_row)
    if prices.column.any():
        columns = {int(constraints.column_of[code >> 1]) for rule in rules for code in rule.literals}
        value += sum(int(prices.column[column]) for column in columns)
    if prices.longest:
        value += prices.longest * max((len(rule.literals) for rule in rules), default=0)
    if prices.explained:
        value += prices.explained * _explained(table, rules)
    return value


def _faults(table: Table, prices: Prices, claimed: NDArray[np.bool_], *, per_row: bool) -> int:
    missed = table.weights * prices.missed
    if per_row:
        by_others = claimed.sum(axis=1, keepdims=True) - claimed > 0
        return int(np.where(~claimed | by_others, missed, 0).sum())
    return int(np.where(claimed, prices.of_all_claims(table.weights), missed).sum())


def _explained(table: Table, rules: Sequence[CodedRule]) -> int:
    """Return the literals of the shortest right rule of each row, times the weight of the row."""
    shortest = np.zeros((table.n_rows, table.n_classes), np.int64)
    for rule in sorted(rules, key=lambda rule: -len(rule.literals)):
        shortest[np.flatnonzero(rows_covered(rule, table)), rule.target] = len(rule.literals)
    return int((table.weights * shortest).sum())


def coverage(table: Table, rules: Sequence[CodedRule]) -> NDArray[np.bool_]:
    """Return, for each row and class, whether a rule of the class covers the row."""
    targets, bodies = [rule.target for rule in rules], [rule.literals for rule in rules]
    return kernels.rows_of_classes(table.bits, table.n_rows, table.n_classes, targets, bodies)


def measure_value(
    table: Table, constraints: CompiledConstraints, measure: str, rules: Sequence[CodedRule]
) -> int:
    """Return one measure of the rules, unweighted; the average length times the total weight."""
    lengths = [len(rule.literals) for rule in rules]
    match measure:
        case "rules":
            return len(rules)
        case "literals":
            return sum(lengths)
        case "longest":
            return max(lengths, default=0)
        case "features":
            return len({int(constraints.column_of[code >> 1]) for rule in rules for code in rule.literals})
        case "average_length":
            return _explained(table, rules)
    return sum(lengths) + len(rules)
