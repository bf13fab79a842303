"""Growth of time, gap and memory with rows and with columns (`make bench-growth`).

    python -m benchmarks.growth --limit 20

The tables are generated: fair coins, three planted rules of three conditions, and one label in ten flipped; λ
= 0.02, one thread. There are three series: *unique* rows of 30 columns, hardly any two of them equal;
*merged* rows of 12 columns, with equal rows merged, as in most data; and *columns*, with 1,000 rows. Each
size is solved in a process of its own within a limit of processor time, and is a line of a CSV under
``benchmarks/results/``. Existing sizes are skipped, so that the run can be stopped and resumed. ``--plot``
only draws the CSV.
"""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

from benchmarks.support import study
from benchmarks.support.study import FOLDER, Results
from benchmarks.support.tables import planted
from laconic.data.table import Table
from laconic.engines import registry
from laconic.problem.objective import Objective, Problem
from laconic.runtime.budget import Budget

PLOT = Path(__file__).parents[1] / "docs" / "images" / "growth.svg"
ROWS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
COLUMNS = (10, 100, 1_000, 5_000)
PLAN = [
    *(("unique", rows, 30) for rows in ROWS[:-1]),
    *(("columns", 1_000, columns) for columns in COLUMNS),
    *(("merged", rows, 12) for rows in ROWS),
    ("unique", ROWS[-1], 30),
]
KEY = ("series", "rows", "columns")
FIELDS = [
    *KEY, "unique_rows", "limit_s", "merge_cpu_s", "solve_cpu_s", "wall_s", "gap",
    "size", "table_mb", "peak_mb",
]  # fmt: skip
RESULTS = Results(FOLDER / "growth.csv", FIELDS, KEY)


def measure(n_rows: int, n_columns: int, limit: float) -> dict[str, object]:
    started = time.process_time()
    table = Table.from_arrays(*planted(n_rows, n_columns))
    merged, wall, before = time.process_time(), time.perf_counter(), study.peak_mb()
    problem = Problem.of(table, Objective(regularization=0.02))
    time.monotonic = time.process_time  # the searches' own limits use processor time as well
    solution = registry.get("exact")(problem, budget=Budget(limit, clock=time.process_time))
    return {
        "unique_rows": table.n_rows,
        "limit_s": limit,
        "merge_cpu_s": f"{merged - started:.2f}",
        "solve_cpu_s": f"{time.process_time() - merged:.2f}",
        "wall_s": f"{time.perf_counter() - wall:.2f}",
        "gap": f"{solution.gap:.4f}",
        "size": sum(rule.size for rule in solution.rules),
        "table_mb": before,
        "peak_mb": study.peak_mb(),
    }


def plot() -> None:
    """Plot processor time and peak memory of each series; a gap is written beside its point."""
    # Imported here, because a measured process would include its parent's imports.
    from matplotlib.figure import Figure

    from benchmarks.support.drawing import save_svg

    rows = RESULTS.rows()
    axes_of = [
        ("columns", "columns", "columns (1,000 rows)"),
        ("merged", "rows", "rows (12 columns, equal rows merged)"),
        ("unique", "rows", "unique rows (30 columns)"),
    ]
    figure = Figure(figsize=(10, 5), layout="constrained")
    axes = figure.subplots(2, 3, sharex="col", sharey="row")
    for column, (series, size, label) in enumerate(axes_of):
        points = sorted((row for row in rows if row["series"] == series), key=lambda row: int(row[size]))
        x = [int(row[size]) for row in points]
        seconds = [max(0.01, float(row["solve_cpu_s"])) for row in points]
        above, below = axes[0, column], axes[1, column]
        above.loglog(x, seconds, "o-", color="#0072B2", label="search")
        above.loglog(x, [max(0.01, float(row["merge_cpu_s"])) for row in points], ".:", color="#666666",
                     label="making the table")  # fmt: skip
        for row, place, height in zip(points, x, seconds, strict=True):
            if float(row["gap"]) > 0:
                text = f"{100 * float(row['gap']):.1f} %"
                above.annotate(
                    text, (place, height), (0, 5), textcoords="offset points", ha="center", fontsize=7
                )
        below.loglog(x, [int(row["peak_mb"]) for row in points], "o-", color="#0072B2")
        below.set_xlabel(label)
        for axis in (above, below):
            axis.grid(alpha=0.3)
    axes[0, 0].set_ylabel("processor time, s")
    axes[1, 0].set_ylabel("memory peak, MB")
    axes[0, 0].legend(fontsize=7)
    save_svg(figure, PLOT)


def main() -> None:
    parser = study.arguments(__doc__, summary=False)
    parser.add_argument("--limit", type=float, default=20.0, help="seconds of processor time per search")
    parser.add_argument("--most-rows", type=int, default=max(ROWS))
    parser.add_argument("--plot", action="store_true", help="only draw the contents of the CSV")
    options = parser.parse_args()
    plan = [
        ((series, rows, columns), (rows, columns, options.limit))
        for series, rows, columns in PLAN
        if rows <= options.most_rows
    ]
    if not options.plot:
        study.run(RESULTS, plan, partial(study.isolated, measure), stop_after=options.stop_after)
    plot()


if __name__ == "__main__":
    main()
