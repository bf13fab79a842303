"""Perfect decision sets on the paper's 1065 training sets: how many are proved, and how fast.

    python benchmarks/perfect_suite.py --seconds 60 --out benchmarks/results/perfect.csv

Each training set is one line of the CSV; a second run skips the lines that are there, so the suite can be
stopped and resumed. ``--summary`` prints what a CSV holds. Times exclude reading the file.
"""

from __future__ import annotations

import argparse
import csv
import resource
import time
from pathlib import Path

import cp20

from laconic.budget import Budget
from laconic.engines.api import Recorder, conclude
from laconic.engines.exact.perfect import solve_perfect
from laconic.objective import Kind, Objective, Problem

FIELDS = (
    *(
        "dataset",
        "quantisation",
        "fold",
        "objective",
        "limit_s",
        "clock",
        "n_jobs",
        "rows",
        "features",
        "classes",
    ),
    *("cost", "lower_bound", "proved", "wall_s", "cpu_s", "first_s", "first_cost", "peak_mb"),
    *("lp_rounds", "pricing_nodes", "columns", "enumerated", "nodes"),
)

CLOCKS = {"wall": time.monotonic, "cpu": time.process_time}


def measure(task: cp20.Task, kind: Kind, seconds: float, clock: str, n_jobs: int) -> dict[str, object]:
    table = cp20.training_table(task)
    problem = Problem.of(table, Objective(kind))
    wall, cpu = time.perf_counter(), time.process_time()
    budget = Budget(seconds, CLOCKS[clock])
    recorder = Recorder(budget)
    rules, bound, reason, counts = solve_perfect(problem, budget=budget, recorder=recorder, n_jobs=n_jobs)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    solution = conclude(problem, rules, bound, reason, recorder=recorder, counts=counts)
    first = next(state for state in solution.history if state.cost is not None)
    return {
        "dataset": task.dataset,
        "quantisation": task.quantisation,
        "fold": task.fold,
        "objective": kind.value,
        "limit_s": seconds,
        "clock": clock,
        "n_jobs": n_jobs,
        "rows": table.n_rows,
        "features": table.n_features,
        "classes": len(problem.classes),
        "cost": solution.cost,
        "lower_bound": bound,
        "proved": int(solution.cost == bound),
        "wall_s": f"{wall:.4f}",
        "cpu_s": f"{cpu:.4f}",
        "first_s": f"{first.seconds:.4f}",
        "first_cost": first.cost,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        **{name: counts[name] for name in ("lp_rounds", "pricing_nodes", "columns", "enumerated", "nodes")},
    }


def read(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(newline="") as lines:
        return list(csv.DictReader(lines))


def summary(path: Path) -> None:
    rows = read(path)
    print(f"{len(rows)} training sets in {path}")
    for limit in (0.01, 0.1, 1, 5, 10, 30, 60):
        solved = sum(row["proved"] == "1" and float(row[f"{row['clock']}_s"]) <= limit for row in rows)
        print(f"  proved within {limit:>5} s: {solved}")
    for row in rows:
        if row["proved"] != "1":
            cost, bound = int(row["cost"]), int(row["lower_bound"])
            name = f"{row['dataset']}-r{row['quantisation']}-f{row['fold']}"
            print(f"  open: {name:40} cost {cost} bound {bound} gap {100 * (cost - bound) / cost:.1f} %")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/perfect.csv"))
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--clock",
        choices=list(CLOCKS),
        default="wall",
        help="what --seconds counts; cpu is fair on a busy machine, with one job",
    )
    parser.add_argument(
        "--objective", choices=[k.value for k in Kind if k is not Kind.SPARSE], default="perfect"
    )
    parser.add_argument("--folds", type=int, nargs="*", default=list(cp20.FOLDS))
    parser.add_argument("--only", nargs="*", default=[], help="parts of names such as heart or -r2-")
    parser.add_argument("--stop-after", type=float, default=float("inf"), help="seconds for this slice")
    parser.add_argument("--summary", action="store_true")
    options = parser.parse_args()
    if options.summary:
        summary(options.out)
        return
    done = {(row["dataset"], int(row["quantisation"]), int(row["fold"])) for row in read(options.out)}
    started = time.monotonic()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    with options.out.open("a", newline="") as out:
        writer = csv.DictWriter(out, FIELDS)
        if not done:
            writer.writeheader()
        for task in cp20.tasks(tuple(options.folds)):
            key = (task.dataset, task.quantisation, task.fold)
            if key in done or (options.only and not any(part in f"{task}-" for part in options.only)):
                continue
            if time.monotonic() - started > options.stop_after:
                return
            row = measure(task, Kind(options.objective), options.seconds, options.clock, options.jobs)
            writer.writerow(row)
            out.flush()
            state = "proved" if row["proved"] else "OPEN"
            print(
                f"{task} {row['cost']} >= {row['lower_bound']} {state} {row[f'{options.clock}_s']} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
