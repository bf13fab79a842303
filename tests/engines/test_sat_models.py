"""The SAT and MaxSAT engines on tables made by hand."""

from __future__ import annotations

import numpy as np
import pytest

from laconic.data.table import Table
from laconic.engines.api import Status, StopReason
from laconic.engines.paper.satkit import single as single_module
from laconic.engines.paper.satkit.view import class_view
from laconic.engines.registry import get
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Counting, Kind, Objective, Problem
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError

PERFECT = Objective(Kind.PERFECT)

PERFECT_VARIANTS = [
    (engine, {"separated": separated, "warm_start": warm, "symmetry": symmetry})
    for engine in ("sat", "maxsat")
    for separated in (True, False)
    for warm in (True, False)
    for symmetry in ("none", "features", "paper", "anchored")
]


def solve(engine, problem, **options):
    return get(engine)(problem, budget=Budget(60), options=options)


def lunch():
    """The paper's Example 1: features L, C, E, S, class H."""
    rows = [
        (1, 0, 1, 0, 0), (1, 0, 0, 1, 0), (0, 0, 1, 0, 1), (1, 1, 0, 0, 0),
        (0, 0, 0, 1, 1), (1, 1, 1, 1, 0), (0, 1, 1, 0, 0), (0, 0, 1, 1, 1),
    ]  # fmt: skip
    data = np.array(rows)
    return Table.from_arrays(data[:, :4], data[:, 4])


@pytest.mark.parametrize(("engine", "options"), PERFECT_VARIANTS, ids=str)
def test_example_1_of_the_paper_has_size_7(engine, options):
    solution = solve(engine, Problem.of(lunch(), PERFECT), **options)
    assert (solution.status, solution.cost) == (Status.OPTIMAL, 7)
    assert set(solution.rules) == {
        CodedRule.of(0, [1]),
        CodedRule.of(0, [3]),
        CodedRule.of(1, [0, 2]),
    }


def three_short_or_one_long():
    """Class 1 is covered by one rule of four literals (size 5) or by two of one literal each (size 4)."""
    positives = [(1, 1, 1, 1, 1, 0), (1, 1, 1, 1, 0, 1)]
    negatives = [
        (0, 1, 1, 1, 0, 0), (1, 0, 1, 1, 0, 0), (1, 1, 0, 1, 0, 0), (1, 1, 1, 0, 0, 0),
    ]  # fmt: skip
    return Table.from_arrays(positives + negatives, [1] * 2 + [0] * 4)


@pytest.mark.parametrize(("engine", "options"), PERFECT_VARIANTS, ids=str)
def test_literals_and_rules_both_count(engine, options):
    problem = Problem.of(three_short_or_one_long(), PERFECT)
    solution = solve(engine, problem, **options)
    sizes = {c: sum(rule.size for rule in solution.rules if rule.target == c) for c in (0, 1)}
    # Counting rules only would take the long rule; class 0 needs both features 4 and 5 to be false.
    assert sizes == {0: 3, 1: 4}
    assert solution.cost == solution.lower_bound == 7


def test_weights_decide_what_is_worth_a_rule():
    rows, labels = [(1, 0), (0, 1), (0, 0)], [1, 1, 0]
    objective = Objective(Kind.SPARSE, 0.1)
    heavy = Problem.of(Table.from_arrays(rows, labels, [6, 6, 8]), objective)
    light = Problem.of(Table.from_arrays(rows, labels, [2, 10, 8]), objective)
    # Λ = 2: a rule of two nodes costs 4, more than the row of weight 2 is worth.
    assert CodedRule.of(1, [1]) in solve("maxsat", heavy).rules
    assert CodedRule.of(1, [1]) not in solve("maxsat", light).rules


def test_joint_counting_charges_a_row_once():
    # Row (1,) is mostly class 0, but both classes claim it in the set that is cheapest per row.
    table = Table.from_arrays([[0], [1]], [0, 1], [10, 1])
    per_class = Problem.of(table, Objective(Kind.SPARSE, 0.05))
    per_row = Problem.of(table, Objective(Kind.SPARSE, 0.05, Counting.PER_ROW))
    # `true => 0` costs Λ = 1; the row of class 1 is then missed and claimed: two errors or one.
    assert (solve("maxsat", per_class).cost, solve("maxsat", per_row).cost) == (3, 2)


@pytest.mark.parametrize("model", ["sizes", "unused"])
def test_rows_that_cancel_leave_nothing_to_search(model):
    problem = Problem.of(Table.from_arrays([[0], [0]], [0, 1]), Objective(Kind.SPARSE, 0.01))
    assert solve("maxsat", problem, model=model).cost == 2


@pytest.mark.parametrize("model", ["sizes", "unused"])
def test_two_rules_that_share_their_errors_beat_every_single_rule(model):
    """Non-regression: best single rule or unconstrained optimum is not enough for ``every_class``.

    Both halves of class 1 need the same ten rows of class 0; alone neither half is worth them.
    """
    rows = [(1, 0), (0, 1), (1, 1), (0, 0)]
    labels = [1, 1, 0, 0]
    table = Table.from_arrays(rows, labels, [20, 20, 10, 350])
    problem = Problem.of(table, Objective(Kind.SPARSE, 0.02, every_class=True))
    expected = get("brute")(problem, budget=Budget())
    assert solve("maxsat", problem, model=model).cost == expected.cost
    assert len([rule for rule in expected.rules if rule.target == 1]) == 2


def test_a_class_that_must_speak_may_have_a_rule_that_never_fires():
    # Class 1 is one row in 101; claiming all rows would cost 100, claiming nothing two or three nodes.
    table = Table.from_arrays([[0, 0], [1, 0], [1, 1], [1, 0]], [0, 0, 0, 1], [50, 30, 20, 1])
    problem = Problem.of(table, Objective(Kind.SPARSE, 0.01, every_class=True))
    solution = solve("maxsat", problem)
    assert solution.cost == get("brute")(problem, budget=Budget()).cost
    assert all(len({code >> 1 for code in rule.literals}) == len(rule.literals) for rule in solution.rules)


def test_equal_and_complementary_features_become_one_group():
    column = np.array([0, 1, 1, 0], bool)
    other = np.array([0, 0, 1, 1], bool)
    table = Table.from_arrays(np.column_stack([column, ~column, column, other]), [0, 1, 1, 0])
    view = class_view(Problem.of(table, PERFECT), 1)
    assert set(view.codes) == {1}, "every other literal is equal, complementary or dominated"


def test_a_dropped_feature_is_never_a_forbidden_literal():
    column = np.array([0, 1, 1, 0], bool)
    allowed = [[False, False], [True, True]]
    table = Table.from_arrays(np.column_stack([column, ~column]), [0, 1, 1, 0], allowed=allowed)
    assert solve("sat", Problem.of(table, PERFECT)).rules == (CodedRule.of(0, [3]), CodedRule.of(1, [2]))


def test_indistinguishable_rows_are_refused_with_the_row():
    table = Table.from_arrays([[0], [1]], [0, 1], allowed=[[False, True]])
    with pytest.raises(InputError, match=r"no rule of allowed literals separates unique row 0 \(class 0\)"):
        solve("sat", Problem.of(table, PERFECT))


@pytest.mark.parametrize("engine", ["sat", "maxsat"])
def test_ctrl_c_returns_what_is_in_hand(engine, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("laconic.engines.paper.satkit.oracle.Slices.solve", interrupt)
    problem = Problem.of(three_short_or_one_long(), PERFECT)
    solution = solve(engine, problem, warm_start=False)
    assert solution.stop_reason is StopReason.INTERRUPT
    assert solution.lower_bound < solution.cost


def test_progress_ends_with_the_proof():
    seen = []
    solution = get("maxsat")(
        Problem.of(lunch(), PERFECT), budget=Budget(), on_progress=seen.append, options={"warm_start": False}
    )
    assert tuple(seen) == solution.history
    assert (seen[-1].cost, seen[-1].lower_bound) == (7, 7)
    assert [state.lower_bound for state in seen] == sorted(state.lower_bound for state in seen)


def test_a_cold_start_does_not_need_the_greedy_answer(monkeypatch):
    monkeypatch.setattr(
        "laconic.engines.paper.satkit.part.incumbent", lambda *_: pytest.fail("greedy was asked")
    )
    problem = Problem.of(lunch(), Objective(Kind.SPARSE, 0.01))
    expected = get("brute")(problem, budget=Budget()).cost
    for model in ("sizes", "unused"):
        assert solve("maxsat", problem, warm_start=False, model=model).cost == expected


def test_single_rules_are_searched_only_for_classes_that_must_speak(monkeypatch):
    monkeypatch.setattr(
        single_module, "lower_bound", lambda *_, **_k: pytest.fail("a single rule was searched for")
    )
    assert solve("maxsat", Problem.of(lunch(), Objective(Kind.SPARSE, 0.01))).status is Status.OPTIMAL


@pytest.mark.parametrize("engine", ["sat", "maxsat"])
@pytest.mark.parametrize("separated", [True, False])
def test_the_search_does_not_lean_on_a_good_incumbent(engine, separated, monkeypatch):
    def one_rule_per_row(problem, _budget):
        table = problem.table
        return [
            CodedRule.of(weights.argmax(), 2 * np.arange(table.n_features) + row)
            for row, weights in zip(table.matrix, table.weights, strict=True)
        ]

    monkeypatch.setattr("laconic.engines.paper.satkit.part.incumbent", one_rule_per_row)
    solution = solve(engine, Problem.of(lunch(), PERFECT), separated=separated)
    assert (solution.history[0].cost, solution.cost, solution.lower_bound) == (40, 7, 7)
