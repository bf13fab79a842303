"""The exact engine on tables as people have them: raw values, default conditions, and generated families.

    python -m benchmarks.second_suite --seconds 10

The tables are the paper's 71 before quantisation, whole, with the conditions of the default `Binarizer` (or,
with ``--thresholds all``, every threshold), and the families of `benchmarks.support.families`. Each is
solved at λ = 0.02, 0.01 and 0.005 and perfectly, or under a constraint (``--wish``). Only the development
half is run unless ``--half held-out`` is given. Limits and times are in seconds of processor time, so that
other work on the machine matters little. Each fit is one line of a CSV; a second run skips the fits that
are proved or had at least the same limit.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.support import families, study
from benchmarks.support.halves import HALVES, Half, half
from benchmarks.support.study import FOLDER, Results, Row
from laconic.bench.suites import SuiteSpec
from laconic.data.binarize import Binarizer
from laconic.data.training import TrainingTable, in_memory
from laconic.engines import registry
from laconic.learning.name_order import NameOrder
from laconic.learning.problem import problem_of
from laconic.problem.constraints.constraints import Constraints
from laconic.problem.objective import Kind, Objective
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError

KEY = ("table", "thresholds", "objective", "wish")
FIELDS = [
    *KEY, "limit_s", "rows", "features", "classes", "cost", "lower_bound", "status", "stop_reason", "size",
    "cpu_s", "peak_mb", "counts",
]  # fmt: skip
OBJECTIVES = ("0.02", "0.01", "0.005", "perfect")
THRESHOLDS = ("quantile", "midpoints", "all")
WISHES = ("none", "max-rules", "forbidden", "monotone", "balanced")


def names() -> list[tuple[str, Half]]:
    """Return every table with its half, small files first."""
    raw = SuiteSpec("raw").open()
    tables = sorted(raw.datasets, key=lambda name: (raw.weight(name, 1), name))
    generated = [(f"{family}-{part}", part) for family in families.NAMES for part in HALVES]
    return [*generated, *((name, half(name)) for name in tables)]


def training_of(table: str, thresholds: str) -> TrainingTable:
    """Return a raw or generated table with its conditions, in the order of a fit's search."""
    family = next((name for name in families.NAMES if table in {f"{name}-{part}" for part in HALVES}), None)
    if family is None:
        X, y = SuiteSpec("raw").open().table(table)  # type: ignore[attr-defined]
    else:
        X, y = families.frame(family, HALVES[int(table.endswith("held-out"))])
    return NameOrder.of(in_memory(X, y, None, Binarizer(thresholds=thresholds))).training


def constraints_of(wish: str, training: TrainingTable) -> Constraints | None:
    """Return the constraint of a wish; the column is the first one with a condition."""
    column = training.binarizer.features_[0].positive.column
    numeric = [one.name for one in training.columns if one.kind == "numeric"]
    match wish:
        case "max-rules":
            return Constraints(max_rules=3)
        case "forbidden":
            return Constraints(forbidden=[column])
        case "monotone":
            return (
                Constraints(monotone={numeric[0]: {str(training.classes[0]): "increasing"}})
                if numeric
                else None
            )
        case "balanced":
            return Constraints(class_weight="balanced")
    return None


def measure(table: str, thresholds: str, objective: str, wish: str, seconds: float) -> dict[str, object]:
    """Solve one problem in a process of its own."""
    training = training_of(table, thresholds)
    goal = Objective(Kind.PERFECT) if objective == "perfect" else Objective(Kind.SPARSE, float(objective))
    facts: dict[str, object] = {"limit_s": seconds, "rows": training.table.n_rows}
    facts |= {"features": training.table.n_features, "classes": training.table.n_classes}
    cpu = time.process_time()
    try:
        problem = problem_of(training, goal, constraints_of(wish, training))
        solution = registry.get("exact")(problem, budget=Budget(seconds, time.process_time))
    except InputError as refused:
        facts |= dict.fromkeys(("cost", "lower_bound", "size", "counts"), "") | {"status": "refused"}
        facts["stop_reason"] = str(refused)[:60]
    else:
        facts |= {"cost": solution.cost, "lower_bound": solution.lower_bound, "status": solution.status.value}
        facts["stop_reason"] = "" if solution.stop_reason is None else solution.stop_reason.value
        facts["size"] = sum(rule.size for rule in solution.rules)
        facts["counts"] = json.dumps(dict(sorted(solution.counts.items())))
    return facts | {"cpu_s": f"{time.process_time() - cpu:.3f}", "peak_mb": study.peak_mb()}


def plan(
    thresholds: str, wish: str, part: Half, seconds: float, objectives: list[str], only: list[str]
) -> Iterator[tuple[tuple[str, ...], tuple[str, str, str, str, float]]]:
    for objective in objectives:
        for table, belongs in names():
            if belongs == part and (not only or any(one in table for one in only)):
                key = table, thresholds, objective, wish
                yield key, (*key, seconds)


def is_proved(row: Row) -> bool:
    return row["status"] == "optimal"


def summary(results: Results, part: Half) -> None:
    """Print the counts by objective and wish, and the fits that are not proved."""
    belongs = dict(names())
    rows = [row for row in results.latest() if belongs.get(row["table"]) == part]
    for wish in WISHES:
        for objective in OBJECTIVES:
            for thresholds in THRESHOLDS:
                mine = [
                    r
                    for r in rows
                    if (r["thresholds"], r["objective"], r["wish"]) == (thresholds, objective, wish)
                ]
                if not mine:
                    continue
                proved = sum(map(is_proved, mine))
                taken = sum(float(row["cpu_s"]) for row in mine)
                geometric = statistics.geometric_mean([max(0.001, float(row["cpu_s"])) for row in mine])
                print(
                    f"{objective} {thresholds} {wish}: {proved} of {len(mine)} proved, {taken:.0f} s, "
                    f"mean {geometric:.3f} s"
                )
                for row in mine:
                    if not is_proved(row):
                        print("  " + as_line(row))


def as_line(row: Row) -> str:
    gap = 1 - int(row["lower_bound"]) / max(1, int(row["cost"])) if row["cost"] else 1
    return (
        f"{row['table']:28} {row['objective']:8} {row['wish']:10} {row['rows']:>6} x {row['features']:<4} "
        f"{row['classes']:>2} classes  {row['cost']:>6} >= {row['lower_bound']:<6} {100 * gap:5.1f} % "
        f"{row['status']} {row['stop_reason']} {row['cpu_s']} s {row['peak_mb']} MB"
    )


def main() -> None:
    parser = study.arguments(__doc__, results=FOLDER / "second_suite.csv")
    parser.add_argument("--seconds", type=float, default=10.0, help="of processor time")
    parser.add_argument("--thresholds", choices=THRESHOLDS, default="quantile")
    parser.add_argument("--wish", choices=WISHES, default="none")
    parser.add_argument("--half", choices=HALVES, default="development")
    parser.add_argument("--objective", nargs="*", choices=OBJECTIVES, default=list(OBJECTIVES))
    parser.add_argument("--only", nargs="*", default=[], help="parts of names of tables")
    options = parser.parse_args()
    results = Results(Path(options.results), FIELDS, KEY)
    if options.summary:
        summary(results, options.half)
        return
    study.run(
        results,
        plan(
            options.thresholds, options.wish, options.half, options.seconds, options.objective, options.only
        ),
        partial(study.isolated, measure),
        stop_after=options.stop_after,
        counts=lambda row: is_proved(row) or float(row["limit_s"]) >= options.seconds,
        tell=as_line,
    )


if __name__ == "__main__":
    main()
