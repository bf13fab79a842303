"""The front of size against errors on the paper's 71 datasets: training set of fold 1, 2 bins.

    python -m benchmarks.fronts --seconds 20 --max-size 30

Each dataset gets ``--seconds`` of processor time. Its points are lines of a CSV under
``benchmarks/results/``, and its totals are a line of another CSV. A second run skips finished datasets, so
that the suite can be stopped and resumed. ``--summary`` prints the contents, ``--gallery`` draws the curves
for the documentation. A point that is not proved has a lower bound on the errors at its size.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.support import cp20, study
from benchmarks.support.study import FOLDER, Results, Row
from laconic.checking.verify import violations
from laconic.engines.fronts.all_classes import WholeFront
from laconic.engines.fronts.staircase import steps
from laconic.problem.objective import Objective, Problem
from laconic.runtime.budget import Budget

PICTURE = Path(__file__).parents[1] / "docs" / "images" / "fronts.svg"

POINTS = Results(
    FOLDER / "fronts_points.csv",
    ["dataset", "size", "errors", "lower_bound", "proved", "breakpoint"],
    ["dataset", "size"],
)
TOTAL_FIELDS = [
    "dataset", "limit_s", "max_size", "rows", "features", "classes", "weight", "points", "proved",
    "breakpoints", "breakpoints_proved", "sizes", "sizes_known", "complete", "cpu_s", "wall_s", "peak_mb",
]  # fmt: skip
TOTALS = Results(FOLDER / "fronts.csv", TOTAL_FIELDS, ["dataset"])
CORNERS_SHARE = 0.6


def measure(task: cp20.Task, seconds: float, max_size: int | None) -> dict:
    """Find one front; store its points, and return its totals."""
    points, totals = study.isolated(front_of, task, seconds, max_size)
    POINTS.append({"dataset": task.dataset, **point} for point in points)
    return totals


def front_of(task: cp20.Task, seconds: float, max_size: int | None) -> tuple[list[dict], dict]:
    """Find the points and the totals of one front."""
    table = cp20.training_table(task)
    problem = Problem.of(table, Objective())
    wall, cpu = time.perf_counter(), time.process_time()
    budget = Budget(seconds, clock=time.process_time)
    front = WholeFront(problem, max_size)
    front.find_corners(budget.part(CORNERS_SHARE))
    front.settle(lambda: list(range(front.max_size + 1)), budget)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    corners = {size for size, _ in front.corners()}
    points = []
    for k in steps(front.achieved):
        errors, bound = int(front.achieved[k]), int(front.proved[k])
        stated = Problem.of(table, Objective(size_budget=k))
        found = violations(stated, front.rules_at(k), stated.error_cost * errors + k)
        if found:
            raise SystemExit(f"{task.dataset}, size {k}: {found}")
        proved = errors == bound and (k == 0 or front.proved[k - 1] > errors)
        points.append(
            {
                "size": k,
                "errors": errors,
                "lower_bound": bound,
                "proved": int(proved),
                "breakpoint": int(k in corners),
            }
        )
    known = front.proved == front.achieved
    totals = {
        "limit_s": seconds,
        "max_size": "" if max_size is None else max_size,
        "rows": table.n_rows,
        "features": table.n_features,
        "classes": len(problem.classes),
        "weight": table.total_weight,
        "points": len(points),
        "proved": sum(point["proved"] for point in points),
        "breakpoints": sum(point["breakpoint"] for point in points),
        "breakpoints_proved": sum(point["breakpoint"] and point["proved"] for point in points),
        "sizes": len(known),
        "sizes_known": int(known.sum()),
        "complete": int(known.all()),
        "cpu_s": f"{cpu:.2f}",
        "wall_s": f"{wall:.2f}",
        "peak_mb": study.peak_mb(),
    }
    return points, totals


def summary(rows: list[Row]) -> None:
    def total(name: str) -> int:
        return sum(int(row[name]) for row in rows)

    print(f"{len(rows)} of 71 datasets, {rows[0]['limit_s']} s of processor time each")
    print(f"  points found {total('points')}, proved {total('proved')}")
    print(f"  best sets of some λ found {total('breakpoints')}, proved {total('breakpoints_proved')}")
    print(f"  sizes {total('sizes')}, errors known exactly at {total('sizes_known')}")
    print(f"  whole fronts proved: {total('complete')} datasets")
    times = [float(row["cpu_s"]) for row in rows]
    print(f"  processor time {sum(times):.0f} s in all, {statistics.median(times):.2f} s median")
    print(f"  memory peak {max(int(row['peak_mb']) for row in rows)} MB")


def gallery() -> None:
    """Draw one small plot per dataset: errors achieved as a line, and the band down to the lower bound."""
    # Imported here, because a measured process would include its parent's imports.
    from matplotlib.figure import Figure

    from benchmarks.support.drawing import save_svg

    totals = {row["dataset"]: row for row in TOTALS.rows()}
    curves: dict[str, list[dict[str, str]]] = {}
    for row in POINTS.rows():
        curves.setdefault(row["dataset"], []).append(row)
    names = sorted(totals)
    n_columns = 8
    n_lines = math.ceil(len(names) / n_columns)
    figure = Figure(figsize=(13, 1.35 * n_lines), layout="constrained")
    axes = figure.subplots(n_lines, n_columns)
    for ax in np.ravel(axes):
        ax.axis("off")
    for name, ax in zip(names, np.ravel(axes), strict=False):
        ax.axis("on")
        weight = int(totals[name]["weight"])
        sizes, errors, bounds = (
            np.array([int(row[field]) for row in curves[name]]) for field in ("size", "errors", "lower_bound")
        )
        proved = np.array([row["proved"] == "1" for row in curves[name]])
        if (bounds < errors).any():
            share = 100 / weight
            ax.fill_between(sizes, share * bounds, share * errors, step="post", color="#0072B2", alpha=0.2)
        ax.step(sizes, 100 * errors / weight, where="post", color="#0072B2", linewidth=0.9)
        ax.plot(sizes[proved], 100 * errors[proved] / weight, ".", color="#0072B2", markersize=3)
        ax.plot(
            sizes[~proved], 100 * errors[~proved] / weight, "o", color="#0072B2", markersize=2.4,
            markerfacecolor="white", markeredgewidth=0.5,
        )  # fmt: skip
        ax.set_title(name, fontsize=6.5, pad=2)
        ax.tick_params(labelsize=5, length=2, pad=1)
        ax.set_ylim(bottom=0)
        ax.locator_params(nbins=3)
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)
    figure.supxlabel("size (conditions and rules)", fontsize=8)
    figure.supylabel("training errors, per cent of the rows, counted per class", fontsize=8)
    save_svg(figure, PICTURE)


def as_line(totals: dict) -> str:
    return (
        f"{totals['dataset']}: {totals['proved']} of {totals['points']} points proved, "
        f"{totals['sizes_known']} of {totals['sizes']} sizes known, {totals['cpu_s']} s"
    )


def main() -> None:
    parser = study.arguments(__doc__, only=True)
    parser.add_argument("--seconds", type=float, default=20.0, help="seconds of processor time per dataset")
    parser.add_argument("--max-size", type=int, default=30, help="0 for no limit")
    parser.add_argument("--gallery", action="store_true")
    options = parser.parse_args()
    if options.gallery:
        gallery()
        return
    study.carry_out(options, TOTALS, plan(options), measure, summary, tell=as_line)


def plan(options) -> Iterator[tuple[tuple[object, ...], tuple[object, ...]]]:
    tasks = cp20.tasks((1,), (2,), options.only)
    for task in sorted(tasks, key=lambda task: cp20.suite().weight(task.dataset, 2)):
        yield (task.dataset,), (task, options.seconds, options.max_size or None)


if __name__ == "__main__":
    main()
