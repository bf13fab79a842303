"""The oracle: exhaustive search on tables of up to 16 rows.

For one class, dynamic programming explores all achievable unions of covers: ``cheapest[union]`` is the least
price of a set of rules whose covers together are exactly that set of rows. Of the rules with equal covers
only a shortest one is needed. Separable problems take the best union per class; the joint objective tries
every combination of unions. With an OTHERWISE line, each class is tried as the class of that line. There are
no bounds and no pruning by cost: the module is kept simple enough to be evidently correct.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from laconic.engines.api import OnProgress, Recorder, Solution, StopReason, conclude
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Default, Problem, cost
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError

MAX_ROWS = 16
MAX_FEATURES = 6

Bodies = tuple[tuple[int, ...], ...]


def solve(
    problem: Problem,
    *,
    budget: Budget,
    seed: int = 0,
    n_jobs: int = 1,
    on_progress: OnProgress | None = None,
    options: Mapping[str, Any] | None = None,
) -> Solution:
    """Try every decision set. The budget is ignored: large tables are refused instead."""
    if options:
        raise InputError(f"engine 'brute' takes no options, got {', '.join(options)}")
    table = problem.table
    if table.n_rows > MAX_ROWS or table.n_features > MAX_FEATURES:
        raise InputError(
            f"engine 'brute' takes at most {MAX_ROWS} unique rows and {MAX_FEATURES} binary features, "
            f"not {table.n_rows} x {table.n_features}; use engine='sat' or 'maxsat'"
        )
    bodies = _shortest_bodies(problem)
    unions = _cheapest_unions(problem, bodies)
    rules = _best_separate(problem, unions) if problem.separable else _best_joint(problem, unions)
    best = cost(problem, rules) or 0  # without a cost, `conclude` rejects the rules and says why
    recorder = Recorder(budget, on_progress)
    return conclude(
        problem, rules, best, StopReason.PROVED, recorder=recorder, counts={"unions": len(unions)}
    )


def _shortest_bodies(problem: Problem) -> dict[int, tuple[int, ...]]:
    """Map each coverable set of rows (as bits) to a shortest conjunction that covers it."""
    table = problem.table
    rows = table.matrix.tolist()
    bodies: dict[int, tuple[int, ...]] = {}
    choices = [[None, *[2 * f + v for v in (0, 1) if table.allowed[f, v]]] for f in range(table.n_features)]
    for picked in itertools.product(*choices):
        body = tuple(code for code in picked if code is not None)
        cover = 0
        for i, row in enumerate(rows):
            if all(row[code // 2] == code % 2 for code in body):
                cover |= 1 << i
        if cover not in bodies or len(body) < len(bodies[cover]):
            bodies[cover] = body
    return bodies


def _cheapest_unions(problem: Problem, bodies: dict[int, tuple[int, ...]]) -> dict[int, tuple[int, Bodies]]:
    """Map each achievable union of covers to (price, bodies) of its cheapest set of rules.

    With ``every_class`` a set has at least one rule.
    """
    unions: dict[int, tuple[int, Bodies]] = {0: (0, ())}
    # Adding rules one at a time in a fixed order reaches every set of rules once; sets of equal union merge.
    for cover, body in bodies.items():
        price = problem.rule_price(len(body))
        for union, (paid, chosen) in list(unions.items()):
            merged = union | cover
            if merged not in unions or paid + price < unions[merged][0]:
                unions[merged] = (paid + price, (*chosen, body))
    if problem.objective.every_class:
        del unions[0]
    return unions


def _best_separate(problem: Problem, unions: dict[int, tuple[int, Bodies]]) -> list[CodedRule]:
    weights = problem.table.weights.tolist()
    found: dict[int, tuple[int, Bodies]] = {}
    for c in problem.classes:
        best: tuple[int, Bodies] | None = None
        for union, (paid, chosen) in unions.items():
            wrong = sum(
                sum(weight) - weight[c] if union >> i & 1 else weight[c] for i, weight in enumerate(weights)
            )
            if problem.hard and wrong:
                continue
            covers_own = any(union >> i & 1 and weight[c] for i, weight in enumerate(weights))
            if problem.objective.every_class and not covers_own:
                continue
            total = problem.error_cost * wrong + paid
            if best is None or total < best[0]:
                best = (total, chosen)
        if best is not None:
            found[c] = best
    explained = list(problem.classes)
    if problem.objective.default is Default.OTHERWISE:
        explained = _best_explained(problem, found)
    # A class without a perfect set: `conclude` says why.
    return [CodedRule.of(c, body) for c in explained if c in found for body in found[c][1]]


def _best_explained(problem: Problem, found: dict[int, tuple[int, Bodies]]) -> list[int]:
    """Try each class as that of the OTHERWISE line; return the rules of all others in the cheapest case."""
    weights = problem.table.weights
    cases = []
    for given in problem.classes:
        others = [c for c in problem.classes if c != given]
        possible = all(c in found for c in others)
        paid = sum(found[c][0] for c in others) if possible else 0
        cases.append((not possible, paid, -int(weights[:, given].sum()), given, others))
    return min(cases)[-1]


def _best_joint(problem: Problem, unions: dict[int, tuple[int, Bodies]]) -> list[CodedRule]:
    weights = problem.table.weights.tolist()
    best: tuple[int, list[CodedRule]] | None = None
    for combination in itertools.product(unions.items(), repeat=len(problem.classes)):
        covers = dict(zip(problem.classes, (union for union, _ in combination), strict=True))
        total = sum(paid for _, (paid, _) in combination)
        if best is not None and total >= best[0]:
            continue
        for i, weight in enumerate(weights):
            claiming = {c for c, cover in covers.items() if cover >> i & 1}
            total += problem.error_cost * sum(w for own, w in enumerate(weight) if claiming != {own})
        if best is None or total < best[0]:
            rules = [
                CodedRule.of(c, body)
                for c, (_, (_, chosen)) in zip(problem.classes, combination, strict=True)
                for body in chosen
            ]
            best = (total, rules)
    assert best is not None
    return best[1]
