"""The options for constraints, and the file of constraints."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from laconic.cli.options import settings_file
from laconic.runtime.errors import InputError

if TYPE_CHECKING:
    from laconic.cli.learning import Asked
    from laconic.problem.constraints.constraints import Constraints

_PANEL = "What the rules must respect"


def _option(*names: str, metavar: str | None = None, help: str) -> Any:
    return typer.Option(*names, metavar=metavar, help=help, rich_help_panel=_PANEL)


ConstraintsFile = Annotated[
    Path | None,
    _option("--constraints", metavar="FILE", help="TOML or JSON with any constraint; see the docs."),
]
MaxRules = Annotated[int | None, _option("--max-rules", metavar="N", help="Maximum number of rules.")]
MaxRuleLength = Annotated[
    int | None, _option("--max-rule-length", metavar="N", help="Maximum number of conditions per rule.")
]
MaxLiterals = Annotated[
    int | None, _option("--max-literals", metavar="N", help="Maximum number of conditions in all rules.")
]
MaxSize = Annotated[
    int | None, _option("--max-size", metavar="N", help="Maximum number of conditions plus rules.")
]
Forbid = Annotated[
    list[str] | None,
    _option("--forbid", metavar="TEXT", help="A column or condition that no rule uses; repeat for more."),
]
Require = Annotated[
    list[str] | None,
    _option("--require", metavar="TEXT", help="A column or condition that some rule uses; repeat for more."),
]
Positive = Annotated[bool, _option("--positive", help="No 'is not', no '>', no 'is 0': positive conditions.")]
Monotone = Annotated[
    list[str] | None,
    _option("--monotone", metavar="COLUMN=+LABEL", help="More of it only speaks for the label; - for less."),
]
Disjoint = Annotated[bool, _option("--disjoint", help="No row is covered by rules of two classes.")]
MinPrecision = Annotated[
    float | None, _option("--min-precision", metavar="P", help="Of every rule, on the training rows.")
]
MinSupport = Annotated[
    int | None, _option("--min-support", metavar="N", help="Training rows that every rule covers at least.")
]
ClassWeight = Annotated[
    list[str] | None,
    _option(
        "--class-weight", metavar="LABEL=W", help="What its errors cost, or 'balanced'; repeat for more."
    ),
]
Measure = Annotated[
    str | None,
    _option(
        "--measure",
        metavar="NAMES",
        help="Keep small, in this order: size, rules, literals, longest, features, average_length.",
    ),
]


def constraints_of(
    constraints: ConstraintsFile = None,
    max_rules: MaxRules = None,
    max_rule_length: MaxRuleLength = None,
    max_literals: MaxLiterals = None,
    max_size: MaxSize = None,
    forbidden: Forbid = None,
    required: Require = None,
    positive: Positive = False,
    monotone: Monotone = None,
    disjoint: Disjoint = False,
    min_precision: MinPrecision = None,
    min_support: MinSupport = None,
    class_weight: ClassWeight = None,
    measure: Measure = None,
) -> Constraints | None:
    """Return the constraints of a file and of options; None if there are none."""
    from laconic.problem.constraints.constraints import combined

    given = {
        "max_rules": max_rules,
        "max_rule_length": max_rule_length,
        "max_literals": max_literals,
        "max_size": max_size,
        "forbidden": forbidden or None,
        "required": required or None,
        "positive": positive or None,
        "monotone": _monotone(monotone) if monotone else None,
        "disjoint": disjoint or None,
        "min_precision": min_precision,
        "min_support": min_support,
        "class_weight": _class_weight(class_weight) if class_weight else None,
        "measure": measure,
    }
    return combined(None if constraints is None else settings_file(constraints, "constraints file"), **given)


def directed(constraints: Constraints | None, asked: Asked) -> Constraints | None:
    """Return the constraints, with the directions that the settings of columns name."""
    from laconic.problem.constraints.directions import with_directions

    return with_directions(constraints, asked.settings)


def constraints_file(context: typer.Context) -> list[Path]:
    """Return the file that the running command reads constraints from, if any."""
    path = context.params.get("constraints")
    return [] if path is None else [path]


def _monotone(pairs: Sequence[str]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for pair in pairs:
        column, equals, towards = pair.rpartition("=")
        if not equals or not column or towards[:1] not in {"+", "-"} or len(towards) < 2:
            raise InputError(f"--monotone {pair!r} should read column=+label or column=-label")
        way = "increasing" if towards[0] == "+" else "decreasing"
        if found.setdefault(column, {}).setdefault(towards[1:], way) != way:
            raise InputError(f"--monotone asks for both directions of {column!r}; leave one out")
    return found


def _class_weight(pairs: Sequence[str]) -> dict[str, float | None] | str:
    if list(pairs) == ["balanced"]:
        return "balanced"
    found: dict[str, float | None] = {}
    for pair in pairs:
        label, _, weight = pair.rpartition("=")
        if label in found:
            raise InputError(f"--class-weight names {label!r} twice; leave one out")
        try:
            found[label] = float(weight) if label else None
        except ValueError:
            found[label] = None
        if found[label] is None:
            raise InputError(f"--class-weight {pair!r} should read label=weight, or be balanced")
    return found
