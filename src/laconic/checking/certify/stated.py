"""The integers of a certificate under constraints, budgets and other measures, from the user's words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from laconic.checking.certify.certificate import Certificate, malformed
from laconic.checking.recheck import objective_of
from laconic.data.table import Table
from laconic.data.words import as_fraction
from laconic.model.decision_set import DecisionSet
from laconic.model.proof import Proof
from laconic.problem.constraints.compiled import Prices
from laconic.problem.constraints.constraints import Constraints
from laconic.problem.constraints.translate import compiled_constraints
from laconic.problem.objective import Counting, Default, Kind, Objective, Problem
from laconic.problem.parts import Part
from laconic.runtime.errors import InputError


def stated_problem(model: DecisionSet, proof: Proof, table: Table) -> tuple[Problem, Problem | None]:
    """Return the constrained problem that a model answers; with a budget alone also the one without it."""
    return _problems(model, objective_of(proof), proof.constraints or Constraints(), table)


def _problems(
    words: DecisionSet, objective: Objective, constraints: Constraints, table: Table
) -> tuple[Problem, Problem | None]:
    compiled = compiled_constraints(
        constraints,
        table,
        words.features,
        words.columns,
        np.array(words.classes, dtype=words.label_dtype),
        objective=objective.kind.value,
        per_row=objective.counting is Counting.PER_ROW,
        finer=objective.finer,
    )
    return Problem.of(table, objective, compiled), None if constraints else Problem.of(table, objective)


def stated(problem: Problem, plain: Problem | None = None) -> dict[str, Any]:
    """Return the constraints of a problem in integers, in the format of a certificate.

    ``plain`` is given where there is only a budget: the problem without constraints, whose weights the cost
    has.
    """
    compiled, pricing = problem.constraints, problem.pricing
    unit = math.lcm(*(factor.denominator for factor in compiled.class_factor))
    used, column_of = np.unique(compiled.column_of, return_inverse=True)
    faults = pricing.levels[pricing.faults]
    weights = [part.weight for part in parts_of(problem, plain)]
    limits = pricing.limits or (None,) * len(weights)
    return {
        "factors": [int(factor * unit) for factor in compiled.class_factor],
        "unusable": [np.flatnonzero(~usable.ravel()).tolist() for usable in compiled.usable],
        "columns": column_of.ravel().tolist(),
        "missed": faults.missed.tolist(),
        "claimed": faults.of_all_claims(np.eye(len(faults.missed), dtype=np.int64)).tolist(),
        "levels": [
            _level(prices, weight, limit, used, errors=not problem.hard and k == pricing.faults)
            for k, (prices, weight, limit) in enumerate(zip(pricing.levels, weights, limits, strict=True))
        ],
        **{
            name: getattr(compiled, name)
            for name in ("max_rules", "max_rule_length", "max_literals", "max_size")
        },
        "required": [sorted(group) for group in compiled.required],
        "rules_in": sorted([rule.target, *rule.literals] for rule in compiled.rules_in),
        "rules_out": sorted([rule.target, *rule.literals] for rule in compiled.rules_out),
        "disjoint": compiled.disjoint,
        "min_precision": [compiled.min_precision.numerator, compiled.min_precision.denominator],
        "min_support": max(1, compiled.min_support),  # a rule that covers no row costs, and saves nothing
    }


def parts_of(problem: Problem, plain: Problem | None = None) -> tuple[Part, ...]:
    """Return the names of the levels of a problem with constraints, their weights and units."""
    parts = problem.pricing.parts
    if plain is None:
        return parts
    costs = plain.error_cost, plain.literal_cost
    return tuple(replace(part, weight=cost) for part, cost in zip(parts, sorted(costs)[::-1], strict=True))


def _level(
    prices: Prices, weight: int, limit: int | None, used: np.ndarray[Any, Any], *, errors: bool
) -> dict[str, Any]:
    return {
        "weight": weight,
        "errors": int(errors),
        "rule": prices.rule,
        "literals": prices.literal.tolist(),
        "columns": prices.column[used].tolist(),
        "longest": prices.longest,
        "explained": prices.explained,
        "limit": limit,
    }


def stated_by(certificate: Certificate, table: Table) -> tuple[dict[str, Any], tuple[Part, ...]]:
    """Return the integers for the words of a certificate on a table, and the parts of its cost.

    Without constraints and without a budget the cost is not split into parts.
    """
    content = certificate.content
    try:
        constraints, objective = Constraints.from_document(content.get("constraints")), objective_in(content)
        if not constraints and not objective.has_budget:  # the proof is for all classes together
            return stated(Problem.of(table, objective)), ()
        problems = _problems(certificate.words, objective, constraints, table)
        return stated(*problems), parts_of(*problems)
    except (InputError, TypeError, ValueError, OverflowError) as error:
        raise malformed(f"its constraints or its budget cannot be translated ({error})") from None


def objective_in(content: Mapping[str, Any]) -> Objective:
    """Return the objective that a certificate names; refuse anything else."""
    share, size, errors = (content.get(key) for key in ("regularization", "size_budget", "max_errors"))
    for limit, kinds in ((size, (int,)), (errors, (int, float))):
        if limit is not None and type(limit) not in kinds:
            raise InputError("its budget is not a number")
    regularization = 0.05
    if share is not None:
        top, bottom = share
        if type(top) is not int or type(bottom) is not int or bottom < 1:
            raise InputError("its regularization is not a fraction")
        regularization = top / bottom
        if as_fraction(regularization) != Fraction(top, bottom):
            raise InputError("its regularization has more digits than a certificate of laconic")
    return Objective(
        Kind(content.get("objective")),
        regularization,
        Counting(content.get("counting")),
        content.get("every_class") is True,
        size,
        errors,
        Default.EXPLAINED if content.get("otherwise") is None else Default.OTHERWISE,
    )
