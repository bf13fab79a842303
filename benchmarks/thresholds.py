"""Every threshold beside 6 bins on the raw tables, at three λ's.

    python -m benchmarks.thresholds

All raw tables but the three largest; of tables with more than 5,000 rows, 5,000 are drawn. Each search gets
``SECONDS`` of processor time on one thread, in a process of its own. ``--half development`` measures only
that half of the tables, ``--at 0.02`` only these λ's, and ``--summary`` prints what the CSV holds.
"""

from __future__ import annotations

import math
import statistics
import sys
import time
import warnings
from collections import defaultdict
from collections.abc import Iterator

from benchmarks.accuracy.tables import RawTable, Tables
from benchmarks.support import study
from benchmarks.support.halves import HALVES, half
from benchmarks.support.study import FOLDER, Results, Row
from laconic import Binarizer
from laconic.data.training import in_memory
from laconic.engines.exact.engine import solve
from laconic.problem.objective import Objective, Problem
from laconic.runtime.budget import Budget

SECONDS = 10.0
LAMBDAS = (0.02, 0.01, 0.005)
LEFT_OUT = 3
CUTS = ("quantile", "all")
SHORTEST = 0.01
"""Seconds that a fit counts at least in ratios: below, the clock is too coarse."""

RESULTS = Results(
    FOLDER / "thresholds.csv",
    [
        "dataset",
        "half",
        "lambda",
        "thresholds",
        "rows",
        "features",
        "binarize_s",
        "search_s",
        "cost",
        "bound",
    ],
    ["dataset", "lambda", "thresholds"],
)


def measure(name: str, table: RawTable, share: float, cut: str) -> dict[str, object]:
    return {"half": half(name), **study.isolated(_measured, table, share, cut)}


def _measured(table: RawTable, share: float, cut: str) -> dict[str, object]:
    begun = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        training = in_memory(table.features, table.labels, None, Binarizer(cut))
    cut_at = time.process_time()
    problem = Problem.of(training.table, Objective(regularization=share))
    found = solve(problem, budget=Budget(SECONDS, clock=time.process_time))
    return {
        "rows": training.table.n_rows,
        "features": training.table.n_features,
        "binarize_s": f"{cut_at - begun:.3f}",
        "search_s": f"{time.process_time() - cut_at:.3f}",
        "cost": found.cost,
        "bound": found.lower_bound,
    }


def summary() -> None:
    rows = RESULTS.latest()
    if not rows:
        sys.exit(f"no results in {RESULTS.path}; run this without --summary first")
    for chosen in (*HALVES, None):
        for share in LAMBDAS:
            of_both = _pairs(
                row for row in rows if row["half"] in (chosen, row["half"] if chosen is None else chosen)
            )
            pairs = [pair for key, pair in of_both.items() if key[1] == str(share)]
            if pairs:
                print(f"{chosen or 'all tables'}, λ = {share}: {_compared(pairs)}")


def _pairs(rows: Iterator[Row]) -> dict[tuple[str, str], tuple[Row, Row]]:
    by_key: dict[tuple[str, str], dict[str, Row]] = defaultdict(dict)
    for row in rows:
        by_key[row["dataset"], row["lambda"]][row["thresholds"]] = row
    return {key: (cuts[CUTS[0]], cuts[CUTS[1]]) for key, cuts in by_key.items() if len(cuts) == len(CUTS)}


def _compared(pairs: list[tuple[Row, Row]]) -> str:
    proved = [[row["cost"] == row["bound"] for row in pair] for pair in pairs]
    both = [pair for pair, flags in zip(pairs, proved, strict=True) if all(flags)]
    open_ = [pair for pair, flags in zip(pairs, proved, strict=True) if not all(flags)]
    lower = [1 - int(fine["cost"]) / int(coarse["cost"]) for coarse, fine in both]
    ratio = [_seconds(fine) / _seconds(coarse) for coarse, fine in both]
    gaps = [1 - int(fine["bound"]) / int(fine["cost"]) for _, fine in pairs if fine["cost"] != fine["bound"]]
    worse = [fine["dataset"] for coarse, fine in both if int(fine["cost"]) > int(coarse["cost"])]
    worse_open = [fine["dataset"] for coarse, fine in open_ if int(fine["cost"]) > int(coarse["cost"])]
    return (
        f"{len(pairs)} tables; proved with 6 bins {sum(a for a, _ in proved)}, over every threshold "
        f"{sum(b for _, b in proved)}; where both are, cost lower by {statistics.mean(lower):.1%}, "
        f"time × {math.exp(statistics.mean(map(math.log, ratio))):.1f}; worse where both are proved: "
        f"{worse or 'none'}; elsewhere: {worse_open or 'none'} of {len(open_)}; "
        f"median gap of the rest {statistics.median(gaps or [0]):.1%}"
    )


def _seconds(row: Row) -> float:
    return max(SHORTEST, float(row["binarize_s"]) + float(row["search_s"]))


def main() -> None:
    parser = study.arguments(__doc__)
    parser.add_argument("--half", choices=HALVES, help="only this half of the tables")
    parser.add_argument("--at", type=float, nargs="*", default=LAMBDAS, help="only these λ's")
    given = parser.parse_args()
    if given.summary:
        summary()
        return
    tables = Tables()
    names = sorted(tables.names, key=tables.weight)[:-LEFT_OUT]
    plan = (
        ([name, share, cut], [name, tables.read(name), share, cut])
        for share in given.at
        for name in names
        if given.half in (None, half(name))
        for cut in CUTS
    )
    study.run(RESULTS, plan, measure, stop_after=given.stop_after)


if __name__ == "__main__":
    main()
