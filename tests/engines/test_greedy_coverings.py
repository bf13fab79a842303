"""The first sparse sets: rules added while they pay, the best one each time or grown literal by literal."""

from __future__ import annotations

import numpy as np
from tests.support.native_testing import parts

from laconic.data.table import Table
from laconic.engines.incumbent import incumbent
from laconic.engines.rows_of_class import rows_of_class
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Kind, Objective, Problem, cost
from laconic.runtime.budget import Budget


def coverings(problem: Problem) -> tuple[list[CodedRule], list[CodedRule]]:
    """Return the rules of all classes, by the best rule each time and by growing."""
    best: list[CodedRule] = []
    grown: list[CodedRule] = []
    for c in problem.classes:
        rows = rows_of_class(problem, c)
        found = parts.greedy_coverings(
            *(problem.table.bits, rows.usable, rows.own, rows.others),
            *(problem.rule_cost, problem.literal_cost),
        )
        for rules, bodies in zip((best, grown), found, strict=True):
            rules += [CodedRule.of(c, body) for body in bodies]
    return best, grown


def test_grown_rules_cost_what_greedy_covering_costs_and_the_best_ones_mostly_less() -> None:
    n_rules = n_best_better = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        features = rng.random((int(rng.integers(30, 600)), 12)) < 0.5
        labels = features[:, 0] & features[:, 1] ^ (rng.random(len(features)) < 0.4)
        table = Table.from_arrays(features, labels.astype(int), n_classes=2)
        problem = Problem.of(table, Objective(Kind.SPARSE, 0.003))
        best, grown = coverings(problem)
        best_cost, grown_cost = cost(problem, best), cost(problem, grown)
        assert best_cost is not None
        assert grown_cost is not None
        assert grown_cost == cost(problem, incumbent(problem, Budget(None)))
        n_rules += len(grown)
        n_best_better += best_cost < grown_cost
    assert n_rules > 150
    assert n_best_better > 10
