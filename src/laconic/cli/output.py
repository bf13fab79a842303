"""The output of a command: results, remarks on standard error, and files, written whole or not at all."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from laconic.cli.exits import discard_output, lost
from laconic.runtime.texts import visible, visible_json, visible_lines


def write(text: str) -> None:
    """Write lines for people to standard output; control characters in names are escaped."""
    write_data(visible_lines(text))


def write_data(text: str) -> None:
    """Write data to standard output unchanged; the command ends quietly if the reader has closed it."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        raise lost(error) from error


MOST_NOTES = 20
"""Maximum number of notes on a terminal; wide tables have one per column."""


def write_json(data: Any) -> None:
    """Write a result as JSON to standard output."""
    write_data(visible_json(json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False)) + "\n")


def remark(text: str) -> None:
    """Write a remark to standard error, in one line; the command goes on if that is closed."""
    try:
        sys.stderr.write(visible(text) + "\n")
        sys.stderr.flush()
    except BrokenPipeError as error:
        raise lost(error) from error
    except OSError:
        discard_output()


def remarks(texts: Iterable[str]) -> None:
    """Write each remark once, up to `MOST_NOTES`."""
    different = list(dict.fromkeys(texts))
    for text in different[:MOST_NOTES]:
        remark(f"note: {text}")
    if len(different) > MOST_NOTES:
        remark(f"note: and {len(different) - MOST_NOTES} more notes like these (all of them with --json)")


def check_places(
    places: Mapping[str, Path | None],
    inputs: Iterable[Path],
    folder: Path | None = None,
    pattern: str = "",
) -> None:
    """Refuse output files that cannot be written, are inputs or are the same file, before any work is done.

    Parameters
    ----------
    places : mapping of str to Path or None
        By the option that names each.
    inputs : iterable of Path
        Files that are read.
    folder : Path, optional
        What ``--models`` names, for files of names like ``pattern``.
    """
    from laconic.data.write import require_folder, require_places

    given = {option: path for option, path in places.items() if path is not None}
    read = list(inputs)
    if folder is not None:
        require_folder(folder, "--models", pattern, given, read)
    require_places(given, read)


def save(path: Path, data: bytes, option: str = "--output") -> None:
    """Write a file whole or not at all."""
    from laconic.data.write import unwritable, write_whole

    try:
        write_whole(path, data)
    except BrokenPipeError as error:
        raise lost(error) from error
    except OSError as error:
        raise unwritable(path, error, option) from error
