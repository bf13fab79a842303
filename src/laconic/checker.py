"""The certificate checker: proves a lower bound again, trusting nothing but the binary table.

Standard library and numpy only. It rebuilds each class's problem from the table, counts the decision set's
cost row by row, and walks the proof. docs/certificates.md gives the mathematics; in short, for one class:

- *Positives* have weight in the class (net of the others), *negatives* outside it. A rule is a set of literals with
  price(R) = rule_cost + literal_cost * |R|. A set of rules pays the prices, the positives it misses and the
  negatives it covers. Rows that must be covered, or must not (perfect sets), are *hard*: they cannot be paid.
- A *split* of the proof names rows S and has two parts: "some chosen rule covers all of S" adds a hard positive that a
  rule covers iff it covers S; "none does" adds such a hard negative. One of them holds of every set.
- A *leaf* gives prices y_i >= 0 (at most the weight, unless hard) and blame mu_ij >= 0 with sum_i mu_ij <= weight of j
  (mu_ij = y_i for hard j), all times an integer scale. If every rule R satisfies
      V(R) = sum over positives i in R of max(0, y_i - sum over negatives j in R of mu_ij)  -  price(R)  <=  0
  then no set costs less than sum y. If that is short of the claimed bound by `room`, a cheaper set can use
  only rules with V(R) >= -room; those are listed, and all choices among them are tried.

Numbers are integers below 2**52 held in doubles, so sums and products are exact in any order.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
LIMIT = 2**52
BATCH = 2_000_000
"""Nodes x rows looked at together."""


class Malformed(Exception):
    """The certificate is not written as a certificate is."""


class Refuted(Exception):
    """The certificate is well formed, but what it says does not hold."""


class OutOfTime(Exception):
    """The check was not finished in time."""


@dataclass(frozen=True)
class Verdict:
    """What was proved: the cost of the decision set, and that no set costs less than ``bound``."""

    cost: int
    bound: int

    @property
    def optimal(self) -> bool:
        """Whether nothing cheaper exists."""
        return self.cost == self.bound


@dataclass(frozen=True)
class Data:
    """The binary table: features and class weights of distinct rows, and which literals may be used."""

    matrix: NDArray[np.bool_]
    weights: NDArray[np.int64]
    allowed: NDArray[np.bool_]
    scale: Fraction


def check(document: Any, data: Data, time_limit: float = math.inf) -> Verdict:
    """Check a certificate against a table; raise `Malformed`, `Refuted` or `OutOfTime`."""
    deadline = time.monotonic() + time_limit
    if not isinstance(document, dict):
        raise Malformed("it is not a JSON object")
    if _text(document, "seal") != seal(document):
        raise Refuted("it was edited: its seal is not that of its contents")
    if _text(document, "table_digest") != digest(data):
        raise Refuted("this is not the data it was made for: the digest of the binary table differs")
    task = Task(document, data)
    rules = [_rule(rule, data) for rule in _list(document, "rules")]
    if len(set(rules)) < len(rules):
        raise Refuted("a rule is listed twice")
    cost = task.cost(rules)
    if cost != _integer(document, "cost"):
        raise Refuted(f"the rules cost {cost}, not {document['cost']}")
    parts = _list(document, "proofs")
    if [_integer(part, "class") for part in parts] != task.classes:
        raise Refuted("there is not one proof for each class")
    total = 0
    for part in parts:
        bound = _integer(part, "bound")
        problem = task.of_class(part["class"])
        try:
            _walk(_dict(part, "proof"), problem, bound - problem.constant, deadline)
        except Refuted as reason:
            raise Refuted(f"class {part['class']}: {reason}") from None
        total += bound
    total = -(-total // task.share)
    if total != _integer(document, "lower_bound"):
        raise Refuted(f"the classes' bounds add up to {total}, not {document['lower_bound']}")
    if total > cost:
        raise Refuted(f"the bound {total} exceeds the cost {cost} of its own rules")
    return Verdict(cost, total)


def seal(document: dict[str, Any]) -> str:
    """Return the fingerprint of everything in a certificate but the seal itself."""
    try:
        content = {key: value for key, value in document.items() if key != "seal"}
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (ValueError, RecursionError):
        raise Malformed("it holds a value that no certificate has") from None
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def digest(data: Data) -> str:
    """Return the fingerprint of the table, the same as in a model file."""
    (n_rows, n_features), n_classes = data.matrix.shape, data.weights.shape[1]
    out = hashlib.sha256(f"{n_rows} {n_features} {n_classes} {data.scale}".encode())
    words = np.zeros((n_features, max(1, -(-n_rows // 64)) * 8), np.uint8)
    packed = np.packbits(data.matrix, axis=0, bitorder="little").T
    words[:, : packed.shape[1]] = packed
    out.update(words.tobytes())
    out.update(data.weights.astype("<i8").tobytes())
    out.update(data.allowed.astype("u1").tobytes())
    return f"sha256:{out.hexdigest()}"


# ---------------------------------------------------------------- what is minimised


class Task:
    """The objective in integers, and its independent parts."""

    def __init__(self, document: dict[str, Any], data: Data) -> None:
        self.data = data
        self.objective = _text(document, "objective")
        self.per_row = _text(document, "counting") == "per_row"
        self.every_class = document.get("every_class") is True
        self.hard = self.objective != "sparse"
        self.weights = data.weights
        if self.hard or self.every_class:  # each row keeps its heaviest class, the first of equals
            keep = np.arange(data.weights.shape[1]) == data.weights.argmax(axis=1)[:, None]
            self.weights = np.where(keep, data.weights, 0)
        self.error_cost, self.literal_cost, self.rule_cost = self._coefficients(document)
        self.classes = [int(c) for c in np.flatnonzero(self.weights.sum(axis=0))]
        # per_row: a row's error is at least the mean of its own class's fault and the mean of the others'.
        self.share = 2 * (len(self.classes) - 1) if self.per_row and len(self.classes) > 1 else 1

    def _coefficients(self, document: dict[str, Any]) -> tuple[int, int, int]:
        n_rows, n_features = self.data.matrix.shape
        match self.objective:
            case "perfect":
                return 0, 1, 1
            case "min_rules":
                return 0, 0, 1
            case "min_rules_then_literals":
                return 0, 1, n_rows * n_features + 1
            case "sparse":
                top, bottom = _integers(_list(document, "regularization"), 2)
                if top < 1 or bottom < 1:
                    raise Malformed("regularization is not a positive fraction")
                price = Fraction(top, bottom) * int(self.weights.sum())
                if self.every_class:
                    return price.denominator, price.numerator, price.numerator
                return 1, math.ceil(price), math.ceil(price)
        raise Malformed(f"unknown objective {self.objective[:40]!r}")

    def cost(self, rules: list[tuple[int, tuple[int, ...]]]) -> int:
        """Count the cost of a decision set, row by row."""
        n_rows, n_classes = self.weights.shape
        claimed = np.zeros((n_rows, n_classes), bool)
        for target, literals in rules:
            values = [self.data.matrix[:, code // 2] == bool(code % 2) for code in literals]
            claimed[:, target] |= np.logical_and.reduce(values) if values else np.ones(n_rows, bool)
        faults = ~claimed + (claimed.sum(axis=1, keepdims=True) - claimed)
        wrong = int((self.weights * (np.minimum(faults, 1) if self.per_row else faults)).sum())
        if self.hard and wrong:
            raise Refuted(f"the rules make errors of weight {wrong} that a perfect set avoids")
        silent = set(self.classes) - {target for target, _ in rules}
        if self.every_class and silent:
            raise Refuted(f"class {min(silent)} has no rule")
        paid = sum(self.rule_cost + self.literal_cost * len(literals) for _, literals in rules)
        return self.error_cost * wrong + paid

    def of_class(self, target: int) -> Problem:
        """Return one class's problem; the optimum of the whole is at least the sum, divided by `share`."""
        own = self.weights[:, target]
        others = self.weights.sum(axis=1) - own
        if self.hard:
            return self._problem(own > 0, own == 0, np.ones_like(own), 0, [])
        if self.per_row and self.share > 1:
            own, others = own * (len(self.classes) - 1), others * 1
        own, others = own * self.error_cost, others * self.error_cost
        constant = int(np.minimum(own, others).sum())
        some = [np.empty(0, np.int64)] if self.every_class else []  # every rule covers all of no rows
        return self._problem(own > others, others > own, abs(own - others), constant, some)

    def _problem(self, pos: Array, neg: Array, weight: Array, constant: int, some: list[Array]) -> Problem:
        codes = np.flatnonzero(self.data.allowed.ravel())
        holds = self.data.matrix.T[codes // 2] == (codes % 2 == 1)[:, None]
        prices = (self.rule_cost * self.share, self.literal_cost * self.share)
        pos, neg = np.flatnonzero(pos), np.flatnonzero(neg)
        return Problem(holds, codes, pos, neg, weight, self.hard, *prices, constant, some, [])


@dataclass(frozen=True)
class Problem:
    """One class: literals, rows with weights, prices, and what the splits above have assumed."""

    holds: NDArray[np.bool_]  # literals x table rows
    codes: NDArray[np.int64]
    pos: NDArray[np.int64]
    neg: NDArray[np.int64]
    weight: NDArray[np.int64]
    hard: bool
    rule_cost: int
    literal_cost: int
    constant: int
    some: list[Array]
    none: list[Array]

    def price(self, n_literals: int) -> int:
        return self.rule_cost + self.literal_cost * n_literals

    def covering(self, sets: list[Array]) -> NDArray[np.bool_]:
        """Return which literals hold on all rows of each set: literals x sets."""
        return np.array([self.holds[:, rows].all(axis=1) for rows in sets], bool).reshape(-1, len(self.codes)).T


def _walk(node: dict[str, Any], problem: Problem, bound: int, deadline: float) -> None:
    """Prove that no set of rules that satisfies the problem's splits costs less than ``bound``."""
    stack = [(node, problem)]
    while stack:
        node, problem = stack.pop()
        if "rows" not in node:
            Leaf(node, problem, bound, deadline).close()
            continue
        rows = np.array(_integers(_list(node, "rows")), np.int64)
        if rows.size and not 0 <= rows.min() <= rows.max() < problem.holds.shape[1]:
            raise Malformed("a split names a row that is not in the table")
        there = {name: getattr(problem, name) for name in Problem.__dataclass_fields__}
        stack.append((_dict(node, "none"), Problem(**{**there, "none": [*problem.none, rows]})))
        stack.append((_dict(node, "some"), Problem(**{**there, "some": [*problem.some, rows]})))


# ---------------------------------------------------------------- one leaf of the proof


class Leaf:
    """Prices and blame for one problem, and the exhaustive search for a rule or a set that refutes them."""

    def __init__(self, node: dict[str, Any], problem: Problem, bound: int, deadline: float) -> None:
        self.problem, self.deadline = problem, deadline
        self.scale = _integer(node, "scale")
        total = int(problem.weight.sum()) + problem.price(len(problem.codes)) + abs(bound)
        if self.scale < 1 or self.scale * total >= LIMIT:
            raise Refuted(f"the scale {self.scale} is out of range")
        soft_pos = problem.weight[problem.pos].astype(float)
        # Positives: the rows, then the splits. Blame is per unit of weight; a split weighs as much as the bound.
        self.share = np.append(soft_pos, np.full(len(problem.some), max(1.0, bound)))
        self.cap = np.append(np.full(len(soft_pos), np.inf) if problem.hard else soft_pos * self.scale,
                             np.full(len(problem.some), np.inf))
        self.y = _prices(node, len(self.share))
        if (self.y > self.cap).any():
            raise Refuted("a price exceeds the weight of its row")
        if self.y.sum() >= LIMIT:
            raise Refuted("the prices are out of range")
        self.room = (bound - 1) * self.scale - int(self.y.sum())
        self.in_pos = np.hstack([problem.holds[:, problem.pos], problem.covering(problem.some)])
        hard = problem.covering(problem.none)
        soft = problem.neg
        if problem.hard:
            hard, soft = np.hstack([problem.holds[:, problem.neg], hard]), problem.neg[:0]
        self.in_neg, self.in_hard = problem.holds[:, soft], hard
        self.neg_weight = problem.weight[soft].astype(float)
        self.blame = self._read_blame(node)  # negatives x positive groups, per unit of positive weight
        self._drop_dominated_literals()

    def _read_blame(self, node: dict[str, Any]) -> Array:
        """Rows that the same splitters cover are one group; blame is between groups, per unit of both weights."""
        splitters = [_literals(body, self.problem) for body in _list(node, "splitters")]
        self.group, n_pos = _groups(self.in_pos, splitters)
        neg_group, n_neg = _groups(self.in_neg, splitters)
        share = np.zeros((n_neg, n_pos))
        for row in _list(node, "blame"):
            values = _integers(row)
            h, g, units = values[0] if values else -1, np.array(values[1::2]), values[2::2]
            if len(units) != len(g) or not 0 <= h < n_neg or share[h].any():
                raise Malformed("blame is not one list per group of negatives")
            if g.size and (g.min() < 0 or g.max() >= n_pos or len(set(g.tolist())) < g.size):
                raise Malformed("blame names a group of positives that there is not, or one twice")
            if any(not 0 < unit <= self.scale for unit in units):
                raise Refuted("a share of blame is out of range")
            share[h, g] = units
        spent = share @ np.bincount(self.group, self.share, n_pos) if n_pos else np.zeros(n_neg)
        if (spent > self.scale).any():
            raise Refuted("the shares of a negative's blame add up to more than its weight")
        return (share * 1.0)[neg_group] * self.neg_weight[:, None]

    def _drop_dominated_literals(self) -> None:
        """Keep a literal only if no other holds on more positives and fewer negatives (equals: the first).

        Exchanging it in a rule for the other never lowers V, never raises the cost of a set, and breaks no split.
        Where a rule may be wanted for existing only, equal literals are kept: "a and not b" differs from "a and not a".
        """
        self.keep = np.arange(len(self.problem.codes))
        if any(rows.size == 0 for rows in self.problem.some):
            return
        good = np.hstack([self.in_pos, ~self.in_neg, ~self.in_hard]).astype(np.float32)
        keep = []
        for start in range(0, len(good), 512):
            lacks = good[start : start + 512] @ (1 - good).T  # what a literal has and another lacks
            weaker = (lacks == 0) & ((good @ (1 - good[start : start + 512]).T).T > 0)
            equal = (lacks == 0) & ~weaker & (np.arange(len(good)) < np.arange(start, start + len(lacks))[:, None])
            keep.append(~(weaker | equal).any(axis=1))
        self.keep = np.flatnonzero(np.concatenate(keep)) if keep else self.keep

    def close(self) -> None:
        """Show that no set costs less than the bound."""
        listed = list(self._search())
        if self.room >= 0:
            Choice(self, [body for bodies in listed for body in bodies]).search()

    def _charges(self, rows: Array) -> Array:
        """Return the blame that sets of negatives (n x negatives) put on each positive: n x positives."""
        return (rows.astype(float) @ self.blame)[:, self.group] * self.share

    def _search(self) -> Iterator[list[tuple[int, ...]]]:
        """Look at every rule that might have V > 0 or V >= -room; yield the latter.

        A subtree (a rule R and all it can become) is left when
        (a) the prices it still covers do not pay for a rule that long;
        (b) one of its literals l recovers at most literal_cost - slack: M = sum of min(y_i, blame of the negatives
            that only l excludes). V(R) <= V(R without l) + M - literal_cost, so the shortest violated rule, or a
            listed one, has no such literal, nor has any part of it: M only falls as literals are added;
        (c) V(R) + sum of (M_l - literal_cost)+ over the literals that may still be added is below -room;
        (d) a literal alone excludes negatives of weight <= literal_cost: a cheapest set with fewest literals has
            no such rule, and a shortest violated one neither, since M is at most that weight.
        """
        slack = max(self.room + 1, 0)
        pos, neg, hard = (m[self.keep].astype(float) for m in (self.in_pos, self.in_neg, self.in_hard))
        codes = self.problem.codes[self.keep]
        unit = self.problem.literal_cost * self.scale
        width = max(1, pos.shape[1] + neg.shape[1] + hard.shape[1] + len(codes))
        grouped = np.zeros((len(self.y), self.blame.shape[1]))
        grouped[np.arange(len(self.y)), self.group] = self.share
        stack = [(np.zeros((1, 0), np.int64), np.ones((1, len(codes)), bool))]
        while stack:
            bodies, open_ = stack.pop()
            size = max(1, BATCH // width)
            if len(bodies) > size:
                stack.append((bodies[size:], open_[size:]))
                bodies, open_ = bodies[:size], open_[:size]
            if time.monotonic() > self.deadline:
                raise OutOfTime
            n_literals = bodies.shape[1]
            covered = np.ones((len(bodies), pos.shape[1]))
            outside, outside_hard = np.zeros((len(bodies), neg.shape[1])), np.zeros((len(bodies), hard.shape[1]))
            for k in range(n_literals):
                covered *= pos[bodies[:, k]]
                outside += 1 - neg[bodies[:, k]]
                outside_hard += 1 - hard[bodies[:, k]]
            price = self.problem.price(n_literals) * self.scale
            # (b), (d)
            alive = np.ones(len(bodies), bool)
            for k in range(n_literals):
                alone = (outside == 1) & (neg[bodies[:, k]] == 0)
                needed = ((outside_hard == 1) & (hard[bodies[:, k]] == 0)).any(axis=1)
                recovered = (np.minimum(self.y, self._charges(alone)) * covered).sum(axis=1)
                heavy = alone @ self.neg_weight > self.problem.literal_cost
                alive &= needed | (heavy & (recovered > unit - slack))
            free = ~(outside_hard == 0).any(axis=1)
            value = (np.maximum(0, self.y - self._charges(outside == 0)) * covered).sum(axis=1) * free - price
            if (alive & (value > 0)).any():
                body = sorted(codes[bodies[np.argmax(alive * value)]].tolist())
                raise Refuted(f"rule {body} is overpaid by {int((alive * value).max())}/{self.scale}")
            listed = alive & free & (value > -slack)
            if listed.any():
                yield [tuple(body) for body in self.keep[bodies[listed]].tolist()]
            held = (covered * self.y).sum(axis=1)
            alive &= held - price - unit > -slack
            bodies, open_, covered, value, free = (x[alive] for x in (bodies, open_, covered, value, free))
            if not len(bodies):
                continue
            outside, outside_hard = outside[alive] == 0, (outside_hard[alive] == 0).astype(float)
            # What each further literal keeps of the prices, and the most blame it recovers.
            kept = (covered * self.y) @ pos.T
            left = outside_hard @ hard.T
            excludes_hard = outside_hard.sum(axis=1, keepdims=True) - left > 0
            charged = ((covered @ grouped) @ self.blame.T) * outside
            recovers = charged.sum(axis=1, keepdims=True) - charged @ neg.T
            recovers = np.where(excludes_hard, kept, np.minimum(kept, recovers))
            weight = outside * self.neg_weight
            heavy = weight.sum(axis=1, keepdims=True) - weight @ neg.T > self.problem.literal_cost
            open_ = open_ & (kept - price - unit * (1 + (left > 0)) > -slack)
            open_ &= (recovers > unit - slack) & (heavy | excludes_hard)
            # A rule that covers a hard negative must exclude it: branch on one with the fewest ways to.
            ways = np.where(outside_hard > 0, open_.astype(np.float32) @ (1 - hard).astype(np.float32), np.inf)
            branch = open_.copy()
            if hard.shape[1]:
                branch &= free[:, None] | (hard.T[ways.argmin(axis=1)] == 0)
            branch_all = branch.copy()
            order = np.argsort(np.where(branch, -recovers, np.inf), axis=1, kind="stable")
            rank = np.argsort(order, axis=1)
            gain = np.take_along_axis(np.maximum(0, recovers - unit) * open_, order, axis=1)
            later = np.take_along_axis(gain[:, ::-1].cumsum(axis=1)[:, ::-1], rank, axis=1)
            branch &= ~free[:, None] | (value[:, None] + later > -slack)
            node, literal = np.nonzero(branch)
            # Each child may still add what its elder siblings are not, and no feature twice.
            rest = open_[node] & ((rank[node] > rank[node, literal][:, None]) | ~branch_all[node])
            rest &= codes // 2 != (codes[literal] // 2)[:, None]
            if len(node):
                stack.append((np.hstack([bodies[node], literal[:, None]]), rest))


class Choice:
    """All sets among the listed rules: is there one cheaper than the bound?

    The prices say what a set wastes: reduced costs of its rules, prices paid more than once, weight of what is left
    uncovered beyond its price, blame of covered negatives that nobody named. Waste only grows as rules are
    added, and the cost of a set is the sum of the prices plus its waste, exactly.
    """

    def __init__(self, leaf: Leaf, bodies: list[tuple[int, ...]]) -> None:
        self.leaf = leaf
        problem = leaf.problem
        n = len(bodies)
        if n * (len(leaf.y) + len(leaf.neg_weight)) > 20 * BATCH:
            raise Refuted(f"the prices leave {n} rules to choose from, too many to try")
        pos, neg = np.ones((n, len(leaf.y)), bool), np.ones((n, len(leaf.neg_weight)), bool)
        for k, body in enumerate(bodies):
            for literal in body:
                pos[k] &= leaf.in_pos[literal]
                neg[k] &= leaf.in_neg[literal]
        price = np.array([problem.price(len(body)) for body in bodies], float) * leaf.scale
        kept = _undominated(pos, neg, price)
        self.pos, self.neg = pos[kept], neg[kept]
        self.paid = np.maximum(0, leaf.y - leaf._charges(self.neg)) * self.pos
        self.reduced = price[kept] - self.paid.sum(axis=1)
        self.residual = leaf.neg_weight * leaf.scale - leaf.blame @ np.bincount(
            leaf.group, leaf.share, leaf.blame.shape[1])

    def search(self) -> None:
        """Decide row after row who covers it, as long as the waste fits the room."""
        leaf, tried = self.leaf, 0
        stack: list[tuple[tuple[int, ...], Array]] = [((), self.reduced <= leaf.room)]
        while stack:
            chosen, usable = stack.pop()
            if time.monotonic() > leaf.deadline:
                raise OutOfTime
            rules = list(chosen)
            blamed = self.neg[rules].any(axis=0)
            charge = leaf._charges(blamed[None])[0]
            covered = self.pos[rules].any(axis=0)
            coverable = self.pos[usable].any(axis=0) & ~covered
            waste = self.reduced[rules].sum() + self.residual[blamed].sum()
            excess = np.where(covered, self.paid[rules].sum(axis=0), leaf.cap) + charge - leaf.y
            waste += excess[~coverable].sum()
            if waste > leaf.room:
                continue
            if not coverable.any():
                cost = (int(leaf.y.sum()) + int(waste)) // leaf.scale + leaf.problem.constant
                raise Refuted(f"there is a set of {len(rules)} rules that costs {cost}, below the bound")
            usable = usable & (self.reduced <= leaf.room - waste)
            ways = np.where(coverable, self.pos[usable].sum(axis=0), np.inf)
            row = int(np.lexsort((leaf.y - leaf.cap, ways))[0])
            options = np.flatnonzero(usable & self.pos[:, row])
            without = usable.copy()
            for rule in options:
                without = without.copy()
                without[rule] = False
                stack.append(((*chosen, int(rule)), without))
            if leaf.cap[row] < np.inf:
                stack.append((chosen, without))


def _undominated(pos: Array, neg: Array, price: Array) -> Array:
    """Return the rules that no other equals or beats in covers and price (of equals the first)."""
    good, kept = np.hstack([pos, ~neg]).astype(np.float32), []
    order = np.lexsort((-good.sum(axis=1), price))
    for rule in order:  # whatever beats a rule is no dearer and covers no less, so it stands before it
        if not kept or ((1 - good[kept]) @ good[rule] > 0).all():
            kept.append(rule)
    return np.array(kept, np.int64)


def _groups(holds: Array, splitters: list[list[int]]) -> tuple[Array, int]:
    """Number the columns by which splitters cover them, in the order of the patterns."""
    pattern = np.array([holds[body].all(axis=0) for body in splitters], bool).reshape(-1, holds.shape[1])
    unique, number = np.unique(pattern, axis=1, return_inverse=True)
    return (number.ravel(), unique.shape[1]) if holds.shape[1] else (np.empty(0, np.int64), 0)


# ---------------------------------------------------------------- reading, trusting nothing


def _entry(data: Any, key: str, kind: type) -> Any:
    if not isinstance(data, dict) or type(data.get(key)) is not kind:
        raise Malformed(f"{key!r} is missing or not what it should be")
    return data[key]


def _dict(data: Any, key: str) -> dict[str, Any]:
    return _entry(data, key, dict)  # type: ignore[no-any-return]


def _list(data: Any, key: str) -> list[Any]:
    return _entry(data, key, list)  # type: ignore[no-any-return]


def _text(data: Any, key: str) -> str:
    return _entry(data, key, str)  # type: ignore[no-any-return]


def _integer(data: Any, key: str) -> int:
    value = _entry(data, key, int)
    if abs(value) >= LIMIT:
        raise Malformed(f"{key!r} is out of range")
    return int(value)


def _integers(values: Any, n: int | None = None) -> list[int]:
    if not isinstance(values, list) or any(type(v) is not int or abs(v) >= LIMIT for v in values):
        raise Malformed("a list of whole numbers holds something else, or one out of range")
    if n is not None and len(values) != n:
        raise Malformed(f"a list has {len(values)} numbers instead of {n}")
    return values


def _prices(node: dict[str, Any], n: int) -> Array:
    values = _integers(_list(node, "prices"), n)
    if any(value < 0 for value in values):
        raise Refuted("a price is negative")
    return np.array(values, float)


def _rule(rule: Any, data: Data) -> tuple[int, tuple[int, ...]]:
    target, *literals = _integers(rule) or [-1]
    if not 0 <= target < data.weights.shape[1]:
        raise Malformed(f"a rule predicts class {target}, which there is not")
    _check_literals(literals, data.allowed.ravel())
    return target, tuple(literals)


def _literals(body: Any, problem: Problem) -> list[int]:
    """Return the positions of the literals that a splitter names."""
    top = int(problem.codes.max(initial=-1)) + 1
    _check_literals(_integers(body), np.isin(np.arange(top), problem.codes))
    return np.searchsorted(problem.codes, np.array(body, np.int64)).tolist()


def _check_literals(literals: list[int], allowed: Array) -> None:
    if literals != sorted(literals) or len({code // 2 for code in literals}) < len(literals):
        raise Malformed(f"{literals[:9]} is not a rule: its literals are not in order, or use a feature twice")
    if literals and not (0 <= literals[0] and literals[-1] < len(allowed) and allowed[literals].all()):
        raise Malformed(f"{literals[:9]} uses a literal that may not be used")
