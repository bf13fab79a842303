"""The search under constraints and measures that tie rules together, with a proof.

1. The native search without the constraints that tie rules together (`relaxed`) gives a bound and often the
   answer. For measures other than size it also gives the best sets by size, good first incumbents for any
   measure.
2. Otherwise all rules that can matter are listed (`listing`), and the best set of them is selected
   (`choose`), level by level for measures in order.
3. If there are too many rules to list, the best set of the listed ones is the incumbent, and only the rules
   of better sets are listed, by their reduced cost (`priced`). If these are too many as well, the result is
   the incumbent, with the bound of step 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from laconic.engines.api import OnProgress, Recorder, Solution, StopReason, conclude
from laconic.engines.selection.candidates import Candidates
from laconic.engines.selection.choose import choose
from laconic.engines.selection.listing import find_candidates
from laconic.engines.selection.priced import priced_candidates, supports
from laconic.engines.selection.relaxed import Relaxed, plain_sets, solve_relaxed, solve_within
from laconic.engines.selection.required import with_required
from laconic.engines.separable import check_separable
from laconic.engines.tuning import Tuning, tuning_of
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Problem, cost
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError

SEPARATION_SHARE = 0.1
RELAXED_SHARE = 0.3
PLAIN_SHARE = 0.15
LISTING_SHARE = 0.4
FIRST_LEVELS_SHARE = 0.4
PRICED_SHARE = 0.5
FIRST_NODES = 20
"""Maximum number of nodes of a search among some of the rules, before those of better sets are listed."""
CHECKING = 3.0
"""Factor on the longest evaluation of a set so far, to estimate the final check of the answer."""


def solve(
    problem: Problem,
    *,
    budget: Budget,
    seed: int = 0,
    n_jobs: int = 1,
    on_progress: OnProgress | None = None,
    options: Mapping[str, Any] | None = None,
) -> Solution:
    """Solve a problem with constraints, with a proof if the budget allows one."""
    run = _Run(problem, budget, seed, Recorder(budget, on_progress), tuning_of(options))
    reason = StopReason.TIME
    try:
        run.solve()
    except KeyboardInterrupt:
        if run.best is None:
            raise
        reason = StopReason.INTERRUPT
    if run.best is None:
        raise InputError(
            f"no decision set that meets the constraints ({run.constraints}) was found in time, and none was "
            "proved impossible; give more time or loosen them"
        )
    if reason is StopReason.TIME and run.list_too_long:
        reason = StopReason.MEMORY  # more time would not have completed the list, or the selection from it
    bound = min(run.bound, run.best[0])
    return conclude(problem, run.best[1], bound, reason, recorder=run.recorder, counts=run.counts)


class _Run:
    """The state of one search: incumbent, bound, and the steps that improve them."""

    def __init__(
        self, problem: Problem, budget: Budget, seed: int, recorder: Recorder, tuning: Tuning
    ) -> None:
        self.problem, self.budget, self.recorder = problem, budget, recorder
        self.settings = seed, tuning
        self.levels = problem.pricing.levels
        budgets = {"size": problem.objective.size_budget, "errors": problem.objective.max_errors}
        limits = (f"{name} at most {most:g}" for name, most in budgets.items() if most is not None)
        self.constraints = "; ".join((*problem.constraints.words, *limits)) or "none"
        self.best: tuple[int, tuple[CodedRule, ...]] | None = None
        self.bound = 0
        self.longest_offer = 0.0
        self.list_too_long = False
        self.relaxed: Relaxed | None = None
        self.counts = {"candidates": 0, "nodes": 0, "relaxations": 0}

    def solve(self) -> None:
        """Run the steps until the incumbent is proved optimal or the time is up."""
        check_separable(self.problem, self.budget.part(SEPARATION_SHARE))
        self.offer(tuple(sorted(self.problem.constraints.rules_in)))
        self._relax()
        # The answer is checked after the search; for a set of thousands of rules this takes time.
        left = self.budget.remaining()
        self.budget = self.budget.part(max(0.0, 1 - CHECKING * self.longest_offer / left) if left else 0.0)
        if self.proved or self.budget.expired():
            return
        before = self._before_explanations()
        if before is not None:
            # Pricing explanations makes very many rules matter, so the levels before that are solved first.
            self._list_and_choose(before, self.budget.part(FIRST_LEVELS_SHARE))
        self._list_and_choose(self.problem, self.budget)

    def _relax(self) -> None:
        """Solve the problem without ties, and by size alone, for bounds and good sets."""
        problem, budget = self.problem, self.budget
        if problem.pricing.limits:
            solve_within(
                problem, budget.part(RELAXED_SHARE), self.settings, self.offer_with_in, self.raise_bound
            )
            return
        relaxed = solve_relaxed(problem, budget.part(RELAXED_SHARE), self.settings)
        self.relaxed = relaxed
        if relaxed is not None:
            self.offer_with_in(relaxed.rules)
            for changed in with_required(problem, relaxed.rules):
                self.offer_with_in(changed)
            self.raise_bound(relaxed.bound * self.levels[0].weight)
        by_size = problem.constraints.measure[0] == "size"
        endless = problem.hard and math.isinf(budget.remaining())  # proving a cover may take arbitrarily long
        if not self.proved and not by_size and not endless:
            for rules in plain_sets(problem, budget.part(PLAIN_SHARE), self.settings):
                self.offer_with_in(rules)

    def _before_explanations(self) -> Problem | None:
        """Return the problem without average length and later levels, or None if it is the first level."""
        pricing = self.problem.pricing
        place = next((k for k, level in enumerate(self.levels) if level.explained), 0)
        if not place or pricing.faults >= place or any(limit is not None for limit in pricing.limits[place:]):
            return None
        return replace(self.problem, pricing=replace(pricing, levels=self.levels[:place]))

    def _list_and_choose(self, problem: Problem, budget: Budget) -> None:
        """List the rules that can matter to a problem, and select the best set of them."""
        if self._choose_priced(problem, budget):
            return
        listing = budget.part(LISTING_SHARE)
        candidates = find_candidates(problem, listing)
        self.list_too_long = not candidates.complete and not listing.expired()
        self.counts["candidates"] = len(candidates.rules)
        if not candidates.complete and supports(problem):
            self._choose(problem, candidates, budget.part(PRICED_SHARE), FIRST_NODES)
            if self.proved or self._choose_priced(problem, budget):
                return
        self._choose(problem, candidates, budget)

    def _choose_priced(self, problem: Problem, budget: Budget) -> bool:
        """Select among the rules of better sets; False if they cannot be listed."""
        while self.relaxed is not None and self.best is not None and supports(problem):
            upper = self.best[0]
            listed = priced_candidates(problem, self.relaxed, self.best, budget.part(PRICED_SHARE))
            if listed is None:
                return False
            self.list_too_long = False
            self.counts["candidates"] = len(listed.rules)
            self._choose(problem, listed, budget)
            if self.proved or budget.expired():
                return True
            if self.best[0] == upper:
                return False  # too many to select from
        return False

    @property
    def proved(self) -> bool:
        """Whether the incumbent is proved optimal."""
        return self.best is not None and self.bound >= self.best[0]

    def offer(self, rules: tuple[CodedRule, ...]) -> None:
        """Take an admissible set as the incumbent if it is cheaper."""
        started = self.budget.elapsed()
        value = cost(self.problem, rules)
        self.longest_offer = max(self.longest_offer, self.budget.elapsed() - started)
        if value is not None and (self.best is None or value < self.best[0]):
            self.best = value, rules
            self.recorder.report(value, min(self.bound, value))

    def offer_with_in(self, rules: Iterable[CodedRule]) -> None:
        """Offer a set as it is, and with the rules that must be in."""
        chosen = {*rules}
        for one in (chosen, chosen | self.problem.constraints.rules_in):
            if self.best is None or one != {*self.best[1]}:
                self.offer(tuple(sorted(one)))

    def raise_bound(self, bound: int) -> None:
        """Raise the lower bound."""
        if bound > self.bound:
            self.bound = bound
            known = None if self.best is None else self.best[0]
            self.recorder.report(known, bound if known is None else min(bound, known))

    def _choose(
        self, problem: Problem, candidates: Candidates, budget: Budget, most_nodes: int | None = None
    ) -> None:
        """Select the best set of the candidates."""
        counts = choose(
            problem,
            candidates,
            budget,
            start=None if self.best is None else self.best[1],
            on_set=self.offer,
            on_bound=self.raise_bound if candidates.complete else lambda _: None,
            most_nodes=most_nodes,
        )
        if counts is None and candidates.complete and self.best is None:
            raise InputError(
                f"no decision set meets the constraints ({self.constraints}); loosen one of them"
                + (" or use objective='sparse'" if self.problem.hard else "")
            )
        for name, number in (counts or {}).items():
            self.counts[name] += number
        if candidates.complete and not self.proved and not budget.expired() and problem is self.problem:
            self.list_too_long = True  # for the linear program
