"""Admissible sets of listed rules as the solutions of a 0-1 program, and the proof that it has none.

Variables: z_R, "rule R is in the set"; for each column with a price, "it is used"; for each length, "some
rule is that long"; h_gc, "a rule of class c covers the rows g"; x_gR, "R is the shortest rule that covers
g, the first of equals"; and, where errors are counted per row, "g is wrong". Rows of the table that the
same rules cover are merged to one g. A row of the program reads sum of coefficient * variable >= least. An
admissible set that keeps all caps satisfies all of them, so it is enough to prove that no 0-1 values do.

The proof is a tree. A branching fixes a variable to 0 or 1. A leaf gives *multipliers* of rows, at least 0.
The rows times these, added up, read c x >= b; if the largest value of c x is below b there is no solution. A
node may use the same sum to fix variables: those without which c x cannot reach b.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic.checking.checker import Malformed, Refuted, Spend
from laconic.checking.constraint_checker import reading
from laconic.checking.constraint_checker.listing import Listed, listed
from laconic.checking.constraint_checker.statement import Capped, Statement

LARGEST = 2**62
MOST_PAIRS = 2_000_000
"""Pairs of a row and a rule that covers it."""
MOST_BLAME = 10_000_000
"""Numbers in the rows of the program that blame adds."""

Ints = NDArray[np.int64]


def check_together(
    statement: Statement, capped: Sequence[tuple[int, Capped]], proof: Any, spend: Spend
) -> None:
    """Prove that no admissible set keeps all the caps."""
    blame = [tuple(reading.wholes(place, "blame", 3)) for place in reading.lists(proof, "blame")]
    if len(set(blame)) < len(blame):
        raise Malformed("its blame names the same rows twice")
    program = Program(statement, capped, listed(statement, capped, spend))
    n_blamed = 0
    for place in blame:
        spend(1)
        program.add_blame(place)
        n_blamed += len(program.column[-1])
        if n_blamed > MOST_BLAME:
            raise Refuted("its blame is about too many rows and rules")
    check_tree(program, reading.entry(proof, "tree", dict), spend)


class Program:
    """Variables in {0, 1} and rows."""

    def __init__(self, statement: Statement, capped: Sequence[tuple[int, Capped]], rules: Listed) -> None:
        self.statement, self.capped, self.rules = statement, capped, rules
        if int(rules.covers.sum()) > MOST_PAIRS:
            raise Refuted("the rules that can matter cover too many rows")
        self.n_vars = 0
        self.least: list[int] = []
        self.row: list[Ints] = []
        self.column: list[Ints] = []
        self.value: list[Ints] = []
        self.paid: list[list[tuple[int, int]]] = [[] for _ in capped]  # (variable, price) by capped sum
        self.constant = [0] * len(capped)
        self.targets = np.array([rule[0] for rule in rules.rules], np.int64)
        for _, *body in rules.rules:
            self.new([one.of_rule(body) for _, one in capped])
        self.forced = np.array([rule in statement.rules_in for rule in rules.rules], bool)
        if len(statement.rules_in) > self.forced.sum():
            self.require([], [], 1)  # a rule must be in, but cannot be
        self._uses()
        # By class and group of rows: who covers them, who may be named, and the variable "they are covered".
        self.covering: dict[tuple[int, int], Ints] = {}
        self.named: dict[tuple[int, int], Ints] = {}
        self.covered: dict[tuple[int, int], int] = {}
        if statement.hard:
            self._perfect_rows()
        else:
            self._sparse_rows()
        self.caps: list[int] = []
        for paid, constant, (_, one) in zip(self.paid, self.constant, capped, strict=True):
            self.caps.append(len(self.least))
            self.require([j for j, _ in paid], [-price for _, price in paid], constant - one.cap)

    def new(self, prices: Sequence[int]) -> int:
        """Add a variable with its part in each capped sum; return its number."""
        for paid, price in zip(self.paid, prices, strict=True):
            if price:
                paid.append((self.n_vars, price))
        self.n_vars += 1
        return self.n_vars - 1

    def require(self, variables: Sequence[int] | Ints, values: Sequence[int] | Ints, least: int) -> None:
        """Add a row."""
        self.row.append(np.full(len(variables), len(self.least), np.int64))
        self.column.append(np.array(variables, np.int64))
        self.value.append(np.array(values, np.int64))
        self.least.append(least)

    def _uses(self) -> None:
        """Add rows for required literals, for classes, for columns used and for lengths reached."""
        statement, rules = self.statement, self.rules.rules
        for group in statement.required:
            some = [k for k, rule in enumerate(rules) if group & set(rule[1:])]
            self.require(some, [1] * len(some), 1)
        if statement.every_class:
            for target in statement.classes:
                some = np.flatnonzero(self.targets == target).tolist()
                self.require(some, [1] * len(some), 1)
        for column in range(max(statement.column_of, default=-1) + 1):
            prices = [one.columns[column] for _, one in self.capped]
            users = [
                k
                for k, rule in enumerate(rules)
                if column in {statement.column_of[code // 2] for code in rule[1:]}
            ]
            if any(prices) and users:
                used = self.new(prices)
                for k in users:
                    self.require([used, k], [1, -1], 0)
        prices = [one.longest for _, one in self.capped]
        lengths = [len(rule) - 1 for rule in rules]
        if any(prices):
            reached = [self.new(prices) for _ in range(max(lengths, default=0))]
            for one, other in pairwise(reached):
                self.require([one, other], [1, -1], 0)
            for k, length in enumerate(lengths):
                if length:
                    self.require([reached[length - 1], k], [1, -1], 0)

    def _name(self, rules: Ints, weight: int) -> Ints:
        """Add variables that name the rule that explains each row of this weight."""
        named = []
        for k in rules.tolist():
            length = len(self.rules.rules[k]) - 1
            named.append(self.new([one.explained * weight * length for _, one in self.capped]))
            self.require([k, named[-1]], [1, -1], 0)
        return np.array(named, np.int64)

    def _perfect_rows(self) -> None:
        """Require that a rule of its class covers each row; listed rules cover no other rows."""
        explained = any(one.explained for _, one in self.capped)
        for target in self.statement.classes:
            weight = self.statement.weights[:, target]
            own, rows = np.flatnonzero(self.targets == target), np.flatnonzero(weight > 0)
            covers, group = merged(self.rules.covers[np.ix_(own, rows)])
            total = summed(group, weight[rows], covers.shape[1])
            for g in range(covers.shape[1]):
                some = own[covers[:, g]]
                if explained:
                    some = self._name(some, int(total[g]))
                self.require(some, [1] * len(some), 1)
        if self.statement.disjoint:  # only rows without weight may be covered by two classes
            weightless = ~self.statement.weights.any(axis=1)
            for g in merged(self.rules.covers[:, weightless])[0].T:
                for k in np.flatnonzero(g).tolist():
                    for other in np.flatnonzero(g & (self.targets > self.targets[k])).tolist():
                        self.require([k, other], [-1, -1], -1)

    def _sparse_rows(self) -> None:
        statement = self.statement
        explained = any(one.explained for _, one in self.capped)
        tied = statement.disjoint or statement.per_row
        _, all_groups = merged(self.rules.covers)
        for target in sorted({*statement.classes, *self.targets.tolist()}):
            own = np.flatnonzero(self.targets == target)
            covers, group = merged(self.rules.covers[own])
            if tied:  # the same groups for all classes
                group = all_groups
                first = np.unique(group, return_index=True)[1]
                covers = self.rules.covers[np.ix_(own, first)]
            n_groups = covers.shape[1]
            missed, claimed, weight = (
                summed(group, part[:, target], n_groups)
                for part in (statement.missed_cost, statement.claimed_cost, statement.weights)
            )
            self._pay_errors(0 if statement.per_row else int(missed.sum()))
            for g in range(n_groups):
                rules = own[covers[:, g]]
                net = 0 if statement.per_row else int(claimed[g] - missed[g])
                if len(rules):
                    explains = explained and weight[g] > 0
                    worth = net < 0 or explains or (statement.per_row and missed[g] > 0)
                    costs = (
                        net > 0 or explains or statement.disjoint or (statement.per_row and claimed[g] > 0)
                    )
                    self._cover(target, g, rules, net, int(weight[g]), worth=bool(worth), costs=bool(costs))
        if statement.disjoint:
            self._apart()
        if statement.per_row:
            self._errors_per_row(all_groups)

    def _cover(
        self, target: int, g: int, rules: Ints, net: int, weight: int, *, worth: bool, costs: bool
    ) -> None:
        """Add the variable "a rule of the class covers these rows", where that matters."""
        if not worth and not costs:
            return
        covered = self.new([one.errors * net for _, one in self.capped])
        self.covered[target, g], self.covering[target, g] = covered, rules
        if costs:
            for k in rules.tolist():
                self.require([covered, k], [1, -1], 0)
        if worth:
            self.named[target, g] = named = self._name(rules, weight)
            self.require([*named.tolist(), covered], [1] * len(named) + [-1], 0)

    def _pay_errors(self, weight: int) -> None:
        self.constant = [
            paid + one.errors * weight for paid, (_, one) in zip(self.constant, self.capped, strict=True)
        ]

    def _apart(self) -> None:
        """Require that rules of at most one class cover a row."""
        by_group: dict[int, list[int]] = {}
        for (_, g), covered in self.covered.items():
            by_group.setdefault(g, []).append(covered)
        for some in by_group.values():
            self.require(some, [-1] * len(some), -1)

    def _errors_per_row(self, group: Ints) -> None:
        """Count a row once if its class does not cover it or another does."""
        statement = self.statement
        by_group: dict[int, list[tuple[int, int]]] = {}
        for (target, g), covered in self.covered.items():
            by_group.setdefault(g, []).append((target, covered))
        for target in statement.classes:
            missed = summed(group, statement.missed_cost[:, target], int(group.max(initial=-1)) + 1)
            for g in np.flatnonzero(missed).tolist():
                if (target, g) not in self.covered:
                    self._pay_errors(int(missed[g]))
                    continue
                wrong = self.new([one.errors * int(missed[g]) for _, one in self.capped])
                self.require([wrong, self.covered[target, g]], [1, 1], 1)
                for other, covered in by_group[g]:
                    if other != target:
                        self.require([wrong, covered], [1, -1], 0)

    def add_blame(self, place: Sequence[int]) -> None:
        """Let what explains rows i pay for rows j: h_j is at least the sum of x_iR over R that cover both."""
        target, i, j = place
        if (target, i) not in self.named or (target, j) not in self.covered:
            raise Malformed("its blame is about rows that are not priced")
        both = np.isin(self.covering[target, i], self.covering[target, j])
        named = self.named[target, i][both].tolist()
        self.require([self.covered[target, j], *named], [1] + [-1] * len(named), 0)


class Sums:
    """The rows of a program as matrices for sums; rows added later are included."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.sizes: dict[int, int] = {}

    def size(self, row: int) -> int:
        """Return the sum of all numbers of a row without their signs."""
        if row not in self.sizes:
            numbers = [self.program.least[row], *self.program.value[row].tolist()]
            self.sizes[row] = 1 + sum(map(abs, numbers))
        return self.sizes[row]

    def added(self, multipliers: Sequence[tuple[int, int]]) -> tuple[Ints, int]:
        """Return c and b of the sum of the rows times their multipliers: c x >= b."""
        program = self.program
        if sum(times * self.size(row) for row, times in multipliers) >= LARGEST:
            raise Refuted("its multipliers are beyond exact arithmetic")
        total, b = np.zeros(program.n_vars, np.int64), 0
        for row, times in multipliers:
            np.add.at(total, program.column[row], times * program.value[row])
            b += times * program.least[row]
        return total, b


def settle(c: Ints, b: int, low: Ints, high: Ints) -> tuple[int, Ints, Ints]:
    """Return by how much the largest c x exceeds b, and bounds of the variables that all solutions keep."""
    best = np.where(c > 0, high, low)
    spare = int((c * best).sum()) - b
    needed = (low < high) & (np.abs(c) > spare)
    return spare, np.where(needed, best, low), np.where(needed, best, high)


def check_tree(program: Program, tree: dict[str, Any], spend: Spend) -> None:
    """Prove that the program has no solution."""
    sums = Sums(program)
    low, high = np.zeros(program.n_vars, np.int64), np.ones(program.n_vars, np.int64)
    low[: len(program.forced)][program.forced] = 1
    stack = [(tree, low, high)]
    while stack:
        node, low, high = stack.pop()
        spend(1)
        if "on" in node:
            variable = reading.whole(node["on"], "'on'")
            if variable >= program.n_vars:
                raise Malformed("it branches on a variable that there is not")
            for name, value in (("one", 1), ("zero", 0)):
                child_low, child_high = low.copy(), high.copy()
                child_low[variable], child_high[variable] = (
                    max(value, low[variable]),
                    min(value, high[variable]),
                )
                if child_low[variable] <= child_high[variable]:
                    stack.append((reading.entry(node, name, dict), child_low, child_high))
            continue
        flat = reading.wholes(node.get("rows"), "rows")
        multipliers = list(zip(flat[::2], flat[1::2], strict=False))
        if len(flat) % 2 or any(row >= len(program.least) for row, _ in multipliers):
            raise Malformed("its multipliers are not of rows")
        if len(dict(multipliers)) < len(multipliers):
            raise Malformed("its multipliers name a row twice")
        spare, low, high = settle(*sums.added(multipliers), low, high)
        if spare < 0:
            continue
        if "then" not in node:
            raise Refuted(f"there may be a better set: its multipliers leave {spare} to spare")
        stack.append((reading.entry(node, "then", dict), low, high))


def merged(covers: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], Ints]:
    """Merge rows that the same rules cover: (rules x groups, the group of each row)."""
    if not covers.shape[1]:
        return covers, np.empty(0, np.int64)
    if not covers.shape[0]:
        return np.zeros((0, 1), bool), np.zeros(covers.shape[1], np.int64)
    _, first, group = np.unique(np.packbits(covers, axis=0), axis=1, return_index=True, return_inverse=True)
    return covers[:, first], group.ravel()


def summed(group: Ints, values: Ints, n_groups: int) -> Ints:
    """Return the sums of values by group."""
    total = np.zeros(n_groups, np.int64)
    np.add.at(total, group, values)
    return total
