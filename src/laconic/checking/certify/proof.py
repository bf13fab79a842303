"""A proof that no set of rules of one class costs less than a target.

The optimum is known here, so the search is for prices that prove it, not for a set. If the prices do not
suffice, the checker's exhaustive search over the few remaining rules may close the gap; otherwise the problem
is split in two on some rows ("a rule covers all of them", "none does") and each part is proved separately.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic.checking import checker
from laconic.checking.certify.effort import Effort
from laconic.checking.certify.prices import Body, LeafPrices, nothing, prices_for
from laconic.data.bits import keys
from laconic.runtime.budget import Budget

FIRST_EFFORT = 2_000
"""Initial limit on the rules and sets that the checker visits to close a leaf; doubled each time."""
LAST_EFFORT = 200_000
ALL_EFFORT = 1_000_000
"""The same limit for all leaves of a class together, because every reader of the certificate repeats the
work."""
MAX_LEAVES = 100
MAX_ROWS = 1_500
"""Maximum number of rows that are compared for a split."""


def prove(
    problem: checker.ClassProblem, target: int, start: Sequence[Body], budget: Budget
) -> tuple[dict[str, Any], int]:
    """Return a proof and the bound it proves: the target, or less if that was not possible.

    Parameters
    ----------
    problem : checker.ClassProblem
    target : int
        Cost of the best set known, without the constant.
    start : sequence of rules
        That set, as codes.
    budget : Budget
    """
    if budget.expired():
        return nothing(len(problem.pos) + len(problem.some)), 0
    search = _LeafSearch(target, start, budget)
    tree, prices = search.prove(problem)
    if tree is not None:
        return tree, target
    document, bound = prices.document(), min(target, prices.total())
    while bound + 1 < target and search.closes(document, problem, bound + 1, LAST_EFFORT):
        bound += 1
    return document, bound


class _LeafSearch:
    """One tree of splits."""

    def __init__(self, target: int, start: Sequence[Body], budget: Budget) -> None:
        self.target, self.start, self.budget = target, start, budget
        self.leaves, self.effort = 0, ALL_EFFORT

    def prove(self, problem: checker.ClassProblem) -> tuple[dict[str, Any] | None, LeafPrices]:
        """Return a proof of the target or None, and the prices at its root."""
        self.leaves += 1
        prices = prices_for(problem, self.target, self.start, self.budget)
        effort, going = FIRST_EFFORT, True
        while going:
            going = prices.raise_more(self.budget)
            if prices.total() >= self.target:
                return prices.document(), prices
            document = prices.document()
            room = (self.target - 1) * document["scale"] - sum(document["prices"])
            near = problem.hard or room < problem.literal_cost * document["scale"]
            if (near or not going) and self.closes(
                document, problem, self.target, effort if going else LAST_EFFORT
            ):
                return document, prices
            effort *= 2
        if self.leaves >= MAX_LEAVES or self.budget.expired():
            return None, prices
        rows = split_rows(problem, prices.shares())
        if rows is None:
            return None, prices
        parts: dict[str, Any] = {"rows": rows.tolist()}
        for name in ("some", "none"):
            there = (
                replace(problem, some=(*problem.some, rows))
                if name == "some"
                else replace(problem, none=(*problem.none, rows))
            )
            parts[name], _ = self.prove(there)
            if parts[name] is None:
                return None, prices
        return parts, prices

    def closes(self, document: dict[str, Any], problem: checker.ClassProblem, bound: int, nodes: int) -> bool:
        """Return whether the checker accepts the prices as a proof of the bound, within some nodes."""
        nodes = min(nodes, self.effort)
        if nodes <= 0 or self.budget.expired():
            return False
        effort = Effort(self.budget.remaining(), nodes, self.budget.clock)
        try:
            checker.Leaf(document, problem, bound, effort).close()
        except (checker.Refuted, TimeoutError):
            return False
        finally:
            self.effort -= nodes - max(0, int(effort.nodes))
        return True


def split_rows(
    problem: checker.ClassProblem, shares: Sequence[tuple[list[int], float]]
) -> NDArray[np.int64] | None:
    """Return one or two rows that the relaxation's rules cover together to about a half."""
    used = [(body, share) for body, share in shares if share > 0.01]
    if not used:
        return None
    rows = np.concatenate([problem.pos, problem.neg[:0] if problem.hard else problem.neg])
    covers = np.array([problem.holds[body][:, rows].all(axis=0) for body, _ in used])
    weight = np.array([share for _, share in used])
    # Rows covered by the same rules are equivalent for a split: take one of each kind.
    _, first = np.unique(keys(covers.T), axis=0, return_index=True)
    kinds = np.sort(first)[:MAX_ROWS]
    covers, rows = covers[:, kinds].astype(float), rows[kinds]
    together = (covers * weight[:, None]).T @ covers
    score = np.minimum(together, 1 - together)
    i, j = np.unravel_index(int(score.argmax()), score.shape)
    if score[i, j] < 0.01:
        return None
    return np.unique(rows[[i, j]])
