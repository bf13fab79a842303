"""Model files: written whole or not at all, checked when they are read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from laconic.data.documents import file_text
from laconic.data.write import write_whole
from laconic.model.decision_set import DecisionSet
from laconic.runtime.errors import ModelFileError


def save_model(model: Any, path: str | os.PathLike[str], *, history: bool = False) -> None:
    """Write a decision set to a JSON file.

    The file is written whole or not at all, so a crash leaves either the old file or the new one.

    Parameters
    ----------
    model : DecisionSet or fitted DecisionSetClassifier
    path : str or path-like
    history : bool
        Whether to keep how the search went, so that a report from the file can show it. Times differ from
        run to run, and so do files that hold them.
    """
    decision_set: DecisionSet = getattr(model, "decision_set_", model)
    try:
        write_whole(path, decision_set.to_json(history=history).encode())
    except OSError as error:
        raise ModelFileError(
            f"cannot write model file {os.fspath(path)!r}: {error.strerror}; choose another place"
        ) from error


def load_model(path: str | os.PathLike[str]) -> DecisionSet:
    """Read a decision set from a JSON file.

    Parameters
    ----------
    path : str or path-like

    Returns
    -------
    DecisionSet
        Ready to ``predict``, ``explain`` and ``strict_score``; ``.proof`` holds the proof facts.

    Raises
    ------
    ModelFileError
        The file is missing, damaged, not a model, or written by a newer version.
    """
    source = Path(path)
    text = file_text(source, "model file", ModelFileError)
    try:
        return DecisionSet.from_json(text)
    except ModelFileError as error:
        raise ModelFileError(f"{str(source)!r}: {error}") from None
