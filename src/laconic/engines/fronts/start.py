"""The start of a front: searched here, or by the workers of a cluster."""

from __future__ import annotations

from laconic.engines.fronts.all_classes import WholeFront
from laconic.engines.tuning import Tuning
from laconic.problem.objective import Problem
from laconic.runtime.budget import Budget
from laconic.runtime.remote import is_remote


def start_front(
    problem: Problem,
    max_size: int | None,
    seed: int,
    n_jobs: int,
    budget: Budget,
    tuning: Tuning | None = None,
) -> WholeFront:
    """Return a front to search; arguments as `WholeFront` takes them."""
    if n_jobs > 1 and is_remote():
        from laconic.engines.fronts.remote import RemoteFront

        return RemoteFront(problem, max_size, seed, n_jobs, budget, tuning)
    return WholeFront(problem, max_size, seed, n_jobs, budget, tuning)
