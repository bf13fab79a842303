"""Laconic and its rivals on the user's own table, cross-validated.

Every method learns from the same binary features, made by Laconic's binarizer from the training rows of each
fold, in a process of its own and under the same limits as in the benchmarks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from laconic.bench import methods
from laconic.bench.figures import Drawing, dress, styles
from laconic.bench.methods.own import DEFAULT

COMPARED = (
    DEFAULT,
    "exact-sp-l1-written",
    "exact",
    "ripper",
    "cn2",
    "imli1",
    "brcg",
    "cart-4",
    "streed",
)
"""Laconic's default, a finer λ, perfect sets, and well-known rivals."""

MAX_LINEAR = 30
"""Largest size for which the axis is linear; a logarithmic axis would have only two ticks."""

HEADINGS = {
    "folds": "folds",
    "size": "size",
    "rules": "rules",
    "strict": "strict acc. %",
    "plain": "plain acc. %",
    "described": "classes described %",
    "seconds": "time s",
    "note": "note",
}


def comparison(table: pd.DataFrame) -> pd.DataFrame:
    """Return mean and spread over the folds that gave rules, one row per method.

    An answer without a proof of optimality counts here, since a user can use it; the note says so.
    """
    rows = {}
    for method, part in table.groupby("method", observed=True):
        answered = part[part["answered"]]
        row: dict[str, object] = {"folds": f"{len(answered)} of {len(part)}"}
        for column, source, scale in (
            ("size", "size", 1.0),
            ("rules", "n_rules", 1.0),
            ("strict", "strict", 100.0),
            ("plain", "plain", 100.0),
            ("described", "described", 100.0),
            ("seconds", "wall_s", 1.0),
        ):
            values = scale * answered[source].to_numpy(dtype=float) if source in answered else np.empty(0)
            row[column] = float(values.mean()) if values.size else np.nan
            row[f"{column}_sd"] = float(values.std()) if values.size else np.nan
        row["note"] = _note(part)
        rows[method] = row
    result = pd.DataFrame.from_dict(rows, orient="index")
    result.index.name = "method"
    return result


def _note(part: pd.DataFrame) -> str:
    """Return why a method did not finish on all folds."""
    exits = part["exit"].value_counts().to_dict()
    notes = [f"{count} {name}" for name, count in exits.items() if name != "ok"]
    unproved = int((part["answered"] & ~part["solved"]).sum())
    return ", ".join([*notes, *([f"{unproved} not proved"] if unproved else [])])


def as_text(result: pd.DataFrame) -> list[list[str]]:
    """Return the comparison as cells of text: mean ± standard deviation over folds."""
    names = methods.labels(map(str, result.index))
    body = []
    for method, row in result.iterrows():
        cells = [names[str(method)], str(row["folds"])]
        for column in ("size", "rules", "strict", "plain", "described", "seconds"):
            mean, spread = row[column], row[f"{column}_sd"]
            digits = 2 if column == "seconds" else 1
            cells.append("–" if np.isnan(mean) else f"{mean:.{digits}f} ± {spread:.{digits}f}")
        body.append([*cells, str(row["note"])])
    return [["method", *HEADINGS.values()], *body]


def drawing(result: pd.DataFrame, title: str) -> Drawing:
    """Draw accuracy against size: the best methods are at the top left."""
    figure = Figure(figsize=(8.2, 4.2), layout="constrained")
    axes = [figure.add_subplot(1, 2, 1)]
    axes.append(figure.add_subplot(1, 2, 2, sharey=axes[0], sharex=axes[0]))
    looks = styles([str(name) for name in result.index])
    names = methods.labels(map(str, result.index))
    drawn = result.dropna(subset=["size"])
    for place, column in zip(axes, ("strict", "plain"), strict=True):
        dress(place, "size: literals + rules", f"{column} test accuracy, %")
        for method, row in drawn.iterrows():
            look = looks[str(method)]
            container = place.errorbar(
                row["size"],
                row[column],
                xerr=row["size_sd"],
                yerr=row[f"{column}_sd"],
                color=look["color"],
                marker=look["marker"],
                markersize=7,
                elinewidth=0.8,
                linestyle="none",
                label=names[str(method)] if column == "strict" else None,
            )
            # Do not clip a marker on the edge, at 100 % or size 0.
            container.lines[0].set_clip_on(False)
    if len(drawn):
        _limit(axes, float((drawn["size"] + drawn["size_sd"]).max()))
        figure.legend(loc="outside right upper", frameon=False, fontsize=8)
    return Drawing("comparison", title, "Mean over folds; bars are one standard deviation.", figure)


def _limit(axes: Sequence[Axes], largest: float) -> None:
    """Set the limits of the axes: all sizes with a margin on the right, and no accuracy above 100 %."""
    low, high = axes[0].get_ylim()
    axes[0].set_ylim(max(low, -1.0), min(high, 101.0))
    for place in axes:
        if largest <= MAX_LINEAR:
            place.xaxis.set_major_locator(MaxNLocator("auto", integer=True))
        else:
            place.set_xscale("symlog", linthresh=1)
        place.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        place.set_xlim(0, 1.15 * max(largest, 1.0))


def absent(names: Iterable[str]) -> dict[str, str]:
    """Return the methods that cannot run here, with the reasons."""
    reasons = {name: methods.missing(name) for name in names}
    return {name: reason for name, reason in reasons.items() if reason is not None}
