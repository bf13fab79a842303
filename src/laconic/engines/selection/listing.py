"""Every rule that an optimal set may need, under constraints.

A breadth-first search over conjunctions, shortest first. What may be left out is decided by exchange
arguments: *a literal is needed* in a rule if dropping it makes the rule no longer as good, and a rule with
a literal that is not needed can be replaced by the shorter one in any set, at no loss. What "not needed"
means depends on the constraints:

===========  ============================================================  =================================
need         a literal must, alone among the rule's literals, exclude      sound unless
===========  ============================================================  =================================
``harm``     rows whose errors cost more than the literal saves            overlap is forbidden, precision
                                                                           asked for, or explanations paid
``pure``     some row of another class (perfect sets)                      a precision is asked for
``cover``    some row at all: else the shorter rule has the same cover     (always sound)
===========  ============================================================  =================================

Two constraints can forbid the replacement. A literal that a *required* group asks for may stay though it is
not needed, one per group at most. A shorter rule that must be *out* does not replace anything, so every rule
that is one literal longer than a forbidden one is a candidate. A sparse rule must also *pay*: save more
errors than it costs, unless it may be there for another reason. Of rules with the same cover only the
cheapest remain. All tests only get harder as literals are added, so the search stops where one fails.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from laconic.engines.selection.candidates import Candidates, Rows
from laconic.engines.selection.dominance import cheapest_of_their_cover, undominated
from laconic.problem.coded import CodedRule, rows_covered
from laconic.problem.constraints.evaluate import admissible, good_enough
from laconic.problem.objective import Problem
from laconic.runtime.budget import Budget

MAX_RULES = 20_000
"""Rules per problem beyond which the list is cut short."""

MAX_CELLS = 3 * 10**8
"""Bytes that covers of rules, and of conjunctions to extend, may take."""


def find_candidates(problem: Problem, budget: Budget, *, every: bool = False) -> Candidates:
    """List the rules that can matter, shortest first, as long as the budget and the memory last.

    With ``every``, all that a set may need from which nothing can be left out without more errors, whatever
    it costs: none stands for another then.

    Under a limit on errors, those that can matter if errors come first: what is replaced then makes no more.
    """
    problem = _errors_first(problem)
    constraints = problem.constraints
    found: dict[CodedRule, Rows] = {}
    complete = True
    searches = [_Search(problem, c, every=every) for c in problem.classes]
    most = min(MAX_RULES, MAX_CELLS // problem.table.n_rows)
    # Level by level over all classes, so that a list cut short holds the short rules of every class.
    while any(search.frontier for search in searches):
        for search in searches:
            found.update(search.deepen(budget))
            complete = complete and not search.cut
        if not complete or len(found) > most or budget.expired():
            complete = complete and not any(search.frontier for search in searches)
            break
    for rule in _longer_than_forbidden(problem):
        found.setdefault(rule, rows_covered(rule, problem.table))
    for rule in constraints.rules_in:
        found[rule] = rows_covered(rule, problem.table)
    rules = sorted(found) if every else cheapest_of_their_cover(problem, found)
    if not every and _need(problem) != "cover":
        sides = {search.target: (search.wanted, search.unwanted) for search in searches}
        rules = undominated(problem, rules, found, sides, budget)
    covers = np.array([found[rule] for rule in rules], dtype=bool).reshape(-1, problem.table.n_rows)
    return Candidates(rules, covers, complete)


def _errors_first(problem: Problem) -> Problem:
    prices = problem.pricing
    levels = (prices.levels[prices.faults], *prices.levels[: prices.faults])
    return replace(problem, pricing=replace(prices, levels=levels)) if prices.faults else problem


@dataclass(frozen=True)
class _Node:
    """A conjunction: its literals (as positions), the rows it covers, and those only one literal excludes."""

    body: tuple[int, ...]
    cover: Rows
    excluded: tuple[Rows, ...]


class _Search:
    """The rules of one class, one length per step."""

    def __init__(self, problem: Problem, target: int, *, every: bool) -> None:
        self._problem, self.target = problem, target
        self._constraints = constraints = problem.constraints
        table, first = problem.table, problem.pricing.levels[0]
        usable = constraints.usable[target]
        self._codes = np.flatnonzero(usable.reshape(-1))
        both = np.stack([~table.matrix.T, table.matrix.T], axis=1).reshape(-1, table.n_rows)
        self._rows = both[self._codes]
        weights = table.weights
        if problem.hard:
            gain = table.rows_in(target).astype(np.int64)
            harm = table.rows_outside(target).astype(np.int64)
        elif problem.separable:
            net = weights[:, target] * first.missed[target] - first.of_claims(weights, target)
            gain, harm = np.maximum(net, 0), np.maximum(-net, 0)
        else:
            gain = weights[:, target] * first.missed[target]
            harm = weights @ first.missed - gain
        self._longest = (
            table.n_features if constraints.max_rule_length is None else constraints.max_rule_length
        )
        if first.explained and not problem.hard and problem.separable:
            harm = self._explained_harm(net, first.explained * weights[:, target])
        later = any(level.explained for level in problem.pricing.levels[1:])
        strict = 1 if later else 0  # a tie at the first level may still matter
        need = _need(problem)
        self.wanted, self.unwanted = gain > 0, harm > 0
        self._gain = gain.astype(float)
        self._harm = harm.astype(float) if need != "cover" else np.ones(table.n_rows)
        self._samples = table.samples.astype(float)
        literal = first.literal[self._codes >> 1] * (not every)
        self._least_harm = (literal if need == "harm" else np.zeros_like(literal)).astype(float)
        self._literal = literal.astype(float)
        pays = not problem.hard and not problem.objective.every_class and not constraints.required
        pays = pays and not first.explained
        # A rule that must pay saves more than this; others only have to cover a row of use.
        self._price = float(first.rule * (not every) - strict) if pays else None
        # Perfect: only a required condition may need a rule that covers nothing but rows without weight.
        self._may_gain_nothing = not problem.hard or bool(constraints.required)
        self._exempt = np.isin(self._codes, sorted(code for group in constraints.required for code in group))
        everything = np.ones(table.n_rows, bool)
        self.frontier = [_Node((), everything, ())] if self._worth(self._gain.sum(), 0.0) else []
        self._at_root = True
        self.cut = False

    def _explained_harm(self, net: NDArray[np.int64], per_literal: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return what covering a row may cost when explanations are paid by length, and cap the length.

        A rule so long that each row costs less uncovered than explained by it is in no optimal set, unless a
        class or a required group needs it.
        """
        if not self._problem.objective.every_class and not self._constraints.required:
            paid = per_literal > 0
            useful = np.maximum(net[paid], 0) // per_literal[paid]
            self._longest = min(self._longest, int(useful.max(initial=0)))
        harm: NDArray[np.int64] = np.maximum(per_literal * self._longest - net, 0)
        return harm

    def deepen(self, budget: Budget) -> Iterator[tuple[CodedRule, Rows]]:
        """Yield the rules of the next length."""
        if self._at_root:
            self._at_root = False
            yield from self._accepted(self.frontier)
        if self.frontier and len(self.frontier[0].body) >= self._longest:
            self.frontier = []
            return
        deeper: list[_Node] = []
        depth = len(self.frontier[0].body) + 1 if self.frontier else 0
        most = min(5 * MAX_RULES, MAX_CELLS // (self._problem.table.n_rows * (depth + 1)))
        for node in self.frontier:
            if budget.expired() or len(deeper) > most:
                self.cut = True
                break
            children = self._children(node)
            yield from self._accepted(children)
            deeper += children
        self.frontier = deeper

    def _worth(self, gain: float, paid: float) -> bool:
        if self._price is not None:
            return gain > self._price + paid
        return gain > 0 or self._may_gain_nothing

    def _children(self, node: _Node) -> list[_Node]:
        first = node.body[-1] + 1 if node.body else 0
        rows = self._rows[first:] & node.cover
        codes = self._codes[first:]
        ok = rows @ self._samples >= self._constraints.min_support
        if node.body:
            ok &= codes >> 1 != self._codes[node.body[-1]] >> 1
        gains = rows @ self._gain
        if self._price is not None:
            paid = self._literal[list(node.body)].sum()
            ok &= gains > self._price + paid + self._literal[first:]
        elif not self._may_gain_nothing:
            ok &= gains > 0
        idle = np.zeros(codes.size, np.int64)  # literals that nobody needs, but a required group may want
        for literal, excluded in zip(node.body, node.excluded, strict=True):
            needed = (self._rows[first:] & excluded) @ self._harm > self._least_harm[literal]
            if self._exempt[literal]:
                idle += ~needed
            else:
                ok &= needed
        own = ~self._rows[first:] & node.cover
        needed = own @ self._harm > self._least_harm[first:]
        idle += ~needed & self._exempt[first:]
        ok &= needed | self._exempt[first:]
        ok &= idle <= len(self._constraints.required)
        return [
            _Node(
                (*node.body, first + int(k)),
                rows[k],
                (*(excluded & self._rows[first + k] for excluded in node.excluded), own[k]),
            )
            for k in np.flatnonzero(ok)
        ]

    def _accepted(self, nodes: list[_Node]) -> Iterator[tuple[CodedRule, Rows]]:
        table, constraints = self._problem.table, self._constraints
        for node in nodes:
            rule = CodedRule.of(self.target, self._codes[list(node.body)])
            if rule in constraints.rules_out or (
                self._problem.hard and _impure(self._problem, rule, node.cover)
            ):
                continue
            if good_enough(table, constraints, self.target, node.cover):
                yield rule, node.cover


def _need(problem: Problem) -> str:
    """Return which test of need is sound."""
    constraints = problem.constraints
    if constraints.min_precision:
        return "cover"
    if problem.hard:
        return "pure"
    first, *later = problem.pricing.levels
    tied = constraints.disjoint or (first.explained and not problem.separable)
    return "cover" if tied or any(level.explained for level in later) else "harm"


def _impure(problem: Problem, rule: CodedRule, cover: Rows) -> bool:
    return bool((problem.table.rows_outside(rule.target) & cover).any())


def _longer_than_forbidden(problem: Problem) -> Iterator[CodedRule]:
    constraints, table = problem.constraints, problem.table
    for forbidden in constraints.rules_out:
        used = {code >> 1 for code in forbidden.literals}
        for feature in range(table.n_features):
            for value in (0, 1):
                if feature in used:
                    continue
                rule = CodedRule.of(forbidden.target, (*forbidden.literals, 2 * feature + value))
                if not admissible(table, constraints, rule):
                    continue
                if not (problem.hard and _impure(problem, rule, rows_covered(rule, table))):
                    yield rule
