"""Which column holds the labels, when nobody said so; and cells that look like a misreading."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pandas as pd

from laconic.errors import InputError

TARGET_NAMES = ("class", "target", "label", "y")
MOST_CLASSES = 20
N_LOOKED_AT = 1000
MOSTLY = 0.8
"""Share of a column's cells that must be numbers before the others look like mistakes."""


def guess_target(frame: pd.DataFrame, path: Path) -> str:
    """Return the obvious label column, or refuse with the columns there are.

    Obvious is the only column called class, target, label or y; or else the last one, if it is the only
    one that does not hold numbers and its few values repeat.
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
    """Return a remark for each column of text whose cells are nearly all numbers."""
    found = []
    for name in map(str, frame.columns):
        if name in typed or not isinstance(frame[name].dtype, pd.StringDtype | pd.CategoricalDtype):
            continue
        cells = frame[name].dropna().astype(str).head(N_LOOKED_AT)
        if not len(cells):
            continue
        if decimal == "." and cells.str.fullmatch(r"\s*[+-]?\d+(,\d+)?\s*").all():
            found.append(
                f"column {name!r} is read as text, but looks like numbers with a decimal comma; "
                f"if it is, use --decimal ,"
            )
            continue
        numbers = pd.to_numeric(cells, errors="coerce").notna()
        if MOSTLY <= numbers.mean() < 1:
            odd = numbers.index[~numbers][0]
            found.append(
                f"column {name!r} is read as text, because row {odd} is {cells[odd]!r}; "
                f"if that means 'no value', use --missing {cells[odd]!r}"
            )
    return found
