"""The front to size 20 beside single fits at its own prices, on raw tables with the default conditions.

    python -m benchmarks.front_speed

Each of the 50 smallest raw tables, and every table of `NAMED`, is one line of a CSV: the processor time of
the front without a time limit, and that of the slowest fit at its own λ's: where two points tie, and
between. A fit gets at most ``FIT_SECONDS``. ``--summary`` prints what the CSV holds.
"""

from __future__ import annotations

import itertools
import math
import statistics
import time
from collections.abc import Iterator

from benchmarks.accuracy.tables import RawTable, Tables
from benchmarks.support import study
from benchmarks.support.study import FOLDER, Results, Row
from laconic import Binarizer
from laconic.data.table import Table
from laconic.data.training import in_memory
from laconic.engines.exact.engine import solve
from laconic.engines.fronts.all_classes import WholeFront
from laconic.problem.objective import Objective, Problem
from laconic.runtime.budget import Budget

SMALLEST = 50
NAMED = ("heart-statlog", "pima", "australian", "wdbc")
MAX_SIZE = 20
FIT_SECONDS = 30.0
FINER = 1000

RESULTS = Results(
    FOLDER / "front_speed.csv",
    [
        "dataset",
        "rows",
        "features",
        "classes",
        "points",
        "proved",
        "front_s",
        "fits",
        "slowest_fit_s",
        "at_lambda",
    ],
    ["dataset"],
)


def measure(table: RawTable) -> dict[str, object]:
    return study.isolated(_measured, table)


def _measured(table: RawTable) -> dict[str, object]:
    training = in_memory(table.features, table.labels, None, Binarizer())
    problem = Problem.of(training.table, Objective(size_budget=MAX_SIZE))
    begun = time.process_time()
    front = WholeFront(problem, MAX_SIZE)
    front.find_corners(Budget())
    front_s = time.process_time() - begun
    corners = [point for point in front.corners() if point[0] <= MAX_SIZE]
    fits = [
        (_fit_seconds(training.table, share), share) for share in _lambdas(corners, problem.weight_of_all)
    ]
    slowest, at = max(fits, default=(math.nan, math.nan))
    return {
        "rows": training.table.n_rows,
        "features": training.table.n_features,
        "classes": len(problem.classes),
        "points": len(corners),
        "proved": sum(front.proved[size] == errors for size, errors in corners),
        "front_s": f"{front_s:.3f}",
        "fits": len(fits),
        "slowest_fit_s": f"{slowest:.3f}",
        "at_lambda": f"{at:.5g}",
    }


def _lambdas(corners: list[tuple[int, int]], weight: int) -> list[float]:
    """Return the λ's at which two neighbouring corners tie, and one between any two of these."""
    ties = [(a[1] - b[1]) / (b[0] - a[0]) / weight for a, b in itertools.pairwise(corners)]
    return [*ties, *(math.sqrt(high * low) for high, low in itertools.pairwise(ties))]


def _fit_seconds(table: Table, share: float) -> float:
    # A fit rounds Λ up to whole errors; on multiplied weights it is close to the tie.
    finer = Table(
        table.bits, FINER * table.weights, table.allowed, FINER * table.scale, samples=table.samples
    )
    problem = Problem.of(finer, Objective(regularization=share))
    begun = time.process_time()
    solve(problem, budget=Budget(FIT_SECONDS, clock=time.process_time))
    return time.process_time() - begun


def summary(rows: list[Row]) -> None:
    for row in rows:
        if row["dataset"] in NAMED:
            print(f"{row['dataset']}: front {row['front_s']} s, slowest fit {row['slowest_fit_s']} s")
    ratios = {
        row["dataset"]: float(row["front_s"]) / float(row["slowest_fit_s"])
        for row in rows
        if int(row["fits"])
    }
    worst = sorted(ratios, key=ratios.__getitem__, reverse=True)[:8]
    print(f"{len(rows)} tables; front to slowest fit: median {statistics.median(ratios.values()):.2f}")
    print(f"  more than 5: {sum(ratio > 5 for ratio in ratios.values())} tables")
    print("  highest: " + ", ".join(f"{name} {ratios[name]:.1f}" for name in worst))
    points, proved = (sum(int(row[name]) for row in rows) for name in ("points", "proved"))
    together = sum(float(row["front_s"]) for row in rows)
    print(f"  points {points}, proved {proved}; fronts together {together:.0f} s")


def main() -> None:
    given = study.arguments(__doc__).parse_args()
    study.carry_out(given, RESULTS, plan(), measure, summary)


def plan() -> Iterator[tuple[tuple[str], tuple[RawTable]]]:
    tables = Tables()
    by_size = sorted(tables.names, key=tables.weight)
    for k, name in enumerate(by_size):
        if k < SMALLEST or name in NAMED:
            yield (name,), (tables.read(name),)


if __name__ == "__main__":
    main()
