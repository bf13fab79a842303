"""Fronts, near-optimal sets and cross-validation under constraints."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from tests.support.constrained_fronts import (
    BY_CLASS,
    FRONT_KINDS,
    front_problem,
    near_optimal,
    only_by_class,
    staircase,
)

from laconic import (
    DecisionSetClassifier,
    DecisionSetPath,
    load_front,
    save_front,
)
from laconic.checking.recheck import recheck
from laconic.engines.enumeration import constrained as constrained
from laconic.engines.enumeration import near
from laconic.engines.fronts.all_classes import WholeFront
from laconic.engines.fronts.constrained import ConstrainedFront
from laconic.engines.fronts.staircase import NO_SET
from laconic.engines.registry import get
from laconic.engines.selection.engine import solve
from laconic.problem.objective import Kind, Objective, Problem
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError

MAX_SIZE = 6


def table(n=40, seed=4):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "age": rng.choice([25, 45, 65], n),
            "income": rng.choice([20, 40, 60, 80], n),
            "gender": rng.choice(["f", "m"], n),
        }
    )
    good = (X["income"] > 50) ^ ((X["age"] > 40) & (X["gender"] == "f"))
    return X, np.where(good ^ (rng.random(n) < 0.1), "good", "bad")


X, Y = table()


def errors_by_size(front, max_size):
    """What a front knows, both ways, with None where it knows that there is no set."""
    both = []
    for values in (front.achieved.tolist(), front.proved.tolist()):
        longer = values + values[-1:] * (max_size + 1 - len(values))
        both.append([None if one == NO_SET else one for one in longer])
    return both


def settled(front):
    front.find_corners(Budget())
    assert front.corners_proved()
    front.settle(lambda: list(range(front.max_size + 1)), Budget())
    return front


@pytest.mark.parametrize("kind", FRONT_KINDS)
def test_the_front_under_constraints_is_that_of_the_oracle(kind):
    for seed in range(4):
        problem = front_problem(seed, kind)
        front = settled(ConstrainedFront(problem, MAX_SIZE, 0, Budget()))
        assert errors_by_size(front, MAX_SIZE) == [staircase(problem, MAX_SIZE)] * 2


@pytest.mark.parametrize("kind", BY_CLASS)
def test_the_front_of_independent_classes_is_that_of_the_oracle(kind):
    for seed in range(6):
        problem = only_by_class(front_problem(seed, kind))
        front = settled(WholeFront(problem, MAX_SIZE))
        assert errors_by_size(front, MAX_SIZE) == [staircase(problem, MAX_SIZE)] * 2


@pytest.mark.parametrize("kind", BY_CLASS)
@pytest.mark.parametrize("objective", [Objective(size_budget=4), Objective(max_errors=2)])
def test_the_exact_engine_keeps_budgets_with_costs_and_forbidden_conditions(kind, objective):
    for seed in range(6):
        free = only_by_class(front_problem(seed, kind))
        problem = Problem.of(free.table, objective, free.constraints)
        answers = []
        for engine in (get("exact"), solve):
            try:
                answers.append(engine(problem, budget=Budget()).cost)
            except InputError:
                answers.append(None)
        assert answers[0] == answers[1]


def near_problem(seed, kind, objective):
    """A problem small enough for the oracle, or None."""
    problem = front_problem(seed, kind, objective)
    return problem if problem.table.n_features < 3 and problem.table.n_classes < 3 else None


@pytest.mark.parametrize("kind", FRONT_KINDS)
def test_near_optimal_sets_under_constraints_are_those_of_the_oracle(kind):
    for seed in range(4):
        perfect = seed % 2 and kind != "error_costs"
        problem = near_problem(seed, kind, Objective(Kind.PERFECT if perfect else Kind.SPARSE, 0.2))
        if problem is None:
            continue
        expected = near_optimal(problem, 1)
        if expected is None:
            with pytest.raises(InputError, match="no decision set"):
                constrained.near_sets(problem, 1, 10**6, Budget())
            continue
        found = constrained.near_sets(problem, 1, 10**6, Budget())
        assert (found.complete, sorted(found.sets)) == (True, expected)
        best = constrained.best_sets(problem, 3, Budget())
        assert [cost for cost, _ in best.sets][: len(expected)] == [cost for cost, _ in expected][:3]


@pytest.mark.parametrize("kind", BY_CLASS)
def test_near_optimal_sets_of_independent_classes_are_those_of_the_oracle(kind):
    for seed in range(6):
        problem = near_problem(seed, kind, Objective(Kind.SPARSE, 0.2))
        if problem is not None:
            free = only_by_class(problem)
            found = near.near_sets(free, 1, 10**6, Budget())
            assert (found.complete, sorted(found.sets)) == (True, near_optimal(free, 1))


@pytest.mark.parametrize(
    "constraints",
    [
        {"forbidden": ["gender"]},
        {"class_weight": {"good": 3}},
        {"false_positive_costs": {"good": 2.5}},
        {"monotone": {"income": {"good": "increasing"}}, "positive": False},
        {"max_rules": 2},
        {"max_rule_length": 1},
        {"min_precision": 0.8},
        {"min_support": 8},
        {"disjoint": True},
        {"feature_costs": {"income": 2}},
        {"required": ["gender"]},
    ],
)
def test_each_point_of_a_front_is_the_fit_within_its_size(constraints, tmp_path):
    path = DecisionSetPath(every="size", max_size=5, constraints=constraints).fit(X, Y)
    assert path.complete_
    for point, model in zip(path.points_, path.front_.models, strict=True):
        assert point.proved
        assert recheck(model, X, Y) == []
        fitted = DecisionSetClassifier(size_budget=point.size, constraints=constraints).fit(X, Y)
        assert (fitted.optimal_, fitted.cost_) == (True, point.errors)
        enough = DecisionSetClassifier(max_errors=float(point.errors), constraints=constraints).fit(X, Y)
        assert (enough.optimal_, enough.cost_) == (True, point.size)
        assert recheck(enough.decision_set_, X, Y) == []
    save_front(path, tmp_path / "front.json")
    again = load_front(tmp_path / "front.json")
    assert again.points == path.points_
    assert again.total_weight == path.front_.total_weight


def test_the_range_of_a_breakpoint_is_where_a_fit_finds_it():
    for constraints in ({"class_weight": {"good": 3}}, {"max_rules": 3}, {"max_rule_length": 2}):
        path = DecisionSetPath(max_size=20, constraints=constraints).fit(X, Y)
        inner = [point for point in path.points_ if point.lambdas and point.lambdas[1] is not None]
        assert inner
        for point in inner:
            low, high = (end * path.front_.total_weight for end in point.lambdas)
            price = math.floor(low) + 1
            if price >= high:
                continue  # no whole price lies in the range
            fitted = DecisionSetClassifier(
                regularization=float(price / path.front_.total_weight), constraints=constraints
            ).fit(X, Y)
            assert (fitted.optimal_, fitted.cost_) == (True, point.errors + price * point.size)


def test_sets_are_listed_under_constraints():
    fitted = DecisionSetClassifier(regularization=0.05, constraints={"max_rules": 2}).fit(X, Y)
    found = fitted.near_optimal_sets(within=4)
    assert found.complete
    assert found.costs[0] == fitted.cost_
    for k in range(len(found)):
        assert len(found[k].rules) <= 2
        assert recheck(found[k], X, Y) == []
    free = DecisionSetClassifier(regularization=0.05).fit(X, Y).near_optimal_sets(within=4)
    assert {*free.rules} >= {
        rules for rules, cost in zip(found.rules, found.costs, strict=True) if cost <= free.costs[0] + 4
    }


@pytest.mark.parametrize(
    ("constraints", "message"),
    [
        ({"measure": "longest"}, "a front is of size against errors, not of longest"),
        ({"feature_costs": {"age": 0.5}}, "a front needs whole numbers as literal_costs and feature_costs"),
        ({"required": ["age"], "forbidden": ["age"]}, "required 'age' cannot be used"),
        ({"required": ["age"], "max_size": 1}, "required 'age' needs a rule, but max_size is 1"),
    ],
)
def test_what_has_no_front_is_refused(constraints, message):
    with pytest.raises(InputError, match=message):
        DecisionSetPath(max_size=3, constraints=constraints).fit(X, Y)


def test_sets_by_another_measure_are_not_listed():
    fitted = DecisionSetClassifier(measure="rules").fit(X, Y)
    with pytest.raises(InputError, match="enumerated by errors and size, not by rules; leave measure out"):
        fitted.near_optimal_sets()


def test_rules_with_the_same_cover_make_different_sets():
    twins = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 0, 1, 1]})
    fitted = DecisionSetClassifier(objective="perfect", constraints={"max_rules": 2}).fit(twins, list("nnyy"))
    found = fitted.near_optimal_sets()
    assert (found.n_sets, found.complete) == (4, True)  # a or b for each class
    free = DecisionSetClassifier(objective="perfect").fit(twins, list("nnyy")).near_optimal_sets()
    assert sorted(free.rules) == sorted(found.rules)
