"""Very many unique rows: gaps after a minute (`make bench-lazy-rows`).

    python -m benchmarks.lazy_rows
    python -m benchmarks.lazy_rows --compare

The tables are generated, with binary columns and hardly any two equal rows. *Planted*: fair coins, three
rules of three conditions, one label in ten flipped. *Scores*: correlated numbers, cut at five thresholds
each, and labels drawn with a probability that depends on all of them, so that no short rule is true. Each
table is solved in a process of its own, within a limit of processor time, by row subsets ("pieces") or by the
search for ordinary tables ("plain"), and is a line of a CSV under ``benchmarks/results/``. Existing tables
are skipped.

``--compare`` measures other valid bounds on one table: the bound of a subset of the rows, and the sum over
parts of the rows, each with its share of the price of rules.
"""

from __future__ import annotations

import itertools
import math
import time
from functools import partial

import numpy as np
from numpy.typing import NDArray

from benchmarks.support import study
from benchmarks.support.study import FOLDER, Results
from benchmarks.support.tables import planted
from laconic.data.table import Table
from laconic.engines.class_search import ClassTask
from laconic.engines.exact import engine, local
from laconic.problem.objective import Objective, Problem
from laconic.runtime.budget import Budget
from laconic.runtime.native import kernels

FIELDS = [
    "table", "rows", "columns", "regularization", "limit_s", "search", "wall_s", "cpu_s", "cost_share",
    "size", "bound_share", "gap", "table_mb", "peak_mb",
]  # fmt: skip
KEY = ("table", "rows", "columns", "regularization", "search")
PLAN = [
    ("planted", 1_000_000, 200, 0.01, "pieces"),
    ("planted", 1_000_000, 200, 0.05, "pieces"),
    ("planted", 1_000_000, 200, 0.01, "plain"),
    ("scores", 1_000_000, 200, 0.01, "pieces"),
    ("planted", 1_000_000, 200, 0.05, "plain"),
    ("scores", 1_000_000, 200, 0.01, "plain"),
]
NEVER = 1 << 60


def scores(n_rows: int, n_columns: int) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    rng = np.random.default_rng(n_rows + n_columns)
    common = rng.standard_normal((n_rows, 5))
    weight = rng.standard_normal(n_columns // 5) * np.exp(-np.arange(n_columns // 5) / 4)
    x = np.empty((n_rows, n_columns), dtype=bool)
    score = np.zeros(n_rows)
    for number in range(n_columns // 5):
        value = 0.6 * common[:, number % 5] + 0.8 * rng.standard_normal(n_rows)
        score += 4 * weight[number] * value
        cuts = np.quantile(value[:10_000], np.arange(1, 6) / 6)
        x[:, 5 * number : 5 * number + 5] = value[:, None] > cuts
    return x, (rng.random(n_rows) < 1 / (1 + np.exp(-score))).astype(np.int64)


TABLES = {"planted": planted, "scores": scores}


def measure(
    name: str, n_rows: int, n_columns: int, regularization: float, limit: float, search: str
) -> dict[str, object]:
    table = Table.from_arrays(*TABLES[name](n_rows, n_columns))
    before = study.peak_mb()
    time.monotonic = time.process_time  # the searches' own limits use processor time as well
    local.MANY_ROWS = NEVER if search == "plain" else 1
    local.search_for.__defaults__ = (local.MANY_ROWS,)
    problem = Problem.of(table, Objective(regularization=regularization))
    wall, cpu = time.perf_counter(), time.process_time()
    solution = engine.solve(problem, budget=Budget(limit, clock=time.process_time))
    return {
        "rows": table.n_rows,
        "limit_s": limit,
        "wall_s": f"{time.perf_counter() - wall:.1f}",
        "cpu_s": f"{time.process_time() - cpu:.1f}",
        "cost_share": f"{solution.cost / table.total_weight:.5f}",
        "size": sum(rule.size for rule in solution.rules),
        "bound_share": f"{solution.lower_bound / table.total_weight:.5f}",
        "gap": f"{solution.gap:.4f}",
        "table_mb": before,
        "peak_mb": study.peak_mb(),
    }


def compare(seconds: float, n_rows: int = 100_000) -> None:
    """Print the bounds of other relaxations on one class of a planted table, as a share of its weight."""
    x, y = planted(n_rows, 200)
    price = math.ceil(0.01 * n_rows)

    def bound(rows: slice, share: float, limit: float) -> int:
        part = Table.from_arrays(x[rows], y[rows])
        own = part.weights[:, 1]
        solver = kernels.SparseSolver(
            part.bits,
            part.allowed,
            own,
            part.weights[:, 0],
            math.floor(share * price),
            math.floor(share * price),
        )
        solver.advance(limit, kernels.StopFlag())
        return int(solver.lower_bound)

    whole = Table.from_arrays(x, y)
    problem = Problem.of(whole, Objective(regularization=0.01))
    lazy = local.search_for(ClassTask.of(problem, 1), many_rows=1)
    lazy.take_turn(seconds, kernels.StopFlag())
    print(f"best set                      {lazy.upper_bound / n_rows:.4f}")
    print(f"all rows in groups            {lazy.lower_bound / n_rows:.4f}")
    print(f"all rows, ordinary search     {bound(slice(None), 1.0, seconds) / n_rows:.4f}")
    for some in (n_rows // 10, n_rows // 3):
        print(f"a subset of {some:<6} rows      {bound(slice(0, some), 1.0, seconds) / n_rows:.4f}")
    for parts in (10, 30):
        cuts = np.linspace(0, n_rows, parts + 1).astype(int)
        total = sum(bound(slice(a, b), 1 / parts, seconds / parts) for a, b in itertools.pairwise(cuts))
        print(f"{parts} parts, prices shared       {total / n_rows:.4f}")


def main() -> None:
    parser = study.arguments(__doc__, results=FOLDER / "lazy_rows.csv", summary=False)
    parser.add_argument("--limit", type=float, default=60.0, help="seconds of processor time per table")
    parser.add_argument("--compare", action="store_true", help="measure other relaxations instead")
    options = parser.parse_args()
    if options.compare:
        compare(options.limit)
        return
    plan = [
        ((name, rows, columns, price, search), (name, rows, columns, price, options.limit, search))
        for name, rows, columns, price, search in PLAN
    ]
    results = Results(options.results, FIELDS, KEY)
    study.run(results, plan, partial(study.isolated, measure, start="spawn"), stop_after=options.stop_after)


if __name__ == "__main__":
    main()
