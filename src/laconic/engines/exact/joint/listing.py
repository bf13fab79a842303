"""The rules that a better set can consist of, when errors are counted per row.

With costs split over the classes (`laconic.engines.exact.joint.shares`), those of a set better than the
one in hand add up to less than that one's, and the other classes cost at least their bounds. What is left
for a class limits the reduced cost of its rules, at any prices that overpay no rule
(``native/src/near/rules.cpp``).

The exchange arguments for single classes (``native/src/sparse/candidates.cpp``) hold as well, if a row
with labels of several classes is a row of each: the positives of a rule cost more than the rule, the
negatives that a literal alone excludes cost more than the literal, and no literal can be exchanged for a
better one. They are about whole costs. So every class is given a part of every row's: what a class bears
is then at least so many parts.
"""

from __future__ import annotations

from laconic.engines import schedule
from laconic.engines.exact.joint.shares import Shares
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Problem
from laconic.runtime.budget import Budget
from laconic.runtime.native import kernels

MAX_CANDIDATES = 4000
"""Rules per class beyond which no set is chosen among them."""

MAX_CELLS = 3 * 10**8
"""Rows times rules, likewise: bytes that their covers take."""

ROUNDS_AT_ONCE = 8


def rules_of_better_sets(
    problem: Problem, shares: Shares, cost: int, budget: Budget, n_jobs: int
) -> list[CodedRule] | None:
    """Return every rule of some best set, if one costs less than ``cost``; None if there are too many."""
    shares = shares.of_every_row()
    table, units, stop = problem.table, shares.units(), budget.stop_flag()
    searches = shares.searches()
    schedule.run(list(searches.values()), budget.part(0.4), lambda _: None, n_jobs)
    bound = sum(search.lower_bound for search in searches.values())
    rules: list[CodedRule] = []
    for place, c in enumerate(shares.classes):
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
        mine = budget.part(1 / (len(shares.classes) - place))
        raising = mine.part(0.5)
        while near.raise_prices(
            searches[c].upper_bound, searches[c].best(), ROUNDS_AT_ONCE, raising.native_seconds(), stop
        ):
            if raising.expired():
                break
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
