"""What the figures show, as plain numbers: the drawing is elsewhere, and can be checked by eye only.

Figures 1 to 4 of the paper: cactus plots of time and of size, accuracy on all training sets and on those that
every tool solved, and scatter plots of two methods against each other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from laconic.bench import methods
from laconic.bench.methods.own import OWN
from laconic.bench.table import INSTANCE, common

PERFECT = "perfect"
"""The paper's virtual tool: all methods that learn perfect sets, taken together."""


@dataclass(frozen=True, slots=True)
class Curve:
    """One line of a plot.

    Attributes
    ----------
    method : str
        Name, or `PERFECT`.
    label : str
    values : ndarray of float
        In the order in which they are drawn.
    summary : str
        What the legend adds: a count or a mean.
    """

    method: str
    label: str
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
    return _cactus(table, "wall_s", lambda values: f"{values.size} solved", most_first=True)


def size_curves(table: pd.DataFrame) -> list[Curve]:
    """Return the sorted sizes of each method's solved training sets; smallest mean first."""
    curves = _cactus(table, "size", lambda values: f"mean {values.mean():.2f}", most_first=False)
    return sorted(curves, key=lambda curve: float(curve.values.mean()))


def accuracy_curves(table: pd.DataFrame, *, on_common: bool) -> list[Curve]:
    """Return each method's strict test accuracies in per cent, falling; best mean first.

    On all training sets an unsolved one counts as 0. On common ones the methods that learn perfect sets are
    drawn as one, by their mean on each training set, as in the paper.
    """
    part = common(table) if on_common else table
    curves = []
    families: dict[str, list[str]] = {}
    for method in part["method"].cat.remove_unused_categories().cat.categories:
        line = methods.METHODS.get(method)
        perfect = on_common and line is not None and line.family == "perfect"
        families.setdefault(PERFECT if perfect else method, []).append(method)
    for name, members in families.items():
        rows = part[part["method"].isin(members)]
        accuracy = pd.Series(np.where(rows["solved"], rows.get("strict", 0.0), 0.0), index=rows.index)
        values = accuracy.groupby([rows[key] for key in INSTANCE], observed=True).mean()
        falling = np.sort(100 * values.to_numpy(dtype=np.float64))[::-1].astype(np.float64)
        label = _label(members[0]) if name != PERFECT or len(members) == 1 else PERFECT
        curves.append(Curve(name, label, falling, f"mean {falling.mean():.2f} %"))
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


def own_method(table: pd.DataFrame) -> str | None:
    """Return the method that the scatter plots put against the rivals: the paper's sp[λ3] if it is there.

    ``None`` if no method of Laconic is.
    """
    present = [str(name) for name in table["method"].cat.categories]
    for name in ("sp-l3", "exact-sp-l3", "exact-sp-l2-written"):
        if name in present:
            return name
    return next((name for name in present if name in OWN), None)


def _cactus(table: pd.DataFrame, value: str, summary: object, *, most_first: bool) -> list[Curve]:
    assert callable(summary)
    curves = []
    for method, part in table[table["solved"]].groupby("method", observed=True):
        values = np.sort(part[value].to_numpy(dtype=float))
        if values.size:
            curves.append(Curve(str(method), _label(str(method)), values, summary(values)))
    return sorted(curves, key=lambda curve: -curve.values.size) if most_first else curves


def _label(method: str) -> str:
    return methods.labels([method])[method]
