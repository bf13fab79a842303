"""From words to literals: every constraint finds its conditions, and contradictions are refused by name."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from laconic import Binarizer, Constraints
from laconic.data.training import in_memory
from laconic.problem.coded import CodedRule
from laconic.problem.constraints.translate import compiled_constraints
from laconic.problem.constraints.wording import Vocabulary
from laconic.runtime.errors import InputError

X = pd.DataFrame(
    {
        "age": [20.0, 30.0, 40.0, 50.0, np.nan, 70.0],
        "a AND b": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
        "job": ["clerk", "driver", "nurse", "clerk", "driver", "nurse"],
        "owner": [0, 1, 0, 1, 1, 0],
    }
)
Y = ["no", "yes", "no", "yes", "yes", "no"]


@pytest.fixture(scope="module")
def training():
    return in_memory(X, Y, None, Binarizer(thresholds="midpoints"))


def constraints(training, objective="sparse", per_row=False, **asked):
    return compiled_constraints(
        Constraints(**asked),
        training.table,
        training.binarizer.features_,
        training.columns,
        training.classes,
        objective=objective,
        per_row=per_row,
    )


def words(training):
    return Vocabulary(training.binarizer.features_, [c.name for c in training.columns], ["no", "yes"])


def usable(training, label, **asked):
    """The conditions that rules of a class may use, as text."""
    found = constraints(training, **asked).usable[["no", "yes"].index(label)].reshape(-1)
    return {str(literal) for code, literal in words(training).literals.items() if found[code]}


def test_forbidden_columns_and_conditions_are_not_usable(training):
    everything = usable(training, "yes")
    assert usable(training, "no") == everything
    left = usable(training, "yes", forbidden=["age", "job is clerk"])
    assert everything - left == {text for text in everything if text.startswith("age ")} | {"job is clerk"}


def test_missing_values_offer_no_side_that_they_would_satisfy(training):
    assert {"age <= 20", "age > 20", "age is missing", "age is present"} <= usable(training, "yes")


def test_positive_rules_have_no_negated_conditions(training):
    left = usable(training, "yes", positive=True)
    assert {"age <= 20", "job is clerk", "owner is 1", "age is missing"} <= left
    assert not [t for t in left if ">" in t or "is not" in t or t in {"owner is 0", "age is present"}]


def test_operators_choose_kinds_of_conditions(training):
    left = usable(training, "yes", operators=["<="])
    assert left
    assert all("<=" in text for text in left)
    assert not [t for t in usable(training, "yes", operators=["<=", ">", "is"]) if "is not" in t]


def test_monotone_columns_speak_for_one_class_only(training):
    asked = {"age": {"yes": "increasing"}, "owner": {"yes": "decreasing"}}
    for_yes, for_no = (usable(training, label, monotone=asked) for label in ("yes", "no"))
    assert {"age > 20", "owner is 0", "age is missing", "job is clerk"} <= for_yes
    assert not {"age <= 20", "owner is 1"} & for_yes
    assert {"age <= 20", "owner is 1", "age is missing", "job is clerk"} <= for_no
    assert not {"age > 20", "owner is 0"} & for_no


def test_rules_are_found_by_their_words(training):
    known = words(training)
    found = constraints(
        training,
        rules_in=["IF age <= 20 AND job is clerk THEN no", "IF true THEN yes"],
        rules_out=["IF 20 < age <= 30 AND a AND b > 1 THEN yes"],
    )
    codes = {str(literal): code for code, literal in known.literals.items()}
    assert found.rules_in == {
        CodedRule.of(0, [codes["age <= 20"], codes["job is clerk"]]),
        CodedRule(1, ()),
    }
    assert found.rules_out == {
        CodedRule.of(1, [codes["age > 20"], codes["age <= 30"], codes["'a AND b' > 1"]])
    }


def test_a_number_may_be_written_otherwise_than_rules_write_it(training):
    assert words(training).condition("age<=20.0", "here") == words(training).condition("age <= 20", "here")
    assert words(training).condition("job = clerk", "here") == words(training).condition(
        "job is clerk", "here"
    )


def test_required_columns_are_groups_of_literals(training):
    column, condition = constraints(training, required=["owner", "job is nurse"]).required
    assert len(column) == 2
    assert len(condition) == 1


def test_class_weights_and_costs_find_their_classes(training):
    found = constraints(
        training, class_weight={"yes": 2.5}, false_positive_costs={"no": 3}, false_negative_costs={"yes": 0}
    )
    assert found.class_factor == (1, Fraction(5, 2))
    assert found.claim_factor == (3, 1)
    assert found.miss_factor == (1, 0)


def test_balanced_classes_weigh_the_same():
    training = in_memory(X, ["no", "yes", "no", "no", "no", "no"], None, Binarizer())
    found = constraints(training, class_weight="balanced")
    assert found.class_factor == (Fraction(3, 5), 3)


def test_size_breaks_the_last_ties(training):
    assert constraints(training, measure="longest").measure == ("longest", "size")
    assert constraints(training, measure="size,longest").measure == ("size", "longest")
    assert constraints(training, objective="min_rules", max_rules=3).measure == ("rules",)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (
            {"forbidden": ["sex"]},
            "forbidden: 'sex' is neither a column nor a condition on one; the columns are",
        ),
        (
            {"forbidden": ["age <= 26"]},
            "forbidden: 'age <= 26' is not one of the conditions on offer: age <= 20",
        ),
        (
            {"feature_costs": {"sex": 1}},
            "feature_costs names 'sex', which the table lacks; its columns are: age,",
        ),
        (
            {"class_weight": {"maybe": 2}},
            "class_weight names 'maybe', which is not a label; the labels are: no, yes",
        ),
        ({"class_weight": {"yes": 0, "no": 0}}, "class_weight is 0 for every class"),
        (
            {"rules_in": ["age <= 20"]},
            "rules_in: 'age <= 20' should read IF condition AND condition THEN label",
        ),
        ({"rules_in": ["IF age <= 20 THEN maybe"]}, "rules_in: 'IF age <= 20 THEN maybe' names 'maybe'"),
        (
            {"rules_in": ["IF owner is 0 AND owner is 1 THEN yes"]},
            "rules_in: 'IF owner is 0 AND owner is 1 THEN yes' asks for a condition and its opposite",
        ),
        (
            {"rules_in": ["IF owner is 0 THEN no"], "rules_out": ["IF owner is 0 THEN no"]},
            "rules_in: 'IF owner is 0 THEN no' is also in rules_out",
        ),
        (
            {"rules_in": ["IF owner is 0 THEN no"], "forbidden": ["owner"]},
            "rules_in: 'IF owner is 0 THEN no' uses 'owner is 0', which other constraints forbid",
        ),
        (
            {"rules_in": ["IF owner is 0 AND job is clerk THEN no"], "max_rule_length": 1},
            "rules_in: 'IF owner is 0 AND job is clerk THEN no' has 2 conditions, but max_rule_length is 1",
        ),
        (
            {"rules_in": ["IF owner is 0 THEN yes"], "min_precision": 0.9},
            "rules_in: 'IF owner is 0 THEN yes' has not the precision or support",
        ),
        (
            {"rules_in": ["IF owner is 0 THEN no", "IF owner is 0 THEN yes"], "disjoint": True},
            "the rules that must be in break disjoint = True themselves",
        ),
        (
            {"rules_in": ["IF owner is 0 THEN no", "IF owner is 1 THEN yes"], "max_rules": 1},
            "the rules that must be in break max_rules = 1 themselves",
        ),
        (
            {"required": ["age"], "forbidden": ["age"]},
            "required 'age' cannot be used: other constraints forbid every condition on it",
        ),
        ({"required": ["age"], "max_rules": 0}, "required 'age' needs a rule, but max_rules is 0"),
        ({"monotone": {"job": {"yes": "increasing"}}}, "monotone: column 'job' has no order"),
        (
            {"monotone": {"age": {"yes": "increasing", "no": "increasing"}}},
            "monotone: column 'age' cannot be increasing towards two classes",
        ),
        (
            {"objective": "min_rules", "literal_costs": {"age": 2}},
            "literal_costs are in units of size, but objective='min_rules' counts rules",
        ),
        ({"objective": "min_rules", "measure": "longest"}, "objective='min_rules' is a measure itself"),
        (
            {"objective": "perfect", "false_positive_costs": {"yes": 2}},
            "costs of false positives and negatives need objective='sparse'",
        ),
        (
            {"per_row": True, "false_negative_costs": {"yes": 2}},
            "costs of false positives and negatives need counting='per_class'",
        ),
    ],
)
def test_contradictions_are_refused_by_name(training, asked, message):
    with pytest.raises(InputError) as refused:
        constraints(training, **asked)
    assert str(refused.value).startswith(message)
