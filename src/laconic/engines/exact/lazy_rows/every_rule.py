"""The bound that a dual on groups proves, over all rules, listed or not.

For prices y and blame μ per unit of weight, constant on groups, the value of a rule R is

    V(R) = Σ_g pos_g(R) · (y_g − Σ_h neg_h(R) μ_hg)⁺ − price(R).

If V(R) ≤ ρ · price(R) for every rule, then y / (1 + ρ) is feasible, since (ty − b)⁺ ≤ t (y − b)⁺ for t ≤ 1,
and Σ y / (1 + ρ) is a lower bound. So the search looks for the largest V(R) / price(R), best first. Whenever
it stops, the rules that were not visited are bounded as well, and a valid bound follows.

A rule that extends R by the literals L has a value of at most

    Σ_{pos of R and ℓ} (y − b(R))⁺ + Σ_{m ∈ L} (G_m − literal) − price(R)      for each ℓ ∈ L,

where b(R) is the blame of R. G_m is the blame that m takes off the positives it keeps, times min(1, y /
b(R)): (y − b + x)⁺ is convex in the blame x taken off, so it lies under its chord on 0 ≤ x ≤ b. A literal
that takes off less blame than it costs (counting at most y for each positive) is unnecessary: without it the
value is no smaller.

Counts are exact integers. All other sums are in double precision and rounded to the safe side by far more
than their error (`SAFE`).
"""

from __future__ import annotations

import heapq
from collections.abc import Generator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from laconic.engines.exact.lazy_rows.ascent import Dual
from laconic.engines.exact.lazy_rows.groups import RowGroups
from laconic.engines.exact.lazy_rows.triples import Triples

Floats = NDArray[np.float64]

SAFE = 1e-9
"""Relative safety margin: sums have fewer than 10⁶ non-negative terms, so their error is below 10⁻⁹."""


@dataclass
class Examined:
    """The result of a search over all rules, finished or not.

    Attributes
    ----------
    total : float
        Sum of the prices.
    unseen : float
        Maximum of value / price over the rules that were not visited.
    violated : list of (float, float, tuple of int)
        The rules with a positive value: (value, price, literals).
    nodes : int
        Number of rules that were extended.
    """

    total: float
    unseen: float = np.inf
    violated: list[tuple[float, float, tuple[int, ...]]] = field(default_factory=list)
    nodes: int = 0

    def bound(self) -> float:
        """Return the best bound that follows, rounded down.

        A rule whose value exceeds ρ times its price is paid for individually; lower prices account for the
        others.
        """
        if not np.isfinite(self.unseen):
            return 0.0
        value, price = (np.array([rule[k] for rule in self.violated]) for k in (0, 1))
        ratio = value / price if value.size else np.empty(0)
        order = np.argsort(-ratio, kind="stable")
        order = order[ratio[order] > self.unseen]
        # The k most violated rules are paid for individually; the next one determines the factor on prices.
        rho = np.append(ratio[order], self.unseen) * (1 + SAFE)
        share = 1 / (1 + rho)
        worth = np.concatenate([[0], np.cumsum((value + price)[order])])
        paid = np.concatenate([[0], np.cumsum(price[order])])
        bounds = share * (self.total * (1 - SAFE) - worth * (1 + SAFE)) + paid * (1 - SAFE)
        return float(bounds.max())


@dataclass(frozen=True)
class Costs:
    """Prices of a rule without literals and of a literal."""

    rule: float
    literal: float

    def of(self, n_literals: int) -> float:
        """Return the price of a rule."""
        return self.rule + self.literal * n_literals


def examine(
    pos: RowGroups,
    neg: RowGroups,
    dual: Dual,
    costs: Costs,
    literals: NDArray[np.int64],
    enough: float = 0.0,
    triples: Triples | None = None,
) -> Generator[Examined, None, Examined]:
    """Search for the most violated rule; yield the result so far after every node.

    Parameters
    ----------
    pos, neg : RowGroups
    dual : Dual
    costs : Costs
    literals : ndarray of int
        Codes of the literals that rules may use.
    enough : float
        Ratio of value to price up to which rules are ignored.
    triples : Triples, optional
        Prices kept by rules of three literals.
    """
    dual = dual.admissible(pos.weight, neg.weight)
    found = Examined(total=float(dual.price.sum()))
    price, blame = dual.price / pos.weight, dual.blame * (1 - SAFE) / np.outer(neg.weight, pos.weight)
    whole = float(pos.weight @ _left(price, neg.weight @ blame)) * (1 + SAFE) - costs.of(0)
    if whole > 0:
        found.violated.append((whole, costs.of(0), ()))
    # (minus the bound on the ratio below, body, literals that may extend it)
    heap: list[tuple[float, tuple[int, ...], NDArray[np.int64]]] = [(-np.inf, (), literals)]
    while heap and -heap[0][0] > enough:
        _, body, open_ = heapq.heappop(heap)
        found.nodes += 1
        cover_pos, cover_neg = pos.extended(body)[open_], neg.extended(body)[open_]
        here = _Node(price, neg.weigh_rule(body) @ blame, costs, len(body), cover_pos, cover_neg @ blame)
        values = here.values()
        for over in np.flatnonzero(values > 0):
            rule = tuple(sorted((*body, int(open_[over]))))
            found.violated.append((float(values[over]), costs.of(len(rule)), rule))
        three = triples.with_literal(body[0]) if triples is not None and len(body) == 1 else None
        for most, k, later in here.children(open_, enough):
            ratio, follow = most, open_[later]
            if three is not None:
                kept = three[open_[k], follow]
                follow = follow[kept > costs.of(3) * (1 + enough)]
                ratio = min(ratio, float(kept.max()) / costs.of(3) - 1)
            if follow.size:
                heapq.heappush(heap, (-ratio, (*body, int(open_[k])), follow))
        found.unseen = max(enough, -heap[0][0]) if heap else enough
        yield found
    return found


def _left(price: Floats, blame: Floats) -> Floats:
    """Return the prices minus the blame, at least zero, rounded up."""
    return np.maximum(price * (1 + SAFE) - blame * (1 - SAFE), 0)


class _Node:
    """A rule and its extensions by one literal; arrays have one row per literal."""

    def __init__(
        self, price: Floats, before: Floats, costs: Costs, n_literals: int, pos: Floats, after: Floats
    ) -> None:
        self.price, self.costs, self.n, self.pos = price, costs, n_literals, pos
        self.before, self.after = before, after  # blame without and with each literal

    def values(self) -> Floats:
        """Return V of the rule extended by each literal, rounded up."""
        worth = np.einsum("lg,lg->l", self.pos, _left(self.price, self.after))
        return np.asarray(worth * (1 + SAFE) - self.costs.of(self.n + 1))

    def children(self, open_: NDArray[np.int64], enough: float) -> list[tuple[float, int, NDArray[np.int64]]]:
        """Return (bound on the ratio below, index of the literal, indices of literals that may follow)."""
        literal, deeper = self.costs.literal, self.costs.of(self.n + 2)
        taken = np.maximum(self.before - self.after, 0) + SAFE * self.before
        kept = self.pos @ self.price * (1 + SAFE)
        recovers = np.einsum("lg,lg->l", self.pos, np.minimum(self.price, taken)) * (1 + SAFE)
        with np.errstate(divide="ignore", invalid="ignore"):
            chord = np.where(self.before > self.price, self.price / self.before, 1.0)
        gain = np.einsum("lg,lg->l", self.pos, taken * chord) * (1 + SAFE) - literal
        base = self.pos @ _left(self.price, self.before) * (1 + SAFE) - self.costs.of(self.n)
        # The literal must leave prices that pay for a rule with one more, and recover more than it costs.
        usable = np.flatnonzero((kept > deeper) & (recovers > literal))
        if usable.size == 0:
            return []
        order = usable[np.argsort((base + gain)[usable], kind="stable")]
        best = -np.sort(-gain[order])
        best[1:] = np.maximum(best[1:], 0)
        # The maximum number of literals that the prices can pay for.
        most = np.clip((kept[order] - self.costs.of(self.n + 1)) / literal, 1, best.size).astype(np.int64)
        total = (base + gain)[order] + np.cumsum(best)[most - 1]
        # The price of the shortest extension gives the largest ratio; the value is at most what prices are
        # kept.
        ratio = np.minimum(total, kept[order] - deeper) / deeper
        out = []
        for place in np.flatnonzero(ratio > enough):
            later = order[place + 1 :]
            later = later[open_[later] >> 1 != open_[order[place]] >> 1]
            if later.size:
                out.append((float(ratio[place]), int(order[place]), later))
        return out
