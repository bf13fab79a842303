"""What a certificate proves, in words: which sets were compared, over which conditions and on which rows.

"No decision set costs less" is true only of the conditions that the certificate offers, so the sentence says
how many there are and on which columns; a certificate without conditions compares next to nothing and says
so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from laconic.data.labels import label_text
from laconic.data.literals import Feature
from laconic.data.reading.column_reading import described
from laconic.data.table import Table
from laconic.model.decision_set import DecisionSet
from laconic.model.render import conditions_text, count, parts_text
from laconic.problem.constraints.constraints import Constraints
from laconic.problem.parts import Part
from laconic.runtime.errors import InputError
from laconic.runtime.texts import shown

if TYPE_CHECKING:
    from laconic.checking.certify.certificate import Certificate

MOST_NAMES = 8
"""Columns that a sentence names."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The conditions and rows that a proof is about.

    Attributes
    ----------
    conditions : tuple of str
        Each with its opposite, if rules may use that.
    columns, without : tuple of str
        Columns with conditions and columns without.
    n_samples, n_rows : int
        Rows of the data with a positive weight, and how many of them differ under the conditions.
    rules : tuple of str
        What the certificate's rules say.
    readings : tuple of str
        Of columns whose cells are not taken as they are: how they are read.
    """

    conditions: tuple[str, ...]
    columns: tuple[str, ...]
    without: tuple[str, ...]
    n_samples: int
    n_rows: int
    rules: tuple[str, ...]
    readings: tuple[str, ...] = ()


def scope_of(certificate: Certificate, table: Table) -> Scope:
    """Return what a certificate's proof ranges over, on the table made of some data."""
    words = certificate.words
    used = {feature.positive.column for feature in words.features}
    names = [column.name for column in words.columns]
    rules = certificate.content.get("rules")
    return Scope(
        tuple(feature_text(feature) for feature in words.features),
        tuple(name for name in names if name in used),
        tuple(name for name in names if name not in used),
        table.n_samples,
        table.n_rows,
        _rule_texts(words, rules, certificate.content.get("otherwise")) if isinstance(rules, list) else (),
        reading_texts(words),
    )


def reading_texts(words: DecisionSet) -> tuple[str, ...]:
    """Write how the cells of columns are read, where a condition does not see them as they are."""
    used = {feature.positive.column for feature in words.features}
    return tuple(
        f"column {shown(column.name)}: {' and '.join(described(column.reading))}"
        for column in words.columns
        if column.reading is not None and column.name in used
    )


def _rule_texts(words: DecisionSet, rules: list[Any], otherwise: Any) -> tuple[str, ...]:
    said = [coded_text(words, rule) for rule in rules]
    if otherwise is not None:
        known = type(otherwise) is int and 0 <= otherwise < len(words.classes)
        said.append(f"'OTHERWISE THEN {words.classes[otherwise] if known else shown(otherwise)}'")
    return tuple(said)


def statement(
    content: dict[str, Any], cost: int, lower_bound: int, scope: Scope, parts: Sequence[Part] = ()
) -> str:
    """Write what was proved; ``parts`` says what a cost under constraints consists of."""
    what = objective_text(content)
    optimal = cost == lower_bound
    rows = f"on the {count(scope.n_samples, 'row')} of the data ({scope.n_rows} different)"
    bound = "valid bound" if parts else f"valid bound {lower_bound}"
    start = f"{'optimal' if optimal else bound} ({what})"
    if not scope.conditions:
        return (
            f"{start} among sets without conditions only: the certificate offers no condition on any column. "
            f"The rules cost {cost} {rows}; nothing is proved about sets with conditions."
        )
    over = f"over {_conditions(scope)}"
    if parts:
        known = parts_text(parts, cost, lower_bound)
        least = "that respects this is better" if optimal else "that respects this is below the bounds"
        said = f"{start}: the rules have {known}, and no decision set {over} {least} {rows}."
    elif optimal:
        said = f"{start}: the rules cost {cost}, and no decision set {over} costs less {rows}."
    else:
        said = f"{start}: no decision set {over} costs less than {lower_bound} {rows}. The rules cost {cost}."
    said += " These conditions tell no two rows apart." if scope.n_rows == 1 else ""
    return said + "".join(f" Cells of {one}." for one in scope.readings)


def _conditions(scope: Scope) -> str:
    which = "the 1 condition" if len(scope.conditions) == 1 else f"the {len(scope.conditions)} conditions"
    without = f" (none on {_names(scope.without)})" if scope.without else ""
    return f"{which} on {_names(scope.columns)}{without}"


def _names(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMES
    listed = list(names[:MOST_NAMES]) + ([f"{more} more columns"] if more > 0 else [])
    return listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} and {listed[-1]}"


def objective_text(content: dict[str, Any]) -> str:
    """Return the objective and the compiled constraints as plain data."""
    parts = [str(content["objective"])]
    if content["objective"] == "sparse":
        if content["regularization"] is not None:
            parts.append(f"λ = {Fraction(*content['regularization'])}")
        parts.append(f"errors {content['counting'].replace('_', ' ')}")
        if content["every_class"]:
            parts.append("a rule for every class")
    if content.get("otherwise") is not None:
        parts.append("an OTHERWISE rule of size 1")
    parts += [
        f"{name} = {shown(content[name])}"
        for name in ("size_budget", "max_errors")
        if content.get(name) is not None
    ]
    if content.get("constraints"):
        try:
            parts += Constraints.from_document(content["constraints"]).lines()
        except InputError:
            parts.append(f"constraints {shown(content['constraints'])}")
    if _support_matters(content):
        parts.append("min_support = 1")
    return ", ".join(parts)


def _support_matters(content: dict[str, Any]) -> bool:
    """Whether it has to be said that under constraints each rule covers a row.

    A rule that covers none could only be there because a class has to have a rule, or a literal to be used.
    """
    constraints = content.get("constraints")
    if not isinstance(constraints, dict) or "compiled_constraints" not in content:
        return False
    asked = bool(content.get("every_class")) or "required" in constraints
    return asked and "min_support" not in constraints


def feature_text(feature: Feature) -> str:
    """Write a condition with its opposite, if a rule may use that.

    >>> from laconic.data.literals import Missing
    >>> feature_text(Feature(Missing("age"), Missing("age", False)))
    'age is missing, or age is present'
    """
    return str(feature.positive) if feature.negative is None else f"{feature.positive}, or {feature.negative}"


def coded_text(words: DecisionSet, rule: Any) -> str:
    """Write a certificate's rule, ``[class, literal, ...]``, in words; what is no rule is shown as it is."""
    if not isinstance(rule, list) or not rule or any(type(code) is not int or code < 0 for code in rule):
        return shown(rule)
    target, *codes = rule
    if target >= len(words.classes) or any(code >= 2 * len(words.features) for code in codes):
        return shown(rule)
    sides = [(words.features[code >> 1], code & 1) for code in codes]
    literals = [feature.positive if side else feature.negative for feature, side in sides]
    known = [literal for literal in literals if literal is not None]
    if len(known) < len(literals):
        return shown(rule)
    return f"'IF {conditions_text(known)} THEN {label_text(words.classes[target])}'"
