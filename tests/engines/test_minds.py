"""Our optima against those of MinDS, the authors' program, on the paper's quantised files.

Needs MinDS (`laconic bench peers install minds`) and the benchmark tables; skipped with the reason otherwise.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from benchmarks.sat_vs_minds import run_laconic, write_rows
from benchmarks.support.cp20 import read_table
from benchmarks.support.minds import optimum, run_minds, with_silent_rules
from laconic.bench.peers.catalogue import PEERS
from laconic.bench.peers.environments import missing
from laconic.bench.suites import data_root
from laconic.runtime.errors import InputError

FILES = [
    ("appendicitis", 2), ("balance", 2), ("corral", 2), ("ecoli", 2), ("haberman", 2), ("hayes-roth", 2),
    ("iris", 2), ("iris", 4), ("irish", 2), ("lupus", 4), ("meteo", 2), ("mouse", 3), ("mux6", 2),
    ("new-thyroid", 2), ("transfusion", 3), ("zoo", 2),
]  # fmt: skip

COMPARISONS = [
    ("sat", "satls", None),
    ("maxsat", "mxsatls", None),
    ("maxsat", "sparse", "0.05"),
    ("maxsat", "sparse", "0.02"),
]


def _absent():
    try:
        data_root()
    except InputError as absent:
        return str(absent)
    return missing(PEERS["minds"]) or ""


pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(_absent()), reason=_absent() or "present")]


@pytest.mark.parametrize(("dataset", "quantisation"), FILES)
@pytest.mark.parametrize(("engine", "approach", "regularization"), COMPARISONS)
def test_same_optimum_as_minds(dataset, quantisation, engine, approach, regularization, tmp_path):
    table = read_table(dataset, quantisation)
    path = tmp_path / "rows.csv"
    write_rows(table, path)
    extra = [regularization] if regularization else []
    ours = run_laconic(path, engine, "glucose4", *extra, limit=60)
    price = ["--lambda", regularization] if regularization else []
    theirs = run_minds(table, "-a", approach, "-s", "glucose4", "-w", *price, limit=60)
    if theirs is None:
        pytest.skip("MinDS did not finish in 60 s")
    if theirs["contradictory"]:
        ours = with_silent_rules(table, ours, regularization)
    expected = Fraction(optimum(table, theirs, regularization))
    assert Fraction(optimum(table, ours, regularization)) == expected
