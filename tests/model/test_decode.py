from __future__ import annotations

from fractions import Fraction

import numpy as np

from laconic.data.column import Column
from laconic.data.literals import Feature, Threshold
from laconic.data.table import Table
from laconic.model.decision_set import DecisionSet
from laconic.model.decode import decode
from laconic.problem.coded import CodedRule

FEATURES = (
    Feature(Threshold("a", "<=", 1.0), Threshold("a", ">", 1.0)),
    Feature(Threshold("b", "<=", 2.0), Threshold("b", ">", 2.0)),
)
COLUMNS = (Column("a", "numeric"), Column("b", "numeric"))


def build(table: Table, *coded: CodedRule, **settings) -> DecisionSet:
    return decode(coded, table, FEATURES, np.array(["x", "y", "z"][: table.n_classes]), COLUMNS, **settings)


def table() -> Table:
    rows = [[0, 0], [0, 1], [0, 1], [1, 0], [1, 1], [1, 1]]
    return Table.from_arrays(rows, [0, 0, 1, 1, 1, 0])


def test_codes_become_conditions():
    made = build(table(), CodedRule(0, (0,)), CodedRule(1, (1, 2)))
    assert [str(rule) for rule in made.rules] == ["IF a > 1 THEN x", "IF a <= 1 AND b > 2 THEN y"]


def test_supports_count_samples_and_weights_by_class():
    (rule,) = build(table(), CodedRule(0, (0,))).rules
    assert (rule.rows, rule.class_weights, rule.right, rule.wrong) == (3, (2, 1), 2, 1)


def test_supports_are_in_the_users_units():
    weighted = Table.from_arrays([[0, 0], [1, 0]], [0, 1], [0.5, 0.25])
    (rule,) = build(weighted, CodedRule(0, ())).rules
    assert rule.class_weights == (Fraction(1, 2), Fraction(1, 4))
    assert rule.laplace == Fraction(3, 2) / Fraction(11, 4)


def test_default_is_the_heaviest_class_of_the_uncovered_rows():
    made = build(table(), CodedRule(0, (0,)))
    assert (made.default_class, made.default_rows, made.default_weights) == ("y", 3, (1, 2))


def test_default_is_the_heaviest_class_of_all_when_every_row_is_covered():
    made = build(table(), CodedRule(0, (0,)), CodedRule(1, (1,)))
    assert (made.default_class, made.default_rows, made.default_weights) == ("x", 0, (3, 3))


def test_bare_rules_are_ordinary_unless_every_class_must_have_one():
    made = build(table(), CodedRule(0, ()))
    assert (len(made.rules), made.else_rule, made.default_rows) == (1, None, 0)


def test_every_class_keeps_one_bare_rule_as_the_else():
    rows = [[0, 0], [0, 1], [1, 0], [1, 1]]
    made = build(
        Table.from_arrays(rows, [0, 1, 2, 1], [1, 2, 3, 2]),
        CodedRule(0, ()),
        CodedRule(1, (3,)),
        CodedRule(2, ()),
        every_class=True,
    )
    # Of the bare classes x (weight 1) and z (weight 3), z is kept; y's rule covers rows 1 and 3.
    assert [rule.label for rule in made.rules] == ["y"]
    assert made.else_class == "z"
    assert made.else_rule is not None
    assert (made.else_rule.rows, made.else_rule.class_weights) == (2, (1, 0, 3))
    assert made.size == 3


def test_heaviest_bare_class_is_counted_after_contradicting_rows_are_reduced():
    # Before the reduction x weighs 6 and y 5; row 0 then belongs to y, leaving x 2 and y 5.
    rows = [[0, 0], [0, 0], [1, 0]]
    made = build(
        Table.from_arrays(rows, [0, 1, 0], [4, 5, 2]), CodedRule(0, ()), CodedRule(1, ()), every_class=True
    )
    assert made.else_class == "y"
