"""The problem that an objective and constraints, both in words, state for a training table."""

from __future__ import annotations

from laconic.data.training import TrainingTable
from laconic.problem.constraints.constraints import Constraints
from laconic.problem.objective import Counting, Objective, Problem


def both_problems(
    training: TrainingTable, searched: TrainingTable, objective: Objective, constraints: Constraints | None
) -> tuple[Problem, Problem]:
    """Return the problem on a training table, and on the same table in another order of its columns."""
    problem = problem_of(training, objective, constraints)
    if searched is training:
        return problem, problem
    if not constraints:
        return problem, problem.reordered(searched.table)
    return problem, problem_of(searched, objective, constraints)


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
