"""Constraints from a user's table to a saved model: the classifier's side."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from laconic import Binarizer, Constraints, DecisionSetClassifier, load_model, save_model
from laconic.checking.recheck import recheck
from laconic.runtime.errors import InputError


@pytest.fixture(scope="module")
def people():
    rng = np.random.default_rng(3)
    n = 90
    X = pd.DataFrame(
        {
            "age": rng.integers(18, 80, n).astype(float),
            "job": rng.choice(["clerk", "driver", "nurse"], n),
            "owner": rng.integers(0, 2, n),
        }
    )
    X.loc[rng.random(n) < 0.1, "age"] = np.nan
    y = np.where(X["age"] > 50, "old", np.where(X["owner"] == 1, "owner", "other"))
    y[rng.random(n) < 0.1] = "other"
    return X, y


def fit(people, **more):
    X, y = people
    settings = {"regularization": 0.03, "binarizer": Binarizer(bins=3), **more}
    return DecisionSetClassifier(**settings).fit(X, y)


@pytest.mark.parametrize(
    "asked",
    [
        {"max_rules": 2},
        {"max_rule_length": 1, "disjoint": True},
        {"forbidden": ["job"], "required": ["age is missing"]},
        {"positive": True},
        {"monotone": {"age": {"old": "increasing"}}},
        {"rules_in": ["IF job is nurse THEN other"], "feature_costs": {"owner": 1.5}},
        {"min_precision": 0.8, "min_support": 10},
        {"class_weight": "balanced", "false_negative_costs": {"old": 2}},
        {"measure": "longest,features"},
        {"measure": "average_length"},
    ],
    ids=str,
)
def test_a_constrained_model_is_proved_saved_and_recounted(asked, people, tmp_path):
    fitted = fit(people, constraints=asked)
    assert fitted.optimal_
    assert fitted.lower_bound_ == fitted.cost_
    save_model(fitted.decision_set_, tmp_path / "m.json")
    again = load_model(tmp_path / "m.json")
    assert again == fitted.decision_set_
    assert again.proof.constraints == Constraints(**asked)
    assert recheck(again, *people) == []


def test_a_constraint_never_makes_the_cost_lower(people):
    free = fit(people).cost_
    for asked in ({"max_size": 4}, {"forbidden": ["age"]}, {"disjoint": True}, {"min_support": 30}):
        assert fit(people, constraints=asked).cost_ >= free


def test_class_weights_cost_what_sample_weights_cost(people):
    X, y = people
    X = X.assign(age=X["age"] // 15)  # all midpoints are thresholds, whatever rows weigh
    weights = {"old": 2.5, "owner": 1, "other": 0.5}
    for objective in ("sparse", "perfect"):
        plain = DecisionSetClassifier(
            objective, regularization=0.03, binarizer=Binarizer(thresholds="midpoints")
        )
        by_class = clone(plain).set_params(class_weight=weights).fit(X, y)
        by_sample = clone(plain).fit(X, y, sample_weight=[weights[label] for label in y])
        assert by_class.binarizer_.features_ == by_sample.binarizer_.features_
        assert by_class.cost_ == by_sample.cost_
        assert by_class.cost_ != clone(plain).fit(X, y).cost_ or objective == "perfect"


def test_costs_of_both_kinds_of_error_together_are_a_scaled_problem(people):
    labels = ("old", "owner", "other")
    doubled = fit(
        people,
        constraints={
            "false_positive_costs": dict.fromkeys(labels, 2),
            "false_negative_costs": dict.fromkeys(labels, 2),
        },
        regularization=0.06,
    )
    assert doubled.cost_ == pytest.approx(2 * fit(people).cost_, abs=2 * doubled.size_)


def test_measures_are_told(people):
    fitted = fit(people, measure="longest,features")
    assert list(fitted.measures_) == ["longest", "features", "size"]
    assert fitted.measures_["longest"] == max(len(rule.literals) for rule in fitted.rules_)
    assert fitted.measures_["features"] == len(fitted.decision_set_.used_columns)
    assert fitted.measures_["size"] == fitted.size_
    assert fit(people).measures_ == {}


def test_the_average_length_is_that_of_the_shortest_right_rule(people):
    X, y = people
    fitted = fit(people, measure="average_length")
    covers = fitted.covers(X)
    lengths = [
        min(
            [len(r.literals) for r, c in zip(fitted.rules_, row, strict=True) if c and r.label == label],
            default=0,
        )
        for row, label in zip(covers, y, strict=True)
    ]
    assert float(fitted.measures_["average_length"]) == pytest.approx(np.mean(lengths))


def test_monotone_rules_never_turn_away(people):
    X, _ = people
    fitted = fit(people, constraints={"monotone": {"age": {"old": "increasing"}}})
    present = X.dropna()
    older = present.assign(age=present["age"] + 10)
    old = [rule.label == "old" for rule in fitted.rules_]
    before, after = fitted.covers(present), fitted.covers(older)
    assert (before[:, old] <= after[:, old]).all()
    assert (before[:, ~np.array(old)] >= after[:, ~np.array(old)]).all()


def test_partial_fit_keeps_the_constraints(people):
    X, y = people
    model = DecisionSetClassifier(regularization=0.03, constraints={"max_rules": 1})
    model.partial_fit(X[:60], y[:60], classes=["old", "owner", "other"])
    model.partial_fit(X[60:].fillna(40), y[60:])
    assert model.optimal_
    assert len(model.rules_) <= 1


def test_the_classifier_can_be_cloned(people):
    asked = DecisionSetClassifier(
        constraints=Constraints(max_rules=2), measure="longest", class_weight="balanced"
    )
    assert clone(asked).get_params() == asked.get_params()


def test_bad_constraints_are_refused_before_the_table_is_read():
    with pytest.raises(InputError, match="there is no constraint 'rules'"):
        DecisionSetClassifier(constraints={"rules": 3}).fit(None, None)
    with pytest.raises(InputError, match="given twice"):
        DecisionSetClassifier(constraints={"measure": "longest"}, measure="features").fit(None, None)
