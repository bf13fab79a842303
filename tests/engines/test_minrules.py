"""Engine minrules: the fewest rules, then literals; errors against rules. Against the oracle and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.strategies import flavours_of, problems, tables

from laconic.checking.verify import violations
from laconic.data.table import Table
from laconic.engines.api import Recorder, Status
from laconic.engines.paper.minrules.perfect import shortened
from laconic.engines.paper.minrules.slots import RuleSlots
from laconic.engines.paper.satkit.part import split
from laconic.engines.paper.satkit.view import class_view
from laconic.engines.registry import get
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Kind, Objective, Problem
from laconic.runtime.budget import Budget

MIN_RULES = Objective(Kind.MIN_RULES)
THEN_LITERALS = Objective(Kind.MIN_RULES_THEN_LITERALS)
RHOS = (0.05, 0.1, 0.2, 0.5)

VARIANTS = [
    {"warm_start": False},
    {"warm_start": False, "symmetry": False},
    {"symmetry": False, "counting_solver": "minisat22"},
    {"warm_start": False, "stratification": "none", "exhaust": False, "solver": "cadical153"},
]


def quick(examples):
    return settings(
        max_examples=examples,
        deadline=None,
        suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
    )


def solve(problem, seconds=60, **options):
    return get("minrules")(problem, budget=Budget(seconds), options=options)


def check(problem, **options):
    expected = get("brute")(problem, budget=Budget()).cost
    actual = solve(problem, **options)
    assert (actual.status, actual.cost) == (Status.OPTIMAL, expected)
    assert violations(problem, actual.rules, actual.cost, actual.lower_bound) == []


@st.composite
def priced_by_rules(draw, table):
    objective = Objective(Kind.SPARSE, draw(st.sampled_from(RHOS)), every_class=draw(st.booleans()))
    return Problem.priced_by_rules(draw(table), objective)


@st.composite
def middling_tables(draw):
    """Tables too large for the oracle, small enough to be solved at once; a third of the labels is noise."""
    seed = draw(st.integers(0, 10**6))
    random = np.random.default_rng(seed)
    features = random.random((40, 7)) < 0.5
    labels = np.where(random.random(40) < 0.33, random.integers(0, 3, 40), features[:, 0] + features[:, 1])
    return Table.from_arrays(features, labels, n_classes=3)


@quick(150)
@given(problem=priced_by_rules(tables()))
def test_priced_by_rules_matches_brute_force(problem):
    check(problem)


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_variants_match_brute_force(options):
    for flavour in flavours_of("minrules"):

        @quick(30)
        @given(problem=problems(flavour))
        def run(problem):
            check(problem, **options)

        run()

    @quick(40)
    @given(problem=priced_by_rules(tables()))
    def run_priced(problem):
        check(problem, **options)

    run_priced()


@quick(15)
@given(table=middling_tables())
def test_agrees_with_the_exact_engine_beyond_the_oracle(table):
    for objective in (MIN_RULES, THEN_LITERALS):
        problem = Problem.of(table, objective)
        exact, ours = get("exact")(problem, budget=Budget(30)), solve(problem)
        assert exact.status is ours.status is Status.OPTIMAL
        assert ours.cost == exact.cost


@quick(10)
@given(problem=priced_by_rules(middling_tables()))
def test_agrees_with_the_exact_engine_on_errors_against_rules(problem):
    exact, ours = get("exact")(problem, budget=Budget(30)), solve(problem)
    assert exact.status is ours.status is Status.OPTIMAL
    assert ours.cost == exact.cost


def one_long_or_two_short():
    """Class 1 is one rule of four literals (size 5), or two rules of one literal each (size 4).

    Features 0 to 3 hold on class 1 and each is missing on one row of class 0; feature 4 + t holds on one half
    of class 1 alone.
    """
    positive = [[1, 1, 1, 1, t == 0, t == 1] for t in range(2)]
    negative = [[k != 0, k != 1, k != 2, k != 3, 0, 0] for k in range(4)]
    return Table.from_arrays(positive + negative, [1] * 2 + [0] * 4)


def rules_of(solution, target):
    return [rule for rule in solution.rules if rule.target == target]


def test_one_long_rule_beats_two_short_ones_unless_size_counts():
    table = one_long_or_two_short()
    short = [CodedRule.of(1, [9]), CodedRule.of(1, [11])]
    assert rules_of(get("brute")(Problem.of(table, Objective(Kind.PERFECT)), budget=Budget()), 1) == short
    for objective in (MIN_RULES, THEN_LITERALS):
        assert rules_of(solve(Problem.of(table, objective)), 1) == [CodedRule.of(1, [1, 3, 5, 7])]


def test_literals_break_ties_between_equal_numbers_of_rules():
    # Class 1: "a" covers all of it; so does "b and c". One rule either way.
    table = Table.from_arrays([[1, 1, 1], [0, 1, 0], [0, 0, 1], [0, 0, 0]], [1, 0, 0, 0])
    solution = solve(Problem.of(table, THEN_LITERALS), warm_start=False)
    assert rules_of(solution, 1) == [CodedRule.of(1, [1])]


def test_a_rule_is_priced_whatever_its_length():
    # Class 1 is a conjunction of three features and 10 of 40 rows; ρ = 0.2 makes a rule cost 8 of those rows
    # whatever its length. Priced by size it would cost 32, and nothing would be said of class 1.
    rows = [[1, 1, 1]] * 10 + [[0, 1, 1]] * 10 + [[1, 0, 1]] * 10 + [[1, 1, 0]] * 10
    table = Table.from_arrays(rows, [1] * 10 + [0] * 30)
    by_rules = solve(Problem.priced_by_rules(table, Objective(Kind.SPARSE, 0.2)))
    assert rules_of(by_rules, 1) == [CodedRule.of(1, [1, 3, 5])]
    by_size = get("exact")(Problem.of(table, Objective(Kind.SPARSE, 0.2)), budget=Budget())
    assert rules_of(by_size, 1) == []


def test_more_rules_are_taken_only_if_each_pays():
    # Two groups of class 1, of weight 6 and 2, beside 12 of class 0: at 3 per rule the second is left.
    table = Table.from_arrays([[1, 0], [0, 1], [0, 0]], [1, 1, 0], [6, 2, 12])
    solution = solve(Problem.priced_by_rules(table, Objective(Kind.SPARSE, 0.15)))
    assert rules_of(solution, 1) == [CodedRule.of(1, [1])]
    cheaper = solve(Problem.priced_by_rules(table, Objective(Kind.SPARSE, 0.05)))
    assert rules_of(cheaper, 1) == [CodedRule.of(1, [1]), CodedRule.of(1, [3])]


def test_a_class_that_must_speak_does_not_hide_behind_a_rule_that_cannot_hold():
    # Found by hypothesis: "f1 and not f1" twice was cheaper than the best single rule of class 0.
    table = Table.from_arrays(
        [[0, 0], [0, 1], [1, 0], [1, 1]], [1, 1, 0, 0], [2, 2, 1, 1], allowed=[[True, False], [True, True]]
    )
    check(Problem.priced_by_rules(table, Objective(Kind.SPARSE, 0.01, every_class=True)))


def test_one_class_alone_needs_one_bare_rule():
    table = Table.from_arrays([[0, 1], [1, 0]], [1, 1], n_classes=2)
    assert solve(Problem.of(table, MIN_RULES)).rules == (CodedRule.of(1, []),)


def test_needless_literals_are_dropped_from_the_solvers_rules():
    problem = Problem.of(one_long_or_two_short(), MIN_RULES)
    parts = split(problem, Budget(), Recorder(Budget()), separated=True, warm_start=True)
    (part,) = [part for part in parts if part.targets == (1,)]
    # Feature 4 excludes all of class 0 by itself, feature 0 one row of it.
    assert shortened(part, CodedRule.of(1, [1, 3, 5, 7, 9])) == CodedRule.of(1, [9])
    assert shortened(part, CodedRule.of(1, [1, 3, 5, 7])) == CodedRule.of(1, [1, 3, 5, 7])


def parity(n_features):
    rows = (np.arange(2**n_features)[:, None] >> np.arange(n_features)) & 1
    return Table.from_arrays(rows, rows.sum(axis=1) % 2)


def test_refuted_numbers_are_bounds_in_order():
    random = np.random.default_rng(5)
    features = random.random((30, 6)) < 0.5
    table = Table.from_arrays(features, features[:, :3].sum(axis=1) >= 2)
    seen = []
    problem = Problem.of(table, MIN_RULES)
    solution = get("minrules")(
        problem, budget=Budget(60), on_progress=seen.append, options={"warm_start": False}
    )
    bounds = [state.lower_bound for state in seen]
    assert bounds == sorted(bounds)
    assert len(set(bounds)) >= 3
    assert bounds[-1] == solution.cost


def test_every_row_of_a_parity_needs_its_rule():
    for n_features in (2, 3, 4):
        solution = solve(Problem.of(parity(n_features), THEN_LITERALS))
        assert solution.status is Status.OPTIMAL
        assert {rule.size for rule in solution.rules} == {n_features + 1}
        assert len(solution.rules) == 2**n_features


@quick(100)
@given(problem=problems("min_rules"))
def test_anchored_slots_offer_only_what_can_be_in_them(problem):
    """Whatever an anchored slot leaves out is in no pure rule that covers the anchor."""
    target = problem.classes[0]
    view = class_view(problem, target)
    net = view.weights[:, 0]
    for anchor in np.flatnonzero(net > 0)[:2]:
        slots = RuleSlots(view, [int(anchor)], pays=False, ordered=True)
        list(slots.grow())
        (slot,) = slots.slots
        assert ((slot.choose > 0) == view.holds[anchor]).all()
        negatives = view.holds[net < 0]
        for k, row in enumerate(np.flatnonzero(net > 0)):
            longest = view.holds[anchor] & view.holds[row]
            pure = not negatives[:, longest].all(axis=1).any()
            assert (slot.covers[k] > 0) == pure
