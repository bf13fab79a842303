"""The selection of rules as a linear program over 0-1 variables: the restricted master.

z_R = 1 if rule R is in the set. h_ic = 1 if a rule of class c covers row i. h_ic is at least z_R for each R
of c that covers i if covering costs, and at most the sum of these z_R if covering pays. Every constraint adds
one or two rows: caps are sums of z; a column, or a length, is paid for by a variable that is at least the z
of each rule that uses it, or is as long; the length of explanations is paid for by x_iR ("R explains i"),
which is at most z_R.

The relaxation of these rows alone is weak: two rules at one half cover a row of their class fully, but pay
only half for a row of another class. So x_iR, which names one covering rule for a covered row i, also charges
that rule: for every row j that R covers wrongly, h_jc is at least the sum of x_iR over the R that cover both
rows (the blame rows of ``docs/how-it-works.md``). There is one such row per pair of rows; `Master.cuts` adds
the violated ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from laconic.engines.selection.candidates import Candidates, merged_rows
from laconic.engines.selection.program import BinaryProgram
from laconic.problem.constraints.compiled import CompiledConstraints, Pricing
from laconic.problem.objective import Problem
from laconic.runtime.budget import Budget

MAX_ENTRIES = 300_000
"""Maximum number of pairs of a row and a covering rule in a program."""

MAX_NAMED = 40_000
"""Maximum number of such pairs for the strong relaxation; above it, rows do not name rules."""

MAX_CUTS = 400
"""Maximum number of blame rows added at once."""

VIOLATION = 0.02

Ints = NDArray[np.int64]


class OutOfTimeError(Exception):
    """The time was up before the program was complete; the exception never leaves this engine."""


@dataclass
class _Blame:
    """The data from which the blame rows of one class are made."""

    named: list[tuple[Ints, Ints]] = field(
        default_factory=list
    )  # for each row that names a rule: covering rules and their x
    claimed: list[int] = field(default_factory=list)  # variable h of each row whose cover has a cost
    covers: list[NDArray[np.bool_]] = field(default_factory=list)  # the rules that cover each of those rows


class Master:
    """The program for a list of candidates.

    Attributes
    ----------
    program : BinaryProgram
        The program; variable k is candidate k.
    fixed : ndarray of bool
        Whether each candidate must be in the set.
    """

    def __init__(self, problem: Problem, candidates: Candidates, budget: Budget) -> None:
        self._budget = budget
        self._problem, self._candidates = problem, candidates
        self._constraints: CompiledConstraints = problem.constraints
        self._pricing: Pricing = problem.pricing
        self.program = BinaryProgram(len(self._pricing.levels))
        self._targets = np.array([rule.target for rule in candidates.rules], dtype=np.int64)
        for rule in candidates.rules:
            self.program.new([level.of_rule(rule) for level in self._pricing.levels])
        self.fixed = np.array([rule in self._constraints.rules_in for rule in candidates.rules], dtype=bool)
        self._blame: list[_Blame] = []
        self._known: set[tuple[int, int, int]] = set()
        self._caps()
        self._uses()
        if problem.hard:
            self._perfect_rows()
        else:
            self._sparse_rows()
        for level, limit in enumerate(self._pricing.limits):
            if limit is not None:
                self.keep_level(level, limit)

    def cuts(self, values: NDArray[np.float64]) -> int:
        """Add the most violated blame rows of a fractional solution; return their number."""
        found: list[tuple[float, int, int, int]] = []
        for b, blame in enumerate(self._blame):
            if not blame.claimed:
                continue
            paid = values[blame.claimed]
            covers = np.array(blame.covers)
            for i, (rules, named) in enumerate(blame.named):
                excess = covers[:, rules] @ values[named] - paid
                violated = np.flatnonzero(excess > VIOLATION).tolist()
                found += [(float(excess[j]), b, i, j) for j in violated if (b, i, j) not in self._known]
        found.sort(reverse=True)
        for _, b, i, j in found[:MAX_CUTS]:
            self._known.add((b, i, j))
            blame = self._blame[b]
            rules, named = blame.named[i]
            both = named[blame.covers[j][rules]]
            self.program.require([blame.claimed[j], *both], [1] + [-1] * both.size, 0)
        return min(len(found), MAX_CUTS)

    def keep_level(self, level: int, value: int) -> None:
        """Require that the value at an earlier level is at most ``value``."""
        costs = self.program.costs(level)
        some = np.flatnonzero(costs)
        self.program.require(some, -costs[some], self.program.constants[level] - value)

    def _caps(self) -> None:
        constraints, rules = self._constraints, self._candidates.rules
        lengths = np.array([len(rule.literals) for rule in rules], dtype=np.int64)
        every = np.arange(len(rules))
        for limit, weight in (
            (constraints.max_rules, np.ones_like(lengths)),
            (constraints.max_literals, lengths),
            (constraints.max_size, lengths + 1),
        ):
            if limit is not None:
                self.program.require(every, -weight, -limit)
        for group in constraints.required:
            self.program.require([k for k, rule in enumerate(rules) if group & set(rule.literals)], 1, 1)
        if self._problem.objective.every_class:
            for c in self._problem.classes:
                self.program.require(np.flatnonzero(self._targets == c), 1, 1)

    def _uses(self) -> None:
        """Add the variables that pay once for each used column, and for the longest rule."""
        levels, rules = self._pricing.levels, self._candidates.rules
        for column in range(self._constraints.n_columns):
            prices = [int(level.column[column]) for level in levels]
            of_column = {int(f) for f in np.flatnonzero(self._constraints.column_of == column)}
            users = [k for k, rule in enumerate(rules) if of_column & {code >> 1 for code in rule.literals}]
            self._check_time()
            if any(prices) and users:
                used = self.program.new(prices)
                for k in users:
                    self.program.require([used, k], [1, -1], 0)
        prices = [level.longest for level in levels]
        if not any(prices):
            return
        longer: list[int] = []
        for length in range(1, max((len(rule.literals) for rule in rules), default=0) + 1):
            longer.append(self.program.new(prices))
            if length > 1:
                self.program.require(longer[-2:], [1, -1], 0)
        for k, rule in enumerate(rules):
            if rule.literals:
                self.program.require([longer[len(rule.literals) - 1], k], [1, -1], 0)

    def _perfect_rows(self) -> None:
        weights = self._problem.table.weights
        for c in self._problem.classes:
            own = np.flatnonzero(self._targets == c)
            rows = np.flatnonzero(weights[:, c] > 0)
            covers, group = merged_rows(self._candidates.covers[np.ix_(own, rows)])
            total = np.bincount(group, weights=weights[rows, c], minlength=covers.shape[1]).astype(np.int64)
            for g in range(covers.shape[1]):
                rules = own[covers[:, g]]
                if any(level.explained for level in self._pricing.levels):
                    rules = self._named(rules, int(total[g]))
                self.program.require(rules, 1, 1)

    def _sparse_rows(self) -> None:
        table, first = self._problem.table, self._pricing.levels[self._pricing.faults]
        weights = table.weights
        explained = any(level.explained for level in self._pricing.levels)
        tied = self._constraints.disjoint or not self._problem.separable
        covers_all, group_all = merged_rows(self._candidates.covers)
        self._strong = explained or int(self._candidates.covers.sum()) <= MAX_NAMED
        claims: dict[tuple[int, int], int] = {}
        for c in self._problem.classes:
            own = np.flatnonzero(self._targets == c)
            covers, group = (
                (covers_all[own], group_all) if tied else merged_rows(self._candidates.covers[own])
            )
            n_groups = covers.shape[1]
            missed = _summed(group, weights[:, c] * first.missed[c], n_groups)
            claimed = _summed(group, first.of_claims(weights, c), n_groups)
            of_class = _summed(group, weights[:, c], n_groups)
            outside = _summed(group, weights.sum(axis=1) - weights[:, c], n_groups)
            if self._problem.separable:
                self.program.constants[self._pricing.faults] += int(missed.sum())
            blame = _Blame()
            for g in range(n_groups):
                rules = own[covers[:, g]]
                if not rules.size:
                    continue
                net = int(claimed[g] - missed[g]) if self._problem.separable else 0
                pays = net < 0 or (explained and of_class[g]) or (not self._problem.separable and of_class[g])
                costs = (
                    net > 0
                    or self._constraints.disjoint
                    or (explained and of_class[g])
                    or (not self._problem.separable and outside[g])
                )
                if not pays and not costs:
                    continue
                self._check_time()
                covered = self._fault(net)
                claims[g, c] = covered
                if costs:
                    for k in rules:
                        self.program.require([covered, k], [1, -1], 0)
                if pays:
                    named = self._named(rules, int(of_class[g])) if self._strong else rules
                    self.program.require([*named, covered], [1] * rules.size + [-1], 0)
                    if self._strong:
                        blame.named.append((rules, named))
                if costs and (net > 0 or not self._problem.separable):
                    blame.claimed.append(covered)
                    blame.covers.append(_as_mask(rules, len(self._candidates.rules)))
            self._blame.append(blame)
        if self._constraints.disjoint:
            for g in range(covers_all.shape[1]):
                of_row = [claims[g, c] for c in self._problem.classes if (g, c) in claims]
                if len(of_row) > 1:
                    self.program.require(of_row, -1, -1)
        if not self._problem.separable:
            self._row_errors(group_all, covers_all.shape[1], claims)

    def _row_errors(self, group: Ints, n_groups: int, claims: dict[tuple[int, int], int]) -> None:
        """Count an error on a row once if its class does not cover it or another class does."""
        weights, missed = self._problem.table.weights, self._pricing.levels[self._pricing.faults].missed
        for c in self._problem.classes:
            costs = _summed(group, weights[:, c] * missed[c], n_groups)
            for g in np.flatnonzero(costs):
                if (int(g), c) not in claims:
                    self.program.constants[self._pricing.faults] += int(costs[g])
                    continue
                wrong = self._fault(int(costs[g]))
                self.program.require([wrong, claims[int(g), c]], 1, 1)
                for d in self._problem.classes:
                    if d != c and (int(g), d) in claims:
                        self.program.require([wrong, claims[int(g), d]], [1, -1], 0)

    def _fault(self, price: int) -> int:
        """Add a variable that pays the price of an error, at the level of errors."""
        return self.program.new([0] * self._pricing.faults + [price])

    def _check_time(self) -> None:
        if self._budget.expired():
            raise OutOfTimeError

    def _named(self, rules: Ints, weight: int) -> Ints:
        """Add variables that name one of the rules as the explanation of a row."""
        named = []
        self._check_time()
        for k in rules:
            length = len(self._candidates.rules[k].literals)
            x = self.program.new([level.explained * weight * length for level in self._pricing.levels])
            self.program.require([k, x], [1, -1], 0)
            named.append(x)
        return np.array(named, dtype=np.int64)


def _summed(group: Ints, values: Ints, n_groups: int) -> Ints:
    total = np.zeros(n_groups, np.int64)
    np.add.at(total, group, values)
    return total


def _as_mask(members: Sequence[int] | Ints, n: int) -> NDArray[np.bool_]:
    mask = np.zeros(n, bool)
    mask[members] = True
    return mask
