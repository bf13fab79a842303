"""One column of a table, read once: as numbers, as codes, as present or missing.

Conditions are evaluated against `Cells`, never against a Series directly, so that ten thresholds on one
column read it once, and so that missing and equal cells are the same everywhere. Numbers are compared as
doubles. A whole number that is not a double is rounded up to the next one, which changes no comparison with a
threshold, since thresholds are doubles; equality is that of the whole numbers themselves. Categories are
compared by their text, because the same table may come as text from one source and as numbers from another;
the comparison runs over the distinct values and is spread to the rows by code, so there is no Python loop
over rows.
"""

from __future__ import annotations

import math
import re
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from laconic.data.words import is_text, refuse_half_characters
from laconic.runtime.errors import InputError
from laconic.runtime.texts import shown

Scalar = str | int | float | bool

LARGEST_EXACT = 2.0**53
"""Whole numbers up to this are doubles."""

_WHOLE = re.compile(r"[+-]?\d{1,400}")


class CellTypeError(InputError, TypeError):
    """A column has a value that is neither a number, a text nor a boolean."""


class Cells:
    """A column with its missing cells, numbers and distinct values, each computed at most once.

    Parameters
    ----------
    values : Series
        Numbers, booleans, texts or categories; ``NaN``, ``None``, ``pd.NA`` and ``NaT`` are missing.

    Examples
    --------
    >>> cells = Cells(pd.Series([1.5, None, 3.0], name="age"))
    >>> cells.missing.tolist()
    [False, True, False]
    >>> cells.equal_to("3").tolist()
    [False, False, True]
    """

    def __init__(self, values: pd.Series[Any]) -> None:
        self.values = values
        self.name = str(values.name)

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def is_numeric(self) -> bool:
        """Whether the dtype itself is one of numbers or booleans."""
        return bool(pd.api.types.is_numeric_dtype(self.values.dtype))

    @cached_property
    def is_boolean(self) -> bool:
        """Whether the dtype is that of truth values."""
        return bool(pd.api.types.is_bool_dtype(self.values.dtype))

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        """Which cells have no value."""
        return np.asarray(self.values.isna().to_numpy(dtype=bool))

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """The cells as doubles, NaN where missing; text that is not a number is refused.

        A whole number that no double holds is rounded up.
        """
        numbers = self._nearest
        if self.inexact.any():
            numbers = numbers.copy()
            whole = self.values.to_numpy(dtype=object)
            for row in np.flatnonzero(self.inexact).tolist():
                if int(numbers[row]) < int(whole[row]):
                    numbers[row] = math.nextafter(numbers[row], math.inf)
        return numbers

    @cached_property
    def inexact(self) -> NDArray[np.bool_]:
        """The mask of whole numbers that are not doubles."""
        if not self.is_whole and self.values.dtype != np.dtype(object):
            return np.zeros(len(self.values), bool)
        large = np.abs(self._nearest) >= LARGEST_EXACT
        if not large.any():
            return large
        cells = self.values.to_numpy(dtype=object)
        for row in np.flatnonzero(large).tolist():
            large[row] = isinstance(cells[row], int | np.integer) and int(cells[row]) != float(
                self._nearest[row]
            )
        return np.asarray(large)

    @cached_property
    def is_whole(self) -> bool:
        """Whether the dtype is one of whole numbers."""
        return bool(pd.api.types.is_integer_dtype(self.values.dtype))

    @cached_property
    def _nearest(self) -> NDArray[np.float64]:
        if self.is_numeric:
            return np.asarray(self.values.to_numpy(dtype=np.float64, na_value=np.nan))
        plain = self.values.astype(object)
        try:
            read = pd.to_numeric(plain, errors="coerce")
        except OverflowError:  # whole numbers that no double holds
            read = plain.map(_as_double, na_action="ignore")
        numbers = np.asarray(read.to_numpy(np.float64, na_value=np.nan))
        unread = np.isnan(numbers) & ~self.missing
        if unread.any():
            row = int(np.flatnonzero(unread)[0])
            raise InputError(
                f"column {self.name!r} should hold numbers, but row {row} is {shown(plain.iloc[row])}; "
                f"correct the cell, or treat the column as a category"
            )
        return numbers

    @cached_property
    def coded(self) -> tuple[NDArray[np.intp], list[Any]]:
        """A code per cell (-1: missing) and the distinct values the codes stand for."""
        if isinstance(self.values.dtype, pd.CategoricalDtype):
            categories = self.values.cat.categories.tolist()
            refuse_half_characters(categories, f"column {self.name!r}")
            return np.asarray(self.values.cat.codes.to_numpy(np.intp)), categories
        values = self.values
        if values.dtype == np.dtype(object) and pd.api.types.infer_dtype(values).startswith("mixed"):
            # For Python, and so for factorize, 1 and True are one value; as text they are two.
            values = values.map(_plain_text, na_action="ignore")
        try:
            codes, distinct = pd.factorize(values, use_na_sentinel=True)
        except TypeError as error:
            raise CellTypeError(f"column {self.name!r}: argument must be a string or a number") from error
        found = distinct.tolist()
        refuse_half_characters(found, f"column {self.name!r}")
        return np.asarray(codes), found

    def equal_to(self, value: Scalar) -> NDArray[np.bool_]:
        """Return which cells hold this category, boolean or number; missing ones never do."""
        if self.is_numeric and not (self.is_whole and is_beyond_doubles(value)) and not self.inexact.any():
            wanted = number_to_match(value, boolean_cells=self.is_boolean)
            return np.asarray(self.numbers == wanted, dtype=bool)
        if isinstance(value, str) and isinstance(self.values.dtype, pd.StringDtype) and is_text(value):
            return np.asarray((self.values == value).to_numpy(dtype=bool, na_value=False))
        codes, distinct = self.coded
        # The additional last entry is read for code -1, a missing cell.
        matches = np.zeros(len(distinct) + 1, bool)
        for code, candidate in enumerate(distinct):
            matches[code] = same_value(candidate, value)
        return np.asarray(matches[codes])


class NumberCells(Cells):
    """The cells of a plain array of numbers.

    Parameters
    ----------
    name : str
        Of the column.
    numbers : ndarray of float64
        NaN where missing.
    boolean : bool
        Whether they were truth values.
    """

    def __init__(self, name: str, numbers: NDArray[np.float64], *, boolean: bool = False) -> None:
        self.name = name
        self.numbers = numbers
        self.inexact = np.zeros(numbers.size, bool)
        self.is_numeric = True
        self.is_boolean = boolean

    def __len__(self) -> int:
        return len(self.numbers)

    @cached_property
    def values(self) -> pd.Series[Any]:  # type: ignore[override]
        """The numbers as a column."""
        return pd.Series(self.numbers, name=self.name)

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        """Which cells have no value."""
        return np.isnan(self.numbers)


def has_large_doubles(cells: pd.Series[Any]) -> bool:
    """Whether a column read as doubles has values beyond the range in which all whole numbers are doubles."""
    return cells.dtype.kind == "f" and bool(
        cells.abs().between(LARGEST_EXACT, math.inf, inclusive="left").any()
    )


def same_value(cell: Any, value: Scalar) -> bool:
    """Whether a cell's value equals that of a condition, whatever types they were read as.

    >>> same_value("1.0", 1), same_value(1.0, "1"), same_value("true", True), same_value("01", "1")
    (True, True, True, False)
    """
    if text_of(cell) == text_of(value):
        return True
    if isinstance(value, bool):
        if isinstance(cell, str):
            return cell.strip().lower() == str(value).lower()
        return not isinstance(cell, bool) and cell == int(value)
    if isinstance(value, int | float):
        try:
            return bool(exact_number(cell) == exact_number(value))
        except (OverflowError, TypeError, ValueError):
            return False
    return False


def is_beyond_doubles(value: Scalar) -> bool:
    """Whether a value is a whole number beyond those that doubles represent without gaps.

    >>> is_beyond_doubles(2**53), is_beyond_doubles("9007199254740993"), is_beyond_doubles(1e300)
    (True, True, True)
    """
    try:
        return abs(exact_number(value)) >= LARGEST_EXACT
    except (OverflowError, TypeError, ValueError):
        return False


def exact_number(value: Any) -> int | float:
    """Return a number, whole if it is written so; Python compares whole numbers with doubles exactly.

    >>> exact_number("9007199254740993"), exact_number("1.50")
    (9007199254740993, 1.5)
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, str) and _WHOLE.fullmatch(value.strip()):
        return int(value)
    return value if isinstance(value, int) else float(value)


def text_of(value: Any) -> str:
    """Write a category, boolean or number; whole numbers without a point."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return format_number(value)


def _as_double(value: Any) -> float:
    try:
        return float(value)
    except (OverflowError, TypeError, ValueError):
        return math.nan


def _plain_text(value: Any) -> Any:
    """Return the text of a plain value, and anything else as it is, to be refused."""
    return text_of(value) if isinstance(value, str | int | float | np.generic) else value


def format_number(value: float) -> str:
    """Write a number as short as it can be read back exactly.

    >>> [format_number(value) for value in (54.0, 0.8, 1e-09, 2.5e20)]
    ['54', '0.8', '1e-09', '2.5e+20']
    """
    if isinstance(value, int):
        return str(value)
    if math.isfinite(value) and value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return repr(float(value))


def number_to_match(value: Scalar, *, boolean_cells: bool) -> float:
    """Return the number that a numeric cell must hold to equal the value; NaN if no number does."""
    if not isinstance(value, str):
        return float(value)
    if boolean_cells:
        return {"true": 1.0, "false": 0.0}.get(value.lower(), math.nan)
    try:
        number = float(value)
    except ValueError:
        return math.nan
    return number if format_number(number) == value else math.nan
