"""Branch and bound over the candidates; every bound is a proved integer.

A node fixes some rules in or out. Its bound is that of `laconic.engines.selection.program`, so a node is
dropped only if, in exact arithmetic, it contains nothing better than the incumbent. A node whose rules are
all fixed is evaluated directly. HiGHS guides the search; rounding errors in it cannot affect a bound.

The search for one best set opens the node with the lowest bound first. The search for all sets below a
constant must open every node anyway, so it goes depth first, which keeps few nodes in memory.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from laconic.engines.selection.master import Master
from laconic.engines.selection.program import Relaxation
from laconic.runtime.budget import Budget

CUT_ROUNDS = 12
"""Maximum number of rounds of blame rows at the root; other nodes get two."""

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Outcome:
    """The result of the search of one level.

    Attributes
    ----------
    bound : int or None
        Lower bound on all sets at this level that were not visited; None if no set meets the constraints.
    nodes, solves : int
    """

    bound: int | None
    nodes: int
    solves: int


def search(
    master: Master,
    level: int,
    best: Callable[[], int | None],
    weigh: Callable[[Ints], None],
    polish: Callable[[NDArray[np.float64]], None],
    budget: Budget,
    on_bound: Callable[[int], None],
    most_nodes: int | None = None,
    *,
    visit_all: bool = False,
) -> Outcome:
    """Search for the best set at one level, or visit all sets below a constant.

    Parameters
    ----------
    master : Master
    level : int
    best : callable
        Returns the value of the incumbent at this level, or None. With ``visit_all`` it returns the constant.
    weigh : callable
        Evaluates the rules at the given indices, and keeps them if they improve the incumbent.
    polish : callable
        Looks for a good set near the given fractions of the rules.
    budget : Budget
    on_bound : callable
        Called with every better bound.
    most_nodes : int, optional
        Maximum number of nodes.
    visit_all : bool
        Whether to evaluate all sets below the constant that ``best`` returns.
    """
    program = master.program
    n = len(master.fixed)
    if _is_infeasible(master):
        return Outcome(None, 0, 0)
    relaxation = Relaxation(program, level)
    low = np.zeros(program.n_vars, np.int64)
    low[:n][master.fixed] = 1
    high = np.ones(program.n_vars, np.int64)
    # Entries are (key, number, bound, low, high), and the lowest key is opened first.
    heap: list[tuple[int, int, int, Ints, Ints]] = [(-(2**62), 0, -(2**62), low, high)]
    counter = nodes = 0
    excluded = np.zeros(n, bool)  # rules that are in no better set

    def worse(bound: int) -> bool:
        known = best()
        return known is not None and bound >= known

    while heap and not budget.expired():
        if nodes == most_nodes or (worse(heap[0][2]) and not visit_all):
            break
        _, _, bound, low, high = heapq.heappop(heap)
        if visit_all and worse(bound):
            continue
        nodes += 1
        high = high.copy()
        high[:n][excluded & (low[:n] == 0)] = 0
        relaxation.fix(low, high)
        found = relaxation.solve(budget)
        rounds = CUT_ROUNDS if nodes == 1 else 2
        while found is not None and rounds and not worse(found) and not budget.expired():
            if not master.cuts(relaxation.values):
                break
            rounds -= 1
            # Additional rows only raise the bound, but a solve that runs out of time may return a lower one.
            again = relaxation.solve(budget)
            found = None if again is None else max(found, again)
        if found is None:
            continue
        bound = max(bound, found)
        fractions = relaxation.values[:n]
        chosen = np.flatnonzero(fractions > 0.5)
        weigh(chosen)
        if nodes == 1 or nodes % 10 == 0:
            polish(fractions)
        if nodes == 1:
            on_bound(bound)
            if (known := best()) is not None:
                excluded |= relaxation.bounds_with(n) >= known
        if worse(bound):
            continue
        if visit_all and (known := best()) is not None:
            high[:n][(relaxation.bounds_with(n) >= known) & (low[:n] == 0)] = 0
        free = np.flatnonzero(low[:n] < high[:n])
        if not free.size:
            weigh(np.flatnonzero(low[:n]))
            continue
        distance = np.abs(fractions[free] - 0.5)
        branch = int(free[distance.argmin()])
        for value in (1, 0):
            child_low, child_high = low.copy(), high.copy()
            child_low[branch] = child_high[branch] = value
            counter += 1
            key = -counter if visit_all else bound
            heapq.heappush(heap, (key, counter, bound, child_low, child_high))
        on_bound(min(heap[0][2], best() or heap[0][2]))
    known = best()
    open_bound = min((node[2] for node in heap), default=None)
    if open_bound is None or (known is not None and open_bound >= known):
        return Outcome(known, nodes, relaxation.solves)
    return Outcome(open_bound, nodes, relaxation.solves)


def _is_infeasible(master: Master) -> bool:
    """Return whether a row requires at least one rule and no candidate can satisfy it."""
    rows, _, _ = master.program.entries()
    least = np.array(master.program.least, dtype=np.int64)
    return bool((np.bincount(rows, minlength=least.size)[least > 0] == 0).any())
