"""What would have to change: nearest, feasible, and really leading where it says."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from tests.support.models import applicants, loan_set, rule
from tests.support.random_sets import COLUMNS, random_literal, random_rows, random_set

from laconic.data.literals import Equals, Interval, Missing, Threshold
from laconic.model.counterfactual import OTHER, satisfied


def nearest(rules, row):
    (found,) = loan_set(rules=tuple(rules)).explain(pd.DataFrame([row]))
    return found.counterfactual


def test_the_rule_with_fewest_failing_conditions_is_nearest():
    far = rule("yes", [Equals("colour", "=", "red"), Threshold("age", "<=", 30.0)], 9, 0, 9)
    near = rule("yes", [Equals("colour", "=", "blue"), Threshold("age", "<=", 30.0)], 5, 0, 5)
    found = nearest([far, near], {"age": 40, "colour": "blue"})
    assert found.check.number == 2
    assert found.n_literals == 1
    assert str(found) == "it would be yes, by rule 2, if age <= 30 (it is 40)"


def test_conditions_on_one_column_are_asked_for_together():
    found = nearest(
        [rule("yes", [Threshold("age", ">", 54.0), Threshold("age", "<=", 64.0)], 9, 0, 9)], {"age": 40}
    )
    (change,) = found.changes
    assert str(change) == "54 < age <= 64 (it is 40)"
    assert (found.n_literals, change.example) == (1, 55.0)


def test_a_rule_that_contradicts_itself_is_no_way_out():
    for literals in (
        [Threshold("age", ">", 64.0), Threshold("age", "<=", 54.0)],
        [Equals("colour", "=", "red"), Equals("colour", "=", "blue")],
        [Missing("age"), Threshold("age", "<=", 54.0)],
        [Missing("age"), Missing("age", missing=False)],
    ):
        assert nearest([rule("yes", literals, 9, 0, 9)], {"age": 60, "colour": "green"}) is None


def test_a_rule_that_would_decide_goes_before_a_nearer_one_that_would_not():
    strong = rule("no", [Threshold("age", "<=", 54.0)], 99, 99, 0)
    weak = rule("yes", [Equals("colour", "=", "red")], 2, 0, 2)
    away = rule("yes", [Threshold("age", ">", 54.0), Equals("colour", "=", "green")], 2, 0, 2)
    row = {"age": 40, "colour": "blue"}
    found = nearest([strong, weak, away], row)
    assert (found.check.number, found.decides) == (3, True)
    assert str(found) == (
        "it would be yes, by rule 3, if age > 54 (it is 40) and colour is green (it is blue)"
    )
    still = nearest([strong, weak], row)
    assert (still.check.number, still.decides, still.prediction) == (2, False, "no")
    assert str(still) == "rule 2 (yes) would cover it if colour is red (it is blue), but it would still be no"


def test_a_value_is_chosen_that_other_rules_let_through():
    # Just above 30 the row would still be "no"; above 54 it is "yes".
    strong = rule("no", [Threshold("age", "<=", 54.0)], 99, 99, 0)
    found = nearest([strong, rule("yes", [Threshold("age", ">", 30.0)], 2, 0, 2)], {"age": 20})
    assert (found.prediction, found.changes[0].example) == ("yes", 55.0)


@pytest.mark.parametrize(
    ("literals", "row", "example"),
    [
        ([Threshold("age", "<=", 54.5)], {"age": 60}, 54.0),
        ([Threshold("age", ">", 54.5)], {"age": 40}, 55.0),
        ([Interval("age", 0.25, 0.5)], {"age": 0.1}, 0.4),
        ([Interval("age", 0.25, 0.5)], {"age": 0.9}, 0.5),
        ([Interval("age", 1.0, 5.0, inside=False)], {"age": 2}, 1.0),
        ([Interval("age", 1.0, 5.0, inside=False)], {"age": 4.5}, 6.0),
        ([Threshold("age", ">", 1e300)], {"age": 0}, math.nextafter(1e300, math.inf)),
        ([Threshold("age", "<=", 54.0)], {"age": None}, 54.0),
        ([Missing("age", missing=False)], {"age": None}, 0.0),
        ([Missing("age")], {"age": 3.0}, None),
        ([Equals("colour", "!=", "red")], {"colour": "red"}, None),
        ([Equals("colour", "=", "red")], {"colour": None}, "red"),
    ],
)
def test_examples_are_near_and_plain(literals, row, example):
    found = nearest([rule("yes", literals, 9, 0, 9)], {"age": 1.0, "colour": "x", **row})
    assert found.changes[0].example == example
    assert found.prediction == "yes"


def test_without_rules_of_another_class_nothing_is_asked_for():
    ann = loan_set(rules=loan_set().rules[:1]).explain(applicants())[0]
    assert ann.prediction == "no"
    assert ann.counterfactual is None


def test_one_value_is_judged_like_a_column():
    rng = np.random.default_rng(5)
    rows = random_rows(rng, 60)
    for _ in range(300):
        column = COLUMNS[rng.integers(5)]
        literal = random_literal(rng, column)
        values = rows[column.name]
        plain = [None if pd.isna(value) else value for value in values.tolist()]
        assert [satisfied(literal, value) for value in plain] == literal.holds(values).tolist()


def test_another_category_is_any_that_no_rule_names():
    assert satisfied(Equals("colour", "!=", "red"), OTHER)
    assert not satisfied(Equals("colour", "=", "red"), OTHER)
    assert satisfied(Missing("colour", missing=False), OTHER)


def test_a_changed_row_gets_the_class_that_was_said():
    rng = np.random.default_rng(11)
    n_changed, n_decided = 0, 0
    for _ in range(60):
        model = random_set(rng)
        rows = random_rows(rng, 15)
        found = {i: one.counterfactual for i, one in enumerate(model.explain(rows)) if one.counterfactual}
        if not found:
            continue
        changed = rows.astype(object)
        for i, counterfactual in found.items():
            for change in counterfactual.changes:
                asks_missing = any(isinstance(x, Missing) and x.missing for x in change.conditions)
                other = "no such colour" if change.column == "colo'ur" else True
                value = change.example if change.example is not None or asks_missing else other
                changed.iloc[i, changed.columns.get_loc(change.column)] = value
        covers, predicted = model.covers(changed), model.predict(changed)
        for i, counterfactual in found.items():
            assert covers[i, counterfactual.check.number - 1]
            assert predicted[i] == counterfactual.prediction
            n_changed += 1
            n_decided += counterfactual.decides
    assert n_changed > 300
    assert 100 < n_decided < n_changed
