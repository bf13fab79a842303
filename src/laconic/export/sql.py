"""A decision set as SQL: one CASE expression with the answers of ``predict``.

The first branch that holds decides, so the rules are sorted by their priority in conflicts: highest Laplace
precision first. A missing value is NULL, and no comparison with NULL holds, which is also the meaning of a
missing value in a rule. Three traps are avoided:

- DuckDB's doubles may be NaN, which DuckDB sorts above all numbers: where NaN would satisfy a test, it is
  excluded.
- A literal such as ``0.1`` is a decimal, which is rounded to 32 bits when compared with a FLOAT column;
  ``0.1e0`` is a double in every dialect.
- SQLite treats an unknown name in double quotes as a text. In backticks it is an error.

Cells that the model reads in some way of its own are read in the same way (`laconic.export.sql_cells`).
Names and texts are quoted, with quotes doubled; these dialects have no other escape.
"""

from __future__ import annotations

from collections import Counter

from laconic.data.cells import Scalar
from laconic.data.literals import Among, Equals, Interval, Literal, Missing, Threshold
from laconic.export.names import holds_numbers, refuse_unwritable, texts_of
from laconic.export.sql_cells import (
    DIALECTS,
    SqlDialect,
    computed_cell,
    date_constant,
    number_constant,
    quoted,
    read_cell,
)
from laconic.model.decision_set import DecisionSet
from laconic.model.predict import best_first
from laconic.runtime.errors import InputError


def to_sql(
    model: DecisionSet, *, dialect: str = "standard", table: str | None = None, column: str = "prediction"
) -> str:
    """Export a decision set as SQL.

    Parameters
    ----------
    model : DecisionSet
    dialect : {"standard", "duckdb", "sqlite"}
        ``standard`` suits any database with double-quoted names in which missing numbers are NULL, not NaN.
    table : str, optional
        A table; the result is then a query that adds the prediction to the columns of this table. By default
        the result is the expression alone.
    column : str
        Name of the prediction in that query.

    Returns
    -------
    str
        The SQL text. It expects numeric columns to be numbers, truth values to be booleans (1 and 0 in
        SQLite), and missing values to be NULL. Texts that the model reads as numbers or as "no value" may be
        as they were in the file; DuckDB and SQLite may hold the numbers instead. Dates are dates or
        timestamps, in SQLite texts of ISO 8601; DuckDB also reads texts as the model does.
    """
    if dialect not in DIALECTS:
        raise InputError(f"unknown SQL dialect {dialect!r}; choose one of: {', '.join(DIALECTS)}")
    refuse_unwritable([*texts_of(model), column, *([] if table is None else [table])], "SQL")
    _refuse_names_that_differ_in_case(model)
    writer = _Writer(model, DIALECTS[dialect])
    if table is None:
        return writer.expression() + "\n"
    expression = writer.expression(margin="  ")
    return f"SELECT\n  *,\n  {expression} AS {writer.name(column)}\nFROM {writer.name(table)};\n"


class _Writer:
    def __init__(self, model: DecisionSet, dialect: SqlDialect) -> None:
        self._model = model
        self._dialect = dialect
        self._readings = {column.name: column.reading for column in model.columns}
        self._derived = {
            column.name: column.derived for column in model.columns if column.derived is not None
        }
        dates = {name for name, reading in self._readings.items() if reading is not None and reading.dates}
        dates |= self._derived.keys()
        self._numbers = {
            name: name not in dates and holds_numbers(model, name) for name in model.used_columns
        }

    def expression(self, margin: str = "") -> str:
        rules = self._model.rules
        if not rules:
            return _value(self._model.fallback_class)
        branches = [
            f"WHEN {' AND '.join(map(self.condition, rules[k].literals)) or '1 = 1'}"
            f" THEN {_value(rules[k].label)}"
            for k in best_first(rules)
        ]
        # Lines are indented here and nowhere else, because a text may contain line breaks.
        lines = ["CASE", *branches, f"ELSE {_value(self._model.fallback_class)}"]
        return f"\n{margin}  ".join(lines) + f"\n{margin}END"

    def condition(self, literal: Literal) -> str:
        reading = self._readings[literal.column]
        name = self._cell(literal.column)
        test = self._test(name, literal)
        if reading is None or not reading.codes or not isinstance(literal, Threshold | Interval):
            return test
        return f"{test} AND {name} NOT IN ({', '.join(map(number_constant, reading.codes))})"

    def _cell(self, column: str) -> str:
        """Return the value of a column, of the table or computed."""
        derived = self._derived.get(column)
        if derived is None:
            return read_cell(self.name(column), self._readings[column], self._dialect)
        hour = derived.part == "hour" and self._readings[derived.column]
        if hour and hour.unit == "day":
            return f"CASE WHEN {self._cell(derived.column)} IS NULL THEN NULL ELSE 0 END"
        return computed_cell(derived, [self._cell(one) for one in derived.columns], self._dialect)

    def _test(self, name: str, literal: Literal) -> str:
        if isinstance(literal, Missing):
            return self._missing(name, literal)
        if isinstance(literal, Equals):
            test = f"{name} {'=' if literal.op == '=' else '<>'} {_compared(literal.value)}"
            return self._without_nan(name, literal, test, passes=literal.op == "!=")
        if isinstance(literal, Among):
            members = ", ".join(_compared(value) for value in literal.values)
            test = f"{name} {'IN' if literal.inside else 'NOT IN'} ({members})"
            return self._without_nan(name, literal, test, passes=not literal.inside)
        if isinstance(literal, Threshold):
            test = f"{name} {literal.op} {self._limit(literal.value, literal.unit)}"
            return self._without_nan(name, literal, test, passes=literal.op == ">")
        return self._interval(name, literal)

    def name(self, text: str) -> str:
        quote = self._dialect.name_quote
        return quote + text.replace(quote, quote + quote) + quote

    def _interval(self, name: str, literal: Interval) -> str:
        ends = (literal.low, literal.high)
        low, high = (self._limit(end, literal.unit) if abs(end) < _INFINITY else "" for end in ends)
        above, below = f"{name} > {low}", f"{name} <= {high}"
        if literal.inside:
            tests = [above] * (literal.low > -_INFINITY) + [below] * (literal.high < _INFINITY)
            test = " AND ".join(tests) or f"{name} IS NOT NULL"
            return self._without_nan(name, literal, test, passes=literal.high == _INFINITY)
        tests = [f"{name} <= {low}"] * (literal.low > -_INFINITY)
        tests += [f"{name} > {high}"] * (literal.high < _INFINITY)
        test = f"({' OR '.join(tests)})" if tests else "1 = 0"
        return self._without_nan(name, literal, test, passes=literal.high < _INFINITY)

    def _limit(self, value: float, unit: str) -> str:
        """Return the number or the date that cells are compared with."""
        return date_constant(value, unit, self._dialect) if unit else _compared(value)

    def _missing(self, name: str, literal: Missing) -> str:
        can_be_nan = self._dialect.has_nan and self._numbers[literal.column]
        if literal.missing:
            return f"({name} IS NULL OR isnan({name}::DOUBLE))" if can_be_nan else f"{name} IS NULL"
        return f"NOT isnan({name}::DOUBLE)" if can_be_nan else f"{name} IS NOT NULL"

    def _without_nan(self, name: str, literal: Literal, test: str, *, passes: bool) -> str:
        """Exclude NaN from a test that NaN would satisfy."""
        if passes and self._dialect.has_nan and self._numbers[literal.column]:
            return f"{test} AND NOT isnan({name}::DOUBLE)"
        return test


_INFINITY = float("inf")


def _compared(value: Scalar) -> str:
    """Return a constant to compare a cell with; numbers are doubles, as in `predict`."""
    if isinstance(value, str | bool):
        return _value(value)
    return number_constant(value)


def _value(value: Scalar) -> str:
    """Return a constant."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return str(value) if isinstance(value, int) else _compared(value)


def _refuse_names_that_differ_in_case(model: DecisionSet) -> None:
    folded = Counter(name.casefold() for name in model.needed_columns)
    alike = [name for name in model.needed_columns if folded[name.casefold()] > 1]
    if alike:
        raise InputError(
            f"columns {' and '.join(map(repr, alike[:2]))} differ only in case, "
            f"which SQL does not tell apart; rename one"
        )
