"""A decision set as plain text, with scikit-learn's habits: other names for columns and classes, weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from laconic.data.words import number_text
from laconic.model.decision_set import DecisionSet
from laconic.model.render import rule_lines
from laconic.model.rule import Rule
from laconic.runtime.errors import InputError


def export_text(
    decision_set: Any,
    *,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[str] | None = None,
    show_weights: bool = False,
) -> str:
    """Return the rules as text, one line per rule, and the default in the last line.

    Parameters
    ----------
    decision_set : DecisionSetClassifier or DecisionSet
        A fitted classifier, or its decision set.
    feature_names : sequence of str, optional
        Names of the columns, in training order; by default those of the training table.
    class_names : sequence of str, optional
        Names of the classes, in the order of ``classes_``; by default the labels.
    show_weights : bool, default=False
        Whether to write the training weight per class that each rule covers, not its rows and precision.

    Returns
    -------
    str

    Examples
    --------
    >>> from laconic import DecisionSetClassifier, export_text
    >>> clf = DecisionSetClassifier(objective="perfect").fit([[1, 0], [1, 1], [0, 0], [0, 1]], [0, 0, 1, 1])
    >>> print(export_text(clf, feature_names=["owner", "young"], class_names=["no", "yes"]))
    IF owner is 1 THEN no      [2 rows, precision 1.00]
    IF owner is 0 THEN yes     [2 rows, precision 1.00]
    OTHERWISE     THEN no      [default]
    >>> print(export_text(clf, show_weights=True))
    IF x0 is 1 THEN 0     [weights 2, 0]
    IF x0 is 0 THEN 1     [weights 0, 2]
    OTHERWISE  THEN 0     [default]
    """
    shown: DecisionSet = getattr(decision_set, "decision_set_", decision_set)
    if not isinstance(shown, DecisionSet):
        raise InputError(
            f"export_text takes a fitted classifier or a decision set, not {type(shown).__name__}"
        )
    columns = _renamed("feature_names", feature_names, [column.name for column in shown.columns], "columns")
    labels = _renamed("class_names", class_names, list(shown.classes), "classes")

    def with_names(rule: Rule) -> Rule:
        literals = tuple(replace(literal, column=columns[literal.column]) for literal in rule.literals)
        return replace(rule, literals=literals, label=labels[rule.label])

    renamed = replace(
        shown,
        rules=tuple(map(with_names, shown.rules)),
        else_rule=None if shown.else_rule is None else with_names(shown.else_rule),
        default_class=labels[shown.default_class],
    )
    return "\n".join(rule_lines(renamed, _weights if show_weights else None))


def _renamed(parameter: str, names: Sequence[str] | None, known: list[Any], what: str) -> dict[Any, Any]:
    if names is None:
        return {name: name for name in known}
    if len(names) != len(known):
        raise InputError(f"{parameter} has {len(names)} names, but there are {len(known)} {what}")
    return dict(zip(known, map(str, names), strict=True))


def _weights(rule: Rule) -> str:
    return f"[weights {', '.join(number_text(Fraction(weight)) for weight in rule.class_weights)}]"
