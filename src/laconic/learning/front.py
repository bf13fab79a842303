"""Every trade-off of size and errors, with the proved bounds.

A decision set is on the **front** if no set of its size or less makes fewer errors, and no smaller one
makes as few. The corners of the front's hull are the optima of some λ; between them lie optima of no λ,
which only a budget finds. Errors are counted per class, as by ``counting="per_class"``.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

import pandas as pd

from laconic.data.training import TrainingTable
from laconic.data.words import plain
from laconic.engines.api import OnProgress, Progress
from laconic.engines.fronts.all_classes import WholeFront
from laconic.engines.fronts.budget import solution_at
from laconic.engines.fronts.constrained import ConstrainedFront, require_front
from laconic.engines.fronts.staircase import NO_SET, price_between, steps
from laconic.engines.fronts.start import start_front
from laconic.learning.model import model_of
from laconic.learning.name_order import NameOrder
from laconic.learning.problem import problem_of
from laconic.model.decision_set import DecisionSet
from laconic.model.statistics import listed_rules
from laconic.problem.constraints.constraints import Constraints
from laconic.problem.objective import LARGEST_BUDGET, Default, Objective, Problem
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError

EVERY = ("breakpoint", "size")
"""The points to find: the optima of some λ, or the whole front."""

CORNERS_SHARE = 0.6
"""Share of a time limit for the corners if every size is asked for."""


@dataclass(frozen=True, slots=True)
class FrontPoint:
    """One trade-off.

    Attributes
    ----------
    size : int
        Conditions plus rules.
    errors : int or Fraction
        Weight of the training errors, counted per class, in the user's units.
    lower_bound : int or Fraction
        No set of this size or less makes fewer errors than this.
    proved : bool
        Whether the point is on the front for sure: no set of its size or less makes fewer errors, and no
        smaller one makes as few.
    breakpoint : bool
        Whether it is a corner of the hull of the points found: the best set for a range of λ.
    lambdas : (Fraction, Fraction or None) or None
        That range, if it is proved; no upper end for the smallest set.
    """

    size: int
    errors: int | Fraction
    lower_bound: int | Fraction
    proved: bool
    breakpoint: bool
    lambdas: tuple[Fraction, Fraction | None] | None = None

    @property
    def gap(self) -> float:
        """Relative gap between errors and bound; 0.0 means proved."""
        return float((self.errors - self.lower_bound) / self.errors) if self.errors else 0.0


@dataclass(frozen=True)
class Front:
    """The trade-offs of one table, by size.

    Attributes
    ----------
    points : tuple of FrontPoint
    models : tuple of DecisionSet
        One per point.
    every : str
        ``"breakpoint"`` or ``"size"``.
    complete : bool
        Whether nothing is missing: every corner, or every point, up to ``max_size`` is there and proved.
    max_size : int or None
        Larger sets were not looked for.
    interrupted : bool
        Whether Ctrl-C ended the search.
    counts : mapping
        Work done, by name.
    total_weight : Fraction
        What one error on every training row would cost, in the user's units: λ is a share of it.
    """

    points: tuple[FrontPoint, ...]
    models: tuple[DecisionSet, ...]
    every: str
    complete: bool
    max_size: int | None = None
    interrupted: bool = False
    counts: Mapping[str, int] = field(default_factory=dict)
    total_weight: Fraction = Fraction(1)

    def at_lambda(self, regularization: float | Fraction, total_weight: float | Fraction) -> int:
        """Return the index of the point with the lowest cost at λ; of equals, the smallest size.

        Parameters
        ----------
        regularization : float
            λ.
        total_weight : float
            The weight of all training rows, in the user's units.
        """
        price = Fraction(regularization) * Fraction(total_weight)
        return min(
            range(len(self.points)), key=lambda k: (self.points[k].errors + price * self.points[k].size, k)
        )

    def to_frame(self) -> pd.DataFrame:
        """Return the points as a table."""
        return pd.DataFrame(
            [
                {
                    "size": point.size,
                    "errors": float(point.errors),
                    "lower_bound": float(point.lower_bound),
                    "proved": point.proved,
                    "breakpoint": point.breakpoint,
                    "lambda_low": None if point.lambdas is None else float(point.lambdas[0]),
                    "lambda_high": None
                    if point.lambdas is None or point.lambdas[1] is None
                    else float(point.lambdas[1]),
                    "rules": len(listed_rules(model)),
                }
                for point, model in zip(self.points, self.models, strict=True)
            ]
        )


def find_front(
    training: TrainingTable,
    *,
    every: str = "breakpoint",
    max_size: int | None = None,
    budget: Budget,
    seed: int = 0,
    n_jobs: int = 1,
    constraints: Constraints | None = None,
    default: Default = Default.EXPLAINED,
    on_progress: OnProgress | None = None,
) -> Front:
    """Find the trade-offs of a training table.

    Parameters
    ----------
    training : TrainingTable
    every : {"breakpoint", "size"}
    max_size : int, optional
        Larger sets are not looked for.
    budget : Budget
    seed, n_jobs : int
    constraints : Constraints, optional
        What the sets have to respect; sizes and errors are then counted as they say.
    default : Default
        What decides about rows that no rule covers.
    on_progress : callable, optional
        Called at each improvement, with errors and bounds summed over all sizes that have a set.
    """
    if every not in EVERY:
        raise InputError(f"unknown points {every!r}; choose one of: {', '.join(EVERY)}")
    if max_size is not None and not 0 <= max_size <= LARGEST_BUDGET:
        raise InputError(
            f"the largest size must be a whole number from 0 to {LARGEST_BUDGET}, not {max_size}"
        )
    line = default is Default.OTHERWISE
    if line and max_size == 0:
        raise InputError(
            "max_size must be at least 1 with default='otherwise', not 0: the OTHERWISE rule counts"
        )
    by_name = NameOrder.of(training)
    objective = Objective(size_budget=int(line) if max_size is None else max_size, default=default)
    problem = problem_of(by_name.training, objective, constraints)
    require_front(problem)
    search = _search(problem, max_size, seed, n_jobs, budget)

    def say() -> None:
        if on_progress is not None:
            on_progress(_progress(search, budget.elapsed()))

    search.find_corners(budget if every == "breakpoint" else budget.part(CORNERS_SHARE), say)
    if every == "size":
        search.settle(lambda: list(range(search.max_size + 1)), budget, say)
    if isinstance(search, ConstrainedFront):
        search.require_set(budget)
    return _front(training, by_name, problem, search, every, max_size, constraints)


def _progress(search: WholeFront | ConstrainedFront, seconds: float) -> Progress:
    achieved, proved = search.achieved, search.proved
    n_proved = int((achieved == proved).sum())
    note = f"{len(steps(achieved))} points, {n_proved} of {search.max_size + 1} sizes proved"
    known = achieved < NO_SET
    return Progress(seconds, sum(achieved[known].tolist()), sum(proved[known].tolist()), note)


def _search(
    problem: Problem, max_size: int | None, seed: int, n_jobs: int, budget: Budget
) -> WholeFront | ConstrainedFront:
    if problem.constraints.by_class:
        return start_front(problem, max_size, seed, n_jobs, budget)
    return ConstrainedFront(problem, max_size, seed, budget)


def _front(
    training: TrainingTable,
    by_name: NameOrder,
    counted: Problem,
    search: WholeFront | ConstrainedFront,
    every: str,
    max_size: int | None,
    constraints: Constraints | None,
) -> Front:
    achieved, proved = search.achieved, search.proved
    sizes = [k for k in steps(achieved) if achieved[k] < NO_SET]
    hull = search.corners()
    on_hull = [size for size, errors in hull if size <= search.max_size and errors == achieved[size]]
    known = {k: bool(proved[k] == achieved[k] and (k == 0 or proved[k - 1] > achieved[k])) for k in sizes}
    ranges = _lambdas(hull, search, counted.weight_of_all)
    points, models = [], []
    for k in sizes if every == "size" else on_hull:
        points.append(
            FrontPoint(
                k,
                plain(int(achieved[k]) / counted.error_unit),
                plain(int(proved[k]) / counted.error_unit),
                known[k],
                k in on_hull,
                ranges.get(k),
            )
        )
        objective = replace(counted.objective, size_budget=k)
        searched = problem_of(by_name.training, objective, constraints)
        solution = solution_at(search, searched, k)
        solution = replace(solution, rules=by_name.back(solution.rules))
        problem = problem_of(training, objective, constraints)
        models.append(model_of(training, problem, solution, search.engine, constraints))
    complete = bool((proved == achieved).all()) if every == "size" else search.corners_proved()
    return Front(
        tuple(points),
        tuple(models),
        every,
        complete,
        max_size,
        search.interrupted,
        search.counts(),
        counted.weight_of_all / counted.error_unit,
    )


def _lambdas(
    hull: list[tuple[int, int]], search: WholeFront | ConstrainedFront, weight: int
) -> dict[int, tuple[Fraction, Fraction | None]]:
    """Return the range of λ at which each corner is optimal, if that is proved at both ends."""
    prices = [*(price_between(a, b) for a, b in itertools.pairwise(hull)), Fraction(0)]
    best = [search.is_best_at(point, price) for point, price in zip(hull, prices, strict=True)]
    found: dict[int, tuple[Fraction, Fraction | None]] = {}
    for k, (size, _) in enumerate(hull):
        # The corners on both sides of a price cost the same at it.
        if best[k] and (k == 0 or best[k - 1]):
            found[size] = prices[k] / weight, prices[k - 1] / weight if k else None
    return found
