from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from tests.support.models import CLASSES, RED, YOUNG, applicants, loan_set, rule

from laconic.data.column import Column
from laconic.data.literals import Threshold
from laconic.model.decision_set import DecisionSet
from laconic.runtime.errors import InputError, MissingColumnsError


def test_size_is_literals_plus_rules():
    assert (loan_set().size, loan_set().n_literals, len(loan_set())) == (4 + 3, 4, 3)


def test_else_adds_one_to_the_size():
    with_else = loan_set(else_rule=rule("no", [], 3, 2, 1))
    assert (with_else.size, with_else.n_literals, with_else.else_class) == (8, 4, "no")
    assert loan_set().else_class is None


def test_covers_is_rows_by_rules():
    expected = [[1, 0, 0], [1, 1, 0], [0, 0, 0], [0, 0, 1], [1, 0, 1]]
    assert loan_set().covers(applicants()).astype(int).tolist() == expected


def test_conflicts_are_rows_with_two_classes():
    assert loan_set().conflicts(applicants()).tolist() == [False, True, False, False, True]


def test_two_rules_of_one_class_are_not_a_conflict():
    assert not loan_set(rules=(RED, loan_set().rules[2])).conflicts(applicants()).any()


def test_predict_takes_the_class_the_best_rule_or_the_default():
    assert loan_set().predict(applicants()).tolist() == ["no", "yes", "no", "yes", "no"]


def test_ties_of_laplace_precision_go_to_the_heavier_rule():
    light = rule("no", [Threshold("age", "<=", 54.0)], 4, 3, 1)  # 4/6
    heavy = rule("yes", [Threshold("age", "<=", 50.0)], 10, 3, 7)  # 8/12
    assert light.laplace == heavy.laplace
    for rules in ((light, heavy), (heavy, light)):
        assert loan_set(rules=rules).predict(applicants())[0] == "yes"


def test_else_answers_only_where_no_other_rule_covers():
    with_else = loan_set(else_rule=rule("yes", [], 3, 2, 1))
    assert with_else.predict(applicants()).tolist() == ["no", "yes", "yes", "yes", "no"]


def test_abstaining_marks_rows_without_exactly_one_class():
    assert loan_set().predict(applicants(), abstain="?").tolist() == ["no", "?", "?", "yes", "?"]
    with_else = loan_set(else_rule=rule("no", [], 3, 2, 1))
    assert with_else.predict(applicants(), abstain="?").tolist() == ["no", "?", "no", "yes", "?"]


def test_abstention_marker_is_never_cut_or_converted():
    assert loan_set().predict(applicants(), abstain="don't know").tolist()[1] == "don't know"
    assert loan_set().predict(applicants(), abstain=None).tolist() == ["no", None, None, "yes", None]
    numbered = numbered_set()
    assert numbered.predict([[0.0], [2.0]], abstain=-1).tolist() == [10, -1]
    assert numbered.predict([[0.0], [2.0]], abstain=-1).dtype == np.int64
    assert numbered.predict([[0.0], [2.0]], abstain="none").tolist() == [10, "none"]


def test_strict_score_wants_own_class_and_no_other():
    # Alone and right: Ann (no), Dee (yes). Bob and Eve are in conflict, Cid has no rule.
    y = ["no", "yes", "no", "yes", "no"]
    assert loan_set().strict_score(applicants(), y) == pytest.approx(2 / 5)
    assert loan_set().strict_score(applicants(), ["yes", "yes", "no", "yes", "no"]) == pytest.approx(1 / 5)


def test_strict_score_lets_the_else_cover_what_no_rule_does():
    y = ["no", "yes", "no", "yes", "no"]
    assert loan_set(else_rule=rule("no", [], 3, 2, 1)).strict_score(applicants(), y) == pytest.approx(3 / 5)
    assert loan_set(else_rule=rule("yes", [], 3, 2, 1)).strict_score(applicants(), y) == pytest.approx(2 / 5)


def test_strict_score_weighs_rows_and_counts_unknown_labels_as_wrong():
    y = ["no", "yes", "no", "yes", "no"]
    assert loan_set().strict_score(applicants(), y, [3, 0, 1, 0, 0]) == pytest.approx(3 / 4)
    assert loan_set().strict_score(applicants(), ["maybe"] * 5) == 0


def test_strict_score_refuses_labels_of_another_length():
    with pytest.raises(InputError) as caught:
        loan_set().strict_score(applicants(), ["no"])
    assert str(caught.value) == "y has shape (1,), but X has 5 rows"


def test_probabilities_are_laplace_shares_of_the_deciding_rule():
    expected = [[9 / 12, 3 / 12], [2 / 9, 7 / 9], [3 / 5, 2 / 5], [1 / 3, 2 / 3], [9 / 12, 3 / 12]]
    assert loan_set().predict_proba(applicants()) == pytest.approx(np.array(expected))


def test_the_predicted_class_is_always_the_most_probable():
    unlucky = rule("yes", [Threshold("age", "<=", 54.0)], 5, 4, 1)
    tied = rule("yes", [Threshold("age", ">", 54.0)], 2, 1, 1)
    made = loan_set(rules=(unlucky, tied), default_class="yes", default_weights=(Fraction(1), Fraction(1)))
    shares = made.predict_proba(applicants())
    assert (np.array(CLASSES)[shares.argmax(axis=1)] == made.predict(applicants())).all()
    assert shares.sum(axis=1) == pytest.approx(np.ones(5))


def test_columns_are_found_by_name_and_others_ignored():
    shuffled = applicants()[["income", "colour", "age"]].assign(extra=1)
    assert loan_set().predict(shuffled).tolist() == loan_set().predict(applicants()).tolist()


def test_missing_columns_are_named():
    with pytest.raises(MissingColumnsError) as caught:
        loan_set().predict(applicants()[["age", "name"]])
    assert str(caught.value) == (
        "the table lacks columns 'colour', 'income', which the rules use; add what is missing or rename it"
    )
    with pytest.raises(MissingColumnsError, match="the table lacks column 'age', which the rules use"):
        loan_set().predict(applicants().drop(columns="age"))


def test_a_column_the_rules_use_may_not_appear_twice():
    twice = pd.concat([applicants(), applicants()[["age"]]], axis=1)
    with pytest.raises(
        InputError, match="column 'age' occurs more than once; give every column its own name"
    ):
        loan_set().predict(twice)


def test_arrays_are_read_by_position():
    array = applicants().to_numpy(dtype=object)
    assert loan_set().predict(array).tolist() == loan_set().predict(applicants()).tolist()
    assert loan_set().predict(array.tolist()).tolist() == loan_set().predict(applicants()).tolist()


@pytest.mark.parametrize("n_columns", [1, 3])
def test_arrays_need_every_training_column(n_columns):
    with pytest.raises(InputError) as caught:
        loan_set().predict(applicants().to_numpy(dtype=object)[:, :n_columns])
    assert str(caught.value) == (
        f"X has {n_columns} features, but DecisionSetClassifier is expecting 4 features as input; "
        f"without column names there must be as many columns as in training"
    )


def numbered_set() -> DecisionSet:
    """Trained on an array: column names are made up, labels are numbers."""
    low = rule("no", [Threshold("x0", "<=", 1.0)], 5, 5, 0)
    return DecisionSet(
        rules=(type(low)(low.literals, 10, 0, low.rows, low.class_weights),),
        classes=(10, 20),
        label_dtype="<i8",
        columns=(Column("x0", "numeric"),),
        named=False,
        default_class=20,
        default_rows=5,
        default_weights=(Fraction(0), Fraction(5)),
    )


def test_a_model_without_names_reads_any_table_by_position():
    assert numbered_set().predict(pd.DataFrame({"speed": [0.0, 2.0]})).tolist() == [10, 20]
    assert numbered_set().predict(pd.DataFrame({"extra": [9.0, 9.0], "x0": [0.0, 2.0]})).tolist() == [10, 20]


def test_labels_keep_their_type():
    assert numbered_set().predict([[0.0]]).dtype == np.int64
    assert loan_set().predict(applicants()).dtype == np.dtype("<U3")


def test_missing_values_match_nothing_but_is_missing():
    row = pd.DataFrame({"age": [np.nan], "colour": [None], "income": [1.0]})
    assert not loan_set().covers(row).any()
    assert loan_set().covers(row.assign(income=np.nan)).tolist() == [[False, False, True]]


def test_no_rules_predict_the_default():
    empty = loan_set(rules=())
    assert empty.predict(applicants()).tolist() == ["no"] * 5
    assert empty.covers(applicants()).shape == (5, 0)
    assert empty.predict(applicants().to_numpy(dtype=object)).tolist() == ["no"] * 5


def test_used_columns_are_all_that_prediction_needs():
    assert loan_set().used_columns == ("age", "colour", "income")
    assert loan_set(rules=(YOUNG,)).used_columns == ("age",)


def test_frame_lists_one_line_per_rule():
    frame = loan_set(else_rule=rule("no", [], 3, 2, 1)).to_frame()
    assert frame["conditions"].tolist() == [
        "age <= 54",
        "colour is red AND age > 30",
        "income is missing",
        "else",
    ]
    assert frame["class"].tolist() == ["no", "yes", "yes", "no"]
    assert frame["size"].tolist() == [2, 3, 2, 1]
    assert frame["precision"].tolist() == pytest.approx([0.8, 6 / 7, 1.0, 2 / 3])


def test_precision_of_a_rule_that_covers_nothing_is_zero():
    assert rule("no", [], 0, 0, 0).precision == 0.0
