"""The start of a front: searched here, or by the workers of a cluster."""

from __future__ import annotations

from laconic.budget import Budget
from laconic.engines.exact.front.whole import WholeFront
from laconic.objective import Problem
from laconic.spread import is_elsewhere


def start_front(problem: Problem, max_size: int | None, seed: int, n_jobs: int, budget: Budget) -> WholeFront:
    """Return a front to search; arguments as `WholeFront` takes them."""
    if n_jobs > 1 and is_elsewhere():
        from laconic.engines.exact.front.elsewhere import AwayFront

        return AwayFront(problem, max_size, seed, n_jobs, budget)
    return WholeFront(problem, max_size, seed, n_jobs, budget)
