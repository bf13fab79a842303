"""Columns that rules should probably not use: identifiers, dates, constants, the label in disguise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from laconic.data.cells import Cells, text_of

N_LOOKED_AT = 1000
MANY_VALUES = 0.95
"""Share of different values from which texts or whole numbers look like an identifier."""
TELLS_ALL = 0.995
"""Share of rows whose label a single column tells, from which it looks like the label in disguise."""
MOST_GROUPS = 200

_DATE = r"(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})([T ]\d{1,2}:\d{2}.*)?"


def remarks(frame: pd.DataFrame, target: str) -> dict[str, list[dict[str, str]]]:
    """Return what is odd about each column, as the name of a finding; columns without are left out.

    Parameters
    ----------
    frame : DataFrame
    target : str
        The column of labels.
    """
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
        groups = pd.qcut(pd.Series(cells.numbers), 10, duplicates="drop").cat.codes
    else:
        groups = pd.Series(values.map(text_of, na_action="ignore").fillna("")).astype("category").cat.codes
    counted = pd.crosstab(np.asarray(groups), np.asarray(labels))
    return bool(counted.max(axis=1).sum() >= TELLS_ALL * len(values))
