"""Near-optimal sets of a classifier: models, importance, tables, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from tests.support.front_oracle import every_rule, nothing_can_go

from laconic import Binarizer, DecisionSetClassifier
from laconic.checking.recheck import recheck
from laconic.data.table import Table
from laconic.engines.enumeration import near
from laconic.engines.registry import get
from laconic.learning.near_budget import near_sets_within
from laconic.problem.objective import Objective, Problem, cost, errors
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError

X, Y = load_iris(return_X_y=True, as_frame=True)


@pytest.fixture(scope="module")
def clf():
    return DecisionSetClassifier(regularization=0.05).fit(X, Y)


def test_all_optima_cost_the_same_and_stand_on_the_data(clf):
    found = clf.near_optimal_sets()
    assert found.complete
    assert len(found) == found.n_sets == 4
    assert set(found.costs) == {clf.cost_}
    assert clf.decision_set_.rules in [model.rules for model in found.models]
    for model in found.models:
        assert model.proof.optimal
        assert recheck(model, X, Y) == []


def test_sets_within_a_distance_say_how_far_they_are(clf):
    found = clf.near_optimal_sets(within=3)
    assert found.complete
    assert [float(cost) for cost in found.costs] == sorted(float(cost) for cost in found.costs)
    assert max(found.costs) <= clf.cost_ + 3
    last = found[-1]
    assert not last.proof.optimal
    assert last.proof.in_user_units(last.proof.lower_bound) == clf.cost_


def test_the_best_few_are_the_first_of_those_within_a_distance(clf):
    near = clf.near_optimal_sets(within=3)
    best = clf.near_optimal_sets(best=6)
    assert best.complete
    assert best.rules == near.rules[:6]


def test_importance_is_the_share_of_sets_that_use_a_condition(clf):
    found = clf.near_optimal_sets(within=1)
    table = found.importance()
    for row in table.itertuples():
        using = [
            model
            for model in found.models
            if row.condition in {str(literal) for rule in model.rules for literal in rule.literals}
        ]
        assert len(using) == row.sets
        assert row.share == row.sets / len(found)
        assert row.condition.startswith(row.column)
    assert table["share"].is_monotonic_decreasing


def test_a_table_lists_the_sets_in_words(clf):
    frame = clf.near_optimal_sets().to_frame()
    assert list(frame.columns) == ["cost", "size", "n_rules", "rules"]
    assert (frame["cost"] == float(clf.cost_)).all()
    assert frame["rules"].is_unique
    assert frame["rules"][0].startswith("IF petal length (cm) <= 2 THEN 0; IF ")


@pytest.mark.parametrize("within", [1e6, 1e15, 4.7e18, 9e18, 1e30])
@pytest.mark.parametrize("objective", ["sparse", "perfect"])
def test_beyond_the_dearest_set_nothing_is_gained(objective, within):
    rows, labels = [[1, 0], [1, 1], [0, 1], [0, 0]], ["x", "x", "y", "x"]
    small = DecisionSetClassifier(objective=objective).fit(rows, labels)
    found, all_sets = small.near_optimal_sets(within=within), small.near_optimal_sets(within=100)
    assert (len(found), found.complete) == (len(all_sets), True)


def test_a_distance_beyond_exact_numbers_is_not_called_complete(clf, monkeypatch):
    monkeypatch.setattr(near, "_PRECISE", 0)
    assert clf.near_optimal_sets().complete
    assert not clf.near_optimal_sets(within=2).complete


def test_a_limit_cuts_the_list(clf):
    found = clf.near_optimal_sets(within=3, limit=2)
    assert len(found) == 2
    assert found.n_sets > 2
    assert found.complete


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"within": -1}, "within must be"),
        ({"within": float("inf")}, "within must be"),
        ({"best": 0}, "best must be"),
        ({"best": 2, "within": 1}, "exclude each other"),
        ({"limit": 0}, "limit must be"),
    ],
)
def test_wrong_settings_are_refused(clf, settings, message):
    with pytest.raises(InputError, match=message):
        clf.near_optimal_sets(**settings)


def test_a_classifier_must_be_fitted_and_of_a_kind_that_can_be_enumerated(clf):
    with pytest.raises(NotFittedError):
        DecisionSetClassifier().near_optimal_sets()
    with pytest.raises(InputError, match="give within instead of best"):
        DecisionSetClassifier(size_budget=4).fit(X, Y).near_optimal_sets(best=2)
    with pytest.raises(InputError, match="under a budget, sets are listed without"):
        DecisionSetClassifier(size_budget=4, default="otherwise").fit(X, Y).near_optimal_sets()
    with pytest.raises(InputError, match="no set 99"):
        clf.near_optimal_sets().model(99)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"objective": "min_rules"},
        {"objective": "min_rules_then_literals"},
        {"counting": "per_row", "regularization": 0.1},
        {"every_class": True, "regularization": 0.1},
        {"default": "otherwise", "regularization": 0.05},
        {"engine": "maxsat", "regularization": 0.1},
        {"size_budget": 6},
        {"max_errors": 40},
    ],
    ids=str,
)
def test_every_fitted_classifier_lists_its_optima(settings):
    clf = DecisionSetClassifier(binarizer=Binarizer(bins=3), time_limit=60, **settings).fit(X, Y)
    found = clf.near_optimal_sets(time_limit=60)
    assert found.complete
    assert set(found.costs) == {clf.cost_}
    assert clf.decision_set_.rules in [model.rules for model in found.models]
    for model in found.models[:3]:
        assert recheck(model, X, Y) == []


def sets_up_to(problem, size):
    """Every set of rules up to a size."""
    rules = [rule for target in problem.classes for rule in every_rule(problem.table, target)]

    def extended(start, chosen, left):
        yield chosen
        for k in range(start, len(rules)):
            if rules[k].size <= left:
                yield from extended(k + 1, [*chosen, rules[k]], left - rules[k].size)

    return extended(0, [], size)


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("budget", ["size_budget", "max_errors"])
def test_sets_under_a_budget_are_those_of_the_oracle(budget, seed):
    rng = np.random.default_rng(seed)
    n_samples, n_features, n_classes = (int(rng.integers(*ends)) for ends in ((4, 10), (1, 3), (2, 4)))
    features = rng.random((n_samples, n_features)) < 0.5
    table = Table.from_arrays(features, rng.integers(0, n_classes, n_samples), n_classes=n_classes)
    objective = Objective(size_budget=int(rng.integers(0, 5)))
    if budget == "max_errors":
        objective = Objective(max_errors=float(2 + rng.integers(0, 5)))
    problem = Problem.of(table, objective)
    try:
        solution = get("exact")(problem, budget=Budget())
    except InputError:  # no set keeps the budget
        return
    size = sum(rule.size for rule in solution.rules)
    if size > 4:
        return  # too much for the oracle
    if budget == "size_budget":
        most_size, most_errors = objective.size_budget, errors(problem, solution.rules) + 1
    else:
        most_size, most_errors = size + 1, problem.most_errors
    found = near_sets_within(problem, 1, 10**6, Budget())
    expected = sorted(
        (cost(problem, rules), tuple(sorted(rules)))
        for rules in sets_up_to(problem, most_size)
        if cost(problem, rules) is not None
        and errors(problem, rules) <= most_errors
        and nothing_can_go(problem, rules)
    )
    assert found.complete
    assert sorted(found.sets) == expected
    assert found.n_sets == len(expected)
