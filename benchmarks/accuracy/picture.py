"""The picture of the page: mean accuracy against mean size, one dot per method."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator
from matplotlib.transforms import Bbox

from benchmarks.accuracy.methods import METHODS
from benchmarks.accuracy.scores import Scores

PICTURE = Path(__file__).parents[2] / "docs" / "images" / "accuracy.svg"
COLOURS = {"ours": "#D55E00", "rules": "#0072B2", "tree": "#009E73", "ceiling": "#777777"}
FAMILIES = {"ours": "Laconic", "rules": "other rules", "tree": "trees, leaves as rules"}
_PLACES = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1))


def group_of(scores: Scores) -> str:
    """Return the tables in the picture: all of them, or the half that has more methods of ours."""
    ours = [name for name in METHODS if METHODS[name].family == "ours"]
    return max(
        ("all", "development", "held-out"),
        key=lambda group: sum(scores.has(name, scores.group(group)) for name in ours),
    )


def draw(scores: Scores) -> Figure:
    """Return the picture."""
    group = group_of(scores)
    names = scores.group(group)
    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.subplots()
    axes.set_xscale("log")
    dots = []
    ceilings = 0
    for name in scores.measured(names):
        method, mine = METHODS[name], scores.of(name, names)
        accuracy, size = float(mine["accuracy"].mean()), float(mine["size"].mean())
        colour = COLOURS.get(method.family, "#777777")
        if method.family == "ceiling":
            axes.axhline(accuracy, color=colour, linewidth=0.8, linestyle="--")
            # Ceilings may be close to each other, so their names stand on different sides.
            place, side = (0.01, "left") if not ceilings % 2 else (0.99, "right")
            ceilings += 1
            axes.annotate(
                f"{method.label} {accuracy:.1f}",
                (place, accuracy),
                xycoords=("axes fraction", "data"),
                xytext=(0, 2),
                textcoords="offset points",
                ha=side,
                color=colour,
                fontsize=8,
            )
        elif method.family in FAMILIES:
            axes.plot(size, accuracy, "o", color=colour, markersize=7)
            dots.append((method.label, size, accuracy, colour))
    for family, words in FAMILIES.items():
        axes.plot([], [], "o", color=COLOURS[family], label=words)
    axes.legend(loc="lower right", fontsize=8, frameon=False)
    axes.set_xlabel("mean size: conditions plus rules")
    axes.set_ylabel("mean accuracy on new rows, per cent")
    which = "" if group == "all" else f" of the {group} half"
    axes.set_title(f"Means over {len(names)} tables{which}, five folds each", fontsize=10)
    axes.margins(0.12)
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter("{x:g}")
    axes.grid(True, linewidth=0.3, alpha=0.5)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    _label(figure, axes, dots)
    return figure


def _label(figure: Figure, axes: Any, dots: Sequence[tuple[str, float, float, str]]) -> None:
    """Write each name beside its dot, where it overlaps least with other elements."""
    figure.draw_without_rendering()
    taken = [
        Bbox.from_extents(x - 5, y - 5, x + 5, y + 5)
        for x, y in (axes.transData.transform(d[1:3]) for d in dots)
    ]
    for words, size, accuracy, colour in dots:
        tried: list[tuple[float, int, Any, Bbox]] = []
        for right, up in _PLACES:
            note = axes.annotate(
                words,
                (size, accuracy),
                xytext=(7 * right, 7 * up),
                textcoords="offset points",
                ha=("right", "center", "left")[right + 1],
                va=("top", "center", "bottom")[up + 1],
                fontsize=8,
                color=colour,
            )
            box = note.get_window_extent()
            tried.append(
                (sum(_overlap(box, other) for other in taken) + _outside(box, axes), len(tried), note, box)
            )
        _, best, _, box = min(tried, key=lambda one: one[:2])
        for _, place, note, _ in tried:
            if place != best:
                note.remove()
        taken.append(box)


def _overlap(one: Bbox, other: Bbox) -> float:
    common = Bbox.intersection(one, other)
    return 0.0 if common is None else float(common.width * common.height)


def _outside(box: Bbox, axes: Any) -> float:
    """Return the area of a box outside of the axes."""
    return float(box.width * box.height) - _overlap(box, axes.get_window_extent())
