"""A decision set as Python source: one function that needs nothing but Python.

The rules are sorted by their priority in conflicts, so the first rule that holds decides. Everything that
comes from the user (names, categories and classes) is written with ``repr``, so it is data in the program and
never code. The comparisons are those of `laconic.data.cells`, reimplemented in a few lines without pandas.
"""

from __future__ import annotations

from typing import Any

from laconic.data.literals import Among, Equals, Literal, Missing, Threshold
from laconic.data.reading.column_reading import ColumnReading
from laconic.data.reading.number_texts import number_of
from laconic.export.python_dates import DATE_CODE
from laconic.model.decision_set import DecisionSet
from laconic.model.predict import best_first

_HEAD = '''"""A decision set, written by laconic. It needs nothing but Python."""


def predict(row):
    """Return the class of one row.

    ``row`` maps column names to values. None and NaN are missing values. Columns used: see COLUMNS.
    """
'''

_TAIL = '''

def _cell(row, column):
    """Return a value, None if it is missing."""
    if column in DERIVED:
        return _derived(row, **DERIVED[column])
    value = row[column]
    if hasattr(value, "item"):
        value = value.item()
    missing = value is None or type(value).__name__ in ("NAType", "NaTType") or value != value
    return None if missing else _read(value, READINGS.get(column))


def _read(value, reading):
    """Return a value as the model reads it: without blanks, as a number, None where it means "no value"."""
    if reading is None or isinstance(value, bool):
        return value
    if reading["dates"]:
        return _date(value, reading)
    if not isinstance(value, str):
        return None if value in reading["missing_numbers"] else value
    text = value.strip(" \t\xa0") if reading["strip"] else value
    if text in reading["missing"]:
        return None
    if not reading["numbers"]:
        return text
    number = float(text.replace(reading["thousands"], "").replace(reading["decimal"], "."))
    return None if number in reading["missing_numbers"] else number


def _number(row, column):
    """Return a number, NaN if it is missing: no comparison with NaN holds."""
    value = _cell(row, column)
    if value is None:
        return float("nan")
    number = float(value)
    return float("nan") if number in READINGS.get(column, {}).get("codes", ()) else number


def _is(row, column, value):
    cell = _cell(row, column)
    return cell is not None and _same(cell, value)


def _is_not(row, column, value):
    cell = _cell(row, column)
    return cell is not None and not _same(cell, value)


def _is_among(row, column, values):
    cell = _cell(row, column)
    return cell is not None and any(_same(cell, value) for value in values)


def _is_not_among(row, column, values):
    cell = _cell(row, column)
    return cell is not None and not any(_same(cell, value) for value in values)


def _is_missing(row, column):
    return _cell(row, column) is None


def _same(cell, value):
    """Whether two values are equal, however they were read: 1, 1.0 and "1" are, and True and "true"."""
    if _text(cell) == _text(value):
        return True
    if isinstance(value, bool):
        if isinstance(cell, str):
            return cell.strip().lower() == str(value).lower()
        return not isinstance(cell, bool) and cell == int(value)
    if isinstance(value, str):
        return isinstance(cell, bool) and value.lower() == str(cell).lower()
    try:
        return float(cell) == float(value)
    except (TypeError, ValueError):
        return False


def _text(value):
    if isinstance(value, float) and value == value // 1 and abs(value) < 1e15:
        return str(int(value))
    return str(value)
'''


def to_python(model: DecisionSet) -> str:
    """Export a decision set as the source of a Python module with a function ``predict(row)``.

    Parameters
    ----------
    model : DecisionSet

    Returns
    -------
    str
        The source of the module. ``predict`` takes a mapping from column names to values and returns the
        class. It runs on any Python 3 and imports nothing. It sees one row at a time, so it cannot detect a
        column that mixes truth values with numbers, which the model's own `predict` compares as texts.
    """
    lines = []
    for k in best_first(model.rules):
        rule = model.rules[k]
        conditions = " and ".join(map(_condition, rule.literals)) or "True"
        lines.append(f"    if {conditions}:  # rule {k + 1}\n        return {rule.label!r}\n")
    lines.append(f"    return {model.fallback_class!r}\n")
    readings = {column.name: _reading(column.reading) for column in model.columns if column.reading}
    dates = DATE_CODE if any(one.reading is not None and one.reading.dates for one in model.columns) else ""
    used = {name: one for name, one in readings.items() if name in model.needed_columns}
    columns = f"\n\nCOLUMNS = {list(model.needed_columns)!r}\nCLASSES = {list(model.classes)!r}\n"
    computed = {one.name: one.derived.to_document() for one in model.columns if one.derived is not None}
    derived = {name: one for name, one in computed.items() if name in model.used_columns}
    columns += f"READINGS = {used!r}\nDERIVED = {derived!r}\n"
    return _HEAD + "".join(lines) + columns + _TAIL + dates


def _condition(literal: Literal) -> str:
    cell = f"row, {literal.column!r}"
    if isinstance(literal, Missing):
        return f"_is_missing({cell})" if literal.missing else f"not _is_missing({cell})"
    if isinstance(literal, Equals):
        return f"{'_is' if literal.op == '=' else '_is_not'}({cell}, {literal.value!r})"
    if isinstance(literal, Among):
        return f"{'_is_among' if literal.inside else '_is_not_among'}({cell}, {literal.values!r})"
    if isinstance(literal, Threshold):
        return f"_number({cell}) {literal.op} {_number(literal.value)}"
    low, high = _number(literal.low), _number(literal.high)
    if literal.inside:
        return f"{low} < _number({cell}) <= {high}"
    return f"(_number({cell}) <= {low} or _number({cell}) > {high})"


def _reading(reading: ColumnReading) -> dict[str, Any]:
    """Return how a column is read, as plain data."""
    numbers = tuple(number for number in map(number_of, reading.missing) if number is not None)
    return {
        "strip": reading.strip or reading.numbers,
        "missing": reading.missing,
        "missing_numbers": numbers,
        "numbers": reading.numbers,
        "decimal": reading.decimal,
        "thousands": reading.thousands,
        "codes": reading.codes,
        "dates": reading.dates,
        "unit": reading.unit,
    }


def _number(value: float) -> str:
    """Return the source of a double; ``inf`` alone would be a name."""
    return repr(value) if abs(value) < float("inf") else f"float({str(value)!r})"
