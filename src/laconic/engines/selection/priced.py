"""Listing of the rules of better sets by reduced cost, where there are too many rules that can matter.

Let L be the optimum of a class without the constraints that tie rules together, and U the cost of the
incumbent. The rules of one class in a better set cost at most L plus U minus the optima of all classes. With
prices of rows that are feasible for every rule, this limits the reduced cost of each of these rules; and what
a rule without one of its literals, or the set without the rule, costs is at least L, which limits the
negatives that a literal excludes alone and the positives of a rule. The closer the incumbent to the optima,
the shorter the list.

A literal that excludes no negative is not listed. It can be left out of any rule at no loss, unless it is
required, so rules are also listed with each such literal of a required group.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from laconic.engines.priced_rules import raise_prices
from laconic.engines.selection.candidates import Candidates
from laconic.engines.selection.dominance import cheapest_of_their_cover
from laconic.engines.selection.listing import MAX_CELLS
from laconic.engines.selection.relaxed import Relaxed, cheapest_literal, class_rows
from laconic.problem.coded import CodedRule, rows_covered
from laconic.problem.constraints.evaluate import admissible
from laconic.problem.objective import Problem
from laconic.runtime.budget import Budget
from laconic.runtime.native import kernels

MOST_RULES = 200_000
"""Maximum number of rules listed per class."""

SUPPORTED = frozenset(
    {
        *("max_rules", "max_rule_length", "max_literals", "max_size", "required", "rules_in"),
        *("feature_costs", "literal_costs", "min_support"),
    }
)
"""Constraints under which a literal that excludes no negative can be left out unless it is required."""


def supports(problem: Problem) -> bool:
    """Return whether the list is complete for the objective and the constraints."""
    plain = len(problem.pricing.levels) == 1 and not problem.pricing.limits and not problem.hard
    return (
        plain
        and problem.separable
        and not problem.objective.every_class
        and SUPPORTED.issuperset(problem.constraints.ties)
    )


def priced_candidates(
    problem: Problem, relaxed: Relaxed, best: tuple[int, tuple[CodedRule, ...]], budget: Budget
) -> Candidates | None:
    """List the rules of the best set known and of all better ones; None if too many, or time is up."""
    excess = best[0] - 1 - sum(search.lower_bound for search in relaxed.searches.values())
    rules: set[CodedRule] = set(problem.constraints.rules_in)
    for target, share in zip(problem.classes, budget.shares(len(problem.classes)), strict=True):
        listed = _of_class(problem, relaxed, target, excess, share)
        if listed is None:
            return None
        rules.update(listed)
    table = problem.table
    if len(rules) * table.n_rows > MAX_CELLS:
        return None
    found = {rule: rows_covered(rule, table) for rule in sorted(rules)}
    known = {rule: rows_covered(rule, table) for rule in best[1]}
    kept = sorted({*cheapest_of_their_cover(problem, found), *known})
    found |= known
    covers = np.array([found[rule] for rule in kept], dtype=bool).reshape(-1, table.n_rows)
    return Candidates(kept, covers, complete=True)


def _of_class(
    problem: Problem, relaxed: Relaxed, target: int, excess: int, budget: Budget
) -> list[CodedRule] | None:
    """List the rules of one class whose sets cost at most ``excess`` more than its optimum."""
    table, constraints, first = problem.table, problem.constraints, problem.pricing.levels[0]
    search, literal = relaxed.searches[target], cheapest_literal(first)
    rows = class_rows(problem, target, first)
    near = kernels.NearOptimal(table.bits, rows.usable, rows.own, rows.others, first.rule, literal)
    stop = budget.stop_flag()
    raise_prices(near, search.upper_bound - near.constant, search.best(), budget.part(0.4), stop)
    longest = table.n_features if constraints.max_rule_length is None else constraints.max_rule_length
    least = [max(0, first.rule + literal * n - excess) for n in range(min(longest, table.n_features) + 1)]
    limit = search.lower_bound + excess - near.constant
    seconds = budget.native_seconds()
    if not near.list_rules(limit, max(0, literal - excess), least, False, MOST_RULES, seconds, stop):
        return None
    plain = [CodedRule.of(target, body) for body in near.rules()]
    rules = {longer for rule in plain for longer in _with_required(problem, rule, longest)}
    return [rule for rule in sorted(rules) if admissible(table, constraints, rule)]


def _with_required(problem: Problem, rule: CodedRule, longest: int) -> Iterator[CodedRule]:
    """Yield a rule, and the rule with required literals that it lacks, at most one per group."""
    pending = [rule]
    for group in problem.constraints.required:
        more = []
        for one in pending:
            used = {code >> 1 for code in one.literals}
            if group & set(one.literals) or len(one.literals) >= longest:
                continue
            more += [CodedRule.of(one.target, (*one.literals, g)) for g in group if g >> 1 not in used]
        pending += more
    yield from pending
