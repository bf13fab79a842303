"""Where the allowed literals admit no perfect set, every engine says which row is to blame."""

import itertools

import numpy as np
import pytest

from laconic.data.table import Table
from laconic.engines import registry
from laconic.engines.api import Recorder, StopReason, conclude
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Kind, Objective, Problem
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError, UnsoundSolutionError

ENGINES = [
    ("exact", Kind.PERFECT),
    ("exact", Kind.MIN_RULES),
    ("exact", Kind.MIN_RULES_THEN_LITERALS),
    ("sat", Kind.PERFECT),
    ("maxsat", Kind.PERFECT),
    ("minrules", Kind.MIN_RULES),
    ("brute", Kind.PERFECT),
]


@pytest.mark.parametrize(("engine", "kind"), ENGINES)
def test_a_row_that_no_literal_tells_from_others_is_refused(engine, kind, way):
    table = Table.from_arrays([[0, 0], [1, 0], [0, 1], [1, 1]], [0, 1, 1, 1], allowed=[[False, True]] * 2)
    with pytest.raises(InputError, match=r"distinct row 0 \(class 0\)"):
        registry.get(engine)(Problem.of(table, Objective(kind)), budget=Budget())


@pytest.mark.parametrize("seconds", [0.0, None])
def test_some_such_rows_among_many(seconds, way):
    rows = np.array(list(itertools.product([0, 1], repeat=7)))
    allowed = np.ones((7, 2), bool)
    allowed[0, 0] = False  # what rows that begin with 0, 1 would need
    problem = Problem.of(
        Table.from_arrays(rows, rows[:, 0] & rows[:, 1], allowed=allowed), Objective(Kind.PERFECT)
    )
    with pytest.raises(InputError, match=r"distinct row 32 \(class 0\)"):
        registry.get("exact")(problem, budget=Budget(seconds))


def test_an_engine_that_misses_what_it_could_cover_is_to_blame_itself():
    problem = Problem.of(Table.from_arrays([[0], [1]], [0, 1]), Objective(Kind.PERFECT))
    rules = [CodedRule.of(0, [0]), CodedRule.of(1, [])]
    with pytest.raises(UnsoundSolutionError, match="errors of weight 1"):
        conclude(problem, rules, 0, StopReason.TIME, recorder=Recorder(Budget()))
