"""The only cost function, in integers.

Every objective of the paper and its rivals is one linear form,

    cost = error_cost * errors + literal_cost * literals + rule_cost * rules,

with integer coefficients, over either all rows (sparse) or, when errors must be minimum (``hard``), the
rows reduced to their heaviest class. λ enters once, as an exact fraction; nothing after this module sees
a float, so a bound that equals a cost is a proof.

================================  ==========  ============  ==========  ====
objective                         error_cost  literal_cost  rule_cost   hard
================================  ==========  ============  ==========  ====
sparse                            1           Λ = ⌈λM⌉      Λ           no
sparse, every_class               q           p             p           no
perfect                           (0)         1             1           yes
min_rules                         (0)         0             1           yes
min_rules_then_literals           (0)         1             W           yes
sparse, priced by rules           W           1             ΛW          no
same, every_class                 qW          1             pW          no
sparse, size at most k            k + 1       1             1           no
sparse, errors at most E          1           E + 1         E + 1       no
================================  ==========  ============  ==========  ====

``every_class`` is the authors' prototype: exact λM = p/q without a ceiling, contradicting rows reduced
to the majority first, at least one rule per class that has rows. W exceeds the literals of any sensible
set (one rule per row, every feature in it), so rules and errors come first. The two lines by rules are the
paper's mds2*[ρ], for comparison: `Problem.priced_by_rules`; the last two, under a budget instead of a
price, are lexicographic: the fewest errors first and then the smallest size, or the other way round.

What is an error depends on what decides about rows that no rule covers (`Default`). Counted per class:

==================================  =====================  ====================================
what                                default="explained"    default="otherwise", which gives d
==================================  =====================  ====================================
a row that no rule of its class     1 error                1 error, or none if its class is d
covers
a row that rules of other classes   1 error per class      1 error per class
cover
rules                               those of the set       those of the set, and the line
admissible                          every set              sets without rules of some class
                                                           that has rows
==================================  =====================  ====================================

The OTHERWISE line is a rule without literals, whatever the objective: it costs ``rule_cost``, is counted in
``size_budget``, and there is exactly one. d is the class without rules whose rows it would cost most to miss,
the heaviest for short (the first of equals): no other choice of d costs less. So the optimum is the line plus
the least, over d, of the sum of the other classes' own optima: all optima together, less the largest
(`Problem.total`). Of equal optima, the one whose d is heaviest is taken.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from functools import cached_property

import numpy as np

from laconic.data.table import Table
from laconic.data.words import about, as_fraction, exact_fraction, plain
from laconic.problem.coded import CodedRule
from laconic.problem.constraints.compiled import CompiledConstraints, Prices, Pricing
from laconic.problem.constraints.evaluate import broken, coverage, level_value, measure_value
from laconic.problem.constraints.prices import budget_pricing, merged_levels, pricing
from laconic.problem.parts import taken_apart
from laconic.runtime.errors import InputError


class Kind(Enum):
    """What is minimised."""

    SPARSE = "sparse"
    PERFECT = "perfect"
    MIN_RULES = "min_rules"
    MIN_RULES_THEN_LITERALS = "min_rules_then_literals"


class Counting(Enum):
    """How a sparse objective counts the errors of a row."""

    PER_CLASS = "per_class"
    PER_ROW = "per_row"


class Default(Enum):
    """What decides about rows that no rule covers."""

    EXPLAINED = "explained"  # nothing in the set: every class is explained by rules of its own
    OTHERWISE = "otherwise"  # a rule of the set, which gives them a class without other rules


LARGEST_INTEGER = 2**60
"""The largest integer of an objective: sums of a few of them fit 64 bits. Engines may ask for less."""

_MEASURES = {Kind.MIN_RULES: ("rules",), Kind.MIN_RULES_THEN_LITERALS: ("rules", "literals")}

LARGEST_BUDGET = 20_000
"""Maximum of `Objective.size_budget`: the front keeps a number for every size."""


@dataclass(frozen=True, slots=True)
class Objective:
    """The objective as the user states it.

    Attributes
    ----------
    kind : Kind
    regularization : float or None
        λ: what one unit of size costs, as a share of the total weight. Sparse only. None leaves the choice to
        `laconic.learning.choose`; no problem can be stated before it is made.
    counting : Counting
        Sparse only: per class (the paper's separated models) or per row (its joint model).
    every_class : bool
        Sparse, per class only: for each class at least one rule that covers a row of it; the authors'
        prototype also takes rules that cover none.
    size_budget : int or None
        Sparse, per class only: the fewest errors within this size, whatever λ says.
    max_errors : float or None
        Sparse, per class only: the smallest size within errors of this weight, in the user's units.
    default : Default
        What decides about rows that no rule covers. OTHERWISE is not for errors per row and `every_class`.
    has_budget : bool
        Whether size or errors are limited, instead of being traded against each other.
    needs_choice : bool
        Whether λ matters and is still to be chosen.
    """

    kind: Kind = Kind.SPARSE
    regularization: float | None = 0.05
    counting: Counting = Counting.PER_CLASS
    every_class: bool = False
    size_budget: int | None = None
    max_errors: float | None = None
    default: Default = Default.EXPLAINED
    has_budget: bool = field(init=False, repr=False, compare=False, default=False)
    needs_choice: bool = field(init=False, repr=False, compare=False, default=False)

    def __post_init__(self) -> None:
        budget = self.size_budget is not None or self.max_errors is not None
        object.__setattr__(self, "has_budget", budget)
        choice = self.kind is Kind.SPARSE and not budget and self.regularization is None
        object.__setattr__(self, "needs_choice", choice)
        if self.default is Default.OTHERWISE:
            self._check_otherwise()
        if self.has_budget:
            self._check_budget()
        price = 1.0 if self.regularization is None else self.regularization
        if self.kind is Kind.SPARSE and not 0 < price < math.inf:
            raise InputError(f"regularization must be a positive number, not {self.regularization!r}")
        if self.every_class and (self.kind is not Kind.SPARSE or self.counting is not Counting.PER_CLASS):
            raise InputError("every_class=True needs objective='sparse' and counting='per_class'")

    @property
    def finer(self) -> int:
        """Factor on all costs that may be needed to make Λ whole where it is not rounded up."""
        return as_fraction(self.regularization).denominator if self.every_class and self.regularization else 1

    def _check_otherwise(self) -> None:
        if self.every_class:
            raise InputError(
                "default='otherwise' and every_class=True exclude each other; leave one of them out"
            )
        if self.kind is Kind.SPARSE and self.counting is not Counting.PER_CLASS:
            raise InputError("default='otherwise' needs counting='per_class'; leave one of them out")
        if self.size_budget is not None and self.size_budget < 1:
            raise InputError(
                f"size_budget must be at least 1 with default='otherwise', not {self.size_budget}: "
                "the OTHERWISE rule counts"
            )

    def _check_budget(self) -> None:
        if self.size_budget is not None and self.max_errors is not None:
            raise InputError("size_budget and max_errors exclude each other; give one of them")
        name = "size_budget" if self.max_errors is None else "max_errors"
        if self.kind is not Kind.SPARSE or self.counting is not Counting.PER_CLASS:
            raise InputError(
                f"{name} needs objective='sparse' and counting='per_class'; leave one of them out"
            )
        if self.every_class:
            raise InputError(f"{name} and every_class=True exclude each other; leave one of them out")
        if self.size_budget is not None and not 0 <= self.size_budget <= LARGEST_BUDGET:
            raise InputError(
                f"size_budget must be a whole number from 0 to {LARGEST_BUDGET}, not {self.size_budget}"
            )
        if self.max_errors is not None and not 0 <= self.max_errors < math.inf:
            raise InputError(f"max_errors must be a number of at least 0, not {self.max_errors}")


@dataclass(frozen=True, eq=False)
class Problem:
    """A table and the cost to minimise on it: the only input of an engine.

    Attributes
    ----------
    table : Table
        The rows the engine must explain. For ``hard`` objectives and ``every_class`` they are already
        reduced to their heaviest class.
    objective : Objective
    constraints : CompiledConstraints
        What the set has to respect besides; often nothing.
    pricing : Pricing
        What a set costs, level by level.
    unavoidable : int
        Weight of the contradicting samples removed by the reduction: errors of every decision set,
        not part of the cost.
    """

    table: Table
    objective: Objective
    constraints: CompiledConstraints
    pricing: Pricing
    unavoidable: int

    def __post_init__(self) -> None:
        largest = max(self.error_cost * self.table.total_weight, self.rule_price(self.table.n_features))
        if largest > LARGEST_INTEGER:
            raise InputError(
                f"the objective's integers reach {about(largest)}, beyond exact arithmetic; "
                f"use a regularization nearer to 1, or fewer digits in it and in sample_weight"
            )

    @classmethod
    def of(
        cls, table: Table, objective: Objective, constraints: CompiledConstraints | None = None
    ) -> Problem:
        """State the objective in integers for this table."""
        sparse = objective.kind is Kind.SPARSE
        factors = None if constraints is None else constraints.class_factor
        used = table if sparse and not objective.every_class else table.reduced_to_majority(factors)
        if constraints is None:
            constraints = CompiledConstraints.nothing(used, _MEASURES.get(objective.kind, ("size",)))
        elif objective.default is Default.OTHERWISE and constraints.ties:
            tie = constraints.ties[0]
            if objective.kind in _MEASURES:
                tie = f"constraints under objective={objective.kind.value!r}"
            raise InputError(f"default='otherwise' cannot be combined with {tie}; leave one of them out")
        if objective.has_budget:
            most = objective.max_errors
            prices = budget_pricing(
                used, constraints, objective.size_budget, None if most is None else exact_fraction(most)
            )
        else:
            if sparse and objective.regularization is None:
                raise ValueError("λ has not been chosen yet")
            price = as_fraction(objective.regularization) if objective.regularization and sparse else None
            prices = pricing(used, constraints, price, ceiling=not objective.every_class)
        if constraints.any_set and not objective.has_budget:
            prices = merged_levels(prices)
        return cls(used, objective, constraints, prices, table.total_weight - used.total_weight)

    def reordered(self, table: Table) -> Problem:
        """Return the same problem on a table with its features and rows in another order.

        Only for problems without constraints: their costs do not depend on the order.
        """
        used = table.reduced_to_majority() if self.hard or self.objective.every_class else table
        constraints = CompiledConstraints.nothing(used, self.constraints.measure)
        return replace(self, table=used, constraints=constraints)

    @classmethod
    def priced_by_rules(cls, table: Table, objective: Objective) -> Problem:
        """State a sparse objective whose price is per rule; fewer literals only break ties.

        ``objective.regularization`` is then the ρ of the paper's mds2*[ρ].
        """
        if objective.kind is not Kind.SPARSE:
            raise InputError(f"only objective='sparse' can be priced by rules, not {objective.kind.value!r}")
        if objective.counting is not Counting.PER_CLASS:
            # No model of it exists, and the exact engine's joint search takes errors to cost 1.
            raise InputError("a price by rules needs counting='per_class'")
        by_size = cls.of(table, objective)
        more = table.n_rows * table.n_features + 1
        level = by_size.pricing.levels[0].with_errors(more)
        level = replace(level, rule=level.rule * more, literal=np.ones_like(level.literal))
        part = replace(by_size.pricing.parts[0], unit=by_size.pricing.parts[0].unit * more)
        prices = replace(
            by_size.pricing,
            levels=(level,),
            parts=(part,),
            error_cost=by_size.error_cost * more,
            literal_cost=1,
            rule_cost=level.rule,
        )
        return replace(by_size, pricing=prices)

    @cached_property
    def error_cost(self) -> int:
        """Cost of an error of weight 1, if all errors have the same price."""
        return self.pricing.error_cost

    @cached_property
    def literal_cost(self) -> int:
        """Cost of a literal, if all literals have the same price."""
        return self.pricing.literal_cost

    @cached_property
    def rule_cost(self) -> int:
        """Cost of a rule without literals."""
        return self.pricing.rule_cost

    @cached_property
    def hard(self) -> bool:
        """Whether every row must be classified right (errors are minimum), so that only size is paid."""
        return self.objective.kind is not Kind.SPARSE

    @cached_property
    def separable(self) -> bool:
        """Whether the classes are independent problems."""
        return self.hard or self.objective.counting is Counting.PER_CLASS

    @cached_property
    def classes(self) -> tuple[int, ...]:
        """Class numbers that have rows in the (reduced) table: those an engine works on."""
        return tuple(np.flatnonzero(self.table.weights.any(axis=0)).tolist())

    @cached_property
    def otherwise(self) -> bool:
        """Whether a class without rules gets the rows that no rule covers, by a rule of the set."""
        return self.objective.default is Default.OTHERWISE

    @cached_property
    def heaviest_first(self) -> tuple[int, ...]:
        """The classes by the cost of missing all their rows, the highest first; equals by number."""
        weights = self.table.weights.sum(axis=0)
        if not self.hard:
            weights = weights * self.pricing.levels[self.pricing.faults].missed
        return tuple(sorted(self.classes, key=lambda c: (-int(weights[c]), c)))

    def total(self, values: Collection[int]) -> int:
        """Return the cost of a decision set from the costs of its classes, or a bound from their bounds.

        With an OTHERWISE line the largest does not count, unless one class is not among them already.
        """
        if not self.otherwise:
            return sum(values)
        largest = max(values) if len(values) == len(self.classes) else 0
        return sum(values) - largest + self.rule_price(0)

    def in_user_units(self, cost: int) -> int | Fraction:
        """Return a cost in the user's units: what is minimised first."""
        return plain(next(taken_apart(self.pricing.parts, cost, 0)).value)

    def measures(self, rules: Sequence[CodedRule]) -> tuple[tuple[str, Fraction], ...]:
        """Return the measures that constraints keep small, in their order, and the values of some rules."""
        constraints = self.constraints
        if constraints.any_set:
            return ()
        unit = {"average_length": max(1, self.table.total_weight)}
        line = int(self.otherwise)  # then the only measure is the size
        values = (
            (name, measure_value(self.table, constraints, name, rules) + line) for name in constraints.measure
        )
        return tuple((name, Fraction(value, unit.get(name, 1))) for name, value in values)

    def budget_cost(self, errors: int, size: int) -> int:
        """Return the cost of a set with these errors, in integers, and this size, where that is all of it."""
        assert len(self.pricing.levels) == 2
        first, second = (errors, size) if self.pricing.faults == 0 else (size, errors)
        return self.pricing.levels[0].weight * first + self.pricing.levels[1].weight * second

    @property
    def most_errors(self) -> int:
        """The largest integer weight of errors that ``max_errors`` allows."""
        limit = self.pricing.limits[self.pricing.faults]
        assert limit is not None
        return limit

    @property
    def error_unit(self) -> Fraction:
        """Integers of errors per unit of the user's weights."""
        return self.pricing.parts[self.pricing.faults].unit

    @property
    def weight_of_all(self) -> int:
        """Cost of one error on every row, in integers: λ is a share of this."""
        return self.pricing.all_rows

    def rule_price(self, n_literals: int) -> int:
        """Return the price of a rule with this number of literals."""
        return self.rule_cost + self.literal_cost * n_literals


def otherwise_class(problem: Problem, rules: Sequence[CodedRule]) -> int | None:
    """Return the class that the OTHERWISE line of these rules gives; None if there is no such line."""
    if not problem.otherwise:
        return None
    with_rules = {rule.target for rule in rules}
    return next((c for c in problem.heaviest_first if c not in with_rules), None)


def errors(problem: Problem, rules: Sequence[CodedRule]) -> int:
    """Return the weight of the errors, counted as the objective defines."""
    table = problem.table
    covered = coverage(table, rules)
    if problem.separable:
        missed = table.weights.copy()
        missed[:, _not_missed(problem, rules)] = 0
        return int(np.where(covered, table.row_weights[:, None] - table.weights, missed).sum())
    by_others = covered.sum(axis=1, keepdims=True) - covered > 0
    return int(np.where(~covered | by_others, table.weights, 0).sum())


def _not_missed(problem: Problem, rules: Sequence[CodedRule]) -> list[int]:
    """Return the classes whose rows need no rule."""
    target = otherwise_class(problem, rules)
    return [] if target is None else [target]


def cost(problem: Problem, rules: Sequence[CodedRule]) -> int | None:
    """Return the integer cost of a set of rules, or ``None`` if the objective does not admit it."""
    if problem.otherwise and otherwise_class(problem, rules) is None:
        return None
    if problem.hard and errors(problem, rules):
        return None
    if problem.objective.every_class and not every_class_has_a_rule(problem, rules):
        return None
    if not problem.constraints.any_set and broken(problem.table, problem.constraints, rules) is not None:
        return None
    levels, values = level_values(problem, rules)
    if problem.pricing.exceeded(values) is not None:
        return None
    return sum(level.weight * value for level, value in zip(levels, values, strict=True))


def every_class_has_a_rule(problem: Problem, rules: Sequence[CodedRule]) -> bool:
    """Return whether each class has a rule that covers a row of it.

    Under constraints every rule does but for those that the user has put in, which count as well.
    """
    if not problem.constraints.any_set:
        return {rule.target for rule in rules} >= set(problem.classes)
    covered = coverage(problem.table, rules)
    own = covered & (problem.table.weights > 0)
    return bool(own[:, list(problem.classes)].any(axis=0).all())


def level_values(problem: Problem, rules: Sequence[CodedRule]) -> tuple[tuple[Prices, ...], list[int]]:
    """Return the levels of a problem, and the cost of the rules at each."""
    levels, table = problem.pricing.levels, problem.table
    per_row = not problem.separable
    values = [level_value(table, problem.constraints, one, rules, per_row=per_row) for one in levels]
    for c in _not_missed(problem, rules):
        weight = int(table.weights[:, c].sum())
        values = [
            value + one.rule - weight * int(one.missed[c]) for one, value in zip(levels, values, strict=True)
        ]
    return levels, values


def trivial_bound(problem: Problem) -> int:
    """Return a lower bound that needs no search: one bare rule per class where a class must have a rule.

    The OTHERWISE line replaces one of them.
    """
    must_have_a_rule = problem.hard or problem.objective.every_class
    if not problem.constraints.any_set:
        return 0
    n_rules = len(problem.classes) if must_have_a_rule else int(problem.otherwise)
    return problem.rule_price(0) * n_rules
