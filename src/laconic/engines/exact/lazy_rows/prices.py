"""Prices on some rows: a list of rules, groups of rows, and a dual on the groups.

List and groups are found on a subset of the rows: raise the prices on the list, search for violated rules,
list them, split the groups by the rules most in use, and repeat. The same groups and prices, taken to all
rows, are the start of the dual that proves the bound.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

import numpy as np
from numpy.typing import NDArray

from laconic.engines.exact.lazy_rows.ascent import Dual, RuleList, raised
from laconic.engines.exact.lazy_rows.every_rule import Costs, Examined, examine
from laconic.engines.exact.lazy_rows.groups import RowGroups, Splits, grouped, split_by
from laconic.engines.exact.lazy_rows.rows import Body, SignedRows
from laconic.engines.exact.lazy_rows.triples import Triples

_STEPS = 200
_JOINING = 30
"""Maximum number of rules that join the list at once; the most violated ones join first."""
_ALIKE = 3
"""Maximum number of joining rules that share a literal: near-copies of one rule add little."""
_LONG_LIST = 250


class PricedRows:
    """A dual on groups of rows, with the list of rules behind it."""

    def __init__(
        self, rows: SignedRows, pos: RowGroups, neg: RowGroups, splits: tuple[Splits, Splits], costs: Costs
    ) -> None:
        self.rows, self.pos, self.neg, self.splits, self.costs = rows, pos, neg, splits, costs
        self.dual = Dual.first(pos.weight, neg.weight)
        self.bodies: list[Body] = []
        self.use: dict[Body, float] = {}
        self._shares: list[tuple[NDArray[np.float64], NDArray[np.float64]]] = []

    @classmethod
    def split(
        cls, rows: SignedRows, rules: Sequence[Body], pairs: int, costs: Costs
    ) -> Generator[None, None, PricedRows]:
        """Group rows by rules, as finely as the maximum number of pairs of groups allows."""
        pos, neg = rows.sides
        both = [(side, np.abs(rows.net[side])) for side in (pos, neg)]
        covers = list(rows.covers(rules))
        least = float(np.abs(rows.net).sum()) / 4
        found = [split_by(rules, (c[side] for c in covers), weight, least) for side, weight in both]
        while least > 1:
            yield
            least /= 2
            finer = [split_by(rules, (c[side] for c in covers), weight, least) for side, weight in both]
            if np.prod([float(group_of.max()) + 1 for group_of, _ in finer]) > pairs:
                break
            found = finer
        sides = []
        for (side, weight), (group_of, _) in zip(both, found, strict=True):
            sides.append((yield from grouped(rows.bits, side, weight, group_of)))
        return cls(rows, sides[0], sides[1], (found[0][1], found[1][1]), costs)

    def on(self, rows: SignedRows, costs: Costs) -> Generator[None, None, PricedRows]:
        """Transfer groups, prices and list to other rows."""
        sides = []
        for side, splits in zip(rows.sides, self.splits, strict=True):
            covers = (cover[side] for cover in rows.covers(splits.rules))
            group_of = splits.apply(covers, side.size)
            yield
            sides.append((yield from grouped(rows.bits, side, np.abs(rows.net[side]), group_of)))
        other = PricedRows(rows, sides[0], sides[1], self.splits, costs)
        other.dual = Dual(
            self.dual.price / self.pos.weight * other.pos.weight,
            self.dual.blame / self.neg.weight[:, None] * other.neg.weight[:, None],
        )
        for body in self.bodies:
            if self.use[body] > 1e-3:
                other.add(body)
                yield
        return other

    def regrouped(self, pairs: int) -> Generator[None, None, PricedRows]:
        """Return finer groups, split by the rules of the old groups and then by those most in use."""
        known = dict.fromkeys(rule for one in self.splits for rule in one.rules)
        kept = [rule for rule in known if self.used(rule)]
        rest = sorted((b for b in self.bodies if self.used(b) and b not in kept), key=lambda b: -self.use[b])
        other = yield from PricedRows.split(self.rows, kept + rest, pairs, self.costs)
        shares = []
        for place, side in enumerate(self.rows.sides):
            weight = np.abs(self.rows.net[side])
            old, new = (
                one.splits[place].apply(
                    (c[side] for c in self.rows.covers(one.splits[place].rules)), side.size
                )
                for one in (self, other)
            )
            share = np.zeros((int(old.max()) + 1, int(new.max()) + 1))
            np.add.at(share, (old, new), weight)
            shares.append(share / share.sum(axis=1, keepdims=True))
        other.dual = self.dual.carried(*shares)
        for body in self.bodies if len(self.bodies) < _LONG_LIST else filter(self.used, self.bodies):
            other.add(body)
            other.use[body] = self.use[body]
        return other

    def used(self, body: Body) -> bool:
        """Whether the rule was violated in recent ascents."""
        return self.use.get(body, 0.0) > 1e-3

    def add(self, body: Body) -> None:
        """Add a rule to the list."""
        if body not in self.use:
            self.bodies.append(body)
            self.use[body] = 0.5
            self._shares.append(
                (self.pos.weigh_rule(body) / self.pos.weight, self.neg.weigh_rule(body) / self.neg.weight)
            )

    def ascend(self, target: float) -> float:
        """Raise the prices towards the target; return the bound over listed rules only."""
        listed = RuleList(
            np.array([pos for pos, _ in self._shares]),
            np.array([neg for _, neg in self._shares]),
            np.array([self.costs.of(len(body)) for body in self.bodies], np.float64),
        )
        value, self.dual, use = raised(self.dual, listed, self.pos.weight, self.neg.weight, target, _STEPS)
        for body, now in zip(self.bodies, use.tolist(), strict=True):
            self.use[body] = 0.5 * self.use[body] + now
        return value

    def examine(
        self, literals: NDArray[np.int64], enough: float = 0.0, triples: Triples | None = None
    ) -> Generator[Examined, None, Examined]:
        """Search all rules for violated ones; see `every_rule.examine`."""
        return examine(self.pos, self.neg, self.dual, self.costs, literals, enough, triples)

    def prices(self) -> NDArray[np.float64]:
        """Return the price per unit of weight in each group of positives, as used by `examine`."""
        return self.dual.admissible(self.pos.weight, self.neg.weight).price / self.pos.weight

    def promising(self, literals: NDArray[np.int64]) -> Generator[None, None, list[int]]:
        """Return the features ordered by the best rule of two literals that contains each, the best first."""
        best = np.full(2 * self.rows.bits.shape[0], -np.inf)
        for code in literals.tolist():
            net = (self.pos.extended((code,)).sum(axis=1) - self.neg.extended((code,)).sum(axis=1))[literals]
            best[code] = net[literals >> 1 != code >> 1].max(initial=-np.inf)
            yield
        of_column = best.reshape(-1, 2).max(axis=1)
        return [int(column) for column in np.argsort(-of_column, kind="stable")]

    def join(self, found: Examined) -> int:
        """Add the most violated rules to the list; return how many are new."""
        shared: dict[int, int] = {}
        joined = 0
        for _, _, body in sorted(found.violated, reverse=True):
            if body in self.use or any(shared.get(code, 0) >= _ALIKE for code in body):
                continue
            self.add(body)
            joined += 1
            for code in body:
                shared[code] = shared.get(code, 0) + 1
            if joined == _JOINING:
                break
        return joined
