"""Bounds that need no search never exceed the optimum."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from tests.support.strategies import problems

from laconic.data.table import Table
from laconic.engines.paper.sat.iterative import solve
from laconic.engines.paper.satkit.bounds import clashing_rows
from laconic.engines.paper.satkit.view import class_view
from laconic.engines.registry import get
from laconic.problem.objective import Kind, Objective, Problem
from laconic.runtime.budget import Budget
from laconic.runtime.errors import UnsoundSolutionError

quick = settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])


@quick
@given(problem=problems("perfect"))
def test_clashing_rows_bound_every_class_from_below(problem):
    optimum = get("brute")(problem, budget=Budget())
    for target in problem.classes:
        size = sum(rule.size for rule in optimum.rules if rule.target == target)
        bound, rows = clashing_rows(class_view(problem, target), Budget())
        assert len(rows) <= bound <= size


@quick
@given(problem=problems("perfect"))
def test_no_pure_rule_covers_two_anchors(problem):
    for target in problem.classes:
        view = class_view(problem, target)
        negatives = view.holds[view.weights[:, 0] < 0]
        _, rows = clashing_rows(view, Budget())
        for a, b in combinations(rows, 2):
            shared = view.holds[a] & view.holds[b]
            assert negatives[:, shared].all(axis=1).any()


def test_the_bound_is_reached_where_every_positive_stands_alone():
    # Parity of two features: each positive needs a rule of both literals.
    table = Table.from_arrays([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    bound, rows = clashing_rows(class_view(Problem.of(table, Objective(Kind.PERFECT)), 1), Budget())
    assert (bound, len(rows)) == (6, 2)


def test_a_bound_above_a_known_set_is_refused(monkeypatch):
    table = Table.from_arrays([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    monkeypatch.setattr("laconic.engines.paper.sat.iterative.anchors_of", lambda *_: (7, ()))
    with pytest.raises(UnsoundSolutionError, match="cost 6 is in hand, but the bound says 7"):
        solve(Problem.of(table, Objective(Kind.PERFECT)), budget=Budget())
