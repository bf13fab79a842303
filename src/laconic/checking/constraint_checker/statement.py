"""The statement of a constrained certificate in integers, and the values of a decision set under it.

Costs come in *levels* that decide one after the other. A level is a sum of prices: per weight of errors,
per rule, per literal, per column used, per literal of the longest rule, per weight and literal of the
shortest rule of its class that covers a row. Limits on rules, literals and size are sums of the same kind.
So every claim has one form: no admissible set keeps all of some sums (`Capped`) within their caps.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic.checking.checker import Malformed, Refuted, Spend, TableLike, unlimited
from laconic.checking.constraint_checker import reading

RuleCodes = tuple[int, ...]  # class, then literals in order: 2f + 1 if feature f is true, 2f if it is false
Array = NDArray[Any]

OBJECTIVES = ("sparse", "perfect", "min_rules", "min_rules_then_literals")
LIMIT = 2**52
"""Sums of weights and prices stay below this, so that they are exact in doubles and in 64 bits."""


@dataclass(frozen=True)
class Capped:
    """A sum of prices and its cap."""

    errors: int
    rule: int
    literals: list[int]  # by feature
    columns: list[int]
    longest: int
    explained: int
    cap: int

    def of_rule(self, body: Sequence[int]) -> int:
        """Return the price of a rule."""
        return self.rule + sum(self.literals[code // 2] for code in body)


@dataclass(frozen=True)
class Level:
    """One level of the cost: prices, its share in the whole cost, and the user's limit on it, if any."""

    prices: Capped  # the cap is not used
    weight: int
    limit: int | None


class Statement:
    """The constraints of a certificate on one table."""

    def __init__(self, document: Any, table: TableLike) -> None:
        objective, counting = (reading.entry(document, key, str) for key in ("objective", "counting"))
        self.every_class = reading.entry(document, "every_class", bool)
        self.hard = objective != "sparse"
        self.per_row = counting == "per_row" and not self.hard
        if objective not in OBJECTIVES or counting not in ("per_class", "per_row"):
            raise Malformed("its objective or counting is unknown")
        if self.every_class and (self.hard or self.per_row):
            raise Malformed("its counting, or every_class, does not go with its objective")
        self.table, self.matrix, self.samples = table, table.matrix, table.samples
        self.n_rows, self.n_features = table.matrix.shape
        self.n_classes = table.weights.shape[1]
        self._read(reading.entry(document, "compiled_constraints", dict))
        self._weigh()
        self.otherwise: int | None = None  # the class of the OTHERWISE line, a rule of size 1
        if document.get("otherwise") is not None:
            self.otherwise = reading.whole(document["otherwise"], "'otherwise'")
            if self.every_class or self.per_row or self.otherwise not in self.classes:
                raise Malformed("its OTHERWISE class has no rows, or does not go with its objective")

    def _read(self, data: dict[str, Any]) -> None:
        n, m = self.n_classes, self.n_features
        self.factors = reading.wholes(data.get("factors"), "factors", n)
        unusable = reading.lists(data, "unusable")
        if len(unusable) != n:
            raise Malformed("'unusable' is not one list of literals per class")
        self.usable = np.repeat(self.table.allowed.reshape(1, -1), n, axis=0)
        for c, literals in enumerate(unusable):
            self.usable[c, reading.codes(literals, "'unusable'", m)] = False
        self.column_of = reading.wholes(data.get("columns"), "columns", m)
        n_columns = max(self.column_of, default=-1) + 1
        if n_columns > m:
            raise Malformed("'columns' has a number that is too large")
        self.missed = reading.wholes(data.get("missed"), "missed", n)
        claimed = reading.lists(data, "claimed")
        self.claimed = [reading.wholes(one, "claimed", n) for one in claimed]
        if len(claimed) != n or any(self.claimed[c][c] for c in range(n)):
            raise Malformed("'claimed' is not a table of classes by classes with zeros on its diagonal")
        self.levels = [self._level(one, n_columns) for one in reading.entry(data, "levels", list)]
        if not self.levels:
            raise Malformed("it has no level of cost")
        caps = ("max_rules", "max_literals", "max_size")
        self.caps = {key: reading.whole_or_none(data, key) for key in caps}
        self.max_rule_length = reading.whole_or_none(data, "max_rule_length")
        self.required = [set(reading.codes(g, "'required'", m)) for g in reading.lists(data, "required")]
        self.rules_in = {reading.rule(one, "'rules_in'", n, m) for one in reading.lists(data, "rules_in")}
        self.rules_out = {reading.rule(one, "'rules_out'", n, m) for one in reading.lists(data, "rules_out")}
        self.disjoint = reading.entry(data, "disjoint", bool)
        self.min_precision = reading.wholes(data.get("min_precision"), "min_precision", 2)
        self.min_support = reading.whole(data.get("min_support"), "min_support")
        if self.min_precision[1] < 1 or self.min_support < 1:
            raise Malformed("min_precision is not a fraction, or min_support is 0")

    def _level(self, data: Any, n_columns: int) -> Level:
        prices = Capped(
            errors=reading.whole(reading.entry(data, "errors", int), "errors"),
            rule=reading.whole(reading.entry(data, "rule", int), "rule"),
            literals=reading.wholes(reading.entry(data, "literals", list), "literals", self.n_features),
            columns=reading.wholes(reading.entry(data, "columns", list), "columns", n_columns),
            longest=reading.whole(reading.entry(data, "longest", int), "longest"),
            explained=reading.whole(reading.entry(data, "explained", int), "explained"),
            cap=0,
        )
        weight = reading.whole(reading.entry(data, "weight", int), "weight")
        return Level(prices, weight, reading.whole_or_none(data, "limit"))

    def _weigh(self) -> None:
        """Find who is right on each row, and what it costs each class to miss a row or to claim it."""
        weights = self.table.weights.astype(object)
        if self.hard or self.every_class:  # each row keeps its heaviest class, the first of equals
            heaviest = (weights * np.array(self.factors, object)).argmax(axis=1)
            weights = np.where(np.arange(self.n_classes) == heaviest[:, None], weights, 0)
        missed = weights * np.array(self.missed, object)
        claimed = weights @ np.array(self.claimed, object).reshape(self.n_classes, self.n_classes)
        if self.per_row:  # any other class that claims a row makes an error on it
            claimed = missed.sum(axis=1, keepdims=True) - missed
        paid = int(max(weights.sum(), missed.sum() + claimed.sum()))
        longest = 1 + self.n_features
        dearest = max(
            paid * (1 + one.errors)
            + one.rule
            + sum(one.literals)
            + sum(one.columns)
            + longest * (one.longest + one.explained * paid)
            for one in self._prices()
        )
        if dearest >= LIMIT:
            raise Refuted("its weights and prices are beyond exact arithmetic")
        self.weights, self.missed_cost, self.claimed_cost = (
            part.astype(np.int64) for part in (weights, missed, claimed)
        )
        self.classes = [int(c) for c in np.flatnonzero(self.weights.any(axis=0))]

    def without(self, target: int) -> Statement:
        """Return the statement about the other rules if OTHERWISE gives a class: no rule of it, no line."""
        other = copy(self)
        other.otherwise = None
        other.classes = [c for c in self.classes if c != target]
        other.levels = [
            level if level.limit is None else replace(level, limit=level.limit - level.prices.rule)
            for level in self.levels
        ]
        other.caps = {
            key: cap if cap is None else cap - (key != "max_literals") for key, cap in self.caps.items()
        }
        return other

    def _prices(self) -> list[Capped]:
        return [level.prices for level in self.levels]

    def capped(self, values: Sequence[int], place: int, bound: int) -> list[tuple[int, Capped]]:
        """Return the caps on a set that equals ``values`` before a level and is below a bound at it.

        Each comes with its number: levels first, then rules, literals and size.
        """
        found: list[tuple[int, Capped]] = []
        for k, level in enumerate(self.levels):
            caps = [level.limit, values[k] if k < place else bound - 1 if k == place else None]
            known = [cap for cap in caps if cap is not None]
            if known:
                found.append((k, _with_cap(level.prices, min(known))))
        none = [0] * len(self.levels[0].prices.columns)
        for k, (key, rule, literal) in enumerate(
            (("max_rules", 1, 0), ("max_literals", 0, 1), ("max_size", 1, 1)), len(self.levels)
        ):
            cap = self.caps[key]
            if cap is not None:
                found.append((k, Capped(0, rule, [literal] * self.n_features, none, 0, 0, cap)))
        return found

    def cover(self, body: Sequence[int]) -> NDArray[np.bool_]:
        """Return the rows on which all literals hold."""
        rows = np.ones(self.n_rows, bool)
        for code in body:
            rows &= self.matrix[:, code // 2] == bool(code % 2)
        return rows

    def outside(self, target: int) -> NDArray[np.bool_]:
        """Return the mask of rows with weight in another class."""
        return np.asarray(self.weights.sum(axis=1) > self.weights[:, target])

    def why_not(self, rule: RuleCodes) -> str | None:
        """Return why a rule cannot be in any set, or None if it can."""
        target, *body = rule
        if rule in self.rules_out:
            return "must be out"
        if not self.usable[target, body].all():
            return "uses a literal that is not allowed"
        if self.max_rule_length is not None and len(body) > self.max_rule_length:
            return "is too long"
        rows = self.cover(body)
        if self.hard and self.outside(target)[rows].any():
            return "covers a row of another class"
        if rule in self.rules_in:
            return None
        if target not in self.classes:
            return "is of a class without rows"
        if not rows.any() or int(self.samples[rows].sum()) < self.min_support:
            return "covers too few rows"
        top, bottom = self.min_precision
        seen = self.table.weights[rows].astype(object).sum(axis=0)
        return "is not precise enough" if seen[target] * bottom < top * seen.sum() else None

    def values(self, rules: Sequence[RuleCodes], spend: Spend = unlimited) -> list[int]:
        """Return the value of a set at each level, counted row by row; refuse an inadmissible set."""
        if len(set(rules)) < len(rules):
            raise Refuted("a rule is listed twice")
        for rule in rules:
            spend(1)
            if (reason := self.why_not(rule)) is not None:
                raise Refuted(f"the rule {list(rule)[:9]} {reason}")
        if not self.rules_in <= set(rules):
            raise Refuted("a rule that must be in is not")
        used = {code for _, *body in rules for code in body}
        if any(not used & group for group in self.required):
            raise Refuted("a required literal is not used")
        lengths = [len(rule) - 1 for rule in rules]
        if self.otherwise in {rule[0] for rule in rules}:
            raise Refuted("the class that OTHERWISE gives has another rule")
        n_rules = len(rules) + (self.otherwise is not None)
        size = {"max_rules": n_rules, "max_literals": sum(lengths), "max_size": sum(lengths) + n_rules}
        for key, cap in self.caps.items():
            if cap is not None and size[key] > cap:
                raise Refuted(f"its rules exceed {key}")
        shortest = np.full((self.n_rows, self.n_classes), -1, np.int64)
        for target, *body in sorted(rules, key=len, reverse=True):
            shortest[self.cover(body), target] = len(body)
        claims = shortest >= 0
        if self.disjoint and (claims.sum(axis=1) > 1).any():
            raise Refuted("rules of two classes cover the same row")
        if self.every_class and not set(self.classes) <= {rule[0] for rule in rules}:
            raise Refuted("a class has no rule")
        explained = int((self.weights.astype(object) * np.maximum(shortest, 0)).sum())
        missed = ~claims
        if self.otherwise is not None:
            missed[:, self.otherwise] = False
        wrong = missed | (claims.sum(axis=1, keepdims=True) - claims > 0)
        if self.hard and self.weights[wrong].any():
            raise Refuted("its rules make errors that a perfect set avoids")
        if self.per_row:
            errors = int(self.missed_cost[wrong].sum())
        else:
            errors = int(self.missed_cost[missed].sum() + self.claimed_cost[claims].sum())
        columns = {self.column_of[code // 2] for code in used}
        found = []
        for level in self.levels:
            prices = level.prices
            value = prices.errors * errors + prices.longest * max(lengths, default=0)
            value += sum(prices.of_rule(rule[1:]) for rule in rules) + prices.rule * (n_rules - len(rules))
            value += sum(prices.columns[column] for column in columns) + prices.explained * explained
            if level.limit is not None and value > level.limit:
                raise Refuted(f"its rules come to {value} where the limit is {level.limit}")
            found.append(value)
        return found


def _with_cap(prices: Capped, cap: int) -> Capped:
    return Capped(
        prices.errors, prices.rule, prices.literals, prices.columns, prices.longest, prices.explained, cap
    )
