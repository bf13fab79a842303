"""Multipliers of the capped sums, and proofs class by class that the sums exceed their caps.

Earlier levels get multipliers with which they decide. If the best set without ties exceeds a cap, the cap
gets the multiplier that raises the bound most: the slope of the front between the two sets on either side of
the cap.
If that is not enough, the level is treated as such a cap of the level before it: under a budget, the smallest
set with the fewest errors is often a corner of the front of size and errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from laconic.checking import checker
from laconic.checking.certify.proof import prove
from laconic.checking.certify.relaxed import class_cost, separate_optimum
from laconic.checking.constraint_checker.apart import of_class, share
from laconic.checking.constraint_checker.statement import Statement
from laconic.runtime.budget import Budget

Bodies = list[list[list[int]]]
"""The rules of each class."""

MOST_SLOPES = 10


class Apart:
    """One level of a statement without the constraints that tie rules together.

    Parameters
    ----------
    statement : Statement
    values : sequence of int
        What the rules come to at each level.
    place : int
        The level.
    budget : Budget
        For finding the multipliers, and rules that show what they can prove at most.
    """

    def __init__(self, statement: Statement, values: Sequence[int], place: int, budget: Budget) -> None:
        self.statement, self.value, self.place = statement, values[place], place
        self.capped = statement.capped(values, place, values[place])
        self.multipliers = [0] * (len(statement.levels) + 3)
        later = 0
        for k in range(place, -1, -1):
            self.multipliers[k] = 1 + later
            later += self.multipliers[k] * values[k]
        self.rules = self._solved(self.multipliers, budget.part(1 / MOST_SLOPES))
        for k, _ in self.capped:
            if self.rules is None and k > place:  # rules cost nothing yet, so the cap breaks ties
                self.rules = self._solved(self._before(k), budget.part(1 / MOST_SLOPES))
            # Budgets and caps; if several are exceeded, the first one is tried first.
            if self.rules is not None and k > place and self._beyond(self.rules, k):
                self._price(k, budget)
                break
        if place > 0 and self.rules is not None and not self.reaches:
            self.multipliers[place] = 0
            self._price(place, budget)
            self.multipliers[place] = max(1, self.multipliers[place])

    @property
    def reaches(self) -> bool:
        """Return whether the multipliers may suffice to prove the value of the rules."""
        return self.rules is not None and self._bound(self._cost(self.multipliers, self.rules)) >= self.value

    def prove(self, budget: Budget) -> tuple[int, dict[str, Any] | None]:
        """Return a bound of at most the value of the rules, and its proof; 0 without one."""
        if self.rules is None:
            return 0, None
        classes: list[dict[str, Any]] = []
        for k, (problem, bodies) in enumerate(zip(self._problems(self.multipliers), self.rules, strict=True)):
            part = budget.part(1 / (len(self.rules) - k))
            proof, bound = prove(problem, class_cost(problem, bodies), bodies, part)
            target = self.statement.classes[k]
            classes.append({"class": target, "bound": bound + problem.constant, "proof": proof})
        bound = min(self.value, self._bound(sum(one["bound"] for one in classes)))
        return (bound, {"multipliers": self.multipliers, "classes": classes}) if bound > 0 else (0, None)

    def _problems(self, multipliers: Sequence[int]) -> list[checker.ClassProblem]:
        classes = self.statement.classes
        return [of_class(self.statement, self.capped, multipliers, target) for target in classes]

    def _solved(self, multipliers: Sequence[int], budget: Budget) -> Bodies | None:
        """Return the best rules of each class under these multipliers, as far as time allows."""
        try:
            problems = self._problems(multipliers)
        except checker.Refuted:
            return None
        found = [
            separate_optimum(problem, budget.part(1 / (len(problems) - k)))
            for k, problem in enumerate(problems)
        ]
        solved = [bodies for bodies in found if bodies is not None]
        return solved if len(solved) == len(found) else None

    def _cost(self, multipliers: Sequence[int], rules: Bodies) -> int:
        problems = self._problems(multipliers)
        return sum(
            class_cost(one, bodies) + one.constant for one, bodies in zip(problems, rules, strict=True)
        )

    def _bound(self, total: int) -> int:
        """Return the bound at the level that follows from lower bounds on the costs of the classes."""
        rest = sum(self.multipliers[k] * one.cap for k, one in self.capped if k != self.place)
        times = share(self.statement)
        return (total - 1 - times * rest) // (times * self.multipliers[self.place]) + 1

    def _sums(self, rules: Bodies, k: int) -> tuple[int, int]:
        """Return the excess of rules over a cap, and over all caps that got multipliers before it."""
        only = [int(number == k) for number in range(len(self.multipliers))]
        before = [0 if number == k else times for number, times in enumerate(self.multipliers)]
        return self._cost(only, rules), self._cost(before, rules)

    def _beyond(self, rules: Bodies, k: int) -> bool:
        return self._sums(rules, k)[0] > share(self.statement) * dict(self.capped)[k].cap

    def _before(self, k: int) -> list[int]:
        """Return the multipliers so far, so much larger that a unit of cap ``k`` only breaks ties."""
        most = 1 + max(abs(one.cap) for _, one in self.capped)
        multipliers = [most * times for times in self.multipliers]
        multipliers[k] = 1
        return multipliers

    def _price(self, k: int, budget: Budget) -> None:
        """Raise the multiplier of a cap to the slope at which the front of both sums passes it."""
        if self.statement.hard or self.statement.every_class:
            return  # a set without rules is no end of the front
        assert self.rules is not None
        base = list(self.multipliers)
        left, right = self._sums(self.rules, k), self._sums([[] for _ in self.rules], k)
        for turn in range(MOST_SLOPES):
            p, q = right[1] - left[1], left[0] - right[0]
            if p <= 0 or q <= 0 or budget.expired():
                return
            multipliers = [q * times for times in base]
            multipliers[k] += p
            rules = self._solved(multipliers, budget.part(1 / (MOST_SLOPES - turn)))
            if rules is None:
                return
            self.multipliers, self.rules = base, rules
            point = self._sums(rules, k)
            self.multipliers = multipliers
            on_chord = p * point[0] + q * point[1] >= p * left[0] + q * left[1]
            if self.reaches or point in (left, right) or on_chord:
                return
            if point[0] > share(self.statement) * dict(self.capped)[k].cap:
                left = point
            else:
                right = point


def prove_apart(
    statement: Statement, values: Sequence[int], place: int, budget: Budget
) -> tuple[int, dict[str, Any] | None]:
    """Return the best bound found at a level, at most the value of the rules there, and its proof."""
    return Apart(statement, values, place, budget.part(0.3)).prove(budget)
