"""The certificate checker: proves a lower bound again, trusting nothing but the binary table.

Standard library and numpy only; docs/certificates.md gives the reasons. For one class: *positives* have net
weight in the class, *negatives* outside it. A set of rules pays price(R) = rule_cost + literal_cost * |R| per rule
R, the positives it misses and the negatives it covers. *Hard* rows must be covered, or must not, and cannot be paid.
A *split* of the proof names rows S: some rule covers all of S (a hard positive), or none does (a hard negative).
A *leaf* gives prices y_i up to the weight of positive i and blame mu_ij, sum_i mu_ij up to the weight of negative j
(hard j: mu_ij = y_i), all times an integer scale. If every rule has
    V(R) = sum over positives i in R of max(0, y_i - sum over negatives j in R of mu_ij) - price(R) <= 0
then no set costs less than sum y. If that is short of the claimed bound by `room`, a cheaper set uses only rules
with V(R) >= -room: these are listed, and all choices among them are tried.
All numbers are integers whose sums stay below 2**52, so doubles hold them exactly, in any order of adding.
"""  # noqa: E501

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
TableLike = Any  # has matrix (rows x features), weights (rows x classes), allowed (features x 2) and scale
Spend = Callable[[int], None]  # called with the number of rules or sets to be visited next; may raise
LIMIT, BATCH = 2**52, 2_000_000  # integers stay below the first; rules x rows looked at together
WIDTH = 2**23  # columns compared at once
BEYOND = "the weights and the regularization are beyond exact arithmetic"


def unlimited(nodes: int) -> None:
    """Accept any amount of work."""


class Malformed(Exception):
    """The certificate does not have the format of certificates."""


class Refuted(Exception):
    """The certificate is well formed, but one of its claims does not hold."""


def check(document: Any, table: TableLike, spend: Spend) -> tuple[int, int]:
    """Return (cost of the rules, proved lower bound), or raise `Malformed`, `Refuted`, or as ``spend``."""
    if _entry(document, "seal", str) != seal(document):
        raise Refuted("it was edited: its seal is not that of its contents")
    if _entry(document, "table_digest", str) != digest(table):
        raise Refuted("this is not the data it was made for: the digest of the binary table differs")
    task = Task(document, table)
    cost = task.cost([_integers(rule) for rule in _entry(document, "rules", list)], spend)
    if cost != _entry(document, "cost", int):
        raise Refuted(f"its rules cost {cost}, not {document['cost']}")
    proofs = _entry(document, "proofs", list)
    if [_entry(proof, "class", int) for proof in proofs] != task.classes:
        raise Refuted("there is not one proof for each class that has rows")
    total = min(cost, task.total([_entry(proof, "bound", int) for proof in proofs]))
    if total != _entry(document, "lower_bound", int):
        raise Refuted(f"the classes' bounds make {total}, not {document['lower_bound']}")
    for proof in proofs:
        problem = task.of_class(proof["class"])
        try:
            walk(_entry(proof, "proof", dict), problem, proof["bound"] - problem.constant, spend)
        except Refuted as reason:
            raise Refuted(f"class {proof['class']}: {reason}") from None
    return cost, total


def seal(document: dict[str, Any]) -> str:
    """Return the fingerprint of everything in a certificate but the seal itself."""
    try:
        content = {key: value for key, value in document.items() if key != "seal"}
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (ValueError, RecursionError):
        raise Malformed("it holds a value that no certificate has") from None
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def digest(table: TableLike) -> str:
    """Return the fingerprint of the table: its size, then each feature's rows, the weights, the literals."""
    (n_rows, n_features), n_classes = table.matrix.shape, table.weights.shape[1]
    out = hashlib.sha256(f"{n_rows} {n_features} {n_classes} {table.scale}".encode())
    bits = np.packbits(np.pad(table.matrix, ((0, -n_rows % 64), (0, 0))), axis=0, bitorder="little").T
    for part in (bits, table.weights.astype("<i8"), table.allowed.astype("u1")):
        out.update(part.tobytes())
    return f"sha256:{out.hexdigest()}"


@dataclass(frozen=True)
class ClassProblem:
    """One class: literals, rows with weights, prices, and the assumptions of the splits above."""

    holds: NDArray[np.bool_]  # literals x table rows
    codes: NDArray[np.int64]  # 2f + 1: feature f is true; 2f: it is false
    pos: NDArray[np.int64]
    neg: NDArray[np.int64]
    weight: NDArray[np.int64]  # of each table row
    hard: bool
    rule_cost: int
    literal_cost: int
    constant: int  # constant part of the cost
    some: tuple[Array, ...] = ()
    none: tuple[Array, ...] = ()

    def price(self, n_literals: int) -> int:
        """Return the price of a rule with this number of literals."""
        return self.rule_cost + self.literal_cost * n_literals

    def covering(self, sets: Sequence[Array]) -> NDArray[np.bool_]:
        """Return which literals hold on all rows of each set: literals x sets."""
        columns = [self.holds[:, rows].all(axis=1) for rows in sets]
        return np.array(columns, bool).reshape(len(sets), len(self.codes)).T


class Task:
    """The objective in integers, and the problems of the classes."""

    def __init__(self, document: dict[str, Any], table: TableLike) -> None:
        self.table, self.weights = table, _exact(table.weights)
        objective, counting = _entry(document, "objective", str), _entry(document, "counting", str)
        self.every_class, self.hard = _entry(document, "every_class", bool), objective != "sparse"
        self.per_row = counting == "per_row" and not self.hard
        if counting not in ("per_class", "per_row") or (self.every_class and (self.hard or self.per_row)):
            raise Malformed("its counting, or every_class, does not go with its objective")
        if self.hard or self.every_class:  # each row keeps its heaviest class, the first of equals
            heaviest = np.arange(self.weights.shape[1]) == self.weights.argmax(axis=1)[:, None]
            self.weights = np.where(heaviest, self.weights, 0)
        self.classes = [int(c) for c in np.flatnonzero(self.weights.sum(axis=0))]
        self.otherwise = self._read_otherwise(document)
        # Per row, an error is at least half its own class's fault plus half the mean of the others'.
        self.share = 2 * (len(self.classes) - 1) if self.per_row and len(self.classes) > 1 else 1
        prices = {"perfect": (0, 1, 1), "min_rules": (0, 0, 1)}
        prices["min_rules_then_literals"] = 0, 1, table.matrix.size + 1
        if not self.hard:
            top, bottom = _integers(_entry(document, "regularization", list), 2)
            price = Fraction(max(1, top), max(1, bottom)) * int(self.weights.sum())
            p, q = (price.numerator, price.denominator) if self.every_class else (math.ceil(price), 1)
            prices = {"sparse": (q, p, p)} if min(top, bottom) >= 1 else {}
        if objective not in prices:
            raise Malformed("its objective is unknown, or its regularization not a positive fraction")
        self.error_cost, self.literal_cost, self.rule_cost = prices[objective]
        # A row may be wrong once for each class, and its share per row is at most twice as many.
        most_wrong = int(self.weights.sum()) * max(self.share, self.weights.shape[1])
        if self.error_cost * most_wrong >= LIMIT:
            raise Refuted(BEYOND)

    def _read_otherwise(self, document: dict[str, Any]) -> int | None:
        """Return the class of the OTHERWISE line, if there is one: a rule of size 1, alone in its class."""
        if document.get("otherwise") is None:
            return None
        if self.every_class or self.per_row or _entry(document, "otherwise", int) not in self.classes:
            raise Malformed("its OTHERWISE class has no rows, or does not go with its objective")
        return int(document["otherwise"])

    def total(self, bounds: list[int]) -> int:
        """Return the bound that follows from the classes' bounds, whichever class OTHERWISE gives."""
        if self.otherwise is not None:
            return sum(bounds) - max(0, *bounds) + self.rule_cost
        return -(-sum(bounds) // self.share)

    def cost(self, rules: list[list[int]], spend: Spend = unlimited) -> int:
        """Count the cost of a decision set, row by row; a rule is its class and its literals."""
        claimed = np.zeros(self.weights.shape, bool)
        if len({tuple(rule) for rule in rules}) < len(rules) or len(rules) > self.weights.size:
            raise Refuted("a rule is listed twice, or there are more rules than rows")
        for target, *body in (rule or [-1] for rule in rules):
            spend(1)
            if not 0 <= target < self.weights.shape[1]:
                raise Malformed("a rule predicts a class that there is not")
            if len({code // 2 for code in body}) < len(_literals(body, np.flatnonzero(self.table.allowed))):
                raise Malformed(f"the rule {body[:9]} contradicts itself")
            values = [self.table.matrix[:, code // 2] == bool(code % 2) for code in body]
            claimed[:, target] |= np.logical_and.reduce(values) if values else True
        missed = ~claimed
        if self.otherwise is not None:
            if any(rule[0] == self.otherwise for rule in rules):
                raise Refuted("the class that OTHERWISE gives has another rule")
            missed[:, self.otherwise] = False
        faults = missed + (claimed.sum(axis=1, keepdims=True) - claimed)
        wrong = int((self.weights * (np.minimum(faults, 1) if self.per_row else faults)).sum())
        if self.hard and wrong:
            raise Refuted(f"its rules make errors of weight {wrong} that a perfect set avoids")
        if self.every_class and not set(self.classes) <= {rule[0] for rule in rules}:
            raise Refuted("a class has no rule")
        paid = sum(self.rule_cost + self.literal_cost * (len(rule) - 1) for rule in rules)
        paid += self.rule_cost * (self.otherwise is not None)
        return int(self.error_cost * wrong + paid)

    def of_class(self, target: int) -> ClassProblem:
        """Return one class's problem; the optimum of the whole is at least their sum over `share`."""
        codes = np.flatnonzero(self.table.allowed.ravel())
        holds = self.table.matrix.T[codes // 2] == (codes % 2 == 1)[:, None]
        own = self.weights[:, target]
        others = self.weights.sum(axis=1) - own
        if self.hard:
            own, others = np.minimum(own, 1), np.minimum(others, 1)
        else:
            own, others = own * self.error_cost * max(1, self.share // 2), others * self.error_cost
        sides = np.flatnonzero(own > others), np.flatnonzero(own < others)
        prices = self.rule_cost * self.share, self.literal_cost * self.share
        some = (np.empty(0, np.int64),) if self.every_class else ()  # some rule covers all of no rows
        constant = int(np.minimum(own, others).sum())
        return ClassProblem(holds, codes, *sides, np.abs(own - others), self.hard, *prices, constant, some)


def walk(node: dict[str, Any], problem: ClassProblem, bound: int, spend: Spend) -> None:
    """Prove that no set of rules costs less than ``bound`` (without the constant)."""
    stack = [(node, problem)]
    while stack:
        node, problem = stack.pop()
        if "rows" not in node:
            Leaf(node, problem, bound, spend).close()
            continue
        rows = np.array(_integers(_entry(node, "rows", list)), np.int64)
        if (np.diff(rows, prepend=-1, append=problem.holds.shape[1]) < 1).any():
            raise Malformed("a split names a row that is not in the table, or not in order")
        stack.append((_entry(node, "none", dict), replace(problem, none=(*problem.none, rows))))
        stack.append((_entry(node, "some", dict), replace(problem, some=(*problem.some, rows))))


class Leaf:
    """Prices and blame for one problem, and the exhaustive search for a rule or a set that refutes them."""

    def __init__(self, node: dict[str, Any], problem: ClassProblem, bound: int, spend: Spend) -> None:
        self.problem, self.spend, self.scale = problem, spend, _entry(node, "scale", int)
        total = int(problem.weight.sum()) + problem.price(len(problem.codes)) + abs(bound)
        if not 0 < self.scale < LIMIT // max(1, total):
            raise Refuted(f"the scale {self.scale} is out of range")
        splits, weight = len(problem.some), problem.weight[problem.pos]
        self.weight = np.append(weight, np.ones(splits)).astype(float)  # blame is per unit; a split has one
        self.cap = np.append(weight * (np.inf if problem.hard else self.scale), np.full(splits, np.inf))
        prices = _integers(_entry(node, "prices", list), len(self.weight))
        if min(prices, default=0) < 0 or sum(prices) >= LIMIT or (np.array(prices) > self.cap).any():
            raise Refuted("a price is negative, or exceeds the weight of its row")
        self.y, self.room = np.array(prices, float), (bound - 1) * self.scale - sum(prices)
        soft, hard = problem.neg[: 0 if problem.hard else None], problem.neg[: None if problem.hard else 0]
        self.in_pos = np.hstack([problem.holds[:, problem.pos], problem.covering(problem.some)])
        self.in_neg = problem.holds[:, soft]
        self.in_hard = np.hstack([problem.holds[:, hard], problem.covering(problem.none)])
        self.neg_weight = problem.weight[soft].astype(float)
        self.blame = self._read_blame(node)  # negatives x groups of positives, per unit of positive weight
        # A literal that holds on fewer positives and more negatives than another is not needed, unless a rule
        # is compulsory: "a and not b" may be a rule that covers nothing, "a and not a" is not a rule.
        good = np.hstack([self.in_pos, ~self.in_neg, ~self.in_hard])
        pointless = any(rows.size == 0 for rows in problem.some)
        self.literals = np.arange(len(good)) if pointless else unbeaten(good, np.zeros(len(good)))

    def _read_blame(self, node: dict[str, Any]) -> Array:
        """Rows under the same splitters are a group, and so is a split; blame is per unit of both weights."""
        splitters = [_literals(body, self.problem.codes) for body in _entry(node, "splitters", list)]
        refuse_work(splitters, self.problem.holds.shape[1])
        group, n_pos = groups(self.in_pos[:, : len(self.problem.pos)], splitters)
        self.group = np.append(group, n_pos + np.arange(len(self.problem.some)))
        n_pos += len(self.problem.some)
        neg_group, n_neg = groups(self.in_neg, splitters)
        if len(self.neg_weight) * n_pos > 100 * BATCH:
            raise Refuted("the splitters make too many groups")
        units = np.zeros((n_neg, n_pos))
        for row in _entry(node, "blame", list):
            values = _integers(row)
            if len(values) % 2 == 0 or not 0 <= values[0] < n_neg or units[values[0]].any():
                raise Malformed("its blame is not one list per group of negatives")
            to, shares = np.array(values[1::2], np.int64), np.array(values[2::2], np.int64)
            if not (np.diff(to, prepend=-1, append=n_pos) > 0).all() or not (shares > 0).all():
                raise Malformed("its blame is not on groups of positives in order, or negative")
            units[values[0], to] = shares
        if (units @ np.bincount(self.group, self.weight, n_pos) > self.scale).any():
            raise Refuted("the blame of a negative adds up to more than its weight")
        return np.asarray(units[neg_group] * self.neg_weight[:, None])

    def charges(self, negatives: Array) -> Array:
        """Return the blame that sets of negatives put on each positive: sets x positives."""
        return np.asarray((negatives.astype(float) @ self.blame)[:, self.group] * self.weight)

    def close(self) -> None:
        """Look for a rule with V > 0, list those with V >= -room, and try all choices among them."""
        slack, listed = max(self.room + 1, 0), []
        pos, neg, hard = (m[self.literals].astype(float) for m in (self.in_pos, self.in_neg, self.in_hard))
        feature, unit = self.problem.codes[self.literals] // 2, self.problem.literal_cost * self.scale
        at_once = max(1, BATCH // max(1, pos.shape[1] + neg.shape[1] + hard.shape[1] + len(feature)))
        grouped = np.zeros((len(self.y), self.blame.shape[1]))
        grouped[np.arange(len(self.y)), self.group] = self.weight
        stack = [(np.zeros((1, 0), np.int64), np.ones((1, len(feature)), bool))]
        while stack:
            bodies, usable = stack.pop()
            if len(bodies) > at_once:
                stack.append((bodies[at_once:], usable[at_once:]))
                bodies, usable = bodies[:at_once], usable[:at_once]
            self.spend(len(bodies))
            price = self.problem.price(bodies.shape[1]) * self.scale
            covered, outside, banned = (np.zeros((len(bodies), side.shape[1])) for side in (pos, neg, hard))
            covered += 1
            for literal in bodies.T:
                covered *= pos[literal]
                outside += 1 - neg[literal]  # how many literals exclude each negative
                banned += 1 - hard[literal]
            free = ~(banned == 0).any(axis=1)
            paid = np.maximum(0, self.y - self.charges(outside == 0)) * covered
            value = paid.sum(axis=1) * free - price
            if (value > 0).any():
                worst = self.problem.codes[self.literals[bodies[value.argmax()]]]
                raise Refuted(f"rule {sorted(worst.tolist())} is overpaid by {int(value.max())}/{self.scale}")
            needed = np.ones(len(bodies), bool)
            for literal in bodies.T:  # (b) what it alone recovers, (d) the weight it alone excludes
                alone = (outside == 1) & (neg[literal] == 0)
                recovered = (np.minimum(self.y, self.charges(alone)) * covered).sum(axis=1)
                enough = (recovered > unit - slack) & (alone @ self.neg_weight > self.problem.literal_cost)
                needed &= enough | ((banned == 1) & (hard[literal] == 0)).any(axis=1)
            listed += self.literals[bodies[needed & free & (value > -slack)]].tolist()
            alive = needed & (covered @ self.y - price - unit > -slack)  # (a) can it pay for another literal?
            bodies, usable, covered, value, free = (x[alive] for x in (bodies, usable, covered, value, free))
            inside, touched = (outside[alive] == 0).astype(float), (banned[alive] == 0).astype(float)
            # The prices that each further literal keeps, and an upper bound on the blame that it recovers.
            kept, left = (covered * self.y) @ pos.T, touched @ hard.T
            frees = touched.sum(axis=1, keepdims=True) > left
            charged = (covered @ grouped @ self.blame.T) * inside
            recovers = np.where(frees, kept, np.minimum(kept, charged @ (1 - neg).T))
            heavy = inside @ ((1 - neg) * self.neg_weight).T > self.problem.literal_cost
            usable &= (recovers > unit - slack) & (heavy | frees)
            usable &= kept - price - unit * (1 + (left > 0)) > -slack
            branch = usable.copy()
            if hard.shape[1]:  # a hard negative must be excluded: branch on one with the fewest ways to
                ways = np.where(touched > 0, usable.astype(float) @ (1 - hard), np.inf)
                branch &= free[:, None] | (hard.T[ways.argmin(axis=1)] == 0)
            # A child may add literals that its earlier siblings, which recover more, did not add, and no
            # feature twice.
            order = np.argsort(np.where(branch, -recovers, np.inf), axis=1, kind="stable")
            rank = np.argsort(order, axis=1)
            gain = np.take_along_axis(np.maximum(0, recovers - unit) * usable, order, axis=1)
            later = np.take_along_axis(gain[:, ::-1].cumsum(axis=1)[:, ::-1], rank, axis=1)
            node, literal = np.nonzero(branch & (~free[:, None] | (value[:, None] + later > -slack)))  # (c)
            rest = usable[node] & (rank[node] > rank[node, literal][:, None])  # the others rank last
            rest &= feature != feature[literal][:, None]
            if len(node):
                stack.append((np.hstack([bodies[node], literal[:, None]]), rest))
        if self.room >= 0:
            RuleChoice(self, listed).search()


class RuleChoice:
    """All sets of the listed rules. A set costs the sum of the prices plus its waste, which only grows."""

    def __init__(self, leaf: Leaf, bodies: list[list[int]]) -> None:
        self.leaf, n = leaf, len(bodies)
        if n * (len(leaf.y) + len(leaf.neg_weight)) > 20 * BATCH:
            raise Refuted(f"the prices leave {n} rules to choose from, too many to try")
        pos, neg = ([side[body].all(axis=0) for body in bodies] for side in (leaf.in_pos, leaf.in_neg))
        self.pos = np.array(pos, bool).reshape(n, len(leaf.y))
        self.neg = np.array(neg, bool).reshape(n, len(leaf.neg_weight))
        price = np.array([leaf.problem.price(len(body)) * leaf.scale for body in bodies], float)
        kept = unbeaten(np.hstack([self.pos, ~self.neg]), price)
        self.pos, self.neg = self.pos[kept], self.neg[kept]
        self.paid = np.maximum(0, leaf.y - leaf.charges(self.neg)) * self.pos
        self.reduced = price[kept] - self.paid.sum(axis=1)
        weight = np.bincount(leaf.group, leaf.weight, leaf.blame.shape[1])
        self.unblamed = leaf.neg_weight * leaf.scale - leaf.blame @ weight

    def search(self) -> None:
        """Decide row after row which rule covers it, or none, as long as the waste fits the room."""
        leaf, stack = self.leaf, [(list[int](), np.ones(len(self.reduced), bool))]
        while stack:
            chosen, usable = stack.pop()
            leaf.spend(1)
            wrong, covered = self.neg[chosen].any(axis=0), self.pos[chosen].any(axis=0)
            excess = np.where(covered, self.paid[chosen].sum(axis=0), leaf.cap) - leaf.y
            excess += leaf.charges(np.atleast_2d(wrong))[0]
            waste = float(self.reduced[chosen].sum() + self.unblamed[wrong].sum() + excess[covered].sum())
            # A rule adds its own waste, and pays again for rows that are already covered.
            usable = usable & (self.reduced + self.paid @ covered <= leaf.room - waste)
            ways = np.where(covered, 0, self.pos[usable].sum(axis=0))
            waste += excess[~covered & (ways == 0)].sum()
            if waste > leaf.room:
                continue
            if not ways.any():
                cost = (int(leaf.y.sum()) + int(waste)) // leaf.scale + leaf.problem.constant
                raise Refuted(f"there is a set of {len(chosen)} rules that costs {cost}, below the bound")
            row = int(np.lexsort((leaf.y - leaf.cap, np.where(ways, ways, np.inf)))[0])
            for rule in np.flatnonzero(usable & self.pos[:, row]).tolist():
                usable = usable & (np.arange(len(usable)) != rule)
                stack.append(([*chosen, rule], usable))
            if leaf.cap[row] < np.inf:
                stack.append((chosen, usable))


def unbeaten(good: Array, price: Array) -> Array:
    """Return the rows that no other row reaches in every column and in price; of equals the first."""
    keep, number = np.ones(len(good), bool), np.arange(len(good))
    size = np.count_nonzero(good, axis=1)
    # Counts of columns are exact in single precision up to 2**24 only, so wider tables are taken in parts.
    parts = [good[:, first : first + WIDTH].astype(np.float32) for first in range(0, good.shape[1], WIDTH)]
    for start in range(0, len(good), 256):
        block = slice(start, start + 256)
        within = price <= price[block, None]
        for part in parts:
            within &= part[block] @ part.T == part[block].sum(axis=1)[:, None]
        within &= (size > size[block, None]) | (price < price[block, None]) | (number < number[block, None])
        keep[block] = ~within.any(axis=1)
    return np.flatnonzero(keep)


def refuse_work(splitters: Sequence[Sequence[int]], n_rows: int) -> None:
    """Refuse splitters that would take too much time or memory on this number of rows."""
    if sum(max(10, len(body)) for body in splitters) * n_rows > 1000 * BATCH:
        raise Refuted(f"{len(splitters)} splitters are too many")


def groups(holds: Array, splitters: Sequence[Sequence[int]]) -> tuple[Array, int]:
    """Return a group number for each row, by the splitters that cover it, and the number of groups."""
    if not holds.shape[1] or not len(splitters):
        return np.zeros(holds.shape[1], np.int64), min(1, holds.shape[1])
    pattern = np.packbits([holds[body].all(axis=0) for body in splitters], axis=0)
    unique, number = np.unique(pattern, axis=1, return_inverse=True)
    return number.ravel(), unique.shape[1]


def _exact(weights: Array) -> NDArray[np.int64]:
    """Return weights as integers whose sum is below `LIMIT`; a sum in 64 bits could wrap."""
    if weights.dtype.kind not in "iu" or (weights < 0).any():
        raise Refuted("a weight is negative, or not a whole number")
    if float(weights.sum(dtype=np.float64)) >= LIMIT:
        raise Refuted(BEYOND)
    return weights.astype(np.int64)


def _entry(data: Any, key: str, kind: type) -> Any:
    if not isinstance(data, dict) or type(data.get(key)) is not kind:
        raise Malformed(f"{key!r} is missing, or not what it should be")
    return _integers([data[key]])[0] if kind is int else data[key]


def _integers(values: Any, n: int | None = None) -> list[int]:
    if not isinstance(values, list) or n not in (None, len(values)):
        raise Malformed("there are more or fewer numbers than there should be")
    if any(type(value) is not int or abs(value) >= LIMIT for value in values):
        raise Malformed("where a whole number should be is something else, or one out of range")
    return values


def _literals(body: Any, codes: Array) -> list[int]:
    """Return the positions of literals among the codes."""
    literals = np.array(_integers(body), np.int64)
    if (np.diff(literals) < 1).any() or not np.isin(literals, codes).all():
        raise Malformed(f"a literal among {body[:9]} is unknown, or out of order")
    return list(np.searchsorted(codes, literals).tolist())
