"""What a decision set costs under demands, and which demand it breaks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from laconic.data.table import Table
from laconic.demands.demands import Demands, Prices
from laconic.model.coded import CodedRule, rows_covered


def broken(table: Table, demands: Demands, rules: Sequence[CodedRule]) -> str | None:
    """Return the first demand that the rules break, or None."""
    lengths = [len(rule.literals) for rule in rules]
    for name, limit, value in (
        ("max_rules", demands.max_rules, len(rules)),
        ("max_rule_length", demands.max_rule_length, max(lengths, default=0)),
        ("max_literals", demands.max_literals, sum(lengths)),
        ("max_size", demands.max_size, sum(lengths) + len(rules)),
    ):
        if limit is not None and value > limit:
            return name
    if not demands.rules_in <= set(rules):
        return "rules_in"
    used = {code for rule in rules for code in rule.literals}
    if any(not used & group for group in demands.required):
        return "required"
    claims = np.zeros((table.n_classes, table.n_rows), bool)
    for rule in rules:
        covered = rows_covered(rule, table)
        if not _admissible(table, demands, rule, covered):
            return "a rule that is not admissible"
        claims[rule.target] |= covered
    if demands.disjoint and (claims.sum(axis=0) > 1).any():
        return "disjoint"
    return None


def admissible(table: Table, demands: Demands, rule: CodedRule) -> bool:
    """Whether the rule may be in a set, whatever else is."""
    return _admissible(table, demands, rule, rows_covered(rule, table))


def _admissible(table: Table, demands: Demands, rule: CodedRule, covered: NDArray[np.bool_]) -> bool:
    if rule in demands.rules_out:
        return False
    if any(not demands.usable[rule.target, code >> 1, code & 1] for code in rule.literals):
        return False
    if demands.max_rule_length is not None and len(rule.literals) > demands.max_rule_length:
        return False
    if rule in demands.rules_in:
        return True
    if not good_enough(table, demands, rule.target, covered):
        return False
    return bool(table.weights[:, rule.target].any())  # a class without rows explains nothing


def good_enough(table: Table, demands: Demands, target: int, covered: NDArray[np.bool_]) -> bool:
    """Whether a rule of the class with this cover has the precision and support asked for."""
    rows = np.flatnonzero(covered)
    if int(table.samples[rows].sum()) < demands.min_support or not rows.size:
        return False
    weights = demands.seen[rows].sum(axis=0)
    asked = demands.min_precision
    return int(weights[target]) * asked.denominator >= asked.numerator * int(weights.sum())


def level_value(
    table: Table, demands: Demands, prices: Prices, rules: Sequence[CodedRule], *, per_row: bool
) -> int:
    """Return what the rules cost at one level."""
    shortest = np.full((table.n_rows, table.n_classes), -1, np.int64)
    for rule in sorted(rules, key=lambda rule: -len(rule.literals)):
        shortest[np.flatnonzero(rows_covered(rule, table)), rule.target] = len(rule.literals)
    claimed = shortest >= 0
    weights = table.weights
    if per_row:
        by_others = claimed.sum(axis=1, keepdims=True) - claimed > 0
        faults = int(np.where(~claimed | by_others, weights * prices.missed, 0).sum())
    else:
        faults = int(np.where(claimed, weights @ prices.claimed, weights * prices.missed).sum())
    columns = {int(demands.column_of[code >> 1]) for rule in rules for code in rule.literals}
    longest = max((len(rule.literals) for rule in rules), default=0)
    return (
        faults
        + sum(prices.of_rule(rule) for rule in rules)
        + sum(int(prices.column[column]) for column in columns)
        + prices.longest * longest
        + prices.explained * int((weights * np.maximum(shortest, 0)).sum())
    )


def measure_value(table: Table, demands: Demands, measure: str, rules: Sequence[CodedRule]) -> int:
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
            return len({int(demands.column_of[code >> 1]) for rule in rules for code in rule.literals})
        case "average_length":
            zero = np.zeros(1, np.int64)
            nothing = Prices(
                1,
                np.zeros(table.n_classes, np.int64),
                np.zeros((table.n_classes, table.n_classes), np.int64),
                0,
                np.zeros(table.n_features, np.int64),
                np.resize(zero, demands.n_columns),
                explained=1,
            )
            return level_value(table, demands, nothing, rules, per_row=False)
    return sum(lengths) + len(rules)
