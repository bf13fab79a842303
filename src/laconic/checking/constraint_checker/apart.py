"""A proof class by class that the capped sums, each times a multiplier, exceed their caps together.

The constraints that tie rules together are dropped, and every literal costs as much as the cheapest one. Both
only make sets cheaper, so a lower bound of the remaining problem, whose classes are independent, holds for
admissible sets.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from laconic.checking.checker import LIMIT, ClassProblem, Malformed, Refuted, Spend, walk
from laconic.checking.constraint_checker import reading
from laconic.checking.constraint_checker.statement import Capped, Statement


def check_apart(statement: Statement, capped: Sequence[tuple[int, Capped]], proof: Any, spend: Spend) -> None:
    """Prove that no admissible set keeps all the caps."""
    multipliers = reading.wholes(proof.get("multipliers"), "multipliers", len(statement.levels) + 3)
    classes = reading.entry(proof, "classes", list)
    if [reading.entry(one, "class", int) for one in classes] != statement.classes:
        raise Malformed("there is not one proof for each class that has rows")
    if any(multipliers[k] for k in range(len(multipliers)) if k not in dict(capped)):
        raise Refuted("it multiplies what is not limited")
    needed = share(statement) * sum(multipliers[k] * one.cap for k, one in capped)
    total = sum(reading.whole(one.get("bound"), "a bound") for one in classes)
    if total <= needed:
        raise Refuted(f"the classes' bounds make {total}, but more than {needed} is to be proved")
    for one in classes:
        problem = of_class(statement, capped, multipliers, one["class"])
        try:
            walk(reading.entry(one, "proof", dict), problem, one["bound"] - problem.constant, spend)
        except Refuted as reason:
            raise Refuted(f"class {one['class']}: {reason}") from None


def share(statement: Statement) -> int:
    """Return the factor on the classes' costs: an error counted per row is the fault of several classes."""
    return 2 * (len(statement.classes) - 1) if statement.per_row and len(statement.classes) > 1 else 1


def of_class(
    statement: Statement, capped: Sequence[tuple[int, Capped]], multipliers: Sequence[int], target: int
) -> ClassProblem:
    """Return one class's part of the capped sums, each times its multiplier."""
    times = share(statement)
    errors, rule = (
        sum(multipliers[k] * part for k, part in parts)
        for parts in ([(k, one.errors) for k, one in capped], [(k, one.rule) for k, one in capped])
    )
    codes = np.flatnonzero(statement.usable[target])
    features = {int(code) // 2 for code in codes}
    literal = min(
        (sum(multipliers[k] * one.literals[f] for k, one in capped) for f in features), default=rule
    )
    missed, claimed = statement.missed_cost[:, target], statement.claimed_cost[:, target]
    if max(int(missed.sum()), int(claimed.sum()), 1) * errors * times + (rule + literal) * times >= LIMIT:
        raise Refuted("its multipliers are beyond exact arithmetic")
    # Per row, an error is at least half its own class's fault plus half the mean of the others'.
    own, others = missed * errors * max(1, times // 2), claimed * errors
    if statement.hard:
        own = (statement.weights[:, target] > 0).astype(np.int64)
        others = statement.outside(target).astype(np.int64)
    return ClassProblem(
        holds=statement.matrix.T[codes // 2] == (codes % 2 == 1)[:, None],
        codes=codes,
        pos=np.flatnonzero(own > others),
        neg=np.flatnonzero(own < others),
        weight=np.abs(own - others),
        hard=statement.hard,
        rule_cost=rule * times,
        literal_cost=literal * times,
        constant=0 if statement.hard else int(np.minimum(own, others).sum()),
        some=(np.empty(0, np.int64),) if statement.every_class else (),
    )
