"""The table as one search sees it: the rows that matter and the literals worth trying.

Everything dropped here is dropped without losing any optimum:

* rows whose weights for and against the class cancel cost the same whatever is decided;
* a literal true on every row changes no rule; one false on every row makes a rule cover nothing;
* of literals with equal row sets one is enough, and features that are equal or complementary on the rows form
  one *group*, of which a rule needs at most one literal;
* in a search for one class, a literal ℓ is dominated by ℓ' if ℓ' holds on every positive row where ℓ holds and
  on no negative row where ℓ does not: exchange ℓ for ℓ' in any rule and nothing gets worse.

The exception is a class that *must* have a rule (``every_class``): its best rule may be one that covers nothing,
which the reductions above ignore. `dead_rule` finds the shortest such rule if it has at most two literals, and then
it stands as a candidate beside the search; otherwise `class_view` is asked to keep every literal.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from laconic.objective import Problem

_MAX_PAIR_WORK = 4_000_000_000
"""Multiplications that the dominance test may take; beyond it the test is skipped, which is only slower."""


@dataclass(frozen=True, eq=False)
class View:
    """Rows and literals of one search.

    Attributes
    ----------
    codes : ndarray of int, shape (n_literals,)
        The literal that each column stands for.
    groups : ndarray of int, shape (n_literals,)
        Number of the literal's feature group, from 0 without holes unless every literal is kept.
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


def class_view(problem: Problem, target: int, *, keep_all: bool = False) -> View:
    """Return the view for one class; ``keep_all`` keeps every literal that is not true everywhere."""
    weights = problem.table.weights
    net = 2 * weights[:, target] - weights.sum(axis=1)
    rows = np.flatnonzero(net)
    codes, holds = _literals(problem, rows)
    if keep_all:
        keep = ~holds.all(axis=0)
        return View(codes[keep], codes[keep] >> 1, holds[:, keep], net[rows, None], (target,))
    codes, holds, groups = _distinct(codes, holds)
    keep = ~_dominated(holds[net[rows] > 0], holds[net[rows] < 0])
    return View(codes[keep], _ranks(groups[keep]), holds[:, keep], net[rows, None], (target,))


def joint_view(problem: Problem) -> View:
    """Return the view for all classes together."""
    weights = problem.table.weights[:, problem.classes]
    rows = np.flatnonzero(weights.sum(axis=1))
    codes, holds, groups = _distinct(*_literals(problem, rows))
    return View(codes, _ranks(groups), holds, weights[rows], problem.classes)


def dead_rule(view: View) -> tuple[int, ...] | None:
    """Return a shortest conjunction of at most two literals that holds on no row of a complete view."""
    nowhere = np.flatnonzero(~view.holds.any(axis=0))
    if nowhere.size:
        return (int(view.codes[nowhere[0]]),)
    as_float = view.holds.astype(np.float32)
    apart = as_float.T @ as_float == 0
    apart &= view.groups[:, None] < view.groups[None, :]
    pairs = np.argwhere(apart)
    return (int(view.codes[pairs[0, 0]]), int(view.codes[pairs[0, 1]])) if pairs.size else None


def _literals(problem: Problem, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    table = problem.table
    matrix = table.matrix[rows]
    both = np.stack([~matrix, matrix], axis=2).reshape(rows.size, -1)
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
    """Number the groups from 0 in order of first appearance."""
    _, first, inverse = np.unique(groups, return_index=True, return_inverse=True)
    order = np.argsort(np.argsort(first))
    return order[inverse.reshape(-1)]


def _dominated(positive: NDArray[np.bool_], negative: NDArray[np.bool_]) -> NDArray[np.bool_]:
    n_literals = positive.shape[1]
    if n_literals**2 * (positive.shape[0] + negative.shape[0]) > _MAX_PAIR_WORK:
        return np.zeros(n_literals, bool)
    p, n = positive.astype(np.float32), negative.astype(np.float32)
    # Entry (a, b): positives lost and negatives gained when b takes the place of a.
    worse = p.T @ (1 - p) + (1 - n).T @ n
    better = worse == 0
    np.fill_diagonal(better, False)
    dominated: NDArray[np.bool_] = better.any(axis=1)
    return dominated
