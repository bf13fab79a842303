"""The first sparse sets: rules added while they pay, in two ways, neither of which is always the better."""

from __future__ import annotations

import numpy as np

from laconic.budget import Budget
from laconic.data.table import Table
from laconic.engines.exact.rows_of_class import rows_of_class
from laconic.engines.incumbent import incumbent
from laconic.model.coded import CodedRule
from laconic.native import kernels
from laconic.objective import Kind, Objective, Problem, cost


def coverings(problem: Problem) -> tuple[list[CodedRule], list[CodedRule]]:
    """Return the rules of all classes, by the best rule each time and by growing."""
    best: list[CodedRule] = []
    grown: list[CodedRule] = []
    for c in problem.classes:
        rows = rows_of_class(problem, c, problem.error_cost)
        found = kernels.greedy_coverings(
            *(problem.table.bits, rows.usable, rows.own, rows.others),
            *(problem.rule_cost, problem.literal_cost),
        )
        for rules, bodies in zip((best, grown), found, strict=True):
            rules += [CodedRule.of(c, body) for body in bodies]
    return best, grown


def test_grown_rules_are_those_of_greedy_covering_and_at_times_the_better_ones() -> None:
    n_rules = n_grown_better = n_best_better = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        features = rng.random((int(rng.integers(30, 300)), 9)) < 0.5
        labels = (features[:, 0] & features[:, 1] | features[:, 2] & features[:, 3]) ^ (
            rng.random(len(features)) < 0.15
        )
        table = Table.from_arrays(features, labels.astype(int), n_classes=2)
        problem = Problem.of(table, Objective(Kind.SPARSE, 0.005))
        best, grown = coverings(problem)
        expected = incumbent(problem, Budget(None))
        best_cost, grown_cost = cost(problem, best), cost(problem, grown)
        assert best_cost is not None
        assert grown_cost is not None
        assert grown_cost == cost(problem, expected)
        n_rules += len(grown)
        n_grown_better += grown_cost < best_cost
        n_best_better += best_cost < grown_cost
    assert n_rules > 200
    assert n_grown_better > 5
    assert n_best_better > 5
