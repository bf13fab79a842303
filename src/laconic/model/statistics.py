"""Figures of each rule: rows, precision, recall, and the recall that no other rule has.

A fitted set contains its training counts; `measure` computes the same on any other labelled table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from laconic.data.foreign import refuse_masked
from laconic.model.render import count, percent_text, share_text
from laconic.runtime.errors import InputError

if TYPE_CHECKING:
    from laconic.model.decision_set import DecisionSet
    from laconic.model.rule import Rule


@dataclass(frozen=True, slots=True)
class RuleStatistics:
    """The figures of one rule on some rows; undefined shares are ``None``.

    Attributes
    ----------
    rows : int
        Rows it covers.
    precision : float or None
        Share of their weight that has the rule's class.
    recall : float or None
        Share of the class that it covers.
    alone : float or None
        Share of the class that it covers and no other rule of the class does.
    """

    rows: int
    precision: float | None
    recall: float | None
    alone: float | None

    def text(self, label: object) -> str:
        """Write the figures for people.

        >>> RuleStatistics(1, 1.0, 0.25, 0.125).text("setosa")
        '1 row, precision 1.00, 25 % of setosa (12 % by this rule alone)'
        """
        parts = [count(self.rows, "row")]
        if self.precision is not None:
            parts.append(f"precision {share_text(self.precision)}")
        if self.recall is not None:
            alone = "" if self.alone is None else f" ({percent_text(self.alone)} by this rule alone)"
            parts.append(f"{percent_text(self.recall)} of {label}{alone}")
        return ", ".join(parts)


def training_statistics(decision_set: DecisionSet) -> list[RuleStatistics]:
    """Return the figures of every rule on the training data, the else rule last."""
    return [_remembered(rule, decision_set.class_weights) for rule in listed_rules(decision_set)]


def listed_rules(decision_set: DecisionSet) -> tuple[Rule, ...]:
    """Return all rules, the else rule last."""
    otherwise = decision_set.else_rule
    return decision_set.rules if otherwise is None else (*decision_set.rules, otherwise)


def measure(
    decision_set: DecisionSet, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
) -> list[RuleStatistics]:
    """Return the figures of every rule on some labelled rows, the else rule last.

    Parameters
    ----------
    decision_set : DecisionSet
    X : DataFrame or array-like
    y : array-like of shape (n_rows,)
        Labels.
    sample_weight : array-like of shape (n_rows,), optional
    """
    covered = list(decision_set.covers(X).T)
    refuse_masked(y, "the label")
    labels = np.asarray(y)
    n_rows = len(X)
    if labels.shape != (n_rows,):
        raise InputError(f"y has shape {labels.shape}, but X has {n_rows} rows")
    refuse_masked(sample_weight, "sample_weight")
    weights = np.ones(n_rows) if sample_weight is None else np.asarray(sample_weight, dtype=float)
    if weights.shape != (n_rows,):
        raise InputError(f"sample_weight has shape {weights.shape}, but X has {n_rows} rows")
    rules = listed_rules(decision_set)
    if decision_set.else_rule is not None:
        covered.append(~np.any([np.zeros(n_rows, bool), *covered], axis=0))
    return [_measured(rules, covered, k, labels, weights) for k in range(len(rules))]


def _measured(
    rules: Sequence[Rule],
    covered: Sequence[NDArray[np.bool_]],
    k: int,
    labels: NDArray[Any],
    weights: NDArray[np.float64],
) -> RuleStatistics:
    own = np.asarray(labels == rules[k].label, dtype=bool)
    others = np.zeros(labels.shape, bool)
    for j, rule in enumerate(rules):
        if j != k and rule.target == rules[k].target:
            others |= covered[j]
    right = weights[covered[k] & own].sum()
    total, in_class = weights[covered[k]].sum(), weights[own].sum()
    alone = weights[covered[k] & own & ~others].sum()
    return RuleStatistics(
        int(covered[k].sum()), _share(right, total), _share(right, in_class), _share(alone, in_class)
    )


def _remembered(rule: Rule, class_weights: Sequence[Fraction] | None) -> RuleStatistics:
    covered = rule.right + rule.wrong
    in_class = None if class_weights is None else class_weights[rule.target]
    return RuleStatistics(
        rule.rows,
        _share(rule.right, covered),
        None if in_class is None else _share(rule.right, in_class),
        None if in_class is None or rule.alone is None else _share(rule.alone, in_class),
    )


def _share(part: Any, whole: Any) -> float | None:
    return float(part / whole) if whole else None
