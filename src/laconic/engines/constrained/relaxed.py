"""The native search on the problem without what ties rules together.

Dropping demands only enlarges the choice, and lowering prices only makes sets cheaper, so the optimum of a
problem with the usable literals and error costs of the demands, one price per rule and the lowest price per
literal, is a bound. If its rules happen to meet the demands and cost the same, they are optimal: caps that
do not bind cost nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from laconic.budget import Budget
from laconic.data.table import grouped, pack_rows
from laconic.engines import schedule
from laconic.errors import InputError
from laconic.model.coded import CodedRule
from laconic.native import kernels
from laconic.objective import Problem


@dataclass(frozen=True)
class Relaxed:
    """What the native search found.

    Attributes
    ----------
    rules : list of CodedRule
    bound : int
        At the first level.
    """

    rules: list[CodedRule]
    bound: int


def solve_relaxed(problem: Problem, budget: Budget, seed: int) -> Relaxed | None:
    """Solve the problem class by class, without the demands that tie rules; None where that says nothing."""
    assert problem.demands is not None
    assert problem.pricing is not None
    table, first = problem.table, problem.pricing.levels[0]
    literal = int(first.literal.min()) if first.literal.size else first.rule
    free = not first.rule and (problem.hard or not literal)  # a cover of cost 0 is none to the native search
    if free or table.n_features > schedule.MAX_FEATURES:
        return None
    scale = 1 if problem.separable else 2 * max(1, len(problem.classes) - 1)
    dearest = max(first.rule, literal) * table.n_features * 2 * table.n_classes
    if not problem.hard:
        dearest = max(dearest, int(max(first.missed.max(), first.claimed.max())) * table.total_weight)
    if dearest * scale > schedule.MAX_COST:
        return None
    searches = {c: _search(problem, c, first.rule * scale, literal * scale, seed) for c in problem.classes}
    schedule.run(list(searches.values()), budget, lambda _: None, n_jobs=1)
    rules = [CodedRule.of(c, body) for c, search in searches.items() for body in search.best()]
    bound = sum(search.lower_bound for search in searches.values())
    return Relaxed(rules, -(-bound // scale))


def _search(problem: Problem, target: int, rule: int, literal: int, seed: int) -> schedule.Search:
    assert problem.demands is not None
    assert problem.pricing is not None
    table, first = problem.table, problem.pricing.levels[0]
    usable = np.ascontiguousarray(problem.demands.usable[target])
    own = table.weights[:, target]
    if problem.hard:
        return kernels.CoverSolver(
            table.bits,
            np.flatnonzero(usable.ravel()).tolist(),
            np.flatnonzero(own > 0),
            np.flatnonzero(own == 0),
            rule,
            literal,
            seed,
        )
    solver = kernels.CompulsorySolver if problem.objective.every_class else kernels.SparseSolver
    missed = own * first.missed[target]
    claimed = (table.weights @ first.claimed)[:, target]
    if not problem.separable:
        # Half of a row's error is its own class's fault, the others share the rest (see `exact.joint`).
        claimed = table.weights @ first.missed - missed
        missed = missed * max(1, len(problem.classes) - 1)
    missed, claimed = np.ascontiguousarray(missed), np.ascontiguousarray(claimed)
    return solver(table.bits, usable, missed, claimed, rule, literal)


def check_separable(problem: Problem, budget: Budget) -> None:
    """Refuse a perfect set that usable literals cannot make, as far as the time allows to see it.

    A row of another class cannot be excluded if it satisfies every usable literal of a row. Then both have
    the same values where both literals of a feature are usable, so only such rows are compared.
    """
    if not problem.hard:
        return
    assert problem.demands is not None
    matrix = problem.table.matrix
    for c in problem.classes:
        usable = problem.demands.usable[c]
        if usable.all():
            continue  # rows differ
        free = usable.all(axis=1)
        holds = np.concatenate([~matrix & usable[:, 0], matrix & usable[:, 1]], axis=1)
        group_of, _ = grouped(pack_rows(matrix[:, free]))
        own = problem.table.weights[:, c] > 0
        for group in np.intersect1d(group_of[own], group_of[~own]):
            members = group_of == group
            others = holds[members & ~own]
            for row in holds[members & own]:
                if budget.expired():
                    return
                if others[:, row].all(axis=1).any():
                    raise InputError(
                        "no decision set without avoidable errors meets the constraints "
                        f"({'; '.join(problem.demands.words)}): the conditions that may be used do not tell "
                        "the classes apart; loosen them or use objective='sparse'"
                    )
