"""A solution in the user's words: the decision set and its proof facts."""

from __future__ import annotations

from dataclasses import replace

from laconic import __version__
from laconic.data.table import Table, table_digest
from laconic.data.training import TrainingTable
from laconic.engines.api import Solution
from laconic.model.decision_set import DecisionSet
from laconic.model.decode import decode
from laconic.model.proof import Proof
from laconic.problem.constraints.constraints import Constraints
from laconic.problem.objective import Kind, Problem, errors, otherwise_class


def model_of(
    training: TrainingTable,
    problem: Problem,
    solution: Solution,
    engine: str,
    constraints: Constraints | None = None,
) -> DecisionSet:
    """Translate a solution into the user's words, with its proof facts."""
    proof = _proof(problem, solution, training.table, engine, constraints or None)
    model = decode(
        solution.rules,
        training.table,
        training.binarizer.features_,
        training.classes,
        training.columns,
        named=training.named,
        every_class=problem.objective.every_class,
        otherwise=proof.otherwise,
        proof=proof,
    )
    return replace(model, notes=(*training.notes, *problem.constraints.notes), history=solution.history)


def _proof(
    problem: Problem, solution: Solution, table: Table, engine: str, constraints: Constraints | None
) -> Proof:
    objective, pricing = problem.objective, problem.pricing
    return Proof(
        objective=objective.kind.value,
        counting=objective.counting.value,
        regularization=objective.regularization
        if objective.kind is Kind.SPARSE and not objective.has_budget
        else None,
        every_class=objective.every_class,
        error_cost=problem.error_cost,
        literal_cost=problem.literal_cost,
        rule_cost=problem.rule_cost,
        cost=solution.cost,
        lower_bound=solution.lower_bound,
        stop_reason=solution.stop_reason.value,
        errors=errors(problem, solution.rules),
        unavoidable_errors=problem.unavoidable,
        n_samples=table.n_samples,
        n_rows=table.n_rows,
        n_features=table.n_features,
        total_weight=table.total_weight,
        weight_scale=table.scale,
        engine=engine,
        version=__version__,
        table_digest=table_digest(table),
        rules=solution.rules,
        constraints=constraints,
        parts=() if problem.constraints.any_set else pricing.parts,
        measures=problem.measures(solution.rules),
        size_budget=objective.size_budget,
        max_errors=objective.max_errors,
        otherwise=otherwise_class(problem, solution.rules),
    )
