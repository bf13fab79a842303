"""The numbers in the figures, separate from the drawing, which can only be checked by eye.

They are cactus plots of time and of size, accuracies on all training sets and on those that every method
solved, and scatter plots of two methods.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from laconic.bench import methods
from laconic.bench.methods.own import DEFAULT, OWN
from laconic.bench.table import INSTANCE, common


@dataclass(frozen=True, slots=True)
class Curve:
    """One line of a plot.

    Attributes
    ----------
    method : str
        Name of the method, or of the family whose methods share the curve.
    label : str
        The text in the legend, with the time limit.
    family : str
        The family of the method, see `laconic.bench.methods.api.MethodEntry`.
    values : ndarray of float
        The values in the order in which they are drawn.
    summary : str
        A count or a mean, for the legend.
    """

    method: str
    label: str
    family: str
    values: NDArray[np.float64]
    summary: str


@dataclass(frozen=True, slots=True)
class Pairs:
    """Two methods on the training sets that both solved."""

    left: str
    right: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]


def time_curves(table: pd.DataFrame) -> list[Curve]:
    """Return the sorted times of each method's solved training sets; most solved first."""
    curves = _cactus(table, "time_s", lambda values, n_run: f"{values.size} of {n_run} solved")
    return sorted(curves, key=lambda curve: -curve.values.size)


def size_curves(table: pd.DataFrame) -> list[Curve]:
    """Return the sorted sizes of each method's solved training sets; smallest mean first."""
    curves = _cactus(table, "size", lambda values, _: f"mean {values.mean():.2f} on {values.size}")
    return sorted(curves, key=lambda curve: float(curve.values.mean()))


def accuracy_curves(table: pd.DataFrame, *, on_common: bool, as_one: str = "") -> list[Curve]:
    """Return each method's strict test accuracies in per cent, in descending order; best mean first.

    Parameters
    ----------
    table : DataFrame
        The table from `laconic.bench.table.frame`.
    on_common : bool
        Whether to use only the training sets that every method solved; otherwise an unsolved one counts as 0.
    as_one : str
        A family whose methods share one curve: their mean on each training set.
    """
    part = common(table) if on_common else table
    curves = []
    groups: dict[str, list[str]] = {}
    for method in part["method"].cat.remove_unused_categories().cat.categories:
        merged = as_one and family(method) == as_one
        groups.setdefault(as_one if merged else method, []).append(method)
    for name, members in groups.items():
        rows = part[part["method"].isin(members)]
        accuracy = pd.Series(np.where(rows["solved"], rows.get("strict", 0.0), 0.0), index=rows.index)
        values = accuracy.groupby([rows[key] for key in INSTANCE], observed=True).mean()
        falling = np.sort(100 * values.to_numpy(dtype=np.float64))[::-1].astype(np.float64)
        label = _label(members[0]) if len(members) == 1 else name
        summary = f"mean {falling.mean():.2f} %"
        curves.append(Curve(name, label + _within(rows), family(members[0]), falling, summary))
    return sorted(curves, key=lambda curve: -float(curve.values.mean()))


def pairs(table: pd.DataFrame, left: str, right: str, value: str) -> Pairs:
    """Return a value (``size`` or ``strict``) of two methods, one point per training set that both solved."""
    solved = table[table["solved"] & table["method"].isin([left, right])]
    if "size" not in solved:
        return Pairs(_label(left), _label(right), np.empty(0), np.empty(0))
    wide = solved.pivot_table(index=INSTANCE, columns="method", values=value, observed=True)
    wide = wide.reindex(columns=[left, right]).dropna()
    scale = 100.0 if value == "strict" else 1.0
    return Pairs(
        _label(left),
        _label(right),
        scale * wide[left].to_numpy(dtype=float),
        scale * wide[right].to_numpy(dtype=float),
    )


def own_method(table: pd.DataFrame, rivals: Sequence[str] = ()) -> str | None:
    """Return the method that scatter plots compare with the rivals: Laconic's default if it has records.

    Otherwise it is the first of Laconic's methods that is not a rival, or ``None`` if none has records.
    """
    present = [str(name) for name in table["method"].cat.categories if name not in rivals]
    return DEFAULT if DEFAULT in present else next((name for name in present if name in OWN), None)


def _cactus(
    table: pd.DataFrame, value: str, summary: Callable[[NDArray[np.float64], int], str]
) -> list[Curve]:
    curves = []
    for name, part in table.groupby("method", observed=True):
        method, solved = str(name), part[part["solved"]]
        if len(solved):
            values = np.sort(solved[value].to_numpy(dtype=float))
            label = _label(method) + _within(part)
            curves.append(Curve(method, label, family(method), values, summary(values, len(part))))
    return curves


def _within(part: pd.DataFrame) -> str:
    """Return the time limits of some tasks as text, since methods with different limits share a figure."""
    return ", " + "/".join(f"{limit:g}" for limit in sorted(part["limit_s"].unique())) + " s"


def family(method: str) -> str:
    """Return the family of a registered method, or an empty text for a name that is no longer registered."""
    line = methods.METHODS.get(method)
    return "" if line is None else line.family


def _label(method: str) -> str:
    return methods.labels([method])[method]
