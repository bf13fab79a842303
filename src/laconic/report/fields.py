"""The inputs of the what-if panel: one per column that rules use, with the values in the data.

Only ranges, categories and typical values go into the page, never a row of the data.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic.data.cells import Cells, Scalar, same_value, text_of
from laconic.data.column import view
from laconic.data.dates import date_text
from laconic.data.literals import Interval, Literal, Threshold, named_values, quantity_text
from laconic.data.reading.date_cells import DateCells
from laconic.data.targets import checked_labels
from laconic.model.decision_set import DecisionSet

MAX_OPTIONS = 200
"""Maximum number of categories offered for a column, besides those in rules."""

_SLIDER_STEPS = 200


@dataclass(frozen=True, slots=True)
class NumberField:
    """A number: its range, the slider's step and the thresholds of the rules."""

    name: str
    low: float
    high: float
    step: float
    switches: tuple[str, ...]
    typical: float | None
    unit: str = ""
    kind: str = "number"

    @property
    def scale(self) -> int:
        """Milliseconds per unit where the field is a date, else 1."""
        return {"day": 86_400_000, "second": 1000}.get(self.unit, 1)

    def text(self, value: float) -> str:
        """Write a date as the input of the page holds it."""
        return date_text(value, self.unit).replace(" ", "T")


@dataclass(frozen=True, slots=True)
class ChoiceField:
    """A category: its values, as in a table, and their texts."""

    name: str
    values: tuple[Scalar, ...]
    texts: tuple[str, ...]
    asked: tuple[str, ...]
    other: str
    typical: int | None
    kind: str = "choice"


Field = NumberField | ChoiceField


@dataclass(frozen=True, slots=True)
class Preset:
    """Typical values of a class, one per field: a number, the position of a category, or None if missing."""

    label: str
    values: tuple[float | int | None, ...]


def fields_and_presets(model: DecisionSet, X: Any, y: Any) -> tuple[list[Field], list[Preset]]:
    """Return the inputs for the columns that rules use, and typical values of each class."""
    rows = view(X, model.columns, model.used_columns, named=model.named)
    labels = checked_labels(y, rows.n_rows)
    kinds = {column.name: column.kind for column in model.columns}
    literals = [literal for rule in model.rules for literal in rule.literals]
    found: list[Field] = []
    for name in model.used_columns:
        asked = [literal for literal in literals if literal.column == name]
        if kinds[name] in {"numeric", "date"}:
            found.append(_number_field(rows.cells[name], asked))
        else:
            known = [feature.positive for feature in model.features if feature.positive.column == name]
            found.append(_choice_field(rows.cells[name], asked, known))
    presets = []
    for label in model.classes:
        mask = np.asarray(labels == label, dtype=bool)
        if mask.any():
            values = tuple(_typical(field, rows.cells[field.name], mask) for field in found)
            presets.append(Preset(str(label), values))
    return found, presets


def _number_field(cells: Cells, asked: Sequence[Literal]) -> NumberField:
    switches = sorted(_switches(asked))
    unit = cells.unit if isinstance(cells, DateCells) else ""
    present = cells.numbers[~cells.missing]
    ends = [*switches, *((present.min(), present.max()) if present.size else ())]
    # A column without values, with a rule on "is missing" only, has no range for a slider.
    low, high = (float(min(ends)), float(max(ends))) if ends else (0.0, 1.0)
    whole = not present.size or bool((present == np.floor(present)).all())
    step = _step(high - low, whole=whole)
    if present.size and high in switches:
        high += step  # so that the slider can pass the last switch
    low, high = math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step
    return NumberField(
        cells.name,
        _trimmed(low),
        _trimmed(max(high, low + step)),
        step,
        tuple(quantity_text(value, unit) for value in switches),
        _middle(present),
        unit,
    )


def _switches(asked: Sequence[Literal]) -> set[float]:
    found: set[float] = set()
    for literal in asked:
        if isinstance(literal, Threshold):
            found.add(literal.value)
        elif isinstance(literal, Interval):
            found |= {end for end in (literal.low, literal.high) if math.isfinite(end)}
        else:
            found |= {float(value) for value in named_values(literal) if not isinstance(value, str)}
    return found


def _step(span: float, *, whole: bool) -> float:
    """Return a round step that divides a range into a few hundred; whole numbers get whole steps."""
    if span <= 0:
        return 1.0
    rough = span / _SLIDER_STEPS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * 0.999)
    return max(1.0, step) if whole else float(f"{step:.12g}")


def _trimmed(value: float) -> float:
    return float(f"{value:.12g}")


def _middle(present: NDArray[np.float64]) -> float | None:
    """Return the lower median: a value that occurs, not a mean of two."""
    if not present.size:
        return None
    return float(np.partition(present, (present.size - 1) // 2)[(present.size - 1) // 2])


def _choice_field(cells: Cells, asked: Sequence[Literal], known: Sequence[Literal]) -> ChoiceField:
    codes, distinct = cells.coded
    counts = np.bincount(codes[codes >= 0], minlength=len(distinct))
    frequent = sorted(range(len(distinct)), key=lambda k: (-counts[k], k))
    in_data = [_plain(distinct[k]) for k in frequent if counts[k]]
    in_rules = [value for literal in asked for value in named_values(literal)]
    in_model = [value for literal in known for value in named_values(literal)]
    values: list[Scalar] = []
    taken: set[str] = set()
    # The spelling of the data comes first: a table may hold "1" where the model says 1.
    wanted = [value for value in in_data if any(same_value(value, rule) for rule in in_rules)]
    for value in (*wanted, *in_rules, *in_data, *in_model):
        if len(values) < MAX_OPTIONS and text_of(value) not in taken:
            taken.add(text_of(value))
            values.append(value)
    values.sort(key=lambda value: (isinstance(value, str), value))
    other = "another value"
    while any(same_value(other, value) for value in values):
        other += " (none of these)"
    texts = [text_of(value) for value in values]
    typical = texts.index(text_of(in_data[0])) if in_data else None
    return ChoiceField(
        cells.name,
        tuple(values),
        tuple(texts),
        tuple(dict.fromkeys(text_of(value) for value in in_rules)),
        other,
        typical,
    )


def _typical(field: Field, cells: Cells, mask: NDArray[np.bool_]) -> float | int | None:
    if isinstance(field, NumberField):
        return _middle(cells.numbers[mask & ~cells.missing])
    codes, distinct = cells.coded
    present = codes[mask & (codes >= 0)]
    if not present.size:
        return None
    text = text_of(_plain(distinct[int(np.bincount(present).argmax())]))
    return field.texts.index(text) if text in field.texts else None


def _plain(value: Any) -> Scalar:
    plain: Scalar = value.item() if isinstance(value, np.generic) else value
    return int(plain) if isinstance(plain, float) and plain.is_integer() else plain
