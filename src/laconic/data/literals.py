"""Conditions on one column, in the user's words.

A literal is the atom of every rule: ``age <= 54``, ``colour = red``, ``income is missing``. It can be
shown, written to JSON, and evaluated on a column of new data. A missing value satisfies only
``is missing``: neither ``age <= 54`` nor ``age > 54`` holds for a row without an age.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from laconic.errors import ModelFileError

Scalar = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Threshold:
    """``column <= value`` or ``column > value``."""

    column: str
    op: str
    value: float
    kind: ClassVar[str] = "threshold"

    def holds(self, values: pd.Series[Any]) -> NDArray[np.bool_]:
        """Return which entries satisfy the literal; missing ones never do."""
        numbers = _numbers(values)
        with np.errstate(invalid="ignore"):
            return numbers <= self.value if self.op == "<=" else numbers > self.value

    def __str__(self) -> str:
        return f"{self.column} {self.op} {format_number(self.value)}"


@dataclass(frozen=True, slots=True)
class Interval:
    """``low < column <= high``, or the opposite when ``inside`` is false."""

    column: str
    low: float
    high: float
    inside: bool = True
    kind: ClassVar[str] = "interval"

    def holds(self, values: pd.Series[Any]) -> NDArray[np.bool_]:
        """Return which entries satisfy the literal; missing ones never do."""
        numbers = _numbers(values)
        with np.errstate(invalid="ignore"):
            within = (numbers > self.low) & (numbers <= self.high)
        return within if self.inside else ~within & ~np.isnan(numbers)

    def __str__(self) -> str:
        if math.isinf(self.low):
            return f"{self.column} {'<=' if self.inside else '>'} {format_number(self.high)}"
        if math.isinf(self.high):
            return f"{self.column} {'>' if self.inside else '<='} {format_number(self.low)}"
        low, high = format_number(self.low), format_number(self.high)
        return f"{low} < {self.column} <= {high}" if self.inside else f"not ({low} < {self.column} <= {high})"


@dataclass(frozen=True, slots=True)
class Equals:
    """``column = value`` or ``column != value``; the value is a category, a boolean or a number."""

    column: str
    op: str
    value: Scalar
    kind: ClassVar[str] = "equals"

    def holds(self, values: pd.Series[Any]) -> NDArray[np.bool_]:
        """Return which entries satisfy the literal; missing ones never do."""
        present = values.notna().to_numpy(dtype=bool)
        same = _equal(values, self.value)
        return same & present if self.op == "=" else ~same & present

    def __str__(self) -> str:
        return f"{self.column} {self.op} {format_value(self.value)}"


@dataclass(frozen=True, slots=True)
class Missing:
    """``column is missing``, or ``column is present`` when ``missing`` is false."""

    column: str
    missing: bool = True
    kind: ClassVar[str] = "missing"

    def holds(self, values: pd.Series[Any]) -> NDArray[np.bool_]:
        """Return which entries satisfy the literal."""
        absent = values.isna().to_numpy(dtype=bool)
        return absent if self.missing else ~absent

    def __str__(self) -> str:
        return f"{self.column} is {'missing' if self.missing else 'present'}"


Literal = Threshold | Interval | Equals | Missing
"""Any condition on one column."""


@dataclass(frozen=True, slots=True)
class Feature:
    """A binary feature: the literal that is true where the feature is 1, and the one where it is 0.

    ``negative`` is ``None`` when the opposite may not be asked for: the column has missing values, and
    "not (x <= 3)" would hold for them.
    """

    positive: Literal
    negative: Literal | None


def format_number(value: float) -> str:
    """Write a number as short as it can be read back exactly: ``54``, ``0.8``, ``1e-09``."""
    if math.isfinite(value) and value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return repr(float(value))


def format_value(value: Scalar) -> str:
    """Write a category, boolean or number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return format_number(value)


def literal_to_dict(literal: Literal) -> dict[str, Any]:
    """Return plain data for JSON; infinite interval ends become null."""
    if isinstance(literal, Threshold):
        return {"kind": "threshold", "column": literal.column, "op": literal.op, "value": literal.value}
    if isinstance(literal, Interval):
        low = None if math.isinf(literal.low) else literal.low
        high = None if math.isinf(literal.high) else literal.high
        return {
            "kind": "interval",
            "column": literal.column,
            "low": low,
            "high": high,
            "inside": literal.inside,
        }
    if isinstance(literal, Equals):
        return {"kind": "equals", "column": literal.column, "op": literal.op, "value": literal.value}
    return {"kind": "missing", "column": literal.column, "missing": literal.missing}


def literal_from_dict(data: Any) -> Literal:
    """Read what `literal_to_dict` wrote; anything else is refused."""
    if not isinstance(data, dict) or not isinstance(data.get("column"), str):
        raise ModelFileError(f"not a condition: {str(data)[:80]!r}; the model file is damaged")
    column = data["column"]
    match data:
        case {"kind": "threshold", "op": "<=" | ">" as op, "value": value} if _is_number(value):
            return Threshold(column, op, float(value))
        case {"kind": "interval", "low": low, "high": high, "inside": bool(inside)} if all(
            end is None or _is_number(end) for end in (low, high)
        ):
            return Interval(
                column,
                -math.inf if low is None else float(low),
                math.inf if high is None else float(high),
                inside,
            )
        case {"kind": "equals", "op": "=" | "!=" as op, "value": str() | bool() | int() | float() as value}:
            return Equals(column, op, value)
        case {"kind": "missing", "missing": bool(missing)}:
            return Missing(column, missing)
    raise ModelFileError(
        f"unknown condition on column {column!r}: {str(data)[:80]}; the model file is damaged"
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _numbers(values: pd.Series[Any]) -> NDArray[np.float64]:
    return np.asarray(pd.to_numeric(values, errors="coerce").to_numpy(dtype=float, na_value=np.nan))


def _equal(values: pd.Series[Any], value: Scalar) -> NDArray[np.bool_]:
    if isinstance(value, str) or isinstance(values.dtype, pd.CategoricalDtype):
        # Categories compare by their text, so that a CSV read back as numbers or as text gives one answer.
        return np.asarray(values.astype(object).map(_text).to_numpy() == _text(value), dtype=bool)
    return np.asarray(_numbers(values) == float(value), dtype=bool)


def _text(value: Any) -> str:
    return format_value(value.item() if isinstance(value, np.generic) else value)
