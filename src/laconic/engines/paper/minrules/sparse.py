"""mds2*[ρ]: errors against rules, and then the fewest literals.

One formula per number of rules, as `laconic.engines.paper.sat.sizes` has one per size: a set of n rules that
beats the incumbent may only have errors worth what n rules leave over, so RC2 stops as soon as its core cost
exceeds that. Numbers of rules for which even their price is too much need no formula, and there are few
others: n rules cost Λn, silence at most the weight of the class.

The bound of the class is the least, over all numbers of rules, of their price, the unavoidable errors and
the core cost reached.
"""

from __future__ import annotations

import numpy as np

from laconic.engines.paper.minrules.options import MinRulesOptions
from laconic.engines.paper.minrules.perfect import complete
from laconic.engines.paper.minrules.slots import RuleSlots
from laconic.engines.paper.satkit.oracle import OutOfTimeError
from laconic.engines.paper.satkit.part import Part
from laconic.engines.paper.satkit.rc2 import BoundReachedError, MaxSat
from laconic.engines.paper.satkit.single import offer_single_rule
from laconic.engines.paper.satkit.work import Work
from laconic.runtime.budget import Budget


def solve_sparse(part: Part, options: MinRulesOptions, budget: Budget, work: Work) -> None:
    """Search all numbers of rules that could beat the incumbent, as far as the budget allows."""
    if budget.expired():
        return
    bounds: dict[int, int] = {}
    if not part.must_have_a_rule:
        bounds[0] = part.price([]) or 0
        part.offer([])
    seconds: dict[int, float] = {}
    n_rules = 1
    while n_rules <= (most := _most_rules(part)) and not budget.expired():
        share = budget.part(1 / (most - n_rules + 1))
        seconds[n_rules] = share.remaining()
        bounds[n_rules] = _solve_number(part, n_rules, options, share, work)
        n_rules += 1
        part.prove(min(*bounds.values(), part.base + part.problem.rule_cost * n_rules))
    if n_rules > most:
        part.prove(min(bounds.values(), default=part.cost))
    # A formula starts afresh, so it is tried again only with more time than it had before.
    while open_ := [n for n, bound in bounds.items() if bound < part.cost]:
        share = budget.part(1 / len(open_))
        n_rules = min(open_, key=lambda n: seconds[n])
        if share.remaining() <= seconds[n_rules]:
            return
        seconds[n_rules] = share.remaining()
        bounds[n_rules] = max(bounds[n_rules], _solve_number(part, n_rules, options, share, work))
        part.prove(min(bounds.values()))


def _most_rules(part: Part) -> int:
    """Return the most rules that could beat the incumbent by their price alone.

    A rule that pays covers a row of its own, so no set needs more rules than rows; but a class that must have
    a rule has one.
    """
    n_wanted = int((part.view.weights[:, 0] > 0).sum())
    affordable = (part.cost - 1 - part.base) // part.problem.rule_cost
    return min(max(n_wanted, int(part.must_have_a_rule)), affordable)


def _count_bound(part: Part, n_rules: int) -> int:
    """Return what sets of so many rules cost at least: a rule covers no more than its best literal."""
    positive = np.maximum(part.view.weights[:, 0], 0)
    most = int((positive @ part.view.holds).max(initial=0))
    if n_rules == 1:
        most = int(positive.sum())  # the rule without literals
    missed = max(0, int(positive.sum()) - n_rules * most)
    return part.base + part.problem.rule_cost * n_rules + part.problem.error_cost * missed


def _solve_number(part: Part, n_rules: int, options: MinRulesOptions, budget: Budget, work: Work) -> int:
    """Return a lower bound on the sets of so many rules; offer better ones than the incumbent to the part."""
    if n_rules == 1 and part.must_have_a_rule:
        # A class that must speak may keep a single rule that does not pay, made of literals that no paying
        # rule has: it has a formula of its own.
        return offer_single_rule(part, options, budget, work)
    counted = _count_bound(part, n_rules)
    if counted >= part.cost:
        return counted
    problem = part.problem
    least = part.base + problem.rule_cost * n_rules
    bound = least
    slots = RuleSlots(part.view, (), pays=True, ordered=options.symmetry)

    def on_bound(core_cost: int) -> None:
        nonlocal bound
        bound = least + core_cost
        if options.warm_start and bound >= part.cost:
            raise BoundReachedError

    def on_model(model: list[int]) -> None:
        part.offer(slots.decode(model))

    maxsat: MaxSat | None = None
    try:
        maxsat = MaxSat(
            complete(slots, n_rules),
            lambda: slots.soft(problem.error_cost, problem.literal_cost),
            lambda: slots.top,
            options,
            budget,
        )
        optimum = maxsat.compute(budget, on_model, on_bound)
        assert optimum is not None
        bound = least + optimum
        part.offer(slots.decode(maxsat.model()))
    except (OutOfTimeError, BoundReachedError):
        pass
    finally:
        work.add(maxsat, slots.top)
    return bound
