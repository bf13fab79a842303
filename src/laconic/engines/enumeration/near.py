"""All decision sets that are optimal, or nearly so.

A *decision set* here is a set of different rules, told apart by their conditions. It is counted if its cost
exceeds the optimum by at most ε and it is **irredundant**: leaving out any one rule, or any one condition
of a rule, makes more errors. Every optimal set is irredundant, since a smaller set would cost less.
Near-optimal sets with a useless condition are not counted; they would outnumber all others.

No rule of such a set may be lost, so the prunings of the search for one optimum (dominated rules, equal
conditions) are not used. The prunings here follow from the limit itself, see
``native/src/near/rules.cpp`` and ``near/sets.cpp``. Errors are counted per class, so that a decision set
within ε is one set per class whose excesses add up to at most ε.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from laconic.engines import schedule
from laconic.engines.class_search import ClassTask
from laconic.engines.exact.local import search_for
from laconic.engines.priced_rules import raise_prices
from laconic.engines.rows_of_class import rows_of_class
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Problem
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError
from laconic.runtime.native import kernels

MOST_RULES = 200_000
"""Maximum number of listed rules per class."""

MOST_SETS = 200_000
"""Maximum number of enumerated sets per class."""

_PRECISE = 1000
"""Largest excess over the optimum in native integers, as a multiple of the cost of all errors."""

_LARGEST_PRICE = 1000
"""Largest λ whose costs the native integers represent."""

Bodies = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class NearSets:
    """Decision sets within a distance of the optimum.

    Attributes
    ----------
    sets : tuple of (cost, rules)
        By cost, then size, then rules; at most as many as were asked for.
    n_sets : int
        How many there are, listed or not.
    complete : bool
        Whether `n_sets` is proved to be all of them. If not, the search was stopped, and others may exist.
    optimum : int
        The cost of the best set known; proved to be the optimum if ``complete``.
    """

    sets: tuple[tuple[int, tuple[CodedRule, ...]], ...]
    n_sets: int
    complete: bool
    optimum: int


@dataclass(frozen=True)
class _ClassSets:
    """Sets of one class: (excess over the optimum, size, bodies), sorted."""

    target: int
    optimum: int
    sets: list[tuple[int, int, Bodies]]
    complete: bool


def near_sets(
    problem: Problem, excess: int, limit: int, budget: Budget, seed: int = 0, n_jobs: int = 1
) -> NearSets:
    """Return the decision sets that cost at most ``excess`` above the optimum, at most ``limit`` of them."""
    if not problem.hard and problem.literal_cost > _LARGEST_PRICE * max(1, _all_errors(problem)):
        raise InputError(f"near-optimal sets are listed for λ up to {_LARGEST_PRICE}; give a smaller λ")
    asked = min(excess, _dearest(problem))
    excess = asked if problem.hard else min(asked, _PRECISE * _all_errors(problem))
    searches = _optima(problem, budget, seed, n_jobs)
    best = problem.total([search.upper_bound for search in searches.values()])
    wholes = _choices_of_otherwise(problem, searches) if problem.otherwise else [(None, best)]
    most = max(excess - (cost - best) for _, cost in wholes)
    classes = {
        c: _class_sets(problem, c, search, most, share)
        for (c, search), share in zip(searches.items(), budget.shares(len(searches)), strict=True)
    }
    complete = excess == asked and all(one.complete for one in classes.values())
    found: list[tuple[int, tuple[CodedRule, ...]]] = []
    n_sets = 0
    for otherwise, cost in wholes:
        chosen = _beside(problem, otherwise, classes)
        left = excess - (cost - best)
        n_sets += _count(chosen, left)
        found += _combined(chosen, cost, left, limit)
    if len(wholes) > 1:
        found = sorted(found, key=lambda one: (one[0], sum(rule.size for rule in one[1]), one[1]))[:limit]
    return NearSets(tuple(found), n_sets, complete, best)


def _choices_of_otherwise(
    problem: Problem, searches: Mapping[int, schedule.Search]
) -> list[tuple[int | None, int]]:
    """Return the classes that the OTHERWISE rule may give, each with the least cost of a set that does."""
    total = sum(search.upper_bound for search in searches.values()) + problem.rule_price(0)
    return [(c, total - search.upper_bound) for c, search in searches.items()]


def _beside(problem: Problem, otherwise: int | None, classes: Mapping[int, _ClassSets]) -> list[_ClassSets]:
    """Return the sets of the other classes that make ``otherwise`` the class of the OTHERWISE rule.

    It is the heaviest class without rules, so every heavier class has rules. A heavier class that loses its
    last rule becomes the class of the OTHERWISE rule: this must make more errors, or the rule is redundant.
    """
    if otherwise is None:
        return list(classes.values())
    place = {c: k for k, c in enumerate(problem.heaviest_first)}
    missed = int(problem.table.weights[:, otherwise].sum())
    if not problem.hard:
        missed *= int(problem.pricing.levels[0].missed[otherwise])

    def stays(one: _ClassSets, over: int, bodies: Bodies) -> bool:
        if place[one.target] > place[otherwise]:
            return True
        errors = one.optimum + over - sum(problem.rule_price(len(body)) for body in bodies)
        return len(bodies) > 1 or (len(bodies) == 1 and (problem.hard or errors < missed))

    return [
        replace(one, sets=[entry for entry in one.sets if stays(one, entry[0], entry[2])])
        for c, one in classes.items()
        if c != otherwise
    ]


def _count(classes: Sequence[_ClassSets], excess: int) -> int:
    """Return the number of choices of one set per class within an excess."""
    counted = Counter({0: 1})
    for one in classes:
        histogram = Counter(over for over, _, _ in one.sets)
        summed: Counter[int] = Counter()
        for before, ways in counted.items():
            for over, more in histogram.items():
                if before + over <= excess:
                    summed[before + over] += ways * more
        counted = summed
    return sum(ways for over, ways in counted.items() if over <= excess)


def best_sets(problem: Problem, n_best: int, budget: Budget, seed: int = 0, n_jobs: int = 1) -> NearSets:
    """Return the best ``n_best`` decision sets; fewer if there are no more or the time is over."""
    excess, most = 0, _dearest(problem)
    while True:
        found = near_sets(problem, excess, n_best, budget, seed, n_jobs)
        if found.n_sets >= n_best or not found.complete or excess >= most:
            return found
        excess = min(most, max(1, 2 * excess, problem.literal_cost // 4))


def _dearest(problem: Problem) -> int:
    """Return a cost that no irredundant set exceeds: each of its rules has a row that no other one covers."""
    most = 0 if problem.hard else _all_errors(problem) * problem.table.n_classes
    return most + problem.rule_price(problem.table.n_features) * problem.table.n_rows * len(problem.classes)


def _all_errors(problem: Problem) -> int:
    """Return an upper bound on the cost of all possible errors."""
    return problem.pricing.levels[problem.pricing.faults].dearest_error * problem.table.total_weight


def require_support(problem: Problem) -> None:
    """Refuse an objective whose sets cannot be enumerated."""
    objective = problem.objective
    if objective.has_budget:
        raise InputError("enumerating sets is not possible with a budget; give a regularization instead")


def _optima(problem: Problem, budget: Budget, seed: int, n_jobs: int) -> dict[int, schedule.Search]:
    require_support(problem)
    searches = {c: search_for(ClassTask.of(problem, c, seed)) for c in problem.classes}
    schedule.run(list(searches.values()), budget.part(0.5), lambda _: None, n_jobs)
    return searches


def _class_sets(
    problem: Problem, target: int, search: schedule.Search, excess: int, budget: Budget
) -> _ClassSets:
    optimum = search.upper_bound
    known: Bodies = tuple(sorted(tuple(sorted(body)) for body in search.best()))
    incomplete = _ClassSets(target, optimum, [(0, _size(known), known)], False)
    if not search.proved:
        return incomplete
    table = problem.table
    rows = rows_of_class(problem, target)
    own, others = rows.own, rows.others
    unit = problem.error_cost if problem.constraints.any_set else 1  # the least that an error costs
    if problem.hard:
        # Any error costs more than all sets within the limit.
        unit = optimum + excess + 1
        own = table.rows_in(target).astype(np.int64) * unit
        others = table.rows_outside(target).astype(np.int64) * unit
    near = kernels.NearOptimal(table.bits, rows.usable, own, others, problem.rule_cost, problem.literal_cost)
    stop = budget.stop_flag()
    target_cost = optimum - near.constant
    raise_prices(near, target_cost, search.best(), budget.part(0.4), stop)
    # Without a literal, or a rule, a set still costs at least the optimum.
    alone = max(unit, problem.literal_cost - excess)
    covered = [max(unit, problem.rule_price(n) - excess) for n in range(table.n_features + 1)]
    listed = near.list_rules(
        target_cost + excess, alone, covered, False, MOST_RULES, budget.part(0.5).native_seconds(), stop
    )
    if not listed:
        return incomplete
    complete, found, _ = near.all_sets(target_cost + excess, MOST_SETS, budget.native_seconds(), stop)
    sets = []
    for cost, bodies in found:
        chosen: Bodies = tuple(sorted(tuple(sorted(body)) for body in bodies))
        sets.append((cost - target_cost, _size(chosen), chosen))
    return _ClassSets(target, optimum, sorted(sets) or incomplete.sets, complete)


def _combined(
    classes: Sequence[_ClassSets], best: int, excess: int, limit: int
) -> tuple[tuple[int, tuple[CodedRule, ...]], ...]:
    """Return the cheapest choices of one set per class, in order."""

    def entry(at: tuple[int, ...]) -> tuple[int, int, tuple[int, ...]]:
        chosen = [one.sets[k] for one, k in zip(classes, at, strict=True)]
        return sum(over for over, _, _ in chosen), sum(size for _, size, _ in chosen), at

    if not all(one.sets for one in classes):
        return ()
    first = (0,) * len(classes)
    waiting, seen = [entry(first)], {first}
    found: list[tuple[int, tuple[CodedRule, ...]]] = []
    while waiting and len(found) < limit:
        over, _, at = heapq.heappop(waiting)
        if over > excess:
            break
        rules = [
            CodedRule.of(one.target, body)
            for one, k in zip(classes, at, strict=True)
            for body in one.sets[k][2]
        ]
        found.append((best + over, tuple(sorted(rules))))
        for place, k in enumerate(at):
            step = (*at[:place], k + 1, *at[place + 1 :])
            if k + 1 < len(classes[place].sets) and step not in seen:
                seen.add(step)
                heapq.heappush(waiting, entry(step))
    return tuple(found)


def _size(bodies: Bodies) -> int:
    return sum(len(body) + 1 for body in bodies)
