"""One cap on rules, literals or size besides λ: the engine proves the optimum of the oracle."""

from __future__ import annotations

import itertools
import random
import time
from dataclasses import replace

import numpy as np
import pytest
from tests.support.constraint_oracle import optimum
from tests.support.constraint_problems import constrained_problem, constraints_with

from laconic.checking.verify import violations
from laconic.data.table import Table
from laconic.engines.api import Status, StopReason
from laconic.engines.fronts.capped import PER_RULE_AND_LITERAL, cap_of
from laconic.engines.registry import get
from laconic.problem.coded import CodedRule, rows_covered
from laconic.problem.objective import Objective, Problem
from laconic.runtime.budget import Budget

CAPS = ("max_rules", "max_literals", "max_size")
solve = get("exact")


def capped_problem(seed, cap):
    """A random table with forbidden conditions and costs of errors, and one cap that often binds."""
    chance = random.Random(f"{seed} {cap}")
    objective = Objective(regularization=chance.choice([0.01, 0.02, 0.1]))
    base = constrained_problem(seed, "nothing tied", objective)
    most = chance.randint(0, 2 if cap == "max_rules" else 4)
    constraints = replace(base.constraints.without_ties(), **{cap: most})
    return Problem.of(base.table, base.objective, constraints)


@pytest.mark.parametrize("cap", CAPS)
def test_the_optimum_under_a_cap_is_that_of_the_oracle(cap):
    binding = 0
    for seed in range(80):
        problem = capped_problem(seed, cap)
        assert cap_of(problem) is not None
        expected = optimum(problem)[0][0]
        found = solve(problem, budget=Budget(60))
        assert (found.status, found.cost) == (Status.OPTIMAL, expected), seed
        assert violations(problem, found.rules, found.cost, found.lower_bound) == []
        free = Problem.of(problem.table, problem.objective, problem.constraints.without_ties())
        binding += solve(free, budget=Budget(60)).cost < found.cost
    assert binding >= 5  # else the cap was not tested


def every_rule(n_features):
    return [
        tuple(2 * f + value for f, value in enumerate(values) if value is not None)
        for values in itertools.product((None, 0, 1), repeat=n_features)
    ]


def cheapest_by_amount(problem, target, amount_of, most):
    """The least cost of at most two rules of a class, for every amount up to a limit, by trying them all."""
    table, price = problem.table, problem.rule_price
    bodies = every_rule(table.n_features)
    covers = [rows_covered(CodedRule(target, body), table) for body in bodies]
    own = table.weights[:, target]
    others = table.weights.sum(axis=1) - own
    best = np.full(most + 1, int(own.sum()))
    for members in [
        *itertools.combinations(range(len(bodies)), 1),
        *itertools.combinations(range(len(bodies)), 2),
    ]:
        amount = sum(amount_of(len(bodies[k])) for k in members)
        if amount <= most:
            covered = np.any([covers[k] for k in members], axis=0)
            paid = sum(price(len(bodies[k])) for k in members)
            found = paid + int(own[~covered].sum() + others[covered].sum())
            best[amount:] = np.minimum(best[amount:], found)
    return best


@pytest.mark.parametrize(("cap", "most"), [("max_rules", 2), ("max_size", 4), ("max_literals", 1)])
def test_what_lies_between_prices_is_found(cap, most):
    """Noisy tables on which no price of the capped amount leads to the optimum, compared with all sets."""
    per_rule, per_literal = PER_RULE_AND_LITERAL[cap]
    closed = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        rows = rng.random((60, 4)) < 0.5
        table = Table.from_arrays(
            rows, (rows.sum(axis=1) % 3 == 1) ^ (rng.random(60) < 0.2), rng.integers(1, 9, 60)
        )
        objective = Objective(regularization=(0.005, 0.01, 0.02)[seed % 3])
        problem = Problem.of(table, objective, constraints_with(table, **{cap: most}))
        stairs = [
            cheapest_by_amount(problem, c, lambda n: per_rule + per_literal * n, most)
            for c in problem.classes
        ]
        expected = min(int(stairs[0][k] + stairs[1][most - k]) for k in range(most + 1))
        found = solve(problem, budget=Budget(60))
        assert (found.status, found.cost) == (Status.OPTIMAL, expected), seed
        closed += found.counts["closed"] > 0
    assert closed >= 2  # else prices alone sufficed


def noisy_problem(cap, most, n_rows=400, n_features=12):
    rng = np.random.default_rng(0)
    rows = rng.random((n_rows, n_features)) < 0.5
    labels = (rows[:, 0] & rows[:, 1] | rows[:, 2] & ~rows[:, 3]) ^ (rng.random(n_rows) < 0.15)
    table = Table.from_arrays(rows, labels.astype(int))
    return Problem.of(table, Objective(regularization=0.01), constraints_with(table, **{cap: most}))


@pytest.mark.parametrize(
    ("cap", "most"), [("max_rules", 0), ("max_rules", 2), ("max_literals", 4), ("max_size", 8)]
)
def test_a_cap_is_proved_within_the_work_of_a_fit(cap, most):
    found = solve(noisy_problem(cap, most), budget=Budget(20, clock=time.process_time))
    assert found.status is Status.OPTIMAL


def test_a_search_under_a_cap_without_time_has_a_set_and_says_why():
    found = solve(noisy_problem("max_rules", 3), budget=Budget(0.0))
    assert found.status is Status.FEASIBLE
    assert found.stop_reason is StopReason.TIME
