"""The text that the verified checker reads: a certificate and its raw data, as ``proof/FORMAT.md`` says.

The verified checker evaluates the conditions itself, so cells are written such that `holds` of
``proof/Statement.v`` agrees with the condition in Laconic. Laconic reads a cell in one of four ways,
depending on the condition; each way in which a column is read is a column of the text:

- as a number, written exactly: thresholds, intervals, and equality in a column of numbers;
- as a text: equality with a category;
- as a number where its text is one, and else as that text: equality of a column of texts with a number;
- as true (1), false (0) or else its text: equality of a column of texts with a truth value.

This module is not proved, but it does not use the answer either: the resulting bound is one of the text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from laconic.checking import checker
from laconic.checking.certify.certificate import class_by_class
from laconic.checking.recheck import certified_table
from laconic.data.cells import (
    Cells,
    exact_number,
    is_beyond_doubles,
    number_to_match,
    same_value,
    text_of,
)
from laconic.data.column import view
from laconic.data.literals import Among, Equals, Interval, Literal, Missing, Threshold, named_values
from laconic.data.reading.column_reading import CodedCells
from laconic.data.table import Table
from laconic.data.targets import checked_labels
from laconic.data.weights import integer_weights
from laconic.model.decision_set import DecisionSet
from laconic.runtime.errors import InputError

INFINITE = 2**1024
"""The number that is written for an infinite one: it is beyond every double."""
NOT_COVERED = ("constraints", "size_budget", "max_errors")
"""Entries of certificates, besides compiled constraints, that the format cannot express."""


_DIGITS = re.compile(r"-?\d{1,400}")


class Reading(Enum):
    """How the cells of a column are read."""

    NUMBER = "number"
    TEXT = "text"
    NUMBER_IN_TEXT = "number in text"
    TRUTH = "truth"


def canonical_text(content: dict[str, Any], table_text: str, table: Table) -> str:
    """Return the whole text: the table, by `raw_table_text` or `merged_table_text`, and the certificate.

    Parameters
    ----------
    content : dict
        Of the certificate.
    table_text : str
    table : Table
        The merged table, for the groups that the certificate's splitters make.

    Raises
    ------
    checker.Malformed, checker.Refuted
        The certificate is not written as one, or has no proof for a class.
    """
    return table_text + "".join(f"{line}\n" for line in _certificate_lines(content, table))


def text_for_program(
    content: dict[str, Any], words: DecisionSet, X: Any, y: Any, sample_weight: ArrayLike | None
) -> str:
    """Return the canonical text of a certificate and its data, to run the program alone."""
    table = certified_table(words, content.get("table_digest"), X, y, sample_weight)
    if isinstance(table, str):
        raise InputError(f"there is no canonical text: {table.replace('the model', 'the certificate')}")
    try:
        table_text = raw_table_text(words, X, y, sample_weight, table.scale)
        return canonical_text(class_by_class(content), table_text, table)
    except (checker.Malformed, checker.Refuted) as reason:
        raise InputError(f"there is no canonical text: {reason}; make the certificate again") from None


# The table


def raw_table_text(
    words: DecisionSet, X: Any, y: Any, sample_weight: ArrayLike | None, scale: Fraction | None = None
) -> str:
    """Write the rows with a positive weight, with the cells that the conditions use.

    Parameters
    ----------
    words : DecisionSet
        The columns, conditions and classes of the certificate.
    X, y, sample_weight
        The data, as for `laconic.verify_certificate`.
    scale : Fraction, optional
        Integers per unit of weight; a multiple of the scale that the weights need.
    """
    literals = [one for feature in words.features for one in (feature.positive, feature.negative) if one]
    rows = view(X, words.columns, [literal.column for literal in literals], named=words.named)
    number = {(isinstance(label, bool), label): k for k, label in enumerate(words.classes)}
    present = integer_weights(sample_weight, rows.n_rows)[0] > 0
    labels = checked_labels(y, rows.n_rows)[present].tolist()
    classes = np.array([number[isinstance(label, bool), label] for label in labels], np.int64)
    weights = None if sample_weight is None else np.asarray(sample_weight, dtype=float)[present]
    units, own = integer_weights(weights, int(present.sum()))
    factor = 1 if scale is None else int(scale / own)
    columns = _Columns(rows.cells)
    for literal in literals:
        columns.need(literal)
    features = [
        f"feature {columns.literal(f.positive)} {columns.literal(f.negative) if f.negative else 'none'}"
        for f in words.features
    ]
    return _table_text(
        len(words.classes),
        features,
        classes.tolist(),
        (factor * units).tolist(),
        columns.tokens(present),
    )


def merged_table_text(table: Table) -> str:
    """Write a binary table whose raw rows are unknown: each feature is a column of zeros and ones.

    Each row is written once for each class that it weighs in.
    """
    if not table.allowed[:, 1].all():
        raise InputError("the canonical text has no way to forbid the first literal of a feature")
    if not table.row_weights.all():
        raise InputError("a row of the table has weight 0, and the canonical text leaves out such rows")
    features = [
        f"feature eq {f} n1 {f'ne {f} n1' if also_false else 'none'}"
        for f, also_false in enumerate(table.allowed[:, 0].tolist())
    ]
    rows, classes = np.nonzero(table.weights)
    columns = [np.where(column[rows], "n1", "n0").tolist() for column in table.matrix.T]
    return _table_text(
        table.n_classes, features, classes.tolist(), table.weights[rows, classes].tolist(), columns
    )


def _table_text(
    n_classes: int,
    features: Sequence[str],
    classes: Sequence[int],
    weights: Sequence[int],
    columns: Sequence[Sequence[str]],
) -> str:
    head = [
        "laconic-canonical 2",
        f"classes {n_classes}",
        f"columns {len(columns)}",
        f"features {len(features)}",
        *features,
        f"rows {len(classes)}",
    ]
    rows = (" ".join(("row", *map(str, row))) for row in zip(classes, weights, *columns, strict=True))
    return "".join(f"{line}\n" for line in (*head, *rows))


@dataclass(frozen=True)
class _Columns:
    """The columns of the text: pairs of a column of the data and a way to read it, in order of first use."""

    cells: Mapping[str, Cells]
    place: dict[tuple[str, Reading], int] = field(default_factory=dict)

    def need(self, literal: Literal) -> None:
        """Ensure that the text has a column on which the literal can be evaluated."""
        if not isinstance(literal, Missing):
            self.place.setdefault((literal.column, self._reading(literal)), len(self.place))

    def _reading(self, literal: Literal) -> Reading:
        if isinstance(literal, Missing):  # every way of reading marks missing cells
            known = [reading for column, reading in self.place if column == literal.column]
            if known:
                return known[0]
            return Reading.NUMBER if self.cells[literal.column].is_numeric else Reading.TEXT
        if not isinstance(literal, Equals | Among) or self.cells[literal.column].is_numeric:
            return Reading.NUMBER
        wanted = {_reading_of(value) for value in named_values(literal)}
        if len(wanted) > 1:
            raise InputError(
                f"the verified checker knows no groups of texts, numbers and truth values together, such as "
                f"'{literal}'; leave --verified out, or learn with --max-members 1"
            )
        return wanted.pop()

    def literal(self, literal: Literal) -> str:
        """Write a literal."""
        cells, reading = self.cells[literal.column], self._reading(literal)
        column = self.place.setdefault((literal.column, reading), len(self.place))
        match literal:
            case Threshold(op=op, value=value):
                return f"{'le' if op == '<=' else 'gt'} {column} {number_text(value)}"
            case Interval(low=low, high=high, inside=inside):
                no_low = low == -math.inf and not (cells.numbers == -math.inf).any()
                ends = "*" if no_low else number_text(low), "*" if high == math.inf else number_text(high)
                return f"{'in' if inside else 'out'} {column} {ends[0]} {ends[1]}"
            case Equals(op=op, value=value):
                return f"{'eq' if op == '=' else 'ne'} {column} {self._value(value, cells, reading)}"
            case Among(values=values, inside=inside):
                members = " ".join(self._value(value, cells, reading) for value in values)
                return f"{'one_of' if inside else 'none_of'} {column} {len(values)} {members}"
            case Missing(missing=missing):
                return f"{'missing' if missing else 'present'} {column}"

    def _value(self, value: str | float | bool, cells: Cells, reading: Reading) -> str:
        if reading is not Reading.NUMBER:
            return _token(value, reading)
        wanted: int | float = math.nan
        if not (cells.is_whole and is_beyond_doubles(value)) and not cells.inexact.any():
            wanted = number_to_match(value, boolean_cells=cells.is_boolean)
        elif not isinstance(value, str):
            wanted = exact_number(value)
        elif _DIGITS.fullmatch(value) and str(int(value)) == value:
            wanted = int(value)  # a whole number that no double represents is kept as its digits
        if isinstance(cells, CodedCells) and wanted in cells.codes:
            return code_token(float(wanted))
        # In a column of numbers, the only possible texts are the empty one and special codes.
        return text_token(f"no number: {value}") if math.isnan(wanted) else number_token(wanted)

    def tokens(self, present: NDArray[np.bool_]) -> list[list[str]]:
        """Write the cells of each column, for the rows that are present."""
        return [_tokens(self.cells[name], reading, present) for name, reading in self.place]


def _reading_of(value: str | float | bool) -> Reading:
    """Return how a column of texts is read for equality with a value."""
    if isinstance(value, bool):
        return Reading.TRUTH
    return Reading.TEXT if isinstance(value, str) else Reading.NUMBER_IN_TEXT


def _tokens(cells: Cells, reading: Reading, present: NDArray[np.bool_]) -> list[str]:
    if reading is Reading.NUMBER:
        # A cell can be present without being a number: no condition on numbers holds on it.
        distinct, codes = np.unique(cells.numbers, return_inverse=True)
        known = [text_token("") if math.isnan(x) else number_token(x) for x in distinct.tolist()]
    else:
        codes, values = cells.coded
        known = [_token(value, reading) for value in values]
    spelled = np.array([*known, "-"], dtype=object)[np.where(cells.missing, len(known), codes.ravel())]
    if reading is Reading.NUMBER and cells.inexact.any():
        whole = cells.values.to_numpy(dtype=object)
        for row in np.flatnonzero(cells.inexact).tolist():
            spelled[row] = number_token(int(whole[row]))
    if reading is Reading.NUMBER and isinstance(cells, CodedCells):
        numbers = cells.values.to_numpy(np.float64, na_value=np.nan)
        for row in np.flatnonzero(cells.is_code).tolist():
            spelled[row] = code_token(float(numbers[row]))
    tokens: list[str] = spelled[present].tolist()
    return tokens


def _token(value: Any, reading: Reading) -> str:
    """Write a value of a column of texts, or one that a condition names."""
    if reading is Reading.TRUTH:
        for truth in (True, False):
            if same_value(value, truth):
                return number_token(truth)
    if reading is Reading.NUMBER_IN_TEXT:
        with suppress(TypeError, ValueError, OverflowError):
            number = exact_number(value)
            if isinstance(number, int) or math.isfinite(number):
                return number_token(number)
            if math.isinf(number):
                return text_token(str(number))  # all spellings are one value
    return text_token(text_of(value))


def number_text(number: int | float) -> str:
    """Write a number as the exact fraction that it is.

    >>> [number_text(number) for number in (54.0, -0.0, 0.5, 0.1, 2**53 + 1)]
    ['54', '0', '1/2', '3602879701896397/36028797018963968', '9007199254740993']
    """
    if isinstance(number, float) and math.isinf(number):
        return str(INFINITE if number > 0 else -INFINITE)
    return str(Fraction(number))


def number_token(number: int | float) -> str:
    """Write a number as a value."""
    return f"n{number_text(number)}"


def code_token(code: float) -> str:
    """Write a special code of a column of numbers: a text, which no condition on numbers holds for."""
    return text_token(f"code {number_text(code)}")


def text_token(text: str) -> str:
    """Write a text as a value.

    >>> text_token("red"), text_token("")
    ('t726564', 't')
    """
    return f"t{text.encode(errors='surrogatepass').hex()}"


# The certificate


def _certificate_lines(content: dict[str, Any], table: Table) -> Iterator[str]:
    if "compiled_constraints" in content or any(content.get(key) not in (None, {}) for key in NOT_COVERED):
        raise InputError(
            "the verified checker does not cover constraints, other measures, size_budget and max_errors; "
            "check this certificate without --verified"
        )
    task = checker.Task(content, table)
    yield f"objective {_objective(task, content)}"
    yield f"otherwise {'none' if task.otherwise is None else task.otherwise}"
    rules = [_whole(rule) for rule in _entry(content, "rules", list)]
    yield f"rules {len(rules)}"
    for rule in rules:
        if not rule or min(rule) < 0:
            raise checker.Malformed("a rule predicts a class that there is not")
        yield f"rule {_joined((rule[0], len(rule) - 1, *_in_order(rule[1:])))}"
    yield f"cost {_entry(content, 'cost', int)}"
    yield f"bound {_entry(content, 'lower_bound', int)}"
    proofs = _entry(content, "proofs", list)
    if [_entry(proof, "class", int) for proof in proofs] != task.classes:
        raise checker.Refuted("there is not one proof for each class that has rows")
    yield f"proofs {len(proofs)}"
    for proof in proofs:
        yield f"proof {proof['class']} {_entry(proof, 'bound', int)}"
        yield from _node_lines(_entry(proof, "proof", dict), task.of_class(proof["class"]))
    yield "end"


def _objective(task: checker.Task, content: dict[str, Any]) -> str:
    if task.hard:
        return str(content["objective"])
    kind = "every_class" if task.every_class else "per_row" if task.per_row else "sparse"
    return f"{kind} {Fraction(*content['regularization'])}"


def _node_lines(root: dict[str, Any], problem: checker.ClassProblem) -> Iterator[str]:
    stack = [(root, 0)]
    while stack:
        node, n_some = stack.pop()  # the splits above that say "some"
        if "rows" not in node:
            yield from _leaf_lines(node, problem, n_some)
            continue
        rows = _in_order(_whole(_entry(node, "rows", list)))
        if rows and not 0 <= rows[0] <= rows[-1] < problem.holds.shape[1]:
            raise checker.Malformed("a split names a row that is not in the table, or not in order")
        yield f"split {_joined((len(rows), *rows))}"
        stack += [(_entry(node, "none", dict), n_some), (_entry(node, "some", dict), n_some + 1)]


def _leaf_lines(node: dict[str, Any], problem: checker.ClassProblem, n_some: int) -> Iterator[str]:
    n_some += len(problem.some)
    soft = problem.neg[: 0 if problem.hard else None]
    prices = _whole(_entry(node, "prices", list))
    if len(prices) != len(problem.pos) + n_some:
        raise checker.Malformed("there are more or fewer numbers than there should be")
    splitters = [_positions(body, problem) for body in _entry(node, "splitters", list)]
    checker.refuse_work(splitters, problem.holds.shape[1])
    group, n_pos = checker.groups(problem.holds[:, problem.pos], splitters)
    neg_group, n_neg = checker.groups(problem.holds[:, soft], splitters)
    blame: dict[int, list[int]] = {}
    for row in _entry(node, "blame", list):
        values = _whole(row)
        if len(values) % 2 == 0 or not 0 <= values[0] < n_neg or values[0] in blame:
            raise checker.Malformed("its blame is not one list per group of negatives")
        to = _in_order(values[1::2])
        if to and not 0 <= to[0] <= to[-1] < n_pos + n_some:
            raise checker.Malformed("its blame is not on groups of positives in order, or negative")
        if min(values[2::2], default=1) <= 0:
            raise checker.Malformed("its blame is not on groups of positives in order, or negative")
        if to:
            blame[values[0]] = values[1:]
    yield f"leaf {_entry(node, 'scale', int)}"
    yield f"prices {_joined((len(prices), *prices))}"
    of_prices = (*group.tolist(), *range(n_pos, n_pos + n_some))
    yield f"groups {_joined((n_pos + n_some, len(of_prices), *of_prices))}"
    yield f"negatives {_joined((n_neg, len(soft), *neg_group.tolist()))}"
    yield f"blame {len(blame)}"
    for h in sorted(blame):
        yield f"  {_joined((h, len(blame[h]) // 2, *blame[h]))}"


def _joined(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _positions(body: Any, problem: checker.ClassProblem) -> list[int]:
    codes = np.array(_in_order(_whole(body)), np.int64)
    if not np.isin(codes, problem.codes).all():
        raise checker.Malformed(f"a literal among {body[:9]} is unknown, or out of order")
    return list(np.searchsorted(problem.codes, codes).tolist())


def _in_order(numbers: list[int]) -> list[int]:
    if any(one >= other for one, other in pairwise(numbers)):
        raise checker.Malformed(f"the numbers {numbers[:9]} are out of order")
    return numbers


def _whole(values: Any) -> list[int]:
    """Return a list of whole numbers of a certificate; there are none of arbitrary length in one."""
    if not isinstance(values, list) or any(
        type(value) is not int or abs(value) >= checker.LIMIT for value in values
    ):
        raise checker.Malformed("where a whole number should be is something else, or one out of range")
    return values


def _entry(data: Any, key: str, kind: type) -> Any:
    if not isinstance(data, dict) or type(data.get(key)) is not kind:
        raise checker.Malformed(f"{key!r} is missing, or not what it should be")
    return _whole([data[key]])[0] if kind is int else data[key]
