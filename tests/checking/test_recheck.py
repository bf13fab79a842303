from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from laconic import DecisionSet, DecisionSetClassifier
from laconic.checking.recheck import recheck
from laconic.runtime.errors import InputError

X = pd.DataFrame(
    {
        "age": [21, 35, 54, 70, 42, 28, 28] * 3,
        "colour": ["red", "blue", "red", "blue", None, "red", "red"] * 3,
    }
)
Y = np.array(["no", "yes", "no", "yes", "yes", "no", "yes"] * 3)
SETTINGS = [
    {"objective": "perfect"},
    {"regularization": 0.02},
    {"regularization": 0.02, "counting": "per_row"},
    {"regularization": 0.3, "every_class": True},
    {"regularization": 0.02, "default": "otherwise"},
    {"objective": "perfect", "default": "otherwise"},
]


def fitted(**settings) -> DecisionSet:
    return DecisionSetClassifier(**settings).fit(X, Y).decision_set_


def with_proof(model: DecisionSet, **changes) -> DecisionSet:
    assert model.proof is not None
    return replace(model, proof=replace(model.proof, **changes))


@pytest.mark.parametrize("settings", SETTINGS)
def test_a_sound_model_stands_on_its_data_in_any_order(settings):
    model = DecisionSet.from_json(fitted(**settings).to_json())
    order = np.random.default_rng(0).permutation(len(X))
    assert recheck(model, X, Y) == []
    assert recheck(model, X.iloc[order, ::-1], Y[order]) == []


def test_weighted_models_stand_too():
    weights = [0.5, 1, 0, 1, 1.25, 1, 1] * 3
    model = DecisionSetClassifier(regularization=0.02).fit(X, Y, sample_weight=weights).decision_set_
    assert recheck(model, X, Y, weights) == []
    assert recheck(model, X, Y) != []


def test_other_data_is_noticed():
    other = X.assign(age=X["age"] + 30)
    expected = "this is not the data the model was trained on (the fingerprint of the binary table differs)"
    assert recheck(fitted(objective="perfect"), other, Y) == [expected]
    assert recheck(fitted(objective="perfect"), X, np.where(Y == "no", "yes", "no")) == [expected]


def test_other_conditions_with_the_same_weights_are_noticed():
    two = pd.DataFrame({"a": [0, 0, 1], "b": [0, 1, 1]})
    model = DecisionSetClassifier("perfect").fit(two, ["x", "y", "z"]).decision_set_
    assert recheck(model, two, ["x", "y", "z"]) == []
    assert len(recheck(model, two.assign(a=[0, 1, 1], b=[0, 0, 1]), ["x", "y", "z"])) == 1


def test_unknown_labels_are_noticed():
    assert recheck(fitted(objective="perfect"), X, ["maybe"] * 21) == [
        "the data has label 'maybe', which the model does not know"
    ]


def test_false_facts_are_noticed():
    model = fitted(regularization=0.02)
    assert model.proof is not None
    cost, errors = model.proof.cost, model.proof.errors
    assert f"claimed cost {cost - 1}, recounted {cost}" in recheck(
        with_proof(model, cost=cost - 1, lower_bound=cost - 1), X, Y
    )
    assert f"the weight of the errors should be {errors}, not {errors + 1}" in recheck(
        with_proof(model, errors=errors + 1), X, Y
    )
    assert "the price of a literal should be 1, not 2" in recheck(with_proof(model, literal_cost=2), X, Y)
    rules = (replace(model.rules[0], class_weights=(Fraction(99), Fraction(0))), *model.rules[1:])
    assert recheck(replace(model, rules=rules), X, Y) == [
        f"'{model.rules[0]}' is said to cover 99 of class no and 0 of class yes, "
        f"but covers 9 of class no and 3 of class yes"
    ]


def test_a_model_without_proof_cannot_be_checked():
    with pytest.raises(InputError, match="this model has no proof facts to check"):
        recheck(replace(fitted(objective="perfect"), proof=None), X, Y)


def test_answers_of_predict_that_are_not_those_of_the_rules_are_noticed(monkeypatch):
    model = fitted(objective="perfect")
    monkeypatch.setattr(DecisionSet, "predict", lambda self, X: np.full(len(X), "no"))
    (found,) = recheck(model, X, Y)
    assert found == (
        "predict answers 'no' for row 1, but by the rules and weights recounted it should be 'yes'; "
        "so for 9 rows"
    )
