"""The external scorer: it takes rules and returns accuracy and size, in the same way for every method.

Strict accuracy is the paper's ("Datasets and methodology"): a row is wrong if a rule of a wrong class covers
it, even if a rule of the right class does too, or if no rule of its class does. A default rule applies only
to rows that no rule covers. Plain accuracy requires one answer per row: the class of the covering rule with
the best Laplace precision on the training rows (ties: the first class). An uncovered row gets the default
class, or else the class with the most uncovered training rows, or else the class with the most training rows.

The scorer shares no code with the engines or the estimator: it recounts their claims from rows and rules.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic.bench.rules import OPERATORS, NeutralCondition, NeutralRule, RuleSet
from laconic.runtime.errors import InputError

_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    "<": operator.lt,
    ">": operator.gt,
    ">=": operator.ge,
}

_BINARY, _TEXT = "b", "O"  # kinds of NumPy types; every other column holds numbers


@dataclass(frozen=True, eq=False)
class ScoredRows:
    """Rows to score on.

    Attributes
    ----------
    columns : mapping of str to ndarray
        The columns: binary ones are boolean, raw ones float (NaN is missing) or object (``None`` is missing).
    labels : sequence of str
        The class name of each row.
    """

    columns: Mapping[str, NDArray[Any]]
    labels: Sequence[str]


@dataclass(frozen=True, slots=True)
class RowScores:
    """Scores on one set of rows; all counts are numbers of rows."""

    rows: int
    strict_errors: int
    plain_errors: int
    uncovered: int
    conflicting: int


@dataclass(frozen=True, slots=True)
class Score:
    """Size of a rule set, and its scores on the training and the test rows."""

    size: int
    n_rules: int
    n_literals: int
    classes_described: int
    train: RowScores
    test: RowScores


def score(rules: RuleSet, train: ScoredRows, test: ScoredRows, classes: Sequence[str]) -> Score:
    """Score a rule set; a malformed one is refused.

    Parameters
    ----------
    rules : RuleSet
    train, test : ScoredRows
        The training and the test rows, with the same columns.
    classes : sequence of str
        All class names, in the order that breaks ties.

    Raises
    ------
    InputError
        If a rule names an unknown column or class, compares values that cannot be compared, repeats a
        condition, or can never hold.
    """
    check(rules, train.columns, classes)
    for name, rows in (("training", train), ("test", test)):
        if len(rows.labels) == 0:
            raise InputError(f"there are no {name} rows to score on")
    number = {label: c for c, label in enumerate(classes)}
    predictor = _Predictor(rules, train, number)
    return Score(
        rules.size,
        rules.n_rules,
        rules.n_literals,
        len({rule.label for rule in rules.rules}),
        predictor.part(train),
        predictor.part(test),
    )


class _Predictor:
    """Predictions for rows, with precisions and the fallback class computed on the training rows."""

    def __init__(self, rules: RuleSet, train: ScoredRows, number: Mapping[str, int]) -> None:
        self._rules = rules.rules
        self._number = number
        self._target = np.array([number[rule.label] for rule in rules.rules], np.int64)
        self._default = None if rules.default is None else number[rules.default]
        own = self._codes(train)
        self._precision = np.empty(len(self._rules))
        anywhere = np.zeros(own.size, bool)
        for r, covered in enumerate(self._covers(train)):
            right = np.count_nonzero(own[covered] == self._target[r])
            self._precision[r] = (right + 1) / (np.count_nonzero(covered) + len(number))
            anywhere |= covered
        uncovered = own[~anywhere]
        votes = np.bincount(uncovered if uncovered.size else own, minlength=len(number))
        self._fallback = int(votes.argmax()) if self._default is None else self._default

    def part(self, rows: ScoredRows) -> RowScores:
        own = self._codes(rows)
        claims = np.zeros((own.size, len(self._number)), bool)
        best = np.full((own.size, len(self._number)), -1.0)
        for target, precision, covered in zip(self._target, self._precision, self._covers(rows), strict=True):
            claims[:, target] |= covered
            best[covered, target] = np.maximum(best[covered, target], precision)
        n_claims = claims.sum(axis=1)
        uncovered = n_claims == 0
        predicted = np.where(uncovered, self._fallback, best.argmax(axis=1))
        if self._default is not None:
            claims[uncovered, self._default] = True
        right = claims[np.arange(own.size), own] & (n_claims <= 1)
        return RowScores(
            rows=int(own.size),
            strict_errors=int((~right).sum()),
            plain_errors=int((predicted != own).sum()),
            uncovered=int(uncovered.sum()),
            conflicting=int((n_claims > 1).sum()),
        )

    def _codes(self, rows: ScoredRows) -> NDArray[np.int64]:
        unknown = sorted(set(rows.labels) - self._number.keys())
        if unknown:
            raise InputError(f"a row has the class {unknown[0]!r}, which is not among the classes")
        return np.array([self._number[label] for label in rows.labels], np.int64)

    def _covers(self, rows: ScoredRows) -> Iterator[NDArray[np.bool_]]:
        """Yield the rows that each rule covers; repeated conditions are evaluated once."""
        seen: dict[NeutralCondition, NDArray[np.bool_]] = {}
        for rule in self._rules:
            covered = np.ones(len(rows.labels), bool)
            for condition in rule.conditions:
                if condition not in seen:
                    seen[condition] = holds(condition, rows.columns[condition.column])
                covered &= seen[condition]
            yield covered


def holds(condition: NeutralCondition, column: NDArray[Any]) -> NDArray[np.bool_]:
    """Return the rows on which a condition holds; a missing value satisfies no condition."""
    value = condition.value
    if column.dtype.kind == _TEXT:
        wanted = condition.op == "="
        return np.array([entry is not None and (entry == value) == wanted for entry in column], bool)
    numbers = column.astype(float)
    return np.array(_COMPARE[condition.op](numbers, float(value)) & ~np.isnan(numbers), bool)


def check(rules: RuleSet, columns: Mapping[str, NDArray[Any]], classes: Sequence[str]) -> None:
    """Raise `InputError` for a malformed rule set, naming the rule and the problem."""
    if not isinstance(rules, RuleSet) or not isinstance(rules.rules, tuple):
        raise InputError(f"a method must return a RuleSet with a tuple of rules, not {type(rules).__name__}")
    if rules.default is not None and rules.default not in classes:
        raise InputError(f"the default rule predicts {rules.default!r}, which is not among the classes")
    for number, rule in enumerate(rules.rules, 1):
        if not isinstance(rule, NeutralRule):
            raise InputError(f"rule {number} is {rule!r}, not a NeutralRule")
        if rule.label not in classes:
            raise InputError(f"rule {number} predicts {rule.label!r}, which is not among the classes")
        if len(set(rule.conditions)) < len(rule.conditions):
            raise InputError(f"rule {number} repeats a condition, which would inflate its size")
        for condition in rule.conditions:
            _check_condition(number, condition, columns)
        for name in {condition.column for condition in rule.conditions}:
            same = [condition for condition in rule.conditions if condition.column == name]
            if len(same) > 1 and _contradict(same, columns[name].dtype.kind):
                raise InputError(f"rule {number} can never hold on column {name!r}: {same}")


def _check_condition(number: int, condition: NeutralCondition, columns: Mapping[str, NDArray[Any]]) -> None:
    if condition.column not in columns:
        raise InputError(f"rule {number} uses column {condition.column!r}, which is not in the table")
    if condition.op not in OPERATORS:
        raise InputError(
            f"rule {number} uses the operator {condition.op!r}; use one of {' '.join(OPERATORS)}"
        )
    kind, value = columns[condition.column].dtype.kind, condition.value
    if kind == _BINARY and (condition.op not in ("=", "!=") or value not in (0, 1)):
        raise InputError(
            f"rule {number} compares the binary column {condition.column!r} by {condition.op} {value!r}; "
            "use = or != with 0 or 1"
        )
    if kind == _TEXT and condition.op not in ("=", "!="):
        raise InputError(f"rule {number} orders column {condition.column!r}, which holds text; use = or !=")
    if kind != _TEXT and isinstance(value, str):
        raise InputError(f"rule {number} compares the number {condition.column!r} with the text {value!r}")


def _contradict(conditions: Sequence[NeutralCondition], kind: str) -> bool:
    """Return whether no value of the column satisfies all conditions."""
    if kind == _BINARY:
        candidates = np.array([False, True])
    elif kind == _TEXT:
        # Any text that no condition mentions represents all others.
        candidates = np.array([*(c.value for c in conditions), object()], dtype=object)
    else:
        # On the real line only the mentioned values, the gaps between them and the two ends can differ.
        marks = np.unique([float(c.value) for c in conditions])
        between = (marks[1:] + marks[:-1]) / 2
        candidates = np.concatenate([marks, between, [marks[0] - 1, marks[-1] + 1]])
    alive = np.ones(candidates.size, bool)
    for condition in conditions:
        alive &= holds(condition, candidates)
    return not alive.any()
