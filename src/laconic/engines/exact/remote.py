"""Classes searched by the workers of a cluster: one task per class, which brings back all that it found out.

A native search cannot travel, so a task searches its class to the end, or for its share of the time: all of
it if every class has a worker. Else every class gets a first look, and those that are still open are
searched anew for longer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass

from laconic.engines import schedule
from laconic.engines.class_search import ClassTask
from laconic.engines.exact import local
from laconic.engines.exact.local import search_for
from laconic.problem.history import Progress
from laconic.runtime.budget import Budget
from laconic.runtime.native import kernels
from laconic.runtime.remote import is_wanted, spread

TRAVEL = 0.5
"""Seconds, at most, of a time limit that are left for the way to the workers and back."""

FIRST_LOOK = 0.2
"""Of a time limit, what all classes get before any gets more, if they are more than the workers."""

State = tuple[float, int | None, int]
"""Seconds, cost of the best set if there is one, and bound."""


@dataclass(frozen=True)
class Errand:
    """What a worker is told: a class, numbered 0, against all others, and how long it may search."""

    task: ClassTask
    seconds: float
    memory: int | None


@dataclass(frozen=True)
class Answer:
    """What a worker has found out about a class, and when."""

    rules: list[list[int]]
    states: list[State]
    counts: dict[str, int]
    seconds: float
    finished: bool
    out_of_memory: bool


class RemoteSearch:
    """One class's search, as far as answers about it have come."""

    def __init__(self, task: ClassTask) -> None:
        self._task = task
        self.lower_bound, self.upper_bound = 0, -1
        self.finished = self.out_of_memory = False
        self.states: list[State] = []
        self._rules: list[list[int]] = []
        self._counts: dict[str, int] = {}

    @property
    def proved(self) -> bool:
        """Whether the best set is proved best."""
        return self.lower_bound == self.upper_bound

    def take_turn(self, seconds: float, stop: kernels.StopFlag) -> bool:
        """Search in this process; return ``proved``."""
        search = search_for(self._task)
        search.take_turn(seconds, stop)
        search.settle()
        self.take_in(_answer(search, [_state(search, 0.0)], Budget()))
        return self.proved

    def settle(self) -> None:
        """Nothing stands still here."""

    def best(self) -> list[list[int]]:
        """Return the best rules' literals."""
        return self._rules

    def counts(self) -> dict[str, int]:
        """Return the work done, by name."""
        return self._counts

    def errand(self, seconds: float, memory: int | None) -> Errand:
        """Return what to tell a worker."""
        return Errand(self._task.against_rest(), seconds, memory)

    def take_in(self, answer: Answer, now: float = 0.0) -> None:
        """Learn from an answer that came ``now``."""
        began = max(0.0, now - answer.seconds)
        self.states += [(began + seconds, cost, bound) for seconds, cost, bound in answer.states]
        _, cost, bound = answer.states[-1]
        self.lower_bound = max(self.lower_bound, bound)
        if cost is not None and (self.upper_bound < 0 or cost < self.upper_bound):
            self.upper_bound, self._rules = cost, answer.rules
        self.finished, self.out_of_memory = answer.finished, answer.out_of_memory
        self._counts = answer.counts


def searches_of(tasks: Mapping[int, ClassTask]) -> dict[int, RemoteSearch]:
    """Return the search for each class."""
    return {target: RemoteSearch(task) for target, task in tasks.items()}


def run(
    searches: Sequence[RemoteSearch],
    budget: Budget,
    report: Callable[[schedule.Search], None],
    n_jobs: int,
    is_needed: Callable[[schedule.Search], bool] = lambda _: True,
) -> None:
    """Have workers search until all classes are finished or the budget ends; as `schedule.run`.

    ``MemoryError`` says that a worker has held more memory than a process may.
    """
    pending, before = list(searches), 0.0
    while pending:
        left = budget.remaining()
        is_first = not before and len(searches) > n_jobs
        seconds = share_of(left, len(pending), n_jobs) * (FIRST_LOOK if is_first else 1)
        if seconds <= before:
            return
        before = seconds
        errands = [search.errand(seconds, budget.memory_limit) for search in pending]
        with closing(spread(search_class, errands, n_jobs, left)) as answers:
            for k, answer in answers:
                if answer is not None:
                    pending[k].take_in(answer, budget.elapsed())
                    report(pending[k])
        if any(search.out_of_memory for search in pending):
            raise MemoryError
        pending = [search for search in pending if not search.finished and is_needed(search)]


def share_of(left: float, n_tasks: int, n_jobs: int) -> float:
    """Return how many seconds each of some tasks may take, so that all are back in time."""
    on_the_spot = left if math.isinf(left) else left - min(TRAVEL, 0.1 * left)
    return on_the_spot / math.ceil(n_tasks / n_jobs)


def search_class(errand: Errand) -> Answer | None:
    """Search a class; this runs on a worker. Nothing comes back if nobody waits for it any more."""
    budget = Budget(None if math.isinf(errand.seconds) else errand.seconds, memory=errand.memory)
    search = search_for(errand.task)
    states: list[State] = []
    full = False

    def note(search: schedule.Search) -> None:
        states.append(_state(search, budget.elapsed()))
        if not is_wanted():
            raise _UnwantedError

    try:
        local.run([search], budget, note, 1)
    except _UnwantedError:
        return None
    except MemoryError:
        full = True
    states.append(_state(search, budget.elapsed()))
    return _answer(search, states, budget, full)


class _UnwantedError(Exception):
    """Nobody waits for the answer."""


def _state(search: schedule.Search, seconds: float) -> State:
    lower, upper = search.lower_bound, search.upper_bound
    return seconds, None if upper < lower else upper, lower


def _answer(search: schedule.Search, states: list[State], budget: Budget, full: bool = False) -> Answer:
    return Answer(
        search.best(),
        states,
        search.counts(),
        budget.elapsed(),
        search.finished,
        full or budget.out_of_memory(),
    )


def history(
    searches: Sequence[RemoteSearch],
    reported: Sequence[Progress] = (),
    total: Callable[[Collection[int]], int] = sum,
) -> list[Progress]:
    """Return how cost and bound improved by the clocks of the workers; ``reported`` has other times.

    ``total`` says what costs or bounds of all classes make together.
    """
    events = [(state, k) for k, search in enumerate(searches) for state in search.states]
    costs: dict[int, int] = {}
    bounds = dict.fromkeys(range(len(searches)), 0)
    told: list[Progress] = []
    for (seconds, cost, bound), k in sorted(events, key=lambda event: event[0][0]):
        bounds[k] = max(bounds[k], bound)
        if cost is not None:
            costs[k] = min(cost, costs.get(k, cost))
        known = total(costs.values()) if len(costs) == len(searches) else None
        state = Progress(seconds, known, total(bounds.values()))
        if not told or (told[-1].cost, told[-1].lower_bound) != (state.cost, state.lower_bound):
            told.append(state)
    return told
