"""Prices for one leaf of a proof, raised by the native code and written in the format of the checker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from laconic.checking import checker
from laconic.data.bits import keys
from laconic.runtime.budget import Budget
from laconic.runtime.native import kernels

Body = Sequence[int]

_PAIRS_AT_ONCE = 4_000_000
"""Number of pairs of rows compared between two checks of the clock."""


class LeafPrices(Protocol):
    """The interface of both kinds of prices."""

    def raise_more(self, budget: Budget) -> bool:
        """Raise the prices; return False if more work gains nothing."""
        ...

    def total(self) -> int:
        """Return the bound that the prices alone prove."""
        ...

    def document(self) -> dict[str, Any]:
        """Return the leaf in the format of the certificate."""
        ...

    def shares(self) -> list[tuple[list[int], float]]:
        """Return the rules (positions of their literals) in the relaxation's solution, and their shares."""
        ...


def nothing(n_positives: int) -> dict[str, Any]:
    """Return a leaf that proves a bound of 0."""
    return {"scale": 1, "prices": [0] * n_positives, "splitters": [], "blame": []}


def prices_for(
    problem: checker.ClassProblem, target: int, start: Sequence[Body], budget: Budget
) -> LeafPrices:
    """Return initial prices, to be raised towards the target; ``start``: codes of good rules."""
    return CoverPrices(problem, budget) if problem.hard else SparsePrices(problem, target, start)


class SparsePrices:
    """Prices and blame of a sparse problem.

    Splits enter as rows as heavy as the target: a set that violates a split costs at least the target.
    """

    def __init__(self, problem: checker.ClassProblem, target: int, start: Sequence[Body]) -> None:
        self.problem, self.target = problem, target
        self.pos = np.hstack([problem.holds[:, problem.pos], problem.covering(problem.some)])
        self.neg = np.hstack([problem.holds[:, problem.neg], problem.covering(problem.none)])
        pos_weight = np.append(problem.weight[problem.pos], np.full(len(problem.some), max(1, target)))
        neg_weight = np.append(problem.weight[problem.neg], np.full(len(problem.none), max(1, target)))
        self.scale = scale_for(problem, int(pos_weight.sum()), int(neg_weight.sum()))
        # Heaviest first: the native code counts words of rows of equal weight quickly.
        self.pos_order = np.argsort(-pos_weight, kind="stable")
        self.neg_order = np.argsort(-neg_weight, kind="stable")
        self.literals = self._useful_literals()
        position = {int(code): k for k, code in enumerate(problem.codes[self.literals])}
        self.start = [[position[code] for code in body] for body in start if set(body) <= set(position)]
        self.rounds = 6
        self.native = kernels.SparsePrices(
            np.ascontiguousarray(self.pos[self.literals][:, self.pos_order]),
            pos_weight[self.pos_order].tolist(),
            np.ascontiguousarray(self.neg[self.literals][:, self.neg_order]),
            neg_weight[self.neg_order].tolist(),
            problem.rule_cost,
            problem.literal_cost,
            self.scale,
        )

    def _useful_literals(self) -> NDArray[np.int64]:
        excluding = np.flatnonzero(~self.neg.all(axis=1))
        if any(rows.size == 0 for rows in self.problem.some):
            return excluding
        both = keys(np.hstack([self.pos, self.neg])[excluding])
        _, first = np.unique(both, axis=0, return_index=True)
        return np.asarray(excluding[np.sort(first)], np.int64)

    def raise_more(self, budget: Budget) -> bool:
        """Raise for some rounds, twice as many each time."""
        self.native.raise_to(self.target, self.start, self.rounds, seconds(budget), budget.stop_flag())
        self.rounds *= 2
        return not self.native.stalled and not budget.expired()

    def total(self) -> int:
        """Return the bound that the prices alone prove."""
        return int(max(0, -(-self.native.sum // self.scale)))

    def shares(self) -> list[tuple[list[int], float]]:
        """Return the listed rules with their use in the ascent."""
        return [([int(self.literals[k]) for k in body], share) for body, share in self.native.shares()]

    def document(self) -> dict[str, Any]:
        """Write prices per row, and blame between the groups that the splitters make."""
        if self.native.sum < 0:  # stopped before the first prices were feasible
            return nothing(self.pos.shape[1])
        prices = np.empty(self.pos.shape[1], np.int64)
        prices[self.pos_order] = self.native.prices()
        bodies = sorted(sorted(int(self.literals[k]) for k in body) for body in self.native.splitters())
        n_soft = len(self.problem.neg)
        n_rows = len(self.problem.pos)
        pos_group, n_groups = checker.groups(self.pos[:, :n_rows], bodies)
        neg_group, _ = checker.groups(self.neg[:, :n_soft], bodies)
        native_pos, native_neg = self.native.groups()
        # The groups of the certificate in each native group; a split is a group of its own, of weight 1.
        of_pos: dict[int, dict[int, int]] = {}
        for g, i in zip(native_pos, self.pos_order.tolist(), strict=True):
            ours = (int(pos_group[i]), 1) if i < n_rows else (n_groups + i - n_rows, max(1, self.target))
            of_pos.setdefault(g, {})[ours[0]] = ours[1]
        pairs = zip(native_neg, self.neg_order, strict=True)
        of_neg = {h: int(neg_group[j]) for h, j in pairs if j < n_soft}
        shares: dict[int, dict[int, int]] = {}
        for h, g, units in self.native.blame():
            if h in of_neg:  # the others are splits, whose blame is without limit
                row = shares.setdefault(of_neg[h], {})
                row |= {ours: units * weight for ours, weight in of_pos[g].items()}
        return {
            "scale": self.scale,
            "prices": prices.tolist(),
            "splitters": [self.problem.codes[body].tolist() for body in bodies],
            "blame": [[h, *(n for pair in sorted(shares[h].items()) for n in pair)] for h in sorted(shares)],
        }


class CoverPrices:
    """Prices of a perfect problem: the dual of its covering relaxation."""

    def __init__(self, problem: checker.ClassProblem, budget: Budget) -> None:
        self.problem = problem
        pos = np.hstack([problem.holds[:, problem.pos], problem.covering(problem.some)])
        neg = np.hstack([problem.holds[:, problem.neg], problem.covering(problem.none)])
        self.n_pos, self.n_neg = pos.shape[1], neg.shape[1]
        useful = np.flatnonzero(pos.any(axis=1) & ~neg.all(axis=1))
        self.literals = useful[checker.unbeaten(np.hstack([pos, ~neg])[useful], np.zeros(len(useful)))]
        self.native = kernels.CoverPrices(
            np.ascontiguousarray(pos[self.literals]),
            np.ascontiguousarray(neg[self.literals]),
            problem.rule_cost,
            problem.literal_cost,
        )
        # Rows that no consistent rule covers: the split cannot be satisfied, so any price is valid.
        self.hopeless = self._hopeless_rows(pos, neg, budget)

    def _hopeless_rows(
        self, pos: NDArray[np.bool_], neg: NDArray[np.bool_], budget: Budget
    ) -> NDArray[np.int64]:
        """Return the positives that even the rule with all literals that hold on them does not separate.

        Without splits there are none. The search stops when time is up; the prices then stay at zero.
        """
        if not self.n_neg or not (self.problem.some or self.problem.none):
            return np.empty(0, np.int64)
        used = pos[self.literals].astype(np.float32).T
        excluded_by = (~neg[self.literals]).astype(np.float32)
        at_once = max(1, _PAIRS_AT_ONCE // self.n_neg)
        found = [np.empty(0, np.int64)]
        for first in range(0, self.n_pos, at_once):
            if budget.expired():
                break
            apart = used[first : first + at_once] @ excluded_by
            found.append(first + np.flatnonzero((apart == 0).any(axis=1)))
        return np.concatenate(found)

    def raise_more(self, budget: Budget) -> bool:
        """Solve the relaxation, after which no more work is possible."""
        if not self.hopeless.size:
            self.native.relax(seconds(budget), budget.stop_flag())
        return False

    def total(self) -> int:
        """Return the bound that the prices alone prove."""
        document = self.document()
        return int(-(-sum(document["prices"]) // document["scale"]))

    def shares(self) -> list[tuple[list[int], float]]:
        """Return the rules of the relaxation's solution."""
        return [([int(self.literals[k]) for k in body], share) for body, share in self.native.shares()]

    def document(self) -> dict[str, Any]:
        """Write prices per row; there is no blame, because negatives must not be covered at all."""
        prices = [0] * self.n_pos
        scale = self.native.scale
        if self.hopeless.size:
            prices[int(self.hopeless[0])] = checker.LIMIT // 4
        elif self.n_pos:
            # The price of a rule that covers a row.
            least = self.problem.price(1 if self.n_neg else 0) * scale
            found = self.native.prices()
            if sum(found) > least:
                prices = [int(price) for price in found]
            else:
                prices[0] = least
        return {"scale": scale, "prices": prices, "splitters": [], "blame": []}


def seconds(budget: Budget) -> float:
    """Return the remaining seconds for the native code: negative for no limit."""
    left = budget.remaining()
    return -1.0 if np.isinf(left) else left


def scale_for(problem: checker.ClassProblem, pos_weight: int, neg_weight: int) -> int:
    """Return a power of two that rounds little of the blame away and keeps every sum exact."""
    total = pos_weight + neg_weight + problem.price(len(problem.codes))
    scale = 1
    while scale < 4096 * max(1, pos_weight) and 4 * scale * total < checker.LIMIT:
        scale *= 2
    return scale
