"""How the cells of one column become values: the same in training, in prediction and in every export.

A file, a data frame and a database may hold the same cell as ``"1,5"``, as ``" 1,5 "`` or as the number 1.5.
A reading maps all of them to one value, and leaves a value as it is, so that it does not matter how much
of the reading somebody else has done before. It is kept in the model file, with the column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from laconic.data.cells import Cells, Scalar, text_of
from laconic.data.dates import ORDERS, UNITS, seconds_of
from laconic.data.documents import damaged
from laconic.data.reading.date_cells import DateCells, holds_dates, seconds_of_dates, seconds_of_texts
from laconic.data.reading.number_texts import BLANKS, THOUSANDS, number_of
from laconic.runtime.errors import InputError
from laconic.runtime.texts import shown

WRITTEN = {"ymd": "year-month-day", "dmy": "day.month.year", "mdy": "month/day/year"}
"""The orders of dates, in words."""


@dataclass(frozen=True, slots=True)
class ColumnReading:
    """What is done to the cells of a column before a condition sees them.

    Attributes
    ----------
    strip : bool
        Whether blanks around texts are left out.
    missing : tuple of str
        Texts that mean "no value", without blanks around them; a number among them is meant as a number too.
    numbers : bool
        Whether the texts are numbers.
    decimal, thousands : str
        How these numbers are written; no thousands separator is the empty text.
    codes : tuple of float
        Numbers that are neither missing nor a quantity, such as -9999: no threshold holds for them.
    dates : {"", "ymd", "dmy", "mdy"}
        The order in which texts are dates; the empty text if the column holds none.
    unit : {"", "day", "second"}
        What conditions on the dates compare.
    """

    strip: bool = False
    missing: tuple[str, ...] = ()
    numbers: bool = False
    decimal: str = "."
    thousands: str = ""
    codes: tuple[float, ...] = ()
    dates: str = ""
    unit: str = ""

    def cells(self, values: pd.Series[Any]) -> Cells:
        """Return the cells of a column as conditions see them."""
        if self.dates:
            return DateCells(values, self._seconds(values), self.unit)
        read = self.read(values)
        return CodedCells(read, self.codes) if self.codes else Cells(read)

    def read(self, values: pd.Series[Any]) -> pd.Series[Any]:
        """Return the values of a column; special codes stay numbers."""
        if pd.api.types.is_numeric_dtype(values.dtype):
            wanted = [number for number in map(number_of, self.missing) if number is not None]
            found = values.isin(wanted) if wanted and not pd.api.types.is_bool_dtype(values.dtype) else None
            return values if found is None or not found.any() else values.mask(found)
        cells = Cells(values)
        codes, distinct = cells.coded
        known = [self.value(value, cells.name) for value in distinct]
        if all(one is two for one, two in zip(known, distinct, strict=True)):
            return values
        spelled = np.array([*known, None], dtype=object)[codes]
        return _typed(spelled, values)

    def _seconds(self, values: pd.Series[Any]) -> NDArray[np.float64]:
        """Return the seconds since 1970 of a column of dates."""
        if holds_dates(values):
            return seconds_of_dates(values)
        return seconds_of_texts(values, lambda cell: self._date(cell, str(values.name)))

    def _date(self, cell: Any, column: str) -> float | None:
        text = text_of(cell).strip(BLANKS)
        if text in self.missing:
            return None
        # A text in the order of ISO 8601 is never a date of another order.
        found = seconds_of(text, self.dates)
        found = seconds_of(text, "ymd") if found is None else found
        if found is None:
            raise InputError(
                f"column {column!r} should hold dates ({WRITTEN[self.dates]}), but a cell is {shown(cell)}; "
                f"correct the cell, or fit with {shown(cell)} as a text that means 'no value'"
            )
        return found

    def value(self, cell: Any, column: str) -> Any:
        """Return the value of one cell that is not missing, None if it means "no value"."""
        if not isinstance(cell, str):
            same = any(number_of(word) == cell for word in self.missing) and not isinstance(cell, bool)
            return None if same else cell
        text = cell.strip(BLANKS) if self.strip or self.numbers else cell
        if text in self.missing:
            return None
        if not self.numbers:
            return cell if text == cell else text
        number = number_of(text, self.decimal, self.thousands)
        if number is None:
            raise InputError(
                f"column {column!r} should hold numbers{self.how}, but a cell is {shown(cell)}; correct "
                f"the cell, or fit with {shown(cell)} as a text that means 'no value'"
            )
        return number

    @property
    def how(self) -> str:
        """How numbers are written, in words."""
        said = [] if self.decimal == "." else [f"a decimal mark {self.decimal!r}"]
        said += [f"{self.thousands!r} between thousands"] if self.thousands else []
        return f" with {' and '.join(said)}" if said else ""

    @property
    def leaves_numbers(self) -> bool:
        """Whether a column that holds numbers already is left as it is."""
        return not self.codes and not self.dates and all(number_of(word) is None for word in self.missing)

    def to_document(self) -> dict[str, Any]:
        """Return plain data for JSON: what differs from the cells as they are."""
        data: dict[str, Any] = {}
        if self.strip:
            data["strip"] = True
        if self.missing:
            data["missing"] = list(self.missing)
        if self.numbers:
            data["numbers"] = {"decimal": self.decimal, "thousands": self.thousands}
        if self.codes:
            data["codes"] = list(self.codes)
        if self.dates:
            data["dates"] = {"order": self.dates, "unit": self.unit}
        return data


def reading_from_document(data: Any) -> ColumnReading | None:
    """Check plain data and build the reading that it describes; None stands for cells as they are."""
    if data is None:
        return None
    strip, missing, codes = data.get("strip", False), data.get("missing", []), data.get("codes", [])
    marks, dates = data.get("numbers"), data.get("dates")
    fits = (
        set(data) <= {"strip", "missing", "numbers", "codes", "dates"}
        and (dates is None or (isinstance(dates, dict) and set(dates) == {"order", "unit"}))
        and (dates is None or (dates["order"] in ORDERS and dates["unit"] in UNITS))
        and isinstance(strip, bool)
        and isinstance(missing, list)
        and all(isinstance(word, str) for word in missing)
        and isinstance(codes, list)
        and all(type(code) in {int, float} and np.isfinite(code) for code in codes)
    ) and (
        marks is None
        or (
            isinstance(marks, dict)
            and set(marks) == {"decimal", "thousands"}
            and marks["decimal"] in {".", ","}
            and marks["thousands"] in THOUSANDS
            and marks["thousands"] != marks["decimal"]
        )
    )
    if not fits:
        raise damaged("the reading of a column is not one")
    marks = marks or {"decimal": ".", "thousands": ""}
    return ColumnReading(
        strip,
        tuple(missing),
        data.get("numbers") is not None,
        marks["decimal"],
        marks["thousands"],
        tuple(map(float, codes)),
        *(("", "") if dates is None else (dates["order"], dates["unit"])),
    )


def cells_of(values: pd.Series[Any], reading: ColumnReading | None) -> Cells:
    """Return the cells of a column, read as the reading says, or as they are."""
    return Cells(values) if reading is None else reading.cells(values)


class CodedCells(Cells):
    """Cells of numbers of which some are special codes: present, but no number to any threshold."""

    def __init__(self, values: pd.Series[Any], codes: Sequence[float]) -> None:
        super().__init__(values)
        self._all = Cells(values)
        self.codes = codes

    @cached_property
    def is_code(self) -> NDArray[np.bool_]:
        """Which cells hold a special code."""
        return np.isin(self._all.numbers, self.codes)

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """The cells as doubles, NaN where missing or a special code."""
        return np.where(self.is_code, np.nan, self._all.numbers)

    def equal_to(self, value: Scalar) -> NDArray[np.bool_]:
        """Return which cells hold this number; missing ones never do."""
        return self._all.equal_to(value)


def _typed(spelled: NDArray[np.object_], values: pd.Series[Any]) -> pd.Series[Any]:
    """Give cells the type that they all have, where that loses nothing."""
    kinds = {type(one) for one in spelled.tolist() if one is not None}
    if kinds == {str}:
        return pd.Series(spelled, index=values.index, name=values.name, dtype="str")
    large = any(isinstance(one, int) and abs(one) >= 2**53 for one in spelled.tolist())
    if kinds <= {int, float} and not large:
        return pd.Series(
            np.array([np.nan if one is None else one for one in spelled], np.float64),
            index=values.index,
            name=values.name,
        )
    return pd.Series(spelled, index=values.index, name=values.name, dtype=object)


def described(reading: ColumnReading) -> list[str]:
    """Return in words what a reading does."""
    said = []
    if reading.numbers:
        said.append(f"numbers{reading.how}")
    if reading.dates:
        said.append(f"dates, {WRITTEN[reading.dates]}")
    if reading.strip:
        said.append("blanks around texts are left out")
    if reading.missing:
        mean = "means" if len(reading.missing) == 1 else "mean"
        said.append(f"{' and '.join(shown(word) for word in reading.missing)} {mean} 'no value'")
    if reading.codes:
        are = "is a special code" if len(reading.codes) == 1 else "are special codes"
        said.append(f"{' and '.join(map(text_of, reading.codes))} {are}")
    return said
