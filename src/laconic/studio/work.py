"""What is computed for a step: the best set, the free optimum, the prices; published as it becomes known."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from laconic.engines.api import OnProgress, Progress
from laconic.learning.learn import SearchSettings, learn
from laconic.problem.objective import Objective, Problem
from laconic.studio.history import StepState
from laconic.studio.opinions import Opinion
from laconic.studio.prices import Price
from laconic.studio.solver import BestSet, Solver
from laconic.studio.stopping import StoppableBudget, Stopper
from laconic.studio.views import answer_view, choice_view, opinion_view

FIRST_LAMBDA, FIRST_WORK, FIRST_SECONDS = 0.05, 20_000, 0.5
"""λ and limits of the search whose rules are shown while λ is chosen."""
LEARN_SECONDS = 60.0
ANSWER_SECONDS = 30.0
PRICE_SECONDS = 20.0
"""Seconds for learning with a choice of λ, for the best set under opinions, and for each of the other sets
that prices need."""
FRONT_SECONDS = 8.0
"""Seconds for each point of the front."""
MOST_STATES = 400
"""States of a search that are published."""


@dataclass
class StepWork:
    """The computation of one step.

    Parameters
    ----------
    solver : Solver
    state : StepState
    publish : callable
        Called with the names and values that have changed.
    stopper : Stopper
    """

    solver: Solver
    state: StepState
    publish: Callable[[dict[str, Any]], None]
    stopper: Stopper = field(default_factory=Stopper)
    _curve: list[dict[str, Any]] = field(default_factory=list)
    _began: float = field(default_factory=time.monotonic)

    def run(self) -> tuple[float, BestSet]:
        """Compute everything, and return λ and the best set."""
        regularization = self.state.regularization
        if regularization is None:
            regularization = self._learn()
        self.publish({"regularization": regularization, "phase": "free"})
        opinions = self.state.opinions
        free = self.solver.answer(regularization, (), self._budget(PRICE_SECONDS), self._watch)
        if not opinions:
            self.publish(
                {"free": answer_view(free), "answer": answer_view(free), "opinions": [], "phase": "done"}
            )
            self.publish({"price": Price.between(free, free).to_document()})
            return regularization, free
        self.publish({"free": answer_view(free), "phase": "opinions"})
        self._curve = []
        best = self.solver.answer(regularization, opinions, self._budget(ANSWER_SECONDS), self._watch)
        self.publish(
            {"answer": answer_view(best), "price": Price.between(best, free).to_document(), "phase": "prices"}
        )
        prices: list[dict[str, Any]] = [{"opinion": opinion_view(one), "price": None} for one in opinions]
        for place, opinion in enumerate(opinions):
            without = self._without(opinion, regularization, free)
            prices[place]["price"] = Price.between(best, without).to_document()
            self.publish({"opinions": [dict(one) for one in prices]})
        self.publish({"phase": "done"})
        return regularization, best

    def _without(self, opinion: Opinion, regularization: float, free: BestSet) -> BestSet:
        others = [one for one in self.state.opinions if one is not opinion]
        if not others:
            return free
        return self.solver.answer(regularization, others, self._budget(PRICE_SECONDS))

    def _learn(self) -> float:
        """Choose λ and find the best set without opinions; show rules at once."""
        self.publish({"phase": "first"})
        first = StoppableBudget(FIRST_SECONDS, self.stopper, FIRST_WORK)
        early = self.solver.answer(FIRST_LAMBDA, (), first, self._watch)
        self.publish({"answer": answer_view(early), "phase": "choice"})
        self._curve = []
        search = SearchSettings(
            self._budget(LEARN_SECONDS), watch=self._watch, report=self._say, only_lambda=True
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            learned = learn(self.solver.training, Objective(regularization=None), search)
        regularization = learned.model.facts.regularization
        assert regularization is not None
        self.publish({"choice": choice_view(learned.model.choice)})
        self.solver.remember(regularization, learned)
        return regularization

    def _budget(self, seconds: float) -> StoppableBudget:
        return StoppableBudget(seconds, self.stopper)

    def _say(self, text: str) -> None:
        self.publish({"note": text})

    def _watch(self, problem: Problem) -> OnProgress:
        def on_progress(state: Progress) -> None:
            cost = None if state.cost is None else float(Fraction(problem.in_user_units(state.cost)))
            bound = float(Fraction(problem.in_user_units(state.lower_bound)))
            now = time.monotonic() - self._began
            self._curve = [*self._curve[-MOST_STATES:], {"seconds": now, "cost": cost, "bound": bound}]
            self.publish({"curve": self._curve})

        return on_progress


def prove_front(
    solver: Solver, view: dict[str, Any], stopper: Stopper, publish: Callable[[dict[str, Any]], None]
) -> None:
    """Search the best set at each λ that was tried, so that size, errors and proof of each point are known.

    Parameters
    ----------
    solver : Solver
    view : dict
        From `choice_view`; its points are replaced.
    stopper : Stopper
    publish : callable
        Called with the points after each.
    """
    points = [dict(point) for point in view["points"]]
    for point in points:
        found = solver.answer(point["regularization"], (), StoppableBudget(FRONT_SECONDS, stopper))
        point |= {"size": found.size, "errors": float(found.errors), "proved": found.proved}
        publish({**view, "points": [dict(one) for one in points]})
        if stopper.stopped:
            break
