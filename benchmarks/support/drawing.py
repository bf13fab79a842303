"""Figures of the documentation; equal results give equal files."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from matplotlib import rc_context
from matplotlib.figure import Figure


def save_svg(figure: Figure, path: Path, *, letters: Literal["none", "path"] = "none") -> None:
    """Write a figure as SVG and print its path.

    Parameters
    ----------
    figure : Figure
    path : Path
    letters : {"none", "path"}
        Whether letters remain text, a third of the size, or become outlines.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with rc_context({"svg.hashsalt": "laconic", "svg.fonttype": letters}):
        figure.savefig(path, metadata={"Date": None})
    print(f"drawn in {path}")
