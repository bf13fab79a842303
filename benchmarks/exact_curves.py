"""Plot the number of the 1065 training sets proved over time, from the CSVs of `exact_suite`.

    python -m benchmarks.exact_curves

There is one curve per objective, in ``docs/figures/exact-solved.svg``. A training set counts from the time of
the run that proved it; unproved sets do not count.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from benchmarks.exact_suite import FIELDS, KEY
from benchmarks.support.drawing import save_svg
from benchmarks.support.study import FOLDER, Results

FIGURE = Path(__file__).parents[1] / "docs" / "figures" / "exact-solved.svg"
CURVES = {
    "sp[0.5]": ("exact_sparse_0.5.csv", "tab:green", "-"),
    "sp[0.5], every class": ("exact_sparse_0.5_every_class.csv", "tab:green", ":"),
    "sp[0.05]": ("exact_sparse_0.05.csv", "tab:blue", "-"),
    "sp[0.05], every class": ("exact_sparse_0.05_every_class.csv", "tab:blue", ":"),
    "sp[0.005]": ("exact_sparse_0.005.csv", "tab:purple", "-"),
    "perfect": ("exact_perfect.csv", "tab:red", "-"),
}
TOTAL = 1065
TIMES = np.geomspace(1e-3, 60.1, 150)


def main() -> None:
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for name, (file, colour, line) in CURVES.items():
        rows = Results(FOLDER / file, FIELDS, KEY).latest()
        seconds = np.sort([float(row["wall_s"]) for row in rows if row["proved"] == "1"])
        label = f"{name}: {len(seconds)} of {TOTAL}"
        axes.plot(TIMES, np.searchsorted(seconds, TIMES, side="right"), line, color=colour, label=label)
    axes.axhline(TOTAL, color="0.7", linewidth=0.8)
    axes.set(xscale="log", xlabel="seconds", ylabel="training sets proved", ylim=(0, 1.03 * TOTAL))
    axes.legend(loc="lower right", frameon=False)
    save_svg(figure, FIGURE, letters="path")


if __name__ == "__main__":
    main()
