"""Sparse sets by one formula per size, our way of solving the model of Sections 3.4 and 3.5.

The paper's formula does not fix how many of its nodes are used, so every proof trades nodes against errors.
But a set of s nodes that beats the incumbent has errors of at most K_s = cost - 1 - Λs, and K_s falls as s
grows: short sets have small formulas, and long sets allow hardly any errors. So each size gets its own
formula, without unused nodes and with errors as the only soft clauses, and RC2 stops as soon as its core cost
exceeds K_s. On small tables this took a tenth of the conflicts of the paper's formula, or fewer.

Bound: a set of s nodes costs at least Λs plus the unavoidable errors plus the core cost reached for s. The
bound of the part is the minimum of these over all sizes. If time is short, every size gets an equal share of
it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from laconic.engines.paper.sat.encoding import NodeSequence
from laconic.engines.paper.sat.formula import node_sequence
from laconic.engines.paper.sat.options import MaxSatOptions
from laconic.engines.paper.satkit.clauses import Clauses
from laconic.engines.paper.satkit.minimum import SetFormula, lower_bound
from laconic.engines.paper.satkit.part import ProblemPart
from laconic.engines.paper.satkit.work import Work
from laconic.problem.coded import CodedRule
from laconic.runtime.budget import Budget

_PAIRS_PER_SECOND = 500_000_000
"""Maximum product of pairs of literals and rows in the test of short sets, per second of time left."""


def solve_by_size(
    part: ProblemPart, other_bound: int, options: MaxSatOptions, budget: Budget, work: Work
) -> None:
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
    n_pairs = part.view.n_literals**2
    if len(part.targets) == 1 and n_pairs * part.view.n_rows < _PAIRS_PER_SECOND * budget.remaining():
        bounds.append(_offer_short_sets(part))
        size = 4
    while part.base + unit * size < part.cost:
        if budget.expired():
            return
        counted = _count_bound(part, size) if len(part.targets) == 1 else 0
        if counted >= part.cost:
            bounds.append(counted)
            size += 1
            continue
        n_left = (part.cost - 1 - part.base) // unit - size + 1
        bounds.append(_solve_size(part, size, options, budget.part(1 / n_left), work))
        size += 1
        part.prove(min(*bounds, part.base + unit * size))
    part.prove(min(bounds, default=part.cost))


def _offer_short_sets(part: ProblemPart) -> int:
    """Offer the best set of at most three nodes of one class, found by counting, and return its cost.

    Such a set is one rule of at most two literals: two rules of one literal each have four nodes, and a rule
    without literals makes all others redundant.
    """
    view, problem, (target,) = part.view, part.problem, part.targets
    net = view.weights[:, 0]
    # The savings of a rule over the empty set: its positives minus its negatives. The diagonal holds single
    # literals. Doubles are exact here, since all weights together are below 2**53, and much faster than
    # integers.
    holds = view.holds.astype(np.float64)
    saved = ((holds * net[:, None]).T @ holds).astype(np.int64)
    pairs = saved - np.where(view.groups[:, None] == view.groups, abs(net).sum() + 1, 0)
    candidates: list[tuple[int, tuple[int, ...]]] = [(int(net.sum()), ())]
    if view.n_literals:
        one = int(saved.diagonal().argmax())
        a, b = np.unravel_index(int(pairs.argmax()), pairs.shape)
        candidates.append((int(saved[one, one]), (one,)))
        if view.groups[a] != view.groups[b]:
            candidates.append((int(pairs[a, b]), (int(a), int(b))))
    silent = part.base + problem.error_cost * int(net[net > 0].sum())
    costs = [
        silent - problem.error_cost * saving + problem.rule_price(len(body)) for saving, body in candidates
    ]
    least = min(costs)
    _, body = candidates[costs.index(least)]
    part.accept([CodedRule.of(target, view.codes[list(body)])], least)
    return least


def _count_bound(part: ProblemPart, size: int) -> int:
    """Return a lower bound on the sets of one size of one class, from counts.

    They have at most size / 2 rules, each of which covers no more positives than its best literal.
    """
    positive = np.maximum(part.view.weights[:, 0], 0)
    most = int((positive @ part.view.holds).max(initial=0))
    missed = max(0, int(positive.sum()) - size // 2 * most)
    return part.base + part.problem.rule_cost * size + part.problem.error_cost * missed


def _solve_size(part: ProblemPart, size: int, options: MaxSatOptions, budget: Budget, work: Work) -> int:
    """Return a lower bound on the sets of one size; offer better sets than the incumbent to the part."""
    sequence, soft = node_sequence(part, options, with_unused=False)
    formula = SetFormula(
        _hard(sequence, size),
        lambda: soft,
        lambda: sequence.top,
        sequence.decode,
        paid=part.base + part.problem.rule_cost * size,
        priced=False,
    )
    return lower_bound(part, formula, options, budget, work, stop_early=options.warm_start)


def _hard(sequence: NodeSequence, size: int) -> Iterator[Clauses]:
    for _ in range(size):
        yield from sequence.grow()
    end, closing = sequence.close()
    yield [[end]]
    yield from closing
