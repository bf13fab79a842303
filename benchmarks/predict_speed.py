"""Prediction speed on a million rows, compared with a scikit-learn decision tree of the same accuracy.

For each table that scikit-learn ships, a decision set is learned on one half of the rows. The tree is the one
with the fewest leaves that is at least as accurate on the other half, or else the most accurate one. Both
then predict the same million rows, drawn from the whole table with replacement, in turn; the best CPU time of
each counts, since both use one core. Arrays, whose rows are contiguous in memory, and DataFrames of pandas
and polars are timed separately, because each library converts them in its own way.

    python -m benchmarks.predict_speed [--rows 1000000] [--repeat 9]

The result is results/predict_speed.csv. A ratio above 1 means that the decision set is faster.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

from benchmarks.support.study import FOLDER, write
from laconic import DecisionSetClassifier
from laconic.bench.machine import machine

TABLES = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer, "digits": load_digits}
QUESTIONS = {
    "sparse 0.02": {"objective": "sparse", "regularization": 0.02},
    "sparse 0.005": {"objective": "sparse", "regularization": 0.005},
    "perfect": {"objective": "perfect"},
}
TIME_LIMIT = 5.0
LEAVES = (2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 30, 40, 60, 80, 120, 200)


def main() -> None:
    options = arguments()
    rows = []
    for name, load in TABLES.items():
        data = load(as_frame=True)
        X, y = data.data, data.target.to_numpy()
        for question, settings in QUESTIONS.items():
            for row in compare(X, y, settings, options.rows, options.repeat):
                rows.append({"table": name, "question": question, **row})
                print("  ".join(f"{key} {value}" for key, value in rows[-1].items()), flush=True)
    found = {**machine(), "n_rows": options.rows}
    description = "; ".join(f"{name}={value}" for name, value in found.items())
    write(options.results, [*rows[0], "machine"], [{**row, "machine": description} for row in rows])
    slower = [row for row in rows if row["ratio"] < 1]
    print(f"the set is at least as fast in {len(rows) - len(slower)} of {len(rows)} comparisons")


def compare(X, y, settings, n_rows, repeat):
    """Yield one line for arrays, one for pandas DataFrames and one for polars DataFrames."""
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=0, stratify=y)
    model = DecisionSetClassifier(**settings, time_limit=TIME_LIMIT).fit(X_train, y_train)
    accuracy = model.score(X_test, y_test)
    tree = tree_like(X_train, y_train, X_test, y_test, accuracy)
    many = X.iloc[np.random.default_rng(0).integers(len(X), size=n_rows)].reset_index(drop=True)
    bare_model = DecisionSetClassifier(**settings, time_limit=TIME_LIMIT).fit(X_train.to_numpy(), y_train)
    bare_tree = DecisionTreeClassifier(**tree.get_params()).fit(X_train.to_numpy(), y_train)
    for kind, ours, theirs, rows in (
        ("array", bare_model, bare_tree, np.ascontiguousarray(many)),
        ("DataFrame", model, tree, pd.DataFrame(many)),
        ("polars", model, tree, pl.DataFrame({name: many[name].to_numpy() for name in many.columns})),
    ):
        set_ms, tree_ms = fastest([ours, theirs], rows, repeat)
        yield {
            "input": kind,
            "rules": len(ours.rules_),
            "size": ours.size_,
            "set_accuracy": round(ours.score(rows_like(X_test, kind), y_test), 4),
            "tree_leaves": theirs.get_n_leaves(),
            "tree_accuracy": round(theirs.score(rows_like(X_test, kind), y_test), 4),
            "set_ms": round(set_ms, 1),
            "tree_ms": round(tree_ms, 1),
            "ratio": round(tree_ms / set_ms, 2),
        }


def rows_like(X, kind):
    return {"array": X.to_numpy, "DataFrame": lambda: X, "polars": lambda: pl.from_pandas(X)}[kind]()


def tree_like(X_train, y_train, X_test, y_test, accuracy):
    trees = [
        DecisionTreeClassifier(max_leaf_nodes=leaves, random_state=0).fit(X_train, y_train)
        for leaves in LEAVES
    ]
    scores = [tree.score(X_test, y_test) for tree in trees]
    good = [tree for tree, score in zip(trees, scores, strict=True) if score >= accuracy]
    return good[0] if good else trees[int(np.argmax(scores))]


def fastest(models, rows, repeat):
    """Return the best time of each model in milliseconds; the models run in turn."""
    times = [[] for _ in models]
    for _ in range(repeat):
        for model, spent in zip(models, times, strict=True):
            start = time.process_time()
            model.predict(rows)
            spent.append(1000 * (time.process_time() - start))
    return [min(spent) for spent in times]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--results", type=Path, default=FOLDER / "predict_speed.csv")
    return parser.parse_args()


if __name__ == "__main__":
    main()
