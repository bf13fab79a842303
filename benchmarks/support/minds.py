"""Comparisons with MinDS: running its program, and answers of both sides in one form.

An answer is a dictionary with the CPU ``seconds`` of the solve, ``size`` and ``errors``; an answer of ours
also has ``classes``, a list of (class, size, errors) of the rules of each class.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.support.study import Row
from laconic.bench.methods.api import Limits, Training
from laconic.bench.peers.call import call_peer
from laconic.bench.peers.catalogue import PEERS
from laconic.bench.peers.environments import missing
from laconic.bench.peers.reply import contradicts_itself
from laconic.data.table import Table
from laconic.engines.api import Solution
from laconic.problem.constraints.evaluate import coverage
from laconic.problem.objective import Problem, errors


def require_minds() -> None:
    """Exit with instructions if MinDS is not installed."""
    if absent := missing(PEERS["minds"]):
        sys.exit(absent)


def run_minds(table: Table, *flags: str, limit: float) -> dict[str, Any] | None:
    """Run MinDS with the flags of ``mds.py``; return ``None`` if it exceeds the limit."""
    with tempfile.TemporaryDirectory() as scratch:
        limits = Limits(limit, memory_mb=0, seed=0, scratch=Path(scratch))
        options = {"arguments": [*flags, "--no-ccheck"]}
        try:
            reply = call_peer(PEERS["minds"], rows_of(table), limits, options, kill_after=limit)
        except TimeoutError:
            return None
    return {
        "seconds": reply.seconds["solve_cpu"],
        "size": reply.counts["rules"] + reply.counts["literals"],
        **reply.counts,
        "contradictory": any(contradicts_itself(literals) for literals, _ in reply.rules),
    }


def rows_of(table: Table) -> Training:
    """Return one row per unit of weight."""
    row, label = np.nonzero(table.weights)
    counts = table.weights[row, label]
    return Training(
        tuple(f"f{k}" for k in range(table.n_features)),
        np.repeat(table.matrix[row], counts, axis=0),
        np.repeat(label, counts),
        tuple(f"c{c}" for c in range(table.weights.shape[1])),
        np.ones((table.n_features, 2), bool),
    )


def answer(problem: Problem, solution: Solution, seconds: float) -> dict[str, Any]:
    """Return the answer of one of our engines."""
    return {
        "seconds": seconds,
        "size": sum(rule.size for rule in solution.rules),
        "errors": errors(problem, solution.rules),
        "classes": [_class_share(problem, solution, target) for target in problem.classes],
    }


def _class_share(problem: Problem, solution: Solution, target: int) -> tuple[int, int, int]:
    """Return (class, size, errors) of the rules of one class."""
    rules = [rule for rule in solution.rules if rule.target == target]
    covered = coverage(problem.table, rules)[:, target]
    own = problem.table.weights[:, target]
    wrong = np.where(covered, problem.table.weights.sum(axis=1) - own, own).sum()
    return target, sum(rule.size for rule in rules), int(wrong)


def optimum(table: Table, found: dict[str, Any] | None, regularization: str | None) -> str:
    """Return the exact cost of a side's answer."""
    if found is None:
        return ""
    price = Fraction(regularization) * table.total_weight if regularization else 1
    return str(found["errors"] + price * found["size"])


def with_silent_rules(table: Table, found: dict[str, Any], regularization: str) -> dict[str, Any]:
    """Return our answer with a contradictory rule in every class for which that is cheaper."""
    price = Fraction(regularization) * table.total_weight
    size = wrong = 0
    for label, own_size, own_errors in found["classes"]:
        missed = int(table.weights[:, label].sum())
        choice = min((own_errors + price * own_size, own_size, own_errors), (missed + price * 3, 3, missed))
        size, wrong = size + choice[1], wrong + choice[2]
    return {"size": size, "errors": wrong}


def median_seconds(runs: Sequence[dict[str, Any] | None]) -> float | str:
    """Return the median time of repetitions; empty if one of them exceeded its limit."""
    seconds = [run["seconds"] for run in runs if run is not None]
    return round(statistics.median(seconds), 5) if len(seconds) == len(runs) else ""


def print_speed(method: str, rows: Sequence[Row]) -> None:
    """Print the geometric mean of a method's ratios, and how many files each side did not finish."""
    ratios = [float(row["ratio"]) for row in rows if row["ratio"]]
    if not ratios:
        return
    late = {side: sum(not row[f"{side}_s"] for row in rows) for side in ("minds", "laconic")}
    print(
        f"{method}: {statistics.geometric_mean(ratios):.1f} times faster (geometric mean of "
        f"{len(ratios)} files; least {min(ratios)}, most {max(ratios)}); out of time: "
        f"MinDS {late['minds']}, ours {late['laconic']} of {len(rows)}"
    )


def ratio(ours: float | str, theirs: float | str) -> float | str:
    """Return the ratio of MinDS's time to ours; empty if a side has no time."""
    return "" if isinstance(ours, str) or isinstance(theirs, str) else round(theirs / ours, 2)
