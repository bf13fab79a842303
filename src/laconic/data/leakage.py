"""Columns that alone tell a class from all others, which often are known only after the class is."""

from __future__ import annotations

import shlex

import numpy as np
from numpy.typing import NDArray

from laconic.data.bits import pack_rows
from laconic.data.training import TrainingTable
from laconic.runtime.texts import shown, visible

MOST_CELLS = 2**26
"""Maximum product of rows and conditions of a column that is looked at."""

FEWEST_SAMPLES = 30
"""Minimum number of rows of a table that is looked at."""

PER_PATTERN = 5
"""Minimum number of rows of a class per combination of conditions: unique values prove nothing."""


def leaks(training: TrainingTable) -> list[str]:
    """Return a remark for each column whose conditions alone separate a class from all others.

    Parameters
    ----------
    training : TrainingTable
    """
    table = training.table
    if table.samples.sum() < FEWEST_SAMPLES:
        return []
    features: dict[str, list[int]] = {}
    for f, feature in enumerate(training.binarizer.features_):
        features.setdefault(feature.positive.column, []).append(f)
    found = []
    for name, members in features.items():
        if table.n_rows * len(members) > MOST_CELLS:
            continue
        known = _separated(table.matrix[:, members], table.weights, table.samples)
        if known:
            classes = [shown(label) for label in training.classes[known].tolist()]
            which = f"class {classes[0]}" if len(classes) == 1 else f"classes {' and '.join(classes[:3])}"
            found.append(
                visible(
                    f"column {name!r} alone separates {which} from all others; if it is known only after the "
                    f"class is, leave it out (--drop {shlex.quote(name)})"
                )
            )
    return found


def _separated(
    matrix: NDArray[np.bool_], weights: NDArray[np.int64], samples: NDArray[np.int64]
) -> list[int]:
    """Return the classes that share no combination of conditions with another class."""
    _, pattern = np.unique(pack_rows(np.ascontiguousarray(matrix)), axis=0, return_inverse=True)
    pattern = pattern.ravel()
    n_patterns = int(pattern.max()) + 1
    by_class = np.zeros((n_patterns, weights.shape[1]), bool)
    for target in range(weights.shape[1]):
        by_class[pattern[weights[:, target] > 0], target] = True
    rows = np.bincount(pattern, samples, n_patterns)
    pure = by_class.sum(axis=1) == 1
    return [
        target
        for target in range(weights.shape[1])
        if (own := by_class[:, target]).any()
        and pure[own].all()
        and rows[own].sum() >= PER_PATTERN * own.sum()
        and not own.all()
    ]
