"""The rows and literals that matter to one search.

For everything that is dropped here, some optimal set does without it:

* a row whose weights for and against the class are equal costs the same in every set;
* a literal that is true on every row changes no rule, and one that is false on every row makes a rule cover
  nothing;
* of several literals with equal row sets one is enough, and features that are equal or complementary on all
  rows form a *group*, of which a rule needs at most one literal;
* in a search for one class, a literal ℓ is dominated by ℓ' if ℓ' holds on every positive row where ℓ holds
  and on no negative row where ℓ does not: exchanging ℓ for ℓ' in any rule does no harm;
* in a sparse search for one class, a literal whose positives weigh no more than the price of a rule with one
  literal is in no rule that pays, and a literal that excludes negatives of no more than its own price does
  not pay in any rule.

A class that must have a rule (``every_class``) may need a rule that does not pay: see
`laconic.engines.paper.satkit.single`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from laconic.data.bits import keys
from laconic.problem.objective import Problem

_MAX_PAIR_WORK = 4_000_000_000
"""Maximum number of multiplications in the dominance test; above it, the test is skipped."""

_WORK_PER_SECOND = 50_000_000
"""The same limit per second of the remaining time, so that the test never takes most of it."""


@dataclass(frozen=True, eq=False)
class SearchView:
    """Rows and literals of one search.

    Attributes
    ----------
    codes : ndarray of int, shape (n_literals,)
        The code of the literal in each column.
    groups : ndarray of int, shape (n_literals,)
        Number of each literal's group, from 0 without gaps; in a complete view, its feature.
    holds : ndarray of bool, shape (n_rows, n_literals)
        Whether each row satisfies each literal.
    weights : ndarray of int64, shape (n_rows, n_targets)
        Net weight for the class if there is one target, otherwise the weight in each target class.
    targets : tuple of int
        The classes whose rules are searched for.
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
        """Number of literals that matter."""
        return int(self.codes.size)


def class_view(problem: Problem, target: int, seconds: float = math.inf) -> SearchView:
    """Return the view for one class; the test for dominated literals is skipped if time is short."""
    net, rows = _net_weights(problem, target)
    codes, holds, groups = _distinct(*_literals(problem, rows))
    if not problem.hard:
        gained = np.maximum(net, 0) @ holds
        keep = (problem.error_cost * gained > problem.rule_price(1)) & _excludes_enough(problem, net, holds)
        codes, holds, groups = codes[keep], holds[:, keep], groups[keep]
    keep = ~_dominated(holds[net > 0], holds[net < 0], min(_MAX_PAIR_WORK, seconds * _WORK_PER_SECOND))
    return SearchView(codes[keep], _ranks(groups[keep]), holds[:, keep], net[:, None], (target,))


def complete_view(problem: Problem, target: int) -> SearchView:
    """Return the view for a single rule, which need not pay; groups are features."""
    net, rows = _net_weights(problem, target)
    codes, holds = _literals(problem, rows)
    keep = _excludes_enough(problem, net, holds)
    return SearchView(codes[keep], codes[keep] >> 1, holds[:, keep], net[:, None], (target,))


def joint_view(problem: Problem) -> SearchView:
    """Return the view for all classes together."""
    weights = problem.table.weights[:, problem.classes]
    rows = np.flatnonzero(weights.sum(axis=1))
    codes, holds, groups = _distinct(*_literals(problem, rows))
    return SearchView(codes, _ranks(groups), holds, weights[rows], problem.classes)


def _net_weights(problem: Problem, target: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the non-zero net weights for a class, and their rows."""
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
    """Keep one literal per row set, drop constant ones, and number the groups."""
    varying = holds.any(axis=0) & ~holds.all(axis=0)
    codes, holds = codes[varying], holds[:, varying]
    if not codes.size:
        return codes, holds, codes
    packed = keys(holds.T)
    first = np.sort(np.unique(packed, axis=0, return_index=True)[1])
    codes, holds = codes[first], holds[:, first]
    # Flipping a column so that its first row is false makes complementary columns equal.
    flipped = keys((holds ^ holds[0]).T)
    groups = np.unique(flipped, axis=0, return_inverse=True)[1].reshape(-1)
    return codes, holds, groups


def _ranks(groups: NDArray[np.int64]) -> NDArray[np.int64]:
    """Renumber the groups from 0 in order of first appearance."""
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
    # Entry (a, b): number of positives lost and negatives gained when b replaces a.
    worse = p.T @ (1 - p) + (1 - n).T @ n
    better = worse == 0
    np.fill_diagonal(better, False)
    dominated: NDArray[np.bool_] = better.any(axis=1)
    return dominated
