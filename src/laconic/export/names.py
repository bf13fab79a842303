"""Kinds of columns for exports, and texts that a target language cannot represent."""

from __future__ import annotations

from collections.abc import Iterable

from laconic.data.literals import Interval, Threshold, named_values
from laconic.model.decision_set import DecisionSet
from laconic.runtime.errors import InputError


def holds_numbers(model: DecisionSet, column: str) -> bool:
    """Return whether a column holds numbers, so that a missing value may be NaN."""
    kinds = {one.name: one.kind for one in model.columns}
    sides = [side for feature in model.features for side in (feature.positive, feature.negative)]
    conditions = [literal for rule in model.rules for literal in rule.literals] + sides
    return kinds[column] == "numeric" or any(
        isinstance(literal, Threshold | Interval) or any(map(_is_number, named_values(literal)))
        for literal in conditions
        if literal is not None and literal.column == column
    )


def refuse_unwritable(texts: Iterable[str], language: str) -> None:
    """Raise `InputError` if a name cannot be represented in the target language."""
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
    """Return all texts from the user's data that an export of the model contains."""
    values = [value for rule in model.rules for literal in rule.literals for value in named_values(literal)]
    return [text for text in (*model.used_columns, *values, *model.classes) if isinstance(text, str)]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
