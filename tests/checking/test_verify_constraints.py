"""The checker notices every broken constraint and every wrong cost."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from tests.support.constraint_problems import constrained_problem

from laconic.checking.verify import violations
from laconic.data.table import Table
from laconic.problem.coded import CodedRule
from laconic.problem.constraints.compiled import CompiledConstraints
from laconic.problem.objective import Objective, Problem, cost

RULES = (CodedRule(0, (0,)), CodedRule(1, (1, 3)))


def problem(**asked):
    """Four rows, two features on two columns; RULES cover rows 0, 1 and row 3."""
    table = Table.from_arrays([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 1], [2, 1, 1, 3])
    ones = (Fraction(1),) * 2
    neutral = CompiledConstraints(
        usable=np.ones((2, 2, 2), bool),
        column_of=np.array([0, 1]),
        n_columns=2,
        measure=("size",),
        literal_factor=ones,
        column_cost=(Fraction(0),) * 2,
        class_factor=ones,
        miss_factor=ones,
        claim_factor=ones,
        seen=table.weights,
    )
    return Problem.of(table, Objective(regularization=0.1), replace(neutral, **asked))


def test_rules_that_respect_everything_stand():
    assert violations(problem(), RULES, cost(problem(), RULES)) == []


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"max_rules": 1}, "max_rules is 1, but the rules have 2"),
        ({"max_rule_length": 1}, "max_rule_length is 1, but the rules have 2"),
        ({"max_literals": 2}, "max_literals is 2, but the rules have 3"),
        ({"max_size": 4}, "max_size is 4, but the rules have 5"),
        ({"rules_in": frozenset([CodedRule(1, ())])}, "must be in"),
        ({"rules_out": frozenset(RULES[:1])}, "must be out"),
        ({"required": (frozenset([2]),)}, "no rule uses one of the required literals [2]"),
        ({"min_support": 2}, "covers 1 rows, fewer than 2"),
        ({"min_precision": Fraction(9, 10)}, "is right on 2 of 3, below 9/10"),
    ],
)
def test_a_broken_constraint_is_noticed(asked, message):
    found = violations(problem(**asked), RULES)
    assert len(found) == 1
    assert message in found[0]
    assert cost(problem(**asked), RULES) is None


def test_a_literal_that_a_class_may_not_use_is_noticed():
    usable = np.ones((2, 2, 2), bool)
    usable[1, 0, 1] = False
    assert "uses literal 1, which the constraints forbid" in violations(problem(usable=usable), RULES)[0]


def test_overlap_is_noticed():
    both = (CodedRule(0, (0,)), CodedRule(1, (3,)))
    assert violations(problem(disjoint=True), RULES) == []
    assert "distinct row 1 is covered by rules of classes [0, 1]" in violations(problem(disjoint=True), both)


def test_a_rule_that_covers_nothing_is_noticed():
    table = problem().table
    alone = Table(
        table.bits[:, :], table.weights * [[1], [1], [0], [0]], table.allowed, samples=table.samples
    )
    empty = replace(problem(), table=alone)
    assert "is of a class without rows" in str(
        violations(replace(empty, table=Table(table.bits, table.weights * [1, 0], table.allowed)), RULES)
    )


def test_the_checker_counts_what_the_objective_counts():
    seen = 0
    for seed in range(60):
        one = constrained_problem(seed)
        rules = sorted(one.constraints.rules_in) or [CodedRule(one.classes[0], ())]
        expected = cost(one, rules)
        if expected is not None:
            assert violations(one, rules, expected) == []
            assert violations(one, rules, expected + 1) == [
                f"claimed cost {expected + 1}, recounted {expected}"
            ]
            seen += 1
    assert seen > 10
