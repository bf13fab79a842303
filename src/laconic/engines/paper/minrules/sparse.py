"""mds2*[ρ]: errors against rules, then the fewest literals.

There is one formula per number of rules, as `laconic.engines.paper.sat.sizes` has one per size. The price of
n rules limits the errors of a set with n rules that beats the incumbent, so RC2 stops as soon as its core
cost exceeds that limit. A number of rules whose price alone is too high needs no formula. Few numbers remain,
since n rules cost Λn and the empty set costs at most the weight of the class.

The bound of the class is the minimum, over all numbers of rules, of price plus unavoidable errors plus core
cost.
"""

from __future__ import annotations

import numpy as np

from laconic.engines.paper.minrules.options import MinRulesOptions
from laconic.engines.paper.minrules.perfect import complete
from laconic.engines.paper.minrules.slots import RuleSlots
from laconic.engines.paper.satkit.minimum import SetFormula, lower_bound
from laconic.engines.paper.satkit.part import ProblemPart
from laconic.engines.paper.satkit.single import offer_single_rule
from laconic.engines.paper.satkit.work import Work
from laconic.runtime.budget import Budget


def solve_sparse(part: ProblemPart, options: MinRulesOptions, budget: Budget, work: Work) -> None:
    """Search all numbers of rules that could beat the incumbent, as far as the budget allows."""
    if budget.expired():
        return
    bounds: dict[int, int] = {}
    if not part.must_have_a_rule:
        bounds[0] = part.price([]) or 0
        part.offer([])
    seconds: dict[int, float] = {}
    n_rules = 1
    while n_rules <= (most := _max_rules(part)) and not budget.expired():
        share = budget.part(1 / (most - n_rules + 1))
        seconds[n_rules] = share.remaining()
        bounds[n_rules] = _solve_number(part, n_rules, options, share, work)
        n_rules += 1
        part.prove(min(*bounds.values(), part.base + part.problem.rule_cost * n_rules))
    if n_rules > most:
        part.prove(min(bounds.values(), default=part.cost))
    # A formula starts from scratch, so it is repeated only with more time than it had before.
    while open_ := [n for n, bound in bounds.items() if bound < part.cost]:
        share = budget.part(1 / len(open_))
        n_rules = min(open_, key=lambda n: seconds[n])
        if share.remaining() <= seconds[n_rules]:
            return
        seconds[n_rules] = share.remaining()
        bounds[n_rules] = max(bounds[n_rules], _solve_number(part, n_rules, options, share, work))
        part.prove(min(bounds.values()))


def _max_rules(part: ProblemPart) -> int:
    """Return the largest number of rules whose price alone does not exceed the incumbent's cost.

    A rule that pays covers a row that no other rule covers, so no set needs more rules than rows. A class
    that must have a rule has at least one.
    """
    n_wanted = int((part.view.weights[:, 0] > 0).sum())
    affordable = (part.cost - 1 - part.base) // part.problem.rule_cost
    return min(max(n_wanted, int(part.must_have_a_rule)), affordable)


def _count_bound(part: ProblemPart, n_rules: int) -> int:
    """Return a lower bound on sets of ``n_rules`` rules: a rule covers no more than its best literal."""
    positive = np.maximum(part.view.weights[:, 0], 0)
    most = int((positive @ part.view.holds).max(initial=0))
    if n_rules == 1:
        most = int(positive.sum())  # for the rule without literals
    missed = max(0, int(positive.sum()) - n_rules * most)
    return part.base + part.problem.rule_cost * n_rules + part.problem.error_cost * missed


def _solve_number(
    part: ProblemPart, n_rules: int, options: MinRulesOptions, budget: Budget, work: Work
) -> int:
    """Return a lower bound on sets of ``n_rules`` rules; offer better sets than the incumbent to the part."""
    if n_rules == 1 and part.must_have_a_rule:
        # If a class must have a rule, its optimum may be a single rule that does not pay, made of literals
        # that no paying rule has; that case has a formula of its own.
        return offer_single_rule(part, options, budget, work)
    counted = _count_bound(part, n_rules)
    if counted >= part.cost:
        return counted
    problem = part.problem
    slots = RuleSlots(part.view, (), pays=True, ordered=options.symmetry)
    formula = SetFormula(
        complete(slots, n_rules),
        lambda: slots.soft(problem.error_cost, problem.literal_cost),
        lambda: slots.top,
        slots.decode,
        paid=part.base + problem.rule_cost * n_rules,
        priced=False,
    )
    return lower_bound(part, formula, options, budget, work, stop_early=options.warm_start)
