"""The exact engine on the paper's 1065 training sets: how many optima it proves, and how fast.

    python -m benchmarks.exact_suite --objective sparse --regularization 0.05 --seconds 60

Each training set is one line of a CSV under ``benchmarks/results/``. A second run skips the sets that are
proved or had at least the same time limit, so the suite can be stopped and resumed, and run with a short
limit first. If a training set has several lines, the last one counts. ``--summary`` prints the contents of a
CSV. Times exclude reading the file and include the independent check of the answer.
"""

from __future__ import annotations

import json
import statistics
import time
from functools import partial
from pathlib import Path

from benchmarks.support import cp20, study
from benchmarks.support.study import FOLDER, Results, Row
from laconic.bench.suites import FOLDS
from laconic.engines import registry
from laconic.problem.objective import Counting, Kind, Objective, Problem
from laconic.runtime.budget import Budget

KEY = ("dataset", "quantisation", "fold")
FIELDS = [
    *KEY, "limit_s", "n_jobs", "rows", "features", "classes",
    "cost", "lower_bound", "proved", "size", "wall_s", "cpu_s", "first_s", "first_cost", "peak_mb", "counts",
]  # fmt: skip


def measure(task: cp20.Task, objective: Objective, seconds: float, n_jobs: int) -> dict[str, object]:
    """Solve one training set; called in a process of its own, so that the memory peak is its own."""
    problem = Problem.of(cp20.training_table(task), objective)
    engine = registry.get("exact")
    wall, cpu = time.perf_counter(), time.process_time()
    solution = engine(problem, budget=Budget(seconds), n_jobs=n_jobs)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    first = next(state for state in solution.history if state.cost is not None)
    return {
        "limit_s": seconds,
        "n_jobs": n_jobs,
        "rows": problem.table.n_rows,
        "features": problem.table.n_features,
        "classes": len(problem.classes),
        "cost": solution.cost,
        "lower_bound": solution.lower_bound,
        "proved": int(solution.cost == solution.lower_bound),
        "size": sum(rule.size for rule in solution.rules),
        "wall_s": f"{wall:.4f}",
        "cpu_s": f"{cpu:.4f}",
        "first_s": f"{first.seconds:.4f}",
        "first_cost": first.cost,
        "peak_mb": study.peak_mb(),
        "counts": json.dumps(dict(sorted(solution.counts.items()))),
    }


def summary(rows: list[Row], time_field: str) -> None:
    print(f"{len(rows)} training sets; times are {time_field}")
    for limit in (0.01, 0.1, 1, 5, 10, 30, 60):
        solved = sum(row["proved"] == "1" and float(row[time_field]) <= limit for row in rows)
        print(f"  proved within {limit:>5} s: {solved}")
    print(f"  proved in all: {sum(row['proved'] == '1' for row in rows)}")
    gaps = []
    for row in rows:
        if row["proved"] != "1":
            cost, bound = int(row["cost"]), int(row["lower_bound"])
            gaps.append((cost - bound) / cost)
            name = f"{row['dataset']}-r{row['quantisation']}-f{row['fold']}"
            print(f"  open: {name:40} cost {cost} bound {bound} gap {100 * gaps[-1]:.1f} %")
    if gaps:
        print(f"  median gap of the open ones: {100 * statistics.median(gaps):.1f} %")
    print(f"  largest memory peak: {max(int(row['peak_mb']) for row in rows)} MB")


def default_path(objective: Objective) -> Path:
    name = objective.kind.value
    if objective.kind is Kind.SPARSE:
        name += f"_{objective.regularization}"
        if objective.counting is Counting.PER_ROW:
            name += "_per_row"
        if objective.every_class:
            name += "_every_class"
    return FOLDER / f"exact_{name}.csv"


def as_line(row: Row) -> str:
    name = f"{row['dataset']}-r{row['quantisation']}-f{row['fold']}"
    state = "proved" if row["proved"] else "OPEN"
    return f"{name} {row['cost']} >= {row['lower_bound']} {state} {row['wall_s']} s"


def main() -> None:
    parser = study.arguments(__doc__, only=True)
    parser.add_argument("--objective", choices=[k.value for k in Kind], default="sparse")
    parser.add_argument("--regularization", type=float, default=0.05)
    parser.add_argument("--counting", choices=[c.value for c in Counting], default="per_class")
    parser.add_argument("--every-class", action="store_true")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--results", type=Path, help="CSV to append to; by default one of the objective")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--folds", type=int, nargs="*", default=FOLDS)
    parser.add_argument("--time", choices=["wall_s", "cpu_s"], default="wall_s", help="for the summary")
    options = parser.parse_args()
    objective = Objective(
        Kind(options.objective), options.regularization, Counting(options.counting), options.every_class
    )
    results = Results(options.results or default_path(objective), FIELDS, KEY)
    plan = (
        ((task.dataset, task.quantisation, task.fold), (task, objective, options.seconds, options.jobs))
        for task in cp20.tasks(options.folds, only=options.only)
    )
    study.carry_out(
        options,
        results,
        plan,
        partial(study.isolated, measure),
        partial(summary, time_field=options.time),
        counts=lambda row: row["proved"] == "1" or float(row["limit_s"]) >= options.seconds,
        tell=as_line,
    )


if __name__ == "__main__":
    main()
