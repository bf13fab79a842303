"""Finding the literals that a user's words mean: a column, a condition, a rule, a label."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from laconic.data.cells import text_of
from laconic.data.dates import number_of_date
from laconic.data.labels import Label, label_text
from laconic.data.literals import Among, Equals, Feature, Interval, Literal, Missing, Threshold, column_text
from laconic.problem.coded import CodedRule
from laconic.runtime.errors import InputError

_OPERATOR = re.compile(r"<=|>|==|!=|=")


class Vocabulary:
    """The columns, conditions and labels of one table, by their words.

    Parameters
    ----------
    features : sequence of Feature
    columns : sequence of str
        Names of all columns, those without features included.
    labels : sequence
    """

    def __init__(self, features: Sequence[Feature], columns: Sequence[str], labels: Sequence[Label]) -> None:
        self._columns = {name: k for k, name in enumerate(columns)}
        # Rules put some labels in quotes, which users may leave out.
        self._labels = {label_text(label): k for k, label in enumerate(labels)}
        self._labels |= {str(label): k for k, label in enumerate(labels)}
        self.literals: dict[int, Literal] = {}
        self._by_text: dict[str, int] = {}
        for f, feature in enumerate(features):
            for code, literal in ((2 * f, feature.negative), (2 * f + 1, feature.positive)):
                if literal is not None:
                    self.literals[code] = literal
                    self._by_text.setdefault(literal.text, code)
        for code, literal in self.literals.items():
            # Rules put some categories and some names in quotes, which users may leave out.
            if isinstance(literal, Equals):
                said = f"{literal.column} {operator_of(literal)} {text_of(literal.value)}"
                self._by_text.setdefault(said, code)
            said = literal.text.replace(column_text(literal.column), literal.column, 1)
            self._by_text.setdefault(said, code)
        self._most_ands = max((text.count("AND") for text in self._by_text), default=0)

    def column(self, name: str, where: str) -> int:
        """Return the number of a column."""
        if name not in self._columns:
            raise InputError(
                f"{where} names {name!r}, which the table lacks; its columns are: {_some(self._columns)}"
            )
        return self._columns[name]

    def label(self, text: str, where: str) -> int:
        """Return the number of a class."""
        if text not in self._labels:
            raise InputError(
                f"{where} names {text!r}, which is not a label; the labels are: {_some(self._labels)}"
            )
        return self._labels[text]

    def of_column(self, name: str) -> frozenset[int]:
        """Return all literals on a column."""
        return frozenset(code for code, literal in self.literals.items() if literal.column == name)

    def condition(self, text: str, where: str) -> int:
        """Return the literal that a condition means."""
        code = self._find(text.strip())
        if code is not None:
            return code
        about = [
            name for name in self._columns if text.strip().startswith(name) or f" {name} " in f" {text} "
        ]
        offered = [self.literals[c].text for name in about for c in sorted(self.of_column(name))]
        if not offered:
            raise InputError(
                f"{where}: {text.strip()!r} is neither a column nor a condition on one; "
                f"the columns are: {_some(self._columns)}"
            )
        raise InputError(
            f"{where}: {text.strip()!r} is not one of the conditions on offer: {_some(offered, 12)}"
        )

    def column_or_condition(self, text: str, where: str) -> frozenset[int]:
        """Return the literals of a column, or the one of a condition."""
        if text in self._columns:
            return self.of_column(text)
        return frozenset([self.condition(text, where)])

    def rule(self, text: str, where: str) -> CodedRule:
        """Return the rule that ``IF … AND … THEN …`` means."""
        parts = _parts_of_rule(text)
        if parts is None:
            raise InputError(f"{where}: {text!r} should read IF condition AND condition THEN label")
        target = self.label(parts[1], f"{where}: {text!r}")
        body = self._conjunction(parts[0], f"{where}: {text!r}")
        if len({code >> 1 for code in body}) < len(body):
            raise InputError(f"{where}: {text!r} asks for a condition and its opposite, or twice for one")
        return CodedRule.of(target, body)

    def _conjunction(self, text: str, where: str) -> list[int]:
        if text.strip() == "true":
            return []
        parts = text.split(" AND ")
        body, k = [], 0
        while k < len(parts):
            # A name or a category may hold the word AND: the longest text that is a condition wins.
            for end in range(min(len(parts), k + 1 + self._most_ands), k, -1):
                codes = self._interval(" AND ".join(parts[k:end]).strip())
                if codes:
                    body += codes
                    k = end
                    break
            else:
                self.condition(parts[k], where)
        return body

    def _interval(self, text: str) -> list[int]:
        """Return the literals of a condition; ``54 < age <= 64`` may be two."""
        code = self._find(text)
        if code is not None:
            return [code]
        found = re.match(r"(?s)^(\S+) < (.+) <= (\S+)$", text)
        ends = (
            [self._find(f"{found[2]} > {found[1]}"), self._find(f"{found[2]} <= {found[3]}")] if found else []
        )
        return [end for end in ends if end is not None] if None not in ends else []

    def _find(self, text: str) -> int | None:
        if text in self._by_text:
            return self._by_text[text]
        for column in sorted(filter(text.startswith, self._columns), key=len):  # a name may hold an operator
            rest = text[len(column) :].lstrip()
            operator = _OPERATOR.match(rest)
            if operator is None:
                continue
            value = rest[operator.end() :].lstrip()
            for code, literal in self.literals.items():
                if literal.column == column and _means(literal, operator[0], value):
                    return code
        return None


def _parts_of_rule(text: str) -> tuple[str, str] | None:
    """Return conditions and label of ``IF … THEN …``, split at the last THEN, or None.

    No regular expression: with blanks of any number between the words it would take quadratic time.
    """
    text = text.strip()
    if not (text.startswith("IF") and text[2:3].isspace()):
        return None
    text = text[2:].lstrip()
    place = text.rfind("THEN")
    while place > 0 and not (text[place - 1].isspace() and text[place + 4 : place + 5].isspace()):
        place = text.rfind("THEN", 0, place)
    return (text[:place].rstrip(), text[place + 4 :].lstrip()) if place > 0 else None


def operator_of(literal: Literal) -> str:
    """Return the kind of condition, as `laconic.problem.constraints.constraints.OPERATORS` names it.

    >>> operator_of(Threshold("age", ">", 54.0)), operator_of(Equals("colour", "!=", "red"))
    ('>', 'is not')
    """
    match literal:
        case Threshold():
            return literal.op
        case Equals():
            return "is" if literal.op == "=" else "is not"
        case Among():
            return "in" if literal.inside else "not in"
        case Missing():
            return "is missing" if literal.missing else "is present"
    slope = direction(literal)
    if slope:
        return ">" if slope > 0 else "<="
    return "within" if literal.inside else "outside"


def direction(literal: Literal) -> int:
    """Return 1 if higher numbers keep satisfying the condition, -1 if lower ones do, 0 if neither."""
    match literal:
        case Threshold():
            return 1 if literal.op == ">" else -1
        case Interval() if math.isinf(literal.high):
            return 1 if literal.inside else -1
        case Interval() if math.isinf(literal.low):
            return -1 if literal.inside else 1
    return 0


def _means(literal: Literal, op: str, value: str) -> bool:
    if isinstance(literal, Threshold | Interval):
        number = number_of_date(value, literal.unit) if literal.unit else _float_of(value)
        if number is None:
            return False
        if isinstance(literal, Threshold):
            return literal.op == op and literal.value == number
        ends = {literal.low, literal.high} - {-math.inf, math.inf}
        return bool(direction(literal)) and operator_of(literal) == op and ends == {number}
    if isinstance(literal, Equals):
        return literal.op == {"==": "=", "=": "=", "!=": "!="}.get(op) and str(literal.value) == value
    return False


def _float_of(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _some(names: Sequence[str] | dict[str, int], most: int = 10) -> str:
    shown = list(names)
    return ", ".join(shown[:most]) + (", …" if len(shown) > most else "")
