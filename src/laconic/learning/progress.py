"""One state of a running search as a line of text."""

from __future__ import annotations

from fractions import Fraction

from laconic.data.words import number_text
from laconic.engines.api import Progress
from laconic.model.render import gap_text, parts_text
from laconic.problem.objective import Problem
from laconic.runtime.texts import visible


def progress_text(state: Progress, problem: Problem) -> str:
    """Write one state of a search in the user's units: time, cost, bound and gap."""
    start = f"{state.seconds:7.1f} s   "
    if state.cost is not None and len(problem.pricing.parts) > 1:
        known = parts_text(problem.pricing.parts, state.cost, state.lower_bound)
        return visible(f"{start}{known}   {state.note}".rstrip())
    bound, cost = (
        "-" if value is None else number_text(Fraction(problem.in_user_units(value)))
        for value in (state.lower_bound, state.cost)
    )
    gap = "-" if state.cost is None else gap_text(state.gap)
    return visible(f"{start}cost {cost}   bound {bound}   gap {gap}   {state.note}".rstrip())
