"""The interface of an engine: a function from a problem to a solution.

An engine takes a `Problem`, a `Budget`, a seed and its options, and returns a `Solution`. It has no global
state and prints nothing; progress goes to a callback. No engine checks itself: `conclude` recomputes the
cost from the rules and runs the independent checker on every answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from operator import attrgetter
from typing import Any, Protocol

from laconic.checking.verify import violations
from laconic.engines.separable import inseparable_row
from laconic.problem.coded import CodedRule
from laconic.problem.history import Progress as Progress
from laconic.problem.history import relative_gap
from laconic.problem.objective import Problem, cost
from laconic.runtime.budget import Budget
from laconic.runtime.errors import UnsoundSolutionError


class Status(Enum):
    """Whether a solution is proved optimal."""

    OPTIMAL = "optimal"  # the lower bound equals the cost, in integers: no cheaper decision set exists
    FEASIBLE = "feasible"  # the rules are valid; a cheaper set may exist


class StopReason(Enum):
    """Why an engine stopped."""

    PROVED = "proved"
    TIME = "time"
    MEMORY = "memory"
    WORK = "work"
    INTERRUPT = "interrupt"


@dataclass(frozen=True, slots=True)
class Solution:
    """An answer that the checker has accepted.

    Attributes
    ----------
    rules : tuple of CodedRule
        The rules, sorted by class, then by literals.
    cost, lower_bound : int
        Cost and bound in the problem's integer units; they are equal if and only if ``status`` is OPTIMAL.
    stop_reason : StopReason
    history : tuple of Progress
        The improvements of incumbent and bound, in order.
    counts : mapping
        Work done, by name: conflicts, clauses, nodes, columns, iterations.
    """

    rules: tuple[CodedRule, ...]
    cost: int
    lower_bound: int
    stop_reason: StopReason
    history: tuple[Progress, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def status(self) -> Status:
        """OPTIMAL if the integer bound equals the cost."""
        return Status.OPTIMAL if self.lower_bound == self.cost else Status.FEASIBLE

    @property
    def gap(self) -> float:
        """Relative gap between cost and bound; 0.0 means proved."""
        return relative_gap(self.cost, self.lower_bound)


OnProgress = Callable[[Progress], None]


class Engine(Protocol):
    """The signature of an engine's ``solve`` function."""

    def __call__(
        self,
        problem: Problem,
        *,
        budget: Budget,
        seed: int = 0,
        n_jobs: int = 1,
        on_progress: OnProgress | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> Solution:
        """Solve the problem within the budget."""
        ...


class Recorder:
    """Keeps the history of a search and passes each improvement to a callback.

    Parameters
    ----------
    budget : Budget
        Supplies the time stamps.
    on_progress : callable, optional
        Called with every improvement.
    """

    def __init__(self, budget: Budget, on_progress: OnProgress | None = None) -> None:
        self.budget = budget
        self._on_progress = on_progress
        self.history: list[Progress] = []

    def report(self, cost: int | None, lower_bound: int, note: str = "", *, quiet: bool = False) -> None:
        """Record a state if it improves on the last one; skip the callback if ``quiet``."""
        last = self.history[-1] if self.history else None
        if last and last.cost is not None and (cost is None or cost > last.cost):
            cost = last.cost
        if last:
            lower_bound = max(lower_bound, last.lower_bound)
        if last and (last.cost, last.lower_bound) == (cost, lower_bound):
            return
        state = Progress(self.budget.elapsed(), cost, lower_bound, note)
        self.history.append(state)
        if self._on_progress is not None and not quiet:
            self._on_progress(state)


def conclude(
    problem: Problem,
    rules: Sequence[CodedRule],
    lower_bound: int,
    stop_reason: StopReason,
    *,
    recorder: Recorder,
    counts: Mapping[str, int] | None = None,
) -> Solution:
    """Turn an engine's rules and bound into a checked solution.

    The cost is recomputed from the rules. If the checker rejects the answer, `UnsoundSolutionError` says
    why; if no perfect set exists, `InputError` is raised instead.
    """
    ordered = tuple(sorted(set(rules), key=attrgetter("target", "literals")))
    actual = cost(problem, ordered)
    found = violations(problem, ordered, actual, lower_bound)
    if actual is None or found:
        if problem.hard and (error := inseparable_row(problem, ordered)):
            raise error
        raise UnsoundSolutionError(
            "the engine returned an unsound answer: " + "; ".join(found) + " (please report this table)"
        )
    # A callback that has just interrupted the search is not called again.
    recorder.report(actual, lower_bound, quiet=stop_reason is StopReason.INTERRUPT)
    if actual == lower_bound:
        stop_reason = StopReason.PROVED
    elif stop_reason is StopReason.TIME and recorder.budget.out_of_memory():
        stop_reason = StopReason.MEMORY
    return Solution(ordered, actual, lower_bound, stop_reason, tuple(recorder.history), dict(counts or {}))
