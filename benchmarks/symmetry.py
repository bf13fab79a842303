"""Effects of symmetry breaking, cardinality encodings and solvers (`make bench-symmetry`).

One option at a time is changed from the defaults, on files that are small enough to finish. The results are
CPU seconds and conflicts, of opt for perfect sets and of sp[λ] (with at least one rule per class) for sparse
sets.
"""

from __future__ import annotations

import math
import statistics
import time

from benchmarks.support.cp20 import read_table
from benchmarks.support.study import FOLDER, write
from laconic.engines.registry import get
from laconic.problem.objective import Kind, Objective, Problem
from laconic.runtime.budget import Budget

LIMIT = 8.0

PERFECT = (("iris", 4), ("cloud", 2), ("tae", 2), ("hayes-roth", 3), ("corral", 2), ("zoo", 3), ("mux6", 2))
SPARSE = (
    ("corral", 2, 0.05), ("mux6", 2, 0.05), ("cloud", 2, 0.05), ("tae", 2, 0.02), ("hayes-roth", 2, 0.01),
    ("iris", 4, 0.01), ("heart-statlog", 2, 0.05),
)  # fmt: skip

CHANGES = (
    {},
    {"symmetry": "none"},
    {"symmetry": "features"},
    {"symmetry": "paper"},
    {"cardinality": "pairwise"},
    {"cardinality": "seqcounter"},
    {"cardinality": "ladder"},
    {"cardinality": "bitwise"},
    {"cardinality": "cardnetwrk"},
    {"cardinality": "totalizer"},
    {"solver": "glucose4"},
    {"solver": "minisat22"},
    {"solver": "cadical153"},
    {"solver": "cadical195"},
    {"warm_start": False},
)
MAXSAT_CHANGES = (
    *CHANGES,
    {"model": "unused"},
    {"stratification": "none"},
    {"exhaust": False},
    {"minimize": True},
)


def main() -> None:
    perfect = [(name, Problem.of(read_table(name, q), Objective(Kind.PERFECT))) for name, q in PERFECT]
    sparse = [
        (name, Problem.of(read_table(name, q), Objective(Kind.SPARSE, regularization, every_class=True)))
        for name, q, regularization in SPARSE
    ]
    rows = [*measure("opt", "sat", perfect, CHANGES), *measure("sp", "maxsat", sparse, MAXSAT_CHANGES)]
    write(FOLDER / "symmetry.csv", list(rows[0]), rows)


def measure(method, engine, problems, changes):
    """Return one row per change: geometric mean of the times, total conflicts, files solved."""
    solve = get(engine)
    runs = {k: [] for k in range(len(changes))}
    # The files are the outer loop, so that other load on the machine affects all changes alike.
    for _, problem in problems:
        for k, change in enumerate(changes):
            started = time.process_time()
            solution = solve(problem, budget=Budget(LIMIT), options=change)
            runs[k].append((time.process_time() - started, solution.counts["conflicts"], solution.gap == 0))
    rows = []
    for k, change in enumerate(changes):
        seconds, conflicts, solved = zip(*runs[k], strict=True)
        rows.append(
            {
                "method": method,
                "change": " ".join(f"{name}={value}" for name, value in change.items()) or "defaults",
                "mean_s": round(math.exp(statistics.fmean(map(math.log, seconds))), 4),
                "conflicts": sum(conflicts),
                "solved": f"{sum(solved)}/{len(solved)}",
            }
        )
        print(*rows[-1].values(), sep="\t", flush=True)
    return rows


if __name__ == "__main__":
    main()
