from __future__ import annotations

import numpy as np
import pytest

from laconic.data.table import Table
from laconic.engines.api import Status
from laconic.engines.brute import solve
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Counting, Kind, Objective, Problem
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError

CORNERS = [[0, 0], [0, 1], [1, 0], [1, 1]]


def optimum(rows, labels, objective: Objective, weights=None, **table) -> tuple[int, tuple[CodedRule, ...]]:
    solution = solve(
        Problem.of(Table.from_arrays(rows, labels, weights, **table), objective), budget=Budget()
    )
    assert solution.status is Status.OPTIMAL
    return solution.cost, solution.rules


def test_exclusive_or_needs_two_rules_of_two_literals_per_class():
    cost, rules = optimum(CORNERS, [0, 1, 1, 0], Objective(Kind.PERFECT))
    assert cost == 12
    assert rules == tuple(
        CodedRule(c, body) for c, body in [(0, (0, 2)), (0, (1, 3)), (1, (0, 3)), (1, (1, 2))]
    )


def test_one_feature_that_decides_costs_four():
    cost, rules = optimum(CORNERS, [0, 0, 1, 1], Objective(Kind.PERFECT))
    assert (cost, rules) == (4, (CodedRule(0, (0,)), CodedRule(1, (1,))))


def test_fewest_rules_and_fewest_literals_are_different_questions():
    # Class 1 is a or b or c; class 0 is the one row without any.
    rows = [[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    labels = [int(any(row)) for row in rows]
    assert optimum(rows, labels, Objective(Kind.PERFECT))[0] == 3 * 2 + 4
    assert optimum(rows, labels, Objective(Kind.MIN_RULES))[0] == 4
    assert optimum(rows, labels, Objective(Kind.MIN_RULES_THEN_LITERALS))[0] == 4 * (8 * 3 + 1) + 6


def test_dear_rules_are_not_bought():
    cost, rules = optimum(CORNERS, [0, 0, 1, 1], Objective(regularization=0.5))
    # A unit of size costs 2: bare rules cost 2 + 2 errors, exact ones 4; missing both rows costs 2.
    assert (cost, rules) == (4, ())


def test_cheap_rules_are_bought():
    cost, rules = optimum(CORNERS, [0, 0, 1, 1], Objective(regularization=0.1), weights=[5, 5, 5, 5])
    # A unit costs 2; each class saves 10 misses for 4.
    assert (cost, len(rules)) == (8, 2)


def test_joint_counting_can_be_cheaper_than_separated():
    rows, labels = [[0], [1], [1]], [0, 1, 0]
    weights = [4, 6, 3]
    # Separated: the three samples of class 0 in row 1 are missed once and wrongly covered once.
    assert optimum(rows, labels, Objective(regularization=0.01), weights)[0] == 6 + 4
    assert (
        optimum(rows, labels, Objective(regularization=0.01, counting=Counting.PER_ROW), weights)[0] == 3 + 4
    )


def test_every_class_gets_a_rule_even_at_a_loss():
    cost, rules = optimum(CORNERS, [0, 0, 1, 1], Objective(regularization=0.5, every_class=True))
    # p/q = 2/1: per class bare costs 2 + 2 errors, exact costs 4 + 0.
    assert cost == 8
    assert {rule.target for rule in rules} == {0, 1}


def test_forbidden_literals_are_not_used():
    allowed = [[False, True], [True, True]]
    cost, rules = optimum(CORNERS, [0, 0, 1, 1], Objective(regularization=0.1), [5, 5, 5, 5], allowed=allowed)
    # Class 0 cannot say "not a", so it takes the bare rule (2 + 10) or misses its rows (10).
    assert (cost, rules) == (14, (CodedRule(1, (1,)),))


def test_large_tables_are_refused():
    problem = Problem.of(Table.from_arrays(np.eye(17, dtype=bool)[:, :6], np.arange(17) % 2), Objective())
    with pytest.raises(InputError, match="engine 'brute' takes no options, got depth"):
        solve(problem, budget=Budget(), options={"depth": 3})
    wide = Problem.of(Table.from_arrays(np.eye(7, dtype=bool), np.arange(7) % 2), Objective())
    with pytest.raises(InputError, match=r"at most 16 distinct rows and 6 binary features, not 7 x 7"):
        solve(wide, budget=Budget())
