"""Our fewest rules and literals against those of MinDS, the authors' program, on the paper's quantised files.

Needs MinDS (`laconic bench peers install minds`) and the benchmark tables; skipped with the reason otherwise.
"""

from __future__ import annotations

import pytest

from benchmarks.support.cp20 import read_table
from benchmarks.support.minds import run_minds
from laconic.bench.peers.catalogue import PEERS
from laconic.bench.peers.environments import missing
from laconic.bench.suites import data_root
from laconic.engines.api import Status
from laconic.engines.registry import get
from laconic.problem.objective import Kind, Objective, Problem
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError

FILES = [
    ("appendicitis", 2), ("balance", 2), ("cloud", 2), ("corral", 2), ("ecoli", 2), ("haberman", 2),
    ("hayes-roth", 2), ("iris", 2), ("iris", 4), ("irish", 2), ("lupus", 4), ("meteo", 2), ("mouse", 3),
    ("mux6", 2), ("new-thyroid", 2), ("tae", 2), ("transfusion", 3), ("zoo", 2),
]  # fmt: skip

LIMIT = 60


def _absent():
    try:
        data_root()
    except InputError as absent:
        return str(absent)
    return missing(PEERS["minds"]) or ""


pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(_absent()), reason=_absent() or "present")]


@pytest.mark.parametrize(("dataset", "quantisation"), FILES)
@pytest.mark.parametrize(
    ("kind", "extra"),
    [(Kind.MIN_RULES, []), (Kind.MIN_RULES_THEN_LITERALS, ["--opt"])],
    ids=["mds2", "mds2*"],
)
def test_same_optimum_as_minds(dataset, quantisation, kind, extra):
    table = read_table(dataset, quantisation)
    # The approach satr is the paper's mds2, with --opt mds2*.
    theirs = run_minds(table, "-a", "satr", "-s", "glucose4", *extra, limit=LIMIT)
    if theirs is None:
        pytest.skip(f"MinDS did not finish in {LIMIT} s")
    ours = get("minrules")(Problem.of(table, Objective(kind)), budget=Budget(LIMIT))
    assert ours.status is Status.OPTIMAL
    assert len(ours.rules) == theirs["rules"]
    if kind is Kind.MIN_RULES_THEN_LITERALS:
        assert sum(len(rule.literals) for rule in ours.rules) == theirs["literals"]
