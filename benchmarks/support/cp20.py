"""The paper's benchmark as `laconic.bench` reads it: 71 datasets, 3 quantisations, 5 folds.

The files are not part of this repository. They are read from ``LACONIC_DATA``, or else from
``../shared/datasets`` beside the repository.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from laconic.bench.split import Split
from laconic.bench.suites import FOLDS, QUANTISATIONS, Suite, SuiteSpec
from laconic.data.table import Table
from laconic.runtime.errors import InputError


@dataclass(frozen=True, slots=True, order=True)
class Task:
    """One training set of the paper."""

    dataset: str
    quantisation: int
    fold: int

    def __str__(self) -> str:
        return f"{self.dataset}-r{self.quantisation}-f{self.fold}"

    def is_among(self, only: Sequence[str]) -> bool:
        """Return whether the name contains one of the given parts (``heart``, ``-r2-``), if there are any."""
        return not only or any(part in f"{self}-" for part in only)


@cache
def suite() -> Suite:
    """Return the suite; if its files are missing, exit with instructions."""
    try:
        return SuiteSpec("cp20").open()
    except InputError as error:
        sys.exit(str(error))


def tasks(
    folds: Sequence[int] = FOLDS,
    quantisations: Sequence[int] = QUANTISATIONS,
    only: Sequence[str] = (),
) -> Iterator[Task]:
    """Yield the training sets, first folds of everything first.

    Parameters
    ----------
    folds, quantisations : sequence of int
    only : sequence of str
        Parts of names such as ``heart`` or ``-r2-``; a training set is included if one of them occurs in its
        name.
    """
    for fold in folds:
        for name in suite().datasets:
            for quantisation in quantisations:
                task = Task(name, quantisation, fold)
                if task.is_among(only):
                    yield task


@lru_cache(maxsize=2)
def split(task: Task) -> Split:
    """Return the training and test rows."""
    return suite().load(task.dataset, task.quantisation, task.fold)


def training_table(task: Task) -> Table:
    """Return the training rows as a table of unique weighted rows."""
    training = split(task).training
    return Table.from_arrays(training.matrix, training.labels, n_classes=len(training.classes))


def read_table(dataset: str, quantisation: int) -> Table:
    """Return a complete quantised file, with contradicting rows reduced to their majority."""
    found = split(Task(dataset, quantisation, 1))
    matrix = np.vstack([found.training.matrix, found.test_matrix])
    labels = np.concatenate([found.training.labels, found.test_labels])
    return Table.from_arrays(matrix, labels).reduced_to_majority()
