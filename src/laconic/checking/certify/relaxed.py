"""The problem of one class without the constraints that tie it to others: its best rules and their cost."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from laconic.checking import checker
from laconic.data.bits import pack
from laconic.runtime.budget import Budget
from laconic.runtime.native import kernels


def class_cost(problem: checker.ClassProblem, bodies: Sequence[Sequence[int]]) -> int:
    """Return the cost of the rules in one class's problem, without the constant."""
    covered = np.zeros(problem.holds.shape[1], bool)
    for body in bodies:
        covered |= problem.holds[np.searchsorted(problem.codes, np.array(body, np.int64))].all(axis=0)
    missed = problem.weight[problem.pos[~covered[problem.pos]]].sum()
    wrong = problem.weight[problem.neg[covered[problem.neg]]].sum()
    return int(missed + wrong) + sum(problem.price(len(body)) for body in bodies)


def separate_optimum(problem: checker.ClassProblem, budget: Budget) -> list[list[int]] | None:
    """Solve one class's problem as far as time allows; None where the native search cannot."""
    if not problem.rule_cost and (problem.hard or not problem.literal_cost):
        return None  # the native search requires a positive cost
    n_rows = problem.holds.shape[1]
    own, others = np.zeros(n_rows, np.int64), np.zeros(n_rows, np.int64)
    own[problem.pos], others[problem.neg] = problem.weight[problem.pos], problem.weight[problem.neg]
    # Each literal becomes a feature of its own, of which only the true side may be used.
    packed = pack(problem.holds)
    prices = problem.rule_cost, problem.literal_cost
    if problem.hard:
        literals = [2 * k + 1 for k in range(len(problem.codes))]
        cover = kernels.CoverSolver(packed, literals, problem.pos, problem.neg, *prices, 0)
        cover.advance(budget.native_seconds(), budget.stop_flag())
        return [[int(problem.codes[code // 2]) for code in body] for body in cover.best()]
    allowed = np.tile(np.array([False, True]), (len(problem.codes), 1))
    must = any(rows.size == 0 for rows in problem.some)
    kind = kernels.CompulsorySolver if must else kernels.SparseSolver
    solver = kind(packed, allowed, own, others, *prices)
    solver.advance(budget.native_seconds(), budget.stop_flag())
    return [[int(problem.codes[code // 2]) for code in body] for body in solver.best()]
