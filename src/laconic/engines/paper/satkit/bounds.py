"""Sizes that need no search to be refuted.

Two positive rows *clash* if no pure rule covers both: the literals they share also hold together on some
negative row. Rows that clash pairwise need a rule each, and a rule that covers row i has at least h_i
literals, where h_i is the least number of literals of i that could exclude every negative, judged by
counts. So the sum of h_i + 1 over rows that clash pairwise is a lower bound on the size of a perfect set
for the class, and the rows are the anchors of `laconic.engines.paper.sat.symmetry`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from laconic.engines.paper.satkit.part import Part
from laconic.engines.paper.satkit.view import View, class_view
from laconic.runtime.budget import Budget

_MAX_CANDIDATES = 400
_MAX_NEGATIVES = 20_000
_PAIRS_AT_ONCE = 1_000_000


def anchors_of(part: Part, budget: Budget) -> tuple[int, tuple[int, ...]]:
    """Return (lower bound, anchors as rows of the part's view) for a perfect problem.

    Rows of different classes clash by definition, so the classes' bounds and anchors add up.
    """
    if len(part.targets) == 1:
        return clashing_rows(part.view, budget)
    total = 0
    anchors: list[int] = []
    for target in part.targets:
        # A perfect problem has no contradicting rows, so the rows of this view are those of the joint one.
        bound, rows = clashing_rows(class_view(part.problem, target, budget.remaining()), budget)
        total += bound
        anchors += rows
    return total, tuple(anchors)


def clashing_rows(view: View, budget: Budget) -> tuple[int, tuple[int, ...]]:
    """Return (lower bound, rows that clash pairwise) for a perfect set of one class.

    Found greedily from several first rows; any rows give a valid bound, so large views are sampled.
    """
    net = view.weights[:, 0]
    positive = np.flatnonzero(net > 0)
    negative = view.holds[net < 0]
    if not positive.size or not negative.shape[0]:
        return (1 if positive.size else 0), ()
    if positive.size > _MAX_CANDIDATES:
        positive = positive[np.linspace(0, positive.size - 1, _MAX_CANDIDATES).astype(np.int64)]
    if negative.shape[0] > _MAX_NEGATIVES:
        # Fewer negatives: fewer clashes and easier exclusion, so the bound stays valid.
        negative = negative[np.linspace(0, negative.shape[0] - 1, _MAX_NEGATIVES).astype(np.int64)]
    holds = view.holds[positive]
    least = _least_literals(holds, negative)
    order = np.lexsort((np.arange(positive.size), -least))
    clashes: dict[int, NDArray[np.bool_]] = {}
    outside = (~negative).astype(np.float32)
    at_once = max(1, _PAIRS_AT_ONCE // negative.shape[0])

    def clash(row: int) -> NDArray[np.bool_]:
        if row not in clashes:
            found = np.zeros(positive.size, bool)
            for rows in np.array_split(np.arange(positive.size), -(-positive.size // at_once)):
                if budget.expired():  # what was not looked at does not clash, as far as is known
                    break
                shared = (holds[rows] & holds[row]).astype(np.float32)
                # A negative outside no shared literal lies in every rule that covers both rows.
                found[rows] = (shared @ outside.T == 0).any(axis=1)
            found[row] = False
            clashes[row] = found
        return clashes[row]

    best: tuple[int, tuple[int, ...]] = (int(least[order[0]]) + 1, (int(positive[order[0]]),))
    for start in order[:10]:
        chosen, open_ = [int(start)], clash(int(start)).copy()
        while open_.any() and not budget.expired():
            row = int(order[np.flatnonzero(open_[order])[0]])
            chosen.append(row)
            open_ &= clash(row)
        size = int(sum(least[row] + 1 for row in chosen))
        if size > best[0]:
            best = (size, tuple(int(positive[row]) for row in chosen))
        if budget.expired():
            break
    return best


def _least_literals(holds: NDArray[np.bool_], negative: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return, for each row, how many of its literals are needed at least to exclude all negatives."""
    excluded = (~negative).sum(axis=0)
    counts = -np.sort(-np.where(holds, excluded, 0), axis=1)
    enough = counts.cumsum(axis=1) >= negative.shape[0]
    # Without enough literals no pure rule exists; the caller has checked that, so the bound is then harmless.
    least: NDArray[np.int64] = np.where(
        enough.any(axis=1), enough.argmax(axis=1) + 1, enough.shape[1]
    ).astype(np.int64)
    return least
