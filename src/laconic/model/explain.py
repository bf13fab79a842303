"""Explanations of predictions: every rule compared with the row's values, as data and as text.

One explanation has `to_text` for people and `to_dict` for programs; those of a table also have `to_frame` and
`to_json`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import pandas as pd

from laconic.data.cells import text_of
from laconic.data.column import View
from laconic.data.labels import Label, label_text
from laconic.data.literals import Literal
from laconic.model.counterfactual import Changer, Counterfactual
from laconic.model.predict import NO_RULE, deciding_rules, literal_masks, rule_masks
from laconic.model.render import conditions_text, merged, support_text
from laconic.model.rule import Rule
from laconic.runtime.texts import visible

if TYPE_CHECKING:
    from laconic.model.decision_set import DecisionSet


class Reason(Enum):
    """What led to a prediction."""

    RULE = "rule"  # rules of one class cover the row
    CONFLICT = "conflict"  # rules of several classes do; the best Laplace precision decides
    ELSE = "else"  # no other rule covers the row, so the else rule does
    OTHERWISE = "otherwise"  # no other rule covers the row, so the OTHERWISE rule does
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
        return f"{self.literal} (it is {visible(text_of(self.value))})"


@dataclass(frozen=True, slots=True)
class RuleCheck:
    """A rule compared with a row; ``number`` counts the rules of the set from 1."""

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
        values = {condition.literal.column: condition.value for condition in self.conditions}
        shown = [Condition(x, values[x.column], self.covers) for x in merged(self.rule.literals)]
        conditions = " AND ".join(map(str, shown)) or "true"
        return f"rule {self.number}: IF {conditions} THEN {visible(label_text(self.rule.label))}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "number": self.number,
            "text": self.rule.text,
            "class": self.rule.label,
            "covers": self.covers,
            "conditions": [
                {
                    "text": one.literal.text,
                    "column": one.literal.column,
                    "value": one.value,
                    "holds": one.holds,
                }
                for one in self.conditions
            ],
        }


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
    counterfactual : Counterfactual or None
        What the nearest rule of another class asks for; ``None`` if no such rule can cover the row.
    else_rule : Rule or None
        The else or OTHERWISE rule, if it decides.
    """

    row: Any
    prediction: Label
    reason: Reason
    checks: tuple[RuleCheck, ...]
    deciding: RuleCheck | None
    counterfactual: Counterfactual | None = None
    else_rule: Rule | None = None

    @property
    def covering(self) -> tuple[RuleCheck, ...]:
        """The rules that cover the row."""
        return tuple(check for check in self.checks if check.covers)

    def to_text(self) -> str:
        """Write the explanation for people: the deciding rules, the row's values, the nearest change."""
        lines = [self._headline(), *(f"  {check}" for check in self.covering)]
        if self.counterfactual is not None:
            lines.append(f"  {self.counterfactual}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "row": self.row if isinstance(self.row, str | int | float) else str(self.row),
            "prediction": self.prediction,
            "reason": self.reason.value,
            "deciding_rule": None if self.deciding is None else self.deciding.number,
            **({} if self.reason is not Reason.OTHERWISE else {"otherwise": self._otherwise()}),
            "rules": [check.to_dict() for check in self.checks],
            "counterfactual": None if self.counterfactual is None else self.counterfactual.to_dict(),
        }

    def __str__(self) -> str:
        return self.to_text()

    def _otherwise(self) -> dict[str, Any]:
        """Return the figures of the OTHERWISE rule on the training rows."""
        assert self.else_rule is not None
        return {"rows": self.else_rule.rows, "precision": self.else_rule.precision}

    def _headline(self) -> str:
        head = visible(f"row {self.row}: {self.prediction}")
        if self.reason is Reason.OTHERWISE:
            assert self.else_rule is not None
            return f"{head}, by the OTHERWISE rule {support_text(self.else_rule)}: no other rule covers it"
        if self.deciding is None:
            by_default = self.reason is Reason.DEFAULT
            why = "no rule covers it" if by_default else "no other rule covers it"
            return f"{head}, by the {'default class' if by_default else 'else rule'}: {why}"
        if self.reason is Reason.RULE:
            return f"{head}, because"
        rivals = sorted(
            {check.rule.target: visible(label_text(check.rule.label)) for check in self.covering}.items()
        )
        listed = ", ".join(label for _, label in rivals)
        precision = self.deciding.rule.laplace_precision
        return (
            f"{head}, although rules of {len(rivals)} classes cover it ({listed}): "
            f"rule {self.deciding.number} has the best Laplace precision ({precision:.2f})"
        )


class Explanations(Sequence[Explanation]):
    """The explanations of the rows of a table, in their order."""

    def __init__(self, explained: Sequence[Explanation]) -> None:
        self._explained = tuple(explained)

    @overload
    def __getitem__(self, index: int) -> Explanation: ...

    @overload
    def __getitem__(self, index: slice) -> Explanations: ...

    def __getitem__(self, index: int | slice) -> Explanation | Explanations:
        found = self._explained[index]
        return found if isinstance(found, Explanation) else Explanations(found)

    def __len__(self) -> int:
        return len(self._explained)

    def __iter__(self) -> Iterator[Explanation]:
        return iter(self._explained)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<explanations of {len(self)} rows>"

    def to_text(self) -> str:
        """Write all explanations for people."""
        return "\n".join(one.to_text() for one in self)

    def to_list(self) -> list[dict[str, Any]]:
        """Return plain data for JSON, one dictionary per row."""
        return [one.to_dict() for one in self]

    def to_json(self) -> str:
        """Write all explanations as JSON."""
        return json.dumps(self.to_list(), ensure_ascii=False, allow_nan=False)

    def to_frame(self) -> pd.DataFrame:
        """Return one line per row.

        Columns: the prediction, its reason, the deciding rule and its conditions, the numbers of all
        covering rules, and of the nearest rule of another class its number, the changes it asks for and the
        prediction they lead to.
        """
        changes = [one.counterfactual for one in self]
        return pd.DataFrame(
            {
                "prediction": [one.prediction for one in self],
                "reason": [one.reason.value for one in self],
                "rule": _numbers([one.deciding for one in self]),
                "conditions": [one.deciding and one.deciding.rule.conditions for one in self],
                "covering": [tuple(check.number for check in one.covering) for one in self],
                "nearest_rule": _numbers([None if one is None else one.check for one in changes]),
                "change": [
                    one and " AND ".join(conditions_text(change.conditions) for change in one.changes)
                    for one in changes
                ],
                "changed_prediction": [one and one.prediction for one in changes],
            },
            index=pd.Index([one.row for one in self], tupleize_cols=False),
        )


def _numbers(checks: Sequence[RuleCheck | None]) -> pd.api.extensions.ExtensionArray:
    return pd.array([None if check is None else check.number for check in checks], dtype="Int64")


def explanations(decision_set: DecisionSet, rows: View) -> Explanations:
    """Explain every row."""
    changer = Changer(decision_set)
    rules = decision_set.rules
    masks = literal_masks((literal for rule in rules for literal in rule.literals), rows)
    covered = rule_masks(rules, rows)
    chosen = deciding_rules(rules, covered)
    values = {name: cells.values.to_numpy(dtype=object) for name, cells in rows.cells.items()}
    missing = {name: cells.missing for name, cells in rows.cells.items()}
    no_rule = Reason.DEFAULT if decision_set.else_rule is None else Reason(decision_set.else_word.lower())

    def condition(literal: Literal, i: int) -> Condition:
        value = None if missing[literal.column][i] else _plain(values[literal.column][i])
        return Condition(literal, value, bool(masks[literal][i]))

    found = []
    for i, label in enumerate(rows.index.tolist()):
        checks = tuple(
            RuleCheck(k + 1, rule, tuple(condition(literal, i) for literal in rule.literals))
            for k, rule in enumerate(rules)
        )
        deciding = None if chosen[i] == NO_RULE else checks[chosen[i]]
        prediction = decision_set.fallback_class if deciding is None else deciding.rule.label
        n_classes = len({check.rule.target for check in checks if check.covers})
        reason = no_rule if deciding is None else Reason.RULE if n_classes == 1 else Reason.CONFLICT
        nearest = changer.nearest(checks, prediction)
        otherwise = decision_set.else_rule if deciding is None else None
        found.append(Explanation(label, prediction, reason, checks, deciding, nearest, otherwise))
    return Explanations(found)


def _plain(value: Any) -> Any:
    """Return a cell as a value that JSON can hold."""
    value = value.item() if isinstance(value, np.generic) else value
    return value if isinstance(value, str | int | float) else str(value)
