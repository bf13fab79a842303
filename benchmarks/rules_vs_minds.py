"""Times of engine minrules and of MinDS's model of rules on the paper's quantised files.

    python -m benchmarks.rules_vs_minds --limit 10 --repeat 1

mds2 is compared with MinDS `satr`, and mds2* with `satr --opt`, on the same rows (contradicting rows are
reduced to their majority beforehand), with Glucose 4 on both sides. The times are CPU seconds of the solve
with encoding, the median of the repetitions. The run can be stopped and resumed; ``--summary`` prints the
contents of the CSV.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

from benchmarks.support import study
from benchmarks.support.cp20 import read_table
from benchmarks.support.minds import median_seconds, print_speed, ratio, require_minds, run_minds
from benchmarks.support.study import FOLDER, Results
from laconic.bench.machine import machine
from laconic.data.table import Table
from laconic.engines.api import Status
from laconic.engines.registry import get
from laconic.problem.objective import Kind, Objective, Problem
from laconic.runtime.budget import Budget

SOLVER = "glucose4"
KEY = ("method", "dataset", "bins")
FIELDS = (*KEY, "laconic_s", "minds_s", "ratio", "rules", "literals")

FILES = (
    ("auto", 2), ("backache", 2), ("biomed", 2), ("breast-cancer", 2), ("bupa", 3), ("cleve", 2),
    ("cloud", 2), ("colic", 2), ("dermatology", 2), ("glass", 2), ("heart-c", 2), ("heart-statlog", 2),
    ("hepatitis", 2), ("house-votes-84", 2), ("lymphography", 2), ("new-thyroid", 4), ("parkinsons", 2),
    ("promoters", 2), ("spect", 2), ("wdbc", 2),
)  # fmt: skip
"""Files that at least one side needs more than a moment for, and that can be solved within the limit."""

COMPARISONS = (
    ("mds2", Kind.MIN_RULES, ()),
    ("mds2*", Kind.MIN_RULES_THEN_LITERALS, ("--opt",)),
)


def main() -> None:
    parser = study.arguments(__doc__, results=FOLDER / "rules_vs_minds.csv")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--limit", type=float, default=20.0, help="seconds per solve")
    options = parser.parse_args()
    results = Results(options.results, FIELDS, KEY)
    if not options.summary:
        require_minds()
        study.run(results, plan(options), compare, stop_after=options.stop_after)
        print(f"\n{machine()}; {SOLVER}, limit {options.limit:g} s, median of {options.repeat}")
    rows = results.latest()
    for name, *_ in COMPARISONS:
        print_speed(name, [row for row in rows if row["method"] == name])


def plan(options) -> Iterator[tuple[tuple[object, ...], tuple[object, ...]]]:
    for dataset, quantisation in FILES:
        table = read_table(dataset, quantisation)
        for name, kind, flags in COMPARISONS:
            yield (name, dataset, quantisation), (table, kind, flags, options)


def compare(table: Table, kind: Kind, flags, options) -> dict[str, object]:
    """Solve one file with both sides in turn; different optima end the run."""
    ours, theirs = [], []
    for _ in range(options.repeat):
        ours.append(run_laconic(table, kind, options.limit))
        # A side that has reached the limit once would do so again.
        if None not in theirs:
            theirs.append(run_minds(table, "-a", "satr", "-s", SOLVER, *flags, limit=options.limit))
    if ours[0] and theirs[0]:
        counted = ("rules", "literals") if flags else ("rules",)
        if any(ours[0][what] != theirs[0][what] for what in counted):
            sys.exit(f"different optima: {ours[0]} and {theirs[0]}")
    seconds = median_seconds(ours), median_seconds(theirs)
    found = ours[0] or theirs[0] or {"rules": "", "literals": ""}
    return {
        "laconic_s": seconds[0],
        "minds_s": seconds[1],
        "ratio": ratio(*seconds),
        "rules": found["rules"],
        "literals": found["literals"] if flags else "",
    }


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


if __name__ == "__main__":
    main()
