"""Classes without a rule, and what a rule for each would cost."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from laconic import DecisionSetClassifier
from laconic.learning import unexplained
from laconic.learning.unexplained import Unexplained
from laconic.report.words import claim


@pytest.fixture
def digits():
    """Ten classes, of which a high price leaves some without a rule."""
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 10, 600)
    return pd.DataFrame(rng.normal(labels[:, None] * np.arange(1, 7), 2.0)).add_prefix("v"), labels


def prices(X, y):
    clf = DecisionSetClassifier(regularization=0.03, time_limit=20).fit(X, y)
    return {label: float(price) for label, price in clf.unexplained_classes_.items()}


def test_the_price_of_a_rule_is_small_even_where_the_search_for_it_is_cut_short(digits, monkeypatch):
    full = prices(*digits)
    assert full
    monkeypatch.setattr(unexplained, "WORK", 1)
    monkeypatch.setattr(unexplained, "SECONDS", 0.0)
    short = prices(*digits)
    assert full.keys() == short.keys()
    for label, price in short.items():
        assert 0 <= full[label] <= price < 200  # the rule without conditions costs some 500


def test_all_that_say_what_is_learned_name_the_classes_without_a_rule(digits):
    clf = DecisionSetClassifier(regularization=0.03, time_limit=20).fit(*digits)
    silent = [label for label, _ in clf.decision_set_.classes_without_rules]
    assert silent == list(clf.unexplained_classes_)
    said = " ".join(claim(clf.decision_set_).meaning)
    assert all(f"{label} (rows of weight " in said for label in silent)


@pytest.mark.parametrize(
    ("silent", "text"),
    [
        (
            Unexplained(0, Fraction(9), Fraction(5, 2)),
            "no rule explains 'a' (rows of weight 9); a rule for it would cost 2.5 more than it saves",
        ),
        (
            Unexplained(0, Fraction(9), Fraction(-3)),
            "no rule explains 'a' (rows of weight 9); a rule for it saves 3 more than it costs: "
            "search longer",
        ),
        (Unexplained(0, Fraction(9), None), "no rule explains 'a' (rows of weight 9)"),
        (
            Unexplained(0, Fraction(9), None, set_aside=True),
            "no rule explains 'a' (rows of weight 9): each of its rows looks like rows of a class that is "
            "more frequent there",
        ),
    ],
)
def test_a_class_without_a_rule_is_told_in_a_sentence(silent, text):
    assert silent.text("a") == text
