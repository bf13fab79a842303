"""Columns that are computed from dates: the year, month, weekday or hour of one, the days between two."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from laconic.data.cells import Cells, NumberCells
from laconic.data.dates import DAY
from laconic.data.documents import damaged
from laconic.data.reading.date_cells import DateCells
from laconic.runtime.errors import InputError

PARTS = ("year", "month", "weekday", "hour")
"""What can be taken from a date."""

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True, slots=True)
class Derived:
    """What a column is computed from.

    Attributes
    ----------
    part : {"year", "month", "weekday", "hour", "days"}
    column : str
        A column of dates.
    since : str or None
        For "days": another one, from which the days are counted.
    """

    part: str
    column: str
    since: str | None = None

    @property
    def name(self) -> str:
        """The name of the column."""
        if self.since is not None:
            return f"days from {self.since} to {self.column}"
        return f"{self.part} of {self.column}"

    @property
    def kind(self) -> str:
        """The kind of the column."""
        return "category" if self.part == "weekday" else "numeric"

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it needs."""
        return (self.column,) if self.since is None else (self.column, self.since)

    def cells(self, known: Mapping[str, Cells]) -> Cells:
        """Return its cells, given those of the columns of dates."""
        dates = [known[name] for name in self.columns]
        for one in dates:
            if not isinstance(one, DateCells):
                raise InputError(f"column {one.name!r} holds no dates, from which {self.name!r} is computed")
        seconds = [one.seconds for one in dates if isinstance(one, DateCells)]
        days = [np.floor(one / DAY) for one in seconds]
        if self.part == "days":
            return NumberCells(self.name, days[0] - days[1])
        if self.part == "hour":
            return NumberCells(self.name, np.floor(seconds[0] % DAY / 3600))
        missing = np.isnan(days[0])
        if self.part == "weekday":
            # 1970 began with a Thursday.
            place = np.where(missing, 7, (days[0] + 3) % 7).astype(np.int64)
            texts = np.array([*WEEKDAYS, None], dtype=object)[place]
            return Cells(pd.Series(texts, name=self.name, dtype="str"))
        moments = np.where(missing, 0, days[0]).astype("datetime64[D]")
        months = moments.astype("datetime64[M]").astype(np.int64)
        numbers = months // 12 + 1970 if self.part == "year" else months % 12 + 1
        return NumberCells(self.name, np.where(missing, np.nan, numbers.astype(np.float64)))

    def to_document(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {"part": self.part, "column": self.column, **({"since": self.since} if self.since else {})}


def derived_from_document(data: Any) -> Derived | None:
    """Check plain data and build what it describes; None stands for a column of the table."""
    match data:
        case None:
            return None
        case {"part": "days", "column": str(column), "since": str(since)}:
            return Derived("days", column, since)
        case {"part": "year" | "month" | "weekday" | "hour" as part, "column": str(column)}:
            return Derived(part, column)
    raise damaged("a column is not computed from dates")
