"""Rules as text for people."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from laconic.data.labels import label_text
from laconic.data.literals import Interval, Literal, Threshold
from laconic.data.words import number_text, sum_texts
from laconic.problem.parts import Part, taken_apart
from laconic.runtime.texts import visible

ALIGN_WITHIN = 70
"""Maximum width of an aligned column; wider cells do not move the others."""

if TYPE_CHECKING:
    from laconic.model.decision_set import DecisionSet
    from laconic.model.proof import Proof
    from laconic.model.rule import Rule


def conditions_text(literals: Sequence[Literal]) -> str:
    """Write the conditions of a rule, names as they are; two thresholds on a column read as an interval.

    >>> conditions_text([Threshold("age", ">", 54.0), Threshold("age", "<=", 64.0)])
    '54 < age <= 64'
    >>> conditions_text([])
    'true'
    """
    return " AND ".join(literal.text for literal in merged(literals)) or "true"


def merged(literals: Sequence[Literal]) -> list[Literal]:
    """Join ``x > a`` and ``x <= b`` on one column into an interval, where the first of them stood."""
    shown: list[Literal] = []
    lows = {x.column: x for x in literals if isinstance(x, Threshold) and x.op == ">"}
    highs = {x.column: x for x in literals if isinstance(x, Threshold) and x.op == "<="}
    for literal in literals:
        low, high = lows.get(literal.column), highs.get(literal.column)
        if low is None or high is None or literal not in (low, high):
            shown.append(literal)
            continue
        interval = Interval(literal.column, low.value, high.value, unit=low.unit)
        if interval not in shown:
            shown.append(interval)
    return shown


def set_text(decision_set: DecisionSet) -> str:
    """Write a decision set: one aligned line per rule, then the default, then the proof facts."""
    lines = rule_lines(decision_set)
    return "\n".join([*lines, *accuracy_lines(decision_set), summary_text(decision_set)])


def rule_lines(decision_set: DecisionSet, support: Callable[[Rule], str] | None = None) -> list[str]:
    """Write one aligned line per rule, with its support, and then the default."""
    support = support or support_text
    rows = [
        (visible(f"IF {rule.conditions}"), visible(f"THEN {label_text(rule.label)}"), support(rule))
        for rule in decision_set.rules
    ]
    otherwise = decision_set.else_rule
    if otherwise is not None:
        rows.append(
            (decision_set.else_word, visible(f"THEN {label_text(otherwise.label)}"), support(otherwise))
        )
    elif all(rule.literals for rule in decision_set.rules):
        uncovered = decision_set.default_rows
        note = f"[default; no rule covers {count(uncovered, 'row')}]" if uncovered else "[default]"
        rows.append(("OTHERWISE", visible(f"THEN {label_text(decision_set.default_class)}"), note))
    first, second = (min(max(len(row[k]) for row in rows), ALIGN_WITHIN) for k in (0, 1))
    return [f"{a:<{first}} {b:<{second}}     {c}" for a, b, c in rows]


def accuracy_lines(decision_set: DecisionSet) -> list[str]:
    """Write how many rows are predicted wrongly: in training, in cross-validation, among rows held out."""
    lines = []
    wrong, choice, held_out = decision_set.mispredicted, decision_set.choice, decision_set.held_out
    if wrong is not None and decision_set.class_weights is not None:
        total = sum(decision_set.class_weights, Fraction(0))
        proof = decision_set.proof
        share = f" ({100 * float(wrong / total):.1f} %)" if wrong else ""
        counted = f"{number_text(wrong)} of {number_text(total)}"
        if proof is None or proof.has_plain_weights:
            lines.append(f"wrong on {counted} training rows{share}")
        else:
            lines.append(f"wrong on training rows of weight {counted}{share}")
    if choice is not None and choice.is_measured:
        lines.append(choice.accuracy_text)
    if held_out is not None:
        lines.append(visible(held_out.text))
    return [f"{line[:1].upper()}{line[1:]}." for line in lines]


def summary_text(decision_set: DecisionSet) -> str:
    """Write size, errors and proof facts in one line."""
    parts = [count(len(decision_set.rules) + (decision_set.else_rule is not None), "rule")]
    proof = decision_set.proof
    # Bare rules that never decide are not shown, but the objective pays for them.
    also = (
        "" if proof is None or proof.size == decision_set.size else f" ({proof.size} with unused bare rules)"
    )
    parts.append(f"size {decision_set.size}{also}")
    if proof is not None:
        parts += _cost_text(proof)
        if proof.optimal:
            parts.append("proven optimal")
        else:
            parts.append(f"not proven optimal: {open_text(proof)}")
    return f"({', '.join(parts)})"


def _cost_text(proof: Proof) -> list[str]:
    """Write the terms of the objective, whose sum is the cost."""
    said = []
    if proof.regularization is not None and len(proof.parts) < 2:
        said.append(f"cost {sum_text(proof)}")
    elif proof.errors or not proof.unavoidable_errors:
        said.append(f"errors {number_text(proof.errors / proof.weight_scale)}")
    if proof.unavoidable_errors:
        said.append(f"{number_text(proof.unavoidable_errors / proof.weight_scale)} set aside")
    return said


def sum_text(proof: Proof) -> str:
    """Write a cost; if errors are traded against size alone, as the sum of both terms."""
    cost = Fraction(proof.in_user_units(proof.cost))
    terms = cost_terms(proof)
    if terms is None:
        return number_text(cost)
    of_errors, price = terms
    total, paid, unit = sum_texts(cost, of_errors, price, proof.size)
    if of_errors != proof.errors / proof.weight_scale:
        paid += " for errors"
    return f"{total} = {paid} + {unit} × {proof.size}"


def cost_terms(proof: Proof) -> tuple[Fraction, Fraction] | None:
    """Return the price of errors and of a unit of size if the cost has only these two terms."""
    if proof.regularization is None or len(proof.parts) > 1:
        return None
    asked = proof.constraints
    if asked is not None and proof.measures[0][0] != "size":
        return None
    price = Fraction(proof.in_user_units(proof.literal_cost))
    of_errors = Fraction(proof.in_user_units(proof.cost)) - price * proof.size
    # Costs of conditions and columns are in the cost as well, where the set uses any that have one.
    other = asked is not None and (asked.literal_costs or asked.feature_costs)
    return None if other and of_errors != proof.errors / proof.weight_scale else (of_errors, price)


def open_text(proof: Proof) -> str:
    """Write cost, bound and gap of a set that is not proven optimal; of several measures, of each."""
    if len(proof.parts) > 1:
        return parts_text(proof.parts, proof.cost, proof.lower_bound)
    cost, bound = (number_text(Fraction(proof.in_user_units(x))) for x in (proof.cost, proof.lower_bound))
    return f"cost {cost}, bound {bound}, gap {gap_text(proof.gap)}"


def parts_text(parts: Sequence[Part], cost: int, lower_bound: int) -> str:
    """Write a cost of several measures one by one: those that are proven, the first that is not, the rest.

    >>> one = Fraction(1)
    >>> parts_text([Part("cost", 100, one), Part("longest", 10, one), Part("size", 1, one)], 4339, 4320)
    'cost 43 (proven), longest 3 (bound 2, gap 33.4 %), size 9'
    """
    said = []
    for known in taken_apart(parts, cost, lower_bound):
        text = f"{known.name} {number_text(known.value)}"
        if known.proved:
            text += " (proven)"
        elif known.bound is not None:
            gap = gap_text(float((known.value - known.bound) / known.value))
            text += f" (bound {number_text(known.bound)}, gap {gap})"
        said.append(text)
    return ", ".join(said)


def gap_text(gap: float) -> str:
    """Write a relative gap; a positive one never reads as zero."""
    tenths = math.ceil(round(gap * 1000, 6))
    return f"{max(tenths, int(gap > 0)) / 10:.1f} %"


def count(number: int, noun: str) -> str:
    """Write a number and its noun: ``1 row``, ``50 rows``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def share_text(share: float) -> str:
    """Write a share with two decimals; only all and nothing read as 1.00 and 0.00.

    >>> [share_text(share) for share in (1.0, 0.9999, 0.857, 0.0001, 0.0)]
    ['1.00', '0.99', '0.86', '0.01', '0.00']
    """
    return f"{_kept_apart(share):.2f}"


def percent_text(share: float) -> str:
    """Write a share in percent; only all and nothing read as 100 % and 0 %.

    >>> [percent_text(share) for share in (1.0, 0.9999, 0.5, 0.0001, 0.0)]
    ['100 %', '99 %', '50 %', '1 %', '0 %']
    """
    return f"{100 * _kept_apart(share):.0f} %"


def _kept_apart(share: float) -> float:
    return share if share in (0, 1) else min(max(share, 0.01), 0.99)


def support_text(rule: Rule) -> str:
    """Write how many training rows a rule covers, and which share of them is of its class."""
    return f"[{count(rule.rows, 'row')}, precision {share_text(rule.precision)}]"
