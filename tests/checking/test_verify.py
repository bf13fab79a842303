from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic.checking.verify import recount, violations
from laconic.data.table import Table
from laconic.engines.api import Recorder, StopReason, conclude
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Counting, Kind, Objective, Problem, cost, errors
from laconic.runtime.budget import Budget
from laconic.runtime.errors import UnsoundSolutionError

LOW, HIGH = CodedRule.of(0, [0]), CodedRule.of(1, [1])


@pytest.fixture
def xor() -> Table:
    return Table.from_arrays([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])


@pytest.fixture
def by_first() -> Table:
    return Table.from_arrays([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 1, 1])


def perfect(table: Table) -> Problem:
    return Problem.of(table, Objective(Kind.PERFECT))


def test_a_right_answer_stands(by_first):
    assert violations(perfect(by_first), [LOW, HIGH], cost=4, lower_bound=4) == []


def test_recount_counts_errors_literals_and_rules(xor):
    # Each rule covers one right and one wrong row and misses one row.
    assert recount(Problem.of(xor, Objective()), [LOW, HIGH]) == (4, 2, 2)
    assert recount(Problem.of(xor, Objective(counting=Counting.PER_ROW)), [LOW, HIGH]) == (2, 2, 2)


@pytest.mark.parametrize(
    ("rules", "claims", "fault"),
    [
        ([LOW], {}, "errors of weight 2 that a perfect set avoids"),
        (
            [LOW, HIGH, CodedRule(2, ())],
            {},
            "rule CodedRule(target=2, literals=()) predicts an unknown class",
        ),
        ([LOW, CodedRule(1, (4,))], {}, "rule CodedRule(target=1, literals=(4,)) uses an unknown feature"),
        (
            [LOW, HIGH, CodedRule(1, (2, 3))],
            {},
            "rule CodedRule(target=1, literals=(2, 3)) uses a feature twice",
        ),
        ([LOW, HIGH, HIGH], {}, "a rule is listed twice"),
        ([LOW, HIGH], {"cost": 3}, "claimed cost 3, recounted 4"),
        ([LOW, HIGH], {"cost": 5}, "claimed cost 5, recounted 4"),
        ([LOW, HIGH], {"lower_bound": 5}, "claimed lower bound 5 exceeds the cost 4 of its own rules"),
    ],
)
def test_each_fault_is_named(by_first, rules, claims, fault):
    assert fault in violations(perfect(by_first), rules, **claims)


def test_a_literal_that_is_not_allowed_is_a_fault():
    table = Table.from_arrays([[0], [1]], [0, 1], allowed=[[False, True]])
    assert violations(perfect(table), [LOW, HIGH]) == [f"rule {LOW} uses literal 0, which is not allowed"]


def test_a_class_without_a_rule_is_a_fault_when_every_class_must_have_one(by_first):
    problem = Problem.of(by_first, Objective(every_class=True))
    assert violations(problem, [LOW]) == ["class 1 has no rule that covers a row of it"]


def test_so_is_one_whose_rule_covers_no_row_of_it(by_first):
    problem = Problem.of(by_first, Objective(every_class=True))
    assert violations(problem, [LOW, CodedRule(1, LOW.literals)]) == [
        "class 1 has no rule that covers a row of it"
    ]
    assert cost(problem, [LOW, CodedRule(1, LOW.literals)]) is None
    assert cost(problem, [LOW, HIGH]) is not None


def test_conclude_refuses_an_unsound_answer(by_first):
    with pytest.raises(UnsoundSolutionError, match="errors of weight 2 that a perfect set avoids"):
        conclude(perfect(by_first), [LOW], 2, StopReason.TIME, recorder=Recorder(Budget()))


def test_conclude_calls_an_answer_proved_only_when_the_bound_is_reached(by_first):
    loose = conclude(perfect(by_first), [HIGH, LOW], 3, StopReason.TIME, recorder=Recorder(Budget()))
    tight = conclude(perfect(by_first), [HIGH, LOW], 4, StopReason.TIME, recorder=Recorder(Budget()))
    assert (loose.status.value, loose.stop_reason, loose.gap) == ("feasible", StopReason.TIME, 0.25)
    assert (tight.status.value, tight.stop_reason, tight.gap) == ("optimal", StopReason.PROVED, 0.0)
    assert tight.rules == (LOW, HIGH)


@st.composite
def problems_and_rules(draw) -> tuple[Problem, list[CodedRule]]:
    n_rows, n_features = draw(st.integers(1, 8)), draw(st.integers(1, 4))
    n_classes = draw(st.integers(1, 3))
    matrix = draw(
        st.lists(
            st.lists(st.booleans(), min_size=n_features, max_size=n_features),
            min_size=n_rows,
            max_size=n_rows,
        )
    )
    labels = draw(st.lists(st.integers(0, n_classes - 1), min_size=n_rows, max_size=n_rows))
    weights = draw(st.lists(st.integers(1, 5), min_size=n_rows, max_size=n_rows))
    table = Table.from_arrays(np.array(matrix), labels, weights, n_classes=n_classes)
    objective = draw(
        st.sampled_from(
            [
                Objective(Kind.PERFECT),
                Objective(Kind.MIN_RULES_THEN_LITERALS),
                Objective(regularization=0.1),
                Objective(regularization=0.03, counting=Counting.PER_ROW),
                Objective(regularization=0.07, every_class=True),
            ]
        )
    )
    literal = st.integers(0, 2 * n_features - 1)
    body = st.lists(literal, max_size=3, unique_by=lambda code: code // 2)
    rule = st.builds(CodedRule.of, st.integers(0, n_classes - 1), body)
    return Problem.of(table, objective), draw(st.lists(rule, max_size=5, unique=True))


@given(problems_and_rules())
def test_the_checker_and_the_cost_function_agree(drawn):
    problem, rules = drawn
    wrong, literals, n_rules = recount(problem, rules)
    assert wrong == errors(problem, rules)
    stated = cost(problem, rules)
    assert (stated is not None) == (violations(problem, rules) == [])
    if stated is not None:
        assert violations(problem, rules, cost=stated) == []
        assert violations(problem, rules, cost=stated + 1) != []
        assert (
            stated
            == problem.error_cost * wrong + problem.literal_cost * literals + problem.rule_cost * n_rules
        )
