"""Bad options are refused before any work, with what would be right."""

from __future__ import annotations

import pytest

from laconic.data.table import Table
from laconic.engines.paper.sat.options import CARDINALITIES
from laconic.engines.paper.satkit.options import SOLVERS
from laconic.engines.registry import get
from laconic.problem.objective import Kind, Objective, Problem
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError

TABLE = Table.from_arrays([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
PERFECT = Problem.of(TABLE, Objective(Kind.PERFECT))
SPARSE = Problem.of(TABLE, Objective(Kind.SPARSE, 0.01))


@pytest.mark.parametrize(
    ("engine", "options", "message"),
    [
        ("sat", {"sover": "g4"}, "engine 'sat' has no option 'sover'; choose from: solver, separated,"),
        ("maxsat", {"nodes": 3}, "engine 'maxsat' has no option 'nodes'; choose from: solver,"),
        ("sat", {"solver": "chaff"}, "option solver cannot be 'chaff'; choose one of: cd, cd103"),
        ("sat", {"solver": "kissat"}, "option solver cannot be 'kissat'"),
        ("sat", {"solver": None}, "option solver cannot be None"),
        ("sat", {"cardinality": "native"}, "option cardinality cannot be 'native'; choose one of: prefix,"),
        ("sat", {"symmetry": "all"}, "cannot be 'all'; choose one of: none, features, paper, anchored"),
        ("sat", {"separated": 1}, "option separated must be True or False, not 1"),
        ("sat", {"warm_start": "no"}, "option warm_start must be True or False, not 'no'"),
        ("maxsat", {"stratification": "x"}, "choose one of: none, basic, div, cluster, full"),
        ("maxsat", {"model": "x"}, "option model cannot be 'x'; choose one of: sizes, unused"),
        ("maxsat", {"initial_nodes": 0}, "option initial_nodes must be a whole number of at least 1, not 0"),
        ("maxsat", {"node_step": True}, "option node_step must be a whole number of at least 1, not True"),
        ("maxsat", {"trim": -1}, "option trim must be a whole number of at least 0, not -1"),
        ("maxsat", {"adapt": True, "solver": "cd103"}, "adapt=True needs a solver that propagates"),
    ],
)
def test_bad_options_are_refused_with_the_valid_ones(engine, options, message):
    with pytest.raises(InputError) as refused:
        get(engine)(PERFECT, budget=Budget(), options=options)
    assert message in str(refused.value)


def test_separate_objectives_have_no_joint_sparse_model():
    with pytest.raises(InputError, match="separated=False has no model for counting='per_class'"):
        get("maxsat")(SPARSE, budget=Budget(), options={"separated": False})


def test_the_sat_engine_refuses_sparse_problems():
    with pytest.raises(InputError, match="engine 'sat' does not solve objective='sparse'"):
        get("sat")(SPARSE, budget=Budget())


@pytest.mark.parametrize("solver", sorted(set(SOLVERS.values())))
@pytest.mark.parametrize(("engine", "problem"), [("sat", PERFECT), ("maxsat", SPARSE)])
def test_every_listed_solver_works(engine, problem, solver):
    solution = get(engine)(problem, budget=Budget(60), options={"solver": solver, "warm_start": False})
    assert solution.cost == get("brute")(problem, budget=Budget()).cost == solution.lower_bound


@pytest.mark.parametrize("cardinality", sorted(CARDINALITIES))
def test_every_listed_cardinality_encoding_works(cardinality):
    options = {"cardinality": cardinality, "warm_start": False, "separated": False}
    assert get("sat")(PERFECT, budget=Budget(60), options=options).cost == 12
