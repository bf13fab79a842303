"""Figures of times, sizes and accuracies from records alone, as PNG and SVG.

No solver is needed to draw them. Colours are the Okabe–Ito palette, which the colour-blind can tell apart;
line style and marker say the same again, so that the figures survive a black-and-white print.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from laconic.bench import series
from laconic.bench.methods.own import OWN
from laconic.bench.series import Curve, Pairs
from laconic.bench.table import Part, n_common, parts
from laconic.data import write
from laconic.runtime.errors import InputError

_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#56B4E9", "#E69F00", "#7A5195")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*", "h")
_TEXT: dict[str, Any] = {"size": 9, "color": "#333333"}

MOST_CURVES = 10
"""More in one panel cannot be told apart."""

_KINDS = {
    "perfect sets": ("perfect",),
    "sparse sets": ("sparse", "rules"),
    "heuristics and trees": ("heuristic", "tree"),
}

Looks = dict[str, dict[str, Any]]
"""Colour, marker and line of every method."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure with the words around it.

    Attributes
    ----------
    name : str
        File name without ending.
    title : str
    caption : str
    figure : Figure
    """

    name: str
    title: str
    caption: str
    figure: Figure


def draw(
    table: pd.DataFrame, *, ours: str | None = None, rivals: Sequence[str] | None = None
) -> list[Drawing]:
    """Return all figures; the scatter plots only if one of Laconic's methods and a rival have records.

    Parameters
    ----------
    table : DataFrame
        From `laconic.bench.table.frame`.
    ours : str, optional
        Method of the scatter plots; by default see `laconic.bench.series.own_method`.
    rivals : sequence of str, optional
        Methods it is compared with; by default all heuristics and trees that have records.

    Raises
    ------
    InputError
        If a method that was named has no records.
    """
    drawings = curve_drawings(table, styles(_present(table)))
    for own, rival in _opponents(table, ours, rivals):
        drawings += scatter_drawings(table, own, rival)
    return drawings


def curve_drawings(table: pd.DataFrame, looks: Looks, *, as_one: str = "") -> list[Drawing]:
    """Return times, sizes and accuracies as curves, in comparable groups of methods.

    Parameters
    ----------
    table : DataFrame
        From `laconic.bench.table.frame`.
    looks : Looks
        From `styles`.
    as_one : str
        A family whose methods share one curve where accuracies on common training sets are drawn.
    """
    scopes = parts(table)
    on_common = series.accuracy_curves(table, on_common=True, as_one=as_one)
    return [
        *(_times(part, looks) for part in scopes),
        *(_sizes(part, looks) for part in scopes),
        *(_accuracies(part, looks) for part in scopes),
        Drawing(
            "accuracy-common",
            "Accuracy on commonly solved training sets",
            f"Strict test accuracy on the {n_common(table)} training sets that every method solved.",
            _accuracy(on_common, looks, "training sets solved by all"),
        ),
    ]


def scatter_drawings(table: pd.DataFrame, own: str, rival: str) -> list[Drawing]:
    """Return the sizes and the accuracies of two methods, one point per training set that both solved."""
    drawings = []
    for value, what in (("size", "size"), ("strict", "strict test accuracy, %")):
        points = series.pairs(table, own, rival, value)
        title = what.split(",")[0]
        drawings.append(
            Drawing(
                f"{value}-{rival}",
                f"{title[0].upper()}{title[1:]}, {points.left} and {points.right}",
                f"One point per training set that both solved ({points.x.size}).",
                _scatter(points, what, logarithmic=value == "size"),
            )
        )
    return drawings


def _times(part: Part, looks: Looks) -> Drawing:
    return Drawing(
        f"time{_ending(part)}",
        f"Time, on {part.name}",
        "How many training sets each method solves, if each may take so long; no curve can pass "
        "the limit of its method, which stands beside its name.",
        _cactus(series.time_curves(part.table), looks, "training sets solved", "time per training set, s"),
    )


def _sizes(part: Part, looks: Looks) -> Drawing:
    return Drawing(
        f"size{_ending(part)}",
        f"Size, on {part.name}",
        "Size (literals + rules) of the solved training sets' rules, smallest first. What a method "
        "did not solve is often what would have been large.",
        _cactus(series.size_curves(part.table), looks, "training sets solved", "size: literals + rules"),
    )


def _accuracies(part: Part, looks: Looks) -> Drawing:
    return Drawing(
        f"accuracy-all{_ending(part)}",
        f"Accuracy, unsolved = 0, on {part.name}",
        "Strict test accuracy, best first; an unsolved training set counts as 0.",
        _accuracy(series.accuracy_curves(part.table, on_common=False), looks, "training sets"),
    )


def _ending(part: Part) -> str:
    return f"-{part.key}" if part.key else ""


def _present(table: pd.DataFrame) -> list[str]:
    return [str(name) for name in table["method"].cat.categories]


def _opponents(table: pd.DataFrame, ours: str | None, rivals: Sequence[str] | None) -> list[tuple[str, str]]:
    """Return the pairs of the scatter plots: a method of Laconic and a rival."""
    present = _present(table)
    for option, name in [("--ours", ours), *(("--rival", rival) for rival in rivals or ())]:
        if name is not None and name not in present:
            raise InputError(
                f"the records hold no task of {option} {name!r}; choose among: {', '.join(present)}"
            )
    own = ours or series.own_method(table, rivals or ())
    if own in (rivals or ()):
        raise InputError(f"--rival {own!r} would be drawn against itself; choose another with --ours")
    others = rivals or [name for name in present if series.family(name) in _KINDS["heuristics and trees"]]
    return [(own, rival) for rival in dict.fromkeys(others) if own is not None and rival != own]


def save(drawings: Sequence[Drawing], directory: Path, endings: Sequence[str] = ("png", "svg")) -> list[Path]:
    """Write each figure, by default as PNG and SVG; return the files."""
    from matplotlib import rc_context

    write.make_folder(directory, "--out")
    paths = []
    # Text stays text in the SVG, and equal records give equal files.
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "laconic"}):
        for drawing in drawings:
            for ending in endings:
                path = directory / f"{drawing.name}.{ending}"
                metadata = {"Date": None} if ending == "svg" else {"Software": None}
                drawn = io.BytesIO()
                drawing.figure.savefig(drawn, format=ending, dpi=160, metadata=metadata)
                write.save(path, drawn.getvalue())
                paths.append(path)
    return paths


def styles(names: Sequence[str]) -> Looks:
    """Give every method or family one look in all figures: Laconic's solid, rivals dashed."""
    looks = {}
    own_families = {entry.family for entry in OWN.values()}
    for i, name in enumerate(names):
        own = name in OWN or name in own_families
        looks[name] = {
            "color": _COLOURS[i % len(_COLOURS)],
            "marker": _MARKERS[i % len(_MARKERS)],
            "linestyle": "-" if own else ("--" if i % 2 else "-."),
            "linewidth": 1.6 if own else 1.3,
        }
    return looks


def _cactus(curves: Sequence[Curve], looks: Looks, x: str, y: str) -> Figure:
    # Times below the clock's resolution would fall off a logarithmic axis.
    figure, panels = _panels(curves, looks, x, y, least=1e-3)
    for axes in panels:
        _logarithmic(axes, "y")
        axes.set_xlim(left=0)
    return figure


def _accuracy(curves: Sequence[Curve], looks: Looks, x: str) -> Figure:
    figure, panels = _panels(curves, looks, x, "strict test accuracy, %", least=0)
    for axes in panels:
        axes.set_ylim(-2, 102)
        axes.set_xlim(left=0)
    return figure


def _panels(
    curves: Sequence[Curve], looks: Looks, x: str, y: str, *, least: float
) -> tuple[Figure, list[Axes]]:
    """Draw curves; many of them in one panel per kind of method, the others grey behind them."""
    groups = _groups(curves)
    width = 7.6 if len(groups) == 1 else 4.4 * len(groups)
    figure = Figure(figsize=(width, 4.4 if len(groups) == 1 else 6.4), layout="constrained")
    panels: list[Axes] = []
    for title, members in groups.items():
        first = panels[0] if panels else None
        axes = figure.add_subplot(1, len(groups), len(panels) + 1, sharex=first, sharey=first)
        dress(axes, x, "" if panels else y)
        axes.xaxis.set_major_locator(MaxNLocator("auto", integer=True))
        panels.append(axes)
        shown = {curve.method for curve in members}
        for curve in curves:
            if curve.method not in shown:
                axes.plot(*_steps(curve, least), color="#e2e2e2", linewidth=0.8, zorder=0)
        for i, curve in enumerate(members):
            _line(axes, *_steps(curve, least), i, curve, looks[curve.method])
        if len(groups) > 1:
            axes.set_title(title, **_TEXT)
            axes.legend(
                loc="upper left", bbox_to_anchor=(0, -0.16), frameon=False, fontsize=8, handlelength=3.2
            )
    if not curves:
        panels[0].text(
            0.5, 0.5, "no training set solved", ha="center", transform=panels[0].transAxes, **_TEXT
        )
    elif len(groups) == 1:
        figure.legend(loc="outside right upper", frameon=False, fontsize=8, handlelength=3.2)
    return figure, panels


def _groups(curves: Sequence[Curve]) -> dict[str, list[Curve]]:
    """Return what stands in one panel, by title: few curves together, many by kind of method."""
    if len(curves) <= MOST_CURVES:
        return {"": list(curves)}
    title_of = {family: title for title, families in _KINDS.items() for family in families}
    kinds: dict[str, list[Curve]] = {title: [] for title in (*_KINDS, "others")}
    for curve in curves:
        kinds[title_of.get(curve.family, "others")].append(curve)
    return {title: members for title, members in kinds.items() if members}


def _steps(curve: Curve, least: float) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    return np.arange(1, curve.values.size + 1), np.maximum(curve.values, least)


def _scatter(points: Pairs, what: str, *, logarithmic: bool) -> Figure:
    figure = Figure(figsize=(4.6, 4.6), layout="constrained")
    axes = figure.add_subplot()
    dress(axes, f"{points.left}: {what}", f"{points.right}: {what}")
    low, high = (0.8, 2.0) if logarithmic else (-3.0, 103.0)
    if points.x.size:
        if logarithmic:
            high = 1.5 * float(max(points.x.max(), points.y.max()))
        # Equal points pile up: their number shows as area.
        places, counts = np.unique(np.column_stack([points.x, points.y]), axis=0, return_counts=True)
        axes.scatter(
            places[:, 0],
            places[:, 1],
            s=10 + 6 * np.sqrt(counts - 1),
            color=_COLOURS[0],
            alpha=0.45,
            linewidths=0,
        )
        above, below = int((points.y > points.x).sum()), int((points.y < points.x).sum())
        more = "larger" if logarithmic else "higher"
        axes.set_title(
            f"{more}: {points.right} {above}, {points.left} {below}; equal: {points.x.size - above - below}",
            **_TEXT,
        )
    axes.plot([low, high], [low, high], color="#888888", linewidth=0.8, zorder=0)
    if logarithmic:
        _logarithmic(axes, "x", "y")
    axes.set_xlim(low, high)
    axes.set_ylim(low, high)
    axes.set_aspect("equal")
    return figure


def dress(axes: Axes, x: str, y: str) -> None:
    """Label the axes and keep the frame out of the way."""
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(which="major", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _logarithmic(axes: Axes, *which: str) -> None:
    for name in which:
        axes.set(**{f"{name}scale": "log"})
        getattr(axes, f"{name}axis").set_major_formatter(lambda value, _: f"{value:g}")


def _line(axes: Axes, x: Any, y: Any, rank: int, curve: Curve, style: dict[str, Any]) -> None:
    step = max(1, x.size // 8)
    axes.plot(
        x,
        y,
        label=f"{curve.label}  ({curve.summary})",
        markersize=4.5,
        # Markers of neighbouring curves do not coincide, and each curve shows where it ends.
        markevery=[*range((rank * step) // 7 % step, x.size - 1, step), x.size - 1],
        markeredgewidth=0,
        **style,
    )
