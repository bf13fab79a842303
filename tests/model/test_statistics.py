from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest
from tests.support.models import applicants, loan_set
from tests.support.random_sets import random_rows, random_set

from laconic.data.column import Column
from laconic.data.literals import Equals, Feature, Threshold
from laconic.data.table import Table
from laconic.model.decision_set import DecisionSet
from laconic.model.decode import decode
from laconic.model.statistics import RuleStatistics, training_statistics
from laconic.problem.coded import CodedRule, literal
from laconic.runtime.errors import InputError, ModelFileError

FEATURES = [
    Feature(Threshold("age", "<=", 30.0), Threshold("age", ">", 30.0)),
    Feature(Equals("colour", "=", "red"), Equals("colour", "!=", "red")),
]


def decoded(rules, *, weights=None, every_class=False):
    """Two features, four samples: a a b b, of which the third looks like the second."""
    table = Table.from_arrays([[1, 0], [1, 1], [1, 1], [0, 1]], [0, 0, 1, 1], weights)
    columns = [Column("age", "numeric"), Column("colour", "category")]
    return decode(rules, table, FEATURES, np.array(["a", "b"]), columns, every_class=every_class)


YOUNG = CodedRule.of(0, [literal(0, True)])
YOUNG_RED = CodedRule.of(0, [literal(0, True), literal(1, True)])
RED = CodedRule.of(1, [literal(1, True)])


def test_shares_are_of_the_class_and_alone_means_without_its_other_rules():
    young, young_red, red = training_statistics(decoded([YOUNG, YOUNG_RED, RED]))
    assert young == RuleStatistics(3, 2 / 3, 1.0, 0.5)
    assert young_red == RuleStatistics(2, 0.5, 0.5, 0.0)
    # Rules of the other class cover its rows too, but do not explain them.
    assert red == RuleStatistics(3, 2 / 3, 1.0, 1.0)


def test_shares_follow_the_weights_exactly():
    model = decoded([YOUNG, YOUNG_RED, RED], weights=[0.5, 1, 1, 2])
    assert model.class_weights == (Fraction(3, 2), 3)
    assert [rule.alone for rule in model.rules] == [Fraction(1, 2), 0, 3]
    assert training_statistics(model)[0] == RuleStatistics(3, 0.6, 1.0, 1 / 3)


def test_the_else_rule_comes_last_and_counts_what_is_left():
    model = decoded([YOUNG, CodedRule.of(1, [])], every_class=True)
    assert training_statistics(model) == [
        RuleStatistics(3, 2 / 3, 1.0, 1.0),
        RuleStatistics(1, 1.0, 0.5, 0.5),
    ]


def test_counts_come_back_from_a_file():
    model = decoded([YOUNG, YOUNG_RED, RED], weights=[0.5, 1, 1, 2])
    again = DecisionSet.from_json(model.to_json())
    assert again == model
    assert training_statistics(again) == training_statistics(model)


def test_a_set_that_nobody_counted_for_has_no_recall():
    first = training_statistics(loan_set())[0]
    assert (first.rows, first.precision, first.recall, first.alone) == (10, 0.8, None, None)
    assert first.text("no") == "10 rows, precision 0.80"


def test_any_labelled_rows_can_be_measured():
    young, red, missing = loan_set().rule_statistics(applicants(), ["no", "yes", "no", "yes", "no"])
    assert young == RuleStatistics(3, 2 / 3, 2 / 3, 2 / 3)
    assert red == RuleStatistics(1, 1.0, 0.5, 0.5)
    assert missing == RuleStatistics(2, 0.5, 0.5, 0.5)


def test_a_rule_that_covers_nothing_and_a_class_without_rows_have_no_shares():
    found = loan_set().rule_statistics(applicants().loc[["c"]], ["no"])
    assert found[1] == RuleStatistics(0, None, None, None)
    assert found[0] == RuleStatistics(0, None, 0.0, 0.0)


def test_measuring_agrees_with_counting_by_hand():
    rng = np.random.default_rng(3)
    for _ in range(25):
        model, rows = random_set(rng), random_rows(rng, 40)
        labels = np.array(model.classes, dtype=object)[rng.integers(3, size=40)]
        weights = rng.integers(1, 5, 40)
        covers = model.covers(rows)
        if model.else_rule is not None:
            covers = np.column_stack([covers, ~covers.any(axis=1)])
        rules = [*model.rules, *([] if model.else_rule is None else [model.else_rule])]
        for k, found in enumerate(model.rule_statistics(rows, labels, weights)):
            own = [i for i in range(40) if labels[i] == rules[k].label]
            same = [j for j in range(len(rules)) if j != k and rules[j].label == rules[k].label]
            only = [i for i in own if covers[i, k] and not covers[i, same].any()]
            assert found.rows == covers[:, k].sum()
            assert found.alone == pytest.approx(weights[only].sum() / weights[own].sum())


def test_labels_and_weights_must_fit_the_rows():
    with pytest.raises(InputError, match=r"y has shape \(1,\), but X has 5 rows"):
        loan_set().rule_statistics(applicants(), ["no"])
    with pytest.raises(InputError, match=r"sample_weight has shape \(2,\), but X has 5 rows"):
        loan_set().rule_statistics(applicants(), ["no"] * 5, [1, 2])


def test_the_frame_has_the_shares():
    frame = decoded([YOUNG, YOUNG_RED, RED]).to_frame()
    assert frame["recall"].tolist() == [1.0, 0.5, 1.0]
    assert frame["alone"].tolist() == [0.5, 0.0, 1.0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda file: file["rules"][0].update(alone=10**6), "a rule covers more alone than in all"),
        (lambda file: file.update(class_weights=[0, 0]), "a rule covers more of a class than there is"),
        (lambda file: file.update(class_weights=[9]), "weights must be one whole number per class"),
        (lambda file: file["rules"][0].update(alone=-1), "'alone' is below 0"),
        (lambda file: file["rules"][0].pop("alone"), "'alone' is missing"),
        (lambda file: file.pop("class_weights"), "'class_weights' is missing"),
    ],
)
def test_counts_that_cannot_be_are_refused(change, message):
    file = json.loads(decoded([YOUNG, YOUNG_RED, RED]).to_json())
    change(file)
    with pytest.raises(ModelFileError, match=message):
        DecisionSet.from_json(json.dumps(file))
