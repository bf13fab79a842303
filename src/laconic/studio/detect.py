"""Columns that rules should probably not use: identifiers, dates, constants, the label in disguise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from laconic.data.cells import Cells, text_of

N_LOOKED_AT = 1000
MOST_ROWS = 20_000
"""Of more rows a sample is looked at."""
MANY_VALUES = 0.95
"""Share of different values from which texts or whole numbers look like an identifier."""
TELLS_ALL = 0.995
"""Share of rows whose label a single column tells, from which it looks like the label in disguise."""
MOST_GROUPS = 200

_DATE = r"(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})([T ]\d{1,2}:\d{2}.*)?"


def remarks(frame: pd.DataFrame, target: str) -> dict[str, list[dict[str, str]]]:
    """Return what is odd about each column, as the name of a finding; columns without are left out.

    Of very many rows a sample decides, so that a rare second value of a column may be overlooked.

    Parameters
    ----------
    frame : DataFrame
    target : str
        The column of labels.
    """
    if len(frame) > MOST_ROWS:
        frame = frame.sample(MOST_ROWS, random_state=0)
    labels = frame[target].map(text_of, na_action="ignore").fillna("")
    found: dict[str, list[dict[str, str]]] = {}
    for name in map(str, frame.columns):
        if name == target:
            continue
        said = [{"finding": one} for one in _findings(frame[name], labels)]
        if said:
            found[name] = said
    return found


def _findings(values: pd.Series[Any], labels: pd.Series[Any]) -> list[str]:
    present = values.dropna()
    if present.empty:
        return ["empty"]
    distinct = int(present.nunique())
    if distinct == 1 and len(present) == len(values):
        return ["constant"]
    found = []
    whole = pd.api.types.is_integer_dtype(values.dtype)
    text = not pd.api.types.is_numeric_dtype(values.dtype)
    if len(present) >= 20 and (whole or text) and distinct >= MANY_VALUES * len(present):
        steps = present.diff().iloc[1:] if whole else pd.Series([0])
        if text or steps.eq(1).all() or steps.eq(-1).all() or distinct == len(present):
            found.append("identifier")
    if text and present.astype(str).head(N_LOOKED_AT).str.strip().str.fullmatch(_DATE).all():
        found.append("date")
    if "identifier" not in found and _tells_the_label(values, labels):
        found.append("leak")
    return found


def _tells_the_label(values: pd.Series[Any], labels: pd.Series[Any]) -> bool:
    """Whether the column alone, by its values or by quantiles, tells nearly every label."""
    cells = Cells(values)
    if values.nunique() > MOST_GROUPS or values.nunique() > len(values) / 5:
        if not cells.is_numeric:
            return False
        # Few wide ranges: many narrow ones would tell the labels of any table.
        numbers = pd.Series(cells.numbers)
        ways = [pd.qcut(numbers, 10, duplicates="drop"), pd.cut(numbers, 10)]
    else:
        ways = [pd.Series(values.map(text_of, na_action="ignore").fillna("")).astype("category")]
    return any(_told(way.cat.codes, labels) >= TELLS_ALL * len(values) for way in ways)


def _told(groups: pd.Series[Any], labels: pd.Series[Any]) -> int:
    """Return how many labels are those that are most frequent in their group."""
    return int(pd.crosstab(np.asarray(groups), np.asarray(labels)).max(axis=1).sum())
