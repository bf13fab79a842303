"""A rule covers a row of its class, and its conditions can be met at once."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

from laconic import Constraints, DecisionSetClassifier, DecisionSetPath, InputError
from laconic.data.literals import Equals, Interval, Missing, Threshold, contradiction
from laconic.data.targets import TargetWarning
from laconic.learning.superfluous import ConstraintWarning


def table(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(8, 40))
    X = pd.DataFrame(
        {
            "x": np.where(rng.random(n) < 0.2, np.nan, rng.integers(0, 8, n)),
            "c": rng.choice(["a", "b", "d"], n),
            "b": rng.integers(0, 2, n),
        }
    )
    return X, rng.choice(["A", "B", "C"], n, p=[0.5, 0.4, 0.1])


def check(model, X, y):
    covers = model.covers(X)
    for k, rule in enumerate(model.rules):
        assert (covers[:, k] & (y == rule.label)).any(), f"{rule} covers no row of its class"
        assert contradiction(rule.literals) is None, rule


WISHES = {
    "every class": {"every_class": True, "regularization": 0.05},
    "every class, high price": {"every_class": True, "regularization": 0.3},
    "every class, MaxSAT": {"every_class": True, "regularization": 0.05, "engine": "maxsat"},
    "every class, constraints": {
        "every_class": True,
        "regularization": 0.02,
        "constraints": {"max_rules": 3},
    },
    "required": {"constraints": {"required": ["c"]}, "regularization": 0.05},
    "required, high price": {"constraints": {"required": ["x is missing"]}, "regularization": 0.4},
    "required, per row": {
        "constraints": {"required": ["c", "b"]},
        "regularization": 0.2,
        "counting": "per_row",
    },
    "required, perfect": {"constraints": {"required": ["c"]}, "objective": "perfect"},
    "required, within a size": {"constraints": {"required": ["c"]}, "size_budget": 8},
    "required, few rules": {"constraints": {"required": ["b"]}, "measure": "rules", "regularization": 0.1},
    "fewest rules": {"objective": "min_rules"},
    "fewest rules, SAT": {"objective": "min_rules", "engine": "minrules"},
    "perfect, SAT": {"objective": "perfect", "engine": "sat"},
}


@pytest.mark.filterwarnings("ignore::laconic.learning.superfluous.ConstraintWarning")
@pytest.mark.parametrize("wish", WISHES)
@pytest.mark.parametrize("seed", range(1, 7))
def test_every_rule_covers_a_row_of_its_class(wish, seed):
    X, y = table(seed)
    check(DecisionSetClassifier(time_limit=20, **WISHES[wish]).fit(X, y).decision_set_, X, y)


@pytest.mark.parametrize("seed", range(3))
def test_so_does_every_rule_of_near_optimal_sets_and_of_fronts(seed):
    X, y = table(seed)
    for found in DecisionSetClassifier(regularization=0.1).fit(X, y).near_optimal_sets(within=4, limit=100):
        check(found, X, y)
    for model in DecisionSetPath(max_size=10).fit(X, y).front_.models:
        check(model, X, y)


@pytest.mark.parametrize(
    ("literals", "column"),
    [
        ([Threshold("x", "<=", 7.0), Missing("x")], "x"),
        ([Threshold("x", "<=", 3.0), Threshold("x", ">", 7.0)], "x"),
        ([Threshold("x", "<=", 3.0), Threshold("x", ">", 3.0)], "x"),
        ([Equals("c", "=", "a"), Equals("c", "=", "b")], "c"),
        ([Equals("c", "=", "a"), Equals("c", "!=", "a")], "c"),
        ([Missing("x"), Missing("x", missing=False)], "x"),
        ([Interval("x", 1.0, 3.0), Threshold("x", ">", 3.0)], "x"),
        ([Equals("n", "=", 5.0), Threshold("n", "<=", 4.0)], "n"),
        ([Threshold("x", ">", 3.0), Threshold("x", "<=", 7.0)], None),
        ([Threshold("x", "<=", 3.0), Missing("x", missing=False)], None),
        ([Equals("c", "!=", "a"), Equals("c", "!=", "b")], None),
        ([Equals("n", "!=", 5.0), Threshold("n", ">", 4.0)], None),
        ([Interval("x", 1.0, 3.0, inside=False), Threshold("x", "<=", 1.0)], None),
        ([Threshold("x", "<=", 3.0), Missing("y")], None),
        ([], None),
    ],
)
def test_conditions_that_no_value_meets_are_found(literals, column):
    assert contradiction(literals) == column


@pytest.mark.parametrize("rule", ["IF x <= 2 AND x is missing THEN A", "IF c is a AND c is b THEN A"])
def test_a_rule_that_contradicts_itself_cannot_be_put_in(rule):
    X, y = table(1)
    with pytest.raises(InputError, match=r"contradicts itself: no value of column '.' meets its conditions"):
        DecisionSetClassifier(regularization=0.1, constraints=Constraints(rules_in=(rule,))).fit(X, y)


def test_a_required_condition_in_a_rule_that_adds_nothing_is_warned_about():
    X = pd.DataFrame({"x": np.repeat([0, 1], 10), "c": list("ab") * 10})
    y = np.where(X["x"] == 1, "A", "B")
    with pytest.warns(ConstraintWarning, match="only because a condition of it is required"):
        DecisionSetClassifier(objective="perfect", constraints={"required": ["c"]}).fit(X, y)


def test_a_required_condition_in_a_rule_that_adds_something_is_not_warned_about():
    X = pd.DataFrame({"x": np.repeat([0, 1], 10), "c": list("ab") * 10})
    y = np.where((X["x"] == 1) & (X["c"] == "a"), "A", "B")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        DecisionSetClassifier(objective="perfect", constraints={"required": ["c"]}).fit(X, y)


def test_a_label_for_every_row_is_refused():
    X, _ = table(3)
    labels = [f"id{k}" for k in range(len(X))]
    with pytest.raises(InputError, match=f"each of the {len(X)} rows has a label of its own"):
        DecisionSetClassifier().fit(X, labels)


def test_a_quantity_as_target_is_warned_about():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=60)})
    with pytest.warns(TargetWarning, match="in 60 rows, and each is a class"):
        DecisionSetClassifier(regularization=0.5).fit(X, np.arange(60) // 2 + (np.arange(60) > 58))
    many = pd.DataFrame({"a": rng.normal(size=500)})
    with pytest.warns(TargetWarning, match="has 125 different labels"):
        DecisionSetClassifier(regularization=0.5).fit(many, np.arange(500) // 4)


def test_a_class_whose_rows_are_all_set_aside_is_named():
    X = pd.DataFrame({"a": [0, 0, 0, 1, 1, 1]})
    y = ["no", "no", "rare", "yes", "yes", "yes"]
    clf = DecisionSetClassifier(every_class=True, regularization=0.05).fit(X, y)
    assert clf.unexplained_classes_ == {"rare": None}
    assert clf.decision_set_.classes_without_rules == (("rare", 1),)
