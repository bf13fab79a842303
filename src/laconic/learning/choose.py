"""``regularization="auto"``: the λ whose decision sets do best on rows that they were not learned from.

1. A *ladder*: λ = 0.1, 0.05, 0.02, 0.01, … down to the price of half a row. From the top down, a short search
   at each λ gives a set of all rows, until sets are too large to read.
2. The same ladder in each of five folds, at the same λ, and predictions for the rows left out of the fold.
3. The criterion is the mean of accuracy and balanced accuracy on these rows, smoothed over neighbouring
   prices, because the best of many noisy scores is too often a lucky one, less a small price of size.

Searches are limited by work and not by time, so the choice does not depend on the machine. ``docs/choice.md``
says how this rule was found.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from laconic.data.table import Table
from laconic.data.weights import PARTS_OF_A_ROW
from laconic.data.words import as_fraction
from laconic.engines.fronts.ladder import Ladder
from laconic.learning.fold_scores import FoldScores, lead, predicted_classes, right_by_class
from laconic.learning.table_folds import left_out_weights
from laconic.model.choice import Choice, Rung
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Objective, Problem, errors, otherwise_class
from laconic.runtime.budget import Budget

FOLDS = 5
LEAST_FOLDS = 3
"""Minimum number of finished folds for a choice by scores if the time is over."""
READABLE, READABLE_PER_CLASS = 60, 7
"""The largest size of interest is the first number, or the second times the number of classes."""
WORK, FOLD_WORK = 4_000, 1_500
"""Units of work at each price for each class: on all rows, and in a fold."""
WORTH = 0.036
"""What the largest size of interest must add to the criterion, and smaller sizes in proportion."""
CHOICE_SHARE = 0.5
"""Share of a time limit that the choice may take; the rest is for the proof."""


@dataclass(frozen=True)
class Chosen:
    """A choice and the set that was found on all rows at its λ."""

    choice: Choice
    rules: tuple[CodedRule, ...]
    score: float
    """The criterion at the chosen λ, less the price of size; NaN without enough folds."""


def readable_size(n_classes: int) -> int:
    """Return the largest size of a set that people are asked to read."""
    return max(READABLE, READABLE_PER_CLASS * n_classes)


def choose_regularization(
    problem: Problem,
    budget: Budget,
    *,
    seed: int = 0,
    n_jobs: int = 1,
    report: Callable[[str], None] = lambda _: None,
    whole_rows: bool = False,
) -> Chosen:
    """Choose λ by cross-validation.

    Parameters
    ----------
    problem : Problem
        A sparse one. Errors are counted per class here, and constraints that tie rules together are left out.
    budget : Budget
    seed : int
        Of the folds.
    n_jobs : int
        Threads; folds are searched at once.
    report : callable
        Called with a line of progress.
    whole_rows : bool
        Whether Λ is rounded up to whole rows at every λ, as it is where λ is given.
    """
    choosing = Choosing(_counted(problem, problem.table), budget, seed, report)
    choosing.whole_rows = whole_rows
    interrupted = False
    try:
        choosing.climb_down()
        choosing.cross_validate(n_jobs)
    except KeyboardInterrupt:
        interrupted = True
        choosing.require_price()
    choice = replace(choosing.choice(), interrupted=interrupted)
    score = choosing.scores(choice.rungs)[choice.chosen] if choosing.has_scores else math.nan
    return Chosen(choice, tuple(choosing.rules[choice.chosen]), score)


def _counted(problem: Problem, table: Table) -> Problem:
    constraints = problem.constraints if problem.constraints.by_class else problem.constraints.without_ties()
    objective = Objective(default=problem.objective.default)  # any λ will do: prices are given to the ladder
    return Problem.of(table, objective, None if problem.constraints.any_set else constraints)


class Choosing:
    """The state of a choice: the ladder of all rows, and scores of the folds done so far.

    Parameters
    ----------
    problem, budget, seed, report
        As for `choose_regularization`; the problem without constraints that tie rules together.
    """

    def __init__(self, problem: Problem, budget: Budget, seed: int, report: Callable[[str], None]) -> None:
        self.problem, self.budget, self.seed, self.report = problem, budget, seed, report
        self.max_size = readable_size(len(problem.classes))
        self.whole_rows = False
        self.lambdas: list[float] = []
        self.prices: list[Fraction] = []
        self.rules: list[list[CodedRule]] = []
        self.folds: list[FoldScores] = []

    def climb_down(self) -> None:
        """Find sets of all rows, until they are too large to read or a unit of size costs half an error."""
        ladder = Ladder(self.problem, self.max_size)
        for share in lambdas(self.problem.table.n_samples):
            if self.whole_rows and self.prices and self.prices[-1] <= 1:
                break
            self.report(f"choosing λ: {share:g}")
            price = self._price(share)
            ladder.search(price, WORK, self.budget)
            rules = ladder.rules_at(price)
            if self.prices and (self._size(rules) > self.max_size or self.budget.expired()):
                break
            self.lambdas.append(share)
            self.prices.append(price)
            self.rules.append(rules)
        # A set that was found at a lower price may be the better one at a higher price.
        for k, price in enumerate(self.prices):
            rules = ladder.rules_at(price)
            if self._size(rules) <= self.max_size:
                self.rules[k] = rules

    def require_price(self) -> None:
        """Add the largest λ with the set without rules if no λ has been searched yet."""
        if not self.prices:
            share = next(iter(lambdas(self.problem.table.n_samples)))
            self.lambdas.append(share)
            self.prices.append(self._price(share))
            self.rules.append([])

    def _price(self, share: float) -> Fraction:
        parts = 1 if self.whole_rows else parts_of_a_row(self.problem, share)
        return Fraction(math.ceil(as_fraction(share) * self.problem.weight_of_all * parts), parts)

    def _size(self, rules: Sequence[CodedRule]) -> int:
        return sum(rule.size for rule in rules) + int(self.problem.otherwise)

    def cross_validate(self, n_jobs: int) -> None:
        """Score every price on the rows that each fold leaves out."""
        if len(self.prices) < 2:
            return
        parts = left_out_weights(self.problem.table, FOLDS, self.seed)
        with ThreadPoolExecutor(n_jobs) as pool:
            scores = pool.map(self._score_fold, parts) if n_jobs > 1 else map(self._score_fold, parts)
            for done, one in enumerate(scores, 1):
                self.report(f"choosing λ: {done} of {FOLDS} folds")
                if one is not None:
                    self.folds.append(one)

    def _score_fold(self, left_out: NDArray[np.int64]) -> FoldScores | None:
        """Return the scores of a fold, or None if there is no time for it or nothing to learn or to score."""
        table = self.problem.table
        inside = table.weights - left_out
        if self.budget.expired() or not left_out.any() or not inside.any():
            return None
        part = Table(table.bits, inside, table.allowed, table.scale, samples=np.maximum(1, table.samples))
        problem = _counted(self.problem, part)
        ladder = Ladder(problem, self.max_size)
        share = Fraction(problem.weight_of_all, self.problem.weight_of_all)
        finest = FOLDS * PARTS_OF_A_ROW
        prices = [(price * share).limit_denominator(finest) or Fraction(1, finest) for price in self.prices]
        for price in prices:
            ladder.search(price, FOLD_WORK, self.budget)
        if self.budget.expired():
            return None
        found = [ladder.rules_at(price) for price in prices]
        predicted = [
            predicted_classes(table, inside, rules, otherwise_class(problem, rules)) for rules in found
        ]
        majority = np.full(table.n_rows, int(inside.sum(axis=0).argmax()))
        return FoldScores(
            np.array([right_by_class(left_out, classes) for classes in predicted]),
            right_by_class(left_out, majority),
            left_out.sum(axis=0),
            np.array([lead(left_out, classes, majority) for classes in predicted]),
        )

    @property
    def has_scores(self) -> bool:
        """Whether enough folds are done to compare prices."""
        return len(self.folds) >= LEAST_FOLDS

    def choice(self) -> Choice:
        """Return the choice that the folds done so far make."""
        rungs = tuple(map(self._rung, range(len(self.prices))))
        # Without scores, the largest readable set does nearly as well as the best one.
        chosen = self._best(rungs) if self.has_scores else len(rungs) - 1
        return Choice(rungs, chosen, len(self.folds), self.max_size, self._majority())

    def _rung(self, k: int) -> Rung:
        rules = self.rules[k]
        accuracy = balanced = spread = math.nan
        if self.folds:
            right = np.sum([fold.right[k] for fold in self.folds], axis=0)
            total = np.sum([fold.total for fold in self.folds], axis=0)
            accuracy = float(right.sum() / total.sum())
            balanced = float((right[total > 0] / total[total > 0]).mean())
            of_folds = [fold.right[k].sum() / fold.total.sum() for fold in self.folds]
            spread = float(np.std(of_folds, ddof=1) / math.sqrt(len(of_folds))) if len(of_folds) > 1 else 0.0
        return Rung(
            self.lambdas[k],
            self._size(rules),
            Fraction(errors(self.problem, rules)) / self.problem.table.scale,
            accuracy,
            balanced,
            spread,
        )

    def _majority(self) -> float:
        if not self.folds:
            return math.nan
        return float(
            sum(fold.majority.sum() for fold in self.folds) / sum(fold.total.sum() for fold in self.folds)
        )

    def scores(self, rungs: Sequence[Rung]) -> list[float]:
        """Return the smoothed criterion of each rung, less the price of its size."""
        means = smoothed([(rung.accuracy + rung.balanced_accuracy) / 2 for rung in rungs])
        worth = WORTH / self.max_size
        return [score - worth * rung.size for score, rung in zip(means, rungs, strict=True)]

    def _best(self, rungs: Sequence[Rung]) -> int:
        """Return the rung with the best score; of equals, the smallest set."""
        ranked = [(round(score, 12), -k) for k, score in enumerate(self.scores(rungs))]
        best = max(range(len(rungs)), key=ranked.__getitem__)
        if any(rule.literals for rule in self.rules[best]):
            return best
        # A set that predicts one class for all rows is chosen only if no other clearly beats the majority.
        leads = np.sum([fold.lead for fold in self.folds], axis=0)
        clear = [k for k in range(len(rungs)) if leads[k, 0] > math.sqrt(leads[k, 1])]
        return max(clear, key=ranked.__getitem__, default=best)


def lambdas(n_samples: int) -> list[float]:
    """Return 0.1, 0.05, 0.02, 0.01, … down to the price of half a row.

    >>> lambdas(150)
    [0.1, 0.05, 0.02, 0.01, 0.005, 0.002]
    """
    found = []
    for power in range(1, 20):
        for digit in (10, 5, 2):
            found.append(digit / 10 ** (power + 1))
            if 2 * digit * n_samples <= 10 ** (power + 1):
                return found
    return found


def parts_of_a_row(problem: Problem, share: float) -> int:
    """Return the factor on all weights that a λ needs: Λ is rounded up, but not from below one to one."""
    return PARTS_OF_A_ROW if as_fraction(share) * problem.weight_of_all < 1 else 1


def smoothed(scores: Sequence[float]) -> list[float]:
    """Return each score averaged with its neighbours, 1:2:1."""
    padded = [scores[0], *scores, scores[-1]]
    return [(a + 2 * b + c) / 4 for a, b, c in zip(padded, padded[1:], padded[2:], strict=False)]
