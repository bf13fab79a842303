"""The recheck of a saved model on its training data, independent of the engine that found it.

The table is rebuilt from the raw data with the model's own conditions and compared with the fingerprint in
the proof; each condition is compared with its opposite; errors and cost are recounted by the checker; the
numbers shown beside the rules are computed again. The rules in words are evaluated on the raw data as by
`predict` and compared, row by row, with the proved rules. Only the lower bound is not proved again, beyond
the check that it does not exceed the cost: that takes a certificate (`laconic.checking.certify`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from laconic.checking.verify import otherwise_class, recount, violations
from laconic.data.cells import Cells, text_of
from laconic.data.column import view
from laconic.data.literals import Feature
from laconic.data.table import Table, table_digest
from laconic.data.targets import checked_labels
from laconic.data.weights import PARTS_OF_A_ROW, checked_weights, stated_scaling
from laconic.data.words import number_text
from laconic.model.decision_set import DecisionSet
from laconic.model.decode import decode
from laconic.model.predict import deciding_rules
from laconic.model.proof import Proof
from laconic.model.render import count
from laconic.model.statistics import listed_rules
from laconic.problem.coded import rows_covered
from laconic.problem.constraints.translate import compiled_constraints
from laconic.problem.objective import Counting, Default, Kind, Objective, Problem
from laconic.runtime.errors import InputError
from laconic.runtime.texts import shown


def recheck(model: DecisionSet, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> list[str]:
    """Return the facts of a model that do not hold on its training data; an empty list means that all hold.

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
            ("the number of rows", proof.n_samples, table.n_samples),
            ("the number of different rows", proof.n_rows, table.n_rows),
            ("the weight of all rows", proof.total_weight, table.total_weight),
            ("the unit of the weights", proof.weight_scale, table.scale),
        )
        if claimed != actual
    ]
    if not problem.constraints.any_set:
        if proof.parts != problem.pricing.parts:
            found.append("the units of its cost are not those of its constraints")
        if proof.measures != problem.measures(proof.rules):
            found.append("its measures are not those of its rules")
    otherwise = otherwise_class(problem, proof.rules)
    if proof.otherwise is not None and otherwise not in (proof.otherwise, None):
        said, right = (shown(model.classes[c]) for c in (proof.otherwise, otherwise))
        found.append(
            f"its OTHERWISE rule gives {said}, but {right} is the heaviest class without other rules"
        )
    found += violations(problem, proof.rules, proof.cost, proof.lower_bound)
    again = decode(
        proof.rules,
        table,
        model.features,
        np.array(model.classes, dtype=model.label_dtype),
        model.columns,
        named=model.named,
        every_class=proof.every_class,
        otherwise=otherwise,
        proof=proof,
    )
    again = replace(again, notes=model.notes)
    if again != model:
        found += _shown_wrong(model, again)
    return found + _said_wrong(model, again, table, X, sample_weight) + _unknown_columns(model, X)


def _shown_wrong(model: DecisionSet, again: DecisionSet) -> list[str]:
    """Return the differences between a model's figures and the data, in words."""
    found = []
    for said, right in zip(listed_rules(model), listed_rules(again), strict=False):
        if str(said) != str(right):
            found.append(f"a rule is shown as '{said}', but what was proved is '{right}'")
        elif said.rows != right.rows:
            found.append(f"'{said}' is said to cover {count(said.rows, 'row')}, but covers {right.rows}")
        elif said.class_weights != right.class_weights:
            found.append(
                f"'{said}' is said to cover {_by_class(model, said.class_weights)}, but covers "
                f"{_by_class(model, right.class_weights)}"
            )
        elif said.alone != right.alone:
            found.append(f"the weight that '{said}' alone covers is not that of the data")
    for name, claimed, actual in (
        ("default class", model.default_class, again.default_class),
        ("number of rows that no rule covers", model.default_rows, again.default_rows),
    ):
        if claimed != actual:
            found.append(f"the {name} is said to be {claimed}, but is {actual}")
    if model.mispredicted != again.mispredicted:
        claimed, actual = (
            "not given" if one is None else number_text(one)
            for one in (model.mispredicted, again.mispredicted)
        )
        found.append(f"the weight of the rows predicted wrongly is said to be {claimed}, but is {actual}")
    for name, weights, recounted in (
        ("rows behind the default class", model.default_weights, again.default_weights),
        ("rows of each class", model.class_weights, again.class_weights),
    ):
        if weights != recounted:
            said_text = "not given" if weights is None else _by_class(model, weights)
            found.append(f"the {name} are {said_text}, but should be {_by_class(model, recounted or ())}")
    return found or ["the rows and weights shown beside the rules are not those of the data"]


def _by_class(model: DecisionSet, weights: Sequence[Fraction]) -> str:
    return " and ".join(
        f"{number_text(weight)} of class {label}"
        for label, weight in zip(model.classes, weights, strict=True)
    )


def _said_wrong(
    model: DecisionSet, again: DecisionSet, table: Table, X: Any, sample_weight: ArrayLike | None
) -> list[str]:
    """Evaluate the shown rules on the raw data, and compare them with the proved rules."""
    proof = again.facts
    coded = [rule for rule in proof.rules if rule.literals or not proof.every_class]
    if len(coded) != len(model.rules):
        return []  # a superfluous or missing rule has been reported already
    spoken = model.covers(X)
    present = np.flatnonzero(_units(model, sample_weight, len(spoken))[1])
    proved = np.empty((len(coded), present.size), bool)
    found = []
    for k, rule in enumerate(coded):
        proved[k] = rows_covered(rule, table)[table.group_of]
        wrong = np.flatnonzero(spoken[present, k] != proved[k])
        if wrong.size:
            found.append(
                f"what was proved is not what '{model.rules[k]}' says: by its words it covers "
                f"{count(int(spoken[present, k].sum()), 'row')}, by the proof {int(proved[k].sum())}; "
                f"they differ first on row {present[wrong[0]]}"
            )
    answers = model.predict(X)[present]
    expected = again.label_per_rule()[deciding_rules(again.rules, proved)]
    wrong = np.flatnonzero(answers != expected)
    if wrong.size:
        got, right = (shown(labels[wrong].tolist()[0]) for labels in (answers, expected))
        found.append(
            f"predict answers {got} for row {present[wrong[0]]}, but by the rules and weights recounted it "
            f"should be {right}; so for {count(wrong.size, 'row')}"
        )
    return found


def _unknown_columns(model: DecisionSet, X: Any) -> list[str]:
    """Return the faults of the list of columns; conditions on unknown columns have been refused."""
    names = getattr(X, "columns", None)
    if names is None or not model.named or not all(isinstance(name, str) for name in names):
        return []
    known = set(names)
    plain = [column for column in model.columns if column.derived is None]
    absent = [column.name for column in plain if column.name not in known]
    return [f"it lists column {shown(name)}, which the data lacks" for name in absent]


def problem_of(model: DecisionSet, proof: Proof, table: Table) -> Problem:
    """Return the problem of which a model is an answer."""
    if proof.constraints is None:
        return Problem.of(table, objective_of(proof))
    compiled = compiled_constraints(
        proof.constraints,
        table,
        model.features,
        model.columns,
        np.array(model.classes, dtype=model.label_dtype),
        objective=proof.objective,
        per_row=proof.counting == "per_row",
        finer=objective_of(proof).finer,
    )
    return Problem.of(table, objective_of(proof), compiled)


def objective_of(proof: Proof) -> Objective:
    """Return the objective of a model."""
    return Objective(
        Kind(proof.objective),
        0.05 if proof.regularization is None else proof.regularization,
        Counting(proof.counting),
        proof.every_class,
        proof.size_budget,
        proof.max_errors,
        Default.EXPLAINED if proof.otherwise is None else Default.OTHERWISE,
    )


def rebuilt_table(model: DecisionSet, X: Any, y: Any, sample_weight: ArrayLike | None) -> Table | str:
    """Return the binary table of data under the model's own conditions, or the reason why there is none."""
    columns = [feature.positive.column for feature in model.features]
    rows = view(X, model.columns, columns, named=model.named)
    labels = checked_labels(y, rows.n_rows)
    number = {label: k for k, label in enumerate(model.classes)}
    scale, units = _units(model, sample_weight, rows.n_rows)
    present = units > 0
    values = labels[present].tolist()  # a class whose rows all have weight 0 is unknown to the model
    truth = isinstance(model.classes[0], bool)  # for Python 1 and True are one key; as labels they are two
    unknown = [
        label for label in dict.fromkeys(values) if label not in number or isinstance(label, bool) != truth
    ]
    if unknown:
        return f"the data has label {unknown[0]!r}, which the model does not know"
    codes = np.array([number[label] for label in values], np.int64)
    matrix = np.zeros((rows.n_rows, len(model.features)), bool)
    for f, feature in enumerate(model.features):
        cells = rows.cells[feature.positive.column]
        matrix[:, f] = feature.positive.holds(cells)
        disputed = np.flatnonzero(feature.disputed(cells) & present)
        if disputed.size:
            return _not_opposite(feature, cells, int(disputed[0]), holds=bool(matrix[disputed[0], f]))
    allowed = [[feature.negative is not None, True] for feature in model.features]
    return Table.from_arrays(
        matrix[present],
        codes,
        units[present],
        n_classes=len(model.classes),
        allowed=np.array(allowed, dtype=bool).reshape(-1, 2),
        scale=scale,
    )


def certified_table(
    words: DecisionSet, digest: object, X: Any, y: Any, sample_weight: ArrayLike | None
) -> Table | str:
    """Return the table of a certificate, on the finer scale if its fingerprint says so.

    Parameters
    ----------
    words : DecisionSet
        The columns, conditions and classes of the certificate.
    digest : str
        The fingerprint that the certificate states; anything else finds the ordinary scale.
    X, y, sample_weight
        As for `recheck`.
    """
    table = rebuilt_table(words, X, y, sample_weight)
    if isinstance(table, str) or table_digest(table) == digest:
        return table
    finer = table.on_finer_scale(PARTS_OF_A_ROW)
    return finer if table_digest(finer) == digest else table


def _units(
    model: DecisionSet, sample_weight: ArrayLike | None, n_rows: int
) -> tuple[Fraction, NDArray[np.int64]]:
    """Return the scale of the weights and the integer weight of each row."""
    weights = np.ones(n_rows) if sample_weight is None else checked_weights(sample_weight, n_rows)
    scaled = stated_scaling(weights, None if model.proof is None else model.proof.weight_scale)
    return scaled.scale, scaled.units(weights)


def _not_opposite(feature: Feature, cells: Cells, row: int, *, holds: bool) -> str:
    """Return the row on which a condition and its listed opposite both hold or both fail, in words."""
    cell = cells.values.iloc[row]
    text = shown(cell) if isinstance(cell, str) else text_of(cell)
    value = "is missing" if cells.missing[row] else f"is {text}"
    return (
        f"'{feature.negative}' is listed as the opposite of '{feature.positive}', but on row {row}, where "
        f"{cells.name} {value}, {'both hold' if holds else 'neither holds'}"
    )
