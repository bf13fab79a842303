"""A good set at once: what the exact engine has after one second, beside greedy covering.

The peer is `laconic.engines.incumbent`: separate and conquer from twelve seeds, run to its end however long
it takes. The exact engine does not use it. First folds of the paper's 71 datasets at 2, 3 and 4 bins; times
exclude reading the file. Stop and resume at will; ``--summary`` tells what was found, and fails where greedy
covering is better or the second did not hold.
"""

from __future__ import annotations

import argparse
import collections
import math
import sys
import time
from pathlib import Path

import cp20
import csv_rows

from laconic.budget import Budget
from laconic.engines import registry
from laconic.engines.incumbent import incumbent
from laconic.objective import Kind, Objective, Problem, cost

RESULTS = Path(__file__).parent / "results" / "first_second.csv"
FIELDS = [
    "objective", "dataset", "quantisation", "rows", "features",
    "exact_cost", "exact_bound", "exact_s", "greedy_cost", "greedy_s",
]  # fmt: skip
LIMIT_S = 1.0
GRACE_S = 0.5  # what `make bench-limits` allows
OBJECTIVES = {
    "perfect": Objective(Kind.PERFECT),
    "sp[0.05]": Objective(Kind.SPARSE, 0.05),
    "sp[0.005]": Objective(Kind.SPARSE, 0.005),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", nargs="*", default=[], help="parts of names such as heart or -r2-")
    parser.add_argument("--stop-after", type=float, default=math.inf, help="seconds for this slice")
    parser.add_argument("--summary", action="store_true")
    options = parser.parse_args()
    if options.summary:
        summary()
        return
    started = time.monotonic()
    done = {key_of(row) for row in csv_rows.read(RESULTS)}
    for task in cp20.tasks((1,)):
        for name, objective in OBJECTIVES.items():
            wanted = not options.only or any(part in f"{task}-" for part in options.only)
            if not wanted or (name, task.dataset, str(task.quantisation)) in done:
                continue
            if time.monotonic() - started > options.stop_after:
                return
            row = {"objective": name, **compare(task, objective)}
            csv_rows.append(RESULTS, FIELDS, row)
            print(*row.values(), sep="\t", flush=True)


def compare(task: cp20.Task, objective: Objective) -> dict[str, object]:
    """Return what both have, the exact engine after a second and greedy covering in the end."""
    problem = Problem.of(cp20.training_table(task), objective)
    started = time.perf_counter()
    solution = registry.get("exact")(problem, budget=Budget(LIMIT_S))
    exact_s = time.perf_counter() - started
    started = time.perf_counter()
    greedy = incumbent(problem, Budget(None))
    greedy_s = time.perf_counter() - started
    return {
        "dataset": task.dataset,
        "quantisation": task.quantisation,
        "rows": problem.table.n_rows,
        "features": problem.table.n_features,
        "exact_cost": solution.cost,
        "exact_bound": solution.lower_bound,
        "exact_s": round(exact_s, 4),
        "greedy_cost": cost(problem, greedy),
        "greedy_s": round(greedy_s, 4),
    }


def key_of(row: dict[str, str]) -> tuple[str, str, str]:
    return row["objective"], row["dataset"], row["quantisation"]


def summary() -> None:
    """Print by objective how often each side is better; a worse set or a late one ends in failure."""
    problems = []
    for name in OBJECTIVES:
        found = [row for row in csv_rows.read(RESULTS) if row["objective"] == name]
        sides = collections.Counter(side(row) for row in found)
        proved = sum(row["exact_cost"] == row["exact_bound"] for row in found)
        slowest = max((float(row["greedy_s"]) for row in found), default=0)
        print(
            f"{name}: {len(found)} training sets; after {LIMIT_S:g} s better on {sides['better']}, equal on "
            f"{sides['equal']}, worse on {sides['worse']}; {proved} proved by then; "
            f"greedy covering takes up to {slowest:.1f} s"
        )
        for row in found:
            label = f"{name} {row['dataset']} {row['quantisation']}"
            if side(row) == "worse":
                problems.append(f"worse: {label}: {row['exact_cost']}, greedy {row['greedy_cost']}")
            if float(row["exact_s"]) > LIMIT_S + GRACE_S:
                problems.append(f"late: {label}: {row['exact_s']} s")
    if problems:
        sys.exit("\n".join(problems))


def side(row: dict[str, str]) -> str:
    difference = int(row["exact_cost"]) - int(row["greedy_cost"])
    return "equal" if difference == 0 else "better" if difference < 0 else "worse"


if __name__ == "__main__":
    main()
