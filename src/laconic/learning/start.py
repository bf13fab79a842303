"""A known decision set as the start of a search on its training table with some rows added."""

from __future__ import annotations

from laconic.checking.recheck import objective_of
from laconic.data.table import table_digest
from laconic.data.training import TrainingTable
from laconic.engines.warm import Start, inherited_bound
from laconic.model.decision_set import DecisionSet
from laconic.problem.constraints.constraints import Constraints
from laconic.problem.objective import Kind, Objective, Problem
from laconic.runtime.errors import InputError


def start_from(
    model: DecisionSet,
    old: TrainingTable,
    new: TrainingTable,
    objective: Objective,
    constraints: Constraints | None = None,
) -> Start:
    """Return a model as the start of a search on its training table with some rows added."""
    proof = model.proof
    if proof is None:
        raise InputError("this model has no proof facts to start from; save one from a fitted classifier")
    if table_digest(old.table) != proof.table_digest:
        raise InputError("these are not the rows that the model was trained on; name those saved with it")
    if proof.constraints is not None or constraints or objective.needs_choice:
        return Start(proof.rules)  # constraints can change with the data, so no bound is inherited
    problem = Problem.of(old.table, objective)
    before = objective_of(proof)
    # Only sparse objectives use λ and the counting.
    alike = before.kind is objective.kind is not Kind.SPARSE and before.default is objective.default
    same = before == objective or alike
    bound = proof.lower_bound if same else 0
    return Start(proof.rules, inherited_bound(problem, bound, Problem.of(new.table, objective)))
