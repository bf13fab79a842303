"""Cells in SQL, read as `laconic.data.reading` reads them in memory.

A database may hold a column as the file had it, as text, or as the numbers that it stands for. DuckDB and
SQLite know the type of a cell, and numbers stay as they are; for other databases such a column is text.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from laconic.data.dates import date_text
from laconic.data.reading.column_reading import ColumnReading
from laconic.data.reading.derived import WEEKDAYS, Derived
from laconic.data.reading.number_texts import number_of


@dataclass(frozen=True, slots=True)
class SqlDialect:
    """How a database quotes names, whether its numbers can be NaN, and how it reads texts.

    Attributes
    ----------
    name_quote : str
    has_nan : bool
    trim : str
        Removes the blanks around ``{x}``.
    if_text : str
        ``{read}`` where ``{x}`` is a text, and else the number ``{x}``.
    number : str
        The number that the text ``{x}`` is.
    date : str
        The date ``{x}``, of the type ``DATE`` or ``TIMESTAMP``.
    date_constant : str
        A date as a constant of such a type.
    part, weekday, days : str
        A part of the date ``{x}``, the number of its weekday from 1 for Monday, the days since ``{since}``.
    """

    name_quote: str
    has_nan: bool
    trim: str = "TRIM({x})"
    if_text: str = "{read}"
    number: str = "CAST({x} AS DOUBLE PRECISION)"
    date: str = "CAST({x} AS {type})"
    date_constant: str = "{type} '{text}'"
    part: str = "EXTRACT({part} FROM {x})"
    weekday: str = "EXTRACT(ISODOW FROM {x})"
    days: str = "CAST({x} AS DATE) - CAST({since} AS DATE)"


DIALECTS = {
    "standard": SqlDialect('"', has_nan=False),
    "duckdb": SqlDialect(
        '"',
        has_nan=True,
        trim="trim({x}::VARCHAR, ' ' || chr(9) || chr(160))",
        if_text="CASE WHEN typeof({x}) = 'VARCHAR' THEN {read} ELSE TRY_CAST({x} AS DOUBLE) END",
        number="TRY_CAST({x} AS DOUBLE)",
        date="CAST({x} AS {type})",
        days="date_diff('day', CAST({since} AS DATE), CAST({x} AS DATE))",
    ),
    "sqlite": SqlDialect(
        "`",
        has_nan=False,
        trim="trim({x}, ' ' || char(9) || char(160))",
        if_text="CASE typeof({x}) WHEN 'text' THEN {read} ELSE {x} END",
        number="CAST({x} AS REAL)",
        date="strftime('{format}', {x})",
        date_constant="'{text}'",
        part="CAST(strftime('{code}', {x}) AS INTEGER)",
        weekday="(CAST(strftime('%w', {x}) AS INTEGER) + 6) % 7 + 1",
        days="CAST(julianday(date({x})) - julianday(date({since})) AS INTEGER)",
    ),
}


def read_cell(name: str, reading: ColumnReading | None, dialect: SqlDialect) -> str:
    """Return the value of a cell in SQL, NULL where it means "no value".

    Parameters
    ----------
    name : str
        The column, quoted.
    reading : ColumnReading or None
    dialect : SqlDialect
    """
    if reading is None:
        return name
    if reading.dates:
        return _read_date(name, reading, dialect)
    if not reading.numbers:
        return _without(dialect.trim.format(x=name) if reading.strip else name, reading.missing)
    numbers = [number for number in map(number_of, reading.missing) if number is not None]
    if reading.decimal == "." and not reading.thousands and len(numbers) == len(reading.missing):
        return _without_numbers(name, numbers)
    text = _without(dialect.trim.format(x=name), reading.missing)
    for old, new in ((reading.thousands, ""), (reading.decimal, ".")):
        if old not in {"", new}:
            text = f"REPLACE({text}, {quoted(old)}, {quoted(new)})"
    read = dialect.if_text.format(x=name, read=dialect.number.format(x=text))
    return _without_numbers(read, numbers)


def computed_cell(derived: Derived, dates: Sequence[str], dialect: SqlDialect) -> str:
    """Return what is computed from dates; ``dates`` are the cells of its columns, from `read_cell`."""
    if derived.part == "days":
        return f"({dialect.days.format(x=dates[0], since=dates[1])})"
    if derived.part == "weekday":
        if dialect is DIALECTS["duckdb"]:
            return f"dayname({dates[0]})"
        names = " ".join(f"WHEN {k + 1} THEN {quoted(name)}" for k, name in enumerate(WEEKDAYS))
        return f"CASE {dialect.weekday.format(x=dates[0])} {names} END"
    code = {"year": "%Y", "month": "%m", "hour": "%H"}[derived.part]
    return dialect.part.format(part=derived.part.upper(), code=code, x=dates[0])


def date_constant(value: float, unit: str, dialect: SqlDialect) -> str:
    """Return a date as a constant that a cell from `read_cell` can be compared with."""
    text = date_text(value, "day") if unit == "day" else date_text(value, "second")
    if unit == "second":
        moment = dt.datetime.fromisoformat(text)
        text = moment.isoformat(" ", "milliseconds" if dialect is DIALECTS["sqlite"] else "auto")
    return dialect.date_constant.format(type="DATE" if unit == "day" else "TIMESTAMP", text=text)


def _read_date(name: str, reading: ColumnReading, dialect: SqlDialect) -> str:
    """Return a date: DuckDB reads texts as the model does, SQLite ISO texts, others hold dates as such."""
    kind = "DATE" if reading.unit == "day" else "TIMESTAMP"
    value = name
    if dialect is DIALECTS["duckdb"]:
        text = _without(dialect.trim.format(x=name), reading.missing)
        value = f"TRY_CAST({text} AS TIMESTAMP)"
        if reading.dates != "ymd":
            value = f"COALESCE({_local_date(text, reading)}, {value})"
    elif reading.missing:
        value = _without(dialect.trim.format(x=name), reading.missing)
    time = "" if kind == "DATE" else " %H:%M:%f"
    return dialect.date.format(x=value, type=kind, format=f"%Y-%m-%d{time}")


def _local_date(text: str, reading: ColumnReading) -> str:
    """Return a date that DuckDB reads from a text of local form, NULL if it is of another."""
    date = "%d.%m.%Y" if reading.dates == "dmy" else "%m.%d.%Y"
    same = f"translate({text}, '/-', '..')"
    if reading.unit == "day":
        return f"try_strptime(split_part({same}, ' ', 1), '{date}')"
    formats = [f"{date}{time}" for time in ("", " %H:%M", " %H:%M:%S", " %H:%M:%S.%f")]
    return f"try_strptime({same}, [{', '.join(map(quoted, formats))}])"


def quoted(text: str) -> str:
    """Return a text as a constant."""
    return "'" + text.replace("'", "''") + "'"


def number_constant(value: float) -> str:
    """Return a double as a constant: ``0.1`` alone would be a decimal."""
    text = repr(float(value))
    return text if "e" in text else f"{text}e0"


def _without(text: str, missing: tuple[str, ...]) -> str:
    words = list(dict.fromkeys(missing))
    if not words:
        return text
    if len(words) == 1:
        return f"NULLIF({text}, {quoted(words[0])})"
    return f"CASE WHEN {text} IN ({', '.join(map(quoted, words))}) THEN NULL ELSE {text} END"


def _without_numbers(value: str, numbers: list[int | float]) -> str:
    for number in numbers:
        value = f"NULLIF({value}, {number_constant(number)})"
    return value
