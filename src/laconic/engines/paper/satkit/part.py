"""A part of a problem that is searched independently: one class, or all classes together.

Separated models (Section 3.3) split a problem into one part per class, whose costs and bounds add up. An
aggregated or joint model has a single part. A part holds its incumbent and the best lower bound proved so
far.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np

from laconic.engines.api import Recorder
from laconic.engines.incumbent import incumbent
from laconic.engines.paper.satkit.view import SearchView, class_view, joint_view
from laconic.problem.coded import CodedRule, packed_cover, unpacked
from laconic.problem.objective import Problem, cost
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError, UnsoundSolutionError


@dataclass(eq=False)
class ProblemPart:
    """A part of a problem, and the state of its search.

    Attributes
    ----------
    view : SearchView
        The rows and literals of the search. The view is made on first use, because that takes time on a large
        table and a search whose time is up does not need it.
    base : int
        Cost of the unavoidable errors.
    """

    problem: Problem
    targets: tuple[int, ...]
    make_view: Callable[[], SearchView]
    base: int
    rules: list[CodedRule]
    lower_bound: int
    on_change: Callable[[], None] = lambda: None
    cost: int = field(init=False)

    def __post_init__(self) -> None:
        start = self.price(self.rules)
        assert start is not None
        self.cost = start

    @cached_property
    def view(self) -> SearchView:
        """The view, made on first use."""
        return self.make_view()

    @property
    def solved(self) -> bool:
        """Whether the incumbent is proved optimal."""
        return self.lower_bound >= self.cost

    @property
    def must_have_a_rule(self) -> bool:
        """Whether the empty set is inadmissible."""
        return self.problem.hard or self.problem.objective.every_class

    def price(self, rules: Sequence[CodedRule]) -> int | None:
        """Return the cost of the rules in this part, or ``None`` if they are inadmissible."""
        problem = self.problem
        if self.targets == problem.classes:
            return cost(problem, rules)
        (target,) = self.targets
        if problem.objective.every_class and not rules:
            return None
        weights = problem.table.weights
        packed = np.zeros(problem.table.bits.shape[1], np.uint64)
        for rule in rules:
            packed |= packed_cover(rule, problem.table)
        covered = unpacked(packed, problem.table)
        own = weights[:, target]
        if problem.objective.every_class and not own[covered].any():
            return None
        wrong = int(np.where(covered, weights.sum(axis=1) - own, own).sum())
        if problem.hard and wrong:
            return None
        return problem.error_cost * wrong + sum(problem.rule_price(len(rule.literals)) for rule in rules)

    def offer(self, rules: Sequence[CodedRule]) -> None:
        """Take rules as the incumbent if they are better, after dropping every rule that does not pay."""
        rules = list(dict.fromkeys(rule for rule in rules if _is_conjunction(rule)))
        value = self.price(rules)
        if value is None:
            return
        for rule in sorted(rules, key=lambda rule: -rule.size):
            fewer = [other for other in rules if other != rule]
            shorter = self.price(fewer)
            if shorter is not None and shorter <= value:
                rules, value = fewer, shorter
        if value < self.cost:
            self.rules, self.cost = rules, value
            self.on_change()

    def accept(self, rules: Sequence[CodedRule], claimed: int) -> None:
        """Take the rules of a formula's optimum; raise an error unless they cost what the formula says."""
        if self.price(rules) != claimed:
            raise UnsoundSolutionError(
                f"the formula's optimum is {claimed}, but its rules cost {self.price(rules)} "
                "(please report this table)"
            )
        self.offer(rules)

    def claim(self, lower_bound: int) -> None:
        """Take a bound on all sets; raise an error if the incumbent costs less."""
        if lower_bound > self.cost:
            raise UnsoundSolutionError(
                f"a set of cost {self.cost} is in hand, but the bound says {lower_bound} "
                "(please report this table)"
            )
        self.prove(lower_bound)

    def prove(self, lower_bound: int) -> None:
        """Take a bound on all sets other than the incumbent, if it is better than the current one."""
        if lower_bound > self.lower_bound:
            self.lower_bound = min(lower_bound, self.cost)
            self.on_change()


def split(
    problem: Problem, budget: Budget, recorder: Recorder, *, separated: bool, warm_start: bool
) -> list[ProblemPart]:
    """Return the parts of a problem, each with a valid incumbent and the trivial bound.

    The incumbent is greedy, or trivial for a cold start of a sparse problem.
    """
    if not separated and problem.separable and not problem.hard:
        raise InputError(
            "separated=False has no model for counting='per_class', whose classes are independent; "
            "leave it out, or use counting='per_row'"
        )
    if warm_start or problem.hard:
        first = incumbent(problem, budget.part(0.2))
    else:
        first = [CodedRule.of(c, ()) for c in problem.classes] if problem.objective.every_class else []
    if separated and problem.separable:
        parts = [
            _class_part(problem, c, [rule for rule in first if rule.target == c], budget)
            for c in problem.classes
        ]
    else:
        parts = [_joint_part(problem, first)]

    def report() -> None:
        recorder.report(sum(part.cost for part in parts), sum(part.lower_bound for part in parts))

    for part in parts:
        part.on_change = report
    report()
    return parts


def total_counts(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Add up the work of all parts."""
    total: dict[str, int] = {}
    for one in counts:
        for name, value in one.items():
            total[name] = total.get(name, 0) + value
    return total


def _class_part(problem: Problem, target: int, rules: list[CodedRule], budget: Budget) -> ProblemPart:
    weights = problem.table.weights
    own = weights[:, target]
    base = problem.error_cost * int(np.minimum(own, weights.sum(axis=1) - own).sum())
    bound = base + (problem.rule_price(0) if problem.hard or problem.objective.every_class else 0)
    view = partial(_view_in_time, problem, target, budget)
    return ProblemPart(problem, (target,), view, base, rules, bound)


def _view_in_time(problem: Problem, target: int, budget: Budget) -> SearchView:
    return class_view(problem, target, budget.remaining())


def _joint_part(problem: Problem, rules: list[CodedRule]) -> ProblemPart:
    weights = problem.table.weights
    base = problem.error_cost * int((weights.sum(axis=1) - weights.max(axis=1)).sum())
    bound = base + (problem.rule_price(0) * len(problem.classes) if problem.hard else 0)
    return ProblemPart(problem, problem.classes, partial(joint_view, problem), base, rules, bound)


def _is_conjunction(rule: CodedRule) -> bool:
    features = [code >> 1 for code in rule.literals]
    return len(set(features)) == len(features)
