"""The sections on the rules: cards, overlaps, and the source of the numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from laconic.model.decision_set import DecisionSet
from laconic.model.render import merged
from laconic.report.fields import ChoiceField, Field, Preset
from laconic.report.measures import Measures, RuleMeasure

MATRIX_UP_TO = 12
"""Maximum number of rules whose overlaps are shown as a square; above it, they are a list of pairs."""

PAIRS_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Card:
    """One rule with its numbers; ``number`` is None for the default."""

    number: int | None
    name: str
    conditions: tuple[str, ...]
    label: str
    target: int
    measure: RuleMeasure


def cards(model: DecisionSet, measures: Measures) -> list[Card]:
    """Return the rules as cards, and the default as the last card."""
    found = [
        Card(
            k + 1,
            f"Rule {k + 1}",
            tuple(str(literal) for literal in merged(rule.literals)),
            str(rule.label),
            rule.target,
            measures.rules[k],
        )
        for k, rule in enumerate(model.rules)
    ]
    if all(rule.literals for rule in model.rules):
        label = model.fallback_class
        name = "Default class" if model.else_rule is None else "Else rule"
        if model.has_otherwise:
            name = "OTHERWISE rule"
        found.append(Card(None, name, (), str(label), model.classes.index(label), measures.fallback))
    return found


@dataclass(frozen=True, slots=True)
class Pair:
    """Two rules that cover some rows together."""

    first: int
    second: int
    rows: int
    agree: bool


@dataclass(frozen=True, slots=True)
class Overlaps:
    """Pairs of rules that overlap, the largest first, and the whole square if it is small."""

    pairs: tuple[Pair, ...]
    square: tuple[tuple[Pair, ...], ...]

    @classmethod
    def of(cls, model: DecisionSet, measures: Measures) -> Overlaps:
        """Find the overlaps of a set on a table."""
        targets = [rule.target for rule in model.rules]
        square = tuple(
            tuple(
                Pair(i + 1, j + 1, int(measures.overlaps[i, j]), targets[i] == targets[j])
                for j in range(len(targets))
            )
            for i in range(len(targets))
        )
        pairs = [pair for row in square for pair in row if pair.first < pair.second and pair.rows]
        pairs.sort(key=lambda pair: (-pair.rows, pair.first, pair.second))
        return cls(tuple(pairs), square if 1 < len(square) <= MATRIX_UP_TO else ())

    @property
    def shown(self) -> tuple[Pair, ...]:
        """The largest pairs."""
        return self.pairs[:PAIRS_SHOWN]


def standing(found: list[str] | None) -> tuple[str, str]:
    """Return how the report's table relates to the training data: a style name and a sentence."""
    if found is None:
        return "other", "The model carries no proof facts, so it cannot be told which data it was trained on."
    if not found:
        return "stands", (
            "These are the rows the model was trained on: their fingerprint, the errors, the size and the "
            "cost were recounted for this report, and they are as the model says."
        )
    if len(found) == 1 and found[0].startswith(("this is not the data", "the data has label")):
        return "other", (
            "These are not the rows the model was trained on, so the numbers show how the rules do on "
            "other rows."
        )
    return "broken", "The model's facts do not stand on this data: " + "; ".join(found) + "."


def field_data(fields: Sequence[Field], presets: Sequence[Preset]) -> dict[str, Any]:
    """Return the data of the inputs for the script."""
    return {
        "fields": [
            {"kind": "choice", "values": list(field.values), "other": field.other}
            if isinstance(field, ChoiceField)
            else {"kind": "number", **({"scale": field.scale} if field.unit else {})}
            for field in fields
        ],
        "presets": [list(preset.values) for preset in presets],
    }
