"""Tables on the terminal."""

from __future__ import annotations

import os
import sys

from rich.console import Console
from rich.table import Table


def show(cells: list[list[str]], *, numbers: bool = True) -> None:
    """Print a table: as wide as it needs, so that a pipe gets whole lines."""
    heading, *body = cells
    shown = Table(box=None, header_style="bold", pad_edge=False)
    for i, name in enumerate(heading):
        shown.add_column(
            name.replace(" ", "\n"), justify="left" if i == 0 or not numbers else "right", overflow="fold"
        )
    for row in body:
        shown.add_row(*[cell.replace("[", r"\[") for cell in row])
    width = os.get_terminal_size().columns if sys.stdout.isatty() else 400
    Console(width=width).print(shown)
