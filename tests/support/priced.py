"""Problems with prices chosen by a test."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from laconic.problem.objective import Objective, Problem


def priced(table, error_cost=1, literal_cost=1, rule_cost=1):
    """Return a sparse problem whose errors, literals and rules cost what the test says."""
    problem = Problem.of(table, Objective())
    (level,) = problem.pricing.levels
    level = replace(
        level.with_errors(error_cost), rule=rule_cost, literal=np.full(table.n_features, literal_cost)
    )
    pricing = replace(
        problem.pricing,
        levels=(level,),
        error_cost=error_cost,
        literal_cost=literal_cost,
        rule_cost=rule_cost,
    )
    return replace(problem, pricing=pricing)
