"""Every expected number here was counted by hand on the tables shown."""

import numpy as np
import pytest

from laconic.bench.rules import NeutralCondition, NeutralRule, RuleSet, default_class
from laconic.bench.scorer import ScoredRows, score
from laconic.runtime.errors import InputError

CLASSES = ("no", "yes")
#         a  b  class
TABLE = [
    (1, 1, "yes"),
    (1, 0, "yes"),
    (0, 1, "no"),
    (0, 0, "no"),
    (0, 0, "yes"),
]


def rows(table=TABLE):
    matrix = np.array([row[:-1] for row in table], dtype=bool)
    columns = {name: matrix[:, k] for k, name in enumerate("ab")}
    return ScoredRows(columns, [row[-1] for row in table])


def rule(label, **wanted):
    return NeutralRule(tuple(NeutralCondition(name, "=", value) for name, value in wanted.items()), label)


def scored(*rules, default=None, train=None, test=None):
    train = train or rows()
    return score(RuleSet(rules, default), train, test or train, CLASSES)


def test_rules_that_cover_each_row_once_are_right_where_their_class_is():
    result = scored(rule("yes", a=1), rule("no", a=0))
    assert (result.size, result.n_rules, result.n_literals) == (4, 2, 2)
    assert result.train.strict_errors == 1  # the last row
    assert result.train.plain_errors == 1


def test_a_row_covered_by_both_classes_is_strictly_wrong_whatever_its_class():
    # b=1 covers rows 1 and 3; row 1 is also covered by a=1 => yes.
    result = scored(rule("yes", a=1), rule("no", b=1))
    # Right: row 2 (yes), row 3 (no). Wrong: row 1 (conflict), rows 4 and 5 (uncovered).
    assert result.train.strict_errors == 3
    assert (result.train.conflicting, result.train.uncovered) == (1, 2)


def test_a_conflict_is_settled_by_laplace_precision_when_one_answer_is_asked_for():
    # a=1 => yes: 2 of 2 right, (2+1)/(2+2) = 0.75.  b=1 => no: 1 of 2 right, 0.5.  So row 1 is answered yes.
    # Uncovered rows 4, 5: no and yes tie, so the first class, no: row 5 is wrong.
    result = scored(rule("yes", a=1), rule("no", b=1))
    assert result.train.plain_errors == 1


def test_precision_comes_from_training_rows_not_from_test_rows():
    # On this training table b=1 => no has 3/3 (0.8), a=1 => yes has 1/2 (0.5): the conflict goes to "no".
    train = rows([(0, 1, "no"), (0, 1, "no"), (1, 1, "no"), (1, 0, "yes")])
    test = rows([(1, 1, "yes")])
    result = scored(rule("yes", a=1), rule("no", b=1), train=train, test=test)
    assert result.test.plain_errors == 1
    assert result.test.strict_errors == 1


def test_a_rule_proved_on_many_rows_beats_one_that_was_right_once():
    # a=1 => yes: 1 of 1, Laplace (1+1)/(1+2) = 0.67.  b=1 => no: 8 of 10, (8+1)/(10+2) = 0.75.
    train = rows([(1, 0, "yes"), *[(0, 1, "no")] * 8, *[(0, 1, "yes")] * 2])
    test = rows([(1, 1, "no")])
    assert scored(rule("yes", a=1), rule("no", b=1), train=train, test=test).test.plain_errors == 0


def test_a_tie_of_precision_goes_to_the_first_class_in_either_order_of_the_rules():
    train = rows([(1, 0, "yes"), (0, 1, "no")])
    test = rows([(1, 1, "no")])
    for pair in ((rule("yes", a=1), rule("no", b=1)), (rule("no", b=1), rule("yes", a=1))):
        assert scored(*pair, train=train, test=test).test.plain_errors == 0


def test_an_uncovered_row_is_strictly_wrong_without_a_default():
    result = scored(rule("yes", a=1))
    assert result.train.strict_errors == 3  # rows 3, 4, 5
    # Plain: uncovered training rows are no, no, yes: fallback "no" leaves only row 5 wrong.
    assert result.train.plain_errors == 1


def test_the_default_rule_speaks_only_for_uncovered_rows_and_counts_one():
    result = scored(rule("yes", a=1), default="no")
    assert result.train.strict_errors == 1  # row 5
    assert (result.size, result.n_rules, result.n_literals) == (3, 2, 1)
    assert result.classes_described == 1
    # A covered row of the default class stays wrong: here row 3 (no) is covered by b=1 => yes.
    assert scored(rule("yes", b=1), default="no").train.strict_errors == 3  # rows 2, 3, 5


def test_the_empty_set_is_wrong_on_every_row_yet_predicts_the_heaviest_class():
    result = scored()
    assert (result.size, result.train.strict_errors, result.train.uncovered) == (0, 5, 5)
    assert result.train.plain_errors == 2  # yes: 3 of 5


def test_an_empty_set_with_a_default_is_a_constant_classifier_of_size_one():
    result = scored(default="yes")
    assert (result.size, result.train.strict_errors, result.train.plain_errors) == (1, 2, 2)


def test_a_bare_rule_covers_everything_so_its_opponents_conflict():
    result = scored(NeutralRule((), "yes"), rule("no", a=0))
    assert result.size == 3
    assert result.train.strict_errors == 3  # rows 3, 4, 5 are covered by both


def test_two_rules_of_one_class_on_a_row_are_no_conflict():
    assert scored(rule("yes", a=1), rule("yes", b=1), default="no").train.conflicting == 0


def test_when_all_training_rows_are_covered_the_heaviest_class_answers_for_new_uncovered_rows():
    train = rows([(1, 0, "yes"), (1, 0, "yes"), (1, 1, "no")])
    test = rows([(0, 0, "yes")])
    result = scored(rule("yes", a=1), train=train, test=test)
    assert (result.test.strict_errors, result.test.plain_errors) == (1, 0)


def test_three_classes_count_each_row_once():
    table = [(1, 0, "x"), (0, 1, "y"), (0, 0, "z"), (1, 1, "x")]
    matrix = np.array([row[:-1] for row in table], dtype=bool)
    data = ScoredRows({"a": matrix[:, 0], "b": matrix[:, 1]}, [row[-1] for row in table])
    rules = RuleSet((rule("x", a=1), rule("y", b=1), rule("z", a=0)))
    # x: row 1 right; row 2 covered by y and z: wrong; row 3 right; row 4 covered by x and y: wrong.
    result = score(rules, data, data, ("x", "y", "z"))
    assert (result.train.strict_errors, result.train.conflicting) == (2, 2)


def test_raw_columns_compare_numbers_and_text_and_a_missing_value_satisfies_nothing():
    columns = {
        "age": np.array([20.0, 54.0, 55.0, np.nan]),
        "city": np.array(["Rome", "Oslo", None, "Rome"], dtype=object),
    }
    data = ScoredRows(columns, ["yes", "yes", "no", "no"])

    def covered(*conditions):
        return 4 - score(RuleSet((NeutralRule(conditions, "yes"),)), data, data, CLASSES).train.uncovered

    assert covered(NeutralCondition("age", "<=", 54)) == 2
    assert covered(NeutralCondition("age", "<", 54)) == 1
    assert covered(NeutralCondition("age", ">=", 54)) == 2
    assert covered(NeutralCondition("age", ">", 54)) == 1
    assert covered(NeutralCondition("age", "=", 55)) == 1
    assert covered(NeutralCondition("age", "!=", 55)) == 2
    assert covered(NeutralCondition("city", "=", "Rome")) == 2
    assert covered(NeutralCondition("city", "!=", "Rome")) == 1
    assert covered(NeutralCondition("age", ">", 30), NeutralCondition("city", "=", "Oslo")) == 1


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (RuleSet((rule("yes", c=1),)), "column 'c'"),
        (RuleSet((rule("maybe", a=1),)), "'maybe'"),
        (RuleSet((rule("yes", a=1),), "maybe"), "'maybe'"),
        (
            RuleSet((NeutralRule((NeutralCondition("a", "=", 1), NeutralCondition("a", "=", 0)), "yes"),)),
            "can never hold",
        ),
        (
            RuleSet((NeutralRule((NeutralCondition("a", "!=", 1), NeutralCondition("a", "!=", 0)), "yes"),)),
            "can never hold",
        ),
        (
            RuleSet((NeutralRule((NeutralCondition("a", "=", 1), NeutralCondition("a", "=", 1)), "yes"),)),
            "repeats",
        ),
        (RuleSet((NeutralRule((NeutralCondition("a", "=", 2),), "yes"),)), "0 or 1"),
        (RuleSet((NeutralRule((NeutralCondition("a", "<=", 1),), "yes"),)), "binary"),
        (RuleSet((NeutralRule((NeutralCondition("a", "~", 1),), "yes"),)), "operator"),
        (RuleSet("a => yes"), "tuple of rules"),
        (RuleSet(("a => yes",)), "not a NeutralRule"),
        ([rule("yes", a=1)], "RuleSet"),
    ],
)
def test_malformed_rules_are_refused_with_what_is_wrong(bad, message):
    with pytest.raises(InputError, match=message):
        score(bad, rows(), rows(), CLASSES)


@pytest.mark.parametrize(
    ("conditions", "possible"),
    [
        ([("age", "<=", 3), ("age", ">", 3)], False),
        ([("age", "<=", 3), ("age", ">=", 3)], True),
        ([("age", "<", 3), ("age", ">=", 3)], False),
        ([("age", ">", 3), ("age", "<", 4)], True),
        ([("age", ">", 3), ("age", ">", 5)], True),
        ([("age", "=", 3), ("age", "=", 4)], False),
        ([("age", "=", 3), ("age", "!=", 3)], False),
        ([("age", "<=", 3), ("age", ">=", 3), ("age", "!=", 3)], False),
        ([("city", "=", "Rome"), ("city", "=", "Oslo")], False),
        ([("city", "!=", "Rome"), ("city", "!=", "Oslo")], True),
        ([("city", "=", "Rome"), ("city", "!=", "Oslo")], True),
        ([("age", "<=", "old")], False),
        ([("city", "<=", "Rome")], False),
    ],
)
def test_contradictions_on_raw_columns_are_found_and_nothing_else_is(conditions, possible):
    data = ScoredRows({"age": np.array([3.0]), "city": np.array(["Rome"], dtype=object)}, ["yes"])
    rules = RuleSet((NeutralRule(tuple(NeutralCondition(*c) for c in conditions), "yes"),))
    if possible:
        score(rules, data, data, CLASSES)
    else:
        with pytest.raises(InputError):
            score(rules, data, data, CLASSES)


def test_no_rows_are_refused():
    with pytest.raises(InputError, match="no test rows"):
        score(RuleSet(()), rows(), ScoredRows({}, []), CLASSES)


def test_the_papers_default_class_is_the_heaviest_other_class():
    labels = np.array([0, 0, 0, 1, 2, 2])
    assert default_class(labels, 3, computed=0) == 2
    assert default_class(labels, 3, computed=2) == 0
