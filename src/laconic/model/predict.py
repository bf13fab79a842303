"""From rows to covering rules to classes, column by column.

Each distinct literal is evaluated once, on the raw column; a rule is the conjunction of its literals' masks.
Among the rules that cover a row the one with the best Laplace precision decides. If all of them predict one
class, the row gets that class; if they disagree, precision breaks the tie. So one pass over the rules, worst
first, decides every row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from laconic.data.column import View
from laconic.data.literals import Literal
from laconic.model.rule import Rule

NO_RULE = -1
"""The deciding rule of a row that no rule covers."""

_CAP = 1 - 2**-30
"""Maximum probability of any other class, as a share of the predicted class's, so that ties agree."""


def literal_masks(literals: Iterable[Literal], rows: View) -> dict[Literal, NDArray[np.bool_]]:
    """Evaluate each distinct literal once; missing values satisfy only ``is missing``."""
    return {literal: literal.holds(rows.cells[literal.column]) for literal in dict.fromkeys(literals)}


def rule_masks(rules: Sequence[Rule], rows: View) -> NDArray[np.bool_]:
    """Return which rules cover which rows: shape (n_rules, n_rows), one contiguous mask per rule."""
    masks = literal_masks((literal for rule in rules for literal in rule.literals), rows)
    covered = np.ones((len(rules), rows.n_rows), bool)
    for mask, rule in zip(covered, rules, strict=True):
        for literal in rule.literals:
            mask &= masks[literal]
    return covered


def class_masks(rules: Sequence[Rule], covered: NDArray[np.bool_], n_classes: int) -> NDArray[np.bool_]:
    """Return which classes have a rule that covers which rows: shape (n_classes, n_rows)."""
    claimed = np.zeros((n_classes, covered.shape[1]), bool)
    for rule, mask in zip(rules, covered, strict=True):
        claimed[rule.target] |= mask
    return claimed


def best_first(rules: Sequence[Rule]) -> list[int]:
    """Return the numbers of the rules in the order in which they decide.

    Best Laplace precision first; ties go to the heavier right weight, then to the earlier rule.
    """
    return sorted(range(len(rules)), key=lambda k: (-rules[k].laplace, -rules[k].right, k))


def deciding_rules(rules: Sequence[Rule], covered: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the number of the rule that decides each row, or `NO_RULE`.

    The first covering rule in the order of `best_first`.
    """
    chosen = np.full(covered.shape[1], NO_RULE, np.intp)
    for k in reversed(best_first(rules)):
        chosen[covered[k]] = k
    return chosen


def probabilities(class_weights: Sequence[Fraction], predicted: int) -> NDArray[np.float64]:
    """Return the Laplace-smoothed class distribution of the rows behind one prediction.

    The predicted class always has the largest probability: if its own share is not the largest, the others
    are reduced to just below it before the shares are normalised.
    """
    smoothed = np.array([float(weight + 1) for weight in class_weights])
    limit = smoothed[predicted] * _CAP
    shares = np.minimum(smoothed, limit)
    shares[predicted] = smoothed[predicted]
    return np.asarray(shares / shares.sum())
