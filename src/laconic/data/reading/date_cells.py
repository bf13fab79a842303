"""Columns of dates: cells as numbers for conditions, and as ISO texts for people."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from laconic.data.cells import Cells
from laconic.data.dates import DAY, date_text

_MICROSECONDS = 1_000_000


class DateCells(Cells):
    """The cells of a column of dates.

    Parameters
    ----------
    values : Series
        As they came.
    seconds : ndarray of float64
        Since 1970, NaN where missing.
    unit : {"day", "second"}
        What conditions compare.
    """

    def __init__(self, values: pd.Series[Any], seconds: NDArray[np.float64], unit: str) -> None:
        self.name = str(values.name)
        self.index = values.index
        self.unit = unit
        self.seconds = np.floor(seconds / DAY) * DAY if unit == "day" else seconds
        self.numbers = np.floor(seconds / DAY) if unit == "day" else seconds
        self.inexact = np.zeros(seconds.size, bool)

    def __len__(self) -> int:
        return int(self.numbers.size)

    @cached_property
    def is_numeric(self) -> bool:
        """Whether conditions compare numbers: they do."""
        return True

    @cached_property
    def is_boolean(self) -> bool:
        """Whether the cells are truth values: they are not."""
        return False

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        """Which cells have no date."""
        return np.isnan(self.numbers)

    @cached_property
    def values(self) -> pd.Series[Any]:  # type: ignore[override]
        """The dates as ISO texts."""
        texts = [None if np.isnan(one) else date_text(float(one), self.unit) for one in self.numbers]
        return pd.Series(texts, index=self.index, name=self.name, dtype="str")


def holds_dates(values: pd.Series[Any]) -> bool:
    """Return whether a column holds dates as such, not as texts."""
    if pd.api.types.is_datetime64_any_dtype(values.dtype):
        return True
    if values.dtype != np.dtype(object):
        return False
    return pd.api.types.infer_dtype(values, skipna=True) in {"date", "datetime", "datetime64"}


def seconds_of_dates(values: pd.Series[Any]) -> NDArray[np.float64]:
    """Return the seconds since 1970 of a column of dates; a time zone is taken into account."""
    if not pd.api.types.is_datetime64_any_dtype(values.dtype):
        values = pd.to_datetime(values, utc=pd.api.types.infer_dtype(values, skipna=True) == "datetime")
    if isinstance(values.dtype, pd.DatetimeTZDtype):
        values = values.dt.tz_convert("UTC").dt.tz_localize(None)
    missing = values.isna().to_numpy()
    whole = values.to_numpy().astype("datetime64[us]").astype(np.int64)
    return np.where(missing, np.nan, whole / _MICROSECONDS)


def seconds_of_texts(values: pd.Series[Any], parse: Callable[[Any], float | None]) -> NDArray[np.float64]:
    """Return the seconds since 1970 of texts; ``parse`` is asked once for each of them."""
    codes, distinct = Cells(values).coded
    known = [parse(one) for one in distinct]
    return np.array([*(np.nan if one is None else one for one in known), np.nan], np.float64)[codes]
