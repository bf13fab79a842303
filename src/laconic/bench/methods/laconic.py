"""Laconic's own engines on binary rows, without the estimator."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from laconic.bench.methods.api import Limits, MethodAnswer, Training
from laconic.bench.rules import NeutralRule, RuleSet, binary_rule
from laconic.data.table import Table
from laconic.engines import registry
from laconic.engines.api import Solution, Status
from laconic.problem.objective import Counting, Kind, Objective, Problem


def run(
    training: Training,
    limits: Limits,
    *,
    engine: str,
    objective: str,
    regularization: float = 0.05,
    per_feature: bool = False,
    counting: str = "per_class",
    every_class: bool = False,
    priced_by_rules: bool = False,
    engine_options: Mapping[str, Any] | None = None,
) -> MethodAnswer:
    """Learn a decision set with one engine.

    Parameters
    ----------
    training, limits
    engine : str
        A name in `laconic.engines.registry`.
    objective, regularization, counting, every_class
        As for `DecisionSetClassifier`.
    per_feature : bool
        Whether to divide the regularization by the number of features (the paper's ρ).
    priced_by_rules : bool
        For sparse objectives: whether the regularization is the price of a rule, and literals only break
        ties.
    engine_options : mapping, optional
    """
    budget = limits.budget()
    start = time.monotonic()
    price = regularization / max(1, len(training.names)) if per_feature else regularization
    table = Table.from_arrays(
        training.matrix, training.labels, n_classes=len(training.classes), allowed=training.allowed
    )
    wanted = Objective(Kind(objective), price, Counting(counting), every_class)
    problem = Problem.priced_by_rules(table, wanted) if priced_by_rules else Problem.of(table, wanted)
    registry.require_support(engine, problem)
    solve = registry.get(engine)
    ready = time.monotonic()
    solution = solve(problem, budget=budget, seed=limits.seed, options=engine_options or None)
    return MethodAnswer(
        rules=as_printed(training, problem, solution) if every_class else _stated(training, solution),
        optimal=solution.status is Status.OPTIMAL,
        cost=solution.cost,
        lower_bound=solution.lower_bound,
        seconds={"prepare": ready - start, "solve": time.monotonic() - ready},
        counts={**solution.counts, "distinct_rows": table.n_rows},
    )


def as_printed(training: Training, problem: Problem, solution: Solution) -> RuleSet:
    """Return the rules as the authors' prototype prints them.

    In the prototype every class has a rule, so a class that is not worth describing has the rule without
    literals. Of these rules only that of the heaviest class is printed, and it applies where no other rule
    does.
    """
    bare = [rule.target for rule in solution.rules if not rule.literals]
    weight = problem.table.weights.sum(axis=0)
    default = max(bare, key=lambda c: (weight[c], -c)) if bare else None
    rules = tuple(rule for rule in _stated(training, solution).rules if rule.conditions)
    return RuleSet(rules, None if default is None else training.classes[default])


def _stated(training: Training, solution: Solution) -> RuleSet:
    def stated(target: int, literals: tuple[int, ...]) -> NeutralRule:
        pairs = [(code >> 1, bool(code & 1)) for code in literals]
        return binary_rule(training.names, pairs, training.classes, target)

    return RuleSet(tuple(stated(rule.target, rule.literals) for rule in solution.rules))
