"""Every threshold, and groups of categories, beside the default conditions, at three λ's.

    python -m benchmarks.thresholds

All raw tables but the three largest; of tables with more than 5,000 rows, 5,000 are drawn. Groups only where
a column has four categories or more. Each search gets ``SECONDS`` of processor time on one thread, in a
process of its own. ``--half development`` measures only that half of the tables, ``--at 0.02`` only these
λ's, and ``--summary`` prints what the CSV holds.
"""

from __future__ import annotations

import math
import statistics
import sys
import time
import warnings

from sklearn.base import clone

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
DEFAULT = "6 bins"
CONDITIONS = {
    DEFAULT: Binarizer(),
    "every threshold": Binarizer("all"),
    "groups of up to 3": Binarizer(max_members=3),
}
FEWEST_CATEGORIES = 4
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
    ["dataset", "lambda", "conditions"],
)


def measure(name: str, table: RawTable, share: float, conditions: str) -> dict[str, object]:
    return {"half": half(name), **study.isolated(_measured, table, share, conditions)}


def _measured(table: RawTable, share: float, conditions: str) -> dict[str, object]:
    begun = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        training = in_memory(table.features, table.labels, None, clone(CONDITIONS[conditions]))
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
    by_key = {(row["dataset"], row["lambda"], row["conditions"]): row for row in rows}
    for conditions in list(CONDITIONS)[1:]:
        for chosen in (*HALVES, None):
            for share in map(str, LAMBDAS):
                pairs = [
                    (by_key[name, share, DEFAULT], row)
                    for (name, at, kind), row in by_key.items()
                    if (at, kind) == (share, conditions)
                    and chosen in (None, row["half"])
                    and (name, share, DEFAULT) in by_key
                ]
                if pairs:
                    print(f"{conditions}, {chosen or 'all tables'}, λ = {share}: {_compared(pairs)}")


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
        f"{len(pairs)} tables; proved by default {sum(a for a, _ in proved)}, now "
        f"{sum(b for _, b in proved)}; where both are, cost lower by {statistics.mean(lower):.1%}, "
        f"time × {math.exp(statistics.mean(map(math.log, ratio))):.1f}; worse where both are proved: "
        f"{worse or 'none'}; elsewhere: {worse_open or 'none'} of {len(open_)}; "
        f"median gap of the rest {statistics.median(gaps or [0]):.1%}"
    )


def _has_groups(table: RawTable) -> bool:
    texts = table.features.select_dtypes(exclude=["number", "bool"])
    return any(texts[name].nunique() >= FEWEST_CATEGORIES for name in texts.columns)


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
        ([name, share, conditions], [name, tables.read(name), share, conditions])
        for share in given.at
        for name in names
        if given.half in (None, half(name))
        for conditions in CONDITIONS
        if not conditions.startswith("groups") or _has_groups(tables.read(name))
    )
    study.run(RESULTS, plan, measure, stop_after=given.stop_after)


if __name__ == "__main__":
    main()
