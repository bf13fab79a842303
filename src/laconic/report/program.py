"""The decision set as data for the page's own evaluator, ``templates/report.js``.

As much as possible is computed here, so that the script stays small: the order in which rules decide is a
list, infinite ends are null, and every equality lists the number, the truth value and the text that it
accepts. `laconic.data.cells.Cells.equal_to` defines how cells compare.
"""

from __future__ import annotations

import math
from typing import Any

from laconic.data.cells import format_number, text_of
from laconic.data.literals import Among, Equals, Literal, literal_to_dict
from laconic.model.decision_set import DecisionSet
from laconic.model.predict import best_first
from laconic.model.render import merged


def program(model: DecisionSet) -> dict[str, Any]:
    """Return rules, their precedence and the fallback as plain data."""
    rules = model.rules
    codes = {one.name: one.reading.codes for one in model.columns if one.reading is not None}
    place = {name: k for k, name in enumerate(model.used_columns)}
    return {
        "classes": [str(label) for label in model.classes],
        "columns": list(model.used_columns),
        "rules": [
            {
                "target": rule.target,
                "laplace": f"{rule.laplace_precision:.2f}",
                "conditions": [
                    {**_condition(literal, codes.get(literal.column)), "column": place[literal.column]}
                    for literal in merged(rule.literals)
                ],
            }
            for rule in rules
        ],
        "order": best_first(rules),
        "fallback": {
            "target": model.classes.index(model.fallback_class),
            "reason": "default" if model.else_rule is None else model.else_word.lower(),
        },
    }


def _condition(literal: Literal, codes: tuple[float, ...] | None) -> dict[str, Any]:
    data = {**literal_to_dict(literal), "text": str(literal)}
    if codes and literal.kind in {"threshold", "interval"}:
        data["except"] = list(codes)
    if isinstance(literal, Equals):
        data["accepts"] = _accepted(literal.value)
    if isinstance(literal, Among):
        data["accepts"] = [_accepted(value) for value in literal.values]
    return data


def _accepted(value: str | int | float | bool) -> dict[str, Any]:
    """Return the number, the truth value (as a number), the text and the kind of text that equal a value."""
    if isinstance(value, bool):
        return {"number": int(value), "truth": int(value), "text": str(value), "reading": "truth"}
    if isinstance(value, int | float):
        return {"number": value, "truth": value, "text": text_of(value), "reading": "number"}
    truth = {"true": 1, "false": 0}.get(value.lower())
    return {"number": _number_written(value), "truth": truth, "text": value, "reading": "exact"}


def _number_written(text: str) -> float | None:
    """Return the number that is written exactly like this text, if there is one."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and format_number(number) == text else None
