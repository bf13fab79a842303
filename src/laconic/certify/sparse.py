"""A sparse class's proof: prices and blame at the root, or at the leaves of a small tree.

The optimum is known when this runs, so the search is for a dual that proves it, not for a set. The native
`SparsePrices` raises and repairs prices until they are feasible for all rules. Where they fall short, the checker's
own exhaustive choice among the few rules left may close the gap; else the problem is split on a row.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic import checker
from laconic.budget import Budget
from laconic.native import kernels

CHOICE_SECONDS = 5.0
"""What the checker may need for the choice among the rules left before the proof is split instead."""


def leaf(problem: checker.Problem, target: int, rules: list[list[int]], budget: Budget) -> Prices:
    """Raise prices for the problem of one leaf towards the target."""
    pos = np.hstack([problem.holds[:, problem.pos], problem.covering(problem.some)])
    neg = np.hstack([problem.holds[:, problem.neg], problem.covering(problem.none)])
    heavy = max(1, target)
    pos_weight = np.append(problem.weight[problem.pos], np.full(len(problem.some), heavy))
    neg_weight = np.append(problem.weight[problem.neg], np.full(len(problem.none), heavy))
    return Prices(problem, target, (pos, pos_weight), (neg, neg_weight), rules, budget)


class Prices:
    """The native prices of one problem, in the certificate's words."""

    def __init__(
        self,
        problem: checker.Problem,
        target: int,
        pos: tuple[NDArray[np.bool_], NDArray[np.int64]],
        neg: tuple[NDArray[np.bool_], NDArray[np.int64]],
        rules: list[list[int]],
        budget: Budget,
    ) -> None:
        self.problem, self.target = problem, target
        self.pos, self.neg = pos[0], neg[0]
        self.n_soft = len(problem.neg)
        self.scale = scale_for(problem, int(pos[1].sum()), int(neg[1].sum()))
        # Heaviest rows first: the native code counts words of equal weight quickly.
        self.pos_order = np.argsort(-pos[1], kind="stable")
        self.neg_order = np.argsort(-neg[1], kind="stable")
        self.literals = self._useful_literals()
        index = {int(code): k for k, code in enumerate(problem.codes[self.literals])}
        start = [[index[code] for code in body] for body in rules if all(code in index for code in body)]
        self.native = kernels.SparsePrices(
            np.ascontiguousarray(self.pos[self.literals][:, self.pos_order]),
            pos[1][self.pos_order].tolist(),
            np.ascontiguousarray(self.neg[self.literals][:, self.neg_order]),
            neg[1][self.neg_order].tolist(),
            problem.rule_cost,
            problem.literal_cost,
            self.scale,
        )
        seconds = budget.remaining()
        self.closed = self.native.raise_to(
            target, start, -1.0 if np.isinf(seconds) else seconds, kernels.StopFlag()
        )

    def _useful_literals(self) -> NDArray[np.int64]:
        excluding = np.flatnonzero(~self.neg.all(axis=1))
        if any(rows.size == 0 for rows in self.problem.some):
            return excluding
        both = np.packbits(np.hstack([self.pos, self.neg])[excluding], axis=1)
        _, first = np.unique(both, axis=0, return_index=True)
        return np.asarray(excluding[np.sort(first)], np.int64)

    @property
    def bound(self) -> int:
        """What the prices alone prove."""
        return max(0, -(-self.native.sum // self.scale))

    def document(self) -> dict[str, Any]:
        """Return the leaf as the certificate writes it."""
        native = self.native
        prices = np.empty(self.pos.shape[1], np.int64)
        prices[self.pos_order] = native.prices()
        codes = self.problem.codes[self.literals]
        splitters = sorted(sorted(int(codes[k]) for k in body) for body in native.splitters())
        where = {int(code): k for k, code in enumerate(self.problem.codes)}
        bodies = [[where[code] for code in body] for body in splitters]
        pos_group, _ = checker._groups(self.pos, bodies)
        neg_group, _ = checker._groups(self.neg[:, : self.n_soft], bodies)
        native_pos, native_neg = native.groups()
        of_pos = {g: int(pos_group[i]) for g, i in zip(native_pos, self.pos_order, strict=True)}
        of_neg = {
            h: int(neg_group[j])
            for h, j in zip(native_neg, self.neg_order, strict=True)
            if j < self.n_soft
        }
        shares: dict[int, dict[int, int]] = {}
        for h, g, units in native.blame():
            if h in of_neg:
                shares.setdefault(of_neg[h], {})[of_pos[g]] = units
        blame = [
            [h, *(number for pair in sorted(shares[h].items()) for number in pair)] for h in sorted(shares)
        ]
        return {"scale": self.scale, "prices": prices.tolist(), "splitters": splitters, "blame": blame}


def scale_for(problem: checker.Problem, pos_weight: int, neg_weight: int) -> int:
    """Return a power of two that rounds little of the blame away and keeps every sum exact."""
    total = pos_weight + neg_weight + problem.price(len(problem.codes))
    scale = 1
    while scale < 4096 * max(1, pos_weight) and 4 * scale * total < checker.LIMIT:
        scale *= 2
    return scale
