"""The front of size against errors of the paper's 71 datasets: training set of fold 1, 2 bins.

    python benchmarks/fronts.py --seconds 20 --max-size 30

Each dataset gets so many seconds of processor time. Its points are lines of a CSV under
``benchmarks/results/``, its totals a line of another; a second run skips the datasets that are there, so that
the suite can be stopped and resumed. ``--summary`` prints what they hold, ``--gallery`` draws the curves for
the documentation from them. Nothing is claimed that is not proved: a point that is not says how many errors
are not excluded at its size.
"""

from __future__ import annotations

import argparse
import csv
import math
import multiprocessing
import resource
import statistics
import time
from pathlib import Path

import cp20
import numpy as np

from laconic.budget import Budget
from laconic.engines.exact.front.staircase import steps
from laconic.engines.exact.front.whole import WholeFront
from laconic.objective import Objective, Problem
from laconic.verify import violations

RESULTS = Path(__file__).parent / "results"
POINTS, TOTALS = RESULTS / "fronts_points.csv", RESULTS / "fronts.csv"
PICTURE = Path(__file__).parents[1] / "docs" / "images" / "fronts.svg"

POINT_FIELDS = ["dataset", "size", "errors", "lower_bound", "proved", "breakpoint"]
TOTAL_FIELDS = [
    "dataset", "limit_s", "max_size", "rows", "features", "classes", "weight", "points", "proved",
    "breakpoints", "breakpoints_proved", "sizes", "sizes_known", "complete", "cpu_s", "wall_s", "peak_mb",
]  # fmt: skip
CORNERS_SHARE = 0.6


def measure(dataset: str, seconds: float, max_size: int | None) -> tuple[list[dict], dict]:
    """Find one front; called in a process of its own, so that the memory peak is its own."""
    table = cp20.training_table(cp20.Task(dataset, 2, 1))
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
        stated = Problem.of(table, Objective(max_size=k))
        found = violations(stated, front.rules_at(k), stated.error_cost * errors + k)
        if found:
            raise SystemExit(f"{dataset}, size {k}: {found}")
        proved = errors == bound and (k == 0 or front.proved[k - 1] > errors)
        points.append(
            {
                "dataset": dataset,
                "size": k,
                "errors": errors,
                "lower_bound": bound,
                "proved": int(proved),
                "breakpoint": int(k in corners),
            }
        )
    known = front.proved == front.achieved
    totals = {
        "dataset": dataset,
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
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
    return points, totals


def read(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(newline="") as lines:
        return list(csv.DictReader(lines))


def append(path: Path, fields: list[str], rows: list[dict]) -> None:
    fresh = not path.exists()
    with path.open("a", newline="") as out:
        writer = csv.DictWriter(out, fields)
        if fresh:
            writer.writeheader()
        writer.writerows(rows)


def summary() -> None:
    rows = read(TOTALS)
    if not rows:
        raise SystemExit(f"no results in {TOTALS}; run this without --summary first")

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
    """Draw one small picture per dataset: achieved errors as a line, what is not excluded as a band below."""
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "laconic"  # the same picture, the same file
    mpl.rcParams["svg.fonttype"] = "none"  # letters, not outlines: a third of the size
    from matplotlib import pyplot

    totals = {row["dataset"]: row for row in read(TOTALS)}
    curves: dict[str, list[dict[str, str]]] = {}
    for row in read(POINTS):
        curves.setdefault(row["dataset"], []).append(row)
    names = sorted(totals)
    n_columns = 8
    n_lines = math.ceil(len(names) / n_columns)
    figure, axes = pyplot.subplots(n_lines, n_columns, figsize=(13, 1.35 * n_lines), layout="constrained")
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
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(PICTURE, metadata={"Date": None})
    print(f"drawn in {PICTURE}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=20.0, help="of processor time for a dataset")
    parser.add_argument("--max-size", type=int, default=30, help="0 for no limit")
    parser.add_argument("--only", nargs="*", default=[], help="names of datasets")
    parser.add_argument("--stop-after", type=float, default=float("inf"), help="seconds for this slice")
    parser.add_argument("--summary", action="store_true")
    parser.add_argument("--gallery", action="store_true")
    options = parser.parse_args()
    if options.summary or options.gallery:
        (summary if options.summary else gallery)()
        return
    done = {row["dataset"] for row in read(TOTALS)}
    RESULTS.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    with multiprocessing.Pool(1, maxtasksperchild=1) as pool:
        folder = cp20.data_directory() / "r2"
        for name in sorted(cp20.datasets(), key=lambda one: (folder / f"{one}.csv.gz").stat().st_size):
            if name in done or (options.only and name not in options.only):
                continue
            if time.monotonic() - started > options.stop_after:
                return
            points, totals = pool.apply(measure, (name, options.seconds, options.max_size or None))
            append(POINTS, POINT_FIELDS, points)
            append(TOTALS, TOTAL_FIELDS, [totals])
            print(
                f"{name}: {totals['proved']} of {totals['points']} points proved, "
                f"{totals['sizes_known']} of {totals['sizes']} sizes known, {totals['cpu_s']} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
