"""What a user knows about a column: its kind, own cuts, special codes, directions, how its cells are read.

The same words in Python (``Binarizer(columns={"age": {"cuts": [18, 65]}})``), on the command line
(``--column age:cuts=18,65``) and in a TOML or JSON file (``--columns columns.toml``).
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from laconic.data.columns import KINDS
from laconic.data.dates import ORDERS, number_of_date
from laconic.data.reading.column_reading import ColumnReading
from laconic.data.reading.derived import PARTS
from laconic.data.reading.number_texts import THOUSANDS
from laconic.runtime.errors import InputError
from laconic.runtime.texts import shown

SIDES = ("<=", ">")
"""One-sided conditions: only upper or only lower limits."""

WAYS = ("increasing", "decreasing")


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnSettings:
    """What the user says about one column; what is not said is guessed.

    Attributes
    ----------
    kind : {"numeric", "category", "binary"} or None
    cuts : tuple of float or str
        The only thresholds, instead of those that the data suggest; of dates as ISO texts.
    names : tuple of str
        Names for the bins between the cuts, from the lowest: conditions then read ``age is young``.
    codes : tuple of float
        Numbers that are neither missing nor a quantity, such as -9999.
    sides : {"<=", ">"} or None
        Only conditions of this kind.
    intervals : bool
        Whether ``a < x <= b`` is also on offer as one condition, which counts one in the size instead of two.
    increasing, decreasing : str or None
        The class that higher, or lower, values may only speak for.
    missing : tuple of str
        Cells that mean "no value".
    decimal, thousands : str or None
        How its numbers are written.
    dates : {"ymd", "dmy", "mdy"} or None
        The order of year, month and day in its dates.
    parts : tuple of {"year", "month", "weekday", "hour"}
        What of its dates is on offer as a column of its own.
    since : str or None
        Another column of dates; the days since it are a column of their own.
    """

    kind: str | None = None
    cuts: tuple[float | str, ...] = ()
    names: tuple[str, ...] = ()
    codes: tuple[float, ...] = ()
    sides: str | None = None
    intervals: bool = False
    increasing: str | None = None
    decreasing: str | None = None
    missing: tuple[str, ...] = ()
    decimal: str | None = None
    thousands: str | None = None
    dates: str | None = None
    parts: tuple[str, ...] = ()
    since: str | None = None

    @property
    def shapes_conditions(self) -> bool:
        """Whether the settings say more than what the column is and how its cells are read."""
        return bool(self.cuts or self.names or self.codes or self.sides or self.intervals)

    def reading(self, base: ColumnReading | None) -> ColumnReading | None:
        """Return what is known about its cells, given what is known about those of all columns."""
        own = base or ColumnReading()
        marks = self.decimal is not None or self.thousands is not None
        decimal = "," if self.thousands == "." and self.decimal is None else self.decimal
        found = replace(
            own,
            missing=tuple(dict.fromkeys((*own.missing, *self.missing))),
            numbers=own.numbers or marks,
            decimal=decimal or own.decimal,
            thousands=own.thousands if self.thousands is None else self.thousands,
            codes=self.codes,
            dates=self.dates or "",
        )
        return None if found == ColumnReading() else found

    def to_dict(self) -> dict[str, Any]:
        """Return what was said, as plain data."""
        said = {field.name: getattr(self, field.name) for field in fields(self)}
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in said.items()
            if value not in (None, (), False)
        }


Said = str | Mapping[str, Any] | ColumnSettings
"""What a user may give for a column: its kind, settings by name, or settings."""


def settings_of(columns: Mapping[str, Said] | None) -> dict[str, ColumnSettings]:
    """Check what the user says about columns.

    >>> settings_of({"zip": "category", "age": {"cuts": [18, 65]}})["age"].cuts
    (18.0, 65.0)
    """
    return {name: _checked(name, said) for name, said in (columns or {}).items()}


def _checked(name: str, said: Said) -> ColumnSettings:
    if isinstance(said, ColumnSettings):
        said = said.to_dict()
    if isinstance(said, str):
        said = {"kind": said}
    if not isinstance(said, Mapping):
        raise InputError(f"column {name!r}: give a kind, such as 'category', or settings, not {shown(said)}")
    known = [field.name for field in fields(ColumnSettings)]
    odd = [key for key in said if key not in known]
    if odd:
        raise InputError(
            f"column {name!r} has no setting {shown(odd[0])}; the settings are: {', '.join(known)}"
        )
    found = ColumnSettings(**{key: _value(name, key, value) for key, value in said.items()})
    _check_together(name, found)
    return found


def _value(name: str, key: str, value: Any) -> Any:
    if key == "kind" and value not in (*KINDS, None):
        raise InputError(f"column {name!r} cannot be {value!r}; choose one of: {', '.join(KINDS)}")
    several = isinstance(value, Sequence) and not isinstance(value, str)
    if key == "cuts" and any(isinstance(one, str | dt.date) for one in (value if several else [value])):
        return _dates(name, value if several else [value])
    if key in {"cuts", "codes"}:
        return _numbers(name, key, value)
    if key in {"names", "missing", "parts"}:
        texts = [value] if isinstance(value, str) else value
        if not isinstance(texts, Sequence) or not all(isinstance(one, str) for one in texts):
            raise InputError(f"column {name!r}: {key} must be texts, not {shown(value)}")
        odd = [one for one in texts if key == "parts" and one not in PARTS]
        if odd:
            raise InputError(
                f"column {name!r}: parts cannot be {shown(odd[0])}; choose from: {', '.join(PARTS)}"
            )
        return tuple(texts)
    choices = {"sides": SIDES, "decimal": (".", ","), "thousands": THOUSANDS, "dates": ORDERS}
    if key in choices and value is not None and value not in choices[key]:
        listed = ", ".join(map(repr, choices[key]))
        raise InputError(f"column {name!r}: {key} cannot be {shown(value)}; choose one of: {listed}")
    if key == "intervals" and not isinstance(value, bool):
        raise InputError(f"column {name!r}: intervals must be true or false, not {shown(value)}")
    return str(value) if key in {*WAYS, "since"} and value is not None else value


def _numbers(name: str, key: str, value: Any) -> tuple[float, ...]:
    given = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
    for one in given:
        if isinstance(one, bool) or not isinstance(one, int | float) or not math.isfinite(one):
            raise InputError(f"column {name!r}: {key} must be numbers, not {shown(one)}")
    found = tuple(sorted({float(one) for one in given}))
    return found if key == "cuts" else tuple(dict.fromkeys(float(one) for one in given))


def _dates(name: str, given: Sequence[Any]) -> tuple[str, ...]:
    texts = [str(one).strip() for one in given]
    for text in texts:
        if number_of_date(text, "second") is None:
            raise InputError(
                f"column {name!r}: cuts must be numbers, or dates such as 2024-05-31, not {shown(text)}"
            )
    return tuple(sorted(set(texts), key=lambda text: number_of_date(text, "second") or 0.0))


def _check_together(name: str, said: ColumnSettings) -> None:
    if said.names and len(said.names) != len(said.cuts) + 1:
        raise InputError(
            f"column {name!r}: {len(said.cuts)} cuts make {len(said.cuts) + 1} bins, but there are "
            f"{len(said.names)} names"
        )
    if len(set(said.names)) < len(said.names):
        raise InputError(f"column {name!r}: two bins have one name")
    if said.kind in {"category", "binary"} and (said.shapes_conditions or said.decimal or said.thousands):
        first = next(key for key in said.to_dict() if key not in {"kind", "missing"})
        raise InputError(f"column {name!r}: {first} is for numbers, and the column is said to be {said.kind}")
    if said.names and (said.sides or said.intervals):
        other = "sides" if said.sides else "intervals"
        raise InputError(f"column {name!r}: named bins and {other} exclude each other; leave one out")
    if said.increasing is not None and said.increasing == said.decreasing:
        raise InputError(f"column {name!r}: increasing and decreasing name one class; leave one out")
    if said.decimal is not None and said.decimal == said.thousands:
        raise InputError(f"column {name!r}: decimal and thousands are one mark; choose two")


def monotone_of(settings: Mapping[str, ColumnSettings]) -> dict[str, dict[str, str]]:
    """Return the directions of columns as `laconic.Constraints` takes them."""
    found: dict[str, dict[str, str]] = {}
    for name, said in settings.items():
        for way in WAYS:
            label = getattr(said, way)
            if label is not None:
                found.setdefault(name, {})[label] = way
    return found


_NAMES = [field.name for field in fields(ColumnSettings)]
_PAIR = re.compile(rf"(.+?):({'|'.join(_NAMES)})(?:=(.*))?", re.DOTALL)


def settings_of_words(words: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Read settings from ``column:setting=value``, lists separated by commas.

    >>> settings_of_words(["age:cuts=18,65", "age:intervals", "price:codes=-9999"])
    {'age': {'cuts': [18.0, 65.0], 'intervals': True}, 'price': {'codes': [-9999.0]}}
    """
    found: dict[str, dict[str, Any]] = {}
    for word in words:
        match = _PAIR.fullmatch(word)
        if match is None:
            names = ", ".join(field.name for field in fields(ColumnSettings))
            raise InputError(
                f"--column {word!r} should read column:setting=value, such as age:cuts=18,65; "
                f"the settings are: {names}"
            )
        name, key, text = match.groups()
        found.setdefault(name, {})[key] = _of_word(name, key, text)
    return found


def _of_word(name: str, key: str, text: str | None) -> Any:
    if key == "intervals":
        if text not in {None, "true", "false"}:
            raise InputError(f"--column {name}:intervals must be true or false, not {text!r}")
        return text != "false"
    if text is None:
        raise InputError(f"--column {name}:{key} needs a value, such as {name}:{key}=…")
    if key in {"cuts", "codes"}:
        parts = [one.strip() for one in text.split(",")]
        if key == "cuts" and all(number_of_date(one, "second") is not None for one in parts):
            return parts
        try:
            return [float(one) for one in parts]
        except ValueError:
            raise InputError(f"--column {name}:{key}: {text!r} must be numbers with commas between") from None
    return text.split(",") if key in {"names", "missing", "parts"} else text
