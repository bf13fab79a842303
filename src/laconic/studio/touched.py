"""Whom a step touches: the rows whose prediction differs between two decision sets."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from laconic.data.cells import Cells, text_of
from laconic.data.columns import guess_kind
from laconic.model.decision_set import DecisionSet
from laconic.runtime.errors import InputError
from laconic.runtime.texts import shown

MOST_GROUPS = 12
PAGE = 50
"""Rows listed at once."""


def touched(
    X: pd.DataFrame, y: NDArray[Any], before: DecisionSet, after: DecisionSet, group: str | None, first: int
) -> dict[str, Any]:
    """Return the rows whose prediction changes: in numbers, by class, by group, and one page of them.

    Parameters
    ----------
    X, y : table and labels
    before, after : DecisionSet
    group : str or None
        A column; the rates of error and of each answer are given for each of its groups.
    first : int
        The first of the listed rows.
    """
    old, new = before.predict(X).astype(str), after.predict(X).astype(str)
    labels = np.asarray(y).astype(str)
    changed = old != new
    moves = Counter(zip(labels[changed], old[changed], new[changed], strict=True))
    places = np.flatnonzero(changed)
    page = places[first : first + PAGE]
    columns = [name for name in after.used_columns if name in before.used_columns]
    columns = list(dict.fromkeys([*columns, *after.used_columns, *before.used_columns]))
    return {
        "rows": len(X),
        "changed": int(changed.sum()),
        "better": int((changed & (new == labels)).sum()),
        "worse": int((changed & (old == labels)).sum()),
        "moves": [
            {"label": str(label), "before": str(one), "after": str(other), "rows": count}
            for (label, one, other), count in moves.most_common()
        ],
        "groups": [] if group is None else _groups(X, group, labels, old, new, after),
        "columns": columns,
        "first": first,
        "list": [
            {
                "row": int(k),
                "values": [_shown(X[name].iloc[k]) for name in columns],
                "label": labels[k],
                "before": old[k],
                "after": new[k],
            }
            for k in page.tolist()
        ],
    }


def groups_of(X: pd.DataFrame, column: str) -> tuple[NDArray[np.intp], list[str]]:
    """Return the group of each row by a column, and the names of the groups.

    Parameters
    ----------
    X : DataFrame
    column : str
    """
    if column not in X.columns:
        raise InputError(f"the table has no column {shown(column)} in use; choose one that it has")
    cells = Cells(X[column])
    if guess_kind(cells) == "numeric" and X[column].nunique() > MOST_GROUPS:
        parts = pd.qcut(pd.Series(cells.numbers), 4, duplicates="drop")
        codes = parts.cat.codes.to_numpy().astype(np.intp)
        names = [f"{one.left:g} < … ≤ {one.right:g}" for one in parts.cat.categories]
    else:
        found, distinct = cells.coded
        frequent = np.argsort(-np.bincount(found[found >= 0], minlength=len(distinct)), kind="stable")
        rank = np.empty(len(distinct), np.intp)
        rank[frequent] = np.arange(len(distinct))
        codes = np.where(found >= 0, np.minimum(rank[np.maximum(found, 0)], MOST_GROUPS - 1), -1)
        names = [text_of(distinct[k]) for k in frequent[: MOST_GROUPS - 1]]
        if len(distinct) > MOST_GROUPS - 1:
            rest = len(distinct) - (MOST_GROUPS - 1)
            names.append(text_of(distinct[frequent[-1]]) if rest == 1 else f"{rest} more")
    if (codes < 0).any():
        codes = np.where(codes < 0, len(names), codes)
        names.append("missing")
    return codes, names


def _groups(
    X: pd.DataFrame,
    column: str,
    labels: NDArray[Any],
    old: NDArray[Any],
    new: NDArray[Any],
    model: DecisionSet,
) -> list[dict[str, Any]]:
    codes, names = groups_of(X, column)
    found = []
    for k, name in enumerate(names):
        inside = codes == k
        if not inside.any():
            continue
        found.append(
            {
                "name": name,
                "rows": int(inside.sum()),
                "changed": int((inside & (old != new)).sum()),
                "wrongBefore": float((old != labels)[inside].mean()),
                "wrongAfter": float((new != labels)[inside].mean()),
                "answersBefore": [float((old[inside] == str(c)).mean()) for c in model.classes],
                "answersAfter": [float((new[inside] == str(c)).mean()) for c in model.classes],
            }
        )
    return found


def _shown(value: Any) -> str | None:
    return None if pd.isna(value) else text_of(value)


def row_values(X: pd.DataFrame, row: object) -> dict[str, Any]:
    """Return the cells of a row as they would stand in JSON.

    Parameters
    ----------
    X : DataFrame
    row : int
    """
    if not isinstance(row, int) or isinstance(row, bool) or not 0 <= row < len(X):
        raise InputError(f"there is no row {shown(row)}; rows are numbered from 0 to {len(X) - 1}")
    return {str(name): _plain(X[name].iloc[row]) for name in X.columns}


def _plain(value: Any) -> Any:
    if pd.isna(value):
        return None
    plain = value.item() if isinstance(value, np.generic) else value
    return plain if isinstance(plain, str | int | float | bool) else str(plain)


def explained(model: DecisionSet, X: pd.DataFrame, values: dict[str, Any]) -> dict[str, Any]:
    """Return what a model says of a row with the given values, and why.

    Parameters
    ----------
    model : DecisionSet
    X : DataFrame
        The table, for the types of its columns.
    values : dict
        Cells by column; columns that are not named are missing.
    """
    needed = {}
    for name in model.used_columns:
        value = values.get(name)
        if value is not None and not isinstance(value, str | int | float | bool):
            raise InputError(f"the value of column {shown(name)} must be a number or a text")
        needed[name] = pd.Series([value], dtype=object)
        if value is not None and guess_kind(Cells(X[name])) == "numeric":
            try:
                needed[name] = pd.Series([float(value)])
            except ValueError:
                raise InputError(f"column {shown(name)} holds numbers, not {shown(value)}") from None
        elif value is None:
            needed[name] = pd.Series(
                [None], dtype=X[name].dtype if X[name].dtype.kind not in "iub" else float
            )
        else:
            needed[name] = pd.Series([value], dtype="string" if isinstance(value, str) else None)
    frame = pd.DataFrame(needed, index=[0])
    (found,) = model.explain(frame)
    data = found.to_dict()
    return {"prediction": str(found.prediction), "reason": found.reason.value, "detail": data}
