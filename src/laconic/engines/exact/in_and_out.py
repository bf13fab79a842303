"""Rules that must be in the set, and rules that must not, by searches of single classes.

Sparse objectives with errors per class; nothing else may tie the rules together. Then each class is a problem
of its own, and both kinds of constraint become searches without constraints:

*A rule that must be in* is paid for, and the rows that it covers are settled: they cost the same whatever
else covers them. The rest is the same problem without these rows.

*A rule R that must not be in.* If the best set without this constraint does not contain R, it is the answer.
Otherwise branch on the generalisations of R, the rules with some of its conditions:

1. No generalisation of R is in the set, R itself included. Add a row that costs more than everything and on
   which the conditions of R hold, and no others: the rules that cover it are exactly these. On a row of the
   table each condition or its opposite holds, so each literal gets a column of its own for this.
2. The generalisation Q, not R itself, is in the set. It is a rule that must be in. R is then useless, since
   all rows that it covers are settled, and no search takes a rule that saves nothing.

The case with the lowest bound is searched first, and branched on again if its best set contains another rule
that must not be in. The first set without such rules is optimal. Cases of the second kind are left out if
an exchange leads to another case at no loss: Q must save more than its price, and each condition of Q must,
alone among them, exclude errors that cost more than a condition.
"""

from __future__ import annotations

import heapq
import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from laconic.data.bits import pack_columns
from laconic.engines import schedule
from laconic.engines.api import Recorder, Solution, StopReason, conclude
from laconic.engines.class_search import ClassTask
from laconic.engines.exact.local import search_for
from laconic.engines.tuning import Tuning
from laconic.problem.coded import CodedRule, rows_covered
from laconic.problem.constraints.evaluate import admissible
from laconic.problem.objective import Problem
from laconic.runtime.budget import Budget
from laconic.runtime.native import MAX_COST, kernels

LONGEST_OUT = 8
"""Maximum number of conditions of a rule that must not be in: it has 2ⁿ generalisations."""

Bodies = frozenset[tuple[int, ...]]


def is_in_and_out(problem: Problem) -> bool:
    """Return whether rules in and out are all that ties the rules together, and this search can solve it."""
    constraints, objective = problem.constraints, problem.objective
    if constraints.any_set or not set(constraints.ties) <= {"rules_in", "rules_out"}:
        return False
    if problem.hard or not problem.separable or objective.every_class or objective.has_budget:
        return False
    if problem.otherwise or len(problem.pricing.levels) > 1 or problem.table.n_features > _MOST_FEATURES:
        return False
    most = problem.error_cost * problem.table.total_weight + problem.rule_price(problem.table.n_features)
    if min(problem.rule_cost, problem.literal_cost) < 1 or 4 * most > MAX_COST:
        return False
    explained = all(rule.target in problem.classes for rule in constraints.rules_in)
    return explained and all(len(rule.literals) <= LONGEST_OUT for rule in constraints.rules_out)


_MOST_FEATURES = schedule.MAX_FEATURES // 2
"""Each literal may get a column of its own."""


def solve_in_and_out(
    problem: Problem, *, budget: Budget, seed: int, n_jobs: int, recorder: Recorder, tuning: Tuning
) -> Solution:
    """Solve a sparse problem with rules that must be in or out, with a proof if the budget allows one."""
    classes = [_Class(problem, target, seed, tuning) for target in problem.classes]
    reason = StopReason.MEMORY

    def report() -> None:
        recorder.report(_cost_of(classes), _bound_of(classes))

    try:
        for share, one in zip(budget.shares(len(classes)), classes, strict=True):
            # A share of a budget has no limit of work.
            one.solve(share if budget.work is None else budget, n_jobs, report)
        if budget.expired():
            reason = StopReason.TIME
        elif budget.work is not None:
            reason = StopReason.WORK
    except KeyboardInterrupt:
        reason = StopReason.INTERRUPT
    counts: Counter[str] = Counter()
    for one in classes:
        counts.update(one.counts)
    rules = tuple(rule for one in classes for rule in one.rules)
    return conclude(problem, rules, _bound_of(classes), reason, recorder=recorder, counts=counts)


def _cost_of(classes: list[_Class]) -> int:
    return sum(one.cost for one in classes)


def _bound_of(classes: list[_Class]) -> int:
    return sum(min(one.bound, one.cost) for one in classes)


@dataclass(frozen=True)
class _Case:
    """Rules that are in, and rules of which no generalisation is in; only their conditions are held."""

    inside: Bodies
    barred: Bodies


class _Class:
    """The search for the best rules of one class."""

    def __init__(self, problem: Problem, target: int, seed: int, tuning: Tuning) -> None:
        constraints = problem.constraints
        self.problem, self.target = problem, target
        self.task = ClassTask.of(problem, target, seed, tuning)
        self.out: Bodies = frozenset(rule.literals for rule in constraints.rules_out if rule.target == target)
        inside = frozenset(rule.literals for rule in constraints.rules_in if rule.target == target)
        self.counts: Counter[str] = Counter()
        self._bodies: Bodies = inside
        self.cost = self._cost_with(inside)
        self._open: list[tuple[int, int, _Case]] = [(0, 0, _Case(inside, frozenset()))]
        self._seen = {self._open[0][2]}
        self.bound = 0

    @property
    def rules(self) -> list[CodedRule]:
        """The rules of the best set so far."""
        return [CodedRule(self.target, body) for body in sorted(self._bodies)]

    def solve(self, budget: Budget, n_jobs: int, report: Callable[[], None]) -> None:
        """Search the cases, that with the lowest bound first."""
        while self._open and not budget.expired():
            floor, _, case = heapq.heappop(self._open)
            if floor >= self.cost:
                self._open.append((floor, -1, case))
                break
            found, bound, proved = self._search(case, budget, n_jobs)
            bound = max(bound, floor)
            self._offer(found - self.out)
            if not proved:  # out of time, of work, or of memory
                heapq.heappush(self._open, (bound, len(self._seen), case))
                break
            for body in sorted(found & self.out)[:1]:
                for child in self._children(case, body):
                    if child not in self._seen:
                        self._seen.add(child)
                        heapq.heappush(self._open, (bound, len(self._seen), child))
            self._set_bound()
            report()
        self._set_bound()
        report()

    def _set_bound(self) -> None:
        floor = min((entry[0] for entry in self._open), default=self.cost)
        self.bound = max(self.bound, min(floor, self.cost))

    def _offer(self, bodies: Bodies) -> None:
        cost = self._cost_with(bodies)
        if cost < self.cost:
            self.cost, self._bodies = cost, bodies

    def _cost_with(self, bodies: Bodies) -> int:
        rows = self.task.rows
        covered = self._covered(bodies)
        errors = int(np.where(covered, rows.others, rows.own).sum())
        return errors + sum(self.problem.rule_price(len(body)) for body in bodies)

    def _covered(self, bodies: Bodies) -> NDArray[np.bool_]:
        covered = np.zeros(self.problem.table.n_rows, bool)
        for body in bodies:
            covered |= rows_covered(CodedRule(self.target, body), self.problem.table)
        return covered

    def _search(self, case: _Case, budget: Budget, n_jobs: int) -> tuple[Bodies, int, bool]:
        """Return the best set of a case, a lower bound, and whether it is proved best."""
        rows, table = self.task.rows, self.problem.table
        settled = self._covered(case.inside)
        own, others = (np.where(settled, 0, cost) for cost in (rows.own, rows.others))
        fixed = int(rows.others[settled].sum())
        fixed += sum(self.problem.rule_price(len(body)) for body in case.inside)
        self.counts["cases"] += 1
        columns = None
        if case.barred:
            columns = np.arange(2 * table.n_features)
            search = self._barred_search(case.barred, own, others)
        else:
            task = replace(self.task, rows=replace(rows, own=own, others=others))
            search = search_for(task)
        schedule.run([search], budget, lambda _: None, n_jobs)
        self.counts.update(search.counts())
        bodies = search.best() if search.upper_bound >= search.lower_bound else []
        if columns is not None:
            bodies = [[code >> 1 for code in body] for body in bodies]
        found = case.inside | {tuple(sorted(body)) for body in bodies}
        return found, fixed + search.lower_bound, search.proved

    def _barred_search(
        self, barred: Bodies, own: NDArray[np.int64], others: NDArray[np.int64]
    ) -> schedule.Search:
        """Return a search in which each literal has a column, with one prohibitive row per barred rule."""
        table, usable = self.problem.table, self.task.rows.usable
        literals = np.empty((table.n_rows + len(barred), 2 * table.n_features), bool)
        literals[: table.n_rows, 0::2] = ~table.matrix
        literals[: table.n_rows, 1::2] = table.matrix
        for place, body in enumerate(sorted(barred), table.n_rows):
            literals[place] = False
            literals[place, list(body)] = True
        allowed = np.zeros((2 * table.n_features, 2), bool)
        allowed[:, 1] = usable.reshape(-1)
        prohibitive = self.cost + 1
        return kernels.SparseSolver(
            pack_columns(literals),
            allowed,
            np.append(own, np.zeros(len(barred), np.int64)),
            np.append(others, np.full(len(barred), prohibitive, np.int64)),
            self.task.rule_cost,
            self.task.literal_cost,
            self.task.tuning,
        )

    def _children(self, case: _Case, body: tuple[int, ...]) -> Iterator[_Case]:
        """Yield the cases of a case whose best set contains a rule that must not be in."""
        if not any(set(one) <= set(body) for one in case.inside):
            yield replace(case, barred=case.barred | {body})
        settled = self._covered(case.inside)
        for length in range(len(body)):
            for general in itertools.combinations(body, length):
                if self._may_be_in(general, case, settled):
                    yield replace(case, inside=case.inside | {general})

    def _may_be_in(self, body: tuple[int, ...], case: _Case, settled: NDArray[np.bool_]) -> bool:
        """Return whether a set of the case with this rule may be better than those of the other cases."""
        rule = CodedRule(self.target, body)
        if body in self.out or not admissible(self.problem.table, self.problem.constraints, rule):
            return False
        if any(set(body) <= set(other) for other in case.barred):
            return False
        rows = self.task.rows
        covered = self._covered(frozenset([body]))
        if int(rows.own[covered & ~settled].sum()) <= self.problem.rule_price(len(body)):
            return False
        for literal in body:
            shorter = tuple(code for code in body if code != literal)
            more = self._covered(frozenset([shorter])) & ~covered
            if shorter not in self.out and int(rows.others[more].sum()) <= self.task.literal_cost:
                return False
        return True
