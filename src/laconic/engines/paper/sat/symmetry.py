"""Orders of literals and rules that need not be tried.

``features``
    The features of a rule appear in increasing order (the first constraint of the paper's commented-out
    part).
``paper``
    Also, the first features of the rules never decrease (its second constraint).
``anchored``
    Increasing features, and the first rules are tied to *anchors*: positive rows no two of which any rule
    of a perfect set can cover together. Each anchor has a rule of its own, so the rules can be ordered to
    make the t-th rule cover the t-th anchor; until then only literals that hold on the anchor may be
    chosen. Ours; perfect sets of one class only.

The paper states both constraints with O(K²) literals per node, the second for every pair of nodes. With the
prefix variables of a node, p_g = "the chosen group is at most g", both take O(K) clauses per node.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from laconic.engines.paper.satkit.clauses import Clauses
from laconic.engines.paper.satkit.view import View


def increasing_features(
    choose: NDArray[np.int64], groups: NDArray[np.int64], next_prefix: Sequence[int]
) -> Clauses:
    """After a literal of group g comes no literal of a group up to g."""
    return [[-s, -next_prefix[g]] for s, g in zip(choose.tolist(), groups.tolist(), strict=True)]


class FirstFeatures:
    """The first features of the rules never decrease.

    ``first[g]`` of a node may be true only if the rule that the node belongs to starts with a group up to g.
    """

    def __init__(self, n_groups: int) -> None:
        self._n_groups = n_groups
        self._first: list[int] | None = None

    def extend(
        self,
        previous_leaf: int | None,
        choose: NDArray[np.int64],
        groups: NDArray[np.int64],
        prefix: Sequence[int],
        first: list[int],
    ) -> Clauses:
        """Constrain one more node; ``previous_leaf`` is ``None`` at node 1."""
        starts = [] if previous_leaf is None else [-previous_leaf]
        clauses = [[-a, b] for a, b in pairwise(first)]
        # first[g] at the start of a rule: no choice beyond g, said once per group thanks to monotonicity.
        clauses += [
            [*starts, -first[g - 1], -s]
            for s, g in zip(choose.tolist(), groups.tolist(), strict=True)
            if g > 0
        ]
        if previous_leaf is not None:
            assert self._first is not None
            for now, before, p in zip(first, self._first, prefix, strict=True):
                clauses.append([previous_leaf, -now, before])
                clauses.append([-previous_leaf, -p, before])
        self._first = first
        return clauses


class Anchors:
    """The t-th rule covers the t-th anchor.

    ``begun[t]`` of a node: at least t + 1 rules have ended before it.
    """

    def __init__(self, view: View, anchors: Sequence[int]) -> None:
        self._excluding = [np.flatnonzero(~view.holds[row]) for row in anchors]
        self._begun: list[int] | None = None

    def extend(self, previous_leaf: int | None, choose: NDArray[np.int64], begun: list[int]) -> Clauses:
        """Constrain one more node; ``begun`` is empty at node 1, where no rule has ended."""
        clauses: Clauses = []
        if previous_leaf is None:
            return [[-int(choose[k])] for k in self._excluding[0]]
        for t, now in enumerate(begun):
            before = None if self._begun is None else self._begun[t]
            earlier = None if t == 0 else (None if self._begun is None else self._begun[t - 1])
            if before is not None:
                clauses.append([-before, now])
            if t == 0:
                clauses.append([-previous_leaf, now])
                clauses.append([-now, previous_leaf, *([before] if before is not None else [])])
            elif earlier is None:
                clauses.append([-now])
            else:
                assert before is not None
                clauses.append([-previous_leaf, -earlier, now])
                clauses.append([-now, before, previous_leaf])
                clauses.append([-now, before, earlier])
        for t, excluding in enumerate(self._excluding):
            ended = [] if t == 0 else [-begun[t - 1]]
            clauses += [[*ended, begun[t], -int(choose[k])] for k in excluding]
        self._begun = begun
        return clauses
