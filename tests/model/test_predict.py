from __future__ import annotations

import numpy as np
import pandas as pd
from tests.support.models import RED, YOUNG, applicants, loan_set, rule

from laconic.data.column import View, view
from laconic.data.literals import Threshold
from laconic.model.predict import NO_RULE, deciding_rules, literal_masks, rule_masks


def rows_of(frame: pd.DataFrame) -> View:
    return view(frame, loan_set().columns, ["age", "colour", "income"])


def test_each_distinct_literal_is_evaluated_once(monkeypatch):
    asked: list[Threshold] = []
    holds = Threshold.holds

    def counting(self, values):
        asked.append(self)
        return holds(self, values)

    monkeypatch.setattr(Threshold, "holds", counting)
    shared = rule("yes", [Threshold("age", "<=", 54.0), Threshold("age", ">", 30.0)], 1, 0, 1)
    rule_masks((YOUNG, RED, shared), rows_of(applicants()))
    assert sorted(map(str, asked)) == ["age <= 54", "age > 30"]


def test_columns_that_no_rule_uses_are_not_even_looked_at():
    with_dates = applicants().assign(name=pd.Timestamp("2020-01-01"))
    assert loan_set().predict(with_dates).tolist() == loan_set().predict(applicants()).tolist()


def test_masks_are_one_line_per_literal_or_rule():
    rows = rows_of(applicants())
    masks = literal_masks(RED.literals, rows)
    assert {str(literal): mask.tolist() for literal, mask in masks.items()} == {
        "colour is red": [False, True, False, True, False],
        "age > 30": [True, True, True, False, False],
    }
    assert rule_masks((RED,), rows).tolist() == [[False, True, False, False, False]]


def test_rows_without_a_rule_are_marked():
    covered = np.array([[True, False], [False, False]])
    assert deciding_rules((YOUNG, RED), covered).tolist() == [0, NO_RULE]
