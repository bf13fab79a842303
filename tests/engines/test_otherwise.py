"""Sets with an OTHERWISE line: their definition, the oracle, the exact engine, budgets and fronts."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.support import otherwise_oracle
from tests.support.constraint_problems import constraints_with
from tests.support.front_oracle import staircase, staircase_with_otherwise
from tests.support.strategies import WITH_OTHERWISE, has_perfect_set, problems, tables

from laconic.checking.verify import otherwise_class as recounted_class
from laconic.checking.verify import recount, violations
from laconic.data.table import Table
from laconic.engines.api import Status
from laconic.engines.exact import local
from laconic.engines.exact.lazy_rows.search import LazySearch
from laconic.engines.fronts.all_classes import WholeFront
from laconic.engines.fronts.staircase import NO_SET, SumOfAllButOne, corners, steps
from laconic.engines.known_classes import KnownClasses
from laconic.engines.registry import available, entry, get, require_support
from laconic.problem.coded import CodedRule
from laconic.problem.objective import (
    Counting,
    Default,
    Kind,
    Objective,
    Problem,
    cost,
    errors,
    otherwise_class,
    trivial_bound,
)
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError

SPARSE = Objective(regularization=0.1, default=Default.OTHERWISE)
PERFECT = Objective(Kind.PERFECT, default=Default.OTHERWISE)


def quick(examples):
    return settings(
        max_examples=examples,
        deadline=None,
        suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow, HealthCheck.data_too_large],
    )


def within(size):
    return Objective(size_budget=size, default=Default.OTHERWISE)


@pytest.fixture
def three():
    """Ten rows of class 0, six of class 1, four of class 2; the features are 1 or 2, and 2 alone."""
    return Table.from_arrays([[0, 0], [1, 0], [1, 1]], [0, 1, 2], [10, 6, 4])


# What a set costs


def test_rows_of_the_otherwise_class_need_no_rule_and_the_line_counts_as_one(three):
    problem = Problem.of(three, replace(SPARSE, regularization=0.05))
    rules = [CodedRule.of(1, [1, 2]), CodedRule.of(2, [3])]
    assert otherwise_class(problem, rules) == 0
    assert errors(problem, rules) == 0
    assert recount(problem, rules) == (0, 3, 3)
    assert cost(problem, rules) == 6
    assert violations(problem, rules, 6, 6) == []


def test_a_row_counts_once_for_each_wrong_class_that_covers_it_and_once_if_its_own_does_not(three):
    problem = Problem.of(three, replace(SPARSE, regularization=0.05))
    rules = [CodedRule.of(1, [1]), CodedRule.of(2, [2])]
    # Class 2 claims the rows of 0 (10) and of 1 (6), class 1 those of 2 (4), which class 2 misses (4).
    assert errors(problem, rules) == recount(problem, rules)[0] == 10 + 6 + 4 + 4


def test_of_the_classes_without_rules_the_heaviest_is_given(three):
    problem = Problem.of(three, SPARSE)
    assert otherwise_class(problem, []) == 0
    assert errors(problem, []) == 10
    assert cost(problem, []) == 10 + 2
    assert otherwise_class(problem, [CodedRule.of(0, [0])]) == 1
    equal = Problem.of(Table.from_arrays([[0], [1]], [1, 0], [3, 3]), SPARSE)
    assert otherwise_class(equal, []) == 0


def test_a_set_with_rules_for_every_class_leaves_none_for_otherwise(three):
    problem = Problem.of(three, SPARSE)
    rules = [CodedRule.of(c, [c]) for c in range(3)]
    assert cost(problem, rules) is None
    assert "every class has a rule, so that none is left for OTHERWISE" in violations(problem, rules)


def test_a_class_without_rows_is_never_given():
    table = Table.from_arrays([[0], [1]], [1, 2], n_classes=4)
    problem = Problem.of(table, SPARSE)
    assert otherwise_class(problem, []) == 1
    assert otherwise_class(problem, [CodedRule.of(1, [0]), CodedRule.of(2, [1])]) is None


def test_what_every_class_by_its_rules_costs_is_unchanged(three):
    problem = Problem.of(three, Objective())
    rules = [CodedRule.of(1, [1, 2]), CodedRule.of(2, [3])]
    assert otherwise_class(problem, rules) is recounted_class(problem, rules) is None
    assert errors(problem, rules) == recount(problem, rules)[0] == 10


@quick(200)
@given(problem=st.sampled_from(sorted(WITH_OTHERWISE)).flatmap(problems), seed=st.integers(0, 2**32 - 1))
def test_the_checker_counts_as_the_objective_does(problem, seed):
    rng = np.random.default_rng(seed)
    silent = int(rng.choice(problem.classes))
    rules = {
        CodedRule.of(
            c, [2 * f + rng.integers(2) for f in range(problem.table.n_features) if rng.random() < 0.5]
        )
        for c in problem.classes
        for _ in range(2)
        if c != silent and rng.random() < 0.7
    }
    assert recounted_class(problem, list(rules)) == otherwise_class(problem, list(rules))
    assert recount(problem, list(rules))[0] == errors(problem, list(rules))
    total = cost(problem, list(rules))
    allowed = all(problem.table.allowed.reshape(-1)[code] for rule in rules for code in rule.literals)
    if total is not None and allowed:
        assert violations(problem, list(rules), total, trivial_bound(problem)) == []
        assert violations(problem, list(rules), total + 1) != []


# The best sets


@pytest.mark.parametrize("flavour", sorted(WITH_OTHERWISE))
def test_the_optimum_is_that_of_the_definition(flavour):
    @quick(150)
    @given(
        table=tables(max_features=3, max_samples=8, max_classes=3),
        objective=st.sampled_from(WITH_OTHERWISE[flavour]),
    )
    def run(table, objective):
        assume(table.n_rows <= 6)
        problem = Problem.of(table, objective)
        assume(not problem.hard or has_perfect_set(problem))
        expected, given_classes = otherwise_oracle.optimum(problem)
        first = next(c for c in problem.heaviest_first if c in given_classes)
        for engine in ("brute", "exact"):
            solution = get(engine)(problem, budget=Budget(60))
            assert (solution.status, solution.cost) == (Status.OPTIMAL, expected)
            assert otherwise_class(problem, solution.rules) == first

    run()


def test_the_class_that_is_dearest_to_explain_is_given_not_the_heaviest():
    # Class 0 is heavier and has one literal; class 1 is a parity.
    rows = [[0, 0, 0], [1, 0, 0], [1, 0, 1], [1, 1, 0], [1, 1, 1]]
    table = Table.from_arrays(rows, [0, 1, 2, 2, 1], [9, 3, 3, 3, 3])
    problem = Problem.of(table, PERFECT)
    assert problem.heaviest_first[0] == 0
    solution = get("exact")(problem, budget=Budget(60))
    assert otherwise_class(problem, solution.rules) == 1
    assert solution.cost == 1 + 2 + 6


def test_of_equal_optima_the_heaviest_class_is_given_then_the_first_label():
    for weights, given_class in (((2, 3), 1), ((3, 2), 0), ((2, 2), 0)):
        table = Table.from_arrays([[0], [1]], [0, 1], weights)
        for engine in ("brute", "exact"):
            problem = Problem.of(table, PERFECT)
            solution = get(engine)(problem, budget=Budget(60))
            assert (solution.cost, otherwise_class(problem, solution.rules)) == (3, given_class)


def test_a_table_of_one_class_needs_the_line_only():
    for objective in (SPARSE, PERFECT):
        solution = get("exact")(
            Problem.of(Table.from_arrays([[0], [1]], [0, 0]), objective), budget=Budget(60)
        )
        assert (solution.rules, solution.status) == ((), Status.OPTIMAL)


def test_a_class_that_no_rules_explain_is_given_in_perfect_sets():
    # Rules may ask for 1 only, so nothing tells the row 0 from others.
    table = Table.from_arrays([[0], [1]], [0, 1], [1, 9], allowed=[[False, True]])
    problem = Problem.of(table, PERFECT)
    for engine in ("brute", "exact"):
        solution = get(engine)(problem, budget=Budget(60))
        assert (solution.cost, solution.rules) == (3, (CodedRule.of(1, [1]),))
    two = Table.from_arrays([[0, 0], [0, 1], [1, 0]], [0, 1, 2], allowed=[[False, False], [False, True]])
    for engine in ("brute", "exact"):
        with pytest.raises(InputError, match="no rule of allowed literals separates unique row"):
            get(engine)(Problem.of(two, PERFECT), budget=Budget(60))


def noisy_table():
    rng = np.random.default_rng(4)
    features = rng.random((200, 10)) < 0.5
    labels = np.where(features[:, 0] & features[:, 1], 1, np.where(features[:, 2] & ~features[:, 3], 2, 0))
    return Table.from_arrays(features, np.where(rng.random(200) < 0.1, rng.integers(0, 3, 200), labels))


@pytest.mark.parametrize("seconds", [0.0, 0.02, 0.3])
@pytest.mark.parametrize("objective", [replace(SPARSE, regularization=0.002), PERFECT, within(30)])
def test_a_search_cut_short_has_a_set_and_a_bound_that_hold(objective, seconds):
    problem = Problem.of(noisy_table(), objective)
    solution = get("exact")(problem, budget=Budget(seconds))
    assert 0 <= solution.lower_bound <= solution.cost
    assert violations(problem, solution.rules, solution.cost, solution.lower_bound) == []
    states = [(one.cost, one.lower_bound) for one in solution.history]
    assert states[-1] == (solution.cost, solution.lower_bound)
    known = [cost for cost, _ in states if cost is not None]
    assert known == sorted(known, reverse=True)


def test_tables_searched_in_pieces_give_the_same_optimum(monkeypatch):
    problem = Problem.of(noisy_table(), replace(SPARSE, regularization=0.02))
    expected = get("exact")(problem, budget=Budget(60))
    made = []

    def in_pieces(task):
        made.append(LazySearch(*task.sparse_arguments, seed=task.seed))
        return made[-1]

    monkeypatch.setattr(local, "search_for", in_pieces)
    found = get("exact")(problem, budget=Budget(60))
    assert len(made) == 3
    assert (found.cost, found.lower_bound) == (expected.cost, expected.cost)


@pytest.mark.parametrize("n_jobs", [1, 2, 3])
def test_threads_change_nothing(n_jobs):
    problem = Problem.of(noisy_table(), replace(SPARSE, regularization=0.01))
    one, other = (get("exact")(problem, budget=Budget(60), n_jobs=n) for n in (1, n_jobs))
    assert one.status is Status.OPTIMAL
    assert (one.rules, one.cost) == (other.rules, other.cost)


def test_the_search_of_a_class_that_is_sure_to_be_given_ends_early():
    class Fake:
        def __init__(self, lower, upper):
            self.lower_bound, self.upper_bound = lower, upper

    table = Table.from_arrays([[0, 0], [0, 1], [1, 0]], [0, 1, 2], [5, 4, 3])
    problem = Problem.of(table, SPARSE)

    def needed(*bounds):
        searches = {c: Fake(*pair) for c, pair in enumerate(bounds)}
        known = KnownClasses(problem, searches)
        for search in searches.values():
            known.update(search)
        line = problem.rule_price(0)
        uppers, lowers = ([pair[k] for pair in bounds] for k in (1, 0))
        assert known.cost == sum(uppers) - max(uppers) + line
        assert known.lower_bound == sum(lowers) - max(lowers) + line
        return [c for c, search in searches.items() if known.is_needed(search)]

    assert needed((6, 9), (2, 5), (1, 4)) == [1, 2]
    assert needed((5, 9), (2, 5), (1, 4)) == [1, 2]  # as dear at least, and heavier
    assert needed((2, 5), (5, 9), (1, 4)) == [0, 1, 2]  # maybe as dear, and lighter
    assert needed((4, 9), (2, 5), (1, 4)) == [0, 1, 2]


@quick(100)
@given(table=tables(max_features=3, max_samples=8, max_classes=3, restrict_literals=False), data=st.data())
def test_costs_of_errors_and_forbidden_literals_are_respected(table, data):
    assume(table.n_rows <= 6)
    share = st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1), Fraction(3)])
    factors = st.tuples(*[share] * table.n_classes).filter(any)
    usable = np.ones((table.n_classes, table.n_features, 2), bool)
    usable.reshape(-1)[data.draw(st.lists(st.integers(0, usable.size - 1), max_size=4))] = False
    constraints = constraints_with(
        table,
        usable=usable,
        class_factor=data.draw(factors),
        miss_factor=data.draw(factors),
        claim_factor=data.draw(factors),
    )
    problem = Problem.of(table, data.draw(st.sampled_from(WITH_OTHERWISE["otherwise"])), constraints)
    assume(problem.pricing.levels[0].rule > 0)
    solution = get("exact")(problem, budget=Budget(60))
    assert (solution.status, solution.cost) == (Status.OPTIMAL, otherwise_oracle.optimum(problem)[0])
    assert violations(problem, solution.rules, solution.cost, solution.lower_bound) == []


# Refusals


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"every_class": True}, "default='otherwise' and every_class=True exclude each other"),
        ({"counting": Counting.PER_ROW}, "default='otherwise' needs counting='per_class'"),
        ({"size_budget": 0}, "size_budget must be at least 1 with default='otherwise'"),
    ],
)
def test_objectives_that_do_not_go_with_otherwise_are_refused(changes, reason):
    with pytest.raises(InputError, match=reason):
        replace(SPARSE, **changes)


@pytest.mark.parametrize(
    ("more", "name"),
    [
        ({"max_rules": 3}, "max_rules"),
        ({"disjoint": True}, "disjoint"),
        ({"measure": ("rules", "size")}, "measure='rules'"),
        ({"min_support": 2}, "min_support"),
        ({"rules_in": frozenset([CodedRule.of(0, [0])])}, "rules_in"),
    ],
)
def test_constraints_that_tie_rules_together_are_refused(three, more, name):
    with pytest.raises(InputError, match=f"default='otherwise' cannot be combined with {name}; leave"):
        Problem.of(three, SPARSE, constraints_with(three, **more))


@pytest.mark.parametrize("engine", [name for name in available() if not entry(name).otherwise])
def test_engines_that_do_not_know_otherwise_refuse_it(three, engine):
    for objective in (SPARSE, PERFECT):
        if objective.kind in entry(engine).kinds:
            with pytest.raises(InputError, match="default='otherwise'; use one of: exact, brute"):
                require_support(engine, Problem.of(three, objective))


# Budgets and fronts


@quick(150)
@given(table=tables())
def test_the_front_is_that_of_the_oracle_at_every_size(table):
    front = WholeFront(Problem.of(table, within(1)))
    front.find_corners(Budget(60))
    assert front.corners_proved()
    truth = truth_of(table, front.max_size)
    assert (front.proved <= truth).all()
    assert (truth <= front.achieved).all()
    assert front.corners() == corners([(k, int(truth[k])) for k in steps(truth) if k])
    assert truth[-1] == truth_of(table, front.max_size + 3)[-1], (
        "the last size makes the fewest errors of all"
    )
    for size, wrong in front.corners():
        rules = front.rules_at(size)
        assert 1 + sum(rule.size for rule in rules) == size
        problem = Problem.of(table, within(size))
        assert violations(problem, rules, problem.budget_cost(wrong, size)) == []
    front.settle(lambda: list(range(front.max_size + 1)), Budget(60))
    assert front.proved.tolist() == front.achieved.tolist() == truth.tolist()


def truth_of(table, max_size):
    return np.concatenate([[NO_SET], staircase_with_otherwise(table, max_size)])


@quick(100)
@given(table=tables(), size=st.integers(1, 14), most=st.integers(0, 8))
def test_budgets_are_kept_as_the_oracle_keeps_them(table, size, most):
    truth = truth_of(table, 30)
    problem = Problem.of(table, within(size))
    solution = get("exact")(problem, budget=Budget(60))
    smallest = int((truth == truth[size]).argmax())
    assert solution.status is Status.OPTIMAL
    assert solution.cost == problem.budget_cost(int(truth[size]), smallest)
    problem = Problem.of(table, Objective(max_errors=most, default=Default.OTHERWISE))
    if truth[-1] > most:
        with pytest.raises(InputError, match=f"max_errors is {most}, but"):
            get("exact")(problem, budget=Budget(60))
        return
    solution = get("exact")(problem, budget=Budget(60))
    smallest = int((truth <= most).argmax())
    assert solution.status is Status.OPTIMAL
    assert solution.cost == problem.budget_cost(int(truth[smallest]), smallest)


@quick(100)
@given(
    stairs=st.lists(st.lists(st.integers(0, 20), min_size=1, max_size=6), min_size=1, max_size=4),
    max_size=st.integers(1, 12),
)
def test_the_sum_of_all_classes_but_one_is_the_least_and_says_who_has_what(stairs, max_size):
    stairs = [np.sort(np.array(one))[::-1] for one in stairs]
    found = SumOfAllButOne(stairs, max_size)
    assert found.values[0] == NO_SET
    for size in range(1, len(found.values)):
        parts = found.shares(size)
        assert parts.count(None) == 1
        assert sum(part for part in parts if part is not None) <= size - 1
        values = [int(one[part]) for one, part in zip(stairs, parts, strict=True) if part is not None]
        assert sum(values) == found.values[size]
    least = [sum(int(one[-1]) for one in stairs[:d] + stairs[d + 1 :]) for d in range(len(stairs))]
    lengths = [sum(len(one) - 1 for one in stairs[:d] + stairs[d + 1 :]) for d in range(len(stairs))]
    if max_size > max(lengths):
        assert found.values[-1] == min(least)


def test_with_one_unit_of_size_more_otherwise_makes_at_most_as_many_errors():
    rng = np.random.default_rng(0)
    for _ in range(20):
        table = Table.from_arrays(rng.random((10, 3)) < 0.5, rng.integers(0, 3, 10))
        explained, otherwise = staircase(table, 12), staircase_with_otherwise(table, 13)
        assert (otherwise <= explained).all()
