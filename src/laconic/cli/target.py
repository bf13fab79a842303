"""Guesses of the label column if none is named, and of columns that were probably misread."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pandas as pd

from laconic.runtime.errors import InputError

TARGET_NAMES = ("class", "target", "label", "y")
MOST_CLASSES = 20
N_LOOKED_AT = 1000
MOSTLY = 0.8
"""Minimum share of numbers in a column of text whose other cells are reported as mistakes."""


def guess_target(frame: pd.DataFrame, path: Path) -> str:
    """Return the obvious label column, or refuse with the columns there are.

    A column is obvious if it is the only one called class, target, label or y; or else if it is the last one,
    the only one without numbers, and its few values repeat.
    """
    named = [name for name in map(str, frame.columns) if name.lower() in TARGET_NAMES]
    if len(named) == 1:
        return named[0]
    last = str(frame.columns[-1])
    words = [str(name) for name in frame.columns if not pd.api.types.is_numeric_dtype(frame[name].dtype)]
    if not named and words == [last] and 2 <= frame[last].nunique() <= min(MOST_CLASSES, len(frame) // 2):
        return last
    shown = ", ".join(map(str, frame.columns[:10])) + (", …" if frame.shape[1] > 10 else "")
    raise InputError(
        f"cannot tell which column of {path} holds the labels; name it with --target, one of: {shown}"
    )


def misread_columns(frame: pd.DataFrame, typed: Collection[str], decimal: str) -> list[str]:
    """Return a remark for each column that was probably misread."""
    found = []
    for name in map(str, frame.columns):
        if name in typed:
            continue
        values = frame[name]
        if isinstance(values.dtype, pd.StringDtype | pd.CategoricalDtype):
            cells = values.dropna().astype(str).head(N_LOOKED_AT)
            remark = _misread_text(name, cells, decimal) if len(cells) else None
            found += [] if remark is None else [remark]
    return found


def _misread_text(name: str, cells: pd.Series[str], decimal: str) -> str | None:
    numbers = pd.to_numeric(cells.str.replace(decimal, "."), errors="coerce").notna()
    if not MOSTLY <= numbers.mean() < 1:
        return None
    odd = numbers.index[~numbers][0]
    if not any(character.isdigit() for character in cells[odd]):
        return None  # read as "no value", or as texts, and said where that is found out
    return (
        f"column {name!r} is read as text, because row {odd} is {cells[odd]!r}; "
        f"if that means 'no value', use --missing {cells[odd]!r}"
    )
