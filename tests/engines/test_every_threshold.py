"""Fits over every threshold and every group against an oracle that tries every interval and every group."""

from __future__ import annotations

import numpy as np
import pytest
from tests.support.condition_tables import (
    OBJECTIVES,
    check,
    check_groups,
    check_thresholds,
    table_of_numbers,
)

from laconic.problem.objective import Problem


@pytest.mark.parametrize("name", OBJECTIVES)
def test_the_optimum_is_that_over_every_interval(name):
    rng = np.random.default_rng(sorted(OBJECTIVES).index(name))
    for k in range(60):
        check_thresholds(rng, name, k)


@pytest.mark.parametrize("name", OBJECTIVES)
def test_the_optimum_is_that_over_every_group(name):
    rng = np.random.default_rng(100 + sorted(OBJECTIVES).index(name))
    for k in range(30):
        check_groups(rng, name, k)


def test_column_generation_finds_the_optimum_over_every_interval():
    """Small tables are usually listed, which prices no rule."""
    rng = np.random.default_rng(5)
    for k in range(20):
        training, choices = table_of_numbers(rng, n_rows=12, n_columns=2, n_values=6, missing=k % 3 == 0)
        without_lists = {"sparse_list_rules": 0, "sparse_sets_tried": 0, "sparse_greedy_nodes": 1}
        check(Problem.of(training.table, OBJECTIVES["sparse"][k % 2]), choices, without_lists)
