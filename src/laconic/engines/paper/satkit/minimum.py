"""The cheapest set that a MaxSAT formula expresses, and bounds from its unfinished search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from laconic.engines.paper.satkit.clauses import Clauses
from laconic.engines.paper.satkit.options import Rc2Options
from laconic.engines.paper.satkit.oracle import SatTimeoutError
from laconic.engines.paper.satkit.part import ProblemPart
from laconic.engines.paper.satkit.rc2 import BoundReachedError, MaxSat, Soft
from laconic.engines.paper.satkit.work import Work
from laconic.problem.coded import CodedRule
from laconic.runtime.budget import Budget


@dataclass(frozen=True)
class SetFormula:
    """A formula whose models are sets of rules of a part.

    Attributes
    ----------
    hard, soft, top
        The arguments of `MaxSat`.
    decode : callable
        Returns the rules of a model.
    paid : int
        The cost of every set that the formula expresses, before falsified soft clauses.
    priced : bool
        Whether the rules of an optimum cost what the formula says. Otherwise they may cost less, because some
        of them are wasted.
    """

    hard: Iterable[Clauses]
    soft: Callable[[], list[Soft]]
    top: Callable[[], int]
    decode: Callable[[list[int]], Sequence[CodedRule]]
    paid: int
    priced: bool = True


def cheapest(
    part: ProblemPart,
    formula: SetFormula,
    options: Rc2Options,
    budget: Budget,
    work: Work,
    on_bound: Callable[[int], None],
) -> int | None:
    """Return the least cost of a set, and offer every better set to the part; None if there is no set.

    ``on_bound`` receives every lower bound on the cost, and may raise `BoundReachedError`.
    """
    maxsat: MaxSat | None = None
    try:
        maxsat = MaxSat(formula.hard, formula.soft, formula.top, options, budget)
        optimum = maxsat.compute(
            budget,
            lambda model: part.offer(formula.decode(model)),
            lambda core_cost: on_bound(formula.paid + core_cost),
        )
        if optimum is None:
            return None
        rules, cost = formula.decode(maxsat.model()), formula.paid + optimum
        if formula.priced:
            part.accept(rules, cost)
        else:
            part.offer(rules)
        return cost
    finally:
        work.add(maxsat, formula.top())


def lower_bound(
    part: ProblemPart,
    formula: SetFormula,
    options: Rc2Options,
    budget: Budget,
    work: Work,
    *,
    stop_early: bool,
) -> int:
    """Return a lower bound on the sets of a formula, and offer every better set to the part.

    With ``stop_early`` the search ends as soon as its bound reaches the cost of the incumbent.
    """
    bound = formula.paid

    def on_bound(raised: int) -> None:
        nonlocal bound
        bound = raised
        if stop_early and bound >= part.cost:
            raise BoundReachedError

    try:
        optimum = cheapest(part, formula, options, budget, work, on_bound)
    except (SatTimeoutError, BoundReachedError):
        return bound
    return part.cost if optimum is None else optimum
