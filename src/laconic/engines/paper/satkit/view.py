"""The table as one search sees it: the rows that matter and the literals worth trying.

Everything dropped here is dropped without losing any optimum:

* rows whose weights for and against the class cancel cost the same whatever is decided;
* a literal true on every row changes no rule; one false on every row makes a rule cover nothing;
* of literals with equal row sets one is enough, and features that are equal or complementary on the rows
  form one *group*, of which a rule needs at most one literal;
* in a search for one class, a literal ℓ is dominated by ℓ' if ℓ' holds on every positive row where ℓ holds
  and on no negative row where ℓ does not: exchange ℓ for ℓ' in any rule and nothing gets worse.

* sparse, one class: a literal whose positives weigh no more than a rule of two nodes costs is in no rule
  that pays, and one that excludes negatives of no more than its own cost does not pay within any rule.

A class that must have a rule (``every_class``) may need one that does not pay: see
`laconic.engines.paper.satkit.single`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from laconic.problem.objective import Problem

_MAX_PAIR_WORK = 4_000_000_000
"""Multiplications that the dominance test may take; beyond it the test is skipped, which is only slower."""

_WORK_PER_SECOND = 50_000_000
"""The same per second of the time there is: an eye for dominance must not cost the search."""


@dataclass(frozen=True, eq=False)
class View:
    """Rows and literals of one search.

    Attributes
    ----------
    codes : ndarray of int, shape (n_literals,)
        The literal that each column stands for.
    groups : ndarray of int, shape (n_literals,)
        Number of the literal's feature group, from 0 without holes; in a complete view, its feature.
    holds : ndarray of bool, shape (n_rows, n_literals)
        Whether the row satisfies the literal.
    weights : ndarray of int64, shape (n_rows, n_targets)
        Net weight for the class if there is one target, else the weight in each target class.
    targets : tuple of int
        Classes whose rules are searched for.
    """

    codes: NDArray[np.int64]
    groups: NDArray[np.int64]
    holds: NDArray[np.bool_]
    weights: NDArray[np.int64]
    targets: tuple[int, ...]

    @property
    def n_rows(self) -> int:
        """Number of rows that matter."""
        return int(self.holds.shape[0])

    @property
    def n_literals(self) -> int:
        """Number of literals worth trying."""
        return int(self.codes.size)


def class_view(problem: Problem, target: int, seconds: float = math.inf) -> View:
    """Return the view for one class; dominated literals are looked for as far as the time allows."""
    net, rows = _net_weights(problem, target)
    codes, holds, groups = _distinct(*_literals(problem, rows))
    if not problem.hard:
        gained = np.maximum(net, 0) @ holds
        keep = (problem.error_cost * gained > problem.rule_price(1)) & _excludes_enough(problem, net, holds)
        codes, holds, groups = codes[keep], holds[:, keep], groups[keep]
    keep = ~_dominated(holds[net > 0], holds[net < 0], min(_MAX_PAIR_WORK, seconds * _WORK_PER_SECOND))
    return View(codes[keep], _ranks(groups[keep]), holds[:, keep], net[:, None], (target,))


def complete_view(problem: Problem, target: int) -> View:
    """Return the view for a single rule, which need not pay; groups are features."""
    net, rows = _net_weights(problem, target)
    codes, holds = _literals(problem, rows)
    keep = _excludes_enough(problem, net, holds)
    return View(codes[keep], codes[keep] >> 1, holds[:, keep], net[:, None], (target,))


def joint_view(problem: Problem) -> View:
    """Return the view for all classes together."""
    weights = problem.table.weights[:, problem.classes]
    rows = np.flatnonzero(weights.sum(axis=1))
    codes, holds, groups = _distinct(*_literals(problem, rows))
    return View(codes, _ranks(groups), holds, weights[rows], problem.classes)


def _net_weights(problem: Problem, target: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the net weights for a class that are not zero, and their rows."""
    weights = problem.table.weights
    net = 2 * weights[:, target] - weights.sum(axis=1)
    rows = np.flatnonzero(net)
    return net[rows], rows


def _excludes_enough(problem: Problem, net: NDArray[np.int64], holds: NDArray[np.bool_]) -> NDArray[np.bool_]:
    excluded = np.maximum(-net, 0) @ ~holds
    enough: NDArray[np.bool_] = problem.error_cost * excluded > problem.literal_cost
    return enough


def _literals(problem: Problem, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    table = problem.table
    matrix = table.matrix[rows]
    both = np.stack([~matrix, matrix], axis=2).reshape(rows.size, 2 * table.n_features)
    codes = np.flatnonzero(table.allowed.reshape(-1))
    return codes, both[:, codes]


def _distinct(
    codes: NDArray[np.int64], holds: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.int64]]:
    """Keep one literal per row set, without the constant ones; number the groups."""
    varying = holds.any(axis=0) & ~holds.all(axis=0)
    codes, holds = codes[varying], holds[:, varying]
    if not codes.size:
        return codes, holds, codes
    packed = np.packbits(holds, axis=0).T
    first = np.sort(np.unique(packed, axis=0, return_index=True)[1])
    codes, holds = codes[first], holds[:, first]
    # Flipping a column so that its first row is false makes complementary columns equal.
    flipped = np.packbits(holds ^ holds[0], axis=0).T
    groups = np.unique(flipped, axis=0, return_inverse=True)[1].reshape(-1)
    return codes, holds, groups


def _ranks(groups: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the groups renumbered from 0 in order of first appearance."""
    _, first, inverse = np.unique(groups, return_index=True, return_inverse=True)
    order = np.argsort(np.argsort(first))
    return order[inverse.reshape(-1)]


def _dominated(
    positive: NDArray[np.bool_], negative: NDArray[np.bool_], most_work: float
) -> NDArray[np.bool_]:
    n_literals = positive.shape[1]
    if n_literals**2 * (positive.shape[0] + negative.shape[0]) > most_work:
        return np.zeros(n_literals, bool)
    p, n = positive.astype(np.float32), negative.astype(np.float32)
    # Entry (a, b): positives lost and negatives gained when b takes the place of a.
    worse = p.T @ (1 - p) + (1 - n).T @ n
    better = worse == 0
    np.fill_diagonal(better, False)
    dominated: NDArray[np.bool_] = better.any(axis=1)
    return dominated
