"""What a user can constraint: accepted, refused in a sentence, written and read again."""

from __future__ import annotations

import json

import numpy as np
import pytest

from laconic import Constraints
from laconic.problem.constraints.constraints import combined
from laconic.runtime.errors import InputError


def test_nothing_demanded_is_nothing():
    assert not Constraints()
    assert combined(None) is None
    assert combined({}, class_weight=None, measure="size") is None
    assert Constraints(max_rules=0)


def test_what_is_demanded_survives_json():
    asked = Constraints(
        max_rules=3,
        forbidden=["gender"],
        monotone={"age": {True: "increasing"}},
        class_weight={np.int64(1): np.float64(2.5)},
        feature_costs={"age": 0.5},
        measure="longest, size",
    )
    assert Constraints.from_document(json.loads(json.dumps(asked.to_document()))) == asked
    assert asked.monotone == {"age": {"True": "increasing"}}
    assert asked.class_weight == {"1": 2.5}
    assert asked.measure == ("longest", "size")


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"max_rule": 3}, "there is no constraint 'max_rule'; choose from: max_rules,"),
        ({"max_rules": -1}, "max_rules must be a whole number of at least 0, not -1"),
        ({"max_size": 2.5}, "max_size must be a whole number of at least 0, not 2.5"),
        ({"max_size": True}, "max_size must be a whole number"),
        ({"min_support": 0}, "min_support must be a whole number of at least 1, not 0"),
        ({"min_precision": 1.5}, "min_precision must be above 0 and at most 1, not 1.5"),
        ({"positive": 1}, "positive must be true or false, not 1"),
        ({"forbidden": "age"}, "forbidden must be a list of texts, not 'age'"),
        ({"required": [3]}, "required must hold texts, not 3"),
        ({"operators": ["<"]}, "operators cannot be '<'; choose from: <=, >,"),
        ({"positive": True, "operators": ["<="]}, "positive and operators both say"),
        ({"monotone": {"age": "increasing"}}, "monotone of column 'age' must name a class and a direction"),
        ({"monotone": ["age"]}, "monotone must be columns with classes and directions"),
        (
            {"monotone": {"age": {"yes": "up"}}},
            "monotone of column 'age' towards 'yes' cannot be 'up'; choose one of: increasing, decreasing",
        ),
        ({"feature_costs": {"age": -1}}, "feature_costs of 'age' must be a number from 0 to 10⁹, not -1"),
        ({"literal_costs": {"age": float("nan")}}, "literal_costs of 'age' must be a number"),
        ({"class_weight": "heavy"}, "class_weight must be names with numbers or 'balanced', not 'heavy'"),
        ({"measure": "depth"}, "measure cannot be 'depth'; choose from: size, rules,"),
        ({"measure": ["size", "size"]}, "measure must name at least one measure, and each only once"),
        ({"measure": []}, "measure must name at least one measure"),
        ({"measure": 3}, "measure must be"),
    ],
)
def test_what_makes_no_sense_is_refused(asked, message):
    with pytest.raises(InputError) as refused:
        Constraints.from_document(asked)
    assert str(refused.value).startswith(message)


def test_what_is_said_twice_is_refused():
    with pytest.raises(InputError, match="measure is given twice"):
        combined(Constraints(measure="longest"), measure="features")
    with pytest.raises(InputError, match="must be names with values, not list"):
        combined(["max_rules"])


def test_options_join_the_constraints():
    assert combined({"max_rules": 2}, measure="longest") == Constraints(max_rules=2, measure="longest")
