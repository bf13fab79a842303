"""Validation of values from untrusted JSON: type and range are checked, or one clear message refuses them."""

from __future__ import annotations

import json
import math
import re
import sys
from fractions import Fraction
from pathlib import Path
from types import UnionType
from typing import Any, NoReturn

from laconic.runtime.errors import InputError, ModelFileError
from laconic.runtime.texts import shown

MAX_BYTES = 2**28
"""Maximum length of a file in bytes, so that an endless device is refused."""

MAX_DIGITS = 400
"""Maximum number of digits of a whole number: no cost has more, and the quotient of two is still a double."""


def file_text(path: Path, what: str, error: type[InputError]) -> str:
    """Return the text of a file; raise ``error``, which calls the file ``what``, if it cannot be read."""
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
    """Read the JSON of one of our files.

    Raises
    ------
    json.JSONDecodeError
        The text is not JSON.
    ValueError
        It is JSON that our files never contain: a repeated key, a number that is not finite or has too many
        digits, half a surrogate pair, too many levels. The message says which.
    """
    try:
        found = json.loads(
            text,
            parse_constant=_refuse_constant,
            parse_int=_integer_of_text,
            parse_float=_float_of_text,
            object_pairs_hook=_unique_keys,
        )
        if "\\ud" in text.lower():  # JSON can hold half of a surrogate pair, which is not a character
            json.dumps(found, ensure_ascii=False).encode()
    except RecursionError as error:
        raise ValueError("its values are nested too deeply") from error
    except UnicodeEncodeError as error:
        raise ValueError("it has half a surrogate pair") from error
    return found


def fraction_of_text(text: object) -> Fraction:
    """Read an exact number in the format of our files, ``3`` or ``-3/4``; anything else is a ValueError.

    `Fraction` itself also reads exponents, and takes forever on ``1e999999999``.

    >>> fraction_of_text("-3/4")
    Fraction(-3, 4)
    """
    if not isinstance(text, str) or _FRACTION.fullmatch(text) is None:
        raise ValueError(f"{shown(text)} is not an exact number")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise ValueError(f"{shown(text)} divides by zero") from None


_FRACTION = re.compile(rf"[-+]?[0-9]{{1,{MAX_DIGITS}}}(/[0-9]{{1,{MAX_DIGITS}}})?")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise ValueError(f"the key {shown(key)} is there twice in one object")
            seen.add(key)
    return found


def _integer_of_text(text: str) -> int:
    if len(text.lstrip("-")) > MAX_DIGITS:
        raise ValueError(f"a number has more than {MAX_DIGITS} digits")
    return int(text)


def _float_of_text(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"the number {text[:40]} is too large")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


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
    if isinstance(value, int) and isinstance(0.0, expected) and abs(value) > sys.float_info.max:
        raise damaged(f"{key!r} is too large")
    return value


def integer(data: dict[str, Any], key: str, least: int = 0) -> int:
    """Return a whole number that is not below ``least``."""
    value: int = entry(data, key, int)
    if value < least:
        raise damaged(f"{key!r} is below {least}")
    return value
