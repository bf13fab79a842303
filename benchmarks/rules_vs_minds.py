"""Time engine minrules against MinDS's model of rules on the paper's quantised files.

mds2 against MinDS `satr`, mds2* against `satr --opt`: same rows (contradicting ones reduced to their majority
beforehand), Glucose 4 on both sides, CPU seconds of the solve with encoding, median of the repetitions.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time

from benchmarks.sat_vs_minds import median_seconds
from benchmarks.support.cp20 import read_table
from benchmarks.support.minds import require_minds, run_minds
from benchmarks.support.study import FOLDER, write
from laconic.bench.machine import machine
from laconic.budget import Budget
from laconic.data.table import Table
from laconic.engines.api import Status
from laconic.engines.registry import get
from laconic.objective import Kind, Objective, Problem

SOLVER = "glucose4"

FILES = (
    ("auto", 2), ("backache", 2), ("biomed", 2), ("breast-cancer", 2), ("bupa", 3), ("cleve", 2),
    ("cloud", 2), ("colic", 2), ("dermatology", 2), ("glass", 2), ("heart-c", 2), ("heart-statlog", 2),
    ("hepatitis", 2), ("house-votes-84", 2), ("lymphography", 2), ("new-thyroid", 4), ("parkinsons", 2),
    ("promoters", 2), ("spect", 2), ("wdbc", 2),
)  # fmt: skip
"""More than a moment for someone, and not hopeless."""

COMPARISONS = (
    ("mds2", Kind.MIN_RULES, ()),
    ("mds2*", Kind.MIN_RULES_THEN_LITERALS, ("--opt",)),
)


def main() -> None:
    options = arguments()
    rows = []
    for dataset, quantisation in FILES:
        table = read_table(dataset, quantisation)
        for name, kind, flags in COMPARISONS:
            row = compare(table, kind, flags, options)
            rows.append({"method": name, "dataset": dataset, "bins": quantisation, **row})
            print(*rows[-1].values(), sep="\t", flush=True)
    write(FOLDER / "rules_vs_minds.csv", list(rows[0]), rows)
    report(rows, options)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--limit", type=float, default=20.0, help="seconds per solve")
    require_minds()
    return parser.parse_args()


def compare(table: Table, kind: Kind, flags, options) -> dict[str, object]:
    """Let both sides solve one file in turns; an optimum that differs ends the run."""
    ours, theirs = [], []
    for _ in range(options.repeat):
        ours.append(run_laconic(table, kind, options.limit))
        # A peer that ran into the limit once will do so again.
        if None not in theirs:
            theirs.append(run_minds(table, "-a", "satr", "-s", SOLVER, *flags, limit=options.limit))
    if ours[0] and theirs[0]:
        counted = ("rules", "literals") if flags else ("rules",)
        if any(ours[0][what] != theirs[0][what] for what in counted):
            sys.exit(f"different optima: {ours[0]} and {theirs[0]}")
    row = {"laconic_s": median_seconds(ours), "minds_s": median_seconds(theirs), "ratio": ""}
    if "" not in (row["laconic_s"], row["minds_s"]):
        row["ratio"] = round(row["minds_s"] / row["laconic_s"], 2)
    found = ours[0] or theirs[0] or {"rules": "", "literals": ""}
    return {**row, "rules": found["rules"], "literals": found["literals"] if flags else ""}


def run_laconic(table: Table, kind: Kind, limit: float) -> dict | None:
    started = time.process_time()
    solution = get("minrules")(
        Problem.of(table, Objective(kind)),
        budget=Budget(limit),
        options={"solver": SOLVER, "counting_solver": SOLVER},
    )
    seconds = time.process_time() - started
    if solution.status is not Status.OPTIMAL:
        return None
    literals = sum(len(rule.literals) for rule in solution.rules)
    return {"seconds": seconds, "rules": len(solution.rules), "literals": literals}


def report(rows, options) -> None:
    print(f"\n{machine()}; {SOLVER}, limit {options.limit:g} s, median of {options.repeat}")
    for name, *_ in COMPARISONS:
        of_method = [row for row in rows if row["method"] == name]
        ratios = [row["ratio"] for row in of_method if row["ratio"] != ""]
        mean = math.exp(statistics.fmean(math.log(ratio) for ratio in ratios))
        print(
            f"{name}: {mean:.1f} times faster (geometric mean of {len(ratios)} files; least {min(ratios)}, "
            f"most {max(ratios)}); out of time: MinDS {sum(row['minds_s'] == '' for row in of_method)}, "
            f"ours {sum(row['laconic_s'] == '' for row in of_method)} of {len(of_method)}"
        )


if __name__ == "__main__":
    main()
