"""Sparse sets with errors counted per row (the paper's joint model, Section 3.4).

A row is wrong, once, if no rule of its class covers it or if a rule of another class does. This ties the
classes together.

1. The cost of every error is split over the classes (`shares`). The searches of the single classes are exact
   and fast; their bounds add up to a bound, and the union of their sets is often optimal. The shares then
   move so that the bound rises.
2. If a gap remains, the best set is selected among all rules that were optimal for some shares.
3. If a gap still remains, all rules that a better set can contain are listed (`listing`), and the best set of
   them is selected, with a proof in integers (`laconic.engines.selection`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from laconic.engines import schedule
from laconic.engines.api import Recorder, Solution, StopReason, conclude
from laconic.engines.exact.joint.listing import rules_of_better_sets
from laconic.engines.exact.joint.shares import Shares
from laconic.engines.incumbent import incumbent
from laconic.engines.selection.candidates import Candidates
from laconic.engines.tuning import Tuning
from laconic.problem.coded import CodedRule, rows_covered
from laconic.problem.objective import Problem, cost
from laconic.runtime.budget import Budget

FEW_NODES = 20
"""Maximum number of nodes in a selection that only looks for a better incumbent."""

PATIENCE, LAST_PATIENCE = 16, 100
"""Maximum number of rounds without a better bound or set, in the first phase and in the last one."""

ROUNDS_BEFORE_RESTORING = 4
"""Number of rounds without a gain after which the best shares are restored and steps are halved."""

MIN_PACE = 0.1
"""Step length below which the best shares are not restored any more: it would repeat the same steps."""

SLICE = 0.1
"""Share of the time for the searches of one round, before their gaps are compared."""

MAX_SEEN = 400
"""Maximum number of rules from earlier rounds among which a set is selected."""


def solve_joint(
    problem: Problem, *, budget: Budget, n_jobs: int, recorder: Recorder, tuning: Tuning
) -> Solution:
    """Solve a sparse problem whose errors are counted per row."""
    search = _JointSearch(problem, recorder, n_jobs, tuning)
    try:
        search.run(budget)
        # Time is left but nothing is proved: there are too many rules to select from.
        out_of_time = budget.expired() or search.out_of_time
        reason = StopReason.TIME if out_of_time else StopReason.MEMORY
    except KeyboardInterrupt:
        reason = StopReason.INTERRUPT
    except MemoryError:
        reason = StopReason.MEMORY
    counts = {"rounds": search.n_rounds, "candidates": search.n_candidates}
    return conclude(problem, search.rules, search.bound, reason, recorder=recorder, counts=counts)


@dataclass(frozen=True)
class _ShareBound:
    """The sum of the classes' bounds for some shares, and the rules of their best sets."""

    total: int
    shares: Shares
    rules: list[CodedRule]


class _JointSearch:
    """The state of the search: incumbent, bound and shares. The first incumbent is the empty set."""

    def __init__(self, problem: Problem, recorder: Recorder, n_jobs: int, tuning: Tuning) -> None:
        self.problem, self.recorder, self.n_jobs = problem, recorder, n_jobs
        self.rules: list[CodedRule] = []
        self.cost = _cost(problem, [])
        self.bound = 0
        self.n_rounds = self.n_candidates = 0
        self.out_of_time = False
        self.shares = Shares(problem, tuning)
        self.searches = self.shares.searches()
        self.best = _ShareBound(-1, self.shares, [])
        self.seen: dict[CodedRule, None] = {}  # rules found so far, the latest last

    @property
    def proved(self) -> bool:
        """Whether the incumbent is proved optimal."""
        return self.bound == self.cost

    def run(self, budget: Budget) -> None:
        """Run all steps within the budget."""
        self.offer([])
        self.offer(incumbent(self.problem, budget.part(0.1)))
        self._move_shares(budget.part(0.4), PATIENCE)
        if self.proved or budget.expired():
            return
        self._choose_among_seen(budget.part(0.2))
        if self.proved or budget.expired():
            return
        candidates = rules_of_better_sets(
            self.problem, self.best.shares, self.cost, budget.part(0.3), self.n_jobs
        )
        if candidates is not None:
            choosing = budget.part(0.97)  # leaves time for a step that overruns
            self._choose(candidates, choosing)
            self.out_of_time = choosing.expired()
        if not self.proved and not self.out_of_time:
            self._move_shares(budget, LAST_PATIENCE)

    def _move_shares(self, budget: Budget, patience: int) -> None:
        """Run rounds of class searches, and move the shares as long as that helps."""
        idle, pace, size = 0, 1.0, SLICE
        while not budget.expired():
            before = self.best.total, self.cost
            schedule.run(list(self.searches.values()), budget.part(size), lambda _: None, self.n_jobs)
            self.n_rounds += 1
            parts = self.shares.parts
            total = sum(search.lower_bound for search in self.searches.values())
            rules = [CodedRule.of(c, body) for c, search in self.searches.items() for body in search.best()]
            if total > self.best.total:
                self.best = _ShareBound(total, self.shares, rules)
            for rule in rules:
                self.seen.pop(rule, None)
                self.seen[rule] = None
            self.offer(rules)
            self.prove(-(-total // parts))
            if self.proved:
                return
            # Compare what more time could add with these shares to the whole gap.
            missing = parts * self.cost - total
            undecided = sum(search.upper_bound - search.lower_bound for search in self.searches.values())
            if 2 * undecided > missing and not all(search.finished for search in self.searches.values()):
                size = min(1.0, 2 * size)
                continue
            idle = 0 if (self.best.total, self.cost) != before else idle + 1
            if idle > patience:
                return
            start = _ShareBound(total, self.shares, rules)
            if idle and idle % ROUNDS_BEFORE_RESTORING == 0 and pace > MIN_PACE:
                start, pace = self.best, pace / 2  # the steps were too long
            shares = start.shares.moved(start.rules, pace * (self.cost - start.total / parts))
            if shares is None:
                return
            self.shares, self.searches, size = shares, shares.searches(), SLICE

    def _choose_among_seen(self, budget: Budget) -> None:
        """Search for a better set among the rules that were optimal for some shares."""
        rules = sorted({*list(self.seen)[-MAX_SEEN:], *self.rules})
        if rules:
            self._search(self._covered(rules, complete=False), budget, FEW_NODES)

    def _choose(self, candidates: list[CodedRule], budget: Budget) -> None:
        """Select the best set among all rules that a better set can contain."""
        self.n_candidates = len(candidates)
        if candidates:
            self._search(self._covered(candidates, complete=True), budget)
        else:  # no better set exists
            self.prove(self.cost)

    def _covered(self, rules: list[CodedRule], complete: bool) -> Candidates:
        covers = np.array([rows_covered(rule, self.problem.table) for rule in rules], dtype=bool)
        return Candidates(rules, covers, complete)

    def _search(self, listed: Candidates, budget: Budget, most_nodes: int | None = None) -> None:
        from laconic.engines.selection.choose import choose  # only this needs HiGHS

        choose(
            self.problem,
            listed,
            budget,
            start=self.rules,
            on_set=self.offer,
            on_bound=self.prove if listed.complete else lambda _: None,
            most_nodes=most_nodes,
        )

    def offer(self, rules: Sequence[CodedRule]) -> None:
        """Take rules as the new incumbent if they cost less."""
        value = _cost(self.problem, rules)
        if value < self.cost or not self.recorder.history:
            self.rules, self.cost = list(rules), value
            self.recorder.report(value, self.bound)

    def prove(self, bound: int) -> None:
        """Raise the lower bound, up to the cost of the incumbent."""
        self.bound = max(self.bound, min(bound, self.cost))
        self.recorder.report(self.cost, self.bound)


def _cost(problem: Problem, rules: Sequence[CodedRule]) -> int:
    value = cost(problem, rules)
    assert value is not None
    return value
