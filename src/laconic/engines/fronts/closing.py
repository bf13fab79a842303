"""The fewest errors of one class within a size, exactly, also between the corners of the hull.

A set of size at most k with fewer errors than the best known one, U, costs at most U − 1 + Λk at any price
Λ. With prices y that prove L at that Λ, each of its rules has a reduced cost of at most U − 1 + Λk − L, and
leaving out one of its literals or rules leads to a smaller size, whose errors are bounded already. The
rules that pass both are listed natively, and their sets are searched. This closes the size, whether a better
set is found or not.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from laconic.engines.fronts.one_class import ClassFront
from laconic.engines.priced_rules import raise_prices
from laconic.runtime.budget import Budget
from laconic.runtime.native import kernels

MOST_RULES = 100_000
"""Maximum number of listed rules."""


class Closer:
    """Exact searches within a size for one class; prices are kept for the sizes that share a chord."""

    def __init__(self, front: ClassFront) -> None:
        self.front = front
        self._priced: dict[Fraction, kernels.NearOptimal] = {}
        self.counts = Counter(closed=0, rules=0, nodes=0)
        self.too_many: set[tuple[int, int, int]] = set()

    def is_hopeless(self, size: int) -> bool:
        """Whether the list of rules for this size was too long, and no bound has changed since."""
        return self._state(size) in self.too_many

    def _state(self, size: int) -> tuple[int, int, int]:
        return size, int(self.front.achieved[size]), int(self.front.proved[size - 1])

    def learn(self, size: int, seconds: float, budget: Budget, stop: kernels.StopFlag) -> None:
        """Work on a size for some seconds, at the price of its chord first."""
        price = self.front.price_at(size)
        if price in self.front.open_prices():
            self.front.probe(price, min(seconds, budget.remaining()), stop)
        else:
            self.close(size, Budget(min(seconds, budget.remaining())), stop)

    def close(self, size: int, budget: Budget, stop: kernels.StopFlag) -> bool:
        """Find the fewest errors within a size; False if the time was too short."""
        front, axes = self.front, self.front.axes
        if front.proved[size] == front.achieved[size]:
            return True
        price = front.price_at(size)
        near = self._near(price, budget.part(0.5), stop, size)
        p, q = price.numerator, price.denominator
        fewer = int(front.achieved[size]) - 1
        constant = near.constant
        most = q * fewer - constant
        # A set without a rule of j literals uses less of the size, and saves the rule's price.
        least = [
            q * (axes.price_of(j) + max(1, int(front.proved[size - axes.amount_of(j)]) - fewer))
            for j in range(front.table.n_features + 1)
            if axes.amount_of(j) <= size
        ]
        alone = q * (axes.literal_cost + max(1, int(front.proved[max(0, size - axes.per_literal)]) - fewer))
        listed = near.list_rules(
            most + p * size, alone, least, True, MOST_RULES, budget.part(0.5).native_seconds(), stop
        )
        self.counts["rules"] += near.n_rules
        if not listed:
            if near.n_rules >= MOST_RULES:
                self.too_many.add(self._state(size))
            return False
        complete, found, nodes = near.cheapest_within(
            size, axes.per_rule, axes.per_literal, p, most, q, budget.native_seconds(), stop
        )
        self.counts["nodes"] += nodes
        if found is not None:
            front.offer(found)
        if complete:
            self.counts["closed"] += 1
            front.raise_at(size, int(front.achieved[size]))
        return complete

    def _near(
        self, price: Fraction, budget: Budget, stop: kernels.StopFlag, size: int
    ) -> kernels.NearOptimal:
        near = self._priced.get(price)
        if near is not None:
            return near
        front = self.front
        front.check_exact(price)
        near = kernels.NearOptimal(
            front.table.bits,
            front.usable,
            front.own * price.denominator,
            front.others * price.denominator,
            *front.axes.search_prices(price),
        )
        target = front.least_cost(price) - near.constant
        start = front.bodies_near(size)
        raise_prices(near, target, start, budget, stop)
        self._priced = {price: near}  # the last one only: each holds its table
        return near
