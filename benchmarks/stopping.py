"""Stopping latency of a search, at its time limit and on Ctrl-C (`make bench-stopping`).

The sets are the first folds of the paper's datasets at 4 bins. Each is solved until a limit; a set that is
not proved by then is solved again and interrupted at a random moment. The results are the seconds from that
moment to the answer, including the independent check, and the longest polling interval of a class search. The
interval is measured throughout, so the worst case is known without sampling it. The run can be stopped and
resumed. ``--summary`` prints the results, and fails if one of them exceeds a tenth of a second. Other load on
the machine affects the results.
"""

from __future__ import annotations

import random
import signal
import threading
import time
from unittest import mock

from benchmarks.support import cp20, study
from benchmarks.support.study import FOLDER, Results, Row
from laconic.engines import registry, schedule
from laconic.engines.api import StopReason
from laconic.engines.class_search import ClassTask
from laconic.engines.exact import local
from laconic.problem.objective import Counting, Kind, Objective, Problem
from laconic.runtime.budget import Budget

KEY = ("objective", "dataset")
FIELDS = [
    *(*KEY, "rows", "features"),
    *("stopped_by", "after_s", "late_s", "silence_s"),
]
LATE_S = 0.1
OBJECTIVES = {
    "perfect": Objective(Kind.PERFECT),
    "sp[0.005]": Objective(Kind.SPARSE, 0.005),
    "sp[0.005], every class": Objective(Kind.SPARSE, 0.005, every_class=True),
    "sp[0.005], errors per row": Objective(Kind.SPARSE, 0.005, Counting.PER_ROW),
    "fewest rules": Objective(Kind.MIN_RULES),
    "fewest rules, then literals": Objective(Kind.MIN_RULES_THEN_LITERALS),
    "within a size of 12": Objective(size_budget=12),
}


def main() -> None:
    parser = study.arguments(__doc__, results=FOLDER / "stopping.csv", only=True)
    parser.add_argument("--limit", type=float, default=3.0)
    parser.add_argument("--objective", nargs="*", choices=list(OBJECTIVES), default=list(OBJECTIVES))
    options = parser.parse_args()
    results = Results(options.results, FIELDS, KEY)
    plan = (
        ((name, task.dataset), (task, name, options.limit))
        for task in cp20.tasks((1,), (4,), options.only)
        for name in options.objective
    )
    study.carry_out(options, results, plan, measure, summary)


def measure(task: cp20.Task, name: str, limit: float) -> list[dict[str, object]]:
    """Stop a search by its limit and, unless it was proved by then, another one by Ctrl-C."""
    rows = [study.isolated(stop, task, name, limit, False)]
    if rows[0]["stopped_by"] == "time":
        moment = random.Random(f"{task} {name}").uniform(0.1, 1.0) * limit
        rows.append(study.isolated(stop, task, name, moment, True))
    return rows


def stop(task: cp20.Task, name: str, seconds: float, by_signal: bool) -> dict[str, object]:
    """Solve a training set until it is stopped; called in a process of its own."""
    problem = Problem.of(cp20.training_table(task), OBJECTIVES[name])
    searches: list[schedule.Search] = []

    def remembered(task: ClassTask) -> schedule.Search:
        searches.append(search_for(task))
        return searches[-1]

    signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs may ignore it by default
    search_for = local.search_for
    main_thread = threading.main_thread().ident
    assert main_thread is not None
    alarm = threading.Timer(seconds, lambda: signal.pthread_kill(main_thread, signal.SIGINT))
    with mock.patch.object(local, "search_for", remembered):
        begun = time.perf_counter()
        if by_signal:
            alarm.start()
        answer = registry.get("exact")(problem, budget=Budget(None if by_signal else seconds))
        taken = time.perf_counter() - begun
        alarm.cancel()
    stopped = answer.stop_reason in (StopReason.TIME, StopReason.INTERRUPT)
    return {
        "rows": problem.table.n_rows,
        "features": problem.table.n_features,
        "stopped_by": answer.stop_reason.value,
        "after_s": round(seconds, 3),
        "late_s": round(taken - seconds, 4) if stopped else "",
        "silence_s": round(max((search.longest_silence for search in searches), default=0.0), 4),
    }


def summary(rows: list[Row]) -> list[str]:
    """Print the latest answers and the longest polling intervals; return those above a tenth of a second."""
    late = 0
    for name in OBJECTIVES:
        mine = [row for row in rows if row["objective"] == name]
        stops = {
            reason: [row for row in mine if row["stopped_by"] == reason] for reason in ("time", "interrupt")
        }
        for what, found, field in (
            ("late by the clock", stops["time"], "late_s"),
            ("late after Ctrl-C", stops["interrupt"], "late_s"),
            ("silent", mine, "silence_s"),
        ):
            if found:
                worst = max(found, key=lambda row, field=field: float(row[field]))
                print(f"{name}: {len(found)} runs, {what} at most {worst[field]} s ({worst['dataset']})")
                late += sum(float(row[field]) > LATE_S for row in found)
    return [f"{late} above {LATE_S} s"] if late else []


if __name__ == "__main__":
    main()
