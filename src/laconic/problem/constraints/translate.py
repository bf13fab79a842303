"""From the user's words to the numbers of one table; contradictions are refused here, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic.data.column import Column
from laconic.data.labels import label_tuple
from laconic.data.literals import Equals, Feature, contradiction
from laconic.data.table import Table
from laconic.data.words import as_fraction
from laconic.problem.coded import CodedRule, rows_covered
from laconic.problem.constraints.class_weights import class_factors
from laconic.problem.constraints.compiled import CompiledConstraints
from laconic.problem.constraints.constraints import FINEST, Constraints, Number, on_a_grid
from laconic.problem.constraints.evaluate import broken, good_enough
from laconic.problem.constraints.wording import Vocabulary, direction, operator_of
from laconic.runtime.errors import InputError

POSITIVE = ("<=", "is", "in", "within", "is missing")


def compiled_constraints(
    constraints: Constraints,
    table: Table,
    features: Sequence[Feature],
    columns: Sequence[Column],
    classes: NDArray[Any],
    *,
    objective: str,
    per_row: bool = False,
    finer: int = 1,
) -> CompiledConstraints:
    """Return the compiled constraints for a table.

    Parameters
    ----------
    constraints : Constraints
    table : Table
        All rows, not reduced.
    features, columns, classes
        What the table's features and classes mean.
    objective : str
        As the user named it: not every constraint goes with every objective.
    per_row : bool
        Whether errors are counted per row.
    finer : int
        As `laconic.problem.objective.Objective.finer`.
    """
    _check_objective(constraints, objective, per_row=per_row)
    names = [column.name for column in columns]
    labels = label_tuple(classes)
    words = Vocabulary(features, names, labels)
    number = {name: k for k, name in enumerate(names)}
    ones = (Fraction(1),) * len(labels)
    compiled = CompiledConstraints(
        usable=_usable(constraints, words, columns, table.n_features, [str(label) for label in labels]),
        column_of=np.array([number[feature.positive.column] for feature in features], dtype=np.int64),
        n_columns=len(names),
        measure=_measure(constraints, objective),
        literal_factor=_by_column(constraints.literal_costs, "literal_costs", words, len(names), Fraction(1)),
        column_cost=_by_column(constraints.feature_costs, "feature_costs", words, len(names), Fraction(0)),
        class_factor=ones,
        miss_factor=_by_class(constraints.false_negative_costs, "false_negative_costs", words, ones),
        claim_factor=_by_class(constraints.false_positive_costs, "false_positive_costs", words, ones),
        seen=table.weights,
        max_rules=constraints.max_rules,
        max_rule_length=constraints.max_rule_length,
        max_literals=constraints.max_literals,
        max_size=constraints.max_size,
        required=tuple(words.column_or_condition(text, "required") for text in constraints.required),
        rules_in=frozenset(words.rule(text, "rules_in") for text in constraints.rules_in),
        rules_out=frozenset(words.rule(text, "rules_out") for text in constraints.rules_out),
        disjoint=constraints.disjoint,
        min_precision=Fraction(0)
        if constraints.min_precision is None
        else as_fraction(constraints.min_precision, FINEST),
        min_support=constraints.min_support or 1,
        words=tuple(_in_short(name, value) for name, value in constraints.to_document().items()),
    )
    factors, notes = class_factors(
        constraints.class_weight, words, table, per_row=per_row, tied=not compiled.by_class, finer=finer
    )
    compiled = replace(compiled, class_factor=factors, notes=notes)
    _refuse_contradictions(constraints, compiled, table, words)
    return compiled


def _check_objective(constraints: Constraints, objective: str, *, per_row: bool) -> None:
    if objective.startswith("min_rules"):
        for name in ("literal_costs", "feature_costs"):
            if getattr(constraints, name):
                raise InputError(
                    f"{name} are in units of size, but objective={objective!r} counts rules; use 'perfect'"
                )
        if constraints.measure != ("size",):
            raise InputError(
                f"objective={objective!r} is a measure itself; use objective='perfect' with measure"
            )
    asymmetric = constraints.false_positive_costs or constraints.false_negative_costs
    if asymmetric and objective != "sparse":
        raise InputError(
            "costs of false positives and negatives need objective='sparse'; "
            f"{objective!r} avoids all errors that can be avoided"
        )
    if asymmetric and per_row:
        raise InputError("costs of false positives and negatives need counting='per_class'")


def _measure(constraints: Constraints, objective: str) -> tuple[str, ...]:
    if objective == "min_rules":
        return ("rules",)
    if objective == "min_rules_then_literals":
        return ("rules", "literals")
    asked = tuple(constraints.measure)
    return asked if "size" in asked else (*asked, "size")


def _usable(
    constraints: Constraints, words: Vocabulary, columns: Sequence[Column], n_features: int, labels: list[str]
) -> NDArray[np.bool_]:
    usable = np.zeros((len(labels), 2 * n_features), bool)
    usable[:, list(words.literals)] = True
    operators = POSITIVE if constraints.positive else constraints.operators
    for code, literal in words.literals.items():
        if operators is not None and operator_of(literal) not in operators:
            usable[:, code] = False
        if constraints.positive and isinstance(literal, Equals) and literal.value in (0, False):
            usable[:, code] = False
    for text in constraints.forbidden:
        usable[:, sorted(words.column_or_condition(text, "forbidden"))] = False
    for name, towards in (constraints.monotone or {}).items():
        kind = columns[words.column(name, "monotone")].kind
        for label, way in towards.items():
            target = words.label(label, f"monotone of column {name!r}")
            _restrict(usable, words, name, kind, target, 1 if way == "increasing" else -1)
        if len(set(towards.values())) < len(towards):
            raise InputError(
                f"monotone: column {name!r} cannot be {next(iter(towards.values()))} towards two classes; "
                "what speaks for one of them speaks against the other"
            )
    return usable.reshape(len(labels), n_features, 2)


def _restrict(
    usable: NDArray[np.bool_], words: Vocabulary, name: str, kind: str, target: int, way: int
) -> None:
    """Leave rules of a class the literals that higher values keep (``way`` 1), other classes the others."""
    codes = words.of_column(name)
    slopes = {code: direction(words.literals[code]) for code in codes}
    values = {code: one.value for code in codes if isinstance(one := words.literals[code], Equals)}
    if kind == "numeric":  # what equals a special code is neither more nor less
        slopes = {code: slope for code, slope in slopes.items() if code not in values}
    elif values:
        distinct = set(values.values())
        if kind == "category" or len(distinct) != 2 or any(isinstance(value, str) for value in distinct):
            raise InputError(
                f"monotone: column {name!r} has no order; only columns of numbers can be monotone"
            )
        slopes |= {code: 1 if value == max(distinct) else -1 for code, value in values.items()}
    others = np.arange(usable.shape[0]) != target
    for code, slope in slopes.items():
        if operator_of(words.literals[code]) in {"is missing", "is present"}:
            continue
        if slope != way:
            usable[target, code] = False
        if slope != -way:
            usable[others, code] = False


def _by_column(
    costs: Mapping[str, Number] | None, name: str, words: Vocabulary, n: int, default: Fraction
) -> tuple[Fraction, ...]:
    found = [default] * n
    for column, cost in (costs or {}).items():
        found[words.column(column, name)] = as_fraction(cost, FINEST)
    return on_a_grid(found)


def _by_class(
    costs: Mapping[Any, Number] | None, name: str, words: Vocabulary, ones: tuple[Fraction, ...]
) -> tuple[Fraction, ...]:
    found = list(ones)
    for label, cost in (costs or {}).items():
        found[words.label(label, name)] = as_fraction(cost, FINEST)
    return on_a_grid(found)


def _in_short(name: str, value: object) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return f"{name} = {text if len(text) <= 60 else text[:57] + '…'}"


def _refuse_contradictions(
    constraints: Constraints, compiled: CompiledConstraints, table: Table, words: Vocabulary
) -> None:
    """Refuse constraints that no table satisfies, and required rules that break other constraints."""
    texts = dict(
        zip(constraints.rules_in, (words.rule(t, "rules_in") for t in constraints.rules_in), strict=True)
    )
    for text, rule in texts.items():
        _check_constrained(text, rule, constraints, compiled, table, words)
    for text, group in zip(constraints.required, compiled.required, strict=True):
        if not compiled.usable.reshape(compiled.usable.shape[0], -1)[:, sorted(group)].any():
            raise InputError(
                f"required {text!r} cannot be used: other constraints forbid every condition on it"
            )
    rules = sorted(compiled.rules_in)
    reason = broken(table, replace(compiled, required=()), rules)
    if reason is not None:
        raise InputError(
            f"the rules that must be in break {reason} = {getattr(constraints, reason, reason)} themselves"
        )
    short = {"max_rules": 1, "max_rule_length": 1, "max_literals": 1, "max_size": 2}
    for name, least in short.items():
        limit = getattr(constraints, name)
        if compiled.required and limit is not None and limit < least:
            raise InputError(f"required {constraints.required[0]!r} needs a rule, but {name} is {limit}")


def _check_constrained(
    text: str,
    rule: CodedRule,
    constraints: Constraints,
    compiled: CompiledConstraints,
    table: Table,
    words: Vocabulary,
) -> None:
    where = f"rules_in: {text!r}"
    column = contradiction([words.literals[code] for code in sorted(rule.literals)])
    if column is not None:
        raise InputError(f"{where} contradicts itself: no value of column {column!r} meets its conditions")
    if rule in compiled.rules_out:
        raise InputError(f"{where} is also in rules_out; leave it out of one of them")
    for code in rule.literals:
        if not compiled.usable[rule.target, code >> 1, code & 1]:
            raise InputError(f"{where} uses {str(words.literals[code])!r}, which other constraints forbid")
    if compiled.max_rule_length is not None and len(rule.literals) > compiled.max_rule_length:
        raise InputError(
            f"{where} has {len(rule.literals)} conditions, but max_rule_length is {compiled.max_rule_length}"
        )
    asked = constraints.min_precision is not None or constraints.min_support is not None
    if asked and not good_enough(table, compiled, rule.target, rows_covered(rule, table)):
        raise InputError(
            f"{where} has not the precision or support that min_precision and min_support ask for"
        )
