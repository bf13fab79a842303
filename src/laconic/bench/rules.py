"""Rules in a neutral form that every rival can express, which is the input of the scorer.

A rule is a list of conditions ``column op value`` and a class. A rule set is a list of rules and, for some
learners, a default class for the rows that no rule covers. It is plain data, written to the records as JSON,
and independent of Laconic's own model classes: the scorer must not share code with what it scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Value = str | int | float | bool

OPERATORS = ("=", "!=", "<=", "<", ">", ">=")

DESCRIBED = 1
"""Number of the class that one-class learners describe: "the positives".

The paper does not say which class this was. Of labels 0 and 1, both IMLI and RIPPER's package take 1 by
default. With more than two classes, all others are the negatives.
"""


@dataclass(frozen=True, slots=True)
class NeutralCondition:
    """``column op value`` on a binary or a raw column.

    The values of a binary column are 0 and 1, so "the feature is true" is ``NeutralCondition(name, "=", 1)``.
    """

    column: str
    op: str
    value: Value


@dataclass(frozen=True, slots=True)
class NeutralRule:
    """Gives its class to every row on which all conditions hold; without conditions, to every row."""

    conditions: tuple[NeutralCondition, ...]
    label: str


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The result of a learner.

    Attributes
    ----------
    rules : tuple of NeutralRule
        The rules, unordered: a row may be covered by several.
    default : str or None
        The class of the rows that no rule covers; it counts as one rule without literals.
    """

    rules: tuple[NeutralRule, ...]
    default: str | None = None

    @property
    def n_literals(self) -> int:
        """Number of conditions in all rules."""
        return sum(len(rule.conditions) for rule in self.rules)

    @property
    def n_rules(self) -> int:
        """Number of rules, including the default rule."""
        return len(self.rules) + (self.default is not None)

    @property
    def size(self) -> int:
        """Literals plus one per rule: the paper's size."""
        return self.n_literals + self.n_rules

    def to_json(self) -> dict[str, Any]:
        """Return plain data for a record."""
        return {
            "rules": [
                {"if": [[c.column, c.op, c.value] for c in rule.conditions], "then": rule.label}
                for rule in self.rules
            ],
            "default": self.default,
        }


def binary_rule(
    names: Sequence[str], literals: Iterable[tuple[int, bool]], classes: Sequence[str], target: int
) -> NeutralRule:
    """Return the rule of (feature number, wanted value) pairs and a class number."""
    conditions = tuple(NeutralCondition(names[f], "=", int(value)) for f, value in sorted(set(literals)))
    return NeutralRule(conditions, classes[target])


def default_class(labels: NDArray[np.int64], n_classes: int, computed: int) -> int:
    """Return the paper's default class for a one-class learner.

    It is the class with the most training rows (ties: the first class) other than the class that the rules
    describe.
    """
    counts = np.bincount(labels, minlength=n_classes)
    counts[computed] = -1
    return int(counts.argmax())
