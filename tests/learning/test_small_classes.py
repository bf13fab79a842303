"""By default, many classes and rare ones get rules, where rules help on new rows; others are named."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from laconic import DecisionSetClassifier
from laconic.model.choice import Choice, Rung


def test_each_of_26_classes_gets_a_rule():
    rng = np.random.default_rng(0)
    letters = np.repeat(np.arange(26), 16)
    X = rng.integers(0, 16, (26, 6))[letters] + rng.normal(0, 0.6, (letters.size, 6)).round()
    clf = DecisionSetClassifier(n_jobs=2).fit(X, letters)
    assert {rule.label for rule in clf.rules_} == set(range(26))
    assert clf.unexplained_classes_ == {}
    assert clf.choice_.best.accuracy > 0.7


@pytest.fixture
def fraud():
    """One row of 200 is fraud, and no condition on offer is right on most of the rows that it covers."""
    rng = np.random.default_rng(1)
    rare = np.zeros(1200, bool)
    rare[rng.choice(1200, 6, replace=False)] = True
    X = pd.DataFrame(rng.normal(size=(1200, 3)), columns=["a", "b", "c"])
    X.loc[rare, "a"] += 1.5
    return X, np.where(rare, "fraud", "fine")


def test_where_no_rule_for_a_rare_class_helps_the_class_is_named(fraud):
    clf = DecisionSetClassifier().fit(*fraud)
    assert clf.unexplained_classes_.keys() == {"fraud"}
    assert clf.unexplained_classes_["fraud"] > 0
    assert "no set of rules is clearly better than the most frequent class alone" in clf.choice_.text


def test_a_column_that_leaks_a_rare_class_gives_it_a_rule(fraud):
    X, y = fraud
    clf = DecisionSetClassifier().fit(X.assign(chargeback=(y == "fraud").astype(int)), y)
    assert [str(rule) for rule in clf.rules_] == [
        "IF chargeback is 0 THEN fine",
        "IF chargeback is 1 THEN fraud",
    ]
    assert clf.unexplained_classes_ == {}


def test_balanced_class_weights_give_a_rare_class_a_rule(fraud):
    clf = DecisionSetClassifier(class_weight="balanced").fit(*fraud)
    assert "fraud" in {rule.label for rule in clf.rules_}


@pytest.mark.parametrize(
    ("balanced", "said"),
    [
        (0.5, "no set of rules is clearly better than the most frequent class alone"),
        (
            0.8,
            "it is right on no more rows than the most frequent class alone, but on 80.0 % of a class on "
            "average",
        ),
    ],
)
def test_a_set_that_is_only_better_for_rare_classes_is_not_called_useless(balanced, said):
    rung = Rung(0.01, 5, Fraction(3), 0.9, balanced, 0.01)
    assert Choice((rung, rung), 0, 5, 60, 0.95).text.endswith(f"of 2 on rows not learned from; {said}")
