"""A saved model against its training data: recounted without trusting the engine that found it.

The table is rebuilt from the raw data with the model's own conditions and compared with the fingerprint
in the proof; errors and cost are recounted by the checker; the numbers shown beside the rules are
computed again. Only the lower bound is taken on trust, beyond the check that it does not exceed the cost: to
prove it again, solve again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from laconic.data.table import Table, integer_weights
from laconic.demands.translate import demands_of
from laconic.errors import InputError
from laconic.model.columns import view
from laconic.model.decision_set import DecisionSet
from laconic.model.decode import decode
from laconic.model.predict import literal_masks
from laconic.model.proof import Proof, table_digest
from laconic.model.targets import checked_labels
from laconic.objective import Counting, Kind, Objective, Problem
from laconic.verify import recount, violations


def recheck(model: DecisionSet, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> list[str]:
    """Return what does not hold of a model's facts on its training data; an empty list means all does.

    Parameters
    ----------
    model : DecisionSet
        With its proof facts, as `laconic.load_model` returns it.
    X, y, sample_weight
        The data it was trained on, rows in any order.
    """
    proof = model.proof
    if proof is None:
        raise InputError("this model has no proof facts to check; save one from a fitted classifier")
    table = rebuilt_table(model, X, y, sample_weight)
    if isinstance(table, str):
        return [table]
    if table_digest(table) != proof.table_digest:
        return ["this is not the data the model was trained on (the fingerprint of the binary table differs)"]
    problem = problem_of(model, proof, table)
    found = [
        f"{name} should be {actual}, not {claimed}"
        for name, claimed, actual in (
            ("the price of an error", proof.error_cost, problem.error_cost),
            ("the price of a literal", proof.literal_cost, problem.literal_cost),
            ("the price of a rule", proof.rule_cost, problem.rule_cost),
            ("the weight of the errors", proof.errors, recount(problem, proof.rules)[0]),
            ("the weight of the unavoidable errors", proof.unavoidable_errors, problem.unavoidable),
        )
        if claimed != actual
    ]
    if problem.pricing is not None:
        if proof.parts != problem.pricing.parts:
            found.append("the units of its cost are not those of its constraints")
        if proof.measures != problem.measures(proof.rules):
            found.append("its measures are not those of its rules")
    found += violations(problem, proof.rules, proof.cost, proof.lower_bound)
    again = decode(
        proof.rules,
        table,
        model.features,
        np.array(model.classes, dtype=model.label_dtype),
        model.columns,
        named=model.named,
        every_class=proof.every_class,
        proof=proof,
    )
    if replace(again, notes=model.notes) != model:
        found.append("the rows and weights shown beside the rules are not those of the data")
    return found


def problem_of(model: DecisionSet, proof: Proof, table: Table) -> Problem:
    """Return the problem that a model is an answer to."""
    if proof.constraints is None:
        return Problem.of(table, objective_of(proof))
    demands = demands_of(
        proof.constraints,
        table,
        model.features,
        model.columns,
        np.array(model.classes, dtype=model.label_dtype),
        objective=proof.objective,
        per_row=proof.counting == "per_row",
    )
    return Problem.of(table, objective_of(proof), demands)


def objective_of(proof: Proof) -> Objective:
    """Return what was minimised."""
    return Objective(
        Kind(proof.objective),
        0.05 if proof.regularization is None else proof.regularization,
        Counting(proof.counting),
        proof.every_class,
        proof.max_size,
        proof.max_errors,
    )


def rebuilt_table(model: DecisionSet, X: Any, y: Any, sample_weight: ArrayLike | None) -> Table | str:
    """Return the binary table that the model's own conditions make of data, or why there is none."""
    columns = [feature.positive.column for feature in model.features]
    rows = view(X, model.columns, columns, named=model.named)
    labels = checked_labels(y, rows.n_rows)
    number = {label: k for k, label in enumerate(model.classes)}
    unknown = [label for label in dict.fromkeys(labels.tolist()) if label not in number]
    if unknown:
        return f"the data has label {unknown[0]!r}, which the model does not know"
    codes = np.array([number[label] for label in labels.tolist()], np.int64)
    masks = literal_masks((feature.positive for feature in model.features), rows)
    matrix = np.zeros((rows.n_rows, len(model.features)), bool)
    for f, feature in enumerate(model.features):
        matrix[:, f] = masks[feature.positive]
    allowed = [[feature.negative is not None, True] for feature in model.features]
    present = integer_weights(sample_weight, rows.n_rows)[0] > 0
    weights = None if sample_weight is None else np.asarray(sample_weight, dtype=float)[present]
    return Table.from_arrays(
        matrix[present],
        codes[present],
        weights,
        n_classes=len(model.classes),
        allowed=np.array(allowed, dtype=bool).reshape(-1, 2),
    )
