"""A decision set as JSON: plain data, readable, exact, and checked when it is read.

Weights are integers in units of ``1 / weight_unit``, so nothing is rounded. Labels carry their numpy type.
The same model always gives the same text: there is no clock, no host and no order of a hash in it, unless the
history of the search is asked for. Notes, the choice of λ, rows held out, origin and history may be absent.
Everything is checked when it is read. For example, the words of a rule must agree with the proved codes, or
the file is refused.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from laconic import __version__
from laconic.data.column import Column, column_from_document, column_to_document
from laconic.data.documents import damaged, entry, integer, parsed
from laconic.data.labels import Label, labels_from_document, labels_to_document
from laconic.data.literals import (
    Feature,
    Interval,
    Literal,
    Threshold,
    feature_from_dict,
    feature_to_dict,
    literal_from_dict,
    literal_to_dict,
)
from laconic.data.notes import notes_from_document
from laconic.model.choice import choice_from_document
from laconic.model.decision_set import DecisionSet
from laconic.model.held_out import held_out_from_document
from laconic.model.origin import origin_from_document, origin_to_document
from laconic.model.proof import Proof
from laconic.model.proof_document import check_against, proof_from_document, proof_to_document
from laconic.model.rule import Rule
from laconic.problem.history import Progress, history_from_document, history_to_document
from laconic.runtime.errors import ModelFileError

FORMAT = "laconic decision set"
SCHEMA_VERSION = 3
"""Version of model files that say how cells are read or have groups; 2 with an OTHERWISE rule, else 1."""


def dumps(model: DecisionSet, *, history: bool = False) -> str:
    """Write a decision set as JSON text, with one rule, column or feature per line."""
    document = to_document(model)
    if history and model.history:
        document["history"] = history_to_document(model.history)
    return _laid_out(document, levels=2) + "\n"


def loads(text: str) -> DecisionSet:
    """Read a decision set from JSON text."""
    try:
        document = parsed(text)
    except json.JSONDecodeError as error:
        raise ModelFileError(
            f"this is not a laconic model: it is not JSON (line {error.lineno}: {error.msg}); "
            f"save the model again with save_model"
        ) from None
    except ValueError as error:
        raise damaged(str(error)) from None
    return from_document(document)


def to_document(model: DecisionSet) -> dict[str, Any]:
    """Return a decision set as plain data."""
    supports = [rule.class_weights for rule in _all_rules(model)] + [model.default_weights]
    supports += [() if rule.alone is None else (rule.alone,) for rule in _all_rules(model)]
    supports += [model.class_weights or (), () if model.mispredicted is None else (model.mispredicted,)]
    unit = math.lcm(*(weight.denominator for weights in supports for weight in weights))
    return {
        "format": FORMAT,
        "schema_version": _schema_version(model),
        "laconic_version": __version__,
        "classes": labels_to_document(model.classes, model.label_dtype),
        "columns": [column_to_document(column) for column in model.columns],
        "named": model.named,
        "weight_unit": unit,
        "class_weights": None if model.class_weights is None else _scaled(model.class_weights, unit),
        "mispredicted": None if model.mispredicted is None else int(model.mispredicted * unit),
        "rules": [_rule_to_document(rule, unit) for rule in model.rules],
        "else": None if model.else_rule is None else _rule_to_document(model.else_rule, unit),
        "default": {
            "class": model.default_class,
            "rows": model.default_rows,
            "weights": _scaled(model.default_weights, unit),
        },
        "features": [feature_to_dict(feature) for feature in model.features],
        "proof": None if model.proof is None else proof_to_document(model.proof),
        **({"notes": list(model.notes)} if model.notes else {}),
        **({} if model.choice is None else {"choice": model.choice.to_dict()}),
        **({} if model.held_out is None else {"held_out": model.held_out.to_dict()}),
        **({} if model.origin is None else {"origin": origin_to_document(model.origin)}),
    }


def from_document(document: Any) -> DecisionSet:
    """Check plain data and build the decision set it describes."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ModelFileError("this JSON is not a laconic model; save the model again with save_model")
    version = integer(document, "schema_version", 1)
    if version > SCHEMA_VERSION:
        raise ModelFileError(
            f"this model was written by a newer laconic (schema {version}; this one reads up to "
            f"{SCHEMA_VERSION}); upgrade laconic"
        )
    classes, dtype = labels_from_document(document.get("classes"))
    columns = tuple(column_from_document(data) for data in entry(document, "columns", list))
    names = {column.name for column in columns}
    if len(names) < len(columns):
        raise damaged("a column is listed twice")
    unit = integer(document, "weight_unit", 1)
    rules = tuple(_rule_from_document(data, classes, unit, names) for data in entry(document, "rules", list))
    otherwise = entry(document, "else", dict | None)
    default = entry(document, "default", dict)
    features = tuple(feature_from_dict(data) for data in entry(document, "features", list))
    if any(side.column not in names for feature in features for side in _sides(feature)):
        raise damaged("a feature uses a column that is not listed")
    listed = [feature.positive for feature in features]
    if len(set(listed)) < len(listed):
        raise damaged("a condition is listed twice among the features")
    text_columns = {column.name for column in columns if column.kind == "category"}
    for literal in listed:
        if literal.kind in {"threshold", "interval"} and literal.column in text_columns:
            raise damaged(
                f"'{literal}' compares numbers, but column {literal.column!r} is listed as a category"
            )
    _check_dates([*listed, *(literal for rule in rules for literal in rule.literals)], columns)
    named = entry(document, "named", bool)
    plain = [column.name for column in columns if column.derived is None]
    if any(name not in plain for one in columns if one.derived is not None for name in one.derived.columns):
        raise damaged("a column is computed from one that is not listed")
    if not named and plain != [f"x{k}" for k in range(len(plain))]:
        raise damaged("its columns have names, but 'named' says that the training table had none")
    proof_data = entry(document, "proof", dict | None)
    model = DecisionSet(
        rules=rules,
        classes=classes,
        label_dtype=dtype,
        columns=columns,
        named=named,
        default_class=classes[_class_number(default.get("class"), classes)],
        default_rows=integer(default, "rows"),
        default_weights=_weights(default, unit, len(classes)),
        else_rule=None if otherwise is None else _rule_from_document(otherwise, classes, unit, names),
        features=features,
        proof=None if proof_data is None else proof_from_document(proof_data),
        class_weights=None
        if entry(document, "class_weights", list | None) is None
        else _weights(document, unit, len(classes), "class_weights"),
        mispredicted=None
        if document.get("mispredicted") is None
        else Fraction(integer(document, "mispredicted"), unit),
        notes=notes_from_document(document.get("notes", []), [column.name for column in columns]),
        choice=choice_from_document(document["choice"]) if "choice" in document else None,
        held_out=held_out_from_document(document["held_out"]) if "held_out" in document else None,
        origin=origin_from_document(document["origin"]) if "origin" in document else None,
        history=history_from_document(document.get("history", [])),
    )
    if model.else_rule is not None and model.else_rule.literals:
        raise damaged("the else rule has conditions")
    if model.proof is not None:
        check_against(model.proof, model)
        _check_history(model.proof, model.history)
    _check_counts(model)
    _check_choice(model)
    return model


def _check_dates(literals: Sequence[Literal], columns: Sequence[Column]) -> None:
    """Refuse limits that are dates in a column of numbers, and numbers in a column of dates."""
    units = {one.name: one.reading.unit for one in columns if one.reading is not None and one.reading.dates}
    for literal in literals:
        if isinstance(literal, Threshold | Interval) and literal.unit != units.get(literal.column, ""):
            raise damaged(f"'{literal}' is not how column {literal.column!r} is compared")


def _schema_version(model: DecisionSet) -> int:
    said = any(column.reading is not None or column.derived is not None for column in model.columns)
    sides = (literal for feature in model.features for literal in _sides(feature))
    if said or any(literal.kind == "among" for literal in sides):
        return 3
    return 2 if model.has_otherwise else 1


def _check_history(proof: Proof, history: Sequence[Progress]) -> None:
    for state in history:
        cheaper = state.cost is not None and state.cost < proof.cost
        if cheaper or state.lower_bound > proof.lower_bound:
            raise damaged("its history has a better cost or bound than its proof")


def _check_choice(model: DecisionSet) -> None:
    """Refuse a choice of λ that led to another set than this one."""
    proof, choice = model.proof, model.choice
    if proof is None or choice is None:
        return
    errors = float(proof.errors / proof.weight_scale)
    found = choice.best.regularization, choice.best.size, float(choice.best.errors)
    if found != (proof.regularization, model.size, errors):
        raise damaged("the λ that it says was chosen, or the size or errors there, are not those of its set")


def _check_counts(model: DecisionSet) -> None:
    for rule in _all_rules(model):
        if rule.alone is not None and rule.alone > rule.right:
            raise damaged("a rule covers more alone than in all")
        if model.class_weights is not None and any(
            covered > total for covered, total in zip(rule.class_weights, model.class_weights, strict=True)
        ):
            raise damaged("a rule covers more of a class than there is")
    if (model.mispredicted or 0) > sum(model.class_weights or (math.inf,)):
        raise damaged("more rows are predicted wrongly than there are")


def _all_rules(model: DecisionSet) -> Sequence[Rule]:
    return model.rules if model.else_rule is None else (*model.rules, model.else_rule)


def _rule_to_document(rule: Rule, unit: int) -> dict[str, Any]:
    return {
        "class": rule.label,
        "conditions": [literal_to_dict(literal) for literal in rule.literals],
        "rows": rule.rows,
        "weights": _scaled(rule.class_weights, unit),
        "alone": None if rule.alone is None else int(rule.alone * unit),
    }


def _rule_from_document(data: Any, classes: Sequence[Label], unit: int, names: set[str]) -> Rule:
    if not isinstance(data, dict):
        raise damaged("a rule is not an object")
    target = _class_number(data.get("class"), classes)
    literals = tuple(literal_from_dict(literal) for literal in entry(data, "conditions", list))
    for literal in literals:
        if literal.column not in names:
            raise damaged(f"a rule uses column {literal.column!r}, which is not listed")
    weights = _weights(data, unit, len(classes))
    alone = None if entry(data, "alone", int | None) is None else Fraction(integer(data, "alone"), unit)
    return Rule(literals, classes[target], target, integer(data, "rows"), weights, alone)


def _class_number(label: Any, classes: Sequence[Label]) -> int:
    for number, known in enumerate(classes):
        if type(label) is type(known) and label == known:
            return number
    raise damaged(f"class {str(label)[:40]!r} is not among the classes")


def _scaled(weights: Sequence[Fraction], unit: int) -> list[int]:
    return [int(weight * unit) for weight in weights]


def _weights(data: dict[str, Any], unit: int, n_classes: int, key: str = "weights") -> tuple[Fraction, ...]:
    weights = entry(data, key, list)
    if len(weights) != n_classes or any(type(weight) is not int or weight < 0 for weight in weights):
        raise damaged("weights must be one whole number per class")
    return tuple(Fraction(weight, unit) for weight in weights)


def _sides(feature: Feature) -> list[Any]:
    return [side for side in (feature.positive, feature.negative) if side is not None]


def _laid_out(value: Any, levels: int, margin: str = "") -> str:
    """Write JSON with line breaks in the outer levels only."""
    if levels == 0 or not value or not isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    inner = margin + "  "
    if isinstance(value, dict):
        items = [
            f"{json.dumps(key, ensure_ascii=False)}: {_laid_out(item, levels - 1, inner)}"
            for key, item in value.items()
        ]
    else:
        items = [_laid_out(item, levels - 1, inner) for item in value]
    start, end = "{}" if isinstance(value, dict) else "[]"
    return f"{start}\n{inner}" + f",\n{inner}".join(items) + f"\n{margin}{end}"
