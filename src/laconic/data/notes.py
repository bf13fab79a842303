"""The notes of a model about how its training table was made.

Notes are shown as facts, so a model file may hold only those that are written here: any other sentence,
"proven optimal" for instance, is refused when the file is read.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from laconic.data.documents import damaged

_SUMMARY = (
    "the thresholds of column {name} come from a summary of its values in {ranges} ranges, because it has "
    "more than {values} different ones"
)


_ROUNDED = (
    "sample weights are rounded to multiples of {unit}, each by at most {part} of itself, all together by at "
    "most {share} of their sum"
)
_LOST = "the sample weights of {rows}, together {share} of the sum of all, are too small and count as 0"
_FINER = (
    "columns of numbers are cut into {values} parts, not into the usual {ranges}: sets over these conditions "
    "do better on rows that they were not learned from"
)
_CLASSES = "class weights are rounded to multiples of {unit}, each by at most {part} of itself"

_NUMBER = "[0-9]{1,9}"
_DECIMAL = r"[0-9](?:\.[0-9])?(?:e[+-][0-9]{2,3})?"


def rounding_note(scale: Fraction, part: Fraction, share: Fraction) -> str:
    """Return the note on rounded sample weights.

    Parameters
    ----------
    scale : Fraction
        Integers per unit of weight.
    part, share : Fraction
        The largest relative error of a weight, and a bound on that of their sum.
    """
    return _ROUNDED.format(unit=_in_short(1 / scale), part=_in_short(part), share=_in_short(share))


def lost_note(n_rows: int, share: Fraction) -> str:
    """Return the note on rows whose weights are rounded to 0: their number and their share."""
    return _LOST.format(rows="1 row" if n_rows == 1 else f"{n_rows} rows", share=_in_short(share))


def class_rounding_note(unit: Fraction, part: Fraction) -> str:
    """Return the note on rounded class weights: their grid and the largest relative error."""
    return _CLASSES.format(unit=_in_short(unit), part=_in_short(part))


def finer_note(n_parts: int, usual: int) -> str:
    """Return what to say of conditions that are finer than the default ones."""
    return _FINER.format(values=n_parts, ranges=usual)


def _in_short(value: Fraction) -> str:
    """Write a number of at least 0 with two digits, rounded up.

    >>> _in_short(Fraction(1, 10**7)), _in_short(Fraction(1, 3)), _in_short(Fraction(1))
    ('1e-07', '3.4e-01', '1')
    """
    if value == 0:  # too small for a double
        return "0"
    power = math.floor(math.log10(value.numerator) - math.log10(value.denominator))
    while value >= Fraction(10) ** (power + 1):
        power += 1
    while value < Fraction(10) ** power:
        power -= 1
    tenths = math.ceil(value / Fraction(10) ** (power - 1))
    if tenths == 100:
        tenths, power = 10, power + 1
    digits = f"{tenths // 10}" + (f".{tenths % 10}" if tenths % 10 else "")
    return digits if power == 0 else f"{digits}e{power:+03d}"


def summary_note(name: str, n_ranges: int, n_values: int) -> str:
    """Return the note on a column whose thresholds come from a summary of its values."""
    return _SUMMARY.format(name=repr(name), ranges=n_ranges, values=n_values)


_FIELDS = {
    "{unit}": _DECIMAL,
    "{part}": _DECIMAL,
    "{share}": _DECIMAL,
    "{rows}": f"(?:{_NUMBER} rows|1 row)",
    "{ranges}": _NUMBER,
    "{values}": _NUMBER,
    "{name}": "(?P<name>.+)",
}


def _pattern(sentence: str) -> re.Pattern[str]:
    parts = re.split(r"(\{\w+\})", sentence)
    return re.compile("".join(_FIELDS.get(part, re.escape(part)) for part in parts), re.DOTALL)


_KNOWN = tuple(map(_pattern, (_SUMMARY, _ROUNDED, _LOST, _FINER, _CLASSES)))


def notes_from_document(data: Any, columns: Sequence[str]) -> tuple[str, ...]:
    """Check plain data and return the notes of a model on these columns."""
    if not isinstance(data, list) or not all(isinstance(note, str) for note in data):
        raise damaged("the notes are not texts")
    names = {repr(name) for name in columns}
    for note in data:
        found = next(filter(None, (known.fullmatch(note) for known in _KNOWN)), None)
        if found is None or not names.issuperset(found.groupdict().values()):
            raise damaged("it holds a note that laconic does not write")
    return tuple(data)
