"""Tables and lines on the terminal."""

from __future__ import annotations

import os
import sys

import typer

from laconic.runtime.texts import visible, visible_lines


def show(cells: list[list[str]], *, numbers: bool = True) -> None:
    """Print a table: as wide as it needs, so that a pipe gets whole lines."""
    from rich.console import Console
    from rich.table import Table

    heading, *body = cells
    shown = Table(box=None, header_style="bold", pad_edge=False)
    for i, name in enumerate(heading):
        shown.add_column(
            visible(name).replace(" ", "\n"),
            justify="left" if i == 0 or not numbers else "right",
            overflow="fold",
        )
    for row in body:
        shown.add_row(*[visible(cell).replace("[", r"\[") for cell in row])
    width = os.get_terminal_size().columns if sys.stdout.isatty() else 400
    Console(width=width).print(shown)


def say(text: str, *, err: bool = False) -> None:
    """Print lines for people; only their ends act on a terminal, no name in them does."""
    typer.echo(visible_lines(text), err=err)
