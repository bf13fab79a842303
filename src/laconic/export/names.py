"""What an export must know of a model's columns, and what it cannot put into another language."""

from __future__ import annotations

from collections.abc import Iterable

from laconic.data.literals import Equals, Interval, Threshold
from laconic.model.decision_set import DecisionSet
from laconic.runtime.errors import InputError


def holds_numbers(model: DecisionSet, column: str) -> bool:
    """Whether a column holds numbers, so that "missing" may be written as NaN."""
    kinds = {one.name: one.kind for one in model.columns}
    sides = [side for feature in model.features for side in (feature.positive, feature.negative)]
    conditions = [literal for rule in model.rules for literal in rule.literals] + sides
    return kinds[column] == "numeric" or any(
        isinstance(literal, Threshold | Interval)
        or (isinstance(literal, Equals) and _is_number(literal.value))
        for literal in conditions
        if literal is not None and literal.column == column
    )


def refuse_unwritable(texts: Iterable[str], language: str) -> None:
    """Refuse names that a text in that language cannot hold."""
    for text in texts:
        if "\0" in text:
            raise InputError(f"{text!r} has a NUL character, which {language} cannot hold; rename it")
        try:
            text.encode()
        except UnicodeEncodeError:
            raise InputError(
                f"{text!r} is not valid Unicode, so {language} cannot hold it; rename it"
            ) from None


def texts_of(model: DecisionSet) -> list[str]:
    """Return all texts of the user that an export of the model contains."""
    values = [
        literal.value for rule in model.rules for literal in rule.literals if isinstance(literal, Equals)
    ]
    return [text for text in (*model.used_columns, *values, *model.classes) if isinstance(text, str)]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
