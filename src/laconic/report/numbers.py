"""Numbers as text for people; shares are never rounded to 0 % or 100 %."""

from __future__ import annotations

import math


def percent(share: float | None) -> str:
    """Write a share with one decimal; only nothing is 0 % and only everything is 100 %.

    >>> [percent(share) for share in (0.0, 0.0001, 0.5, 0.973, 0.99999, 1.0, None)]
    ['0 %', '0.1 %', '50 %', '97.3 %', '99.9 %', '100 %', '–']
    """
    if share is None:
        return "–"
    rounded = round(100 * share, 1)
    if 0 < share < 1:
        rounded = min(max(rounded, 0.1), 99.9)
    return f"{rounded:g} %"


def amount(value: float) -> str:
    """Write a weight or a number of rows; whole numbers in groups of three digits.

    >>> [amount(value) for value in (3.0, 12345, 0.25, 1234.5678)]
    ['3', '12,345', '0.25', '1,234.57']
    """
    value = float(value)  # exact numbers are fractions
    if value.is_integer():
        return f"{int(value):,}"
    if abs(value) < 1:
        return f"{value:.3g}"
    return f"{value:,.2f}".rstrip("0").rstrip(".")


def seconds(value: float) -> str:
    """Write a time.

    >>> [seconds(value) for value in (0.0, 0.0123, 3.21, 75.0)]
    ['0 s', '12 ms', '3.2 s', '75 s']
    """
    if value == 0:
        return "0 s"
    if value < 1:
        return f"{max(1, round(1000 * value))} ms"
    return f"{round(value, 1 if value < 10 else 0):g} s"


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Return round numbers that span an axis.

    >>> ticks(0, 47)
    [0.0, 10.0, 20.0, 30.0, 40.0, 50.0]
    """
    span = high - low or 1.0
    rough = span / about
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= rough * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(step * k, 12) for k in range(first, max(last, first + 1) + 1)]
