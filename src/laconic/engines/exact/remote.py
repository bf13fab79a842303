"""Class searches on remote workers: one task per class, whose result holds its incumbent, bounds and counts.

A native search cannot be sent to a worker, so a task starts its search from scratch. If every class has a
worker, its task gets all the time that is left. Otherwise every class first gets a small share of the time,
and unfinished classes are searched again for longer.
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
"""Maximum number of seconds reserved for sending tasks to the workers and results back."""

FIRST_TURN = 0.2
"""Share of the time for the first round of tasks, if there are more classes than workers."""

State = tuple[float, int | None, int]
"""Seconds, cost of the incumbent if there is one, and lower bound."""


@dataclass(frozen=True)
class WorkerTask:
    """A class search with its limits, to be run by a worker; the class is number 0, all others are merged."""

    class_task: ClassTask
    seconds: float
    memory: int | None


@dataclass(frozen=True)
class WorkerResult:
    """The incumbent, the history and the counts of a class search that a worker has run."""

    rules: list[list[int]]
    states: list[State]
    counts: dict[str, int]
    seconds: float
    finished: bool
    out_of_memory: bool


class RemoteSearch:
    """The search of one class, as far as workers have returned results for it."""

    def __init__(self, task: ClassTask) -> None:
        self._task = task
        self.lower_bound, self.upper_bound = 0, -1
        self.finished = self.out_of_memory = False
        self.states: list[State] = []
        self._rules: list[list[int]] = []
        self._counts: dict[str, int] = {}

    @property
    def proved(self) -> bool:
        """Whether the incumbent is proved optimal."""
        return self.lower_bound == self.upper_bound

    def take_turn(self, seconds: float, stop: kernels.StopFlag) -> bool:
        """Search in this process; return ``proved``."""
        search = search_for(self._task)
        search.take_turn(seconds, stop)
        search.settle()
        self.update(_result(search, [_state(search, 0.0)], Budget()))
        return self.proved

    def settle(self) -> None:
        """Do nothing: no search is paused in this process."""

    def best(self) -> list[list[int]]:
        """Return the literals of each rule of the incumbent."""
        return self._rules

    def counts(self) -> dict[str, int]:
        """Return the work done, by name."""
        return self._counts

    def worker_task(self, seconds: float, memory: int | None) -> WorkerTask:
        """Return the task to send to a worker."""
        return WorkerTask(self._task.against_rest(), seconds, memory)

    def update(self, result: WorkerResult, now: float = 0.0) -> None:
        """Update the state with a result that arrived at ``now``."""
        began = max(0.0, now - result.seconds)
        self.states += [(began + seconds, cost, bound) for seconds, cost, bound in result.states]
        _, cost, bound = result.states[-1]
        self.lower_bound = max(self.lower_bound, bound)
        if cost is not None and (self.upper_bound < 0 or cost < self.upper_bound):
            self.upper_bound, self._rules = cost, result.rules
        self.finished, self.out_of_memory = result.finished, result.out_of_memory
        self._counts = result.counts


def searches_of(tasks: Mapping[int, ClassTask]) -> dict[int, RemoteSearch]:
    """Return the search of each class."""
    return {target: RemoteSearch(task) for target, task in tasks.items()}


def run(
    searches: Sequence[RemoteSearch],
    budget: Budget,
    report: Callable[[schedule.Search], None],
    n_jobs: int,
    is_needed: Callable[[schedule.Search], bool] = lambda _: True,
) -> None:
    """Let workers search until all classes are finished or the budget expires, as `schedule.run` does.

    Raises ``MemoryError`` if a worker has exceeded the memory limit of a process.
    """
    pending, before = list(searches), 0.0
    while pending:
        left = budget.remaining()
        is_first = not before and len(searches) > n_jobs
        seconds = share_of(left, len(pending), n_jobs) * (FIRST_TURN if is_first else 1)
        if seconds <= before:
            return
        before = seconds
        tasks = [search.worker_task(seconds, budget.memory_limit) for search in pending]
        with closing(spread(search_class, tasks, n_jobs, left)) as results:
            for k, result in results:
                if result is not None:
                    pending[k].update(result, budget.elapsed())
                    report(pending[k])
        if any(search.out_of_memory for search in pending):
            raise MemoryError
        pending = [search for search in pending if not search.finished and is_needed(search)]


def share_of(left: float, n_tasks: int, n_jobs: int) -> float:
    """Return the number of seconds for each task such that all results arrive in time."""
    working = left if math.isinf(left) else left - min(TRAVEL, 0.1 * left)
    return working / math.ceil(n_tasks / n_jobs)


def search_class(task: WorkerTask) -> WorkerResult | None:
    """Search a class on a worker; return None if the task was cancelled."""
    budget = Budget(None if math.isinf(task.seconds) else task.seconds, memory=task.memory)
    search = search_for(task.class_task)
    states: list[State] = []
    memory_full = False

    def note(search: schedule.Search) -> None:
        states.append(_state(search, budget.elapsed()))
        if not is_wanted():
            raise _CancelledError

    try:
        local.run([search], budget, note, 1)
    except _CancelledError:
        return None
    except MemoryError:
        memory_full = True
    states.append(_state(search, budget.elapsed()))
    return _result(search, states, budget, memory_full)


class _CancelledError(Exception):
    """The task was cancelled."""


def _state(search: schedule.Search, seconds: float) -> State:
    lower, upper = search.lower_bound, search.upper_bound
    return seconds, None if upper < lower else upper, lower


def _result(
    search: schedule.Search, states: list[State], budget: Budget, memory_full: bool = False
) -> WorkerResult:
    return WorkerResult(
        search.best(),
        states,
        search.counts(),
        budget.elapsed(),
        search.finished,
        memory_full or budget.out_of_memory(),
    )


def history(
    searches: Sequence[RemoteSearch],
    reported: Sequence[Progress] = (),
    total: Callable[[Collection[int]], int] = sum,
) -> list[Progress]:
    """Return the improvements of cost and bound, timed by the workers; ``reported`` is not used.

    ``total`` computes the cost or the bound of all classes together.
    """
    events = [(state, k) for k, search in enumerate(searches) for state in search.states]
    costs: dict[int, int] = {}
    bounds = dict.fromkeys(range(len(searches)), 0)
    improvements: list[Progress] = []
    for (seconds, cost, bound), k in sorted(events, key=lambda event: event[0][0]):
        bounds[k] = max(bounds[k], bound)
        if cost is not None:
            costs[k] = min(cost, costs.get(k, cost))
        known = total(costs.values()) if len(costs) == len(searches) else None
        state = Progress(seconds, known, total(bounds.values()))
        if not improvements or (improvements[-1].cost, improvements[-1].lower_bound) != (
            state.cost,
            state.lower_bound,
        ):
            improvements.append(state)
    return improvements
