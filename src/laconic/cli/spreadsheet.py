"""CSV files whose cells are not formulas to a spreadsheet.

Spreadsheets calculate a cell that begins with ``=``, ``+``, ``-`` or ``@``, also after a tab or the end of a
line. So a text in a table could run a formula where the predictions are opened. An apostrophe before such a
text keeps it a text; numbers do not change.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from laconic.runtime.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

SafeCells = Annotated[
    bool | None,
    typer.Option(
        "--safe-cells/--no-safe-cells",
        help="Put an apostrophe before texts that spreadsheets would calculate, such as =1+1. "
        "[on for CSV files, off for standard output]",
        show_default=False,
    ),
]

_FORMULA = re.compile(r"[=+\-@\t\r\n].", re.DOTALL)
_NUMBER = re.compile(r"[+-](\d+[.,]?\d*|[.,]\d+)([eE][+-]?\d+)?")


def safe_cell(value: Any) -> Any:
    """Return a cell as it can be opened in a spreadsheet.

    >>> [safe_cell(value) for value in ("=1+1", "-1.5", "-", "@now()", "clerk", -1.5)]
    ["'=1+1", '-1.5', '-', "'@now()", 'clerk', -1.5]
    """
    if isinstance(value, str) and _FORMULA.match(value) and not _NUMBER.fullmatch(value):
        return f"'{value}"
    return value


def csv_text(frame: pd.DataFrame, *, safe: bool, tabs: bool = False) -> str:
    """Return a table as CSV, with ``safe`` such that no text is taken for a formula."""
    names = [name for name in frame.columns if frame[name].dtype.kind not in "biufc"]
    if safe:
        cells = {name: frame[name].astype(object).map(safe_cell) for name in names}
        frame = frame.assign(**cells)
    header = [safe_cell(name) if safe else name for name in frame.columns]
    # Readers take a carriage return for the end of a line, but Python quotes a line feed only.
    odd = any("\r" in name for name in header) or any(
        isinstance(cell, str) and "\r" in cell for name in names for cell in frame[name].unique()
    )
    text: str = frame.to_csv(
        index=False,
        header=header,
        lineterminator="\n",
        sep="\t" if tabs else ",",
        quoting=csv.QUOTE_NONNUMERIC if odd else csv.QUOTE_MINIMAL,
    )
    return text


def refuse_safe_cells(asked: bool | None, place: Path | None) -> None:
    """Refuse the option where no CSV is written."""
    if asked is not None:
        what = "JSON" if place is None else place
        raise InputError(f"--safe-cells is for CSV, which {what} is not; leave it out")
