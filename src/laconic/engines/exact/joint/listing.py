"""The rules that a better set can contain, if errors are counted per row.

When the cost of every error is split over the classes (`laconic.engines.exact.joint.shares`), the costs of
the classes in a set better than the incumbent add up to less than the incumbent's cost. Each of the other
classes costs at least its lower bound. The remainder limits the reduced cost of the rules of a class, under
any feasible dual (``native/src/near/rules.cpp``).

The exchange arguments for single classes (``native/src/sparse/candidates.cpp``) hold as well if a row with
labels of several classes counts as a row of each: the positives of a rule cost more than the rule, the
negatives that only one literal excludes cost more than the literal, and no literal can be exchanged for a
better one. The arguments concern whole costs. So every class gets at least one part of every row's cost,
which bounds the whole cost from what the class bears.
"""

from __future__ import annotations

from laconic.engines import schedule
from laconic.engines.exact.joint.shares import Shares
from laconic.engines.priced_rules import raise_prices
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Problem
from laconic.runtime.budget import Budget
from laconic.runtime.native import kernels

MAX_CANDIDATES = 4000
"""Maximum number of listed rules per class."""

MAX_CELLS = 3 * 10**8
"""Maximum product of rows and listed rules: the size of their covers in bytes."""


def rules_of_better_sets(
    problem: Problem, shares: Shares, cost: int, budget: Budget, n_jobs: int
) -> list[CodedRule] | None:
    """Return all rules of some best set that costs less than ``cost``, or None if there are too many."""
    shares = shares.of_every_row()
    table, units, stop = problem.table, shares.units(), budget.stop_flag()
    searches = shares.searches()
    schedule.run(list(searches.values()), budget.part(0.4), lambda _: None, n_jobs)
    bound = sum(search.lower_bound for search in searches.values())
    rules: list[CodedRule] = []
    for (place, c), mine in zip(enumerate(shares.classes), budget.shares(len(shares.classes)), strict=True):
        own, others = shares.weights_of(place, units)
        near = kernels.NearOptimal(
            table.bits,
            table.allowed,
            own,
            others,
            problem.rule_cost * shares.parts,
            problem.literal_cost * shares.parts,
            gross=True,
        )
        raise_prices(near, searches[c].upper_bound, searches[c].best(), mine.part(0.5), stop)
        of_own, of_others = shares.least_units(place, units)
        listed = near.list_rules(
            shares.parts * (cost - 1) - (bound - searches[c].lower_bound),
            of_others * problem.literal_cost + 1,
            [of_own * problem.rule_price(n) + 1 for n in range(table.n_features + 1)],
            True,
            MAX_CANDIDATES,
            mine.native_seconds(),
            stop,
        )
        if not listed:
            return None
        rules += [CodedRule.of(c, body) for body in near.rules()]
    return rules if len(rules) * table.n_rows <= MAX_CELLS else None
