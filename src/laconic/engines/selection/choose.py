"""Selection of the best set among candidate rules, with a proof in integers.

Branch and bound (`branch`) solves a linear program over 0-1 variables (`master`), level by level for measures
in order; a primal heuristic (`chosen`) looks for good sets on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from laconic.engines.selection.branch import search
from laconic.engines.selection.candidates import Candidates
from laconic.engines.selection.chosen import SetEvaluator
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
    """Select the best set; return the work done, or None if no set of candidates meets the constraints.

    Parameters
    ----------
    problem : Problem
        The problem, usually with constraints.
    candidates : Candidates
    budget : Budget
    start : sequence of CodedRule or None
        An incumbent to start from.
    on_set : callable
        Called with every better set.
    on_bound : callable
        Called with every better bound on sets of candidates. The last one is the cost of the best set if the
        search was completed.
    most_nodes : int, optional
        Maximum number of nodes per level.
    """
    levels = problem.pricing.levels
    counts = {"nodes": 0, "relaxations": 0}
    evaluator = SetEvaluator(problem, candidates)
    if start is not None:
        place = {rule: k for k, rule in enumerate(candidates.rules)}
        evaluator.offer(place[rule] for rule in start if rule in place)

    def take() -> None:
        if evaluator.best is not None:
            on_set(tuple(candidates.rules[k] for k in sorted(evaluator.best[1])))

    def weigh(members: NDArray[np.int64]) -> None:
        evaluator.offer(members.tolist())
        take()

    def polish(fractions: NDArray[np.float64]) -> None:
        evaluator.polish(fractions, budget)
        take()

    evaluator.begin(budget)
    take()
    if int(candidates.covers.sum()) > MAX_ENTRIES:
        polish(evaluator.promise())
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
            # Only a set that attains the optimum of all earlier levels counts at this one.
            if evaluator.best is None or list(evaluator.best[0][:at]) > reached:
                return None
            return evaluator.best[0][at]

        outcome = search(master, level, best, weigh, polish, budget, raised, most_nodes)
        counts["nodes"] += outcome.nodes
        counts["relaxations"] += outcome.solves
        if outcome.bound is None:
            return None if evaluator.best is None else counts
        raised(outcome.bound)
        if best() != outcome.bound:
            return counts
        reached.append(outcome.bound)
        master.keep_level(level, outcome.bound)
    return counts
