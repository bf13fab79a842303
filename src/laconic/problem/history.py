"""The history of a search: the improvements of incumbent and bound.

Times differ from run to run, so a model file contains a history only on request: without it, the same data
and settings always give the same bytes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from laconic.data.documents import damaged


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of a search at one moment: cost of the incumbent, and bound."""

    seconds: float
    cost: int | None
    lower_bound: int
    note: str = ""

    @property
    def gap(self) -> float:
        """Relative gap, infinite without an incumbent."""
        return relative_gap(self.cost, self.lower_bound)


def relative_gap(cost: int | None, lower_bound: int) -> float:
    """Return (cost - bound) / cost; 0 when both are 0, infinity without a cost."""
    if cost is None:
        return float("inf")
    return (cost - lower_bound) / cost if cost else 0.0


def history_to_document(history: Sequence[Progress]) -> list[list[Any]]:
    """Return a history as plain data: seconds to the millisecond, cost, bound and note of each state."""
    return [[round(one.seconds, 3), one.cost, one.lower_bound, one.note] for one in history]


def history_from_document(data: Any) -> tuple[Progress, ...]:
    """Check plain data and build the history it describes."""
    if not isinstance(data, list):
        raise damaged("the history is not a list")
    history = tuple(_state(one) for one in data)
    for before, after in pairwise(history):
        costs_rise = before.cost is not None and (after.cost is None or after.cost > before.cost)
        if costs_rise or after.lower_bound < before.lower_bound or after.seconds < before.seconds:
            raise damaged("the history goes back")
    return history


def _state(data: Any) -> Progress:
    match data:
        case [int() | float() as seconds, int() | None as cost, int() as bound, str() as note] if (
            not any(isinstance(one, bool) for one in data)
            and math.isfinite(seconds)
            and seconds >= 0
            and (cost is None or cost >= bound)
        ):
            return Progress(float(seconds), cost, bound, note)
    raise damaged("a state of the history is not a time, a cost and a bound")
