"""Conditions on one column, in the user's words.

A literal is the atom of every rule: ``age <= 54``, ``colour is red``, ``income is missing``. It can be
shown, written to JSON, and evaluated on a column of new data. A missing value satisfies only
``is missing``: neither ``age <= 54`` nor ``age > 54`` holds for a row without an age.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from laconic.data.cells import Cells, Scalar, format_number, text_of
from laconic.data.dates import UNITS, date_text
from laconic.runtime.errors import ModelFileError
from laconic.runtime.texts import misleading, visible

CellValues = pd.Series | Cells
"""What a condition is evaluated on; give `Cells` when several conditions share the column."""


class _Worded:
    """Base class of literals: `str` makes every character visible."""

    __slots__ = ()

    @property
    def text(self) -> str:
        raise NotImplementedError

    def __str__(self) -> str:
        return visible(self.text)


@dataclass(frozen=True, slots=True)
class Threshold(_Worded):
    """``column <= value`` or ``column > value``; with a unit, "day" or "second", the value is a date."""

    column: str
    op: str
    value: float
    unit: str = ""
    kind: ClassVar[str] = "threshold"

    def holds(self, values: CellValues) -> NDArray[np.bool_]:
        """Return which entries satisfy the literal; missing ones never do."""
        numbers = (values if isinstance(values, Cells) else _cells(values)).numbers
        return numbers <= self.value if self.op == "<=" else numbers > self.value

    @property
    def text(self) -> str:
        """The condition in words, with names and values as they are."""
        return f"{column_text(self.column)} {self.op} {quantity_text(self.value, self.unit)}"


@dataclass(frozen=True, slots=True)
class Interval(_Worded):
    """``low < column <= high``, or the opposite when ``inside`` is false; the user may have named it."""

    column: str
    low: float
    high: float
    inside: bool = True
    name: str | None = None
    unit: str = ""
    kind: ClassVar[str] = "interval"

    def holds(self, values: CellValues) -> NDArray[np.bool_]:
        """Return which entries satisfy the literal; missing ones never do."""
        numbers = _cells(values).numbers
        if self.inside:
            return (numbers > self.low) & (numbers <= self.high)
        return (numbers <= self.low) | (numbers > self.high)

    @property
    def text(self) -> str:
        """The condition in words, with names and values as they are."""
        column = column_text(self.column)
        if self.name is not None:
            ends = [f"> {quantity_text(self.low, self.unit)}"] * (self.low > -math.inf)
            ends += [f"<= {quantity_text(self.high, self.unit)}"] * (self.high < math.inf)
            # A name with signs of its own would read as other ends.
            named = repr(self.name) if set(self.name) & set("()<>=") else _category_text(self.name)
            bin_text = f"{named} ({' and '.join(ends)})"
            return f"{column} {'is' if self.inside else 'is not'} {bin_text}"
        if math.isinf(self.low):
            return f"{column} {'<=' if self.inside else '>'} {quantity_text(self.high, self.unit)}"
        if math.isinf(self.high):
            return f"{column} {'>' if self.inside else '<='} {quantity_text(self.low, self.unit)}"
        low, high = quantity_text(self.low, self.unit), quantity_text(self.high, self.unit)
        return f"{low} < {column} <= {high}" if self.inside else f"not ({low} < {column} <= {high})"


@dataclass(frozen=True, slots=True)
class Equals(_Worded):
    """``column = value`` or ``column != value``; the value is a category, a boolean or a number."""

    column: str
    op: str
    value: Scalar
    kind: ClassVar[str] = "equals"

    def holds(self, values: CellValues) -> NDArray[np.bool_]:
        """Return which entries satisfy the literal; missing ones never do."""
        cells = _cells(values)
        same = cells.equal_to(self.value)
        return same if self.op == "=" else ~(same | cells.missing)

    @property
    def text(self) -> str:
        """The condition in words, with names and values as they are."""
        return (
            f"{column_text(self.column)} {'is' if self.op == '=' else 'is not'} {_category_text(self.value)}"
        )


@dataclass(frozen=True, slots=True)
class Among(_Worded):
    """``column in {values}``, or the opposite when ``inside`` is false; the values are categories."""

    column: str
    values: tuple[Scalar, ...]
    inside: bool = True
    kind: ClassVar[str] = "among"

    def holds(self, values: CellValues) -> NDArray[np.bool_]:
        """Return which entries satisfy the literal; missing ones never do."""
        cells = _cells(values)
        found: NDArray[np.bool_] = np.logical_or.reduce([cells.equal_to(value) for value in self.values])
        return found if self.inside else ~(found | cells.missing)

    @property
    def text(self) -> str:
        """The condition in words, with names and values as they are."""
        members = ", ".join(_member_text(value) for value in self.values)
        return f"{column_text(self.column)} {'in' if self.inside else 'not in'} {{{members}}}"


@dataclass(frozen=True, slots=True)
class Missing(_Worded):
    """``column is missing``, or ``column is present`` when ``missing`` is false."""

    column: str
    missing: bool = True
    kind: ClassVar[str] = "missing"

    def holds(self, values: CellValues) -> NDArray[np.bool_]:
        """Return which entries satisfy the literal."""
        absent = _cells(values).missing
        return absent if self.missing else ~absent

    @property
    def text(self) -> str:
        """The condition in words, with names and values as they are."""
        return f"{column_text(self.column)} is {'missing' if self.missing else 'present'}"


Literal = Threshold | Interval | Equals | Among | Missing
"""Any condition on one column."""


@dataclass(frozen=True, slots=True)
class Feature:
    """A binary feature: the literal that is true where the feature is 1, and the one where it is 0.

    ``negative`` is ``None`` when the opposite may not be asked for: the column has missing values, and
    "not (x <= 3)" would hold for them.
    """

    positive: Literal
    negative: Literal | None

    def disputed(self, values: CellValues) -> NDArray[np.bool_]:
        """Return which entries satisfy both literals or neither; none do where there is only one literal."""
        if self.negative is None:
            return np.zeros(len(values), bool)
        return np.asarray(self.positive.holds(values) == self.negative.holds(values))


def opposite(one: Literal, other: Literal) -> bool:
    """Whether two literals can be the two sides of a feature.

    They are the same condition asked both ways, or the two values of a column that has only two; whether it
    has is for the data to say (`Feature.disputed`).

    Examples
    --------
    >>> opposite(Threshold("age", "<=", 40.0), Threshold("age", ">", 40.0))
    True
    >>> opposite(Threshold("age", "<=", 40.0), Threshold("age", ">", 50.0))
    False
    >>> opposite(Equals("owner", "=", True), Equals("owner", "=", False))
    True
    """
    if one.column != other.column:
        return False
    match one, other:
        case Threshold(), Threshold():
            return one.op != other.op and (one.value, one.unit) == (other.value, other.unit)
        case Interval(), Interval():
            ends = (one.low, one.high, one.name, one.unit) == (other.low, other.high, other.name, other.unit)
            return one.inside != other.inside and ends
        case Equals(), Equals():
            same = type(one.value) is type(other.value) and one.value == other.value
            return same if one.op != other.op else one.op == "=" and not same
        case Among(), Among():
            return one.inside != other.inside and one.values == other.values
        case Missing(), Missing():
            return one.missing != other.missing
    return False


def contradiction(literals: Iterable[Literal]) -> str | None:
    """Return the column of which no value meets all its conditions, if there is one.

    >>> contradiction([Threshold("x", "<=", 7.0), Missing("x")])
    'x'
    >>> contradiction([Threshold("x", ">", 3.0), Threshold("x", "<=", 7.0), Missing("y")])
    """
    by_column: dict[str, list[Literal]] = {}
    for literal in literals:
        by_column.setdefault(literal.column, []).append(literal)
    for column, conditions in by_column.items():
        values = pd.Series(_telling_values(conditions), dtype=object, name=column)
        if len(conditions) > 1 and not np.logical_and.reduce([one.holds(values) for one in conditions]).any():
            return column
    return None


def _telling_values(conditions: Sequence[Literal]) -> list[Any]:
    """Return values of a column, one of which meets all the conditions if any value does."""
    bounds = [one.value for one in conditions if isinstance(one, Threshold)]
    for one in conditions:
        if isinstance(one, Interval):
            bounds += [one.low, one.high]
    named: list[Any] = [value for one in conditions for value in named_values(one)]
    if not any(isinstance(value, str) for value in named):
        named += [*bounds, *(float(np.nextafter(bound, math.inf)) for bound in bounds)]
        return [None, *named, max([0.0, *map(float, named)]) + 1.0]
    return [None, *named, "".join(map(str, named)) + "?"]


def named_values(literal: Literal) -> tuple[Scalar, ...]:
    """Return the categories, truth values or numbers that a condition names one by one.

    >>> named_values(Among("job", ("clerk", "nurse"))), named_values(Threshold("age", ">", 40.0))
    (('clerk', 'nurse'), ())
    """
    match literal:
        case Equals(value=value):
            return (value,)
        case Among(values=values):
            return values
    return ()


def literal_to_dict(literal: Literal) -> dict[str, Any]:
    """Return plain data for JSON; infinite interval ends become null."""
    if isinstance(literal, Threshold):
        data = {"kind": "threshold", "column": literal.column, "op": literal.op, "value": literal.value}
        return {**data, "date": literal.unit} if literal.unit else data
    if isinstance(literal, Interval):
        low = None if math.isinf(literal.low) else literal.low
        high = None if math.isinf(literal.high) else literal.high
        return {
            "kind": "interval",
            "column": literal.column,
            "low": low,
            "high": high,
            "inside": literal.inside,
            **({} if literal.name is None else {"name": literal.name}),
            **({"date": literal.unit} if literal.unit else {}),
        }
    if isinstance(literal, Equals):
        return {"kind": "equals", "column": literal.column, "op": literal.op, "value": literal.value}
    if isinstance(literal, Among):
        return {
            "kind": "among",
            "column": literal.column,
            "values": list(literal.values),
            "inside": literal.inside,
        }
    return {"kind": "missing", "column": literal.column, "missing": literal.missing}


def literal_from_dict(data: Any) -> Literal:
    """Read what `literal_to_dict` wrote; anything else is refused."""
    if not isinstance(data, dict) or not isinstance(data.get("column"), str):
        raise ModelFileError(f"not a condition: {str(data)[:80]!r}; the model file is damaged")
    column, unit = data["column"], data.get("date", "")
    if unit not in ("", *UNITS):
        raise ModelFileError(f"column {column!r} has dates of no known unit; the model file is damaged")
    match data:
        case {"kind": "threshold", "op": "<=" | ">" as op, "value": value} if _is_number(value):
            return Threshold(column, op, float(value), unit)
        case {"kind": "interval", "low": low, "high": high, "inside": bool(inside)} if all(
            end is None or _is_number(end) for end in (low, high)
        ) and isinstance(data.get("name"), str | None):
            return Interval(
                column,
                -math.inf if low is None else float(low),
                math.inf if high is None else float(high),
                inside,
                data.get("name"),
                unit,
            )
        case {"kind": "equals", "op": "=" | "!=" as op, "value": str() | bool() | int() | float() as value}:
            return Equals(column, op, value)
        case {"kind": "among", "values": [_, _, *_] as values, "inside": bool(inside)} if all(
            isinstance(value, str | bool | int | float) for value in values
        ) and len(set(map(text_of, values))) == len(values):
            return Among(column, tuple(values), inside)
        case {"kind": "missing", "missing": bool(missing)}:
            return Missing(column, missing)
    raise ModelFileError(
        f"unknown condition on column {column!r}: {str(data)[:80]}; the model file is damaged"
    )


def feature_to_dict(feature: Feature) -> dict[str, Any]:
    """Return plain data for JSON."""
    negative = None if feature.negative is None else literal_to_dict(feature.negative)
    return {"positive": literal_to_dict(feature.positive), "negative": negative}


def feature_from_dict(data: Any) -> Feature:
    """Read what `feature_to_dict` wrote; anything else is refused."""
    match data:
        case {"positive": positive, "negative": None}:
            return Feature(literal_from_dict(positive), None)
        case {"positive": positive, "negative": negative}:
            feature = Feature(literal_from_dict(positive), literal_from_dict(negative))
            if not opposite(feature.positive, literal_from_dict(negative)):
                raise ModelFileError(
                    f"'{feature.negative}' is listed as the opposite of '{feature.positive}', "
                    f"which it is not; the model file is damaged"
                )
            return feature
    raise ModelFileError(f"not a binary feature: {str(data)[:80]!r}; the model file is damaged")


def column_text(name: str) -> str:
    """Write the name of a column; one that would read as several conditions, or as another name, is quoted.

    >>> [column_text(name) for name in ("age", "age ", "age > 40 AND owner")]
    ['age', "'age '", "'age > 40 AND owner'"]
    """
    return f"'{name}'" if misleading(name) else name


def quantity_text(value: float, unit: str) -> str:
    """Write the number of a condition, or the date that it stands for."""
    return date_text(value, unit) if unit else format_number(value)


def _category_text(value: Scalar) -> str:
    """Write a category; one that would read as more than a value, or not at all, is put in quotes.

    >>> [_category_text(value) for value in ("red", "missing", "not red", "", 1, "red AND age > 40")]
    ['red', "'missing'", "'not red'", "''", '1', "'red AND age > 40'"]
    """
    text = text_of(value)
    odd = text.partition(" ")[0] in {"missing", "present", "not"} or misleading(text)
    return repr(text) if isinstance(value, str) and odd else text


def _member_text(value: Scalar) -> str:
    """Write a member of a group; one with a comma or a brace is put in quotes.

    >>> [_member_text(value) for value in ("red", "red, or so", 1)]
    ['red', "'red, or so'", '1']
    """
    text = _category_text(value)
    return repr(value) if isinstance(value, str) and text == value and set(text) & set(",{}") else text


def _is_number(value: Any) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond all doubles
        return False


def _cells(values: CellValues) -> Cells:
    return values if isinstance(values, Cells) else Cells(values)
