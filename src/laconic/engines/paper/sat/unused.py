"""The paper's MaxSAT formula: N nodes, of which the last may stay unused (Sections 3.2 to 3.5).

For perfect sets the soft clauses (u_j, 1) maximise unused nodes. For sparse sets they are (u_j, Λ), and each
row may pay its weight instead of being classified correctly.

The number of nodes N limits the sets that a formula can express, so the answer for N is the optimum only if
larger sets cannot be cheaper: a set of more than N nodes costs at least (N + 1)·Λ plus the unavoidable
errors. N grows until this holds. The same inequality turns an incumbent into the largest N worth encoding,
and the core cost of an unfinished formula into a lower bound for all sizes.
"""

from __future__ import annotations

from collections.abc import Iterator

from laconic.engines.paper.sat.encoding import NodeSequence
from laconic.engines.paper.sat.formula import node_sequence
from laconic.engines.paper.sat.options import MaxSatOptions
from laconic.engines.paper.satkit.clauses import Clauses
from laconic.engines.paper.satkit.minimum import SetFormula, cheapest
from laconic.engines.paper.satkit.oracle import SatTimeoutError
from laconic.engines.paper.satkit.part import ProblemPart
from laconic.engines.paper.satkit.rc2 import BoundReachedError, Soft
from laconic.engines.paper.satkit.work import Work
from laconic.runtime.budget import Budget


def solve_with_unused(
    part: ProblemPart,
    other_bound: int,
    anchors: tuple[int, ...],
    options: MaxSatOptions,
    budget: Budget,
    work: Work,
) -> None:
    """Solve formulas of growing N until the part is solved or the budget expires.

    Parameters
    ----------
    other_bound : int
        A lower bound on the sets that no formula expresses.
    anchors : tuple of int
        Rows that clash pairwise, for a perfect problem.
    """
    unit = part.problem.rule_cost
    n_nodes = options.initial_nodes
    try:
        while not (part.solved and options.warm_start):
            # The largest set that could be cheaper than the incumbent (or as cheap, for a cold start).
            worthwhile = (part.cost - int(options.warm_start) - part.base) // unit
            n_nodes = max(1, min(n_nodes, worthwhile))
            larger = min(other_bound, part.base + unit * (n_nodes + 1))
            optimum = _solve_nodes(part, n_nodes, larger, anchors, options, budget, work)
            part.prove(larger if optimum is None else min(optimum, larger))
            if n_nodes >= worthwhile:
                return
            n_nodes += options.node_step
    except SatTimeoutError:
        return


def _solve_nodes(
    part: ProblemPart,
    n_nodes: int,
    larger: int,
    anchors: tuple[int, ...],
    options: MaxSatOptions,
    budget: Budget,
    work: Work,
) -> int | None:
    """Return the least cost of a set of at most ``n_nodes`` nodes; all other sets cost at least ``larger``.

    Return ``None`` if there is no such set. With a warm start, return the part's cost if no such set is
    cheaper.
    """
    unit, base = part.problem.rule_cost, part.base
    sequence, soft = node_sequence(part, options, with_unused=True, anchors=anchors)

    def on_bound(bound: int) -> None:
        part.prove(min(bound, larger))
        if options.warm_start and bound >= part.cost:
            raise BoundReachedError

    def all_soft() -> list[Soft]:
        return soft + [([node.unused], unit) for node in sequence.nodes]

    hard = _hard(part, sequence, n_nodes, options.warm_start)
    formula = SetFormula(hard, all_soft, lambda: sequence.top, sequence.decode, base)
    try:
        return cheapest(part, formula, options, budget, work, on_bound)
    except BoundReachedError:
        return part.cost


def _hard(part: ProblemPart, sequence: NodeSequence, n_nodes: int, warm_start: bool) -> Iterator[Clauses]:
    for _ in range(n_nodes):
        yield from sequence.grow()
    end, closing = sequence.close()
    yield [[end]]
    yield from closing
    if part.must_have_a_rule:
        yield [[-sequence.nodes[0].unused]]
    if warm_start and part.problem.hard:
        # Smaller sizes are already refuted, so these nodes are used.
        known = min(n_nodes, part.lower_bound)
        yield [[-node.unused] for node in sequence.nodes[:known]]
