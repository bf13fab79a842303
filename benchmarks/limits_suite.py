"""Time limits: every engine and objective on the paper's datasets at 4 bins, 5 seconds each.

    python -m benchmarks.limits_suite                     all 71, about two hours; can be stopped and resumed
    python -m benchmarks.limits_suite --only connect wdbc  only these datasets
    python -m benchmarks.limits_suite --stop-after 600     a slice of ten minutes
    python -m benchmarks.limits_suite --again              measure late records again, on a quieter machine
    python -m benchmarks.limits_suite --summary            print the results so far
    python -m benchmarks.limits_suite --limit 1 --results short.csv    another limit

The measurement covers encoding, search and the independent check, from the table to the checked answer, in a
process of its own. A record is late if the wall time is more than half a second beyond the limit. On a busy
machine this may not be the engine's fault, so ``over_s`` is the processor time that it used after the limit.
The exit code is 1 if a record is late by both.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np

from benchmarks.support import cp20, study
from benchmarks.support.study import FOLDER, Results, Row
from laconic.data.table import Table
from laconic.engines import registry
from laconic.engines.selection.engine import solve as solve_constrained
from laconic.problem.constraints.compiled import CompiledConstraints
from laconic.problem.objective import Counting, Kind, Objective, Problem
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError

GRACE = 0.5
KILLED_AFTER = 60.0
KEY = ("dataset", "run")
FIELDS = [
    *(*KEY, "limit_s", "rows", "features", "seconds", "processor_s", "over_s", "load"),
    *("stop_reason", "cost", "lower_bound", "n_rules"),
]

PERFECT = Objective(Kind.PERFECT)
SPARSE = Objective(Kind.SPARSE, 0.005)
JOINT = Objective(Kind.SPARSE, 0.005, Counting.PER_ROW)
EVERY = Objective(Kind.SPARSE, 0.005, every_class=True)
RULES = Objective(Kind.MIN_RULES)
BOTH = Objective(Kind.MIN_RULES_THEN_LITERALS)

RUNS: dict[str, tuple[str, Objective, dict[str, object]]] = {
    "exact perfect": ("exact", PERFECT, {}),
    "exact sparse": ("exact", SPARSE, {}),
    "exact every class": ("exact", EVERY, {}),
    "exact per row": ("exact", JOINT, {}),
    "exact fewest rules": ("exact", RULES, {}),
    "exact within a size": ("exact", Objective(size_budget=12), {}),
    "constrained perfect": ("constrained", PERFECT, {}),
    "constrained sparse": ("constrained", SPARSE, {}),
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


def no_two_classes_at_once(table: Table) -> CompiledConstraints:
    """Return the constraint of the constrained runs: no row is covered by rules of two classes."""
    one = Fraction(1)
    return CompiledConstraints(
        usable=np.ones((table.n_classes, table.n_features, 2), bool),
        column_of=np.arange(table.n_features),
        n_columns=table.n_features,
        measure=("size",),
        literal_factor=(one,) * table.n_features,
        column_cost=(Fraction(0),) * table.n_features,
        class_factor=(one,) * table.n_classes,
        miss_factor=(one,) * table.n_classes,
        claim_factor=(one,) * table.n_classes,
        seen=table.weights,
        disjoint=True,
    )


def solve(table: Table, run: str, limit: float) -> dict[str, object]:
    """Solve one problem and return the measurements; a constrained problem may end without a set."""
    engine, objective, options = RUNS[run]
    if engine == "constrained":
        problem, solver = Problem.of(table, objective, no_two_classes_at_once(table)), solve_constrained
    else:
        problem, solver = Problem.of(table, objective), registry.get(engine)
    clock, processor = time.monotonic(), time.process_time()
    try:
        answer = solver(problem, budget=Budget(limit), options=options)
    except InputError as refused:
        if "was found in time" not in str(refused):
            raise
        outcome = {"stop_reason": "nothing found", "cost": "", "lower_bound": "", "n_rules": ""}
    else:
        outcome = {
            "stop_reason": answer.stop_reason.value,
            "cost": answer.cost,
            "lower_bound": answer.lower_bound,
            "n_rules": len(answer.rules),
        }
    taken = {"seconds": time.monotonic() - clock, "processor_s": time.process_time() - processor}
    return outcome | taken


def processor_seconds(process: int) -> float:
    """Return the processor time of another process so far, over all its threads."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(task: cp20.Task, run: str, limit: float) -> dict[str, object]:
    """Measure one run in a process of its own, and sample its processor time when the limit is reached."""
    table = cp20.training_table(task)
    load = os.getloadavg()[0]
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        report(writing, lambda: solve(table, run, limit))
    os.close(writing)
    os.read(reading, 1)  # the other process is about to start
    before = processor_seconds(process)
    ended = bool(select.select([reading], [], [], limit)[0])
    at_limit = processor_seconds(process) - before
    if not ended and not select.select([reading], [], [], KILLED_AFTER)[0]:
        os.kill(process, signal.SIGKILL)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    _, status, used = os.wait4(process, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status):
        sys.exit(f"{run} on {task.dataset} failed: see above")
    gone = {"stop_reason": "killed", "cost": "", "lower_bound": "", "n_rules": ""}
    gone |= {"seconds": limit + KILLED_AFTER, "processor_s": used.ru_utime + used.ru_stime}
    record = json.loads(text) if text else gone
    over = 0.0 if ended else max(0.0, record["processor_s"] - at_limit)
    record |= {name: f"{record[name]:.3f}" for name in ("seconds", "processor_s")}
    facts = {"limit_s": limit, "rows": table.n_rows, "features": table.n_features}
    return facts | {"over_s": f"{over:.2f}", "load": f"{load:.1f}"} | record


def report(pipe: int, work: Callable[[], dict[str, object]]) -> None:
    """Do the work in a forked process, send the result, and end the process."""
    code = 1
    try:
        os.write(pipe, b".")
        os.write(pipe, json.dumps(work()).encode())
        code = 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
    os._exit(code)


def is_late(record: Row) -> bool:
    """Return whether the wall time exceeds the limit and the grace period."""
    return float(record["seconds"]) > float(record["limit_s"]) + GRACE


def is_at_fault(record: Row) -> bool:
    """Return whether a late record used more processor time than the grace period after the limit."""
    return is_late(record) and float(record["over_s"]) > GRACE


def summary(records: list[Row]) -> int:
    """Print the results run by run; return the number of records that are late by their own fault."""
    for run in RUNS:
        mine = [record for record in records if record["run"] == run]
        if not mine:
            continue
        worst = max(mine, key=lambda record: float(record["seconds"]))
        over = max(mine, key=lambda record: float(record["over_s"]))
        stopped = sum(record["stop_reason"] == "time" for record in mine)
        print(
            f"{run:28} {len(mine):3} datasets, {stopped:3} stopped by the limit, "
            f"{sum(map(is_late, mine))} late; longest {float(worst['seconds']):.2f} s ({worst['dataset']}), "
            f"most after the limit {float(over['over_s']):.2f} s ({over['dataset']})"
        )
    late, at_fault = sum(map(is_late, records)), sum(map(is_at_fault, records))
    print(f"{len(records)} records, {late} late by the clock, {at_fault} by their own processor time")
    return at_fault


def as_line(record: Row) -> str:
    late = "   LATE" if is_late(record) else ""
    return (
        f"{record['dataset']:25} {record['run']:28} {record['seconds']:>7} s, {record['over_s']} s over{late}"
    )


def main() -> None:
    parser = study.arguments(__doc__, results=FOLDER / "time_limits.csv", only=True)
    parser.add_argument("--run", action="append", choices=list(RUNS), help="only these runs")
    parser.add_argument("--limit", type=float, default=5.0)
    parser.add_argument("--again", action="store_true")
    options = parser.parse_args()
    results = Results(options.results, FIELDS, KEY)
    # Ordered by run, so that a slice covers every dataset.
    plan = (
        ((task.dataset, run), (task, run, options.limit))
        for run in options.run or RUNS
        for task in cp20.tasks((1,), (4,), options.only)
    )
    if not options.summary:
        study.run(
            results,
            plan,
            measure,
            stop_after=options.stop_after,
            counts=lambda record: not (options.again and is_late(record)),
            tell=as_line,
        )
    sys.exit(summary(results.latest()) > 0)


if __name__ == "__main__":
    main()
