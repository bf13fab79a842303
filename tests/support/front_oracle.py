"""Fronts and near-optimal sets by trying everything, for tables of a dozen rows."""

from __future__ import annotations

import itertools

import numpy as np
from tests.support.priced import priced

from laconic.engines.brute import _cheapest_unions, _shortest_bodies
from laconic.problem.coded import CodedRule
from laconic.problem.objective import cost, errors


def staircase(table, max_size):
    """The fewest errors of a decision set of size at most k, for every k up to max_size."""
    return _sum(stairs_of_classes(table, max_size), max_size)


def staircase_with_otherwise(table, max_size):
    """The same with an OTHERWISE line, of size 1 and for any class with rows: for every k from 1 on."""
    stairs = stairs_of_classes(table, max_size - 1)
    with_rows = np.flatnonzero(table.weights.any(axis=0))
    return np.min([_sum(stairs[:d] + stairs[d + 1 :], max_size - 1) for d in with_rows], axis=0)


def _sum(stairs, max_size):
    total = np.zeros(max_size + 1, np.int64)
    for best in stairs:
        total = np.array([min(total[k - j] + best[j] for j in range(k + 1)) for k in range(max_size + 1)])
    return total


def stairs_of_classes(table, max_size):
    """The fewest errors of the rules of each class, by size."""
    found = []
    # One unit of size costs 1, so that the oracle's prices are sizes.
    by_size = priced(table)
    unions = _cheapest_unions(by_size, _shortest_bodies(by_size))
    covers = {union: np.array([union >> i & 1 for i in range(table.n_rows)], dtype=bool) for union in unions}
    for target in range(table.n_classes):
        own = table.weights[:, target]
        others = table.weights.sum(axis=1) - own
        best = np.full(max_size + 1, own.sum())
        for union, (size, _) in unions.items():
            if size <= max_size:
                wrong = own[~covers[union]].sum() + others[covers[union]].sum()
                best[size:] = np.minimum(best[size:], wrong)
        found.append(best)
    return found


def every_rule(table, target):
    """All rules of a class, useless ones too."""
    choices = [[None, *[2 * f + v for v in (0, 1) if table.allowed[f, v]]] for f in range(table.n_features)]
    return [
        CodedRule.of(target, [code for code in picked if code is not None])
        for picked in itertools.product(*choices)
    ]


def is_irredundant(table, rules):
    """Whether leaving out any rule, or any literal of a rule, makes more errors."""
    counted = priced(table)
    before = errors(counted, rules)
    for rule in rules:
        rest = [other for other in rules if other != rule]
        shorter = [[code for code in rule.literals if code != out] for out in rule.literals]
        without = [rest, *([*rest, CodedRule.of(rule.target, codes)] for codes in shorter)]
        if any(errors(counted, one) <= before for one in without):
            return False
    return True


def near_optimal(problem, limit):
    """All irredundant sets that cost at most the limit: (cost, rules), sorted."""
    rules = [rule for target in problem.classes for rule in every_rule(problem.table, target)]
    found = []

    def extend(start, chosen, paid):
        total = cost(problem, chosen)
        if total is not None and total <= limit and is_irredundant(problem.table, chosen):
            found.append((total, tuple(sorted(chosen))))
        for k in range(start, len(rules)):
            price = problem.rule_price(len(rules[k].literals))
            if paid + price <= limit:
                extend(k + 1, [*chosen, rules[k]], paid + price)

    extend(0, [], 0)
    return sorted(found)


def irredundant_sets(problem, limit):
    """The same for any objective: every smaller set is inadmissible or makes more errors."""
    rules = [rule for target in problem.classes for rule in every_rule(problem.table, target)]
    found = []

    def extend(start, chosen, paid):
        total = cost(problem, chosen)
        if total is not None and total <= limit and nothing_can_go(problem, chosen):
            found.append((total, tuple(sorted(chosen))))
        for k in range(start, len(rules)):
            price = problem.rule_price(len(rules[k].literals))
            if paid + price <= limit:
                extend(k + 1, [*chosen, rules[k]], paid + price)

    extend(0, [], 0)
    return sorted(found)


def nothing_can_go(problem, rules):
    """Whether every set with a rule or a literal less is inadmissible or makes more errors."""
    before = errors(problem, rules)
    for rule in rules:
        rest = [other for other in rules if other != rule]
        shorter = [[code for code in rule.literals if code != out] for out in rule.literals]
        for smaller in (rest, *([*rest, CodedRule.of(rule.target, codes)] for codes in shorter)):
            distinct = sorted(set(smaller))
            if cost(problem, distinct) is not None and errors(problem, distinct) <= before:
                return False
    return True
