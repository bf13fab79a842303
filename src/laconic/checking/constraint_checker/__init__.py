"""The checker of certificates under constraints, budgets and other measures: the standard library and numpy.

``docs/certificates.md`` gives the reasons. A certificate states constraints in integers (`statement`), rules,
and a bound for each level of their cost. A bound b at a level says that no admissible set keeps some sums
within their caps: the earlier levels at most the values of the rules, this level at most b - 1, and limits
and budgets. There are two kinds of proof. *Apart* (`apart`): the sums, each times a multiplier, are bounded
from below class by class, by the proofs of `laconic.checking.checker`. *Together*: the rules that can matter
are listed (`listing`), a program over 0-1 variables describes the admissible sets of them (`program`), and a
tree of multipliers shows that there is none. An OTHERWISE line may give any class, so there is a proof for
each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from laconic.checking.checker import Malformed, Refuted, Spend, TableLike, digest, seal
from laconic.checking.constraint_checker import reading
from laconic.checking.constraint_checker.apart import check_apart
from laconic.checking.constraint_checker.program import check_together
from laconic.checking.constraint_checker.statement import Statement

__all__ = ["Malformed", "Refuted", "Statement", "check", "whole_cost", "without_line"]


def check(document: Any, table: TableLike, spend: Spend) -> tuple[int, int]:
    """Return (cost of the rules, proved lower bound), or raise `Malformed`, `Refuted`, or as ``spend``."""
    if reading.entry(document, "seal", str) != seal(document):
        raise Refuted("it was edited: its seal is not that of its contents")
    if reading.entry(document, "table_digest", str) != digest(table):
        raise Refuted("this is not the data it was made for: the digest of the binary table differs")
    statement = Statement(document, table)
    rules = [
        reading.rule(one, "a rule", statement.n_classes, statement.n_features)
        for one in reading.lists(document, "rules")
    ]
    values = statement.values(rules, spend)
    bounds = reading.wholes(document.get("bounds"), "bounds", len(values))
    cost, total = whole_cost(statement, values), whole_cost(statement, bounds)
    if cost != reading.entry(document, "cost", int):
        raise Refuted(f"its rules cost {cost}, not {document['cost']}")
    if total != reading.entry(document, "lower_bound", int):
        raise Refuted(f"the bounds of its levels make {total}, not {document['lower_bound']}")
    _check_order(statement, values, bounds)
    proofs = reading.entry(document, "proofs", list)
    if len(proofs) != len(bounds):
        raise Malformed("there is not one proof for each level")
    for place, (bound, proof) in enumerate(zip(bounds, proofs, strict=True)):
        if bound == 0 and proof is None:
            continue  # no cost is negative
        try:
            check_level(statement, values, place, bound, proof, spend)
        except Refuted as reason:
            raise Refuted(f"level {place}: {reason}") from None
    return cost, total


def check_level(
    statement: Statement, values: Sequence[int], place: int, bound: int, proof: Any, spend: Spend
) -> None:
    """Prove that no admissible set as good at the levels before costs less than a bound at a level.

    With an OTHERWISE line there is a proof for each class that it may give.
    """
    if statement.otherwise is not None:
        others, least = without_line(statement, values), bound - statement.levels[place].prices.rule
        proofs = reading.entry(proof, "otherwise", list)
        if len(proofs) != len(statement.classes):
            raise Malformed("there is not one proof for each class that OTHERWISE may give")
        for target, one in zip(statement.classes, proofs, strict=True):
            if least > 0:  # no cost is negative
                check_level(statement.without(target), others, place, least, one, spend)
    elif isinstance(proof, dict) and "classes" in proof:
        check_apart(statement, statement.capped(values, place, bound), proof, spend)
    else:
        check_together(statement, statement.capped(values, place, bound), proof, spend)


def without_line(statement: Statement, values: Sequence[int]) -> list[int]:
    """Return the values of the other rules at each level."""
    return [value - level.prices.rule for level, value in zip(statement.levels, values, strict=True)]


def whole_cost(statement: Statement, values: Sequence[int]) -> int:
    """Return the sum of the levels, each times its weight."""
    return sum(level.weight * value for level, value in zip(statement.levels, values, strict=True))


def _check_order(statement: Statement, values: Sequence[int], bounds: Sequence[int]) -> None:
    """Refuse bounds that do not follow one from the other, and weights that let a later level decide."""
    settled, rest = True, whole_cost(statement, bounds)
    for level, value, bound in zip(statement.levels, values, bounds, strict=True):
        if bound > (value if settled else 0):
            raise Refuted("a bound is above what the rules cost, or after one that is below")
        rest -= level.weight * bound
        if level.weight < rest:
            raise Refuted("a level weighs less than the bounds after it")
        settled = settled and bound == value
