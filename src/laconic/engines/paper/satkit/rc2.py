"""PySAT's RC2, made to stop on time and to tell what it knows.

RC2 is core-guided: its ``cost`` is at every moment a proved lower bound on the weight of falsified soft
clauses, and every satisfiable call on the way yields a model. Both are passed on. All its SAT calls go
through one method, which here solves in slices of conflicts (see `laconic.engines.paper.satkit.oracle`); when
the budget ends, or when the bound reaches the incumbent, an exception leaves RC2's loop. The formula is fed
in batches, since loading a large one takes longer than a short time limit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pysat.examples.rc2 import RC2, RC2Stratified
from pysat.formula import WCNF

from laconic.engines.paper.satkit.clauses import Clauses
from laconic.engines.paper.satkit.options import Rc2Options
from laconic.engines.paper.satkit.oracle import OutOfTimeError, Slices, solve_limited, until_expired
from laconic.runtime.budget import Budget

Soft = tuple[list[int], int]

_REDUCTION_CONFLICTS = 1000


class BoundReachedError(Exception):
    """The lower bound has reached the cost in hand; never leaves the engines of this package."""


class _Stoppable:
    """Mixed into RC2 and RC2Stratified, whose attributes it uses."""

    oracle: Any
    core: list[int]
    cost: int
    wght: dict[int, int]
    minz: bool

    def watch(
        self,
        budget: Budget,
        on_model: Callable[[list[int]], None],
        on_bound: Callable[[int], None],
        slices: Slices,
    ) -> None:
        """Set the clock and the listeners before `compute`."""
        self._budget, self._on_model, self._on_bound = budget, on_model, on_bound
        self._slices = slices

    def _call_oracle(self, assumptions: Iterable[int] = (), expect_interrupt: bool = False) -> bool:
        self._on_bound(self.cost)
        answer = self._slices.solve(self.oracle, list(assumptions), self._budget)
        if answer:
            self._on_model(self.oracle.get_model())
        return answer

    def minimize_core(self) -> None:
        """Drop literals from a core while few conflicts show that the rest is still one."""
        if not self.minz or len(self.core) < 2:
            return
        core = sorted(self.core, key=lambda literal: self.wght[literal])
        k = 0
        while k < len(core):
            if self._budget.expired():
                raise OutOfTimeError
            shorter = core[:k] + core[k + 1 :]
            self.oracle.conf_budget(_REDUCTION_CONFLICTS)
            answer = solve_limited(self.oracle, shorter)
            if answer is None:
                break
            if answer:
                k += 1
            else:
                core = shorter
        self.core = core


class _Plain(_Stoppable, RC2):  # type: ignore[misc]
    pass


class _Stratified(_Stoppable, RC2Stratified):  # type: ignore[misc]
    pass


class MaxSat:
    """A weighted formula on its way to its optimum.

    Parameters
    ----------
    hard : iterable of batches of clauses
    soft : callable
        Returns (clause, weight) pairs with positive integer weights, once ``hard`` has been read to its end.
    top : callable
        Returns the highest variable, likewise.
    """

    def __init__(
        self,
        hard: Iterable[Clauses],
        soft: Callable[[], list[Soft]],
        top: Callable[[], int],
        options: Rc2Options,
        budget: Budget,
    ) -> None:
        batches = list(until_expired(hard, budget))
        # RC2 numbers its own variables from ``nv + 1`` and appends to the soft clauses it is given.
        formula = WCNF()
        formula.nv = top()
        formula.soft, formula.wght = [], []
        for clause, weight in soft():
            formula.soft.append(list(clause))
            formula.wght.append(weight)
        strata = options.stratification
        weighted = strata != "none" and len(set(formula.wght)) > 1
        self._rc2 = (_Stratified if weighted else _Plain)(
            formula,
            solver=options.solver,
            adapt=False,
            exhaust=options.exhaust,
            minz=options.minimize,
            trim=options.trim,
            **({"blo": strata} if weighted else {}),
        )
        # RC2 switches on PySAT's timer, whose clock can cost more than a call that it times.
        self._rc2.oracle.solver.use_timer = False
        self._slices = Slices()
        self.n_clauses = 0
        try:
            for batch in until_expired(batches, budget):
                self._rc2.oracle.append_formula(batch)
                self.n_clauses += len(batch)
        except BaseException:
            self.delete()
            raise
        # RC2 looks for at-most-one constraints at the start of `compute`, when the hard clauses are there.
        self._rc2.adapt = options.adapt

    def compute(
        self, budget: Budget, on_model: Callable[[list[int]], None], on_bound: Callable[[int], None]
    ) -> int | None:
        """Return the least weight of falsified soft clauses; ``None`` if the hard clauses contradict."""
        self._rc2.watch(budget, on_model, on_bound, self._slices)
        if self._rc2.compute() is None:
            return None
        return int(self._rc2.cost)

    def model(self) -> list[int]:
        """Return the optimal model."""
        model: list[int] = self._rc2.model
        return model

    @property
    def conflicts(self) -> int:
        """Conflicts so far."""
        return self._slices.conflicts

    def delete(self) -> None:
        """Free the solver's memory."""
        self._rc2.delete()
