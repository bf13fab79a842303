"""All optimal and near-optimal sets, against the oracle that tries every set."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.support.front_oracle import irredundant_sets, near_optimal
from tests.support.strategies import has_perfect_set, tables

from laconic.data.table import Table
from laconic.engines.enumeration import constrained
from laconic.engines.enumeration.near import best_sets, near_sets
from laconic.engines.registry import get
from laconic.problem.objective import Counting, Default, Kind, Objective, Problem
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError

MOST_RULES_BY_ORACLE = 60
"""Rules of all classes, beyond which the oracle takes too long."""


def quick(examples):
    return settings(
        max_examples=examples,
        deadline=None,
        suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
    )


def small_enough(problem, limit):
    n_rules = len(problem.classes) * 3**problem.table.n_features
    affordable = limit / max(1, problem.literal_cost)
    return n_rules <= MOST_RULES_BY_ORACLE and affordable <= (7 if n_rules <= 30 else 5.5)


@quick(250)
@given(
    table=tables(max_features=3, max_classes=3),
    price=st.sampled_from([0.05, 0.08, 0.12, 0.2]),
    share=st.sampled_from([0, 0, 0.3, 0.7, 1.3, 2]),
)
def test_sets_within_a_distance_are_those_of_the_oracle(table, price, share):
    problem = Problem.of(table, Objective(Kind.SPARSE, price))
    excess = int(share * problem.literal_cost)
    optimum = get("exact")(problem, budget=Budget(60)).cost
    assume(small_enough(problem, optimum + excess))
    found = near_sets(problem, excess, 10**6, Budget(60))
    expected = near_optimal(problem, optimum + excess)
    assert found.complete
    assert found.optimum == optimum
    assert sorted(found.sets) == expected
    assert found.n_sets == len(expected)
    costs = [(cost, sum(rule.size for rule in rules)) for cost, rules in found.sets]
    assert costs == sorted(costs)


@quick(120)
@given(table=tables(max_features=3, max_classes=2, max_samples=8), excess=st.integers(0, 2))
def test_perfect_sets_within_a_distance_are_those_of_the_oracle(table, excess):
    problem = Problem.of(table, Objective(Kind.PERFECT))
    assume(has_perfect_set(problem))
    optimum = get("exact")(problem, budget=Budget(60)).cost
    assume(optimum + excess <= 6)
    found = near_sets(problem, excess, 10**6, Budget(60))
    assert found.complete
    assert sorted(found.sets) == near_optimal(problem, optimum + excess)


@quick(60)
@given(table=tables(max_features=2, max_classes=2), n_best=st.integers(1, 12))
def test_the_best_sets_are_the_first_of_the_oracles(table, n_best):
    problem = Problem.of(table, Objective(Kind.SPARSE, 0.12))
    found = best_sets(problem, n_best, Budget(60))
    assert found.complete
    last = found.sets[-1][0]
    assume(small_enough(problem, last))
    expected = [cost for cost, _ in near_optimal(problem, last)]
    assert [cost for cost, _ in found.sets] == expected[:n_best]
    assert len(set(found.sets)) == len(found.sets)


def test_conditions_that_mean_the_same_on_these_rows_give_different_sets():
    # Feature 1 copies feature 0, feature 2 is its opposite: three ways to write each class's rule.
    base = np.array([0, 0, 0, 1, 1, 1], bool)
    table = Table.from_arrays(np.stack([base, base, ~base], axis=1), base.astype(int))
    found = near_sets(Problem.of(table, Objective()), 0, 100, Budget(60))
    assert found.complete
    assert found.n_sets == 9
    assert {rule.literals for _, rules in found.sets for rule in rules} == {
        (0,),
        (1,),
        (2,),
        (3,),
        (4,),
        (5,),
    }


def test_a_literal_that_excludes_as_much_as_it_gives_up_is_redundant():
    """Without "a" the rule of class 1 covers more: positives of weight 2, and negatives of weight 2."""
    table = Table.from_arrays([[1, 0], [0, 0], [0, 1]], [1, 1, 0], [9, 2, 2])
    problem = Problem.of(table, Objective(Kind.SPARSE, 0.1))
    found = near_sets(problem, 2 * problem.literal_cost, 100, Budget(60))
    assert found.complete
    assert sorted(found.sets) == near_optimal(problem, found.optimum + 2 * problem.literal_cost)
    of_class_1 = {rule.literals for _, rules in found.sets for rule in rules if rule.target == 1}
    assert () in of_class_1
    assert (1,) not in of_class_1


@pytest.mark.parametrize("seed", range(6))
def test_rules_that_share_false_positives_pay_for_them_once(seed):
    """Each feature has positives of its own; negatives have several features, so rules share them."""
    rng = np.random.default_rng(seed)
    rows = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1], [1, 1, 1], [0, 0, 0]]
    weights = [*rng.integers(8, 13, 3), *rng.integers(1, 4, 3), 30]
    allowed = [[False, True]] * 3
    table = Table.from_arrays(rows, [1, 1, 1, 0, 0, 0, 0], weights, allowed=allowed)
    problem = Problem.of(table, Objective(Kind.SPARSE, 0.03))
    for excess in (0, 2 * problem.literal_cost):
        found = near_sets(problem, excess, 10**6, Budget(60))
        assert found.complete
        assert sorted(found.sets) == near_optimal(problem, found.optimum + excess)
        assert found.optimum == get("brute")(problem, budget=Budget(60)).cost


def test_a_limit_cuts_the_list_but_not_the_count():
    base = np.array([0, 0, 0, 1, 1, 1], bool)
    table = Table.from_arrays(np.stack([base, base], axis=1), base.astype(int))
    problem = Problem.of(table, Objective())
    everything = near_sets(problem, 0, 100, Budget(60))
    some = near_sets(problem, 0, 3, Budget(60))
    assert (len(everything.sets), everything.n_sets, some.n_sets) == (4, 4, 4)
    assert some.sets == everything.sets[:3]
    assert some.complete


def test_a_stopped_enumeration_says_so():
    rng = np.random.default_rng(0)
    features = rng.random((200, 16)) < 0.5
    table = Table.from_arrays(features, rng.integers(0, 2, 200), n_classes=2)
    found = near_sets(Problem.of(table, Objective(Kind.SPARSE, 0.005)), 10, 100, Budget(0.2))
    assert not found.complete
    assert found.n_sets >= 1


OTHER_OBJECTIVES = {
    "min_rules": Objective(Kind.MIN_RULES),
    "min_rules_then_literals": Objective(Kind.MIN_RULES_THEN_LITERALS),
    "per row": Objective(Kind.SPARSE, 0.15, Counting.PER_ROW),
    "every class": Objective(Kind.SPARSE, 0.15, every_class=True),
    "otherwise": Objective(Kind.SPARSE, 0.15, default=Default.OTHERWISE),
    "perfect, otherwise": Objective(Kind.PERFECT, default=Default.OTHERWISE),
}


@pytest.mark.parametrize("name", OTHER_OBJECTIVES)
def test_sets_for_other_objectives_are_those_of_the_oracle(name):
    compared = 0
    for seed in range(25):
        rng = np.random.default_rng(seed)
        n_samples, n_features = int(rng.integers(3, 9)), int(rng.integers(1, 3))
        features = rng.random((n_samples, n_features)) < 0.5
        n_classes = 3 if "otherwise" in name else 2
        table = Table.from_arrays(features, rng.integers(0, n_classes, n_samples), n_classes=n_classes)
        problem = Problem.of(table, OTHER_OBJECTIVES[name])
        if not has_perfect_set(problem):
            continue
        optimum = get("brute")(problem, budget=Budget()).cost
        excess = 1 if name == "min_rules" else 2
        if optimum + excess > 7 * problem.rule_price(0):
            continue
        found = sets_near(problem)(problem, excess, 10**6, Budget(60))
        expected = irredundant_sets(problem, optimum + excess)
        assert (found.complete, found.n_sets) == (True, len(expected))
        assert sorted(found.sets) == expected
        compared += 1
    assert compared >= 10


def sets_near(problem):
    tied = not problem.separable or problem.objective.every_class
    return constrained.near_sets if tied else near_sets


@pytest.mark.parametrize("objective", [Objective(size_budget=3), Objective(max_errors=3)], ids=str)
def test_budgets_have_no_enumeration(objective):
    table = Table.from_arrays([[0], [1]], [0, 1])
    with pytest.raises(InputError, match="enumerating sets"):
        near_sets(Problem.of(table, objective), 0, 10, Budget())
