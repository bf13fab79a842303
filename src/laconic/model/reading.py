"""Taking values out of untrusted JSON: the right type, in range, or one clear refusal."""

from __future__ import annotations

import json
from pathlib import Path
from types import UnionType
from typing import Any, NoReturn

from laconic.errors import InputError, ModelFileError

MAX_BYTES = 2**28
"""No model and no certificate is longer; a device that never ends is."""


def file_text(path: Path, what: str, error: type[InputError]) -> str:
    """Return the text of a file that is to hold ``what``; a file that cannot be is refused with ``error``."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise error(f"there is no {what} {str(path)!r}; check the path") from None
    except (OSError, ValueError) as reason:  # a path with a NUL in it is a ValueError
        said = getattr(reason, "strerror", None) or str(reason)
        raise error(f"cannot read {what} {str(path)!r}: {said}; check the path") from reason
    if len(data) > MAX_BYTES:
        raise error(f"{str(path)!r} is larger than any {what}; check the path")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        kind = what.removesuffix(" file")
        raise error(f"{str(path)!r}: this is not a laconic {kind}: it is not text; check the path") from None


def parsed(text: str) -> Any:
    """Read JSON; NaN, infinity, halves of characters and whatever is nested too deeply are a ValueError."""
    try:
        found = json.loads(text, parse_constant=_refuse_constant)
        if "\\ud" in text.lower():  # half a character can be written in JSON, and is no text
            json.dumps(found, ensure_ascii=False).encode()
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


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
