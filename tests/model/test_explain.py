from __future__ import annotations

import json

import pandas as pd
import pytest
from tests.support.models import applicants, loan_set, rule

from laconic.data.literals import Equals, Threshold
from laconic.model.explain import Reason


def test_reasons_and_predictions_agree_with_predict():
    found = loan_set().explain(applicants())
    assert [e.reason for e in found] == [
        Reason.RULE,
        Reason.CONFLICT,
        Reason.DEFAULT,
        Reason.RULE,
        Reason.CONFLICT,
    ]
    assert [e.prediction for e in found] == loan_set().predict(applicants()).tolist()
    assert [e.row for e in found] == ["a", "b", "c", "d", "e"]


def test_every_rule_is_held_against_the_rows_own_values():
    bob = loan_set().explain(applicants())[1]
    assert [check.number for check in bob.checks] == [1, 2, 3]
    assert [check.covers for check in bob.checks] == [True, True, False]
    assert [(c.value, c.holds) for c in bob.checks[1].conditions] == [("red", True), (40.0, True)]
    assert [check.number for check in bob.covering] == [1, 2]
    assert bob.deciding is not None
    assert bob.deciding.number == 2


def test_failing_conditions_say_what_would_have_to_change():
    ann = loan_set().explain(applicants())[0]
    assert [str(c.literal) for c in ann.checks[1].failing] == ["colour is red"]
    assert ann.checks[0].failing == ()


def test_missing_values_are_none():
    dee = loan_set().explain(applicants())[3]
    assert dee.checks[0].conditions[0].value is None
    assert str(dee.checks[0].conditions[0]) == "age <= 54 (it is missing)"
    assert str(dee.checks[2].conditions[0]) == "income is missing"


@pytest.mark.parametrize(
    ("row", "text"),
    [
        (
            "a",
            "row a: no, because\n"
            "  rule 1: IF age <= 54 (it is 40) THEN no\n"
            "  it would be yes, by rule 2, if colour is red (it is blue)",
        ),
        (
            "b",
            "row b: yes, although rules of 2 classes cover it (no, yes): "
            "rule 2 has the best Laplace precision (0.78)\n"
            "  rule 1: IF age <= 54 (it is 40) THEN no\n"
            "  rule 2: IF colour is red (it is red) AND age > 30 (it is 40) THEN yes",
        ),
        (
            "c",
            "row c: no, by the default class: no rule covers it\n"
            "  it would be yes, by rule 2, if colour is red (it is blue)",
        ),
    ],
)
def test_text_says_what_happened(row, text):
    (explanation,) = loan_set().explain(applicants().loc[[row]])
    assert str(explanation) == text


def test_else_is_named_as_the_reason():
    (cid,) = loan_set(else_rule=rule("yes", [], 3, 2, 1)).explain(applicants().loc[["c"]])
    assert (cid.reason, cid.prediction, cid.deciding) == (Reason.ELSE, "yes", None)
    assert str(cid) == (
        "row c: yes, by the else rule: no other rule covers it\n"
        "  it would be no, by rule 1, if age <= 54 (it is 60)"
    )


def test_rows_of_an_array_are_numbered():
    found = loan_set().explain(applicants().to_numpy(dtype=object))
    assert [e.row for e in found] == [0, 1, 2, 3, 4]
    assert found[0].checks[0].conditions[0].value == 40


def test_an_interval_is_shown_as_one_condition_and_counted_as_two():
    middle = rule(
        "yes",
        [Threshold("age", ">", 54.0), Equals("colour", "=", "blue"), Threshold("age", "<=", 64.0)],
        9,
        0,
        9,
    )
    (cid,) = loan_set(rules=(middle,)).explain(applicants().loc[["c"]])
    assert str(cid) == (
        "row c: yes, because\n  rule 1: IF 54 < age <= 64 (it is 60) AND colour is blue (it is blue) THEN yes"
    )
    assert len(cid.checks[0].conditions) == 3
    assert middle.size == 4


def test_an_explanation_is_plain_data():
    ann = loan_set().explain(applicants())[0].to_dict()
    assert json.loads(json.dumps(ann, allow_nan=False)) == ann
    assert {key: ann[key] for key in ("row", "prediction", "reason", "deciding_rule")} == {
        "row": "a",
        "prediction": "no",
        "reason": "rule",
        "deciding_rule": 1,
    }
    assert ann["rules"][1] == {
        "number": 2,
        "text": "IF colour is red AND age > 30 THEN yes",
        "class": "yes",
        "covers": False,
        "conditions": [
            {"text": "colour is red", "column": "colour", "value": "blue", "holds": False},
            {"text": "age > 30", "column": "age", "value": 40.0, "holds": True},
        ],
    }
    assert ann["counterfactual"] == {
        "rule": 2,
        "class": "yes",
        "prediction": "yes",
        "n_conditions": 1,
        "changes": [{"column": "colour", "text": "colour is red", "value": "blue", "example": "red"}],
    }


def test_explanations_of_a_table_are_json():
    found = loan_set().explain(applicants())
    assert json.loads(found.to_json()) == found.to_list() == [one.to_dict() for one in found]
    assert found.to_text().count("row ") == len(found) == 5
    assert [one.row for one in found[1:3]] == ["b", "c"]
    dated = applicants().set_axis(pd.date_range("2026-01-01", periods=5), axis=0)
    assert loan_set().explain(dated).to_list()[0]["row"] == "2026-01-01 00:00:00"


def test_explanations_of_a_table_are_a_frame():
    frame = loan_set().explain(applicants()).to_frame()
    assert frame.index.tolist() == ["a", "b", "c", "d", "e"]
    assert frame["prediction"].tolist() == loan_set().predict(applicants()).tolist()
    assert frame["reason"].tolist() == ["rule", "conflict", "default", "rule", "conflict"]
    assert frame["rule"].isna().tolist() == [False, False, True, False, False]
    assert frame["rule"].dropna().tolist() == [1, 2, 3, 1]
    assert frame.loc["b", "conditions"] == "colour is red AND age > 30"
    assert frame["covering"].tolist() == [(1,), (1, 2), (), (3,), (1, 3)]
    assert frame.loc["a", ["nearest_rule", "change", "changed_prediction"]].tolist() == [
        2,
        "colour is red",
        "yes",
    ]
