from __future__ import annotations

import pytest

from laconic.model.explain import Reason

from .builders import applicants, loan_set, rule


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
        ("a", "row a: no, because\n  rule 1: IF age <= 54 (it is 40) THEN no"),
        (
            "b",
            "row b: yes, although rules of 2 classes cover it (no, yes): "
            "rule 2 has the best Laplace precision (0.78)\n"
            "  rule 1: IF age <= 54 (it is 40) THEN no\n"
            "  rule 2: IF colour is red (it is red) AND age > 30 (it is 40) THEN yes",
        ),
        ("c", "row c: no, by the default class: no rule covers it"),
    ],
)
def test_text_says_what_happened(row, text):
    (explanation,) = loan_set().explain(applicants().loc[[row]])
    assert str(explanation) == text


def test_else_is_named_as_the_reason():
    (cid,) = loan_set(else_rule=rule("yes", [], 3, 2, 1)).explain(applicants().loc[["c"]])
    assert (cid.reason, cid.prediction, cid.deciding) == (Reason.ELSE, "yes", None)
    assert str(cid) == "row c: yes, by the else rule: no other rule covers it"


def test_rows_of_an_array_are_numbered():
    found = loan_set().explain(applicants().to_numpy(dtype=object))
    assert [e.row for e in found] == [0, 1, 2, 3, 4]
    assert found[0].checks[0].conditions[0].value == 40
