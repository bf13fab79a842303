"""A SAT solver that stops on time.

`interrupt()` is not implemented by CaDiCaL, and a solver that runs on in a thread is not stopped. Conflict
budgets work in every solver we accept, so each call is cut into slices of conflicts that last a fraction of
a second, and the clock is read between them. Between slices Python also sees Ctrl-C. How long a slice is
depends on the formula alone: a solver restarts at each, so that its answer must not depend on the clock.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from pysat.solvers import MainThread, Solver

from laconic.engines.paper.satkit.clauses import Clauses
from laconic.runtime.budget import Budget

_SLICE_WORK = 100_000_000
"""Conflicts times clauses of a slice: about a tenth of a second."""
_SHORTEST_SLICE, _LONGEST_SLICE = 20, 2000
"""Conflicts."""
_GRACE = 0.3
"""Seconds by which a slice may outlast the budget."""
_SIMPLIFIED_AFTER = 2000
"""Conflicts after which CaDiCaL first eliminates variables, which no budget of conflicts cuts short."""
_SIMPLIFYING = 3.5e-6
"""Seconds that it takes for each clause, measured on formulas of 400,000 clauses."""


class OutOfTimeError(Exception):
    """The budget ran out; never leaves the engines of this package."""


def until_expired(batches: Iterable[Clauses], budget: Budget) -> Iterator[Clauses]:
    """Yield the batches; raise `OutOfTimeError` when the budget ends before they do.

    The clock is read before a batch is taken, so an iterator that is resumed later has lost none.
    """
    iterator = iter(batches)
    while True:
        if budget.expired():
            raise OutOfTimeError
        batch = next(iterator, None)
        if batch is None:
            return
        yield batch


def solve_limited(solver: Solver, assumptions: list[int]) -> bool | None:
    """Call the solver within the conflict budget that has been set; ``None`` if it did not suffice.

    PySAT takes over SIGINT while it solves in the main thread, and on Ctrl-C jumps out of the solver's C++
    frames, which leaves the solver unusable (CaDiCaL's bindings do so even with ``expect_interrupt``). It is
    told for the length of the call that this is not the main thread: Python then sees Ctrl-C when the slice
    ends.
    """
    with _signals_left_alone():
        answer: bool | None = solver.solve_limited(assumptions=assumptions, expect_interrupt=True)
    return answer


_callers = 0
_asked = MainThread.check
_lock = threading.Lock()


@contextmanager
def _signals_left_alone() -> Iterator[None]:
    """Keep PySAT from SIGINT while any thread solves: the first in says so, the last out takes it back."""
    global _callers, _asked
    with _lock:
        if _callers == 0:
            _asked = MainThread.check
            MainThread.check = staticmethod(lambda: False)
        _callers += 1
    try:
        yield
    finally:
        with _lock:
            _callers -= 1
            if _callers == 0:
                MainThread.check = staticmethod(_asked)


class Slices:
    """Solver calls in slices of conflicts."""

    def __init__(self) -> None:
        self._longest = 0.0
        self.conflicts = 0

    def solve(self, solver: Solver, assumptions: list[int], budget: Budget) -> bool:
        """Solve in slices; raise `OutOfTimeError` when the budget ends first."""
        wanted = _SLICE_WORK // max(1, int(solver.nof_clauses()))
        wanted = min(max(wanted, _SHORTEST_SLICE), _LONGEST_SLICE)
        while budget.remaining() > max(0.0, self._may_last(solver, wanted) - _GRACE):
            solver.conf_budget(wanted)
            before = solver.accum_stats()["conflicts"]
            started = time.perf_counter()
            answer = solve_limited(solver, assumptions)
            self._longest = max(self._longest, time.perf_counter() - started)
            self.conflicts += solver.accum_stats()["conflicts"] - before
            if answer is not None:
                return bool(answer)
        raise OutOfTimeError

    def _may_last(self, solver: Solver, conflicts: int) -> float:
        """Return how long the next slice may take: what the solver simplifies is not counted in conflicts."""
        if self.conflicts + conflicts < _SIMPLIFIED_AFTER:
            return self._longest
        return max(self._longest, _SIMPLIFYING * int(solver.nof_clauses()))


class Oracle:
    """An incremental SAT solver with a budget on every step.

    Parameters
    ----------
    solver : str
        PySAT's name.
    """

    def __init__(self, solver: str) -> None:
        self._solver = Solver(name=solver)
        self._slices = Slices()
        self.n_clauses = 0

    def add(self, batches: Iterable[Clauses], budget: Budget) -> None:
        """Add clauses batch by batch, reading the clock between batches."""
        for batch in until_expired(batches, budget):
            self._solver.append_formula(batch)
            self.n_clauses += len(batch)

    def solve(self, assumptions: list[int], budget: Budget) -> bool:
        """Return whether the clauses are satisfiable under the assumptions."""
        return self._slices.solve(self._solver, assumptions, budget)

    def model(self) -> list[int]:
        """Return the last model, one signed variable per position."""
        model: list[int] = self._solver.get_model()
        return model

    @property
    def conflicts(self) -> int:
        """Conflicts so far."""
        return self._slices.conflicts

    def delete(self) -> None:
        """Free the solver's memory."""
        self._solver.delete()
