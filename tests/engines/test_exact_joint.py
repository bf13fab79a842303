"""Sparse sets with errors counted per row: what is called optimal is proved in integers."""

from __future__ import annotations

from types import SimpleNamespace

import highspy
import numpy as np
import pytest

from laconic.budget import Budget
from laconic.data.table import Table
from laconic.engines.api import Status
from laconic.engines.choice import program
from laconic.engines.choice.plain import without_demands
from laconic.engines.exact import joint
from laconic.engines.registry import get
from laconic.model.coded import CodedRule
from laconic.objective import Counting, Kind, Objective, Problem, cost

PER_ROW = Objective(Kind.SPARSE, 0.05, Counting.PER_ROW)
CHEAP = Objective(Kind.SPARSE, 0.01, Counting.PER_ROW)


def noisy_problem(seed, n_rows=14, n_features=4, n_classes=2, objective=PER_ROW):
    rng = np.random.default_rng(seed)
    features = rng.random((n_rows, n_features)) < 0.5
    weights = rng.integers(1, 5, n_rows)
    return Problem.of(
        Table.from_arrays(features, rng.integers(0, n_classes, n_rows), weights, n_classes=n_classes),
        objective,
    )


class Liar(highspy.Highs):
    """HiGHS with multipliers that are far off: a bound taken from it would be wrong."""

    def getSolution(self):
        solution = super().getSolution()
        duals = 7.0 * np.asarray(solution.row_dual) + 3.0
        return SimpleNamespace(col_value=solution.col_value, row_dual=duals)

    def getInfo(self):
        info = super().getInfo()
        return SimpleNamespace(
            mip_dual_bound=1e9,
            objective_function_value=1e9,
            primal_solution_status=info.primal_solution_status,
        )


@pytest.mark.parametrize("seed", range(3))
def test_no_proof_rests_on_what_highs_says(seed, monkeypatch):
    problem = noisy_problem(seed, n_rows=30, n_features=6, objective=CHEAP)
    honest = get("exact")(problem, budget=Budget(60))
    assert honest.status is Status.OPTIMAL
    lying = SimpleNamespace(**{**vars(highspy), "Highs": Liar})
    monkeypatch.setattr(program, "highspy", lying)
    monkeypatch.setattr(joint, "highspy", lying)
    monkeypatch.setattr(joint, "_split_bound", lambda *_: 0)  # leave the proof to the program
    found = get("exact")(problem, budget=Budget(1))
    assert found.lower_bound <= honest.cost <= found.cost
    assert found.status is Status.FEASIBLE


def test_what_the_program_cannot_prove_is_not_called_optimal(monkeypatch):
    problem = noisy_problem(3)
    monkeypatch.setattr(joint, "_split_bound", lambda *_: 0)
    monkeypatch.setattr("laconic.engines.choice.choose.MAX_ENTRIES", 0)
    found = get("exact")(problem, budget=Budget(20))
    assert (found.status, found.lower_bound) == (Status.FEASIBLE, 0)
    assert found.cost == get("brute")(problem, budget=Budget()).cost


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_problem_stated_without_demands_costs_the_same(n_classes):
    rng = np.random.default_rng(n_classes)
    for objective in (PER_ROW, Objective(Kind.SPARSE, 0.03)):
        problem = noisy_problem(1, n_classes=n_classes, objective=objective)
        for _ in range(30):
            rules = {
                CodedRule.of(
                    rng.integers(n_classes),
                    2 * rng.permutation(4)[: rng.integers(3)] + rng.integers(2),
                )
                for _ in range(rng.integers(4))
            }
            assert cost(without_demands(problem), sorted(rules)) in {cost(problem, sorted(rules)), None}
