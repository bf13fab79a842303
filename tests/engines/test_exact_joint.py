"""Sparse sets with errors counted per row: what is called optimal is proved in integers."""

from __future__ import annotations

from types import SimpleNamespace

import highspy
import numpy as np
import pytest

from laconic.data.table import Table
from laconic.engines.api import Status, StopReason
from laconic.engines.exact.joint import listing, search
from laconic.engines.exact.joint.shares import Shares
from laconic.engines.registry import get
from laconic.engines.selection import program
from laconic.engines.selection.candidates import Candidates
from laconic.engines.selection.choose import choose
from laconic.problem.coded import CodedRule, rows_covered
from laconic.problem.objective import Counting, Kind, Objective, Problem, cost
from laconic.runtime.budget import Budget
from laconic.runtime.native import kernels

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


@pytest.fixture
def without_shares(monkeypatch):
    """Leave everything to the list of rules and the choice among them."""
    monkeypatch.setattr(search._JointSearch, "_move_shares", lambda *_: None)
    monkeypatch.setattr(search._JointSearch, "_choose_among_seen", lambda *_: None)


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
def test_no_proof_rests_on_what_highs_says(seed, monkeypatch, without_shares):
    problem = noisy_problem(seed, n_rows=30, n_features=6, n_classes=3, objective=CHEAP)
    honest = get("exact")(problem, budget=Budget(60))
    assert honest.status is Status.OPTIMAL
    assert honest.counts["candidates"] > 0  # else there was nothing to ask HiGHS
    monkeypatch.setattr(program, "highspy", SimpleNamespace(**{**vars(highspy), "Highs": Liar}))
    found = get("exact")(problem, budget=Budget(1))
    assert found.lower_bound <= honest.cost <= found.cost
    assert found.status is Status.FEASIBLE


def test_what_the_program_cannot_prove_is_not_called_optimal(monkeypatch, without_shares):
    problem = noisy_problem(0, n_rows=30, n_features=6, n_classes=3, objective=CHEAP)
    best = get("exact")(problem, budget=Budget(60))
    monkeypatch.setattr("laconic.engines.selection.choose.MAX_ENTRIES", 0)
    found = get("exact")(problem, budget=Budget(20))
    assert found.counts["candidates"] > 0
    assert (found.status, found.lower_bound) == (Status.FEASIBLE, 0)
    assert found.stop_reason is StopReason.MEMORY  # not the time: there was plenty
    assert found.cost >= best.cost


@pytest.mark.parametrize("n_classes", [2, 3, 4])
@pytest.mark.parametrize("objective", [PER_ROW, CHEAP])
def test_every_part_alone_agrees_with_another_engine(n_classes, objective, monkeypatch):
    for seed in range(6):
        problem = noisy_problem(seed, n_rows=12, n_features=3, n_classes=n_classes, objective=objective)
        best = optimum(problem)
        assert get("exact")(problem, budget=Budget(60)).cost == best
        with monkeypatch.context() as patch:
            patch.setattr(search._JointSearch, "_move_shares", lambda *_: None)
            patch.setattr(search._JointSearch, "_choose_among_seen", lambda *_: None)
            listed = get("exact")(problem, budget=Budget(60))
            assert (listed.cost, listed.lower_bound) == (best, best)
        with monkeypatch.context() as patch:
            patch.setattr(search, "rules_of_better_sets", lambda *_: None)
            split = get("exact")(problem, budget=Budget(60))
            assert split.lower_bound <= best <= split.cost


def optimum(problem):
    """Return the least cost, by the paper's MaxSAT model."""
    found = get("maxsat")(problem, budget=Budget(60))
    assert found.status is Status.OPTIMAL
    return found.cost


@pytest.mark.parametrize("n_classes", [2, 3, 4])
def test_bounds_hold_whatever_the_shares(n_classes):
    rng = np.random.default_rng(n_classes)
    raised = 0
    for seed in range(5):
        problem = noisy_problem(seed, n_rows=12, n_features=3, n_classes=n_classes, objective=CHEAP)
        best = optimum(problem)
        shares, first = Shares(problem), None
        for _ in range(12):
            for used in (shares, shares.of_every_row()):
                searches = used.searches()
                for one in searches.values():
                    one.advance(-1.0, kernels.StopFlag())
                split = sum(one.lower_bound for one in searches.values())
                assert split <= used.parts * best
            first = split if first is None else first
            raised += split > first
            rules = [CodedRule.of(c, body) for c, one in searches.items() for body in one.best()]
            shares = shares.moved(rules, float(rng.uniform(0.1, 3.0))) or shares
    assert raised > 5 or n_classes == 2  # shares move to where the bound rises


def test_shares_move_to_the_classes_at_fault():
    problem = noisy_problem(0, n_rows=40, n_features=6, n_classes=3)
    shares = Shares(problem)
    before = shares.units()
    uncovered = shares.moved([], 20.0)
    claimed = shares.moved([CodedRule.of(c, []) for c in (0, 1, 2)], 20.0)
    assert uncovered is not None
    assert claimed is not None
    own = before == before.max(axis=1, keepdims=True)
    assert (uncovered.units()[own] > before[own]).all()  # only the own class is at fault
    assert (claimed.units()[own] < before[own]).all()  # only the others are


def test_nothing_is_proved_by_the_best_of_some_rules(monkeypatch):
    problem = noisy_problem(0, n_rows=30, n_features=6, objective=CHEAP)
    monkeypatch.setattr(search, "incumbent", lambda *_: [])
    monkeypatch.setattr(search, "rules_of_better_sets", lambda *_: None)
    monkeypatch.setattr(
        search._JointSearch, "_move_shares", lambda self, *_: self.seen.update({CodedRule.of(0, [1]): None})
    )
    found = get("exact")(problem, budget=Budget(20))
    assert (found.status, found.lower_bound) == (Status.FEASIBLE, 0)


def test_shares_are_whole_parts_of_every_cost():
    problem = noisy_problem(0, n_rows=40, n_features=6, n_classes=4)
    shares = Shares(problem).moved([CodedRule.of(2, [1]), CodedRule.of(0, [])], 50.0)
    assert shares is not None
    for used, least in ((shares, 0), (shares.of_every_row(), 1)):
        units = used.units()
        assert (units.sum(axis=1) == used.parts).all()
        assert units.min() == least
        borne = sum(sum(used.weights_of(place, units)) for place in range(4))
        assert (borne == used.parts * problem.table.row_weights).all()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_list_holds_a_better_set_and_grows_with_what_that_may_cost(n_classes):
    longer = 0
    for seed in range(8):
        problem = noisy_problem(seed, n_rows=12, n_features=4, n_classes=n_classes, objective=CHEAP)
        best, before = optimum(problem), set()
        for above in (0, 1, 4):
            rules = listing.rules_of_better_sets(problem, Shares(problem), best + above, Budget(60), 1)
            assert rules is not None
            assert before <= set(rules)
            longer += bool(before) and len(before) < len(rules)
            before = set(rules)
            if above:
                assert cheapest_of(problem, rules) == best
    assert longer > 3


@pytest.mark.parametrize("n_classes", [3, 4])
def test_a_class_is_asked_for_no_more_than_its_least_share_of_an_error(n_classes):
    """Shares that differ from row to row: the rules of a better set may cover the rows with the least."""
    rng = np.random.default_rng(n_classes)
    for seed in range(8):
        problem = noisy_problem(seed, n_rows=12, n_features=4, n_classes=n_classes, objective=CHEAP)
        best, shares = optimum(problem), Shares(problem)
        shares._shares = rng.dirichlet(np.full(n_classes, 0.3), shares._shares.shape[0])
        rules = listing.rules_of_better_sets(problem, shares, best + 1, Budget(60), 1)
        assert rules is not None
        assert cheapest_of(problem, rules) == best


def cheapest_of(problem, rules):
    """Return the cost of the cheapest set of these rules."""
    covers = np.array([rows_covered(rule, problem.table) for rule in rules], dtype=bool)
    found = []
    choose(
        problem,
        Candidates(rules, covers, True),
        Budget(60),
        start=[],
        on_set=lambda chosen: found.append(cost(problem, chosen)),
        on_bound=lambda _: None,
    )
    return min(found)


def test_time_that_is_left_is_not_called_used_up():
    rng = np.random.default_rng(5)
    features = rng.random((80, 14)) < 0.5
    table = Table.from_arrays(features, rng.integers(0, 3, 80), n_classes=3)
    budget = Budget(0.5)
    found = get("exact")(Problem.of(table, CHEAP), budget=budget)
    if found.stop_reason is StopReason.TIME:
        assert budget.elapsed() > 0.45
    else:
        assert found.stop_reason is StopReason.PROVED or found.cost > found.lower_bound
