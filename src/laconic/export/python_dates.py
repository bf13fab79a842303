"""What an exported Python function needs where a column holds dates."""

from __future__ import annotations

from laconic.data.dates import DATE_PATTERNS
from laconic.data.reading.derived import WEEKDAYS
from laconic.data.reading.number_texts import BLANKS

DATE_CODE = f'''

def _date(value, reading):
    """Return the days or seconds since 1970 of a date or of a text that is one, None for "no value"."""
    import datetime
    import re

    if isinstance(value, str):
        text = value.strip({BLANKS!r})
        if text in reading["missing"]:
            return None
        for order in (reading["dates"], "ymd"):
            match = re.fullmatch(_PATTERNS[order], text, re.ASCII)
            if match is not None:
                break
        else:
            raise ValueError("not a date: " + repr(value))
        parts = match.groups()
        year, month, day = {{"ymd": (0, 2, 3), "dmy": (3, 2, 0), "mdy": (3, 0, 2)}}[order]
        numbers = [int(parts[year]), int(parts[month]), int(parts[day])]
        moment = datetime.datetime(*numbers, *(int(one or 0) for one in parts[4:7]))
        zone, part = parts[8], float("0." + (parts[7] or "0"))
    else:
        moment = value if isinstance(value, datetime.datetime) else datetime.datetime(*value.timetuple()[:3])
        zone, part = None, 0.0
        if moment.tzinfo is not None:
            moment = moment.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    seconds = (moment - datetime.datetime(1970, 1, 1)).total_seconds() + part
    if zone not in (None, "Z", "UTC"):
        digits = zone[1:].replace(":", "")
        offset = int(digits[:2]) * 3600 + int(digits[2:]) * 60
        seconds += offset if zone[0] == "-" else -offset
    return seconds // 86400 if reading["unit"] == "day" else seconds


def _derived(row, part, column, since=None):
    """Return what is computed from a date: its year, month, weekday or hour, or the days since another."""
    number, unit = _cell(row, column), READINGS[column]["unit"]
    if number is None:
        return None
    days = number if unit == "day" else number // 86400
    if part == "days":
        other = _cell(row, since)
        if other is None:
            return None
        return days - (other if READINGS[since]["unit"] == "day" else other // 86400)
    if part == "hour":
        return 0 if unit == "day" else number % 86400 // 3600
    if part == "weekday":
        return {list(WEEKDAYS)!r}[int(days + 3) % 7]
    import datetime

    return getattr(datetime.date(1970, 1, 1) + datetime.timedelta(days=days), part)


_PATTERNS = {DATE_PATTERNS!r}
'''
