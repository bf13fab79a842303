"""Certificates of small tables, and what is true of these tables by trying everything."""

from __future__ import annotations

import itertools

import numpy as np

from laconic.checking import checker
from laconic.checking.certify.certify import with_proofs
from laconic.data.table import table_digest
from laconic.data.words import as_fraction
from laconic.engines.registry import get
from laconic.problem.objective import Kind, Problem, otherwise_class
from laconic.runtime.budget import Budget


def facts(table, objective, rules, cost):
    """What a certificate says of a table, without the words of a data file."""
    share = as_fraction(objective.regularization)
    otherwise = otherwise_class(Problem.of(table, objective), rules)
    return {
        "table_digest": table_digest(table),
        "objective": objective.kind.value,
        "counting": objective.counting.value,
        "every_class": objective.every_class,
        **({} if otherwise is None else {"otherwise": otherwise}),
        "regularization": [share.numerator, share.denominator] if objective.kind is Kind.SPARSE else None,
        "cost": cost,
        "rules": [[rule.target, *rule.literals] for rule in rules],
    }


def certified(table, objective, engine="brute"):
    """Solve a table and certify the answer: (document, solution)."""
    solution = get(engine)(Problem.of(table, objective), budget=Budget(60))
    return with_proofs(facts(table, objective, solution.rules, solution.cost), table, Budget(None)), solution


def sealed(document):
    """The same document under a seal of its own."""
    return {**document, "seal": checker.seal(document)}


def optimum(problem):
    """The cheapest set of one class's problem, by trying every union of covers."""
    n_rows = problem.holds.shape[1]
    features = sorted({int(code) // 2 for code in problem.codes})
    positions = {int(code): k for k, code in enumerate(problem.codes)}
    choices = [[None, *(c for c in (2 * f, 2 * f + 1) if c in positions)] for f in features]
    cheapest = {}
    for picked in itertools.product(*choices):
        body = [positions[code] for code in picked if code is not None]
        cover = problem.holds[body].all(axis=0) if body else np.ones(n_rows, bool)
        price = problem.price(len(body))
        cheapest[cover.tobytes()] = min(price, cheapest.get(cover.tobytes(), price))
    unions = {np.zeros(n_rows, bool).tobytes(): 0}
    for cover, price in cheapest.items():
        for union, paid in list(unions.items()):
            both = (np.frombuffer(union, bool) | np.frombuffer(cover, bool)).tobytes()
            unions[both] = min(paid + price, unions.get(both, paid + price))
    unions[np.zeros(n_rows, bool).tobytes()] = 0
    best = None
    must_choose = any(rows.size == 0 for rows in problem.some)
    for union, paid in unions.items():
        covered = np.frombuffer(union, bool)
        missed, wrong = problem.pos[~covered[problem.pos]], problem.neg[covered[problem.neg]]
        if problem.hard and (missed.size or wrong.size):
            continue
        if must_choose and not covered.any():
            paid = min((p for c, p in cheapest.items() if c == union), default=None)
            if paid is None:
                continue
        cost = paid + int(problem.weight[missed].sum() + problem.weight[wrong].sum())
        best = cost if best is None else min(best, cost)
    return best
