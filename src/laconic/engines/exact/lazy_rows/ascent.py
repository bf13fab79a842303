"""Raising a dual that is constant on groups of rows, by first-order steps over a list of rules.

The dual of ``docs/how-it-works.md``, constant per unit of weight on each group: a price for each group of
positives and a share of blame for each pair of groups. This module proves nothing; `every_rule` computes
valid bounds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_PATIENCE = 20
"""Number of steps without a gain after which steps get shorter."""


@dataclass
class Dual:
    """Prices and blame on groups.

    Attributes
    ----------
    price : ndarray, shape (n_positive_groups,)
        Price of all rows of a group together; at most the weight of the group.
    blame : ndarray, shape (n_negative_groups, n_positive_groups)
        Blame of each negative group on each positive group; a row adds up to at most the negative group's
        weight.
    """

    price: Floats
    blame: Floats

    @classmethod
    def first(cls, pos: Floats, neg: Floats) -> Dual:
        """Return low prices, with the blame spread evenly."""
        return cls(0.3 * pos, np.outer(neg, pos / pos.sum()))

    def admissible(self, pos: Floats, neg: Floats) -> Dual:
        """Return the dual with rounding errors removed: prices and blame are at most the weights."""
        share = np.minimum(1.0, neg / np.maximum(self.blame.sum(axis=1), 1e-300))
        return Dual(np.clip(self.price, 0, pos), np.maximum(self.blame, 0) * share[:, None])

    def carried(self, pos: Floats, neg: Floats) -> Dual:
        """Transfer the dual to a new grouping, given the fraction of each old group in each new one."""
        return Dual(self.price @ pos, neg.T @ self.blame @ pos)


@dataclass
class RuleList:
    """Listed rules: the fraction of each group that they cover, and their prices."""

    pos: Floats
    neg: Floats
    cost: Floats


def raised(
    dual: Dual, rules: RuleList, pos_weight: Floats, neg_weight: Floats, target: float, steps: int
) -> tuple[float, Dual, Floats]:
    """Raise the Lagrangian of the listed rules towards the target.

    The method is projected subgradient with averaged directions and Polyak steps; coordinates of heavy groups
    move farther.

    Returns
    -------
    value : float
    dual : Dual
    use : ndarray
        How often each rule was violated in the last steps.
    """
    price, blame = dual.price, dual.blame
    by_pos, by_neg = np.sqrt(pos_weight / pos_weight.max()), np.sqrt(neg_weight / neg_weight.max())[:, None]
    best, best_dual = -np.inf, dual
    use = np.zeros(rules.cost.size)
    d_price, d_blame = np.zeros_like(price), np.zeros_like(blame)
    factor, idle = 1.0, 0
    for step in range(steps):
        left = price - rules.neg @ blame
        counted = np.where(left > 0, rules.pos, 0.0)
        over = np.einsum("rg,rg->r", counted, left) - rules.cost
        violated = np.flatnonzero(over > 0)
        value = float(price.sum() - over[violated].sum())
        idle += 1
        if value > best:
            if value > best + 1e-4 * (target - best):
                idle = 0
            best, best_dual = value, Dual(price, blame)
        if idle > _PATIENCE:
            factor, idle = 0.7 * factor, 0
            price, blame = best_dual.price, best_dual.blame
        use *= 0.95
        use[violated] += 0.05
        g_price = 1 - counted[violated].sum(axis=0)
        g_blame = rules.neg[violated].T @ counted[violated]
        keep = 0.7 if step else 0.0
        d_price = keep * d_price + (1 - keep) * g_price
        d_blame = keep * d_blame + (1 - keep) * g_blame
        length = float((d_price**2 * by_pos).sum() + (d_blame**2 * by_neg).sum())
        stride = factor * (target - value) / max(length, 1e-12)
        if stride <= 0:
            break
        price = np.clip(price + stride * by_pos * d_price, 0, pos_weight)
        blame = _within(blame + stride * by_neg * d_blame, neg_weight)
    return best, best_dual, use


def _within(blame: Floats, most: Floats) -> Floats:
    """Project each row onto the non-negative vectors whose sum is at most its limit."""
    blame = np.maximum(blame, 0)
    over = np.flatnonzero(blame.sum(axis=1) > most)
    if over.size:
        rows = blame[over]
        falling = -np.sort(-rows, axis=1)
        excess = np.cumsum(falling, axis=1) - most[over, None]
        count = (falling * np.arange(1, rows.shape[1] + 1) > excess).sum(axis=1)
        level = excess[np.arange(over.size), count - 1] / count
        blame[over] = np.maximum(rows - level[:, None], 0)
    return blame
