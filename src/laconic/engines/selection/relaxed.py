"""The native search without the constraints that tie rules together.

Dropping constraints enlarges the choice, and lower prices make sets cheaper. So a bound is the optimum of the
problem that keeps only usable literals and error costs, with one price per rule and the lowest price of a
literal. If its rules happen to meet all constraints and cost the same, they are optimal: caps that do not
bind cost no time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from laconic.engines import schedule
from laconic.engines.class_search import ClassTask
from laconic.engines.rows_of_class import RowsOfClass, rows_of_class
from laconic.engines.tuning import NativeSettings
from laconic.problem.coded import CodedRule
from laconic.problem.constraints.compiled import Prices
from laconic.problem.constraints.evaluate import level_value
from laconic.problem.objective import Problem
from laconic.runtime.budget import Budget
from laconic.runtime.native import MAX_COST

MAX_PRICES = 12
"""Maximum number of prices of size that are tried for a budget."""


@dataclass(frozen=True)
class Relaxed:
    """The result of the native search.

    Attributes
    ----------
    rules : list of CodedRule
    bound : int
        Lower bound on the first level.
    searches : mapping of int to Search
        The search of each class.
    """

    rules: list[CodedRule]
    bound: int
    searches: Mapping[int, schedule.Search]


def solve_relaxed(problem: Problem, budget: Budget, settings: NativeSettings) -> Relaxed | None:
    """Solve class by class without the constraints that tie rules together; None if it gives no bound."""
    first = problem.pricing.levels[0]
    return _solve(problem, first, first.rule, cheapest_literal(first), budget, settings)


def plain_sets(problem: Problem, budget: Budget, settings: NativeSettings) -> Iterator[list[CodedRule]]:
    """Yield sets that are optimal by size, at the price of the measure and below, as first incumbents."""
    first, price = problem.pricing.levels[0], max(1, problem.pricing.measure_cost)
    parts = (1,) if problem.hard else (1, 4, 16, 64)
    for place, part in enumerate(parts):
        # The error cost is raised instead of lowering the price, because prices are integers.
        faults = first.with_errors(part)
        found = _solve(problem, faults, price, price, budget.part(1 / (len(parts) - place)), settings)
        if found is not None:
            yield found.rules


def solve_within(
    problem: Problem,
    budget: Budget,
    settings: NativeSettings,
    on_set: Callable[[tuple[CodedRule, ...]], None],
    on_bound: Callable[[int], None],
) -> None:
    """Search at prices of size that approach the problem's budget; each gives a bound and a set.

    At a price p/q every set has q·errors + p·size ≥ B for some B. So within a size k its errors are at least
    (B − p·k)/q, and within errors E its size is at least (B − q·E)/p.
    """
    pricing = problem.pricing
    names = [part.name for part in pricing.parts]
    errors, size = pricing.levels[pricing.faults], pricing.levels[names.index("size")]
    by_size = pricing.faults == 0
    limit = pricing.limits[names.index("size") if by_size else pricing.faults]
    assert limit is not None
    first = pricing.levels[0]
    rule, literal = size.rule, cheapest_literal(size)
    price = Fraction(max(1, pricing.all_rows), 4 * max(1, rule))
    left = right = None
    for turn in range(MAX_PRICES):
        p, q = price.numerator, price.denominator
        share = budget.part(1 / (MAX_PRICES - turn))
        found = _solve(problem, errors.with_errors(q), p * rule, p * literal, share, settings)
        if found is None:
            return
        rules = tuple(sorted(found.rules))
        on_set(rules)
        if by_size:
            on_bound(first.weight * max(0, -((p * limit - found.bound) // q)))
        elif names[0] == "size":
            on_bound(first.weight * max(0, -((q * limit - found.bound) // p)))
        counted = sum(rule + literal * len(one.literals) for one in rules)
        wrong = level_value(problem.table, problem.constraints, errors, rules, per_row=False)
        point = counted, wrong
        if budget.expired() or point in (left, right):
            return
        if point[0] <= limit if by_size else point[1] > limit:
            left = point
        else:
            right = point
        if left is None or right is None:
            price = price / 4 if right is None else price * 4
        elif left[0] < right[0] and left[1] > right[1]:
            price = Fraction(left[1] - right[1], right[0] - left[0])
        else:
            return


def cheapest_literal(level: Prices) -> int:
    """Return the lowest price of a literal; it is used for all of them."""
    return int(level.literal.min()) if level.literal.size else level.rule


def _solve(
    problem: Problem, faults: Prices, rule: int, literal: int, budget: Budget, settings: NativeSettings
) -> Relaxed | None:
    """Run the native search with these prices; None if they are outside its limits."""
    table = problem.table
    free = not rule and (problem.hard or not literal)  # the native search needs a positive cost
    if free or table.n_features > schedule.MAX_FEATURES:
        return None
    scale = 1 if problem.separable else 2 * max(1, len(problem.classes) - 1)
    dearest = max(rule, literal) * table.n_features * 2 * table.n_classes
    if not problem.hard:
        dearest = max(dearest, faults.dearest_error * table.total_weight)
    if dearest * scale > MAX_COST:
        return None
    searches = {
        c: _search(problem, c, faults, rule * scale, literal * scale, settings) for c in problem.classes
    }
    schedule.run(list(searches.values()), budget, lambda _: None, n_jobs=1)
    rules = [CodedRule.of(c, body) for c, search in searches.items() for body in search.best()]
    bound = sum(search.lower_bound for search in searches.values())
    return Relaxed(rules, -(-bound // scale), searches)


def _search(
    problem: Problem, target: int, faults: Prices, rule: int, literal: int, settings: NativeSettings
) -> schedule.Search:
    rows, longest = class_rows(problem, target, faults), problem.constraints.max_rule_length
    task = ClassTask(rows, rule, literal, problem.hard, problem.objective.every_class, *settings, longest)
    return task.native_search()


def class_rows(problem: Problem, target: int, faults: Prices) -> RowsOfClass:
    """Return the rows of one class with the costs of errors at a level."""
    table = problem.table
    own, others = table.weights[:, target] * faults.missed[target], faults.of_claims(table.weights, target)
    if not problem.separable:
        # Half of a row's error is charged to its own class, the rest to the others evenly (see
        # `joint.shares`).
        others = table.weights @ faults.missed - own
        own = own * max(1, len(problem.classes) - 1)
    return replace(rows_of_class(problem, target), own=own, others=others)
