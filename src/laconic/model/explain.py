"""Why a row gets its class: every rule checked against the row's own values, as data and as text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np

from laconic.data.cells import text_of
from laconic.data.literals import Literal
from laconic.model.columns import View
from laconic.model.labels import Label
from laconic.model.predict import NO_RULE, deciding_rules, literal_masks, rule_masks
from laconic.model.rule import Rule

if TYPE_CHECKING:
    from laconic.model.decision_set import DecisionSet


class Reason(Enum):
    """What led to a prediction."""

    RULE = "rule"  # rules of one class cover the row
    CONFLICT = "conflict"  # rules of several classes do; the best Laplace precision decides
    ELSE = "else"  # no other rule covers the row, so the else rule does
    DEFAULT = "default"  # no rule covers the row


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition of a rule, the row's own value (``None``: missing), and whether it holds."""

    literal: Literal
    value: Any
    holds: bool

    def __str__(self) -> str:
        if self.value is None:
            return f"{self.literal} (it is missing)" if self.literal.kind != "missing" else str(self.literal)
        return f"{self.literal} (it is {text_of(self.value)})"


@dataclass(frozen=True, slots=True)
class RuleCheck:
    """A rule held against a row; ``number`` counts the rules of the set from 1."""

    number: int
    rule: Rule
    conditions: tuple[Condition, ...]

    @property
    def covers(self) -> bool:
        """Whether every condition holds."""
        return all(condition.holds for condition in self.conditions)

    @property
    def failing(self) -> tuple[Condition, ...]:
        """The conditions that do not hold: what would have to change for the rule to cover the row."""
        return tuple(condition for condition in self.conditions if not condition.holds)

    def __str__(self) -> str:
        conditions = " AND ".join(str(condition) for condition in self.conditions) or "true"
        return f"rule {self.number}: IF {conditions} THEN {self.rule.label}"


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why one row gets its class.

    Attributes
    ----------
    row : object
        The row's label in the table's index; its position for an array.
    prediction : str, int, float or bool
    reason : Reason
    checks : tuple of RuleCheck
        Every rule of the set, held against the row.
    deciding : RuleCheck or None
        The covering rule with the best Laplace precision.
    """

    row: Any
    prediction: Label
    reason: Reason
    checks: tuple[RuleCheck, ...]
    deciding: RuleCheck | None

    @property
    def covering(self) -> tuple[RuleCheck, ...]:
        """The rules that cover the row."""
        return tuple(check for check in self.checks if check.covers)

    def __str__(self) -> str:
        head = f"row {self.row}: {self.prediction}"
        if self.deciding is None:
            why = "no rule covers it" if self.reason is Reason.DEFAULT else "no other rule covers it"
            name = "default class" if self.reason is Reason.DEFAULT else "else rule"
            return f"{head}, by the {name}: {why}"
        lines = [f"  {check}" for check in self.covering]
        if self.reason is Reason.CONFLICT:
            rivals = sorted({check.rule.target: str(check.rule.label) for check in self.covering}.items())
            listed = ", ".join(label for _, label in rivals)
            precision = self.deciding.rule.laplace_precision
            head += (
                f", although rules of {len(rivals)} classes cover it ({listed}): "
                f"rule {self.deciding.number} has the best Laplace precision ({precision:.2f})"
            )
        return "\n".join([f"{head}, because", *lines] if self.reason is Reason.RULE else [head, *lines])


def explanations(decision_set: DecisionSet, rows: View) -> list[Explanation]:
    """Explain every row."""
    rules = decision_set.rules
    masks = literal_masks((literal for rule in rules for literal in rule.literals), rows)
    covered = rule_masks(rules, rows)
    chosen = deciding_rules(rules, covered)
    values = {name: cells.values.to_numpy(dtype=object) for name, cells in rows.cells.items()}
    missing = {name: cells.missing for name, cells in rows.cells.items()}
    no_rule = Reason.DEFAULT if decision_set.else_rule is None else Reason.ELSE
    fallback = decision_set.default_class if decision_set.else_rule is None else decision_set.else_rule.label

    def condition(literal: Literal, i: int) -> Condition:
        value = None if missing[literal.column][i] else _plain(values[literal.column][i])
        return Condition(literal, value, bool(masks[literal][i]))

    found = []
    for i, label in enumerate(rows.index.tolist()):
        checks = tuple(
            RuleCheck(k + 1, rule, tuple(condition(literal, i) for literal in rule.literals))
            for k, rule in enumerate(rules)
        )
        if chosen[i] == NO_RULE:
            found.append(Explanation(label, fallback, no_rule, checks, None))
            continue
        deciding = checks[chosen[i]]
        n_classes = len({check.rule.target for check in checks if check.covers})
        reason = Reason.RULE if n_classes == 1 else Reason.CONFLICT
        found.append(Explanation(label, deciding.rule.label, reason, checks, deciding))
    return found


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
