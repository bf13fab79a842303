"""Raising the prices of a class before its rules are listed by reduced cost.

The higher the prices, the fewer rules have a reduced cost within the gap. Every listing (near-optimal sets,
one point of a front, better sets with errors per row) begins here.
"""

from __future__ import annotations

from collections.abc import Sequence

from laconic.runtime.budget import Budget
from laconic.runtime.native import kernels

ROUNDS = 8
"""Number of rounds between two checks of the clock."""


def raise_prices(
    near: kernels.NearOptimal,
    target: int,
    start: Sequence[Sequence[int]],
    budget: Budget,
    stop: kernels.StopFlag,
) -> None:
    """Raise the prices towards a target until it is reached, no round makes progress, or the time is over.

    Parameters
    ----------
    near : NearOptimal
    target : int
        The cost of the best known set.
    start : sequence of sequence of int
        The literals of each rule of that set.
    budget : Budget
    stop : StopFlag
    """
    bodies = [list(body) for body in start]
    while near.raise_prices(target, bodies, ROUNDS, budget.native_seconds(), stop) and not budget.expired():
        pass
