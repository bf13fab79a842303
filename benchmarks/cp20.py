"""The paper's benchmark: 71 datasets, 3 quantisations, 5 folds, read from the authors' own binary files.

The files are not part of this repository. They are looked for where ``LACONIC_DATA`` points, else in
``../shared/datasets`` beside the repository.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import pandas as pd

from laconic.data.table import Table

QUANTISATIONS = (2, 3, 4)
FOLDS = (1, 2, 3, 4, 5)


@dataclass(frozen=True, slots=True, order=True)
class Task:
    """One training set of the paper."""

    dataset: str
    quantisation: int
    fold: int

    def __str__(self) -> str:
        return f"{self.dataset}-r{self.quantisation}-f{self.fold}"


def data_directory() -> Path:
    """Return the folder of the datasets, or exit with what to do."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "datasets"
    root = Path(os.environ.get("LACONIC_DATA", beside))
    if not (root / "quantised").is_dir():
        raise SystemExit(f"no datasets at {root}; set LACONIC_DATA to the folder that holds quantised/")
    return root / "quantised"


def datasets() -> list[str]:
    """Return the 71 names, in alphabetical order."""
    return sorted(path.name.removesuffix(".csv.gz") for path in (data_directory() / "r2").glob("*.csv.gz"))


def tasks(folds: tuple[int, ...] = FOLDS) -> Iterator[Task]:
    """Yield the training sets, first folds of everything first."""
    names = datasets()
    for fold in folds:
        for name in names:
            for quantisation in QUANTISATIONS:
                yield Task(name, quantisation, fold)


@lru_cache(maxsize=2)
def whole(dataset: str, quantisation: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[str]]:
    """Return (binary features, class numbers, fold of each row, feature names) of a quantised file."""
    folder = data_directory()
    frame = pd.read_csv(folder / f"r{quantisation}" / f"{dataset}.csv.gz")
    with gzip.open(folder / "folds" / f"r{quantisation}" / f"{dataset}.txt.gz", "rt") as lines:
        fold_of = np.array([int(line) for line in lines])
    features = frame.iloc[:, :-1].to_numpy().astype(bool)
    labels = np.unique(frame.iloc[:, -1].to_numpy(), return_inverse=True)[1].astype(np.int64)
    return features, labels, fold_of, [str(name) for name in frame.columns[:-1]]


def training(task: Task) -> tuple[np.ndarray, np.ndarray]:
    """Return the features and class numbers of the training part."""
    features, labels, fold_of, _ = whole(task.dataset, task.quantisation)
    kept = fold_of != task.fold
    return features[kept], labels[kept]


def testing(task: Task) -> tuple[np.ndarray, np.ndarray]:
    """Return the features and class numbers of the test part."""
    features, labels, fold_of, _ = whole(task.dataset, task.quantisation)
    kept = fold_of == task.fold
    return features[kept], labels[kept]


def training_table(task: Task) -> Table:
    """Return the training part as a table of unique weighted rows."""
    features, labels = training(task)
    n_classes = int(whole(task.dataset, task.quantisation)[1].max()) + 1
    return Table.from_arrays(features, labels, n_classes=n_classes)
