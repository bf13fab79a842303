"""Rules of choice for ``regularization="auto"``, compared on the development half.

    python -m benchmarks.accuracy.variants                    what is missing, then the comparison
    python -m benchmarks.accuracy.variants --folds 1 2        these outer folds
    python -m benchmarks.accuracy.variants --stop-after 600   a slice of ten minutes
    python -m benchmarks.accuracy.variants --summary          the comparison of what is there
    python -m benchmarks.accuracy.variants --data DIRECTORY --results FILE    other tables

A line of the CSV is one λ of one table, outer fold and number of parts of a column: the set found on the
training rows, how such sets do in the inner cross-validation, and how this one does on the rows of the outer
fold. All rules of choice are evaluated from these lines, so a new one costs no search. The last search at the
chosen λ, which fits do besides, is left out.
"""

from __future__ import annotations

import math
from argparse import Namespace
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.accuracy.measure import balanced_accuracy
from benchmarks.accuracy.tables import Tables
from benchmarks.support import study
from benchmarks.support.halves import half
from benchmarks.support.study import FOLDER, Measured, Results
from laconic.bench.suites import FOLDS
from laconic.data.binarize import Binarizer
from laconic.data.table import Table
from laconic.data.training import in_memory
from laconic.learning.choose import WORTH, Choosing, smoothed
from laconic.learning.fold_scores import predicted_classes
from laconic.learning.resolution import FINER_BINS
from laconic.problem.objective import Objective, Problem
from laconic.runtime.budget import Budget

MAX_ROWS = 1200
BINS = (6, FINER_BINS)
KEY = ("dataset", "fold", "bins", "regularization")
FIELDS = [
    *(*KEY, "rows", "largest", "size", "cv_accuracy", "cv_balanced", "accuracy", "balanced"),
]


def measure(tables: Tables, name: str, fold: int, bins: int) -> list[Measured]:
    """Return a line for each λ of a table, outer fold and number of parts of a column."""
    table = tables.read(name)
    rows = np.arange(len(table.labels))
    if len(rows) > MAX_ROWS:
        rows = np.sort(np.random.default_rng(7).permutation(len(rows))[:MAX_ROWS])
    held_out = table.fold_of[rows] == fold
    inside, outside = rows[~held_out], rows[held_out]
    binarizer = Binarizer(bins=bins)
    classes = np.unique(table.labels)
    training = in_memory(table.features.iloc[inside], table.labels[inside], None, binarizer, classes).table
    choosing = Choosing(Problem.of(training, Objective()), Budget(None), 0, lambda _: None)
    choosing.climb_down()
    choosing.cross_validate(1)
    truth = table.labels[outside]
    # The new rows stand behind the training rows, without weight.
    unseen = Table.from_arrays(
        binarizer.transform(table.features.iloc[outside]), truth, n_classes=classes.size
    )
    return [
        {
            "dataset": name,
            "fold": fold,
            "bins": bins,
            "regularization": rung.regularization,
            "rows": len(inside),
            "largest": choosing.max_size,
            "size": rung.size,
            "cv_accuracy": f"{rung.accuracy:.5f}",
            "cv_balanced": f"{rung.balanced_accuracy:.5f}",
            **_scored(training, unseen, choosing.rules[k], truth),
        }
        for k, rung in enumerate(choosing.choice().rungs)
    ]


def _scored(training: Table, unseen: Table, rules: Any, truth: Any) -> dict[str, str]:
    predicted = predicted_classes(training, training.weights, rules, unseen=unseen)[unseen.group_of]
    accuracy = float((predicted == truth).mean())
    return {"accuracy": f"{accuracy:.5f}", "balanced": f"{balanced_accuracy(truth, predicted):.5f}"}


Rungs = pd.DataFrame
Scores = Callable[[Rungs], Any]


def _score(of: Rungs, *, balanced: float = 0.5, worth: float = WORTH, smooth: bool = True) -> Any:
    criterion = (1 - balanced) * of["cv_accuracy"] + balanced * of["cv_balanced"]
    values = np.array(smoothed(criterion.tolist())) if smooth else criterion.to_numpy()
    return values - worth * (of["size"] / of["largest"]).to_numpy()


def _down_to(share: float, of: Rungs) -> Rungs:
    """Return the prices down to the first that is at most this share of a row."""
    before = (of["regularization"] * of["rows"]).shift(1, fill_value=math.inf)
    return of[before > share * 1.0001]


def variants() -> dict[str, tuple[tuple[int, ...], float, Scores]]:
    """Return the rules of choice: conditions, lowest price in rows, and the score of each rung."""
    found: dict[str, tuple[tuple[int, ...], float, Scores]] = {
        f"the rule: 6 or {FINER_BINS} parts": (BINS, 0.5, _score)
    }
    for bins in BINS:
        found[f"{bins} parts"] = ((bins,), 0.5, _score)
    found["6 parts, lowest price one row"] = ((6,), 1.0, _score)
    for worth in (0.0, 0.018, 0.072):
        found[f"largest size worth {100 * worth:.1f} points"] = BINS, 0.5, partial(_score, worth=worth)
    found["not smoothed"] = (BINS, 0.5, partial(_score, smooth=False))
    found["by accuracy alone"] = (BINS, 0.5, partial(_score, balanced=0.0))
    found["the rule of before"] = ((6,), 1.0, partial(_score, worth=0.0))
    found["no choice: the lowest price"] = ((6,), 0.5, lambda of: np.arange(len(of)))
    return found


def comparison(lines: pd.DataFrame) -> str:
    """Return means over tables for each rule of choice."""
    counts = lines.groupby(["dataset", "fold"])["bins"].nunique()
    whole = counts[counts == len(BINS)].index
    said = [
        f"{len(whole)} tables and folds; means over tables",
        "",
        "| variant | accuracy, % | balanced, % | size |",
    ]
    said.append("|---|---|---|---|")
    for name, (bins, lowest, score) in variants().items():
        chosen = [_chosen(lines, key, bins, lowest, score) for key in whole]
        means = pd.DataFrame(chosen, index=whole).groupby("dataset").mean().to_numpy().mean(axis=0)
        accuracy, balanced, size = means.tolist()
        said.append(f"| {name} | {100 * accuracy:.1f} | {100 * balanced:.1f} | {size:.1f} |")
    return "\n".join(said)


def _chosen(
    lines: pd.DataFrame, key: Any, bins: tuple[int, ...], lowest: float, score: Scores
) -> dict[str, float]:
    here = lines[(lines["dataset"] == key[0]) & (lines["fold"] == key[1])]
    best: tuple[float, Any] | None = None
    for one in bins:
        rungs = _down_to(lowest, here[here["bins"] == one])
        values: Any = np.round(score(rungs), 12)
        place = int(np.argmax(values))
        if best is None or values[place] > best[0]:
            best = float(values[place]), rungs.iloc[place]
    assert best is not None
    return {name: float(best[1][name]) for name in ("accuracy", "balanced", "size")}


def plan(tables: Tables, names: list[str], folds: list[int]) -> Iterator[tuple[Any, Any]]:
    """Yield the searches; the highest λ, which every table has, identifies all lines of one."""
    for fold in folds:
        for name in names:
            for bins in BINS:
                yield (name, fold, bins, 0.1), (tables, name, fold, bins)


def main() -> None:
    """Run the command line."""
    parser = study.arguments(__doc__, results=FOLDER / "accuracy_variants.csv")
    parser.add_argument("--folds", nargs="+", type=int, choices=FOLDS, default=[1, 2])
    parser.add_argument("--data", type=Path, help="directory of CSV files instead of the paper's tables")
    options: Namespace = parser.parse_args()
    results = Results(options.results, FIELDS, KEY)
    if not options.summary:
        tables = Tables(options.data)
        known = options.data is None
        names = [name for name in tables.names if not known or half(name) == "development"]
        names.sort(key=lambda name: (tables.weight(name), name))
        study.run(results, plan(tables, names, options.folds), measure, stop_after=options.stop_after)
    print(comparison(pd.read_csv(options.results)))


if __name__ == "__main__":
    main()
