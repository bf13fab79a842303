"""How time, gap and memory grow with rows and with columns (`make bench-growth`).

Generated tables: random binary columns, three planted rules of three conditions, and one label in ten turned
round. Hardly any two rows are equal, so that merging does not help. λ = 0.05, one thread; each size is solved
in a process of its own. ``--plot`` draws the CSV.
"""

from __future__ import annotations

import argparse
import csv
import multiprocessing
import resource
import time
from pathlib import Path

import numpy as np

from laconic.budget import Budget
from laconic.data.table import Table
from laconic.engines import registry
from laconic.objective import Objective, Problem

HERE = Path(__file__).parent
RESULTS = HERE / "results" / "growth.csv"
PLOT = HERE.parent / "docs" / "images" / "growth.svg"
BY_ROWS = [
    (rows, 30) for rows in (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000)
]
BY_COLUMNS = [(1_000, columns) for columns in (10, 30, 100, 300, 1_000, 3_000, 5_000)]
FIELDS = ["series", "rows", "columns", "unique_rows", "merge_s", "solve_s", "gap", "peak_mb"]


def planted(n_rows: int, n_columns: int) -> Table:
    rng = np.random.default_rng(n_rows + n_columns)
    x = np.empty((n_rows, n_columns), dtype=bool)
    for column in range(n_columns):
        x[:, column] = rng.random(n_rows) < 0.5
    truth = (x[:, 0] & x[:, 1] & ~x[:, 2]) | (x[:, 3] & ~x[:, 4] & x[:, 5]) | (~x[:, 0] & x[:, 6] & x[:, 7])
    return Table.from_arrays(x, (truth ^ (rng.random(n_rows) < 0.1)).astype(np.int64))


def measure(series: str, n_rows: int, n_columns: int, limit: float) -> dict[str, object]:
    started = time.perf_counter()
    table = planted(n_rows, n_columns)
    merged = time.perf_counter()
    problem = Problem.of(table, Objective(regularization=0.05))
    solution = registry.get("exact")(problem, budget=Budget(limit))
    return {
        "series": series,
        "rows": n_rows,
        "columns": n_columns,
        "unique_rows": table.n_rows,
        "merge_s": f"{merged - started:.3f}",
        "solve_s": f"{time.perf_counter() - merged:.3f}",
        "gap": f"{solution.gap:.5f}",
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def plot() -> None:
    """Time on the left, gap at the limit on the right, for both series."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    with RESULTS.open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained", sharey=True)
    for axis, series, size in zip(axes, ("rows", "columns"), ("unique_rows", "columns"), strict=True):
        points = [row for row in rows if row["series"] == series]
        x = [int(row[size]) for row in points]
        axis.loglog(x, [float(row["solve_s"]) for row in points], "o-", color="#1f4e79")
        for row, place in zip(points, x, strict=True):
            if float(row["gap"]) > 0:
                axis.annotate(
                    f"gap {100 * float(row['gap']):.0f} %",
                    (place, float(row["solve_s"])),
                    textcoords="offset points",
                    xytext=(0, 6),
                    ha="center",
                    fontsize=7,
                )
        fixed = "30 columns" if series == "rows" else "1,000 rows"
        axis.set_xlabel(f"{size.replace('_', ' ')} ({fixed})")
        axis.grid(alpha=0.3)
    axes[0].set_ylabel("seconds")
    PLOT.parent.mkdir(exist_ok=True)
    figure.savefig(PLOT, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--limit", type=float, default=60.0, help="seconds per solve")
    parser.add_argument("--most-rows", type=int, default=10_000_000)
    parser.add_argument("--plot", action="store_true", help="only draw what the CSV holds")
    options = parser.parse_args()
    if not options.plot:
        sizes = [("rows", *size) for size in BY_ROWS] + [("columns", *size) for size in BY_COLUMNS]
        with RESULTS.open("w", newline="") as out:
            writer = csv.DictWriter(out, FIELDS, lineterminator="\n")
            writer.writeheader()
            for series, n_rows, n_columns in sizes:
                if n_rows > options.most_rows:
                    continue
                with multiprocessing.Pool(1) as pool:
                    row = pool.apply(measure, (series, n_rows, n_columns, options.limit))
                writer.writerow(row)
                out.flush()
                print(*row.values(), sep="\t", flush=True)
    plot()


if __name__ == "__main__":
    main()
