"""The user's constraints, in the user's words.

A `Constraints` speaks of columns, conditions and labels as the user wrote them; `laconic.problem.constraints`
turns it into the numbers of one table. Each constraint is exact: the search runs over the admissible decision
sets, and "optimal" means that none of them is better.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

from laconic.runtime.errors import InputError
from laconic.runtime.texts import shown

MEASURES = ("size", "rules", "literals", "longest", "features", "average_length")
"""The measures that can be minimised: `Constraints.measure`."""

OPERATORS = ("<=", ">", "is", "is not", "in", "not in", "within", "outside", "is missing", "is present")
"""Kinds of condition: `Constraints.operators`."""

DIRECTIONS = ("increasing", "decreasing")

Number = int | float

FINEST = 10**6
"""Largest denominator of costs and shares."""


@dataclass(frozen=True, kw_only=True)
class Constraints:
    """Limits, knowledge and costs that the decision set has to respect.

    Labels are named by their text (``1`` and ``"1"`` are the same class). A condition is written as rules
    show it, such as ``"age <= 54"`` or ``"colour is red"``.

    Parameters
    ----------
    max_rules, max_rule_length, max_literals, max_size : int, optional
        The most rules, conditions in one rule, conditions in all rules, and conditions plus rules.
    forbidden : sequence of str
        Columns or conditions that no rule uses.
    required : sequence of str
        Columns or conditions of which each is used by at least one rule.
    operators : sequence of str, optional
        The kinds of condition that rules may use, of ``<=``, ``>``, ``is``, ``is not``, ``within``,
        ``outside``, ``is missing`` and ``is present``. By default all.
    positive : bool, default=False
        Only ``<=``, ``is``, ``within`` and ``is missing``, and no ``is 0`` or ``is False``.
    monotone : mapping of str to mapping of label to {"increasing", "decreasing"}
        ``{"age": {"yes": "increasing"}}``: a higher age may only speak for ``yes``, never against it.
    rules_in, rules_out : sequence of str
        Rules that must be in the set, and rules that must not, as ``"IF age <= 54 AND colour is red THEN
        yes"``.
    literal_costs : mapping of str to float
        What one condition on a column counts in the size, instead of 1.
    feature_costs : mapping of str to float
        What a column costs once if any rule uses it, in units of size.
    disjoint : bool, default=False
        No training row is covered by rules of two classes.
    min_precision : float, optional
        Least precision of each rule on the training rows.
    min_support : int, optional
        Least number of training rows that each rule covers.
    class_weight : mapping of label to float, or "balanced", optional
        What an error on a row of the class costs, by default 1; ``balanced`` makes all classes weigh the
        same.
    false_positive_costs, false_negative_costs : mapping of label to float
        What it costs more that a rule of the class covers a row of another, and that no rule of the class
        covers a row of it: factors, by default 1.
    measure : str or sequence of str, default="size"
        What is kept small, in this order: ``size``, ``rules``, ``literals``, ``longest`` (conditions of the
        longest rule), ``features`` (columns used) and ``average_length`` (conditions of the shortest right
        rule of a row, averaged over the training rows). The last ties are broken by size.

    Examples
    --------
    >>> Constraints(max_rules=3, forbidden=["gender"], measure="longest,size")
    Constraints(max_rules=3, forbidden=('gender',), measure=('longest', 'size'))
    """

    max_rules: int | None = None
    max_rule_length: int | None = None
    max_literals: int | None = None
    max_size: int | None = None
    forbidden: Sequence[str] = ()
    required: Sequence[str] = ()
    operators: Sequence[str] | None = None
    positive: bool = False
    monotone: Mapping[str, Mapping[Any, str]] | None = None
    rules_in: Sequence[str] = ()
    rules_out: Sequence[str] = ()
    literal_costs: Mapping[str, Number] | None = None
    feature_costs: Mapping[str, Number] | None = None
    disjoint: bool = False
    min_precision: Number | None = None
    min_support: int | None = None
    class_weight: Mapping[Any, Number] | str | None = None
    false_positive_costs: Mapping[Any, Number] | None = None
    false_negative_costs: Mapping[Any, Number] | None = None
    measure: Sequence[str] | str = ("size",)

    def __post_init__(self) -> None:
        for name in ("max_rules", "max_rule_length", "max_literals", "max_size"):
            _check_whole(name, getattr(self, name), 0)
        _check_whole("min_support", self.min_support, 1)
        for name in ("positive", "disjoint"):
            if not isinstance(getattr(self, name), bool):
                raise InputError(f"{name} must be true or false, not {shown(getattr(self, name))}")
        for name in ("forbidden", "required", "rules_in", "rules_out"):
            self._set(name, _texts(name, getattr(self, name)))
        if self.operators is not None:
            self._set("operators", _words("operators", self.operators, OPERATORS))
        if self.positive and self.operators is not None:
            raise InputError("positive and operators both say which conditions are allowed; leave one out")
        for name in ("literal_costs", "feature_costs", "false_positive_costs", "false_negative_costs"):
            self._set(name, _numbers(name, getattr(self, name)))
        if self.class_weight != "balanced":
            self._set("class_weight", _numbers("class_weight", self.class_weight))
        self._set("monotone", _monotone(self.monotone))
        if self.min_precision is not None and not (
            _is_number(self.min_precision) and 0 < self.min_precision <= 1
        ):
            raise InputError(f"min_precision must be above 0 and at most 1, not {shown(self.min_precision)}")
        asked = self.measure.split(",") if isinstance(self.measure, str) else self.measure
        words = [_stripped(word) for word in asked] if isinstance(asked, Sequence) else asked
        self._set("measure", _words("measure", words, MEASURES))
        if not self.measure or len(set(self.measure)) < len(self.measure):
            raise InputError("measure must name at least one measure, and each only once")

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def __bool__(self) -> bool:
        return bool(self.to_document())

    def __repr__(self) -> str:
        return f"Constraints({', '.join(f'{k}={v!r}' for k, v in self._given().items())})"

    def _given(self) -> dict[str, Any]:
        """Return the parameters that differ from their defaults."""
        return {f.name: value for f in fields(self) if (value := getattr(self, f.name)) != f.default}

    def to_document(self) -> dict[str, Any]:
        """Return the constraints as plain data, defaults left out."""
        return {
            name: list(value) if isinstance(value, tuple) else value for name, value in self._given().items()
        }

    def lines(self) -> list[str]:
        """Return each constraint as a line for people: ``max_rules = 2``."""
        return [f"{name} = {_plain_text(value)}" for name, value in self.to_document().items()]

    @classmethod
    def from_document(cls, data: Any) -> Constraints:
        """Return constraints from plain data, such as a TOML or JSON file; unknown entries are refused.

        Parameters
        ----------
        data : mapping
            Names with values, as `to_document` returns them.
        """
        if not isinstance(data, Mapping):
            raise InputError(f"constraints must be names with values, not {type(data).__name__}")
        known = [f.name for f in fields(cls)]
        for name in data:
            if name not in known:
                raise InputError(f"there is no constraint {name!r}; choose from: {', '.join(known)}")
        return cls(**data)


def combined(constraints: Constraints | Mapping[str, Any] | None, **more: Any) -> Constraints | None:
    """Return constraints combined with further ones; None if there are none."""
    if not constraints and all(value is None for value in more.values()):
        return None
    base = (
        constraints if isinstance(constraints, Constraints) else Constraints.from_document(constraints or {})
    )
    given = base.to_document()
    for name, value in more.items():
        if value is None:
            continue
        if name in given:
            raise InputError(f"{name} is given twice, by itself and among the constraints; leave one out")
        given[name] = value
    return Constraints.from_document(given) or None


def _plain_text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_plain_text(one)}" for key, one in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def on_a_grid(values: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """Return fractions as they are, or rounded to millionths if they have no small common denominator."""
    if math.lcm(*(value.denominator for value in values)) <= FINEST:
        return tuple(values)
    return tuple(Fraction(round(value * FINEST), FINEST) for value in values)


def _is_number(value: object) -> bool:
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))


def _check_whole(name: str, value: object, low: int) -> None:
    if value is None:
        return
    if not isinstance(value, int) or isinstance(value, bool) or value < low:
        raise InputError(f"{name} must be a whole number of at least {low}, not {shown(value)}")
    if value >= 2**63:
        raise InputError(f"{name} must be below 2⁶³, not {shown(value)}; leave it out for no limit")


def _stripped(word: object) -> object:
    return word.strip() if isinstance(word, str) else word


def _texts(name: str, values: object) -> tuple[str, ...]:
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise InputError(f"{name} must be a list of texts, not {shown(values)}")
    for value in values:
        if not isinstance(value, str):
            raise InputError(f"{name} must hold texts, not {shown(value)}")
    return tuple(dict.fromkeys(values))


def _words(name: str, values: object, known: tuple[str, ...]) -> tuple[str, ...]:
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise InputError(f"{name} must be a list of words, not {shown(values)}")
    for value in values:
        if value not in known:
            raise InputError(f"{name} cannot be {value!r}; choose from: {', '.join(known)}")
    return tuple(values)


def _numbers(name: str, values: object) -> dict[str, Number] | None:
    if values is None:
        return None
    if not isinstance(values, Mapping):
        choice = " or 'balanced'" if name == "class_weight" else ""
        raise InputError(f"{name} must be names with numbers{choice}, not {shown(values)}")
    found = {}
    for key, value in values.items():
        plain = value.item() if hasattr(value, "item") else value
        if not _is_number(plain) or not 0 <= plain <= 10**9:
            raise InputError(f"{name} of {str(key)!r} must be a number from 0 to 10⁹, not {shown(value)}")
        found[str(key)] = plain
    return found or None


def _monotone(values: object) -> dict[str, dict[str, str]] | None:
    if values is None:
        return None
    example = 'such as {"age": {"yes": "increasing"}}'
    if not isinstance(values, Mapping):
        raise InputError(
            f"monotone must be columns with classes and directions, {example}, not {shown(values)}"
        )
    found: dict[str, dict[str, str]] = {}
    for column, towards in values.items():
        if not isinstance(towards, Mapping) or not towards:
            raise InputError(
                f"monotone of column {str(column)!r} must name a class and a direction, {example}"
            )
        for label, direction in towards.items():
            if direction not in DIRECTIONS:
                raise InputError(
                    f"monotone of column {str(column)!r} towards {str(label)!r} cannot be {direction!r}; "
                    f"choose one of: {', '.join(DIRECTIONS)}"
                )
        found[str(column)] = {str(label): direction for label, direction in towards.items()}
    return found or None
