"""Sparse sets with errors counted per row (the paper's joint model, Section 3.4).

A row is wrong once if no rule of its class covers it or any rule of another class does, which ties the
classes together.

1. The cost of every error is split over the classes (`shares`): searches of the single classes, which are
   exact and fast, give bounds that add up, and sets that together are often best. The shares move to
   where the bound rises.
2. Where a gap is left, sets are made of all rules that were best for some shares.
3. Where that leaves one, too, the rules that a better set can consist of are listed (`listing`), and the
   best set of them is chosen, with a proof in integers (`laconic.engines.selection`).
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
from laconic.problem.coded import CodedRule, rows_covered
from laconic.problem.objective import Problem, cost
from laconic.runtime.budget import Budget

FEW_NODES = 20
"""Nodes of a search that needs no better set to start from."""

PATIENCE, LAST_PATIENCE = 16, 100
"""Rounds of moving shares that may pass without a better bound or set, at first and in the end."""

RETURN = 4
"""Such rounds before the best shares are returned to, and steps get shorter;"""

LEAST_PACE = 0.1
"""not any more once they are about so short: the same way would be gone again and again."""

SLICE = 0.1
"""Share of the time for the searches of one round, before it is asked whether they are worth more."""

MOST_SEEN = 400
"""Rules of earlier rounds that sets are made of."""


def solve_joint(problem: Problem, *, budget: Budget, n_jobs: int, recorder: Recorder) -> Solution:
    """Solve a sparse problem whose errors are counted per row."""
    search = _JointSearch(problem, recorder, n_jobs)
    try:
        search.run(budget)
        # Not proved although there is time: the rules that are left are too many to choose from.
        out_of_time = budget.expired() or search.out_of_time
        reason = StopReason.TIME if out_of_time else StopReason.MEMORY
    except KeyboardInterrupt:
        reason = StopReason.INTERRUPT
    except MemoryError:
        reason = StopReason.MEMORY
    counts = {"rounds": search.n_rounds, "candidates": search.n_candidates}
    return conclude(problem, search.rules, search.bound, reason, recorder=recorder, counts=counts)


@dataclass(frozen=True)
class _Split:
    """What the bounds of the classes add up to with some shares, and the rules of their best sets."""

    split: int
    shares: Shares
    rules: list[CodedRule]


class _JointSearch:
    """What is in hand and what is proved; it starts from the empty set."""

    def __init__(self, problem: Problem, recorder: Recorder, n_jobs: int) -> None:
        self.problem, self.recorder, self.n_jobs = problem, recorder, n_jobs
        self.rules: list[CodedRule] = []
        self.cost = _cost(problem, [])
        self.bound = 0
        self.n_rounds = self.n_candidates = 0
        self.out_of_time = False
        self.shares = Shares(problem)
        self.searches = self.shares.searches()
        self.best = _Split(-1, self.shares, [])
        self.seen: dict[CodedRule, None] = {}  # rules of the rounds, the latest last

    @property
    def proved(self) -> bool:
        """Whether no set is cheaper than the one in hand."""
        return self.bound == self.cost

    def run(self, budget: Budget) -> None:
        """Work through the steps as far as the budget allows."""
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
            choosing = budget.part(0.97)  # its steps are long
            self._choose(candidates, choosing)
            self.out_of_time = choosing.expired()
        if not self.proved and not self.out_of_time:
            self._move_shares(budget, LAST_PATIENCE)

    def _move_shares(self, budget: Budget, patience: int) -> None:
        """Split the costs over the classes, and move the shares while that helps."""
        idle, pace, size = 0, 1.0, SLICE
        while not budget.expired():
            before = self.best.split, self.cost
            schedule.run(list(self.searches.values()), budget.part(size), lambda _: None, self.n_jobs)
            self.n_rounds += 1
            parts = self.shares.parts
            split = sum(search.lower_bound for search in self.searches.values())
            rules = [CodedRule.of(c, body) for c, search in self.searches.items() for body in search.best()]
            if split > self.best.split:
                self.best = _Split(split, self.shares, rules)
            for rule in rules:
                self.seen.pop(rule, None)
                self.seen[rule] = None
            self.offer(rules)
            self.prove(-(-split // parts))
            if self.proved:
                return
            # What more time could add with these shares, beside all that is missing.
            missing = parts * self.cost - split
            undecided = sum(search.upper_bound - search.lower_bound for search in self.searches.values())
            if 2 * undecided > missing and not all(search.finished for search in self.searches.values()):
                size = min(1.0, 2 * size)
                continue
            idle = 0 if (self.best.split, self.cost) != before else idle + 1
            if idle > patience:
                return
            start = _Split(split, self.shares, rules)
            if idle and idle % RETURN == 0 and pace > LEAST_PACE:
                start, pace = self.best, pace / 2  # too far: from the best shares again, by shorter steps
            shares = start.shares.moved(start.rules, pace * (self.cost - start.split / parts))
            if shares is None:
                return
            self.shares, self.searches, size = shares, shares.searches(), SLICE

    def _choose_among_seen(self, budget: Budget) -> None:
        """Look for a better set of the rules that were best for some shares."""
        rules = sorted({*list(self.seen)[-MOST_SEEN:], *self.rules})
        if rules:
            self._search(self._covered(rules, complete=False), budget, FEW_NODES)

    def _choose(self, candidates: list[CodedRule], budget: Budget) -> None:
        """Choose among all that a better set can consist of."""
        self.n_candidates = len(candidates)
        if candidates:
            self._search(self._covered(candidates, complete=True), budget)
        else:  # there is no better set
            self.prove(self.cost)

    def _covered(self, rules: list[CodedRule], complete: bool) -> Candidates:
        covers = np.array([rows_covered(rule, self.problem.table) for rule in rules], dtype=bool)
        return Candidates(rules, covers, complete)

    def _search(self, listed: Candidates, budget: Budget, most_nodes: int | None = None) -> None:
        from laconic.engines.selection.choose import choose  # imported here: only this needs HiGHS

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
        """Take rules that are cheaper than those in hand."""
        value = _cost(self.problem, rules)
        if value < self.cost or not self.recorder.history:
            self.rules, self.cost = list(rules), value
            self.recorder.report(value, self.bound)

    def prove(self, bound: int) -> None:
        """Take a bound, which is at most what the rules in hand cost."""
        self.bound = max(self.bound, min(bound, self.cost))
        self.recorder.report(self.cost, self.bound)


def _cost(problem: Problem, rules: Sequence[CodedRule]) -> int:
    value = cost(problem, rules)
    assert value is not None
    return value
