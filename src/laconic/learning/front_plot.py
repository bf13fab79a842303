"""A plot of a front: achieved errors, proved bounds, and the area between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laconic.learning.front import Front
from laconic.runtime.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BLUE = "#0072B2"


def plot_front(front: Front, *, ax: Axes | None = None) -> Axes:
    """Draw size against errors, one mark per point.

    A filled mark is proved to be on the front; a hollow one may not be, and a line goes down from it to the
    fewest errors that are not excluded. The best set of every λ lies on the dotted hull.

    Parameters
    ----------
    front : Front
    ax : matplotlib Axes, optional
    """
    if not front.points:
        raise InputError("there are no points to draw")
    if ax is None:
        from matplotlib import pyplot

        _, ax = pyplot.subplots(figsize=(7.0, 4.0), layout="constrained")
    sizes = [point.size for point in front.points]
    errors = [float(point.errors) for point in front.points]
    corners = [(point.size, float(point.errors)) for point in front.points if point.breakpoint]
    if front.every == "size":
        ax.step(sizes, errors, where="post", color=_BLUE, linewidth=1.2)
    ax.plot(*zip(*corners, strict=True), color="0.55", linestyle=":", linewidth=1.0)
    for proved, face, name in ((True, _BLUE, "proven"), (False, "white", "not proven")):
        chosen = [point for point in front.points if point.proved is proved]
        if not chosen:
            continue
        ax.plot(
            [point.size for point in chosen],
            [float(point.errors) for point in chosen],
            linestyle="none",
            marker="o",
            markersize=5,
            markerfacecolor=face,
            markeredgecolor=_BLUE,
            label=name,
        )
        if not proved:
            ax.vlines(
                [point.size for point in chosen],
                [float(point.lower_bound) for point in chosen],
                [float(point.errors) for point in chosen],
                color=_BLUE,
                linewidth=0.8,
                zorder=1,
            )
    if not all(point.proved for point in front.points):
        ax.legend(frameon=False)
    ax.set_xlabel("size (conditions and rules)")
    ax.set_ylabel("training errors")
    ax.set_ylim(bottom=0)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    return ax
