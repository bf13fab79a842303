"""A time limit holds: every engine and objective on the paper's datasets at 4 bins, 5 seconds each.

    python benchmarks/limits_suite.py              all 71, about two hours; stop and resume at will
    python benchmarks/limits_suite.py connect wdbc  these only
    python benchmarks/limits_suite.py --summary     what was found so far

Measured is what an engine takes from the table to the checked answer: encoding, search and the independent
check. A record is late if the clock says more than half a second beyond the limit; where others were at work
on the machine, the processor time beside it says whose fault that was. Exits with 1 if a record is late by
both.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
import time
from pathlib import Path

import cp20

from laconic.budget import Budget
from laconic.engines import registry
from laconic.objective import Counting, Kind, Objective, Problem

LIMIT = 5.0
GRACE = 0.5
RESULTS = Path(__file__).parent / "results" / "time_limits.csv"
FIELDS = [
    *("dataset", "run", "rows", "features", "seconds", "processor_s", "load"),
    *("stop_reason", "cost", "lower_bound", "n_rules"),
]

PERFECT = Objective(Kind.PERFECT)
SPARSE = Objective(Kind.SPARSE, 0.005)
JOINT = Objective(Kind.SPARSE, 0.005, Counting.PER_ROW)
EVERY = Objective(Kind.SPARSE, 0.005, every_class=True)
RULES = Objective(Kind.MIN_RULES)
BOTH = Objective(Kind.MIN_RULES_THEN_LITERALS)

RUNS = {
    "exact perfect": ("exact", PERFECT, {}),
    "exact sparse": ("exact", SPARSE, {}),
    "exact every class": ("exact", EVERY, {}),
    "exact per row": ("exact", JOINT, {}),
    "exact fewest rules": ("exact", RULES, {}),
    "sat": ("sat", PERFECT, {}),
    "sat joint": ("sat", PERFECT, {"separated": False}),
    "sat cold": ("sat", PERFECT, {"warm_start": False}),
    "maxsat perfect": ("maxsat", PERFECT, {}),
    "maxsat perfect joint": ("maxsat", PERFECT, {"separated": False}),
    "maxsat sparse": ("maxsat", SPARSE, {}),
    "maxsat sparse, the paper's": ("maxsat", SPARSE, {"model": "unused"}),
    "maxsat every class": ("maxsat", EVERY, {}),
    "maxsat per row": ("maxsat", JOINT, {}),
    "minrules": ("minrules", RULES, {}),
    "minrules then literals": ("minrules", BOTH, {}),
    "minrules sparse": ("minrules", SPARSE, {}),
}


def known() -> list[dict[str, str]]:
    if not RESULTS.exists():
        return []
    with RESULTS.open() as file:
        return list(csv.DictReader(file))


def measure(dataset: str, run: str) -> dict[str, object]:
    engine, objective, options = RUNS[run]
    table = cp20.training_table(cp20.Task(dataset, 4, 1))
    problem = Problem.of(table, objective)
    solve = registry.get(engine)
    load, clock, processor = os.getloadavg()[0], time.monotonic(), time.process_time()
    answer = solve(problem, budget=Budget(LIMIT), options=options)
    seconds, used = time.monotonic() - clock, time.process_time() - processor
    return {
        "dataset": dataset,
        "run": run,
        "rows": table.n_rows,
        "features": table.n_features,
        "seconds": f"{seconds:.3f}",
        "processor_s": f"{used:.3f}",
        "load": f"{load:.1f}",
        "stop_reason": answer.stop_reason.value,
        "cost": answer.cost,
        "lower_bound": answer.lower_bound,
        "n_rules": len(answer.rules),
    }


def summary(records: list[dict[str, str]]) -> int:
    """Print what was found, run by run; return how many records are late by the clock and the processor."""
    late = 0
    for run in RUNS:
        mine = [record for record in records if record["run"] == run]
        if not mine:
            continue
        worst = max(mine, key=lambda record: float(record["seconds"]))
        by_clock = [r for r in mine if float(r["seconds"]) > LIMIT + GRACE]
        by_both = [r for r in by_clock if float(r["processor_s"]) > LIMIT + GRACE]
        late += len(by_both)
        print(
            f"{run:28} {len(mine):3} datasets   late {len(by_clock):3} (by processor time {len(by_both)})   "
            f"longest {float(worst['seconds']):.2f} s, {worst['dataset']}"
        )
    print(f"{len(records)} records, {late} late")
    return late


def main() -> None:
    plain = argparse.RawDescriptionHelpFormatter
    options = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    options.add_argument("datasets", nargs="*")
    options.add_argument("--run", action="append", choices=list(RUNS), help="these runs only")
    options.add_argument("--summary", action="store_true")
    chosen = options.parse_args()
    if not chosen.summary:
        done = {(record["dataset"], record["run"]) for record in known()}
        RESULTS.parent.mkdir(exist_ok=True)
        for dataset in chosen.datasets or cp20.datasets():
            for run in chosen.run or RUNS:
                if (dataset, run) in done:
                    continue
                record = measure(dataset, run)
                is_new = not RESULTS.exists()
                with RESULTS.open("a", newline="") as file:
                    writer = csv.DictWriter(file, FIELDS)
                    if is_new:
                        writer.writeheader()
                    writer.writerow(record)
                print(f"{dataset:25} {run:28} {record['seconds']:>7} s", flush=True)
    sys.exit(summary(known()) > 0)


if __name__ == "__main__":
    main()
