"""The paper's Figures 1 to 4: the figures of `laconic.bench` with the paper's numbers."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from benchmarks.paper.claims import PERFECT, SP3
from laconic.bench import figures, series
from laconic.bench.figures import Drawing

NUMBERS = {"time": "1a", "size": "1b", "accuracy-all": "2a", "accuracy-common": "2b"}
RIVALS = {"ripper": 3, "imli1": 4}
"""Methods with which sp[λ3] is compared in scatter plots, with the numbers of these figures."""


def paper_figures(table: pd.DataFrame) -> list[Drawing]:
    """Return the paper's figures; a scatter plot needs records of a method of Laconic and of the rival.

    The methods of perfect sets share one curve in the accuracies on common training sets.

    Parameters
    ----------
    table : DataFrame
        The table from `laconic.bench.table.frame`.
    """
    present = [str(name) for name in table["method"].cat.categories]
    curves = figures.curve_drawings(table, figures.styles([*present, PERFECT]), as_one=PERFECT)
    drawings = [_numbered(one, NUMBERS[one.name.removesuffix("-whole")]) for one in curves]
    for rival, number in RIVALS.items():
        own = own_method(table, rival) if rival in present else None
        if own is not None:
            scatters = figures.scatter_drawings(table, own, rival)
            drawings += [
                _numbered(one, f"{number}{letter}") for one, letter in zip(scatters, "ab", strict=True)
            ]
    return drawings


def own_method(table: pd.DataFrame, rival: str) -> str | None:
    """Return the method that a scatter plot compares with a rival: the paper's sp[λ3] if it has records.

    Of the methods with its optima, it is the one with the most training sets in common with the rival.
    """
    present = [name for name in SP3 if name in table["method"].cat.categories]
    if not present:
        return series.own_method(table)
    return max(present, key=lambda name: series.pairs(table, name, rival, "size").x.size)


def _numbered(drawing: Drawing, number: str) -> Drawing:
    title = f"Figure {number}: {drawing.title[0].lower()}{drawing.title[1:]}"
    return replace(drawing, name=f"figure-{number}-{drawing.name}", title=title)
