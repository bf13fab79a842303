"""The constrained engine against the oracle: every constraint, every measure, every objective."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.clock import ProcessorTime
from tests.support.constraint_oracle import optimum
from tests.support.constraint_problems import KINDS, constrained_problem, constraints_with

from laconic.checking.verify import violations
from laconic.data.table import Table
from laconic.engines.api import Status, StopReason
from laconic.engines.registry import get
from laconic.engines.selection import engine, master
from laconic.engines.selection import listing as candidates
from laconic.engines.selection.engine import solve
from laconic.problem.coded import CodedRule
from laconic.problem.constraints.compiled import CompiledConstraints
from laconic.problem.objective import Kind, Objective, Problem, cost, level_values
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError


def check(problem):
    """The engine proves the oracle's optimum, or refuses what the oracle finds impossible."""
    best = optimum(problem)
    if best is None:
        with pytest.raises(InputError, match="no decision set"):
            solve(problem, budget=Budget(60))
        return
    levels = problem.pricing.levels
    expected = sum(level.weight * value for level, value in zip(levels, best[0], strict=True))
    found = solve(problem, budget=Budget(60))
    assert (found.status, found.cost) == (Status.OPTIMAL, expected)
    assert level_values(problem, found.rules)[1] == list(best[0])
    assert violations(problem, found.rules, found.cost, found.lower_bound) == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_constraint_is_exact(kind):
    for seed in range(8):
        check(constrained_problem(seed, kind))


def budgets(seed):
    """A limit on size or errors, small ones more often."""
    chance = random.Random(seed)
    if chance.random() < 0.5:
        return Objective(size_budget=chance.randint(0, 7))
    return Objective(max_errors=chance.choice([0, 1, 2, 3, 5, 8]))


@pytest.mark.parametrize("kind", KINDS)
def test_every_constraint_is_exact_within_a_budget(kind):
    for seed in range(6):
        check(constrained_problem(seed, kind, budgets(seed)))


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", KINDS)
def test_every_constraint_is_exact_within_many_budgets(kind):
    for seed in range(1000, 1150):
        check(constrained_problem(seed, kind, budgets(seed)))


@pytest.mark.parametrize(("seed", "kind"), [(1032, "disjoint"), (2031, "min_precision")])
def test_a_literal_without_harm_may_still_be_needed(seed, kind):
    """Problems that come out wrong if rules lose every literal that excludes little."""
    check(constrained_problem(seed, kind))


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**31))
def test_any_mixture_of_constraints_is_exact(seed):
    check(constrained_problem(seed))


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", KINDS)
def test_every_constraint_is_exact_on_many_tables(kind):
    for seed in range(1000, 1250):
        check(constrained_problem(seed, kind))


def test_the_weak_relaxation_is_exact_too(monkeypatch):
    monkeypatch.setattr(master, "MAX_NAMED", 0)
    for seed in range(25):
        check(constrained_problem(seed))


def test_without_the_native_search_the_answer_is_the_same(monkeypatch):
    monkeypatch.setattr(engine, "solve_relaxed", lambda *_: None)
    for seed in range(25):
        check(constrained_problem(seed))


def larger_problem(measure=("size",), n_rows=120, n_features=9, seed=0, kind=Kind.SPARSE, **constraints):
    """A noisy table on which no search ends within a fraction of a second."""
    rng = np.random.default_rng(seed)
    rows = rng.random((n_rows, n_features)) < 0.5
    labels = (rows[:, 0] & rows[:, 1] | rows[:, 2] & rows[:, 3]) ^ (rng.random(n_rows) < 0.15)
    table = Table.from_arrays(rows, labels.astype(int))
    neutral = CompiledConstraints(
        usable=np.ones((2, n_features, 2), bool),
        column_of=np.arange(n_features),
        n_columns=n_features,
        measure=measure,
        literal_factor=(Fraction(1),) * n_features,
        column_cost=(Fraction(0),) * n_features,
        class_factor=(Fraction(1),) * 2,
        miss_factor=(Fraction(1),) * 2,
        claim_factor=(Fraction(1),) * 2,
        seen=table.weights,
    )
    return Problem.of(table, Objective(kind, 0.01), replace(neutral, **constraints))


def test_a_list_that_is_cut_short_still_gives_a_set_and_a_bound(monkeypatch):
    problem = larger_problem(n_rows=40, n_features=5, min_precision=Fraction(19, 20))
    whole = solve(problem, budget=Budget(60))
    monkeypatch.setattr(candidates, "MAX_RULES", 5)
    cut = solve(problem, budget=Budget(60))
    assert whole.status is Status.OPTIMAL
    assert cut.status is Status.FEASIBLE
    assert cut.stop_reason is StopReason.MEMORY  # there was time enough
    assert 0 < cut.lower_bound <= whole.cost <= cut.cost
    assert cut.rules


@pytest.mark.parametrize("measure", [("size",), ("average_length", "size")])
def test_the_time_limit_holds_and_leaves_a_set_with_its_gap(measure):
    problem = larger_problem(measure, n_rows=1500, n_features=24, min_precision=Fraction(19, 20))
    with ProcessorTime() as spent:
        found = solve(problem, budget=Budget(1.5, time.process_time))
    assert spent.seconds < 2.5
    assert found.stop_reason is StopReason.TIME
    assert 0 <= found.lower_bound < found.cost


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_returns_the_best_set_so_far():
    problem = larger_problem(n_rows=1500, n_features=24, min_precision=Fraction(19, 20))
    timer = threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    try:
        found = solve(problem, budget=Budget(120))
    finally:
        timer.cancel()  # a search that ends early must not leave the signal to the next test
    assert found.stop_reason is StopReason.INTERRUPT
    assert violations(problem, found.rules, found.cost, found.lower_bound) == []


def test_a_perfect_set_that_no_usable_literal_allows_is_refused():
    problem = larger_problem(n_rows=20, kind=Kind.PERFECT, usable=np.zeros((2, 9, 2), bool))
    with pytest.raises(InputError, match="do not separate the classes"):
        solve(problem, budget=Budget(5))


def test_time_that_is_too_short_for_any_set_is_said():
    problem = larger_problem(n_rows=300, n_features=14, kind=Kind.PERFECT, max_rules=40)
    with pytest.raises(InputError, match="found in time, and none was proved impossible"):
        solve(problem, budget=Budget(0))


def test_unknown_options_are_refused():
    with pytest.raises(InputError, match="has no option 'fast'"):
        solve(constrained_problem(0), budget=Budget(), options={"fast": True})


def test_demanded_rules_are_there_however_dear():
    rule = CodedRule(0, (1, 3, 5))
    problem = larger_problem(rules_in=frozenset([rule]))
    assert rule in solve(problem, budget=Budget(20)).rules


def noisy(seed=1, n_rows=60, n_features=8):
    rng = np.random.default_rng(seed)
    rows = rng.random((n_rows, n_features)) < 0.5
    labels = (rows[:, 0] & rows[:, 1]) | (rows[:, 2] & ~rows[:, 3])
    return Table.from_arrays(rows, labels ^ (rng.random(n_rows) < 0.15), n_classes=2)


@pytest.mark.parametrize(
    "measure",
    ["longest", "features", "average_length", "longest,average_length", "features,average_length,rules"],
)
def test_no_measure_starts_worse_than_the_plain_optimum(measure):
    table = noisy()
    objective = Objective(Kind.SPARSE, 0.02)
    plain = get("exact")(Problem.of(table, objective), budget=Budget(5))
    assert plain.status is Status.OPTIMAL
    words = measure.split(",")
    own = constraints_with(
        table,
        measure=(*words, "size"),
        column_of=np.arange(table.n_features),
        n_columns=table.n_features,
        literal_factor=(Fraction(1),) * table.n_features,
        column_cost=(Fraction(0),) * table.n_features,
    )
    problem = Problem.of(table, objective, own)
    found = solve(problem, budget=Budget(1.0))
    assert found.cost <= cost(problem, plain.rules)
    assert len(found.rules) > 0


def test_what_comes_before_average_length_is_settled_first():
    """The levels before explanations need few rules: they are proved although the rest is not."""
    table = noisy(n_rows=40, n_features=7)
    constraints = constraints_with(table, measure=("rules", "average_length"))
    problem = Problem.of(table, Objective(Kind.SPARSE, 0.05), constraints)
    alone = Problem.of(table, Objective(Kind.SPARSE, 0.05), replace(constraints, measure=("rules",)))
    best = solve(alone, budget=Budget(20))
    assert best.status is Status.OPTIMAL
    found = solve(problem, budget=Budget(8))
    first = problem.pricing.levels[0].weight
    assert found.cost // first == best.cost
    assert found.lower_bound // first == best.cost


@pytest.mark.parametrize(
    "kind", ["required", "max_rules", "rules_in", "literal_factor", "column_cost", "min_support"]
)
def test_the_rules_of_better_sets_suffice(kind, monkeypatch):
    """Problems whose rules are listed by reduced cost; the full list is not available."""
    used = []

    def counted(*given):
        used.append(listed(*given))
        return used[-1]

    listed = engine.priced_candidates
    monkeypatch.setattr(engine, "priced_candidates", counted)
    for seed in range(40):
        check(constrained_problem(seed, kind, Objective(Kind.SPARSE, [0.05, 0.1, 0.2][seed % 3])))
    assert any(found is not None for found in used)
