"""The proof facts of a model file: written, read, and checked against the rules of the file."""

from __future__ import annotations

import math
import re
from dataclasses import fields
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from laconic.data.documents import damaged, entry, fraction_of_text, integer
from laconic.model.proof import COUNTINGS, OBJECTIVES, Proof
from laconic.problem.coded import CodedRule
from laconic.problem.constraints.constraints import MEASURES, Constraints
from laconic.problem.parts import Part
from laconic.runtime.errors import InputError

if TYPE_CHECKING:
    from laconic.model.decision_set import DecisionSet

_TEXTS = ("objective", "counting", "stop_reason", "engine", "version", "table_digest")
_WHOLE = (
    "error_cost",
    "literal_cost",
    "rule_cost",
    "cost",
    "lower_bound",
    "errors",
    "unavoidable_errors",
    "n_samples",
    "n_rows",
    "n_features",
    "total_weight",
)

_REASONS = ("proved", "time", "work", "memory", "interrupt")
_TOKEN = re.compile(r"[\w.+-]{1,40}", re.ASCII)
"""Names of engines and versions; any other text is refused, because it would be shown as a fact."""

_DEMANDED = ("constraints", "parts", "measures")
"""Entries that are written only for models with constraints."""


def proof_to_document(proof: Proof) -> dict[str, Any]:
    """Return the facts as plain data."""
    left_out = _DEMANDED if proof.otherwise is not None else (*_DEMANDED, "otherwise")
    data = {field.name: getattr(proof, field.name) for field in fields(proof) if field.name not in left_out}
    data["weight_scale"] = str(proof.weight_scale)
    data["rules"] = [[rule.target, list(rule.literals)] for rule in proof.rules]
    data["status"] = proof.status
    if proof.constraints is not None:
        data["constraints"] = proof.constraints.to_document()
        data["parts"] = [[part.name, part.weight, str(part.unit)] for part in proof.parts]
        data["measures"] = {name: str(value) for name, value in proof.measures}
    return data


def proof_from_document(data: dict[str, Any]) -> Proof:
    """Check plain data and build the facts."""
    regularization = entry(data, "regularization", float | int | None)
    try:
        scale = fraction_of_text(entry(data, "weight_scale", str))
    except ValueError:
        raise damaged("'weight_scale' is not a number") from None
    if scale <= 0:
        raise damaged("'weight_scale' is not positive")
    facts: dict[str, Any] = {name: entry(data, name, str) for name in _TEXTS}
    facts |= {name: integer(data, name) for name in _WHOLE}
    proof = Proof(
        **facts,
        regularization=None if regularization is None else float(regularization),
        every_class=entry(data, "every_class", bool),
        weight_scale=scale,
        rules=tuple(_coded(rule) for rule in entry(data, "rules", list)),
        **(_demanded(data) if "constraints" in data else {}),
        size_budget=entry(data, "size_budget", int | None) if "size_budget" in data else None,
        max_errors=entry(data, "max_errors", float | int | None) if "max_errors" in data else None,
        otherwise=integer(data, "otherwise") if "otherwise" in data else None,
    )
    if proof.objective not in OBJECTIVES or proof.counting not in COUNTINGS:
        raise damaged("its objective is unknown")
    if not _TOKEN.fullmatch(proof.engine) or not _TOKEN.fullmatch(proof.version):
        raise damaged("its engine or version is not a name")
    if list(proof.rules) != sorted(set(proof.rules)):
        raise damaged("its proved rules are not in order, or one is listed twice")
    price = proof.regularization
    priced = proof.objective == "sparse" and not proof.has_budget
    if (price is None) == priced or (price is not None and not 0 < price < math.inf):
        raise damaged("its regularization does not fit its objective")
    if proof.every_class and (proof.objective, proof.counting) != ("sparse", "per_class"):
        raise damaged("'every_class' does not fit its objective")
    if proof.otherwise is not None and not _has_otherwise(proof):
        raise damaged("its OTHERWISE rule does not fit its objective and rules")
    if proof.has_budget and not _fits_budget(proof):
        raise damaged("its rules do not keep its budget")
    if entry(data, "status", str) != proof.status:
        raise damaged("its status does not follow from its cost and bound")
    if proof.stop_reason not in _REASONS or (proof.stop_reason == "proved") != proof.optimal:
        raise damaged("its stop reason does not follow from its cost and bound")
    return proof


def _has_otherwise(proof: Proof) -> bool:
    per_row = (proof.objective, proof.counting) == ("sparse", "per_row")
    return not (proof.every_class or per_row or any(rule.target == proof.otherwise for rule in proof.rules))


def _fits_budget(proof: Proof) -> bool:
    if (proof.objective, proof.counting, proof.every_class) != ("sparse", "per_class", False):
        return False
    if proof.constraints is not None:
        return proof.size_budget is None or proof.max_errors is None
    if proof.size_budget is not None:
        return proof.max_errors is None and proof.size <= proof.size_budget
    return proof.max_errors is not None and proof.errors / proof.weight_scale <= Fraction(
        repr(proof.max_errors)
    )


def check_against(proof: Proof, model: DecisionSet) -> None:
    """Refuse facts that do not belong to the rules of the file or do not add up."""
    if proof.lower_bound > proof.cost:
        raise damaged("its lower bound exceeds its cost")
    literals = sum(len(rule.literals) for rule in proof.rules)
    paid = proof.literal_cost * literals + proof.rule_cost * proof.n_rules
    # Under constraints the cost is counted by `laconic.checking.recheck`, which has the data that it depends
    # on.
    if proof.constraints is None and proof.cost != proof.error_cost * proof.errors + paid:
        raise damaged("its cost is not that of its rules")
    if proof.n_features != len(model.features):
        raise damaged("the number of features is not what was proved")
    shown = [(rule.target, rule.literals) for rule in model.rules]
    proved = []
    bare = []
    for rule in proof.rules:
        if rule.target >= len(model.classes) or any(code >= 2 * proof.n_features for code in rule.literals):
            raise damaged("a proved rule uses an unknown class or feature")
        sides = [(model.features[code >> 1], code & 1) for code in rule.literals]
        meaning = tuple(feature.positive if value else feature.negative for feature, value in sides)
        if proof.every_class and not rule.literals:
            bare.append(rule.target)
        else:
            proved.append((rule.target, meaning))
    if shown != proved:
        raise damaged("its rules are not those that were proved")
    other = None if model.else_rule is None else model.else_rule.target
    candidates = bare if proof.otherwise is None else [proof.otherwise]
    if (other is None) != (not candidates) or (candidates and other not in candidates):
        name = "else" if proof.otherwise is None else "OTHERWISE"
        raise damaged(f"its {name} rule is not the one that was proved")


def _demanded(data: dict[str, Any]) -> dict[str, Any]:
    """Read the constraints of a model file."""
    try:
        constraints = Constraints.from_document(entry(data, "constraints", dict))
        parts = tuple(_part(part) for part in entry(data, "parts", list))
        measures = tuple(
            (name, fraction_of_text(value)) for name, value in entry(data, "measures", dict).items()
        )
    except (InputError, TypeError, ValueError):
        raise damaged("its constraints cannot be read") from None
    if not parts or any(name not in MEASURES for name, _ in measures):
        raise damaged("its constraints cannot be read")
    return {
        "constraints": constraints,
        "parts": parts,
        "measures": measures,
    }


def _part(data: Any) -> Part:
    match data:
        case [str(name), int(weight), unit] if weight > 0 and fraction_of_text(unit) > 0:
            return Part(name, weight, fraction_of_text(unit))
    raise ValueError("not a part of a cost")


def _coded(data: Any) -> CodedRule:
    match data:
        case [int(target), [*codes]] if (
            not isinstance(target, bool)
            and target >= 0
            and all(type(code) is int and code >= 0 for code in codes)
            and codes == sorted(set(codes))
        ):
            return CodedRule(target, tuple(codes))
    raise damaged("a proved rule is not a class and its literals")
