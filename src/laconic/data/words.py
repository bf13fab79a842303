"""Texts that can be written to a file: half a character can not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from laconic.errors import InputError
from laconic.texts import shown


def is_text(text: str) -> bool:
    """Whether a text can be written to a file: halves of characters, as UTF-16 has them, can not.

    >>> is_text("naïve"), is_text(chr(0xD800))
    (True, False)
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def refuse_half_characters(texts: Iterable[Any], where: str) -> None:
    """Refuse texts that no file, page or database can hold."""
    for text in texts:
        if isinstance(text, str) and not is_text(text):
            raise InputError(
                f"{where} holds half a character, {shown(text)}; read the data again in its right encoding"
            )
