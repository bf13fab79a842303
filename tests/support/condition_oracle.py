"""The optimum over every threshold and every group of categories, from the values of rows themselves.

The oracle knows nothing of binary features. A rule is a choice per column: an interval of a column of
numbers, which costs a literal per end, or a group of categories. Of rules with equal covers only a shortest
one is needed. For one class, dynamic programming over unions of covers finds the cheapest set of rules for
each union.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from laconic.problem.objective import Default, Problem

Choices = list[tuple[int, int]]
"""Rows that a choice on a column covers, as bits, and its number of literals."""


def number_choices(values: Sequence[float]) -> Choices:
    """Return every interval of a column of numbers; missing values (NaN) are in none but the whole."""
    numbers = np.array(values, float)
    known = np.unique(numbers[~np.isnan(numbers)]).tolist()
    lows, highs = [-np.inf, *known[:-1]], [*known[:-1], np.inf]
    choices = [(_bits(np.ones(numbers.size, bool)), 0)]
    for low, high in itertools.product(lows, highs):
        n_literals = int(low > -np.inf) + int(high < np.inf)
        if n_literals:
            choices.append((_bits((numbers > low) & (numbers <= high)), n_literals))
    if np.isnan(numbers).any():
        choices += [(_bits(np.isnan(numbers)), 1), (_bits(~np.isnan(numbers)), 1)]
    return choices


def category_choices(values: Sequence[str], sizes: Sequence[int]) -> Choices:
    """Return the groups of categories with so many members, as one literal each."""
    known = sorted(set(values))
    choices = [((1 << len(values)) - 1, 0)]
    for size in sizes:
        for members in itertools.combinations(known, size):
            choices.append((_bits(np.array([value in members for value in values])), 1))
    return choices


def optimum(problem: Problem, choices: Sequence[Choices]) -> int | None:
    """Return the least cost of a decision set, or None if there is no perfect one.

    Parameters
    ----------
    problem : Problem
        For its prices and weights; `choices` are over its unique rows.
    choices : sequence
        By column.
    """
    shortest: dict[int, int] = {}
    for picked in itertools.product(*choices):
        cover = (1 << problem.table.n_rows) - 1
        for rows, _ in picked:
            cover &= rows
        length = sum(n for _, n in picked)
        shortest[cover] = min(length, shortest.get(cover, length))
    unions = {0: 0}
    for cover, length in shortest.items():
        price = problem.rule_price(length)
        for union, paid in list(unions.items()):
            merged = union | cover
            if paid + price < unions.get(merged, paid + price + 1):
                unions[merged] = paid + price
    if not problem.separable:
        return _joint(problem, unions)
    costs = [_of_class(problem, unions, c) for c in problem.classes]
    if problem.objective.default is not Default.OTHERWISE:
        return None if None in costs else sum(cost for cost in costs if cost is not None)
    totals = []
    for given in range(len(costs)):
        others = [cost for c, cost in enumerate(costs) if c != given]
        if None not in others:
            totals.append(problem.rule_price(0) + sum(cost for cost in others if cost is not None))
    return min(totals, default=None)


def _of_class(problem: Problem, unions: dict[int, int], c: int) -> int | None:
    best = None
    for union, paid in unions.items():
        covered = _rows(union, problem.table.n_rows)
        own = problem.table.weights[:, c]
        others = problem.table.weights.sum(axis=1) - own
        wrong = int(own[~covered].sum() + others[covered].sum())
        if (problem.hard and wrong) or (problem.objective.every_class and not (covered & (own > 0)).any()):
            continue
        total = problem.error_cost * wrong + paid
        best = total if best is None else min(best, total)
    return best


def _joint(problem: Problem, unions: dict[int, int]) -> int:
    weights, best = problem.table.weights, None
    covers = [(_rows(union, problem.table.n_rows), paid) for union, paid in unions.items()]
    for chosen in itertools.product(covers, repeat=len(problem.classes)):
        total = sum(paid for _, paid in chosen)
        if best is not None and total >= best:
            continue
        claimed = np.array([cover for cover, _ in chosen])
        for own, c in enumerate(problem.classes):
            wrong = ~claimed[own] | (claimed.sum(axis=0) > claimed[own])
            total += problem.error_cost * int(weights[wrong, c].sum())
        best = total if best is None else min(best, total)
    assert best is not None
    return best


def _bits(rows: np.ndarray) -> int:
    return sum(1 << i for i in np.flatnonzero(rows).tolist())


def _rows(bits: int, n_rows: int) -> np.ndarray:
    return np.array([bits >> i & 1 for i in range(n_rows)], bool)
