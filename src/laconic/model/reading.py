"""Taking values out of untrusted JSON: the right type, in range, or one clear refusal."""

from __future__ import annotations

from types import UnionType
from typing import Any

from laconic.errors import ModelFileError


def damaged(what: str) -> ModelFileError:
    """Return the error for a model file that cannot be trusted."""
    return ModelFileError(f"the model file is damaged: {what}; save the model again with save_model")


def entry(data: dict[str, Any], key: str, expected: type | UnionType) -> Any:
    """Return an entry of the expected type; JSON's ``true`` is not a number."""
    if key not in data:
        raise damaged(f"{key!r} is missing")
    value = data[key]
    if not isinstance(value, expected) or (isinstance(value, bool) and expected is not bool):
        raise damaged(f"{key!r} has the wrong type")
    return value


def integer(data: dict[str, Any], key: str, least: int = 0) -> int:
    """Return a whole number that is not below ``least``."""
    value: int = entry(data, key, int)
    if value < least:
        raise damaged(f"{key!r} is below {least}")
    return value
