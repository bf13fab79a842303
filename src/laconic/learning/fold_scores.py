"""Predictions on the rows that a fold leaves out, and how many of them are right."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from laconic.data.table import Table
from laconic.problem.coded import CodedRule, covers


@dataclass(frozen=True)
class FoldScores:
    """Correct predictions on the rows that a fold leaves out.

    Attributes
    ----------
    right : ndarray, shape (n_prices, n_classes)
        Weight of the rows predicted right, by class.
    majority : ndarray, shape (n_classes,)
        The same of the most frequent class.
    total : ndarray, shape (n_classes,)
        Weight of all rows, by class.
    lead : ndarray, shape (n_prices, 2)
        Weight of the rows that only the set gets right less those that only the majority does, and of both.
    """

    right: NDArray[np.int64]
    majority: NDArray[np.int64]
    total: NDArray[np.int64]
    lead: NDArray[np.int64]


def predicted_classes(
    table: Table,
    weights: NDArray[np.int64],
    rules: Sequence[CodedRule],
    otherwise: int | None = None,
    unseen: Table | None = None,
) -> NDArray[np.intp]:
    """Return the class that a set predicts for each row of a table, as `laconic.model.predict` does.

    Parameters
    ----------
    table : Table
    weights : ndarray of int64, shape (n_rows, n_classes)
        Of the rows that the rules were learned from: their precision decides where rules disagree.
    rules : sequence of CodedRule
        Sorted.
    otherwise : int, optional
        The class that the OTHERWISE rule gives, if there is one.
    unseen : Table, optional
        Rows with the same features, whose classes are returned instead of those of the table.
    """
    covered = covers(rules, table)
    counts = covered.astype(np.int64) @ weights
    right = np.array([counts[k, rule.target] for k, rule in enumerate(rules)], dtype=np.int64)
    scale = float(min(table.scale, Fraction(sys.float_info.max)))  # weights below 1e-308 have a larger scale
    laplace = (right / scale + 1) / (counts.sum(axis=1) / scale + table.n_classes)
    order = sorted(range(len(rules)), key=lambda k: (-laplace[k], -right[k], k))
    uncovered = weights[~covered.any(axis=0)].sum(axis=0)
    shares = uncovered if uncovered.any() else weights.sum(axis=0)
    if unseen is not None:
        covered = covers(rules, unseen)
    predicted = np.full(covered.shape[1], int(shares.argmax()) if otherwise is None else otherwise)
    for k in reversed(order):
        predicted[covered[k]] = rules[k].target
    return predicted


def right_by_class(weights: NDArray[np.int64], predicted: NDArray[np.intp]) -> NDArray[np.int64]:
    """Return the weight of each class that is predicted right."""
    right = np.zeros(weights.shape[1], np.int64)
    np.add.at(right, predicted, weights[np.arange(len(weights)), predicted])
    return right


def lead(
    weights: NDArray[np.int64], predicted: NDArray[np.intp], majority: NDArray[np.intp]
) -> tuple[int, int]:
    """Return what predictions lead the majority by on rows where they differ, and the weight of these."""
    rows = np.arange(len(weights))
    won, lost = weights[rows, predicted], weights[rows, majority]
    differs = predicted != majority
    return int((won - lost)[differs].sum()), int((won + lost)[differs].sum())
