"""A time limit holds in every engine, also on a table for which the time is far too short.

Time is that of the processor, so that a busy machine changes nothing: the budget's clock and the measure are
both `time.process_time`. The same on the paper's 71 datasets, by the clock: ``make bench-limits``.
"""

from __future__ import annotations

import time

import numpy as np
import pytest
from tests.support.clock import ProcessorTime
from tests.support.constraint_problems import constraints_with

from laconic.data.table import Table
from laconic.engines.api import StopReason
from laconic.engines.fronts.all_classes import WholeFront
from laconic.engines.registry import get
from laconic.engines.selection.engine import solve as solve_constrained
from laconic.problem.objective import Counting, Kind, Objective, Problem
from laconic.runtime.budget import Budget

LIMIT, GRACE = 0.5, 0.5

PERFECT = Objective(Kind.PERFECT)
SPARSE = Objective(Kind.SPARSE, 0.002)
EVERY = Objective(Kind.SPARSE, 0.002, every_class=True)
JOINT = Objective(Kind.SPARSE, 0.002, Counting.PER_ROW)

RUNS = [
    ("exact", PERFECT, {}),
    ("exact", SPARSE, {}),
    ("exact", EVERY, {}),
    ("exact", JOINT, {}),
    ("exact", Objective(Kind.MIN_RULES), {}),
    ("exact", Objective(size_budget=10), {}),
    ("sat", PERFECT, {}),
    ("sat", PERFECT, {"separated": False}),
    ("sat", PERFECT, {"warm_start": False}),
    ("maxsat", PERFECT, {}),
    ("maxsat", SPARSE, {}),
    ("maxsat", SPARSE, {"model": "unused"}),
    ("maxsat", EVERY, {}),
    ("maxsat", JOINT, {}),
    ("minrules", Objective(Kind.MIN_RULES), {}),
    ("minrules", Objective(Kind.MIN_RULES_THEN_LITERALS), {}),
    ("minrules", SPARSE, {}),
]


@pytest.fixture(scope="module")
def large_table():
    """Ten thousand different rows, a rule with noise: perfect sets have thousands of rules."""
    rng = np.random.default_rng(0)
    features = rng.random((10_000, 40)) < 0.5
    labels = (features[:, 0] & features[:, 1]) ^ (rng.random(10_000) < 0.2)
    return Table.from_arrays(features, labels.astype(int))


def processor_seconds(work):
    with ProcessorTime() as spent:
        answer = work()
    return spent.seconds, answer


@pytest.mark.parametrize(("engine", "objective", "options"), RUNS, ids=str)
def test_no_engine_works_on_when_the_time_is_over(engine, objective, options, large_table):
    problem, solve = Problem.of(large_table, objective), get(engine)
    seconds, answer = processor_seconds(
        lambda: solve(problem, budget=Budget(LIMIT, time.process_time), options=options)
    )
    assert seconds < LIMIT + GRACE
    assert answer.stop_reason is StopReason.TIME


@pytest.mark.parametrize("objective", [PERFECT, SPARSE])
def test_nor_with_constraints(objective, large_table):
    problem = Problem.of(large_table, objective, constraints_with(large_table, disjoint=True))
    seconds, answer = processor_seconds(
        lambda: solve_constrained(problem, budget=Budget(LIMIT, time.process_time))
    )
    assert seconds < LIMIT + GRACE
    assert answer.stop_reason is not StopReason.PROVED


def test_nor_does_a_front(large_table):
    def work():
        budget = Budget(LIMIT, time.process_time)
        front = WholeFront(Problem.of(large_table, Objective()), 15, budget=budget)
        front.find_corners(budget)

    seconds, _ = processor_seconds(work)
    assert seconds < LIMIT + GRACE
