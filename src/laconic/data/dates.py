"""Dates as exact numbers: whole days since 1970, or seconds where a column holds times of the day.

A column that holds only days is compared by days, so that a later cell with a time belongs to its day.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from functools import lru_cache

ORDERS = ("ymd", "dmy", "mdy")
"""Order of year, month and day in a text."""

UNITS = ("day", "second")

_TIME = r"(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?"
_DATES = {
    "ymd": r"(?:(\d{4})([-/.])(\d{1,2})\2(\d{1,2}))",
    "dmy": r"(?:(\d{1,2})([-/.])\s?(\d{1,2})\2\s?(\d{4}))",
    "mdy": r"(?:(\d{1,2})([-/.])\s?(\d{1,2})\2\s?(\d{4}))",
}
DATE_PATTERNS = {order: date + _TIME for order, date in _DATES.items()}
"""Patterns of dates in each order, for exports too."""

_PATTERNS = {order: re.compile(pattern, re.ASCII) for order, pattern in DATE_PATTERNS.items()}
_EPOCH = dt.datetime(1970, 1, 1)
DAY = 86_400
LONGEST = 48
"""Maximum number of characters of a date."""


def seconds_of(text: str, order: str) -> float | None:
    """Return the seconds since 1970 of a date that is written in this order, None if the text is not one.

    A time zone is taken into account; without one, times are as they are written.

    >>> seconds_of("1970-01-02", "ymd"), seconds_of("2.1.1970 00:30", "dmy"), seconds_of("2024-02-30", "ymd")
    (86400.0, 88200.0, None)
    """
    match = None if len(text) > LONGEST else _PATTERNS[order].fullmatch(text)
    if match is None:
        return None
    first, _, second, third, hour, minute, whole, part, zone = match.groups()
    year, month, day = {"ymd": (first, second, third), "dmy": (third, second, first)}.get(
        order, (third, first, second)
    )
    try:
        moment = dt.datetime(
            int(year), int(month), int(day), int(hour or 0), int(minute or 0), int(whole or 0)
        )
    except ValueError:
        return None
    seconds = (moment - _EPOCH).total_seconds() - _offset(zone)
    return seconds + (float(f"0.{part}") if part else 0.0)


def _offset(zone: str | None) -> int:
    if zone in {None, "Z", "UTC"}:
        return 0
    assert zone is not None
    sign = -1 if zone[0] == "-" else 1
    digits = zone[1:].replace(":", "")
    return sign * (int(digits[:2]) * 3600 + int(digits[2:]) * 60)


@lru_cache(maxsize=4096)
def date_text(number: float, unit: str) -> str:
    """Write a date as ISO 8601 does, without what is zero.

    >>> date_text(19844.0, "day"), date_text(1714521600.0, "second"), date_text(1714556730.5, "second")
    ('2024-05-01', '2024-05-01 00:00', '2024-05-01 09:45:30.500000')
    """
    try:
        moment = _EPOCH + dt.timedelta(seconds=float(number) * (DAY if unit == "day" else 1))
    except OverflowError:
        return "before all dates" if number < 0 else "after all dates"
    if unit == "day":
        return moment.strftime("%Y-%m-%d") if moment.year >= 1000 else moment.date().isoformat()
    if moment.microsecond:
        return moment.isoformat(" ")
    return moment.isoformat(" ", "seconds" if moment.second else "minutes")


def number_of_date(text: str, unit: str) -> float | None:
    """Return the number of a date that `date_text` wrote."""
    seconds = seconds_of(text, "ymd")
    if seconds is None:
        return None
    return float(seconds // DAY) if unit == "day" else seconds


def roundest_between(low: float, high: float, unit: str) -> float:
    """Return the roundest date from ``low`` to before ``high``: the end of a year, of a month, or a day.

    >>> date_text(roundest_between(19700.0, 19760.0, "day"), "day")
    '2023-12-31'
    """
    if unit == "day":
        return _last_day(low, high)
    for first_of in (_next_year, _next_month, _next_day, _next_hour, _next_minute):
        found = first_of(low)
        if low <= found < high:
            return found
    middle = math.floor((low + high) / 2)
    return float(middle) if low <= middle < high else low


def _last_day(low: float, high: float) -> float:
    """Return the last day of a year or month from ``low`` to before ``high``, or a day in the middle."""
    for first_of in (_next_year, _next_month):
        # The day before the first of a year or month.
        found = first_of((low + 1) * DAY) / DAY - 1
        if low <= found < high:
            return found
    return float(math.floor((low + high) / 2)) if high > low else low


def _moment(seconds: float) -> dt.datetime:
    return _EPOCH + dt.timedelta(seconds=seconds)


def _seconds(moment: dt.datetime) -> float:
    return (moment - _EPOCH).total_seconds()


def _next_year(seconds: float) -> float:
    """Return the first start of a year at or after a moment; infinity beyond the last year."""
    start = dt.datetime(_moment(seconds).year, 1, 1)
    if _seconds(start) >= seconds:
        return _seconds(start)
    return _seconds(dt.datetime(start.year + 1, 1, 1)) if start.year < dt.MAXYEAR else math.inf


def _next_month(seconds: float) -> float:
    moment = _moment(seconds)
    start = dt.datetime(moment.year, moment.month, 1)
    if _seconds(start) >= seconds:
        return _seconds(start)
    months = moment.year * 12 + moment.month
    year, month = divmod(months, 12)
    return _seconds(dt.datetime(year, month + 1, 1)) if year <= dt.MAXYEAR else math.inf


def _next_day(seconds: float) -> float:
    return math.ceil(seconds / DAY) * float(DAY)


def _next_hour(seconds: float) -> float:
    return math.ceil(seconds / 3600) * 3600.0


def _next_minute(seconds: float) -> float:
    return math.ceil(seconds / 60) * 60.0
