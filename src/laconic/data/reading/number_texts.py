"""Numbers as people write them: with a decimal comma, with thousands separators, with blanks around them."""

from __future__ import annotations

import re
from functools import lru_cache

BLANKS = " \t\u00a0"
"""What is left out around a cell: the blank, the tab and the no-break space."""

THOUSANDS = ("", ",", ".", " ", "\u00a0", "\u202f", "'")
"""What can stand between groups of three digits."""

_EXPONENT = r"(?:[eE][+-]?\d+)?"


@lru_cache(maxsize=64)
def number_pattern(decimal: str, thousands: str) -> re.Pattern[str]:
    """Return the pattern of numbers with this decimal mark and, if there is one, this thousands separator."""
    mark = re.escape(decimal)
    whole = r"\d+"
    if thousands:
        whole = rf"(?:\d{{1,3}}(?:{re.escape(thousands)}\d{{3}})+|\d+)"
    return re.compile(rf"[+-]?(?:{whole}(?:{mark}\d*)?|{mark}\d+){_EXPONENT}", re.ASCII)


def number_of(text: str, decimal: str = ".", thousands: str = "") -> int | float | None:
    """Return the number that a text is, or None.

    >>> number_of("1.234,5", ",", "."), number_of("12"), number_of("12 kg"), number_of("1,5")
    (1234.5, 12, None, None)
    """
    if number_pattern(decimal, thousands).fullmatch(text) is None:
        return None
    plain = text.replace(thousands, "") if thousands else text
    plain = plain.replace(decimal, ".") if decimal != "." else plain
    digits = plain.lstrip("+-")
    if digits.isdigit() and len(digits) < 400:
        return int(plain)
    return float(plain)
