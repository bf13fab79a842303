"""A first answer at once, also when there is no time at all."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from tests.support.strategies import problems

from laconic.checking.verify import violations
from laconic.data.table import Table
from laconic.engines.incumbent import incumbent
from laconic.problem.objective import Kind, Objective, Problem
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError
from laconic.runtime.native import kernels

PERFECT = Objective(Kind.PERFECT)


@settings(max_examples=150, deadline=None)
@given(problem=problems())
def test_without_any_time_the_answer_is_still_one(problem):
    assert violations(problem, incumbent(problem, Budget(0.0))) == []


@settings(max_examples=80, deadline=None)
@given(problem=problems("perfect"))
def test_the_native_search_without_any_time_has_a_cover(problem):
    table = problem.table
    for target in problem.classes:
        own = table.weights[:, target] > 0
        others = ~own & (table.row_weights > 0)
        search = kernels.CoverSolver(
            table.bits,
            np.flatnonzero(table.allowed.ravel()).tolist(),
            np.flatnonzero(own),
            np.flatnonzero(others),
            1,
            1,
            0,
        )
        search.advance(0.0, kernels.StopFlag())
        covered = np.zeros(table.n_rows, bool)
        for body in search.best():
            rows = np.all([table.matrix[:, code // 2] == code % 2 for code in body], axis=0)
            covered |= np.ones(table.n_rows, bool) if not body else rows
        assert covered[own].all()
        assert not covered[others].any()
        assert search.lower_bound <= search.upper_bound


def test_a_tree_covers_parity_with_one_rule_per_row():
    rows = np.array(list(itertools.product([0, 1], repeat=6)))
    problem = Problem.of(Table.from_arrays(rows, rows.sum(axis=1) % 2), PERFECT)
    rules = incumbent(problem, Budget(0.0))
    assert len(rules) == 64
    assert {len(rule.literals) for rule in rules} == {6}


def test_a_tree_leaves_out_what_is_not_needed():
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2, (400, 30))
    problem = Problem.of(Table.from_arrays(rows, rows[:, 3] & rows[:, 7]), PERFECT)
    assert sum(rule.size for rule in incumbent(problem, Budget(0.0))) == 3 + 2 + 2


@pytest.mark.parametrize("seconds", [0.0, None])
def test_rows_that_no_allowed_literal_tells_apart_are_refused(seconds):
    # Only "feature 0 is true" may be asked, which holds on no row of class 0.
    table = Table.from_arrays([[0], [1]], [0, 1], allowed=[[False, True]])
    with pytest.raises(InputError, match="no rule of allowed literals separates unique row 0"):
        incumbent(Problem.of(table, PERFECT), Budget(seconds))
