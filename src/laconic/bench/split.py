"""Training and test rows of one task, in binary form."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from laconic.bench.methods.api import Training
from laconic.bench.scorer import ScoredRows


@dataclass(frozen=True, eq=False)
class Split:
    """The rows that a method learns from, and those that it is tested on."""

    training: Training
    test_matrix: NDArray[np.bool_]
    test_labels: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        names: tuple[str, ...],
        matrix: NDArray[np.bool_],
        codes: NDArray[np.int64],
        classes: tuple[str, ...],
        held_out: NDArray[np.bool_],
        allowed: NDArray[np.bool_] | None = None,
    ) -> Split:
        """Split a binary table."""
        allowed = np.ones((len(names), 2), bool) if allowed is None else allowed
        training = Training(names, matrix[~held_out], codes[~held_out], classes, allowed)
        return cls(training, matrix[held_out], codes[held_out])

    def train_rows(self) -> ScoredRows:
        """Return the training rows in the scorer's form."""
        return self._rows(self.training.matrix, self.training.labels)

    def test_rows(self) -> ScoredRows:
        """Return the test rows in the scorer's form."""
        return self._rows(self.test_matrix, self.test_labels)

    def _rows(self, matrix: NDArray[np.bool_], labels: NDArray[np.int64]) -> ScoredRows:
        columns = {name: matrix[:, k] for k, name in enumerate(self.training.names)}
        return ScoredRows(columns, [self.training.classes[c] for c in labels])


def stratified_folds(codes: NDArray[np.int64], n_folds: int, seed: int = 0) -> NDArray[np.int64]:
    """Return the fold (from 1) of each row; the rows of every class are distributed evenly."""
    rng = np.random.default_rng(seed)
    shuffled = rng.permutation(codes.size)
    by_class = shuffled[np.argsort(codes[shuffled], kind="stable")]
    fold_of = np.empty(codes.size, np.int64)
    fold_of[by_class] = np.arange(codes.size) % n_folds + 1
    return fold_of


def binary_split(
    features: pd.DataFrame,
    codes: NDArray[np.int64],
    classes: tuple[str, ...],
    held_out: NDArray[np.bool_],
    n_bins: int,
) -> Split:
    """Binarize a raw table with a binarizer fitted on the training rows."""
    from laconic.data.binarize import Binarizer  # imports scikit-learn, which quantised files do not need

    binarizer = Binarizer(bins=n_bins).fit(features[~held_out])
    names = _distinct([str(feature.positive) for feature in binarizer.features_])
    matrix = binarizer.transform(features)
    return Split.of(names, matrix, codes, classes, held_out, binarizer.allowed_)


def _distinct(names: list[str]) -> tuple[str, ...]:
    """Make equal names distinct: column names may be such that two conditions have the same text."""
    seen: dict[str, int] = {}
    out = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        out.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return tuple(out)
