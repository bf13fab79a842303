"""A SAT solver that stops on time.

CaDiCaL does not implement `interrupt()`, and a solver in a thread cannot be stopped from outside. All
accepted solvers support conflict budgets, so each call is split into slices of conflicts that last a fraction
of a second. Between slices the clock is checked, and Python handles Ctrl-C. The length of a slice depends on
the formula alone, not on the clock: a solver restarts at each slice, so its answer must not depend on where
slices end.
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
"""Product of conflicts and clauses in a slice: about a tenth of a second."""
_SHORTEST_SLICE, _LONGEST_SLICE = 20, 2000
"""Bounds on the number of conflicts in a slice."""
_GRACE = 0.3
"""Seconds by which a slice may exceed the budget."""
_SIMPLIFICATION_START = 2000
"""Conflicts before CaDiCaL first eliminates variables, a step that no conflict budget limits."""
_SIMPLIFICATION_SECONDS = 3.5e-6
"""Seconds of that step per clause, measured on formulas of 400,000 clauses."""


class SatTimeoutError(Exception):
    """The budget has expired; the exception never leaves the engines of this room."""


def until_expired(batches: Iterable[Clauses], budget: Budget) -> Iterator[Clauses]:
    """Yield the batches; raise `SatTimeoutError` if the budget expires first.

    The clock is checked before a batch is taken, so an iterator that is resumed later has lost no batch.
    """
    iterator = iter(batches)
    while True:
        if budget.expired():
            raise SatTimeoutError
        batch = next(iterator, None)
        if batch is None:
            return
        yield batch


def solve_limited(solver: Solver, assumptions: list[int]) -> bool | None:
    """Call the solver within its conflict budget; return ``None`` if the budget was too small.

    PySAT handles SIGINT itself while it solves in the main thread. On Ctrl-C it jumps out of the solver's C++
    frames, which leaves the solver unusable (CaDiCaL's bindings do so even with ``expect_interrupt``). So
    during the call PySAT is made to believe that this is not the main thread; Python then handles Ctrl-C when
    the slice ends.
    """
    with _without_pysat_signals():
        answer: bool | None = solver.solve_limited(assumptions=assumptions, expect_interrupt=True)
    return answer


_callers = 0
_original_check = MainThread.check
_lock = threading.Lock()


@contextmanager
def _without_pysat_signals() -> Iterator[None]:
    """Keep PySAT from handling SIGINT while any thread solves; the last thread restores its check."""
    global _callers, _original_check
    with _lock:
        if _callers == 0:
            _original_check = MainThread.check
            MainThread.check = staticmethod(lambda: False)
        _callers += 1
    try:
        yield
    finally:
        with _lock:
            _callers -= 1
            if _callers == 0:
                MainThread.check = staticmethod(_original_check)


class Slices:
    """Solver calls that are split into slices of conflicts."""

    def __init__(self) -> None:
        self._longest = 0.0
        self.conflicts = 0

    def solve(self, solver: Solver, assumptions: list[int], budget: Budget) -> bool:
        """Solve in slices; raise `SatTimeoutError` if the budget expires first."""
        wanted = _SLICE_WORK // max(1, int(solver.nof_clauses()))
        wanted = min(max(wanted, _SHORTEST_SLICE), _LONGEST_SLICE)
        while budget.remaining() > max(0.0, self._next_slice_seconds(solver, wanted) - _GRACE):
            solver.conf_budget(wanted)
            before = solver.accum_stats()["conflicts"]
            started = time.perf_counter()
            answer = solve_limited(solver, assumptions)
            self._longest = max(self._longest, time.perf_counter() - started)
            self.conflicts += solver.accum_stats()["conflicts"] - before
            if answer is not None:
                return bool(answer)
        raise SatTimeoutError

    def _next_slice_seconds(self, solver: Solver, conflicts: int) -> float:
        """Return the longest possible time of the next slice, including any simplification."""
        if self.conflicts + conflicts < _SIMPLIFICATION_START:
            return self._longest
        return max(self._longest, _SIMPLIFICATION_SECONDS * int(solver.nof_clauses()))


class Oracle:
    """An incremental SAT solver whose every step respects a budget.

    Parameters
    ----------
    solver : str
        Name of the solver in PySAT.
    """

    def __init__(self, solver: str) -> None:
        self._solver = Solver(name=solver)
        self._slices = Slices()
        self.n_clauses = 0

    def add(self, batches: Iterable[Clauses], budget: Budget) -> None:
        """Add clauses batch by batch, and check the clock between batches."""
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
        """Number of conflicts so far."""
        return self._slices.conflicts

    def delete(self) -> None:
        """Free the solver's memory."""
        self._solver.delete()
