from __future__ import annotations

from tests.support.models import loan_set, rule

from laconic.data.literals import Equals, Threshold
from laconic.model.render import ALIGN_WITHIN, conditions_text, count, gap_text


def test_a_decision_set_prints_aligned():
    assert str(loan_set()).splitlines() == [
        "IF age <= 54                  THEN no      [10 rows, precision 0.80]",
        "IF colour is red AND age > 30 THEN yes     [7 rows, precision 0.86]",
        "IF income is missing          THEN yes     [1 row, precision 1.00]",
        "OTHERWISE                     THEN no      [default; no rule covers 3 rows]",
        "(3 rules, size 7)",
    ]


def test_else_replaces_the_default_line():
    lines = str(loan_set(else_rule=rule("no", [], 3, 2, 1))).splitlines()
    assert lines[3] == "ELSE                          THEN no      [3 rows, precision 0.67]"
    assert lines[4] == "(4 rules, size 8)"


def test_a_rule_without_conditions_leaves_no_default_line():
    assert str(loan_set(rules=(rule("no", [], 4, 3, 1),))).splitlines() == [
        "IF true THEN no     [4 rows, precision 0.75]",
        "(1 rule, size 1)",
    ]


def test_default_without_uncovered_rows_says_only_default():
    assert "THEN no      [default]" in str(loan_set(default_rows=0))


def test_two_thresholds_on_one_column_read_as_an_interval():
    literals = [Threshold("age", "<=", 64.0), Equals("colour", "!=", "red"), Threshold("age", ">", 54.0)]
    assert conditions_text(literals) == "54 < age <= 64 AND colour is not red"


def test_thresholds_on_different_columns_stay_apart():
    literals = [Threshold("age", ">", 54.0), Threshold("height", "<=", 1.8)]
    assert conditions_text(literals) == "age > 54 AND height <= 1.8"


def test_one_long_rule_does_not_push_all_others_right():
    long = rule("no", [Threshold("a" * 200, "<=", 1.0)], 1, 1, 0)
    first, second, *_ = str(loan_set(rules=(long, *loan_set().rules[:1]))).splitlines()
    assert len(first) > 200
    assert second.index("THEN") == ALIGN_WITHIN + 1


def test_a_positive_gap_never_reads_as_zero():
    assert [gap_text(gap) for gap in (0.0, 1e-15, 0.07, 1.0)] == ["0.0 %", "0.1 %", "7.0 %", "100.0 %"]


def test_nouns_agree_with_their_number():
    assert [count(n, "row") for n in (0, 1, 2)] == ["0 rows", "1 row", "2 rows"]
