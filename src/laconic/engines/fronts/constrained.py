"""The front under constraints that tie rules together: the fewest errors for every size.

`laconic.engines.fronts` needs independent classes. Here the whole table is one problem. The front without the
ties is found first: it lies below this one, and its admissible sets lie on both. The open points, at a price
of size or within a size, are then solved by selection among the rules that can matter
(`laconic.engines.selection`). The rules that can matter when errors come first include those that can matter
at any price and size, so they are listed once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from laconic.engines.fronts.all_classes import WholeFront
from laconic.engines.fronts.staircase import NO_SET, price_between
from laconic.engines.fronts.stairs import ALL_SIZES, ANY_PRICE, LONGEST, Stairs
from laconic.engines.selection.choose import choose
from laconic.engines.selection.listing import find_candidates
from laconic.problem.coded import CodedRule
from laconic.problem.constraints.compiled import Prices, Pricing
from laconic.problem.constraints.evaluate import broken
from laconic.problem.objective import Objective, Problem, level_values
from laconic.problem.parts import Part
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError

Rules = tuple[CodedRule, ...]

LISTING_SHARE = 0.3
FIRST_SHARE = 0.1
LOOSE_SHARE = 0.4
FIRST_SLICE = 1.0
"""Seconds of the first search at each point."""


class ConstrainedFront(Stairs[Rules]):
    """Bounds on the fewest errors at every size, and the sets found, under some constraints.

    Parameters
    ----------
    problem : Problem
        With constraints, the measure ``size`` and a limit on size, whatever it is.
    max_size : int, optional
        Larger sets are of no interest.
    seed : int
    budget : Budget
        A share of it goes into listing rules.
    """

    engine = "exact"

    def __init__(self, problem: Problem, max_size: int | None, seed: int, budget: Budget) -> None:
        errors, size = problem.pricing.levels
        super().__init__(errors.weight, 0)
        self._seed, self.interrupted, self.out_of_memory = seed, False, False
        self._errors_first = replace(problem, pricing=replace(problem.pricing, limits=()))
        self._size_first = replace(problem, pricing=_turned(problem.pricing))
        self._prices = errors, size
        self._counts = Counter({"candidates": 0, "nodes": 0, "relaxations": 0})
        self.offer(())
        self.offer(tuple(sorted(problem.constraints.rules_in)))
        self._candidates = find_candidates(self._errors_first, budget.part(LISTING_SHARE))
        self._counts["candidates"] = len(self._candidates.rules)
        # The hull may have corners beyond the largest size, so sets of any size are searched here.
        possible = self._choose(
            self._errors_first, budget.part(FIRST_SHARE), self._fewest_at_all, most_nodes=1
        )
        if 0 not in self._points:
            self._choose(self._size_first, budget.part(FIRST_SHARE), lambda _: None)
        self.build(LONGEST if max_size is None else max_size)
        if not possible and self._candidates.complete:
            self.raise_at(self.max_size, NO_SET)
        self._without_ties = self._solve_without_ties(max_size, budget.part(LOOSE_SHARE))

    def _solve_without_ties(self, max_size: int | None, budget: Budget) -> WholeFront | None:
        """Find the front without the constraints that tie rules: it lies below this one, or on it."""
        constraints = self._errors_first.constraints
        if min(constraints.literal_factor, default=Fraction(1)) < 1:
            return None  # sizes with literal costs below one may be smaller than those of that front
        table = self._errors_first.table
        loose = Problem.of(table, Objective(size_budget=0), constraints.without_ties())
        front = WholeFront(loose, max_size, self._seed, 1, budget)
        front.find_corners(budget.part(0.5))
        front.settle(lambda: list(range(front.max_size + 1)), budget)
        self.interrupted = self.interrupted or front.interrupted
        self.fewest = max(self.fewest, sum(one.fewest for one in front.fronts))
        for size in range(self.n_sizes):
            last = min(size, front.max_size)
            self.offer(front.rules_at(last))
            self.raise_at(min(size, self.max_size), int(front.proved[last]))
        return front

    def require_set(self, budget: Budget) -> None:
        """Refuse constraints that no set meets, or none that was found, up to the largest size."""
        constraints = self._errors_first.constraints
        if self.achieved[-1] == NO_SET:
            self.settle(lambda: [self.max_size], budget)
        if self.achieved[-1] < NO_SET:
            return
        what = (
            f"no decision set of the sizes asked for meets the constraints ({'; '.join(constraints.words)})"
        )
        if self.proved[-1] == NO_SET:
            raise InputError(f"{what}; loosen one of them or allow larger sets")
        raise InputError(f"{what} as far as was found in time; give more time or loosen them")

    @property
    def max_size(self) -> int:
        """The last size of interest."""
        return self.n_sizes - 1

    def offer(self, rules: Sequence[CodedRule]) -> None:
        """Record a set if it meets the constraints."""
        problem, chosen = self._errors_first, tuple(sorted(rules))
        if broken(problem.table, problem.constraints, chosen) is None:
            _, (errors, size) = level_values(problem, chosen)
            self.take(size, errors, chosen)

    def first_size(self, errors: int) -> int | None:
        """Return the smallest size of a known set with at most this many errors."""
        enough = np.flatnonzero(self.achieved <= errors)
        return int(enough[0]) if enough.size else None

    def rules_at(self, size: int) -> Rules:
        """Return the best known decision set of at most this size; of equals, the smallest."""
        errors = int(self.achieved[min(size, self.max_size)])
        return self._points[min(k for k, (wrong, _) in self._points.items() if wrong <= errors)][1]

    def corners_proved(self) -> bool:
        """Whether every corner of the hull is known and proved."""
        return not self.open_prices()

    def open_prices(
        self, sizes: tuple[float, float] = ALL_SIZES, floor: Fraction = ANY_PRICE
    ) -> list[Fraction]:
        """Return the prices at which there may be a new corner, highest first."""
        if not self._points:
            return []
        prices = [
            price
            for left, right in self.chords()
            for price in [price_between(left, right)]
            # No point of any size may lie below a chord; otherwise its ends need not be optimal at any price.
            if self.is_open(left, right) or (right[0] < self.n_sizes and not self.is_best_at(left, price))
        ]
        last = self.corners()[-1]
        missing = self.fewest < last[1] and self.proved[-1] < self.achieved[-1]
        return [*prices, Fraction(0)] if missing else prices

    def is_best_at(self, point: tuple[int, int], price: Fraction) -> bool:
        """Whether it is proved that no set of any size costs less than a point, at a price of size."""
        return self.bound_at(price) >= point[1] + price * point[0]

    def counts(self) -> dict[str, int]:
        """Return the work done, by name."""
        return dict(self._counts)

    def find_corners(self, budget: Budget, report: Callable[[], None] = lambda: None) -> None:
        """Search for every corner of the hull, until all are proved or the time is over."""
        self._work(self.open_prices, self._at_price, budget, report)

    def settle(
        self, wanted: Callable[[], list[int]], budget: Budget, report: Callable[[], None] = lambda: None
    ) -> None:
        """Work on sizes until each is proved or the time is over."""

        def questions() -> list[int]:
            return [k for k in wanted() if k < self.n_sizes and self.proved[k] < self.achieved[k]]

        self._work(questions, self._within, budget, report)

    def _work(
        self,
        questions: Callable[[], Sequence[Fraction | int]],
        ask: Callable[[Fraction | int, Budget], None],
        budget: Budget,
        report: Callable[[], None],
    ) -> None:
        """Search at the open points in turn, each time for longer."""
        seconds = FIRST_SLICE
        hopeless: set[Fraction | int] = set()
        try:
            while not budget.expired():
                tried: set[Fraction | int] = set()
                while not budget.expired():
                    one = next((q for q in questions() if q not in hopeless and q not in tried), None)
                    if one is None:
                        break
                    tried.add(one)
                    before = self.proved.tolist(), self.achieved.tolist()
                    turn = budget.part(seconds / max(seconds, budget.remaining()))
                    ask(one, turn)
                    report()
                    if not turn.expired() and before == (self.proved.tolist(), self.achieved.tolist()):
                        hopeless.add(one)  # more time would not change the result
                if not tried:
                    return
                seconds *= 2
        except KeyboardInterrupt:
            self.interrupted = True

    def _at_price(self, price: Fraction | int, budget: Budget) -> None:
        """Search at a price of size; the fewest errors of all are those within the largest size."""
        price = Fraction(price)
        if not price:
            self._within(self.max_size, budget)
            return
        problem = replace(self._errors_first, objective=Objective(), pricing=_traded(*self._prices, price))
        self._choose(problem, budget, lambda bound: self.add_line(price, bound))

    def _within(self, size: Fraction | int, budget: Budget) -> None:
        """Search within a size."""
        limit = int(size)
        pricing = self._errors_first.pricing
        problem = replace(self._errors_first, pricing=replace(pricing, limits=(None, limit)))
        weight = pricing.levels[0].weight

        def learn(bound: int) -> None:
            errors, least = divmod(bound, weight)
            self.raise_at(limit, errors)
            last = min(limit, self.max_size)
            if least and errors == self.proved[last] == self.achieved[last]:
                self.raise_at(least - 1, errors + 1)

        if not self._choose(problem, budget, learn) and self._candidates.complete:
            self.raise_at(limit, NO_SET)

    def bound_at(self, price: Fraction) -> Fraction:
        """Return a proved lower bound on errors + price · size over all sets."""
        own, front = super().bound_at(price), self._without_ties
        return own if front is None else max(own, Fraction(sum(one.bound_at(price) for one in front.fronts)))

    def _choose(
        self,
        problem: Problem,
        budget: Budget,
        learn: Callable[[int], None],
        most_nodes: int | None = None,
    ) -> bool:
        """Search for the best set of the candidates; return False if there is none."""
        start = min(
            (rules for _, rules in self._points.values()),
            key=lambda rules: _cost(problem, rules),
            default=None,
        )
        found = choose(
            problem,
            self._candidates,
            budget,
            start=start,
            on_set=self.offer,
            on_bound=learn if self._candidates.complete else lambda _: None,
            most_nodes=most_nodes,
        )
        self._counts.update(found or {})
        return found is not None

    def _fewest_at_all(self, bound: int) -> None:
        self.fewest = max(self.fewest, bound // self._prices[0].weight)


def _cost(problem: Problem, rules: Rules) -> tuple[bool, list[int]]:
    _, values = level_values(problem, rules)
    return problem.pricing.exceeded(values) is not None, values


def _turned(pricing: Pricing) -> Pricing:
    """Return the prices with size before errors, and no limits."""
    errors, size = pricing.levels
    return replace(
        pricing,
        levels=(replace(size, weight=errors.weight), replace(errors, weight=1)),
        parts=pricing.parts[::-1],
        faults=1,
        limits=(),
    )


def _traded(errors: Prices, size: Prices, price: Fraction) -> Pricing:
    """Return prices at which q·errors + p·size are paid."""
    p, q = price.numerator, price.denominator
    level = Prices(
        weight=1,
        missed=q * errors.missed,
        claimed=q * errors.claimed,
        claiming=errors.claiming,
        rule=p * size.rule,
        literal=p * size.literal,
        column=p * size.column,
    )
    return Pricing((level,), (Part("cost", 1, Fraction(1)),), q)


def require_front(problem: Problem) -> None:
    """Refuse constraints under which there is no front of size and errors."""
    constraints = problem.constraints
    if constraints.measure != ("size",):
        raise InputError(
            f"a front is of size against errors, not of {constraints.measure[0]}; leave measure out, "
            "or fit with size_budget or max_errors"
        )
    if any(value.denominator != 1 for value in (*constraints.literal_factor, *constraints.column_cost)):
        raise InputError(
            "a front needs whole numbers as literal_costs and feature_costs; multiply them all by the same"
        )
