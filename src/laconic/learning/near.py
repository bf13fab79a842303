"""The optimal and near-optimal decision sets, for a person to choose from.

`laconic.engines.enumeration.near` defines the sets: different rules, told apart by their conditions, whose
cost is within ε of the optimum, and from which nothing can be left out without more errors.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import pandas as pd

from laconic.data.labels import label_text
from laconic.data.training import TrainingTable
from laconic.data.words import as_fraction
from laconic.engines.api import Recorder, StopReason, conclude
from laconic.engines.enumeration import constrained
from laconic.engines.enumeration.near import best_sets, near_sets
from laconic.engines.separable import check_separable
from laconic.learning.learn import DEFAULT_ENGINE
from laconic.learning.model import model_of
from laconic.learning.name_order import NameOrder
from laconic.learning.near_budget import near_sets_within
from laconic.learning.problem import problem_of
from laconic.model.decision_set import DecisionSet
from laconic.problem.coded import CodedRule
from laconic.problem.constraints.constraints import Constraints
from laconic.problem.objective import Objective, Problem
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError


@dataclass(frozen=True)
class NearOptimalSets:
    """Decision sets by cost, then size, then rules.

    Attributes
    ----------
    costs : tuple of int or Fraction
        In the user's units, one per set.
    rules : tuple of tuple of CodedRule
        One entry per set.
    n_sets : int
        How many sets there are within the distance asked for; more than are listed if ``limit`` cut the list.
    complete : bool
        Whether these are proved to be all. If not, the search was stopped, and others may exist.
    """

    costs: tuple[int | Fraction, ...]
    rules: tuple[tuple[CodedRule, ...], ...]
    n_sets: int
    complete: bool
    _training: TrainingTable
    _problem: Problem
    _bound: int
    _constraints: Constraints | None = None

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[DecisionSet]:
        return (self[k] for k in range(len(self)))

    def __getitem__(self, index: int) -> DecisionSet:
        return self.model(index)

    def model(self, index: int) -> DecisionSet:
        """Return a set, with its cost and the proved bound."""
        if not -len(self) <= index < len(self):
            raise InputError(f"there is no set {index}; {len(self)} are listed, numbered from 0")
        solution = conclude(
            self._problem, self.rules[index], self._bound, StopReason.TIME, recorder=Recorder(Budget())
        )
        return model_of(self._training, self._problem, solution, DEFAULT_ENGINE, self._constraints)

    @property
    def models(self) -> tuple[DecisionSet, ...]:
        """All listed sets."""
        return tuple(self.model(k) for k in range(len(self)))

    @cached_property
    def _words(self) -> dict[int, str]:
        features = self._training.binarizer.features_
        codes = {code for rules in self.rules for rule in rules for code in rule.literals}
        return {
            c: side.text
            for c in sorted(codes)
            if (side := features[c >> 1].positive if c & 1 else features[c >> 1].negative) is not None
        }

    def importance(self) -> pd.DataFrame:
        """Return, for each condition, the share of the listed sets that use it, the most used first.

        A condition with share 1 is in every near-optimal set. One with a small share has substitutes.
        """
        used = Counter(
            code for rules in self.rules for code in {code for rule in rules for code in rule.literals}
        )
        features = self._training.binarizer.features_
        rows = [
            {
                "condition": self._words[code],
                "column": features[code >> 1].positive.column,
                "sets": times,
                "share": times / len(self),
            }
            for code, times in sorted(used.items(), key=lambda item: (-item[1], item[0]))
        ]
        return pd.DataFrame(rows, columns=["condition", "column", "sets", "share"])

    def to_frame(self) -> pd.DataFrame:
        """Return one line per set: cost, size, errors, rules in words."""
        return pd.DataFrame(
            [
                {
                    "cost": float(cost),
                    "size": sum(rule.size for rule in rules),
                    "n_rules": len(rules),
                    "rules": "; ".join(self._rule_text(rule) for rule in rules),
                }
                for cost, rules in zip(self.costs, self.rules, strict=True)
            ],
            columns=["cost", "size", "n_rules", "rules"],
        )

    def _rule_text(self, rule: CodedRule) -> str:
        conditions = " AND ".join(self._words[code] for code in rule.literals) or "TRUE"
        return f"IF {conditions} THEN {label_text(self._training.classes[rule.target])}"


def enumerate_sets(
    training: TrainingTable,
    objective: Objective,
    *,
    within: float = 0.0,
    best: int | None = None,
    limit: int = 1000,
    budget: Budget,
    seed: int = 0,
    n_jobs: int = 1,
    constraints: Constraints | None = None,
) -> NearOptimalSets:
    """List the optimal sets, those within a distance, or the best few, of a training table."""
    if best is not None and within:
        raise InputError("best and within exclude each other; give one of them")
    if best is not None and best < 1:
        raise InputError(f"best must be a whole number of at least 1, not {best}")
    if not 0 <= within < math.inf:
        raise InputError(f"within must be a number of at least 0, not {within}")
    if limit < 1:
        raise InputError(f"limit must be a whole number of at least 1, not {limit}")
    by_name = NameOrder.of(training)
    problem = problem_of(by_name.training, objective, constraints)
    if objective.has_budget:
        return _under_budget(
            training, by_name, problem, within, best, limit, budget, seed, n_jobs, constraints
        )
    if not problem.constraints.any_set:
        check_separable(problem, budget)
    by_class = problem.constraints.any_set or problem.constraints.by_class
    if by_class and problem.separable and not problem.objective.every_class:
        near, listing = near_sets, best_sets
    else:
        near, listing = constrained.near_sets, constrained.best_sets
    if best is None:
        found = near(problem, _integers(problem, within), limit, budget, seed, n_jobs)
    else:
        found = listing(problem, best, budget, seed, n_jobs)
    costs = tuple(problem.in_user_units(cost) for cost, _ in found.sets)
    rules = tuple(by_name.back(rules) for _, rules in found.sets)
    bound = found.optimum if found.complete else 0
    problem = problem_of(training, objective, constraints)
    return NearOptimalSets(costs, rules, found.n_sets, found.complete, training, problem, bound, constraints)


def _under_budget(
    training: TrainingTable,
    by_name: NameOrder,
    problem: Problem,
    within: float,
    best: int | None,
    limit: int,
    budget: Budget,
    seed: int,
    n_jobs: int,
    constraints: Constraints | None,
) -> NearOptimalSets:
    if best is not None:
        raise InputError("under a budget, sets are listed within a distance; give within instead of best")
    found = near_sets_within(problem, within, limit, budget, seed, n_jobs)
    costs = tuple(problem.in_user_units(cost) for cost, _ in found.sets)
    rules = tuple(by_name.back(rules) for _, rules in found.sets)
    problem = problem_of(training, problem.objective, constraints)
    bound = found.optimum if found.complete else 0
    return NearOptimalSets(costs, rules, found.n_sets, found.complete, training, problem, bound, constraints)


def _integers(problem: Problem, within: float) -> int:
    """Return a distance from the optimum in the integers of the cost."""
    return math.floor(as_fraction(within) * problem.pricing.unit) if within else 0
