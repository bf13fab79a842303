"""The optimum with an OTHERWISE line by definition: every class for it, every union of covers for others."""

from __future__ import annotations

import itertools


def optimum(problem):
    """Return the least cost and all classes that OTHERWISE gives in a set that costs so much."""
    table, level = problem.table, problem.pricing.levels[0]
    weights = table.weights.tolist()
    with_rows = [c for c in range(table.n_classes) if any(row[c] for row in weights)]
    unions = {c: _unions(problem, c) for c in with_rows}
    costs = {}
    for d in with_rows:
        others = [c for c in with_rows if c != d]
        for chosen in itertools.product(*(unions[c].items() for c in others)):
            covered = dict(zip(others, (union for union, _ in chosen), strict=True))
            paid = sum(price for _, price in chosen) + level.rule
            wrong = 0
            for i, row in enumerate(weights):
                for own, weight in enumerate(row):
                    claims = [c for c in others if c != own and i in covered[c]]
                    is_missed = own in others and i not in covered[own]
                    if problem.hard:
                        wrong += weight * (len(claims) + is_missed)
                        continue
                    paid += weight * sum(int(level.claimed[own] * level.claiming[c]) for c in claims)
                    paid += weight * int(level.missed[own]) * is_missed
            if not wrong:
                costs[d] = min(paid, costs.get(d, paid))
    least = min(costs.values())
    return least, {d for d, paid in costs.items() if paid == least}


def _unions(problem, target):
    """The least price of rules of a class that together cover exactly these rows."""
    table, level, usable = problem.table, problem.pricing.levels[0], problem.constraints.usable[target]
    rows = table.matrix.tolist()
    choices = [[None, *(value for value in (0, 1) if usable[f, value])] for f in range(table.n_features)]
    rules = {}
    for picked in itertools.product(*choices):
        body = [(f, value) for f, value in enumerate(picked) if value is not None]
        cover = frozenset(i for i, row in enumerate(rows) if all(row[f] == value for f, value in body))
        price = level.rule + sum(int(level.literal[f]) for f, _ in body)
        rules[cover] = min(price, rules.get(cover, price))
    unions = {frozenset(): 0}
    for cover, price in rules.items():
        for union, paid in list(unions.items()):
            both = union | cover
            unions[both] = min(paid + price, unions.get(both, paid + price))
    return unions
