"""Sparse sets, one formula per size (our way to solve the model of Sections 3.4 and 3.5).

The paper's formula leaves open how many of its nodes are used, so every proof has to weigh nodes against
errors at once. But a set of s nodes that beats the incumbent may have errors of at most K_s = cost - 1 -
Λs, and K_s falls as s grows: short sets have small formulas, long sets have next to no errors left to
choose. So each size gets its own formula, without unused nodes and with errors as the only soft clauses,
and RC2 stops as soon as its core cost exceeds K_s. On small tables this took a tenth of the conflicts of
the paper's formula, or fewer.

Bound: a set of s nodes costs at least Λs, the unavoidable errors and the core cost reached for s; the bound
of the part is the least of these over all sizes. When time is short every size gets an equal share of it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from laconic.budget import Budget
from laconic.engines.sat.atmostone import Clauses
from laconic.engines.sat.encoding import NodeSequence
from laconic.engines.sat.formula import node_sequence
from laconic.engines.sat.options import MaxSatOptions
from laconic.engines.sat.oracle import OutOfTimeError
from laconic.engines.sat.part import Part
from laconic.engines.sat.rc2 import BoundReachedError, MaxSat
from laconic.engines.sat.work import Work
from laconic.model.coded import CodedRule


def solve_by_size(part: Part, other_bound: int, options: MaxSatOptions, budget: Budget, work: Work) -> None:
    """Search all sizes that could beat the incumbent.

    Parameters
    ----------
    other_bound : int
        A lower bound on the sets that no formula expresses.
    """
    unit = part.problem.rule_cost
    bounds = [other_bound]
    if not part.must_have_a_rule:
        bounds.append(part.price([]) or 0)
    size = 1
    if len(part.targets) == 1:
        bounds.append(_offer_short_rules(part))
        size = 3
    while part.base + unit * size < part.cost:
        n_left = (part.cost - 1 - part.base) // unit - size + 1
        bounds.append(_solve_size(part, size, options, budget.part(1 / n_left), work))
        size += 1
        part.prove(min(*bounds, part.base + unit * size))
        if budget.expired():
            return
    part.prove(min(bounds, default=part.cost))


def _offer_short_rules(part: Part) -> int:
    """Offer the best set of one or two nodes of one class, found by counting, and return its cost."""
    view, (target,) = part.view, part.targets
    net = view.weights[:, 0]
    rules = [CodedRule.of(target, ()), *(CodedRule.of(target, (code,)) for code in view.codes)]
    # What a rule saves against silence: its positives less its negatives.
    saved = np.concatenate([[net.sum()], net @ view.holds])
    silent = part.base + part.problem.error_cost * int(net[net > 0].sum())
    costs = [
        silent - part.problem.error_cost * int(saving) + part.problem.rule_price(len(rule.literals))
        for rule, saving in zip(rules, saved, strict=True)
    ]
    least = min(costs)
    part.accept([rules[costs.index(least)]], least)
    return least


def _solve_size(part: Part, size: int, options: MaxSatOptions, budget: Budget, work: Work) -> int:
    """Return a lower bound on the sets of one size; offer better ones than the incumbent to the part."""
    least = part.base + part.problem.rule_cost * size
    bound = least
    sequence, soft = node_sequence(part, options, with_unused=False)

    def on_bound(core_cost: int) -> None:
        nonlocal bound
        bound = least + core_cost
        if options.warm_start and bound >= part.cost:
            raise BoundReachedError

    def on_model(model: list[int]) -> None:
        part.offer(sequence.decode(model))

    maxsat: MaxSat | None = None
    try:
        maxsat = MaxSat(_hard(sequence, size), lambda: soft, lambda: sequence.top, options, budget)
        optimum = maxsat.compute(budget, on_model, on_bound)
        if optimum is None:
            return part.cost
        bound = least + optimum
        part.offer(sequence.decode(maxsat.model()))
    except (OutOfTimeError, BoundReachedError):
        pass
    finally:
        work.add(maxsat, sequence.top)
    return bound


def _hard(sequence: NodeSequence, size: int) -> Iterator[Clauses]:
    for _ in range(size):
        yield from sequence.grow()
    end, closing = sequence.close()
    yield [[end]]
    yield from closing
