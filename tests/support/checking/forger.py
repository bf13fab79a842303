"""A forger who knows the program: edits what a model says, and makes every number and proof fit again."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np

from laconic.checking.certify.certificate import Certificate, facts_of
from laconic.checking.certify.certify import with_proofs
from laconic.checking.recheck import objective_of
from laconic.data.cells import Cells
from laconic.data.table import Table, table_digest
from laconic.model.decode import decode
from laconic.model.document import to_document
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Problem, cost, errors, otherwise_class
from laconic.runtime.budget import Budget


def table_of(features, frame, labels, classes, weights=None):
    """The table that conditions make of some rows, whatever is listed as their opposites."""
    matrix = np.array([one.positive.holds(Cells(frame[one.positive.column])) for one in features]).T
    return Table.from_arrays(
        matrix.reshape(len(frame), len(features)),
        [classes.index(label) for label in labels],
        weights,
        n_classes=len(classes),
        allowed=np.array([[one.negative is not None, True] for one in features]).reshape(-1, 2),
    )


def reforged(model, frame, labels, *, features=None, rules=None, classes=None, weights=None, **facts):
    """The model with other conditions, rules, classes or facts, its numbers made to fit, and its table.

    The lower bound is claimed to be the cost.
    """
    features = model.features if features is None else tuple(features)
    classes = list(model.classes if classes is None else classes)
    coded = model.proof.rules if rules is None else tuple(CodedRule(c, tuple(body)) for c, *body in rules)
    table = table_of(features, frame, labels, classes, weights)
    proof = replace(model.proof, rules=coded, **facts)
    problem = Problem.of(table, objective_of(proof))
    total = cost(problem, coded)
    proof = replace(
        proof,
        otherwise=otherwise_class(problem, coded),
        error_cost=problem.error_cost,
        literal_cost=problem.literal_cost,
        rule_cost=problem.rule_cost,
        cost=total,
        lower_bound=total,
        errors=errors(problem, coded),
        unavoidable_errors=problem.unavoidable,
        n_samples=table.n_samples,
        n_rows=table.n_rows,
        n_features=table.n_features,
        total_weight=table.total_weight,
        weight_scale=table.scale,
        table_digest=table_digest(table),
        stop_reason="proved",
    )
    forged = decode(
        coded,
        table,
        features,
        np.array(classes, dtype=model.label_dtype),
        model.columns,
        named=model.named,
        every_class=proof.every_class,
        otherwise=proof.otherwise,
        proof=proof,
    )
    return replace(forged, origin=model.origin), table


def certified(model, table):
    """A certificate of a forged model: genuine, for what the model has become."""
    return Certificate(with_proofs(facts_of(model), table, Budget(None)))


def written(model, path, **changes):
    """Save a model without any check, with changes to its document."""
    path.write_text(json.dumps({**to_document(model), **changes}))
    return path
