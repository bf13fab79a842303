"""``regularization="auto"``: the λ whose decision sets do best on rows that they were not learned from.

1. A *ladder*: λ = 0.1, 0.05, 0.02, 0.01, … down to the price of one row. From the top down, a short search
   at each λ gives a set of all rows, until sets are too large to read.
2. The same ladder in each of five folds, at the same λ, and predictions for the rows left out of the fold.
3. The criterion is the mean of accuracy and balanced accuracy on these rows, smoothed over neighbouring
   prices: the best of many noisy scores is too often a lucky one.

Searches are limited by work and not by time, so the choice does not depend on the machine. ``docs/choice.md``
says how this rule was found.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from laconic.data.table import Table
from laconic.data.words import as_fraction
from laconic.engines.fronts.ladder import Ladder
from laconic.learning.table_folds import left_out_weights
from laconic.model.choice import Choice, Rung
from laconic.problem.coded import CodedRule, covers
from laconic.problem.objective import Objective, Problem, errors, otherwise_class
from laconic.runtime.budget import Budget

FOLDS = 5
LEAST_FOLDS = 3
"""Minimum number of finished folds for a choice by scores if the time is over."""
READABLE, READABLE_PER_CLASS = 60, 7
"""The largest size of interest is the first number, or the second times the number of classes."""
WORK, FOLD_WORK = 4_000, 1_500
"""Units of work at each price for each class: on all rows, and in a fold."""
CHOICE_SHARE = 0.5
"""Share of a time limit that the choice may take; the rest is for the proof."""


@dataclass(frozen=True)
class Chosen:
    """A choice and the set that was found on all rows at its λ."""

    choice: Choice
    rules: tuple[CodedRule, ...]


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
) -> Chosen:
    """Choose λ by cross-validation.

    Parameters
    ----------
    problem : Problem
        A sparse one. Errors are counted per class here, and constraints that tie rules together are left out.
    budget : Budget
        Of which the choice takes a share, if it is limited.
    seed : int
        Of the folds.
    n_jobs : int
        Threads; folds are searched at once.
    report : callable
        Called with a line of progress.
    """
    choosing = _Choosing(_counted(problem, problem.table), budget.part(CHOICE_SHARE), seed, report)
    interrupted = False
    try:
        choosing.climb_down()
        choosing.cross_validate(n_jobs)
    except KeyboardInterrupt:
        interrupted = True
        choosing.require_price()
    choice = replace(choosing.choice(), interrupted=interrupted)
    return Chosen(choice, tuple(choosing.rules[choice.chosen]))


def _counted(problem: Problem, table: Table) -> Problem:
    constraints = problem.constraints if problem.constraints.by_class else problem.constraints.without_ties()
    objective = Objective(default=problem.objective.default)  # any λ will do: prices are given to the ladder
    return Problem.of(table, objective, None if problem.constraints.any_set else constraints)


class _Choosing:
    """The state of a choice: the ladder of all rows, and scores of the folds done so far."""

    def __init__(self, problem: Problem, budget: Budget, seed: int, report: Callable[[str], None]) -> None:
        self.problem, self.budget, self.seed, self.report = problem, budget, seed, report
        self.max_size = readable_size(len(problem.classes))
        self.lambdas: list[float] = []
        self.prices: list[Fraction] = []
        self.rules: list[list[CodedRule]] = []
        self.folds: list[_FoldScores] = []

    def climb_down(self) -> None:
        """Find sets of all rows, until they are too large to read or a unit of size costs one error."""
        ladder = Ladder(self.problem, self.max_size)
        for share in lambdas(self.problem.table.n_samples):
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
        return Fraction(math.ceil(as_fraction(share) * self.problem.weight_of_all))

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

    def _score_fold(self, left_out: NDArray[np.int64]) -> _FoldScores | None:
        """Return the scores of a fold, or None if there is no time for it or nothing to learn or to score."""
        table = self.problem.table
        inside = table.weights - left_out
        if self.budget.expired() or not left_out.any() or not inside.any():
            return None
        part = Table(table.bits, inside, table.allowed, table.scale, samples=np.maximum(1, table.samples))
        problem = _counted(self.problem, part)
        ladder = Ladder(problem, self.max_size)
        share = Fraction(problem.weight_of_all, self.problem.weight_of_all)
        prices = [(price * share).limit_denominator(FOLDS) or Fraction(1, FOLDS) for price in self.prices]
        for price in prices:
            ladder.search(price, FOLD_WORK, self.budget)
        if self.budget.expired():
            return None
        found = [ladder.rules_at(price) for price in prices]
        predicted = [
            predicted_classes(table, inside, rules, otherwise_class(problem, rules)) for rules in found
        ]
        majority = np.full(table.n_rows, int(inside.sum(axis=0).argmax()))
        return _FoldScores(
            np.array([_right(left_out, classes) for classes in predicted]),
            _right(left_out, majority),
            left_out.sum(axis=0),
            np.array([_lead(left_out, classes, majority) for classes in predicted]),
        )

    def choice(self) -> Choice:
        """Return the choice that the folds done so far make."""
        enough = len(self.folds) >= min(LEAST_FOLDS, FOLDS)
        rungs = tuple(map(self._rung, range(len(self.prices))))
        # Without scores, the largest readable set does nearly as well as the best one.
        chosen = self._best(rungs) if enough else len(rungs) - 1
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

    def _best(self, rungs: Sequence[Rung]) -> int:
        """Return the rung with the best smoothed criterion; of equals, the smallest set."""
        scores = _smoothed([(rung.accuracy + rung.balanced_accuracy) / 2 for rung in rungs])
        ranked = [(round(score, 12), -k) for k, score in enumerate(scores)]
        best = max(range(len(rungs)), key=ranked.__getitem__)
        if any(rule.literals for rule in self.rules[best]):
            return best
        # A set that predicts one class for all rows is chosen only if no other clearly beats the majority.
        leads = np.sum([fold.lead for fold in self.folds], axis=0)
        clear = [k for k in range(len(rungs)) if leads[k, 0] > math.sqrt(leads[k, 1])]
        return max(clear, key=ranked.__getitem__, default=best)


@dataclass(frozen=True)
class _FoldScores:
    """Correct predictions on the rows that a fold leaves out.

    Attributes
    ----------
    right : ndarray, shape (n_prices, n_classes)
        Weight of the rows predicted right, by class.
    majority : ndarray, shape (n_classes,)
        The same of the most frequent class.
    total : ndarray, shape (n_classes,)
        Weight of all rows, by class.
    lead : ndarray, shape (n_prices, 2)
        Weight of the rows that only the set gets right less those that only the majority does, and of both.
    """

    right: NDArray[np.int64]
    majority: NDArray[np.int64]
    total: NDArray[np.int64]
    lead: NDArray[np.int64]


def predicted_classes(
    table: Table, weights: NDArray[np.int64], rules: Sequence[CodedRule], otherwise: int | None = None
) -> NDArray[np.intp]:
    """Return the class that a set predicts for each row of a table, as `laconic.model.predict` does.

    Parameters
    ----------
    table : Table
    weights : ndarray of int64, shape (n_rows, n_classes)
        Of the rows that the rules were learned from: their precision decides where rules disagree.
    rules : sequence of CodedRule
        Sorted.
    otherwise : int, optional
        The class that the OTHERWISE rule gives, if there is one.
    """
    covered = covers(rules, table)
    counts = covered.astype(np.int64) @ weights
    right = np.array([counts[k, rule.target] for k, rule in enumerate(rules)], dtype=np.int64)
    scale = float(min(table.scale, Fraction(sys.float_info.max)))  # weights below 1e-308 have a larger scale
    laplace = (right / scale + 1) / (counts.sum(axis=1) / scale + table.n_classes)
    order = sorted(range(len(rules)), key=lambda k: (-laplace[k], -right[k], k))
    uncovered = weights[~covered.any(axis=0)].sum(axis=0)
    shares = uncovered if uncovered.any() else weights.sum(axis=0)
    predicted = np.full(table.n_rows, int(shares.argmax()) if otherwise is None else otherwise)
    for k in reversed(order):
        predicted[covered[k]] = rules[k].target
    return predicted


def lambdas(n_samples: int) -> list[float]:
    """Return 0.1, 0.05, 0.02, 0.01, … down to the price of one row.

    >>> lambdas(150)
    [0.1, 0.05, 0.02, 0.01, 0.005]
    """
    found = []
    for power in range(1, 20):
        for digit in (10, 5, 2):
            found.append(digit / 10 ** (power + 1))
            if digit * n_samples <= 10 ** (power + 1):
                return found
    return found


def _right(weights: NDArray[np.int64], predicted: NDArray[np.intp]) -> NDArray[np.int64]:
    """Return the weight of each class that is predicted right."""
    right = np.zeros(weights.shape[1], np.int64)
    np.add.at(right, predicted, weights[np.arange(len(weights)), predicted])
    return right


def _lead(
    weights: NDArray[np.int64], predicted: NDArray[np.intp], majority: NDArray[np.intp]
) -> tuple[int, int]:
    rows = np.arange(len(weights))
    won, lost = weights[rows, predicted], weights[rows, majority]
    differs = predicted != majority
    return int((won - lost)[differs].sum()), int((won + lost)[differs].sum())


def _smoothed(scores: Sequence[float]) -> list[float]:
    """Return each score averaged with its neighbours, 1:2:1."""
    padded = [scores[0], *scores, scores[-1]]
    return [(a + 2 * b + c) / 4 for a, b, c in zip(padded, padded[1:], padded[2:], strict=False)]
