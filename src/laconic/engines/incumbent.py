"""The greedy first decision set, so that every engine has an incumbent at once.

Perfect objectives: separate and conquer. While a positive row is uncovered, a rule is grown literal by
literal (by FOIL's gain over the uncovered positives and the covered negatives), with one seed row kept
covered so that growth cannot fail; then every unnecessary literal is dropped. Redundant rules are dropped at
the end.

Sparse objectives: rules are added while they reduce the cost. A rule is grown from each of the most promising
first literals; its value is the weight of newly covered positives minus newly covered negatives minus its
price.

Row sets are packed bits and weights are split into bit planes, so evaluating every literal on a row set takes
a few passes of AND and popcount. Source of the growth rule: Quinlan, "Learning logical definitions from
relations", 1990.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from laconic.data.bits import RowSet, members, pack
from laconic.engines.separable import inseparable
from laconic.problem.coded import CodedRule, unpacked
from laconic.problem.objective import Problem, cost
from laconic.runtime.budget import Budget
from laconic.runtime.native import kernels

N_SEEDS = 12
"""Seed rows per perfect rule; of the rules grown, the one that covers most per unit of size is kept."""

N_STARTS = 5
"""Number of first literals from which a sparse rule is grown."""


@dataclass(frozen=True)
class PackedLiterals:
    """The allowed literals of a table, each as a packed set of rows."""

    codes: NDArray[np.int64]
    rows: RowSet

    @classmethod
    def of(cls, problem: Problem) -> PackedLiterals:
        """Pack the allowed literals of a problem."""
        table = problem.table
        true = table.bits
        false = ~true & pack(np.ones(table.n_rows, bool), true.shape[1])
        both = np.stack([false, true], axis=1).reshape(-1, true.shape[1])
        codes = np.flatnonzero(table.allowed.reshape(-1))
        return cls(codes, both[codes])


@dataclass(frozen=True)
class WeighedRows:
    """Signed weights of rows as bit planes: one row set per sign and binary digit.

    Attributes
    ----------
    planes : ndarray of uint64, shape (n_planes, n_words)
    units : ndarray of int64, shape (n_planes,)
        The weight of one row in the plane: plus or minus a power of two.
    """

    planes: RowSet
    units: NDArray[np.int64]

    @classmethod
    def of(cls, weights: NDArray[np.int64], n_words: int) -> WeighedRows:
        """Split weights into bit planes."""
        planes, units = [pack(np.zeros(0, bool), n_words)], [0]
        for sign in (1, -1):
            digits = np.maximum(sign * weights, 0)
            for k in range(int(digits.max(initial=0)).bit_length()):
                planes.append(pack((digits >> k & 1).astype(bool), n_words))
                units.append(sign << k)
        return cls(np.stack(planes), np.array(units, np.int64))

    def weight(self, rows: RowSet) -> NDArray[np.int64]:
        """Return the weight of each row set in an array of shape (n_sets, n_words)."""
        counts = np.bitwise_count(rows[:, None, :] & self.planes).sum(axis=-1, dtype=np.int64)
        total: NDArray[np.int64] = counts @ self.units
        return total


def incumbent(problem: Problem, budget: Budget) -> list[CodedRule]:
    """Return an admissible decision set, found greedily.

    When the budget expires, a sparse problem stops adding rules. A perfect set must cover every row, so the
    rows that are still uncovered are covered by the leaves of a decision tree.
    """
    literals = PackedLiterals.of(problem)
    if problem.hard:
        return [rule for c in problem.classes for rule in _perfect_class(problem, c, literals, budget)]
    rules = [rule for c in problem.classes for rule in _sparse_class(problem, c, literals, budget)]
    return rules if problem.separable else _dropped_while_it_pays(problem, rules, budget)


def class_weights(problem: Problem, target: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the net weight of each row for and against a class; at most one of the two is positive."""
    weights = problem.table.weights
    net = 2 * weights[:, target] - weights.sum(axis=1)
    return np.maximum(net, 0), np.maximum(-net, 0)


def _perfect_class(
    problem: Problem, target: int, literals: PackedLiterals, budget: Budget
) -> list[CodedRule]:
    n_words = literals.rows.shape[1]
    towards, against = class_weights(problem, target)
    positives, negatives = pack(towards > 0, n_words), pack(against > 0, n_words)
    everything = pack(np.ones(problem.table.n_rows, bool), n_words)
    uncovered = positives.copy()
    bodies: list[list[int]] = []
    covers: list[RowSet] = []
    while uncovered.any():
        best: tuple[float, list[int], RowSet] | None = None
        if budget.expired():
            bodies += _tree(problem, target, literals, uncovered, negatives)
            return [CodedRule.of(target, literals.codes[body]) for body in bodies]
        for seed in _some_rows(uncovered, N_SEEDS):
            usable = np.flatnonzero(literals.rows[:, seed // 64] >> np.uint64(seed % 64) & np.uint64(1))
            body = _grow_pure(literals, usable, uncovered, negatives)
            if body is None:
                raise inseparable(seed, target)
            body = _pruned(literals, body, uncovered, negatives)
            cover = _cover(literals, body, everything)
            per_unit = int(np.bitwise_count(cover & uncovered).sum()) / (len(body) + 1)
            if best is None or per_unit > best[0]:
                best = (per_unit, body, cover)
        assert best is not None
        bodies.append(best[1])
        covers.append(best[2])
        uncovered &= ~best[2]
    kept = _without_redundant(bodies, covers, positives)
    return [CodedRule.of(target, literals.codes[bodies[k]]) for k in kept]


def _tree(
    problem: Problem, target: int, literals: PackedLiterals, wanted: RowSet, negatives: RowSet
) -> list[list[int]]:
    """Return rules for the wanted rows quickly: the first set of the native search with no time left."""
    search = kernels.CoverSolver(
        problem.table.bits,
        literals.codes.tolist(),
        members(wanted),
        members(negatives),
        problem.rule_cost,
        problem.literal_cost,
        seed=0,
    )
    search.advance(0.0, kernels.StopFlag())
    bodies: list[list[int]] = []
    for codes in search.best():
        bodies.append(np.searchsorted(literals.codes, sorted(codes)).tolist())
        cover = _cover(literals, bodies[-1], wanted | negatives)
        if (cover & negatives).any():
            raise inseparable(_some_rows(cover & wanted, 1)[0], target)
    return bodies


def _grow_pure(
    literals: PackedLiterals, usable: NDArray[np.int64], uncovered: RowSet, negatives: RowSet
) -> list[int] | None:
    """Add the literal of best FOIL gain until no negative is covered; ``None`` if that is impossible."""
    body: list[int] = []
    rows = literals.rows[usable]
    positives_in, negatives_in = uncovered, negatives
    while (n_negatives := int(np.bitwise_count(negatives_in).sum())) > 0:
        # Rows are sorted, so the rows of a rule occupy few words: skip the empty ones.
        alive = np.flatnonzero(positives_in | negatives_in)
        rows, positives_in, negatives_in = rows[:, alive], positives_in[alive], negatives_in[alive]
        towards = np.bitwise_count(rows & positives_in).sum(axis=1, dtype=np.int64)
        against = np.bitwise_count(rows & negatives_in).sum(axis=1, dtype=np.int64)
        if not (against < n_negatives).any():
            return None
        purity = np.log2(1 + n_negatives / int(np.bitwise_count(positives_in).sum()))
        # The seed row keeps every count of positives above zero; a literal must exclude at least one
        # negative.
        gain = np.where(against < n_negatives, towards * (purity - np.log2(1 + against / towards)), -np.inf)
        best = int(gain.argmax())
        body.append(int(usable[best]))
        positives_in, negatives_in = positives_in & rows[best], negatives_in & rows[best]
    return body


def _pruned(literals: PackedLiterals, body: list[int], uncovered: RowSet, negatives: RowSet) -> list[int]:
    """Drop unnecessary literals one at a time, each time the one whose removal covers the most positives."""
    while body:
        rows = literals.rows[body]
        before = [negatives | uncovered]
        for row in rows[:-1]:
            before.append(before[-1] & row)
        after = negatives | uncovered
        shorter = []
        for k in reversed(range(len(body))):
            without = before[k] & after
            if not (without & negatives).any():
                shorter.append((int(np.bitwise_count(without & uncovered).sum()), k))
            after = after & rows[k]
        if not shorter:
            return body
        _, k = max(shorter)
        body = body[:k] + body[k + 1 :]
    return body


def _without_redundant(bodies: Sequence[list[int]], covers: Sequence[RowSet], positives: RowSet) -> list[int]:
    """Return the rules to keep: a rule goes, longest first, if the others cover its positives."""
    if not covers:
        return []
    times = np.zeros(positives.size * 64, np.int64)
    inside = [members(c & positives) for c in covers]
    for rows in inside:
        times[rows] += 1
    kept = set(range(len(bodies)))
    for k in sorted(kept, key=lambda k: (-len(bodies[k]), k)):
        if (times[inside[k]] > 1).all():
            times[inside[k]] -= 1
            kept.remove(k)
    return sorted(kept)


def _sparse_class(problem: Problem, target: int, literals: PackedLiterals, budget: Budget) -> list[CodedRule]:
    n_words = literals.rows.shape[1]
    towards, against = class_weights(problem, target)
    net = WeighedRows.of(towards - against, n_words)
    everything = pack(np.ones(problem.table.n_rows, bool), n_words)
    fresh = everything
    rules: list[CodedRule] = []
    while True:
        value, body = _most_valuable(problem, literals, everything, fresh, net, budget)
        must = problem.objective.every_class and not rules
        if (value <= 0 or budget.expired()) and not must:
            return rules
        covered = _cover(literals, body, everything)
        if must and not problem.table.weights[unpacked(covered, problem.table), target].any():
            body, covered = [], everything
        rules.append(CodedRule.of(target, literals.codes[body]))
        fresh = fresh & ~covered
        if must and value <= 0:
            return rules


def _most_valuable(
    problem: Problem,
    literals: PackedLiterals,
    everything: RowSet,
    fresh: RowSet,
    net: WeighedRows,
    budget: Budget,
) -> tuple[int, list[int]]:
    """Return (value, body) of the best rule that greedy growth finds on the uncovered rows."""

    def values(rows: RowSet, n_literals: int) -> NDArray[np.int64]:
        return problem.error_cost * net.weight(rows & fresh) - problem.rule_price(n_literals)

    best: tuple[int, list[int]] = (int(values(everything[None], 0)[0]), [])
    if not literals.codes.size:
        return best
    features = literals.codes >> 1
    singles = values(literals.rows, 1)
    for start in np.argsort(-singles, kind="stable")[:N_STARTS]:
        body, covered, value = [int(start)], literals.rows[start], int(singles[start])
        free = features != features[start]
        while True:
            if value > best[0]:
                best = (value, list(body))
            if budget.expired() or not free.any():
                break
            scores = np.where(free, values(literals.rows & covered, len(body) + 1), np.iinfo(np.int64).min)
            choice = int(scores.argmax())
            if scores[choice] <= value - problem.literal_cost:
                break
            body.append(choice)
            covered = covered & literals.rows[choice]
            value = int(scores[choice])
            free &= features != features[choice]
    return best


def _dropped_while_it_pays(problem: Problem, rules: list[CodedRule], budget: Budget) -> list[CodedRule]:
    """Drop rules one at a time while that reduces the joint cost or leaves it equal."""
    best = cost(problem, rules)
    assert best is not None
    improved = True
    while improved and not budget.expired():
        improved = False
        for rule in list(rules):
            fewer = [other for other in rules if other is not rule]
            value = cost(problem, fewer)
            if value is not None and value <= best:
                best, rules, improved = value, fewer, True
    return rules


def _cover(literals: PackedLiterals, body: Sequence[int], everything: RowSet) -> RowSet:
    if not body:
        return everything
    covered: RowSet = np.bitwise_and.reduce(literals.rows[list(body)], axis=0)
    return covered


def _some_rows(rows: RowSet, count: int) -> list[int]:
    """Return up to ``count`` evenly spaced members of a row set."""
    found = members(rows)
    picked = np.unique(np.linspace(0, found.size - 1, min(count, found.size)).astype(np.int64))
    return [int(row) for row in found[picked]]
