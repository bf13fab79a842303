"""The exact engine's incumbent after one second, compared with greedy covering.

The baseline is `laconic.engines.incumbent`: separate and conquer from twelve seeds, run to its end without a
limit. The exact engine does not use it. The sets are the first folds of the paper's 71 datasets at 2, 3 and 4
bins; times exclude reading the file. The run can be stopped and resumed. ``--summary`` prints the results,
and fails if greedy covering is better or the limit of one second was exceeded.
"""

from __future__ import annotations

import collections
import time

from benchmarks.support import cp20, study
from benchmarks.support.study import FOLDER, Results, Row
from laconic.engines import registry
from laconic.engines.incumbent import incumbent
from laconic.problem.objective import Kind, Objective, Problem, cost
from laconic.runtime.budget import Budget

KEY = ("objective", "dataset", "quantisation")
FIELDS = [
    *KEY, "rows", "features",
    "exact_cost", "exact_bound", "exact_s", "greedy_cost", "greedy_s",
]  # fmt: skip
LIMIT_S = 1.0
GRACE_S = 0.5  # the tolerance of `make bench-limits`
OBJECTIVES = {
    "perfect": Objective(Kind.PERFECT),
    "sp[0.05]": Objective(Kind.SPARSE, 0.05),
    "sp[0.005]": Objective(Kind.SPARSE, 0.005),
}


def main() -> None:
    options = study.arguments(__doc__, results=FOLDER / "first_second.csv", only=True).parse_args()
    results = Results(options.results, FIELDS, KEY)
    plan = (
        ((name, task.dataset, task.quantisation), (task, objective))
        for task in cp20.tasks((1,), only=options.only)
        for name, objective in OBJECTIVES.items()
    )
    study.carry_out(options, results, plan, compare, summary)


def compare(task: cp20.Task, objective: Objective) -> dict[str, object]:
    """Return both results: the exact engine's after a second, and greedy covering's at its end."""
    problem = Problem.of(cp20.training_table(task), objective)
    started = time.perf_counter()
    solution = registry.get("exact")(problem, budget=Budget(LIMIT_S))
    exact_s = time.perf_counter() - started
    started = time.perf_counter()
    greedy = incumbent(problem, Budget(None))
    greedy_s = time.perf_counter() - started
    return {
        "rows": problem.table.n_rows,
        "features": problem.table.n_features,
        "exact_cost": solution.cost,
        "exact_bound": solution.lower_bound,
        "exact_s": round(exact_s, 4),
        "greedy_cost": cost(problem, greedy),
        "greedy_s": round(greedy_s, 4),
    }


def summary(rows: list[Row]) -> list[str]:
    """Print by objective how often each side is better; return the worse sets and the late ones."""
    problems = []
    for name in OBJECTIVES:
        found = [row for row in rows if row["objective"] == name]
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
    return problems


def side(row: Row) -> str:
    difference = int(row["exact_cost"]) - int(row["greedy_cost"])
    return "equal" if difference == 0 else "better" if difference < 0 else "worse"


if __name__ == "__main__":
    main()
