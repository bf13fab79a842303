"""Measures of the rules on a table: coverage, precision, recall, confusion, overlaps.

All measures use the sample weights; without weights every row counts one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from laconic.data.foreign import refuse_masked
from laconic.data.targets import checked_labels
from laconic.model import statistics
from laconic.model.decision_set import DecisionSet
from laconic.model.predict import NO_RULE, class_masks, deciding_rules
from laconic.model.statistics import RuleStatistics
from laconic.runtime.errors import InputError


@dataclass(frozen=True, slots=True)
class RuleMeasure:
    """One rule on the table.

    Attributes
    ----------
    figures : RuleStatistics
        Rows, precision, recall and what only this rule explains.
    right, wrong : float
        Weight of the covered rows of the rule's class and of others.
    coverage : float
        Share of the whole table's weight that it covers.
    """

    figures: RuleStatistics
    right: float
    wrong: float
    coverage: float


@dataclass(frozen=True, slots=True)
class Decided:
    """The rows decided in one way: their number, share and how many of them are predicted right."""

    way: str
    rows: int
    share: float
    accuracy: float | None


@dataclass(frozen=True)
class Measures:
    """A decision set on a table.

    Attributes
    ----------
    n_rows : int
    weighted : bool
        Whether rows have different weights.
    total : float
        Weight of all rows.
    accuracy, strict_accuracy : float
        Of ``predict``, and the paper's.
    rules : tuple of RuleMeasure
        In the order of the set.
    fallback : RuleMeasure
        The default or the else rule, on the rows that no rule covers.
    decided : tuple of Decided
        By rules of one class, by rules that disagree, by no rule.
    labels : tuple
        The classes, then labels of the table that the model does not know.
    confusion : ndarray of float, shape (n_labels, n_classes)
        Weight by actual label and predicted class.
    overlaps : ndarray of int, shape (n_rules, n_rules)
        Rows that both rules cover; on the diagonal, rows of one.
    """

    n_rows: int
    weighted: bool
    total: float
    accuracy: float
    strict_accuracy: float
    rules: tuple[RuleMeasure, ...]
    fallback: RuleMeasure
    decided: tuple[Decided, ...]
    labels: tuple[Any, ...]
    confusion: NDArray[np.float64]
    overlaps: NDArray[np.int64]

    @property
    def wrong(self) -> float:
        """Weight of the rows predicted wrongly."""
        known = range(min(self.confusion.shape))
        return self.total - float(sum(self.confusion[k, k] for k in known))

    @property
    def predicted_totals(self) -> NDArray[np.float64]:
        """Weight that each class is predicted for."""
        return np.asarray(self.confusion.sum(axis=0))


def measure(model: DecisionSet, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Measures:
    """Measure a decision set on labelled rows."""
    covered = model.covers(X).T
    n_rows = covered.shape[1]
    labels = checked_labels(y, n_rows).tolist()
    weights = _weights(sample_weight, n_rows)
    figures = statistics.measure(model, X, np.array(labels), weights)
    number: dict[Any, int] = {label: k for k, label in enumerate(model.classes)}
    actual = np.array([number.setdefault(label, len(number)) for label in labels], np.intp)
    total = float(weights.sum())

    fallback = model.classes.index(model.fallback_class)
    targets = np.array([*(rule.target for rule in model.rules), fallback], np.intp)
    predicted = targets[deciding_rules(model.rules, covered)]
    assert NO_RULE == -1  # the last target is read for rows without a rule
    right = predicted == actual
    claims = class_masks(model.rules, covered, len(model.classes)).sum(axis=0)

    def rule_measure(
        target: int, mask: NDArray[np.bool_], figures: RuleStatistics | None = None
    ) -> RuleMeasure:
        own = actual == target
        hit, miss = float(weights[mask & own].sum()), float(weights[mask & ~own].sum())
        if figures is None:
            of_class = float(weights[own].sum())
            figures = RuleStatistics(int(mask.sum()), _share(hit, hit + miss), _share(hit, of_class), None)
        return RuleMeasure(figures, hit, miss, (hit + miss) / total)

    def decided(way: str, mask: NDArray[np.bool_]) -> Decided:
        weight = float(weights[mask].sum())
        accuracy = _share(float(weights[mask & right].sum()), weight)
        return Decided(way, int(mask.sum()), weight / total, accuracy)

    confusion = np.zeros((len(number), len(model.classes)))
    np.add.at(confusion, (actual, predicted), weights)
    counts = covered.astype(np.int64)
    return Measures(
        n_rows=n_rows,
        weighted=bool((weights != 1).any()),
        total=total,
        accuracy=float(weights[right].sum()) / total,
        strict_accuracy=model.strict_score(X, np.array(labels), weights),
        rules=tuple(rule_measure(rule.target, covered[k], figures[k]) for k, rule in enumerate(model.rules)),
        fallback=rule_measure(fallback, claims == 0),
        decided=(
            decided("one class", claims == 1),
            decided("conflict", claims > 1),
            decided("no rule", claims == 0),
        ),
        labels=tuple(number),
        confusion=confusion,
        overlaps=counts @ counts.T,
    )


def _weights(sample_weight: ArrayLike | None, n_rows: int) -> NDArray[np.float64]:
    refuse_masked(sample_weight, "sample_weight")
    weights = np.ones(n_rows) if sample_weight is None else np.asarray(sample_weight, dtype=float)
    if weights.shape != (n_rows,) or not np.isfinite(weights).all() or (weights < 0).any():
        raise InputError(f"sample_weight must hold one number, not below zero, for each of {n_rows} rows")
    if not weights.any():
        raise InputError("every sample weight is zero; give some row a weight")
    return weights


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None
