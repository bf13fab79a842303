"""Columns that name or number the rows, which tell nothing about new rows."""

from __future__ import annotations

import shlex

import numpy as np
from numpy.typing import NDArray

from laconic.data.cells import Cells

FEWEST_NUMBERED = 10
"""Minimum number of rows of a column that is called a row number."""

_FEWEST_WITH_GAPS = 50
"""Minimum number of rows of a row number that has gaps, as where some rows have been held out."""


def numbers_rows(n_rows: int, n_values: int, low: float, high: float) -> bool:
    """Return whether whole numbers count the rows: all different, in any order, and nearly without gaps.

    >>> numbers_rows(150, 150, 1, 150), numbers_rows(150, 149, 1, 150), numbers_rows(150, 150, 1, 9000)
    (True, False, False)
    """
    if n_rows < FEWEST_NUMBERED or n_values < n_rows:
        return False
    span = high - low + 1
    return span == n_rows or (n_rows >= _FEWEST_WITH_GAPS and span <= 1.5 * n_rows)


def is_row_number(cells: Cells) -> bool:
    """Return whether a column of a table numbers its rows."""
    if not cells.is_numeric or cells.is_boolean or len(cells) < FEWEST_NUMBERED or cells.missing.any():
        return False
    numbers = cells.numbers
    low, high = float(numbers.min()), float(numbers.max())
    if not numbers_rows(numbers.size, numbers.size, low, high):
        return False
    return bool((numbers == np.floor(numbers)).all()) and _all_different(numbers)


def row_number_reason(name: str) -> str:
    """Return why such a column is left out, and how to use it after all."""
    return f"it numbers the rows (--type {shlex.quote(name + '=numeric')} uses it)"


def _all_different(numbers: NDArray[np.float64]) -> bool:
    return np.unique(numbers).size == numbers.size
