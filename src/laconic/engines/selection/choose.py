"""The best set of some candidate rules, with a proof in integers.

A linear program over 0-1 variables (`master`) by branch and bound (`branch`), level by level for
lexicographic measures, with good sets looked for on the way (`chosen`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from laconic.engines.selection.branch import search
from laconic.engines.selection.candidates import Candidates
from laconic.engines.selection.chosen import Weigher
from laconic.engines.selection.master import MAX_ENTRIES, Master, OutOfTimeError
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Problem
from laconic.runtime.budget import Budget


def choose(
    problem: Problem,
    candidates: Candidates,
    budget: Budget,
    *,
    start: Sequence[CodedRule] | None,
    on_set: Callable[[tuple[CodedRule, ...]], None],
    on_bound: Callable[[int], None],
    most_nodes: int | None = None,
) -> dict[str, int] | None:
    """Look for the best set; return the work done, or None if no set of the candidates meets the constraints.

    Parameters
    ----------
    problem : Problem
        With constraints.
    candidates : Candidates
    budget : Budget
    start : sequence of CodedRule or None
        A set in hand.
    on_set : callable
        Given every better set.
    on_bound : callable
        Given every better bound on the sets of candidates; the last one is the cost of the best set if the
        search was completed.
    most_nodes : int, optional
        Nodes after which a level is given up.
    """
    levels = problem.pricing.levels
    counts = {"nodes": 0, "relaxations": 0}
    weigher = Weigher(problem, candidates)
    if start is not None:
        place = {rule: k for k, rule in enumerate(candidates.rules)}
        weigher.offer(place[rule] for rule in start if rule in place)

    def take() -> None:
        if weigher.best is not None:
            on_set(tuple(candidates.rules[k] for k in sorted(weigher.best[1])))

    def weigh(members: NDArray[np.int64]) -> None:
        weigher.offer(members.tolist())
        take()

    def polish(fractions: NDArray[np.float64]) -> None:
        weigher.polish(fractions, budget)
        take()

    weigher.begin(budget)
    take()
    if int(candidates.covers.sum()) > MAX_ENTRIES:
        polish(weigher.promise())
        return counts
    try:
        master = Master(problem, candidates, budget)
    except OutOfTimeError:
        return counts
    reached: list[int] = []
    for level in range(len(levels)):
        settled = sum(one.weight * value for one, value in zip(levels, reached, strict=False))

        def raised(found: int, at: int = level, paid: int = settled) -> None:
            on_bound(paid + levels[at].weight * found)

        def best(at: int = level) -> int | None:
            # Only a set that keeps the levels before counts at this one.
            if weigher.best is None or list(weigher.best[0][:at]) > reached:
                return None
            return weigher.best[0][at]

        outcome = search(master, level, best, weigh, polish, budget, raised, most_nodes)
        counts["nodes"] += outcome.nodes
        counts["relaxations"] += outcome.solves
        if outcome.bound is None:
            return None if weigher.best is None else counts
        raised(outcome.bound)
        if best() != outcome.bound:
            return counts
        reached.append(outcome.bound)
        master.keep_level(level, outcome.bound)
    return counts
