"""Times of our SAT and MaxSAT engines and of MinDS on the paper's quantised files (`make bench-sat`).

opt is compared with MinDS `satls`, mopt with `mxsatls`, and sp[λ] with `sparse`: same rows, same SAT solver,
same run. Every solve is a fresh process, the two sides run in turn, and the median of the repetitions counts.
Only the solve is timed (CPU seconds, with encoding). Contradicting rows are reduced to their majority
beforehand, so that both sides get the same table whatever their rules for ties.

Both must find the same optimum. MinDS's sparse model may give a class a contradictory rule (x and not x),
which covers nothing; here this is not a rule. If it does, each class of ours may also take such a rule, of
size 3 and with all rows of the class missed, before the optima are compared. The run can be stopped and
resumed; ``--summary`` prints the contents of the CSV.
"""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.support import study
from benchmarks.support.cp20 import read_table
from benchmarks.support.minds import (
    median_seconds,
    optimum,
    print_speed,
    ratio,
    require_minds,
    run_minds,
    with_silent_rules,
)
from benchmarks.support.study import FOLDER, Results, Row
from laconic.bench.machine import machine
from laconic.data.table import Table

ROOT = Path(__file__).resolve().parents[1]
KEY = ("method", "dataset", "bins")
FIELDS = (*KEY, "laconic_s", "minds_s", "ratio", "laconic_optimum", "minds_optimum", "note")

FILES = (
    ("appendicitis", 2), ("balance", 2), ("cloud", 2), ("corral", 2), ("ecoli", 2), ("haberman", 2),
    ("hayes-roth", 2), ("iris", 2), ("iris", 4), ("irish", 2), ("lupus", 4), ("meteo", 2), ("mouse", 3),
    ("mux6", 2), ("new-thyroid", 3), ("tae", 2), ("transfusion", 3), ("zoo", 2),
)  # fmt: skip

COMPARISONS = (
    ("opt", "sat", "satls", None),
    ("mopt", "maxsat", "mxsatls", None),
    ("sp[0.05]", "maxsat", "sparse", "0.05"),
    ("sp[0.02]", "maxsat", "sparse", "0.02"),
)


def main() -> None:
    parser = study.arguments(__doc__, results=FOLDER / "sat_vs_minds.csv")
    parser.add_argument("--solver", default="glucose4", help="PySAT name, used by both sides")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--limit", type=float, default=60.0, help="seconds per solve")
    options = parser.parse_args()
    results = Results(options.results, FIELDS, KEY)
    if not options.summary:
        require_minds()
        with tempfile.TemporaryDirectory() as directory:
            study.run(results, plan(Path(directory), options), compare, stop_after=options.stop_after)
        print(f"\n{machine()}; {options.solver}, limit {options.limit:g} s, median of {options.repeat}")
    study.conclude(summary(results.latest()))
    print("same optimum wherever both finished")


def plan(directory: Path, options) -> Iterator[tuple[tuple[object, ...], tuple[object, ...]]]:
    for dataset, quantisation in FILES:
        table = read_table(dataset, quantisation)
        path = directory / f"{dataset}-{quantisation}.csv"
        write_rows(table, path)
        for name, engine, approach, regularization in COMPARISONS:
            yield (name, dataset, quantisation), (table, path, engine, approach, regularization, options)


def compare(table, path, engine, approach, regularization, options) -> dict[str, object]:
    """Solve one file with both sides in turn."""
    extra = [regularization] if regularization else []
    ours, theirs = [], []
    for _ in range(options.repeat):
        ours.append(run_laconic(path, engine, options.solver, *extra, limit=options.limit))
        # A side that has reached the limit once would do so again.
        if None not in theirs:
            flags = ["-a", approach, "-s", options.solver, "-w"]
            flags += ["--lambda", regularization] if regularization else []
            theirs.append(run_minds(table, *flags, limit=options.limit))
    seconds = median_seconds(ours), median_seconds(theirs)
    row = {
        "laconic_s": seconds[0],
        "minds_s": seconds[1],
        "ratio": ratio(*seconds),
        "laconic_optimum": optimum(table, ours[0], regularization),
        "minds_optimum": optimum(table, theirs[0], regularization),
        "note": "",
    }
    if ours[0] and theirs[0] and theirs[0]["contradictory"]:
        row["laconic_optimum"] = optimum(
            table, with_silent_rules(table, ours[0], regularization), regularization
        )
        row["note"] = "MinDS has a rule with x and not x; the optima allow it"
    return row


def run_laconic(path, *rest, limit) -> dict | None:
    """Solve in a process of its own; return ``None`` if it exceeds the limit."""
    command = [sys.executable, "-m", "benchmarks.support.laconic_solve", path, *rest]
    try:
        done = subprocess.run(
            [*map(str, command)], cwd=ROOT, capture_output=True, text=True, timeout=limit, check=True
        )
    except subprocess.TimeoutExpired:
        return None
    return json.loads(done.stdout.splitlines()[-1])


def write_rows(table: Table, path: Path) -> None:
    """Write one line per unit of weight."""
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow([*(f"f{k}" for k in range(table.n_features)), "class"])
        for row, weights in zip(table.matrix.astype(int).tolist(), table.weights.tolist(), strict=True):
            for label, weight in enumerate(weights):
                writer.writerows([[*row, f"c{label}"]] * weight)


def summary(rows: list[Row]) -> list[str]:
    """Print the geometric means; return the differences in optima."""
    for name, *_ in COMPARISONS:
        print_speed(name, [row for row in rows if row["method"] == name])
    return [
        f"different optima: {row}"
        for row in rows
        if row["minds_optimum"] and row["minds_optimum"] != row["laconic_optimum"]
    ]


if __name__ == "__main__":
    main()
