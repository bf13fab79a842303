"""Time our SAT and MaxSAT engines against MinDS on the paper's quantised files (`make bench-sat`).

opt against MinDS `satls`, mopt against `mxsatls`, sp[λ] against `sparse`: same rows, same SAT solver, same
run. Every solve is a fresh process, the two sides take turns, and the median of the repetitions counts;
only the solve is timed (CPU seconds, encoding included). Contradicting rows are reduced to their majority
beforehand, so that both sides get the same table whatever their ties.

Both must find the same optimum. MinDS's sparse model may end a class with a rule of which the body
contradicts itself (x and not x), as a rule that never fires; that is not a rule here. When it does, each
class of ours may take such a rule too, of size 3 and with all rows of the class missed, before the optima
are compared.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.support.cp20 import read_table
from benchmarks.support.minds import optimum, require_minds, run_minds, with_silent_rules
from benchmarks.support.study import FOLDER, write
from laconic.bench.machine import machine
from laconic.data.table import Table

ROOT = Path(__file__).resolve().parents[1]

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
    options = arguments()
    rows = []
    with tempfile.TemporaryDirectory() as directory:
        for dataset, quantisation in FILES:
            table = read_table(dataset, quantisation)
            path = Path(directory) / f"{dataset}-{quantisation}.csv"
            write_rows(table, path)
            for name, engine, approach, regularization in COMPARISONS:
                row = compare(table, path, engine, approach, regularization, options)
                rows.append({"method": name, "dataset": dataset, "bins": quantisation, **row})
                print(*rows[-1].values(), sep="\t", flush=True)
    write(FOLDER / "sat_vs_minds.csv", list(rows[0]), rows)
    report(rows, options)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--solver", default="glucose4", help="PySAT name, used by both sides")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--limit", type=float, default=60.0, help="seconds per solve")
    require_minds()
    return parser.parse_args()


def compare(table, path, engine, approach, regularization, options) -> dict[str, object]:
    """Let both sides solve one file in turns."""
    extra = [regularization] if regularization else []
    ours, theirs = [], []
    for _ in range(options.repeat):
        ours.append(run_laconic(path, engine, options.solver, *extra, limit=options.limit))
        # A peer that ran into the limit once will do so again.
        if None not in theirs:
            flags = ["-a", approach, "-s", options.solver, "-w"]
            flags += ["--lambda", regularization] if regularization else []
            theirs.append(run_minds(table, *flags, limit=options.limit))
    row = {
        "laconic_s": median_seconds(ours),
        "minds_s": median_seconds(theirs),
        "ratio": "",
        "laconic_optimum": optimum(table, ours[0], regularization),
        "minds_optimum": optimum(table, theirs[0], regularization),
        "note": "",
    }
    if ours[0] and theirs[0] and theirs[0]["contradictory"]:
        row["laconic_optimum"] = optimum(
            table, with_silent_rules(table, ours[0], regularization), regularization
        )
        row["note"] = "MinDS has a rule with x and not x; the optima allow it"
    if row["laconic_s"] != "" and row["minds_s"] != "":
        row["ratio"] = round(row["minds_s"] / row["laconic_s"], 2)
    return row


def median_seconds(runs) -> float | str:
    return "" if None in runs else round(statistics.median(run["seconds"] for run in runs), 5)


def run_laconic(path, *rest, limit) -> dict | None:
    """Solve in a process of its own; ``None`` when it exceeds the limit."""
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


def report(rows, options) -> None:
    """Print the geometric means and any difference in optima; a difference ends in failure."""
    facts = machine()
    print(f"\n{facts}; solver {options.solver}, limit {options.limit:g} s, median of {options.repeat}")
    for name, *_ in COMPARISONS:
        of_method = [row for row in rows if row["method"] == name]
        ratios = [row["ratio"] for row in of_method if row["ratio"] != ""]
        mean = math.exp(statistics.fmean(math.log(ratio) for ratio in ratios))
        late = sum(row["minds_s"] == "" for row in of_method)
        print(
            f"{name}: {mean:.1f} times faster (geometric mean of {len(ratios)} files; least "
            f"{min(ratios)}, most {max(ratios)}); MinDS out of time on {late} more"
        )
    different = [
        row for row in rows
        if row["minds_optimum"] != "" and row["minds_optimum"] != row["laconic_optimum"]
    ]  # fmt: skip
    if different:
        sys.exit(f"different optima: {different}")
    print("same optimum wherever both finished")


if __name__ == "__main__":
    main()
