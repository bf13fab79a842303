"""Whether a certificate is about a model: everything that both say is compared, entry by entry.

A proof is worth nothing for a model that it does not speak of. The objective, how errors are counted, λ, the
constraints, the classes, the columns, the conditions and the rules must all be the same, in the same order;
each difference is reported by name, with both values.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from laconic.checking.certify.certificate import Certificate, facts_of
from laconic.checking.certify.statement import coded_text, feature_text
from laconic.data.column import column_from_document
from laconic.data.literals import feature_from_dict
from laconic.data.reading.column_reading import described
from laconic.model.decision_set import DecisionSet
from laconic.model.render import count
from laconic.runtime.errors import InputError
from laconic.runtime.texts import shown

_NAMES = {
    "table_digest": "the fingerprint of the table",
    "objective": "the objective",
    "counting": "the counting of errors",
    "every_class": "every_class",
    "otherwise": "the class that OTHERWISE gives",
    "regularization": "λ",
    "cost": "the cost in integer units",
    "classes": "the class labels",
    "columns": "the list of columns",
    "named": "whether columns have names",
    "features": "the list of conditions",
    "rules": "the list of rules",
    "constraints": "the constraints",
    "size_budget": "size_budget",
    "max_errors": "max_errors",
}
_ABSENT: dict[str, Any] = {"constraints": {}, "size_budget": None, "max_errors": None, "otherwise": None}
"""What certificates leave out that do not need it."""
_ABOUT_ITSELF = {
    *(
        "format",
        "schema_version",
        "laconic_version",
        "compiled_constraints",
        "bounds",
        "class_by_class",
        "lower_bound",
        "proofs",
        "seal",
    )
}
"""Entries that say nothing about a model, or that the checker derives from those that do."""


def mismatches(certificate: Certificate, model: DecisionSet) -> list[str]:
    """Return where a certificate and a model say different things; an empty list if it is the model's.

    Parameters
    ----------
    certificate : Certificate
        Whether its proof holds is for `laconic.verify_certificate` to say.
    model : DecisionSet
        With its proof facts.
    """
    if model.proof is None:
        raise InputError("this model has no proof facts to hold a certificate against; save one from a fit")
    stated = {**_ABSENT, **facts_of(model)}
    if model.proof.constraints is not None:
        stated["constraints"] = model.proof.constraints.to_document()
    stated |= {"size_budget": model.proof.size_budget, "max_errors": model.proof.max_errors}
    # Words are normalised, so that 40 and 40.0 are equal thresholds.
    proved = {**_ABSENT, **certificate.content, **words_of(certificate, model)}
    found: list[str] = []
    for name, said in {key: stated[key] for key in _NAMES}.items():
        other = proved.get(name)
        if _text(said) != _text(other):
            told = list(_difference(name, said, other, model, certificate))
            # Other numbers of rules that say the same come from another order of the conditions, told before.
            found += told or ([] if found else [f"{_NAMES[name]} is not the same in both"])
    unknown = sorted(set(certificate.content) - set(_NAMES) - _ABOUT_ITSELF)
    return [*found, *(f"the certificate has an entry {shown(key)} that says nothing" for key in unknown)]


def words_of(certificate: Certificate, model: DecisionSet) -> dict[str, Any]:
    """Return the words of a certificate, written as those of a model are."""
    written = facts_of(replace(certificate.words, proof=model.proof))
    words = {key: written[key] for key in ("classes", "columns", "named", "features")}
    share = certificate.content.get("regularization")
    if isinstance(share, list) and [type(one) for one in share] == [int, int] and share[1] > 0:
        exact = Fraction(*share)  # 2/20 is 1/10
        words["regularization"] = [exact.numerator, exact.denominator]
    return words


def _difference(
    name: str, said: Any, proved: Any, model: DecisionSet, certificate: Certificate
) -> Iterator[str]:
    if name == "rules" and isinstance(proved, list):
        # Each side in the words of its own conditions, whose order is told by itself.
        mine = [coded_text(model, rule) for rule in said]
        theirs = [coded_text(certificate.words, rule) for rule in proved]
        yield from _first_difference("rule", mine, theirs, str)
    elif name == "features":
        yield from _first_difference("condition", said, proved, _feature_text)
    elif name == "columns":
        yield from _first_difference("column", said, proved, _column_text)
    else:
        verb = "are" if name in {"classes", "constraints"} else "is"
        one, other = (_value(name, value, model) for value in (said, proved))
        yield f"{_NAMES[name]} {verb} {one} in the model, but {other} in the certificate"


def _first_difference(
    what: str, mine: Sequence[Any], theirs: Sequence[Any], text: Callable[[Any], str]
) -> Iterator[str]:
    for number, (one, other) in enumerate(zip(mine, theirs, strict=False), start=1):
        if _text(one) != _text(other):
            yield f"{what} {number} is {text(one)} in the model, but {text(other)} in the certificate"
            return
    if len(mine) != len(theirs):
        yield f"the model has {count(len(mine), what)}, but the certificate {len(theirs)}"


def _feature_text(data: Any) -> str:
    return f"'{feature_text(feature_from_dict(data))}'"


def _column_text(data: dict[str, Any]) -> str:
    reading = column_from_document(data).reading
    said = "" if reading is None else f", {' and '.join(described(reading))}"
    return f"{shown(data['name'])} ({data['kind']}{said})"


def _value(name: str, value: Any, model: DecisionSet) -> str:
    if name == "otherwise" and type(value) is int and 0 <= value < len(model.classes):
        return shown(model.classes[value])
    if name == "regularization" and isinstance(value, list) and len(value) == 2 and all(value):
        return str(Fraction(*value))
    if name == "table_digest" and isinstance(value, str):
        return value[:19]
    if name == "classes" and isinstance(value, dict):
        return f"{shown(value['labels'])} (type {value['dtype']})"
    return value[:40] if isinstance(value, str) else shown(value)


def _text(value: Any) -> str:
    """Return what differs where two values do; for Python 1 and True are equal."""
    return json.dumps(value, sort_keys=True)
