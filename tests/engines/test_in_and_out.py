"""Rules that must be in the set, and rules that must not: the engine proves the optimum of the oracle."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from tests.support.constraint_oracle import optimum
from tests.support.constraint_problems import constrained_problem

from laconic.checking.verify import violations
from laconic.engines.api import Status
from laconic.engines.exact.in_and_out import is_in_and_out
from laconic.engines.registry import get
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Objective, Problem
from laconic.runtime.budget import Budget

solve = get("exact")


def named_problem(seed, way):
    """A random table with forbidden conditions and costs of errors, and rules in, out, or both.

    The rules that must be out are mostly those of the best set without them, and what comes next.
    """
    chance = random.Random(f"{seed} {way}")
    objective = Objective(regularization=chance.choice([0.01, 0.02, 0.1, 0.2]))
    base = constrained_problem(seed, f"nothing tied {way}", objective)
    free = base.constraints.without_ties()
    problem = Problem.of(base.table, base.objective, free)

    def rule():
        target = chance.choice(problem.classes)
        used = chance.sample(range(base.table.n_features), chance.randint(0, base.table.n_features))
        codes = [2 * f + chance.randrange(2) for f in used]
        return CodedRule.of(target, [code for code in codes if free.usable[target, code >> 1, code & 1]])

    inside = frozenset(rule() for _ in range(chance.randint(1, 2))) if way != "out" else frozenset()
    out: frozenset[CodedRule] = frozenset()
    for _ in range(chance.randint(1, 3) if way != "in" else 0):
        known = Problem.of(base.table, base.objective, replace(free, rules_in=inside, rules_out=out))
        best = solve(known, budget=Budget(60)).rules
        out |= frozenset(one for one in best if one not in inside and chance.random() < 0.8)
    return Problem.of(base.table, base.objective, replace(free, rules_in=inside, rules_out=out))


@pytest.mark.parametrize("way", ["in", "out", "both"])
def test_the_optimum_with_rules_in_and_out_is_that_of_the_oracle(way):
    dearer = 0
    for seed in range(120):
        problem = named_problem(seed, way)
        if not problem.constraints.ties or not problem.literal_cost:
            continue  # nothing to test, or errors cost nothing
        assert is_in_and_out(problem)
        expected = optimum(problem)[0][0]
        found = solve(problem, budget=Budget(60))
        assert (found.status, found.cost) == (Status.OPTIMAL, expected), seed
        assert violations(problem, found.rules, found.cost, found.lower_bound) == []
        free = Problem.of(problem.table, problem.objective, problem.constraints.without_ties())
        dearer += solve(free, budget=Budget(60)).cost < found.cost
    assert dearer >= 20  # else the constraints were not tested
