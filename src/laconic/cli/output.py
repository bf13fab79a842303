"""What a command writes: results on standard output, remarks on standard error, files whole or not at all."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn

import typer

from laconic.cli.exits import CLOSED_PIPE
from laconic.texts import visible, visible_json, visible_lines


def write(text: str) -> None:
    """Write lines for people to standard output; only their ends act on a terminal, no name in them does."""
    write_data(visible_lines(text))


def write_data(text: str) -> None:
    """Write data to standard output as they are; a reader that went away ends the command quietly."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _leave_quietly()


MOST_NOTES = 20
"""Nobody reads a note for each of a hundred thousand columns."""


def write_json(data: Any) -> None:
    """Write a result as JSON to standard output."""
    write_data(visible_json(json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False)) + "\n")


def remark(text: str) -> None:
    """Say something that is not the result, in one line."""
    try:
        sys.stderr.write(visible(text) + "\n")
        sys.stderr.flush()
    except BrokenPipeError:
        _leave_quietly()


def remarks(texts: Iterable[str]) -> None:
    """Say each of these once; of very many, the first."""
    different = list(dict.fromkeys(texts))
    for text in different[:MOST_NOTES]:
        remark(f"note: {text}")
    if len(different) > MOST_NOTES:
        remark(f"note: and {len(different) - MOST_NOTES} more notes like these (all of them with --json)")


def check_place(path: Path | None, inputs: Iterable[Path], option: str = "--output") -> None:
    """Refuse a place that cannot be written to, or that holds an input, before any work is done."""
    from laconic.data.write import require_place

    if path is not None:
        require_place(path, inputs, option)


def save(path: Path, data: bytes, option: str = "--output") -> None:
    """Write a file whole or not at all."""
    from laconic.data.write import unwritable, write_whole

    try:
        write_whole(path, data)
    except BrokenPipeError:
        _leave_quietly()
    except OSError as error:
        raise unwritable(path, error, option) from error


def _leave_quietly() -> NoReturn:
    # Python flushes both streams once more at exit and would complain there: give it somewhere to write.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            os.dup2(nowhere, stream.fileno())
    raise typer.Exit(CLOSED_PIPE)
