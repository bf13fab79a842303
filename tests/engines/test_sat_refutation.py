"""DRUP proofs of the last refuted sizes, checked by a program that is not ours."""

from __future__ import annotations

import numpy as np
import pytest

from laconic.data.table import Table
from laconic.engines.paper.sat.refutation import check_refutation
from laconic.engines.registry import get
from laconic.problem.objective import Kind, Objective, Problem
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError


def problem():
    rng = np.random.default_rng(2)
    features = rng.integers(0, 2, (16, 4))
    return Problem.of(Table.from_arrays(features, features[:, 0] ^ features[:, 1]), Objective(Kind.PERFECT))


def refuted(tmp_path, **options):
    solution = get("sat")(problem(), budget=Budget(60), options={"proofs": str(tmp_path), **options})
    return solution, sorted(tmp_path.glob("*.cnf"))


@pytest.mark.parametrize("solver", ["cadical195", "cadical153", "glucose4", "minisat22"])
@pytest.mark.parametrize("separated", [True, False])
def test_the_size_below_the_optimum_is_refuted_for_all_to_check(solver, separated, tmp_path):
    solution, formulas = refuted(
        tmp_path, solver=solver, separated=separated, warm_start=solver != "glucose4"
    )
    sizes = [int(path.stem.rpartition("-")[2]) for path in formulas]
    assert sum(size + 1 for size in sizes) == solution.cost
    for formula in formulas:
        holds = check_refutation(formula, formula.with_suffix(".drup"))
        if holds is None:
            pytest.skip("neither drat-trim nor dratify is installed")
        assert holds


def test_a_proof_of_another_formula_is_rejected(tmp_path):
    _, (formula, *_) = refuted(tmp_path)
    proof = formula.with_suffix(".drup")
    head, *clauses = [line for line in formula.read_text().splitlines() if not line.startswith("c")]
    words = head.split()
    kept = clauses[:-1]  # without "the last node is the end" there is a solution
    formula.write_text("\n".join([f"p cnf {words[2]} {len(kept)}", *kept]) + "\n")
    holds = check_refutation(formula, proof)
    if holds is None:
        pytest.skip("neither drat-trim nor dratify is installed")
    assert not holds


def test_no_files_are_written_unless_asked_for(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    get("sat")(problem(), budget=Budget(60))
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"cannot write proofs to .*; choose another folder"):
        refuted(tmp_path / "file")
    with pytest.raises(InputError, match="option proofs must be the name of a folder, not 3"):
        get("sat")(problem(), budget=Budget(60), options={"proofs": 3})
