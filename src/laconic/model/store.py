"""Model files: written whole or not at all, read with suspicion."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from laconic.errors import ModelFileError
from laconic.model.decision_set import DecisionSet


def save_model(model: Any, path: str | os.PathLike[str]) -> None:
    """Write a decision set to a JSON file.

    The text goes to a temporary file beside the target, is flushed to disk and then renamed, so a
    crash leaves either the old file or the new one.

    Parameters
    ----------
    model : DecisionSet or fitted DecisionSetClassifier
    path : str or path-like
    """
    target = Path(path)
    decision_set: DecisionSet = getattr(model, "decision_set_", model)
    text = decision_set.to_json()
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
    except OSError as error:
        raise ModelFileError(
            f"cannot write model file {str(target)!r}: {error.strerror}; choose another place"
        ) from error
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes private files; a model is as readable as any file the user writes.
        mask = os.umask(0)
        os.umask(mask)
        temporary.chmod(0o666 & ~mask)
        temporary.replace(target)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise ModelFileError(
            f"cannot write model file {str(target)!r}: {error.strerror}; choose another place"
        ) from error
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def load_model(path: str | os.PathLike[str]) -> DecisionSet:
    """Read a decision set from a JSON file.

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
    try:
        text = source.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ModelFileError(f"there is no model file {str(source)!r}; check the path") from None
    except OSError as error:
        raise ModelFileError(
            f"cannot read model file {str(source)!r}: {error.strerror}; check the path"
        ) from error
    except UnicodeDecodeError:
        raise ModelFileError(
            f"{str(source)!r}: this is not a laconic model: it is not text; check the path"
        ) from None
    try:
        return DecisionSet.from_json(text)
    except ModelFileError as error:
        raise ModelFileError(f"{str(source)!r}: {error}") from None
