"""Numbers as fractions and as text, and texts that can be written to a file."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from laconic.runtime.errors import InputError
from laconic.runtime.texts import shown

MOST_DIGITS = 15
"""Number of digits that every double represents."""


def about(value: int | Fraction) -> str:
    """Write a large number for a message, also beyond the range of doubles.

    >>> about(12_345), about(Fraction(10**17, 3)), about(10**400)
    ('1.2e+04', '3.3e+16', '10^400')
    """
    try:
        return f"{float(value):.2g}"
    except OverflowError:
        return f"10^{(int(value).bit_length() - 1) * 30103 // 100_000}"


def as_fraction(number: float, largest_denominator: int = 10**9) -> Fraction:
    """Return a number as written, 0.05 = 1/20; one of many digits as a near fraction, positive if it is.

    Examples
    --------
    >>> as_fraction(0.005), as_fraction(1 / 30), as_fraction(0.1234567, 10**6)
    (Fraction(1, 200), Fraction(1, 30), Fraction(98829, 800515))
    """
    written = Fraction(repr(number if isinstance(number, int) else float(number)))
    near = written.limit_denominator(largest_denominator)
    return written if written > 0 and not near else near


def exact_fraction(limit: float) -> Fraction:
    """Return a limit exactly as written: 2.9999999999 is not 3, nor is it rounded to a near fraction.

    >>> exact_fraction(0.1), exact_fraction(3)
    (Fraction(1, 10), Fraction(3, 1))
    """
    return Fraction(limit) if isinstance(limit, int) else Fraction(repr(float(limit)))


def is_text(text: str) -> bool:
    """Whether a text can be written to a file; lone halves of surrogate pairs cannot.

    >>> is_text("naïve"), is_text(chr(0xD800))
    (True, False)
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def refuse_half_characters(texts: Iterable[Any], where: str) -> None:
    """Refuse texts that cannot be written to a file, page or database."""
    for text in texts:
        if isinstance(text, str) and not text.isascii() and not is_text(text):
            raise InputError(
                f"{where} has half a surrogate pair, {shown(text)}; read the data again in its right encoding"
            )


def plain(value: Fraction) -> int | Fraction:
    """Return whole numbers as int, others as they are."""
    return value.numerator if value.denominator == 1 else value


def number_text(value: Fraction) -> str:
    """Write an exact number as a person would: whole, or with up to four significant digits.

    >>> [number_text(value) for value in (Fraction(7), Fraction(22, 7), Fraction(1234567, 10))]
    ['7', '3.143', '123457']
    """
    return rounded_text(value, 4)


def rounded_text(value: Fraction, n_digits: int) -> str:
    """Write a number with ``n_digits`` significant digits, or all before the point; whole numbers exactly."""
    if value.denominator == 1:
        return str(value.numerator)
    before = len(str(abs(int(value))))
    return f"{float(value):.{max(n_digits, before if before <= MOST_DIGITS else 0)}g}"


def sum_texts(total: Fraction, first: Fraction, price: Fraction, times: int) -> tuple[str, str, str]:
    """Write ``total = first + price × times`` so that the sum of what is written, rounded, is the total.

    >>> sum_texts(Fraction(200, 3), Fraction(50), Fraction(50, 9), 3)
    ('66.67', '50', '5.556')
    """
    said = number_text(total)
    places = len(said.partition(".")[2])
    for n_digits in range(4, MOST_DIGITS + 1):
        parts = rounded_text(first, n_digits), rounded_text(price, n_digits)
        if "e" in said or round(Fraction(parts[0]) + Fraction(parts[1]) * times, places) == Fraction(said):
            break
    return said, *parts
