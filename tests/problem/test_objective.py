"""Costs worked out by hand on one small table.

====  =  =  =======  =======
row   a  b  class 0  class 1
====  =  =  =======  =======
0     0  0  3        0
1     0  1  2        1
2     1  0  0        2
3     1  1  0        4
====  =  =  =======  =======
"""

from __future__ import annotations

import numpy as np
import pytest

from laconic.checking.verify import violations
from laconic.data.table import Table
from laconic.model.proof import COUNTINGS, OBJECTIVES
from laconic.problem.coded import CodedRule
from laconic.problem.objective import (
    Counting,
    Kind,
    Objective,
    Problem,
    cost,
    coverage,
    errors,
    trivial_bound,
)
from laconic.runtime.errors import InputError

A, NOT_A, B = 1, 0, 3
LOW = CodedRule.of(0, [NOT_A])  # rows 0 and 1
HIGH = CodedRule.of(1, [A, B])  # row 3
HIGHER = CodedRule.of(1, [A])  # rows 2 and 3
ANYTHING = CodedRule.of(0, [])


@pytest.fixture
def table() -> Table:
    rows = [[0, 0], [0, 1], [0, 1], [1, 0], [1, 1]]
    return Table.from_arrays(rows, [0, 0, 1, 1, 1], [3, 2, 1, 2, 4])


def problem(table: Table, kind: str = "sparse", **settings) -> Problem:
    return Problem.of(table, Objective(Kind(kind), **settings))


def test_coverage_is_by_row_and_class(table):
    assert coverage(table, [LOW, HIGH]).astype(int).tolist() == [[1, 0], [1, 0], [0, 0], [0, 1]]


def test_per_class_counts_a_miss_and_each_wrong_cover(table):
    # Class 1 misses rows 1 (weight 1) and 2 (weight 2); class 0 covers weight 1 of class 1 in row 1.
    assert errors(problem(table), [LOW, HIGH]) == 3 + 1


def test_per_row_counts_a_row_once(table):
    # The sample of class 1 in row 1 is both missed and wrongly covered, but counts once.
    assert errors(problem(table, counting=Counting.PER_ROW), [LOW, HIGH]) == 1 + 2


def test_per_row_counts_a_right_cover_that_is_contradicted(table):
    # Everything is claimed by class 0; class 1's own rule does not save rows 2 and 3.
    assert errors(problem(table, counting=Counting.PER_ROW), [ANYTHING, HIGHER]) == 1 + 2 + 4


def test_sparse_price_is_rounded_up(table):
    assert problem(table, regularization=0.05).literal_cost == 1  # 0.6
    assert problem(table, regularization=0.25).literal_cost == 3  # exactly
    assert problem(table, regularization=0.26).literal_cost == 4  # 3.12


def test_regularization_is_taken_as_written_not_as_a_double():
    # 0.07 * 100 is 7.000000000000001 in doubles; its ceiling must be 7.
    table = Table.from_arrays([[0], [1]], [0, 1], [50, 50])
    assert problem(table, regularization=0.07).rule_cost == 7


def test_sparse_cost_is_errors_plus_price_of_size(table):
    assert cost(problem(table), [LOW, HIGH]) == 4 + 1 * 5
    assert cost(problem(table, counting=Counting.PER_ROW), [LOW, HIGH]) == 3 + 1 * 5
    assert cost(problem(table), []) == 12


def test_perfect_costs_size_and_needs_every_row(table):
    stated = problem(table, "perfect")
    assert cost(stated, [LOW, HIGHER]) == 4
    assert cost(stated, [LOW, HIGH]) is None
    assert stated.unavoidable == 1
    assert stated.table.weights.tolist() == [[3, 0], [2, 0], [0, 2], [0, 4]]


def test_rule_counts_come_before_literals(table):
    assert cost(problem(table, "min_rules"), [LOW, HIGHER]) == 2
    # W = 4 rows x 2 features + 1
    assert cost(problem(table, "min_rules_then_literals"), [LOW, HIGHER]) == 9 * 2 + 2


def test_every_class_prices_exactly_on_reduced_rows(table):
    stated = problem(table, every_class=True)
    # M is 11 after the reduction; 0.05 M = 11/20.
    assert (stated.error_cost, stated.literal_cost, stated.rule_cost) == (20, 11, 11)
    # true => 0 covers weight 6 of class 1; a => 1 is right.
    assert cost(stated, [ANYTHING, HIGHER]) == 20 * 6 + 11 * 3
    assert cost(stated, [LOW]) is None


def test_classes_without_rows_after_the_reduction_are_not_asked_for():
    table = Table.from_arrays([[0], [0], [0]], [0, 0, 1])
    assert problem(table, "perfect").classes == (0,)
    assert problem(table).classes == (0, 1)


def test_trivial_bound_is_one_bare_rule_per_class_that_must_have_one(table):
    assert trivial_bound(problem(table)) == 0
    assert trivial_bound(problem(table, "perfect")) == 2
    assert trivial_bound(problem(table, every_class=True)) == 22


def test_separable_means_no_shared_rows(table):
    assert problem(table).separable
    assert problem(table, "perfect", counting=Counting.PER_ROW).separable
    assert not problem(table, counting=Counting.PER_ROW).separable


@pytest.mark.parametrize("value", [0.0, -1.0, np.inf, np.nan])
def test_regularization_must_be_positive_and_finite(value):
    with pytest.raises(InputError, match="regularization must be a positive number, not"):
        Objective(regularization=value)


@pytest.mark.parametrize("settings", [{"kind": Kind.PERFECT}, {"counting": Counting.PER_ROW}])
def test_every_class_is_refused_where_it_has_no_meaning(settings):
    with pytest.raises(InputError) as caught:
        Objective(every_class=True, **settings)
    assert str(caught.value) == "every_class=True needs objective='sparse' and counting='per_class'"


def test_model_files_know_the_same_words():
    assert {kind.value for kind in Kind} == set(OBJECTIVES)
    assert {counting.value for counting in Counting} == set(COUNTINGS)


@pytest.mark.parametrize(("limit", "allowed"), [(3, 3), (3.0, 3), (2.9999999999999, 2), (0.1, 0)])
def test_a_limit_of_errors_is_not_rounded(limit, allowed):
    """Of many digits it was taken as the nearest fraction of nine: 2.9999999999999 allowed 3 errors."""
    table = Table.from_arrays([[0], [0], [1], [1]], [0, 1, 1, 1])
    problem = Problem.of(table, Objective(Kind.SPARSE, max_errors=limit))
    assert problem.pricing.limits[problem.pricing.faults] == allowed
    rules = [CodedRule.of(0, [0]), CodedRule.of(1, [1])]
    said = violations(problem, rules)
    assert bool(said) == (errors(problem, rules) > limit), said
