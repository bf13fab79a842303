"""Fast evaluation of sets of candidates, and a local search that improves them.

A step adds a rule, drops one, or swaps two; the first step that improves the set is taken. Costs are computed
here from the covers of the candidates, level by level; `laconic.problem.objective.cost` recomputes the cost
of the result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from laconic.engines.selection.candidates import Candidates
from laconic.problem.objective import Problem
from laconic.runtime.budget import Budget

LevelValues = tuple[int, ...]
"""Cost by level. Comparing the tuples compares the sets."""

MAX_ADDED = 60
"""Number of candidates that a step may add: the most promising ones."""


class SetEvaluator:
    """Evaluates sets of candidates and keeps the best one."""

    def __init__(self, problem: Problem, candidates: Candidates) -> None:
        self._problem, self._constraints = problem, problem.constraints
        self._pricing, self._levels = problem.pricing, problem.pricing.levels
        self._paid = self._levels[problem.pricing.faults]  # the prices of errors
        self._covers = candidates.covers
        rules = candidates.rules
        self._targets = np.array([rule.target for rule in rules], dtype=np.int64)
        self._lengths = np.array([len(rule.literals) for rule in rules], dtype=np.int64)
        self._prices = [np.array([level.of_rule(r) for r in rules], dtype=np.int64) for level in self._levels]
        self._columns = [{int(self._constraints.column_of[code >> 1]) for code in r.literals} for r in rules]
        self._groups = [
            {k for k, group in enumerate(self._constraints.required) if group & set(r.literals)}
            for r in rules
        ]
        self.forced = frozenset(k for k, rule in enumerate(rules) if rule in self._constraints.rules_in)
        self.best: tuple[LevelValues, frozenset[int]] | None = None

    def offer(self, members: Iterable[int]) -> LevelValues | None:
        """Evaluate a set with all forced rules added, and keep it if it is the best; None if inadmissible."""
        chosen = frozenset(int(k) for k in members) | self.forced
        values = self.values(chosen)
        if values is not None and (self.best is None or values < self.best[0]):
            self.best = values, chosen
        return values

    def values(self, chosen: frozenset[int]) -> LevelValues | None:
        """Return the cost by level, or None if the set violates a constraint."""
        problem, constraints, table = self._problem, self._constraints, self._problem.table
        members = np.array(sorted(chosen), dtype=np.int64)
        literals = int(self._lengths[members].sum())
        for limit, value in (
            (constraints.max_rules, members.size),
            (constraints.max_literals, literals),
            (constraints.max_size, literals + members.size),
        ):
            if limit is not None and value > limit:
                return None
        if len(set().union(*(self._groups[k] for k in members))) < len(constraints.required):
            return None
        if problem.objective.every_class and not set(problem.classes) <= set(self._targets[members].tolist()):
            return None
        shortest = np.full((table.n_rows, table.n_classes), -1, np.int64)
        for k in members[np.argsort(-self._lengths[members], kind="stable")]:
            shortest[self._covers[k], self._targets[k]] = self._lengths[k]
        claimed = shortest >= 0
        times = claimed.sum(axis=1)
        if constraints.disjoint and (times > 1).any():
            return None
        outside = table.row_weights[:, None] > table.weights
        if problem.hard and (not claimed[table.weights > 0].all() or (claimed & outside).any()):
            return None
        columns = sorted(set().union(*(self._columns[k] for k in members)))
        longest = int(self._lengths[members].max(initial=0))
        found = []
        for level, prices in zip(self._levels, self._prices, strict=True):
            total = int(prices[members].sum()) + int(level.column[columns].sum()) + level.longest * longest
            if level.explained:
                total += level.explained * int((table.weights * np.maximum(shortest, 0)).sum())
            if level.counts_errors:
                total += self._faults(claimed, times)
            found.append(total)
        return None if self._pricing.exceeded(found) else tuple(found)

    def _faults(self, claimed: NDArray[np.bool_], times: NDArray[np.int64]) -> int:
        weights, first = self._problem.table.weights, self._paid
        if self._problem.hard:
            return 0
        if self._problem.separable:
            return int(np.where(claimed, first.of_all_claims(weights), weights * first.missed).sum())
        wrong = ~claimed | (times[:, None] - claimed > 0)
        return int(np.where(wrong, weights * first.missed, 0).sum())

    def begin(self, budget: Budget) -> None:
        """Search for first sets if columns or the longest rule have a price, which is paid once per set."""
        if not any(level.longest or level.column.any() for level in self._levels):
            return
        order = np.argsort(-self.promise(), kind="stable")
        for members in self._restricted(order):
            if budget.expired():
                return
            self.offer(self._filled(members))

    def _restricted(self, order: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
        """Yield the rules up to each length, and the rules on the most promising columns."""
        if any(level.longest for level in self._levels):
            for length in np.unique(self._lengths):
                yield order[self._lengths[order] <= length]
        if any(level.column.any() for level in self._levels):
            worth: Counter[int] = Counter()
            for k in order[:MAX_ADDED]:
                worth.update(self._columns[k])
            allowed: set[int] = set()
            for column, _ in worth.most_common():
                allowed.add(column)
                yield np.array([k for k in order if self._columns[k] <= allowed], dtype=np.int64)

    def _filled(self, order: NDArray[np.int64]) -> list[int]:
        """Greedily take, in the given order, every rule that saves more errors than its price."""
        weights, prices = self._problem.table.weights, self._paid
        if self._problem.hard:
            return sorted(self._greedy(order.tolist()))
        own = weights * prices.missed
        separable = self._problem.separable
        others = own.sum(axis=1, keepdims=True) - own
        saves = own - (prices.of_all_claims(weights) if separable else others)
        open_rows = np.ones(weights.shape, bool)
        taken = []
        for k in order:
            target = self._targets[k]
            new = self._covers[k] & open_rows[:, target]
            if saves[new, target].sum() > self._prices[0][k]:
                taken.append(int(k))
                open_rows[new, target] = False
        return taken

    def promise(self) -> NDArray[np.float64]:
        """Return how promising each rule is by itself: its savings relative to its price."""
        weights, first = self._problem.table.weights, self._paid
        if self._problem.hard:
            use = weights.astype(float)
        else:
            use = (
                weights * first.missed - (weights.sum(axis=1, keepdims=True) - weights) * first.missed.max()
            ).astype(float)
        saved = np.array([use[cover, c].sum() for cover, c in zip(self._covers, self._targets, strict=True)])
        traded = not self._problem.hard and not self._pricing.limits
        worth = saved - self._prices[0] if traded else saved / (self._lengths + 1)
        top = max(float(worth.max(initial=0.0)), 1e-9)
        return np.clip(worth / top, 0.0, 1.0) * 0.4

    def polish(self, fractions: NDArray[np.float64], budget: Budget) -> None:
        """Search for good sets near the given fractions and near the best set."""
        order = np.argsort(-fractions, kind="stable")
        likely = order[:MAX_ADDED].tolist()
        starts = [frozenset(np.flatnonzero(fractions >= part).tolist()) for part in (0.5, 0.3, 0.1)]
        starts.append(self._greedy(likely))
        if self.best is not None:
            starts.append(self.best[1])
        for start in dict.fromkeys(start | self.forced for start in starts):
            if budget.expired():
                return
            if self.offer(start) is not None:
                self._local_search(start, likely, budget)

    def _greedy(self, order: list[int]) -> frozenset[int]:
        """Take, in the given order, every rule that covers something new: this completes perfect sets."""
        table = self._problem.table
        uncovered = np.ones((table.n_rows, table.n_classes), bool)
        taken = set(self.forced)
        for k in order:
            rows = self._covers[k] & (table.weights[:, self._targets[k]] > 0)
            if uncovered[rows, self._targets[k]].any():
                taken.add(int(k))
                uncovered[rows, self._targets[k]] = False
        return frozenset(taken)

    def _local_search(self, chosen: frozenset[int], likely: list[int], budget: Budget) -> None:
        values = self.values(chosen)
        assert values is not None
        improved = True
        while improved and not budget.expired():
            improved = False
            out: list[int | None] = [*sorted(chosen - self.forced), None]
            into: list[int | None] = [None, *(k for k in likely if k not in chosen)]
            for gone in out:
                for new in into:
                    if gone is None and new is None:
                        continue
                    other = frozenset(chosen - {gone} | ({new} if new is not None else set()))
                    tried = self.offer(other)
                    if tried is not None and tried < values:
                        chosen, values, improved = other, tried, True
                        break
                if improved or budget.expired():
                    break
