"""Rows to learn from and rows to be scored on, for cross-validation: of a table in memory, or merged.

A table that was merged outside memory has no single rows any more, but counts of equal ones. A random part
of its rows is a random part of each count, drawn without replacement (the multivariate hypergeometric
distribution): the same folds as of the rows themselves, with conditions that were made from all of them.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv

from laconic.data.binarize import Binarizer
from laconic.data.table import Table, pack_columns
from laconic.data.training import TrainingTable, in_memory
from laconic.estimators.classifier import DecisionSetClassifier
from laconic.model.decision_set import DecisionSet
from laconic.model.predict import deciding_rules
from laconic.runtime.errors import InputError

MOST_SAMPLES = 10**9
"""Rows of a class beyond which numpy does not draw from their counts."""


class Fold(Protocol):
    """One way to leave rows out."""

    def training(self, binarizer: Binarizer | None) -> TrainingTable:
        """Return the rows to learn from."""
        ...

    def score(self, model: DecisionSet, classes: NDArray[Any], scoring: Any) -> float:
        """Return the score of a model on the rows left out."""
        ...


@dataclass(frozen=True)
class RowFold:
    """A fold of rows in memory; conditions are made anew from those to learn from."""

    X: Any
    y: NDArray[Any]
    weights: NDArray[np.float64] | None
    inside: NDArray[np.int64]
    outside: NDArray[np.int64]
    costs: NDArray[np.float64] | None = None
    """What an error on each row costs, beside its weight, if classes differ in that."""

    def training(self, binarizer: Binarizer | None) -> TrainingTable:
        """Return the rows to learn from."""
        own = Binarizer() if binarizer is None else clone(binarizer)
        weights = None if self.weights is None else self.weights[self.inside]
        return in_memory(_rows(self.X, self.inside), self.y[self.inside], weights, own)

    def score(self, model: DecisionSet, classes: NDArray[Any], scoring: Any) -> float:
        """Return the score of a model on the rows left out."""
        fitted = DecisionSetClassifier()
        fitted.decision_set_, fitted.classes_ = model, classes
        scorer = check_scoring(fitted, scoring=scoring)
        counted = [part[self.outside] for part in (self.weights, self.costs) if part is not None]
        known = {"sample_weight": np.prod(counted, axis=0)} if counted else {}
        return float(scorer(fitted, _rows(self.X, self.outside), self.y[self.outside], **known))


@dataclass(frozen=True)
class MergedFold:
    """A fold of merged rows, by how many of each are left out of each class."""

    whole: TrainingTable
    left_out: NDArray[np.int64]
    costs: NDArray[np.float64] | None = None
    """What an error on a row of each class costs, if classes differ in that."""

    def training(self, binarizer: Binarizer | None) -> TrainingTable:
        """Return the rows to learn from; the conditions are those of all rows."""
        table = self.whole.table
        weights = table.weights - self.left_out
        some = weights.any(axis=1)
        part = Table(pack_columns(table.matrix[some]), weights[some], table.allowed, table.scale)
        return replace(self.whole, table=part)

    def score(self, model: DecisionSet, classes: NDArray[Any], scoring: Any) -> float:
        """Return the score of a model on the rows left out."""
        rows, own = np.nonzero(self.left_out)
        fitted = _OnBinaryRows(model).fit(None, classes)
        scorer = check_scoring(fitted, scoring=scoring)
        counts = self.left_out[rows, own] * (1.0 if self.costs is None else self.costs[own])
        return float(scorer(fitted, self.whole.table.matrix[rows], classes[own], sample_weight=counts))


class _OnBinaryRows(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A model that is asked about binary rows, as scikit-learn's scores ask."""

    def __init__(self, model: DecisionSet) -> None:
        self.model = model

    def fit(self, X: Any, y: Any) -> Self:
        """Take note of the classes."""
        self.classes_ = y
        return self

    def predict(self, X: NDArray[np.bool_]) -> NDArray[Any]:
        """Return a class for every row."""
        return self.model.label_per_rule()[self._deciding(X)]

    def predict_proba(self, X: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return class probabilities."""
        return self.model.probabilities_per_rule()[self._deciding(X)]

    def _deciding(self, X: NDArray[np.bool_]) -> NDArray[np.intp]:
        rules = self.model.rules
        column = {}
        for f, feature in enumerate(self.model.features):
            column[feature.positive] = X[:, f]
            if feature.negative is not None:
                column[feature.negative] = ~X[:, f]
        covered = np.ones((len(rules), len(X)), bool)
        for mask, rule in zip(covered, rules, strict=True):
            for literal in rule.literals:
                mask &= column[literal]
        return deciding_rules(rules, covered)


def row_folds(
    X: Any,
    y: NDArray[Any],
    weights: NDArray[np.float64] | None,
    cv: Any,
    costs: NDArray[np.float64] | None = None,
) -> list[Fold]:
    """Split rows as scikit-learn does; ``costs`` are those of errors on each row."""
    with warnings.catch_warnings():
        # Rows of a class too rare for every fold count as wrong where the others do not know it.
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        splits = list(check_cv(cv, y, classifier=True).split(np.zeros(len(y)), y))
    return [RowFold(X, y, weights, inside, outside, costs) for inside, outside in splits]


def merged_folds(
    training: TrainingTable, cv: Any, seed: int, costs: NDArray[np.float64] | None = None
) -> list[Fold]:
    """Split merged rows into a number of folds, each with its share of every class.

    ``costs`` are those of errors on a row of each class.
    """
    counts = training.table.weights
    if not isinstance(cv, Integral) or cv < 2:
        raise InputError(f"a TrainingTable is split by the number of folds, of at least 2; cv is {cv!r}")
    if training.table.scale != 1 or not np.array_equal(counts.sum(axis=1), training.table.samples):
        raise InputError("rows merged with weights cannot be split into folds; read them into memory")
    totals = counts.sum(axis=0)
    if totals.max() >= MOST_SAMPLES:
        raise InputError(f"a class has more than {MOST_SAMPLES} rows, too many to split; take a sample")
    if totals.sum() < cv:
        raise InputError(f"{totals.sum()} rows cannot be split into {cv} folds; take fewer")
    rng = np.random.default_rng(seed)
    left, n_folds = counts.copy(), int(cv)
    folds: list[Fold] = []
    # Classes take turns in getting the folds with one row more.
    first = np.concatenate([[0], np.cumsum(totals)[:-1]])
    for k in range(n_folds):
        drawn = np.zeros_like(left)
        for c, total in enumerate(totals.tolist()):
            size = (first[c] + total - k + n_folds - 1) // n_folds - (first[c] - k + n_folds - 1) // n_folds
            drawn[:, c] = rng.multivariate_hypergeometric(left[:, c], int(size), method="marginals")
        left -= drawn
        folds.append(MergedFold(training, drawn, costs))
    return folds


def _rows(X: Any, chosen: NDArray[np.int64]) -> Any:
    return X.iloc[chosen] if hasattr(X, "iloc") else X[chosen]
