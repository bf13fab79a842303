"""The problem that an objective and constraints, both in words, state for a training table."""

from __future__ import annotations

from laconic.data.training import TrainingTable
from laconic.problem.constraints.constraints import Constraints
from laconic.problem.objective import Counting, Objective, Problem


def problem_of(
    training: TrainingTable, objective: Objective, constraints: Constraints | None = None
) -> Problem:
    """Return the problem that an objective and constraints, if any, state for a training table."""
    if not constraints:
        return Problem.of(training.table, objective)
    from laconic.problem.constraints.translate import compiled_constraints

    compiled = compiled_constraints(
        constraints,
        training.table,
        training.binarizer.features_,
        training.columns,
        training.classes,
        objective=objective.kind.value,
        per_row=objective.counting is Counting.PER_ROW,
        finer=objective.finer,
    )
    return Problem.of(training.table, objective, compiled)
