"""Counterfactuals: changes of a row that give it another class.

The search is over rules, not over all possible rows: which rule of another class is nearest, by the fewest of
its conditions that fail? All its conditions on one column must hold together: a rule with 54 < age <= 64 that
fails at ``age > 54`` requires the interval.

A covering rule need not decide, since a more precise one may cover as well. So the changed row is decided
again, with representative values: between two neighbouring thresholds of the set all numbers are equivalent,
and so are all categories that no rule names. Rules that would decide come first; others are reported with the
class that the row would still get.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from laconic.data.cells import same_value, text_of
from laconic.data.dates import date_text, number_of_date
from laconic.data.labels import Label
from laconic.data.literals import Among, Equals, Interval, Literal, Missing, Threshold, named_values
from laconic.data.reading.column_reading import ColumnReading
from laconic.data.thresholds import shortest_between
from laconic.model.predict import best_first
from laconic.model.render import conditions_text
from laconic.runtime.texts import visible

if TYPE_CHECKING:
    from laconic.model.decision_set import DecisionSet
    from laconic.model.explain import RuleCheck

MAX_TRIALS = 64
"""Maximum number of combinations of new values per rule; one column rarely has more than two that fit."""


class _Other:
    """Any category that no rule names."""


OTHER = _Other()


@dataclass(frozen=True, slots=True)
class Change:
    """The values of one column that a rule requires.

    Attributes
    ----------
    column : str
    conditions : tuple of Literal
        All conditions of the rule on this column, also those that hold already.
    value : object
        The row's own value, ``None`` if missing.
    example : object
        A value that satisfies the rule; ``None`` if the value has to be missing, or if any other value does.
    """

    column: str
    conditions: tuple[Literal, ...]
    value: Any
    example: Any

    def __str__(self) -> str:
        now = "missing" if self.value is None else text_of(self.value)
        return visible(f"{conditions_text(self.conditions)} (it is {now})")


@dataclass(frozen=True, slots=True)
class Counterfactual:
    """The nearest rule of another class, and the changes it requires.

    Attributes
    ----------
    check : RuleCheck
        The rule, held against the row as it is.
    changes : tuple of Change
        One per column.
    prediction : str, int, float or bool
        The class of the changed row. Unless it is the rule's, a more precise rule still decides.
    """

    check: RuleCheck
    changes: tuple[Change, ...]
    prediction: Label

    @property
    def n_literals(self) -> int:
        """Number of conditions of the rule that fail now."""
        return len(self.check.failing)

    @property
    def decides(self) -> bool:
        """Whether the changed row gets the rule's class."""
        return bool(self.prediction == self.check.rule.label)

    def __str__(self) -> str:
        changes = " and ".join(str(change) for change in self.changes)
        number, label = self.check.number, visible(self.check.rule.label)
        still = visible(self.prediction)
        if self.decides:
            return f"it would be {label}, by rule {number}, if {changes}"
        return f"rule {number} ({label}) would cover it if {changes}, but it would still be {still}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "rule": self.check.number,
            "class": self.check.rule.label,
            "prediction": self.prediction,
            "n_conditions": self.n_literals,
            "changes": [
                {
                    "column": change.column,
                    "text": conditions_text(change.conditions),
                    "value": change.value,
                    "example": change.example,
                }
                for change in self.changes
            ],
        }


class Changer:
    """Finds counterfactuals for the rows of one decision set."""

    def __init__(self, decision_set: DecisionSet) -> None:
        self._set = decision_set
        self._order = best_first(decision_set.rules)

    def nearest(self, checks: Sequence[RuleCheck], prediction: Label) -> Counterfactual | None:
        """Return the changes that the nearest rule of another class requires, if there is such a rule."""
        rivals = [check for check in checks if check.rule.label != prediction and not check.covers]
        reachable = None
        for check in sorted(rivals, key=lambda check: (len(check.failing), check.number)):
            for found in self._reach(check, checks):
                if found.decides:
                    return found
                reachable = reachable or found
        return reachable

    def _reach(self, check: RuleCheck, checks: Sequence[RuleCheck]) -> Iterator[Counterfactual]:
        """Yield ways to make the rule cover the row, nearest values first."""
        own = {condition.literal.column: condition.value for condition in check.conditions}
        columns = list(dict.fromkeys(condition.literal.column for condition in check.failing))
        asked = {
            column: tuple(literal for literal in check.rule.literals if literal.column == column)
            for column in columns
        }
        choices = [self._values(column, asked[column], own[column]) for column in columns]
        for values in itertools.islice(itertools.product(*choices), MAX_TRIALS):
            changed = dict(zip(columns, values, strict=True))
            changes = tuple(
                Change(column, asked[column], own[column], self._example(column, value))
                for column, value in changed.items()
            )
            yield Counterfactual(check, changes, self._decide(checks, changed))

    def _example(self, column: str, value: Any) -> Any:
        reading = self._readings.get(column)
        if value is OTHER or value is None or reading is None or not reading.dates:
            return None if value is OTHER else value
        return date_text(float(value), reading.unit)

    def _decide(self, checks: Sequence[RuleCheck], changed: Mapping[str, Any]) -> Label:
        """Return the class of a row some of whose values were changed."""
        for k in self._order:
            if all(
                satisfied(condition.literal, changed[condition.literal.column])
                if condition.literal.column in changed
                else condition.holds
                for condition in checks[k].conditions
            ):
                return checks[k].rule.label
        return self._set.fallback_class

    def _values(self, column: str, asked: Sequence[Literal], now: Any) -> list[Any]:
        """Return one value for each case that the rules distinguish, nearest to the current value first."""
        cuts = self._cuts.get(column)
        values: list[Any]
        if cuts is not None:
            start = self._start(column, now)
            values = [_nearest_between(low, high, start) for low, high in itertools.pairwise(cuts)]
            values += [value for value in self._named.get(column, ()) if not isinstance(value, str)]
            if start is not None:
                values.sort(key=lambda value: abs(value - start))
        else:
            values = list(self._named.get(column, ()))
            if not values or column not in self._binary:
                values.append(OTHER)
        return [value for value in (*values, None) if all(satisfied(literal, value) for literal in asked)]

    def _start(self, column: str, now: Any) -> float | None:
        """Return the current number of a cell; None if it is missing or a special code."""
        reading = self._readings.get(column)
        if now is None or reading is None:
            return None if now is None else float(now)
        if reading.dates:
            return number_of_date(str(now), reading.unit)
        return None if float(now) in reading.codes else float(now)

    @cached_property
    def _readings(self) -> dict[str, ColumnReading]:
        return {one.name: one.reading for one in self._set.columns if one.reading is not None}

    @cached_property
    def _binary(self) -> set[str]:
        """The columns with only two values."""
        return {column.name for column in self._set.columns if column.kind == "binary"}

    @cached_property
    def _cuts(self) -> dict[str, list[float]]:
        """The thresholds of each column of numbers, with infinite ends."""
        cuts: dict[str, set[float]] = {
            c.name: set() for c in self._set.columns if c.kind in {"numeric", "date"}
        }
        for rule in self._set.rules:
            for literal in rule.literals:
                if isinstance(literal, Threshold):
                    cuts.setdefault(literal.column, set()).add(literal.value)
                elif isinstance(literal, Interval):
                    cuts.setdefault(literal.column, set()).update((literal.low, literal.high))
        return {column: sorted({-math.inf, *values, math.inf}) for column, values in cuts.items()}

    @cached_property
    def _named(self) -> dict[str, list[Any]]:
        """The categories that conditions name, by column; of truth values and of 0 and 1 always both."""
        named: dict[str, dict[Any, None]] = {}
        sides = [
            side
            for feature in self._set.features
            for side in (feature.positive, feature.negative)
            if side is not None
        ]
        for literal in (*(x for rule in self._set.rules for x in rule.literals), *sides):
            for value in named_values(literal):
                values = named.setdefault(literal.column, {})
                values[value] = None
                if isinstance(literal, Equals) and not isinstance(value, str) and value in (0, 1):
                    values[not value if isinstance(value, bool) else 1 - value] = None
        return {column: list(values) for column, values in named.items()}


def satisfied(literal: Literal, value: Any) -> bool:
    """Whether one value satisfies a condition; ``None`` is missing, `OTHER` a category without a name."""
    if isinstance(literal, Missing):
        return literal.missing == (value is None)
    if value is None:
        return False
    if isinstance(literal, Equals):
        return (value is not OTHER and same_value(value, literal.value)) == (literal.op == "=")
    if isinstance(literal, Among):
        return (
            value is not OTHER and any(same_value(value, one) for one in literal.values)
        ) == literal.inside
    if isinstance(literal, Threshold):
        return float(value) <= literal.value if literal.op == "<=" else float(value) > literal.value
    return (literal.low < float(value) <= literal.high) == literal.inside


def _nearest_between(low: float, high: float, start: float | None) -> float:
    """Return a number above ``low`` and up to ``high``, near to the start and whole if it can be."""
    if start is not None and low < start <= high:
        return start
    if low == -math.inf and high == math.inf:
        return 0.0
    from_above = low == -math.inf or (start is not None and start > high)
    whole = float(math.floor(high) if from_above else math.floor(low) + 1)
    if low < whole <= high:
        return whole
    if math.isinf(high):
        return math.nextafter(low, high)
    return high if from_above else -shortest_between(-high, -low)
