"""Draw how many of the 1065 training sets are proved within which time, from the CSVs of `exact_suite.py`.

    python benchmarks/exact_curves.py

One curve per objective, into ``docs/figures/exact-solved.svg``. A training set counts from the time of the
run that proved it; one that is open counts nowhere.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import numpy as np
from exact_suite import read
from matplotlib import pyplot as plt

RESULTS = Path(__file__).parent / "results"
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
    mpl.rcParams["svg.hashsalt"] = "laconic"  # the same file from the same records
    figure, axes = plt.subplots(figsize=(8, 4.5), layout="constrained")
    for name, (file, colour, line) in CURVES.items():
        rows = read(RESULTS / file)
        seconds = np.sort([float(row["wall_s"]) for row in rows if row["proved"] == "1"])
        label = f"{name}: {len(seconds)} of {TOTAL}"
        axes.plot(TIMES, np.searchsorted(seconds, TIMES, side="right"), line, color=colour, label=label)
    axes.axhline(TOTAL, color="0.7", linewidth=0.8)
    axes.set(xscale="log", xlabel="seconds", ylabel="training sets proved", ylim=(0, 1.03 * TOTAL))
    axes.legend(loc="lower right", frameon=False)
    figure.savefig(FIGURE, metadata={"Date": None})
    print(f"written: {FIGURE}")


if __name__ == "__main__":
    main()
