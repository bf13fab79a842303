"""mopt, mopt∪ and sp[λ]: MaxSAT over nodes that may stay unused (Sections 3.2 to 3.5).

Perfect sets: the soft clauses (u_j, 1) ask for unused nodes. Sparse sets: (u_j, Λ), and each row may pay its
weight instead of being classified right. In the joint model (3.4) a row pays once, whatever is wrong with it;
in the separated models (3.5) it pays in each class, with the net weight of the rows that share its features.

The number of nodes N bounds the sets that a formula can express, so the answer for N is the optimum only if larger sets
cannot be cheaper: a set of more than N nodes costs at least (N + 1)·Λ and the unavoidable errors. Until
then N grows. The same inequality turns an incumbent into the largest N worth encoding, and the core cost of an
unfinished formula into a lower bound for all sizes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from laconic.budget import Budget
from laconic.engines.api import OnProgress, Recorder, Solution, StopReason, conclude
from laconic.engines.registry import require_support
from laconic.engines.sat.atmostone import Clauses
from laconic.engines.sat.bounds import anchors_of
from laconic.engines.sat.encoding import NodeSequence
from laconic.engines.sat.options import MaxSatOptions, parse
from laconic.engines.sat.oracle import OutOfTimeError
from laconic.engines.sat.part import Part, split, total_counts
from laconic.engines.sat.rc2 import BoundReachedError, MaxSat, Soft
from laconic.objective import Problem


def solve(
    problem: Problem,
    *,
    budget: Budget,
    seed: int = 0,
    n_jobs: int = 1,
    on_progress: OnProgress | None = None,
    options: Mapping[str, Any] | None = None,
) -> Solution:
    """Find an optimal perfect or sparse decision set by MaxSAT."""
    chosen = parse(MaxSatOptions, "maxsat", options)
    require_support("maxsat", problem)
    recorder = Recorder(budget, on_progress)
    parts = split(problem, chosen.separated, budget, recorder)
    reason = StopReason.TIME
    counts: list[dict[str, int]] = []
    try:
        # Cheap parts first: the time they leave over goes to the others.
        order = sorted(parts, key=lambda part: part.cost - part.lower_bound)
        for k, part in enumerate(order):
            counts.append(_solve_part(part, chosen, budget.part(1 / (len(order) - k))))
    except KeyboardInterrupt:
        reason = StopReason.INTERRUPT
    return conclude(
        problem,
        [rule for part in parts for rule in part.rules],
        sum(part.lower_bound for part in parts),
        reason,
        recorder=recorder,
        counts=total_counts(counts),
    )


def _solve_part(part: Part, options: MaxSatOptions, budget: Budget) -> dict[str, int]:
    """Solve formulas of growing N until the part is solved or the budget ends; return the work done."""
    anchors: tuple[int, ...] = ()
    if part.problem.hard:
        bound, anchors = anchors_of(part, budget.part(0.1))
        if options.warm_start:
            part.prove(bound)
    unit = part.problem.rule_cost
    counts: dict[str, int] = {}
    n_nodes = options.initial_nodes
    try:
        while not (part.solved and options.warm_start):
            # The largest set that could be cheaper than the one in hand.
            worthwhile = (part.cost - (1 if options.warm_start else 0) - part.base) // unit
            n_nodes = max(1, min(n_nodes, worthwhile))
            optimum = _solve_nodes(part, n_nodes, anchors, options, budget, counts)
            larger = part.base + unit * (n_nodes + 1)
            part.prove(larger if optimum is None else min(optimum, larger))
            if part.solved:
                break
            n_nodes += options.node_step
    except OutOfTimeError:
        pass
    return counts


def _solve_nodes(
    part: Part,
    n_nodes: int,
    anchors: tuple[int, ...],
    options: MaxSatOptions,
    budget: Budget,
    counts: dict[str, int],
) -> int | None:
    """Return the least cost of a set of at most ``n_nodes`` nodes.

    The answer is ``None`` if there is no such set; with a warm start, the part's cost if none is cheaper.
    """
    unit, base = part.problem.rule_cost, part.base
    sequence, soft_errors = _sequence(part, anchors, options)
    soft: list[Soft] = soft_errors
    maxsat: MaxSat | None = None

    def on_bound(core_cost: int) -> None:
        part.prove(min(base + core_cost, base + unit * (n_nodes + 1)))
        if options.warm_start and base + core_cost >= part.cost:
            raise BoundReachedError

    def on_model(model: list[int]) -> None:
        part.offer(sequence.decode(model))

    try:
        hard = list(_hard(part, sequence, n_nodes, options, budget))
        soft = soft_errors + [([node.unused], unit) for node in sequence.nodes]
        maxsat = MaxSat(hard, soft, lambda: sequence.top, options, budget)
        optimum = maxsat.compute(budget, on_model, on_bound)
        if optimum is None:
            return None
        part.accept(sequence.decode(maxsat.model()), base + optimum)
        return base + optimum
    except BoundReachedError:
        return part.cost
    finally:
        for name, value in (
            ("conflicts", maxsat.conflicts if maxsat else 0),
            ("clauses", maxsat.n_clauses if maxsat else 0),
            ("variables", sequence.top),
            ("formulas", 1),
        ):
            counts[name] = counts.get(name, 0) + value
        if maxsat is not None:
            maxsat.delete()


def _sequence(
    part: Part, anchors: tuple[int, ...], options: MaxSatOptions
) -> tuple[NodeSequence, list[Soft]]:
    """Return the empty sequence and the soft clauses of the rows."""
    view, problem = part.view, part.problem
    single = len(view.targets) == 1
    want = view.weights > 0
    shun = view.weights < 0 if single else ~want | (want.sum(axis=1, keepdims=True) > 1)
    pays = np.zeros(want.shape, np.int64)
    soft: list[Soft] = []
    top = 0
    if not problem.hard:
        owing = (want | shun) if single else want
        top = int(owing.sum())
        pays[owing] = np.arange(1, top + 1)
        soft = list(_row_clauses(view.weights, pays, problem.error_cost, single))
    symmetry = options.symmetry
    if (part.must_order and symmetry == "none") or (symmetry == "anchored" and not anchors):
        symmetry = "features"
    sequence = NodeSequence(
        view=view,
        shun=shun,
        want=want,
        pays=pays,
        with_unused=True,
        cardinality=options.cardinality,
        symmetry=symmetry,
        anchors=anchors if symmetry == "anchored" else (),
        top=top,
    )
    return sequence, soft


def _row_clauses(weights: Any, pays: Any, error_cost: int, single: bool) -> Iterator[Soft]:
    """Yield the soft clauses that make rows pay.

    A row with labels of weights w₁ ≥ w₂ ≥ … in the joint model can be right for one of them only. Its cost beyond the
    unavoidable is w₁ − w_t if it is right for label t, w₁ if for none: for each t, weight w_t − w_(t+1) is paid
    unless it is right for one of the first t.
    """
    for row_weights, row_pays in zip(abs(weights).tolist(), pays.tolist(), strict=True):
        if single:
            yield [-row_pays[0]], error_cost * row_weights[0]
            continue
        labels = sorted(((w, pay) for w, pay in zip(row_weights, row_pays, strict=True) if w), reverse=True)
        steps = [w for w, _ in labels] + [0]
        for t in range(1, len(labels) + 1):
            if steps[t - 1] > steps[t]:
                yield [-pay for _, pay in labels[:t]], error_cost * (steps[t - 1] - steps[t])


def _hard(
    part: Part, sequence: NodeSequence, n_nodes: int, options: MaxSatOptions, budget: Budget
) -> Iterator[Clauses]:
    for _ in range(n_nodes):
        for batch in sequence.grow():
            if budget.expired():
                raise OutOfTimeError
            yield batch
    end, closing = sequence.close()
    yield [[end]]
    yield from closing
    if part.must_have_a_rule:
        yield [[-sequence.nodes[0].unused]]
    if options.warm_start and part.problem.hard:
        # Sizes already refuted: their nodes are used.
        known = min(n_nodes, part.lower_bound)
        yield [[-node.unused] for node in sequence.nodes[:known]]
