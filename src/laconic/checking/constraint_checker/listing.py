"""Every rule that may be needed to keep some caps.

Suppose that admissible sets keep all caps, and take one with the fewest literals and rules. Then

- no literal of a rule can be dropped, unless the rule must be in, the shorter one must be out, or a
  required group asks for the literal. Dropping it makes no sum larger if the rows that it alone excludes
  cost no more than it does. Where overlap, precision or explanations matter, it must exclude no row at all;
- no rule can be dropped. So at one of the caps the errors that it saves cost more than the rule, unless a
  rule may be there for another reason.

Both conditions only get harder to meet as literals are added, so where a rule fails one, all longer rules
are left out as well. Of the rules found, those that another could replace in any set, at no loss, are left
out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from laconic.checking.checker import Refuted, Spend
from laconic.checking.constraint_checker.statement import LIMIT, Capped, RuleCodes, Statement

MOST_RULES = 20_000
MOST_CELLS = 3 * 10**8
"""Maximum number of bytes for the covers of the listed rules."""
AT_ONCE = 4_000_000
"""Maximum number of cells, rules by rows or by literals, in one step."""
MOST_COMPARED = 6_000
"""Maximum number of rules of a class that are all compared; above it, only rules with equal covers are."""

Rows = NDArray[np.bool_]


@dataclass(frozen=True)
class Listed:
    """Rules, and the rows that each covers."""

    rules: list[RuleCodes]
    covers: Rows


def listed(statement: Statement, capped: Sequence[tuple[int, Capped]], spend: Spend) -> Listed:
    """List rules of which some set keeps the caps, if any admissible set does."""
    sums = [one for _, one in capped]
    found: dict[RuleCodes, Rows] = {}
    for target in statement.classes:
        search = _RuleListing(statement, sums, target)
        for rule, cover in search.run(spend):
            found[rule] = cover
            if len(found) > min(MOST_RULES, MOST_CELLS // statement.n_rows):
                raise Refuted("too many rules can matter to list them")
        for rule in _longer_than_forbidden(statement, target):
            spend(1)
            found.setdefault(rule, statement.cover(rule[1:]))
        of_class = [rule for rule in sorted(found) if rule[0] == target]
        for rule in search.replaceable(of_class, [found[rule] for rule in of_class]):
            del found[rule]
    for rule in statement.rules_in:
        if statement.why_not(rule) is None:
            found[rule] = statement.cover(rule[1:])
    rules = sorted(found)
    covers = np.array([found[rule] for rule in rules], bool).reshape(len(rules), statement.n_rows)
    return Listed(rules, covers)


def _longer_than_forbidden(statement: Statement, target: int) -> Iterator[RuleCodes]:
    for forbidden in statement.rules_out:
        used = {code // 2 for code in forbidden[1:]}
        for code in np.flatnonzero(statement.usable[target]).tolist():
            rule = (target, *sorted([*forbidden[1:], code]))
            if forbidden[0] == target and code // 2 not in used and statement.why_not(rule) is None:
                yield rule


class _RuleListing:
    """The rules of one class."""

    def __init__(self, statement: Statement, sums: Sequence[Capped], target: int) -> None:
        self.statement, self.sums, self.target = statement, sums, target
        self.codes = np.flatnonzero(statement.usable[target])
        self.holds = (statement.matrix.T[self.codes // 2] == (self.codes % 2 == 1)[:, None]).astype(float)
        missed, claimed = statement.missed_cost[:, target], statement.claimed_cost[:, target]
        net = missed - claimed
        self.explained = any(one.explained for one in sums)
        # The possible savings and the possible costs of covering a row, per unit of errors.
        self.gain = np.maximum(net, 0) if not statement.per_row else missed
        self.harm = np.maximum(-net, 0) if not statement.per_row else claimed
        if statement.hard:
            self.gain = (statement.weights[:, target] > 0).astype(np.int64)
            self.harm = statement.outside(target).astype(np.int64)
        careful = statement.min_precision[0] > 0
        if statement.hard:  # only rows without weight can be covered by two classes
            careful = careful or (statement.disjoint and not statement.weights.any(axis=1).all())
        else:
            careful = careful or statement.disjoint or self.explained
        if careful:  # a literal may be dropped only if the cover stays the same
            self.harm = np.ones(statement.n_rows, np.int64)
        self.careful = careful
        self.spare = self._spare()
        self.priced = None if self._may_be_needed_anyway() else [one for one in sums if one.errors]
        groups = {code for group in statement.required for code in group}
        self.asked_for = np.isin(self.codes, sorted(groups))

    def _spare(self) -> NDArray[np.float64]:
        """Return, for each literal, the harm that it must exclude more than."""
        if self.careful or self.statement.hard:
            return np.zeros(len(self.codes))
        spare = np.full(len(self.codes), float(LIMIT))
        for one in self.sums:
            if one.errors:
                prices = np.array(one.literals, np.int64)[self.codes // 2]
                spare = np.minimum(spare, prices // one.errors)
        return spare

    def _may_be_needed_anyway(self) -> bool:
        """Return whether a rule may be needed for another reason than the errors that it saves."""
        statement = self.statement
        return bool(statement.hard or statement.every_class or statement.required or self.explained)

    def run(self, spend: Spend) -> Iterator[tuple[RuleCodes, Rows]]:
        """Yield the rules that cannot be left out, with their covers, in order of their literals."""
        statement = self.statement
        most = statement.n_features if statement.max_rule_length is None else statement.max_rule_length
        at_once = max(1, AT_ONCE // (statement.n_rows + len(self.codes)))
        stack = [np.zeros((1, 0), np.int64)]
        while stack:
            bodies = stack.pop()
            if len(bodies) > at_once:
                stack.append(bodies[at_once:])
                bodies = bodies[:at_once]
            spend(len(bodies))
            covers, excluding = self._covers(bodies)
            alive = self._useful(bodies, covers, excluding)
            bodies, covers, excluding = bodies[alive], covers[alive], excluding[alive]
            for body, cover in zip(bodies, covers, strict=True):
                rule = (self.target, *self.codes[body].tolist())
                if statement.why_not(rule) is None:
                    yield rule, cover
            if bodies.shape[1] < most and len(bodies):
                stack += self._longer(bodies, covers)

    def _covers(self, bodies: NDArray[np.int64]) -> tuple[Rows, NDArray[np.int64]]:
        """Return which rows each rule covers, and how many of its literals exclude each row."""
        excluding = np.zeros((len(bodies), self.statement.n_rows), np.int64)
        for literal in bodies.T:
            excluding += self.holds[literal] == 0
        return excluding == 0, excluding

    def _useful(self, bodies: NDArray[np.int64], covers: Rows, excluding: NDArray[np.int64]) -> Rows:
        """Return the mask of rules without a literal that can be dropped."""
        useful = covers @ self.statement.samples >= self.statement.min_support
        idle = np.zeros(len(bodies), np.int64)
        for literal in bodies.T:
            alone = (excluding == 1) & (self.holds[literal] == 0)
            needed = alone @ self.harm > self.spare[literal]
            useful &= needed | self.asked_for[literal]
            idle += ~needed
        useful &= idle <= len(self.statement.required)  # of the groups one each
        if self.priced is not None:
            saved = covers @ self.gain
            pays = np.zeros(len(bodies), bool)
            for one in self.priced:
                literals = np.array(one.literals, np.int64)[self.codes // 2]
                pays |= saved * one.errors > one.rule + literals[bodies].sum(axis=1)
            useful &= pays
        return np.asarray(useful)

    def _longer(self, bodies: NDArray[np.int64], covers: Rows) -> list[NDArray[np.int64]]:
        """Return rules with one literal more, of a feature after those they have."""
        features = self.codes // 2
        last = features[bodies[:, -1]] if bodies.shape[1] else np.full(len(bodies), -1)
        inside = covers.astype(float)
        later = features[None, :] > last[:, None]
        later &= inside @ self.holds.T > 0
        excluded = (inside * self.harm).sum(axis=1, keepdims=True) - (inside * self.harm) @ self.holds.T
        later &= (excluded > self.spare) | self.asked_for
        node, literal = np.nonzero(later)
        return [np.hstack([bodies[node], literal[:, None]])] if len(node) else []

    def replaceable(self, rules: Sequence[RuleCodes], covers: Sequence[Rows]) -> list[RuleCodes]:
        """Return the rules that another one can replace in any set; of two equivalent rules, the second."""
        statement = self.statement
        if not rules:
            return []
        seen = np.array(covers)
        prices = np.array(
            [[len(rule), *(one.of_rule(rule[1:]) for one in self.sums)] for rule in rules], object
        )
        if prices.max() >= LIMIT:
            return []
        prices = prices.astype(np.int64)
        priced = any(any(one.columns) for one in self.sums)
        uses = np.zeros((len(rules), max(statement.column_of, default=-1) + 1), bool)
        asked = np.zeros((len(rules), len(statement.required)), bool)
        for k, (_, *body) in enumerate(rules):
            uses[k, [statement.column_of[code // 2] for code in body if priced]] = True
            asked[k] = [bool(group & set(body)) for group in statement.required]
        same = self.careful or len(rules) > MOST_COMPARED
        sides = [seen, ~seen] if same else [seen[:, self.gain > 0], ~seen[:, self.harm > 0]]
        good = np.hstack([*sides, ~uses, asked])
        kept = _equal_rows(good[:, : seen.shape[1]]) if same else [np.arange(len(rules))]
        gone = np.zeros(len(rules), bool)
        for group in (one for one in kept if len(one) > 1):
            gone[group[_beaten(good[group], prices[group])]] = True
        return [rule for rule, away in zip(rules, gone, strict=True) if away]


def _equal_rows(rows: Rows) -> list[NDArray[np.int64]]:
    """Return the numbers of equal rows together."""
    _, group = np.unique(np.packbits(rows, axis=1), axis=0, return_inverse=True)
    order = np.argsort(group.ravel(), kind="stable")
    return np.split(order, np.flatnonzero(np.diff(group.ravel()[order])) + 1)


def _beaten(good: Rows, prices: NDArray[np.int64]) -> Rows:
    """Return the rows that another row reaches in every column and price; of equals all but the first."""
    columns, size, number = good.astype(float), good.sum(axis=1), np.arange(len(good))
    beaten = np.zeros(len(good), bool)
    for start in range(0, len(good), 256):
        block = slice(start, start + 256)
        within = columns[block] @ columns.T == size[block, None]
        for price in prices.T:
            within &= price <= price[block, None]
        equal = (size == size[block, None]) & (prices[None, :, :] == prices[block, None, :]).all(axis=2)
        beaten[block] = (within & (~equal | (number < number[block, None]))).any(axis=1)
    return beaten
