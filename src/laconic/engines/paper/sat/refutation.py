"""The last refuted size of each class as a formula and a DRUP proof, for independent checkers.

The search is incremental and leaves no refutation behind: a size is deactivated, not refuted. So the formula
of the largest refuted size is built once more, alone, and solved with proof logging. That the formula is
unsatisfiable is checked by drat-trim or any other checker of DRUP proofs. That the formula expresses "there
is such a set" (Section 3 of the paper) remains to be trusted.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from pysat.solvers import Solver

from laconic.data.write import write_whole
from laconic.engines.paper.sat.formula import node_sequence
from laconic.engines.paper.sat.options import IterativeOptions
from laconic.engines.paper.satkit.bounds import anchors_of
from laconic.engines.paper.satkit.clauses import Clauses
from laconic.engines.paper.satkit.options import SOLVERS
from laconic.engines.paper.satkit.oracle import SatTimeoutError, Slices, until_expired
from laconic.engines.paper.satkit.part import ProblemPart
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError

LOGGING = ("cadical", "glucose")
"""Solver families whose proofs PySAT returns and checkers accept."""

LOGGING_SOLVER = "cadical195"
"""The solver that logs the proof if the solver of the search cannot."""


def write_refutations(
    parts: Sequence[ProblemPart], options: IterativeOptions, budget: Budget
) -> list[tuple[Path, Path]]:
    """Write (formula, proof) of the largest refuted size of each part, as far as time allows."""
    folder = Path(options.proofs)
    written = []
    for part, share in zip(parts, budget.shares(len(parts)), strict=True):
        size = part.lower_bound - 1
        if size < 1:
            continue
        try:
            clauses = _formula(part, size, options, budget)
            proof = _refute(clauses, options, share)
        except SatTimeoutError:
            continue
        name = "-".join(str(target) for target in part.targets)
        paths = folder / f"class-{name}-size-{size}.cnf", folder / f"class-{name}-size-{size}.drup"
        says = f"c no perfect decision set for class {name} has size {size}\n"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(paths[0], (says + _dimacs(clauses)).encode())
            write_whole(paths[1], "".join(f"{line}\n" for line in proof).encode())
        except OSError as error:
            raise InputError(
                f"cannot write proofs to {str(folder)!r}: {error.strerror}; choose another folder"
            ) from error
        written.append(paths)
    return written


def _formula(part: ProblemPart, size: int, options: IterativeOptions, budget: Budget) -> Clauses:
    """Return the clauses of "there is a set of this size"."""
    _, anchors = anchors_of(part, budget.part(0.1))
    sequence, _ = node_sequence(part, options, with_unused=False, anchors=anchors)
    clauses: Clauses = []
    for _ in range(size):
        for batch in until_expired(sequence.grow(), budget):
            clauses += batch
    end, closing = sequence.close()
    for batch in until_expired(closing, budget):
        clauses += batch
    return [*clauses, [end]]


def _refute(clauses: Clauses, options: IterativeOptions, budget: Budget) -> list[str]:
    name = SOLVERS[options.solver]
    if not name.startswith(LOGGING):
        name = LOGGING_SOLVER
    with Solver(name=name, bootstrap_with=clauses, with_proof=True) as solver:
        if Slices().solve(solver, [], budget):
            raise AssertionError("a refuted size is possible after all")
        proof: list[str] = solver.get_proof()
        return proof


def _dimacs(clauses: Clauses) -> str:
    top = max((abs(literal) for clause in clauses for literal in clause), default=0)
    lines = [f"p cnf {top} {len(clauses)}", *(" ".join(map(str, [*clause, 0])) for clause in clauses)]
    return "\n".join(lines) + "\n"


def check_refutation(formula: Path, proof: Path, time_limit: float | None = None) -> bool | None:
    """Check a DRUP proof with drat-trim or dratify, whichever is installed.

    Parameters
    ----------
    formula, proof : Path
        The files written by `write_refutations`.
    time_limit : float, optional
        Time limit for drat-trim in seconds.

    Returns
    -------
    bool or None
        Whether the proof refutes the formula; None if no checker is installed.
    """
    program = shutil.which("drat-trim")
    if program is not None:
        limit = [] if time_limit is None else ["-t", str(max(1, int(time_limit)))]
        shown = subprocess.run(
            [program, str(formula), str(proof), *limit], capture_output=True, text=True, check=False
        )
        return "s VERIFIED" in shown.stdout
    try:
        from dratify import check_proof, parse_dimacs
    except ImportError:
        return None
    return bool(check_proof(parse_dimacs(formula.read_text()), proof.read_text()).ok)
