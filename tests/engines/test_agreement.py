"""Every engine of the registry, and every variant of the SAT engines, against the oracle."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from tests.support.strategies import flavours_of, problems

from laconic.checking.verify import violations
from laconic.engines.api import Status
from laconic.engines.registry import available, get
from laconic.runtime.budget import Budget

ENGINES = [name for name in available() if name != "brute"]

VARIANTS = [
    ("sat", {"separated": False}),
    ("sat", {"warm_start": False}),
    ("sat", {"warm_start": False, "separated": False}),
    ("sat", {"warm_start": False, "symmetry": "none", "cardinality": "pairwise"}),
    ("sat", {"warm_start": False, "symmetry": "features", "cardinality": "seqcounter"}),
    ("sat", {"warm_start": False, "symmetry": "paper", "cardinality": "ladder"}),
    ("sat", {"warm_start": False, "separated": False, "symmetry": "paper"}),
    ("sat", {"warm_start": False, "solver": "cadical195", "cardinality": "bitwise"}),
    ("maxsat", {"warm_start": False}),
    ("maxsat", {"warm_start": False, "model": "unused"}),
    ("maxsat", {"model": "unused", "initial_nodes": 1, "node_step": 1}),
    ("maxsat", {"model": "unused", "symmetry": "anchored", "cardinality": "totalizer"}),
    ("maxsat", {"warm_start": False, "symmetry": "none", "stratification": "none"}),
    ("maxsat", {"warm_start": False, "symmetry": "paper", "stratification": "full", "solver": "cadical153"}),
    ("maxsat", {"warm_start": False, "exhaust": True, "minimize": True, "adapt": True, "trim": 2}),
]


def check(name, problem, options=None):
    """The engine must prove the oracle's optimum with rules that stand."""
    expected = get("brute")(problem, budget=Budget())
    actual = get(name)(problem, budget=Budget(60), options=options)
    assert (actual.status, actual.cost) == (Status.OPTIMAL, expected.cost)
    assert violations(problem, actual.rules, actual.cost, actual.lower_bound) == []


def quick(examples):
    return settings(
        max_examples=examples,
        deadline=None,
        suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
    )


@pytest.mark.parametrize(
    ("name", "flavour"), [(name, flavour) for name in ENGINES for flavour in flavours_of(name)]
)
def test_engine_matches_brute_force(name, flavour):
    @quick(60)
    @given(problem=problems(flavour))
    def run(problem):
        check(name, problem)

    run()


@pytest.mark.parametrize(("name", "options"), VARIANTS, ids=str)
def test_variant_matches_brute_force(name, options):
    for flavour in flavours_of(name):

        @quick(30)
        @given(problem=problems(flavour))
        def run(problem):
            check(name, problem, options)

        run()


@quick(60)
@given(problem=problems("perfect"))
def test_aggregated_maxsat_matches_brute_force(problem):
    check("maxsat", problem, {"separated": False, "warm_start": False, "initial_nodes": 30})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "flavour"), [(name, flavour) for name in ENGINES for flavour in flavours_of(name)]
)
def test_engine_matches_brute_force_on_many_tables(name, flavour):
    @settings(max_examples=600, deadline=None, suppress_health_check=list(HealthCheck))
    @given(problem=problems(flavour))
    def run(problem):
        check(name, problem)

    run()
