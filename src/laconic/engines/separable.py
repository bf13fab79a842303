"""Whether usable literals separate the classes, and the error if they do not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from laconic.data.bits import pack_rows
from laconic.data.table import Table, grouped
from laconic.problem.coded import CodedRule
from laconic.problem.constraints.evaluate import coverage
from laconic.problem.objective import Problem, otherwise_class
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError

MOST_COMPARED = 10**11
"""Literals of pairs of rows that are compared to see whether all errors are avoidable."""


def inseparable(row: int, target: int) -> InputError:
    """Return the error for a unique row that every rule of its class covers along with another class."""
    return InputError(
        f"no rule of allowed literals separates unique row {row} (class {target}) from the rows "
        "of other classes; allow more literals or use objective='sparse'"
    )


def inseparable_row(problem: Problem, rules: Sequence[CodedRule]) -> InputError | None:
    """Return the error for the first row that no rule can cover, or ``None`` if there is no such row.

    Rows covered by an error-free rule among ``rules`` are skipped. The rule made of all literals that hold on
    a row has the smallest cover of all rules over that row; if it covers a row of another class, every rule
    does.
    """
    table, matrix = problem.table, problem.table.matrix
    own = table.weights > 0
    given = otherwise_class(problem, rules)
    if given is not None:
        own[:, given] = False
    flawless = [
        rule
        for rule in rules
        if not (coverage(table, [rule])[:, rule.target] & table.rows_outside(rule.target)).any()
    ]
    for row, target in np.argwhere(own & ~coverage(table, flawless)).tolist():
        usable = problem.constraints.usable[target]
        holding = usable[np.arange(table.n_features), matrix[row].astype(int)]
        alike = (matrix[:, holding] == matrix[row, holding]).all(axis=1)
        if table.rows_outside(target)[alike].any():
            return inseparable(row, target)
    return None


def check_separable(problem: Problem, budget: Budget) -> set[int]:
    """Refuse a perfect problem whose usable literals cannot separate the classes; stop when time is up.

    An OTHERWISE line may give one class that cannot be separated; that class is returned.
    """
    if not problem.hard:
        return set()
    rows = {c: row for c in problem.classes if (row := _inseparable_row(problem, c, budget)) is not None}
    if len(rows) <= problem.otherwise:
        return set(rows)
    if problem.constraints.any_set:
        target, row = rows.popitem()
        raise inseparable(row, target)
    raise InputError(
        "no decision set without avoidable errors meets the constraints "
        f"({'; '.join(problem.constraints.words)}): the conditions that may be used do not "
        "separate the classes; loosen them or use objective='sparse'"
    )


def _inseparable_row(problem: Problem, target: int, budget: Budget) -> int | None:
    """Return the first row of a class that no rule can cover without a row of another class.

    A row of another class cannot be excluded if it satisfies every usable literal of a row. Then both have
    the same values where both literals of a feature are usable, so only such rows are compared.
    """
    usable, matrix = problem.constraints.usable[target], problem.table.matrix
    if usable.all():
        return None  # rows differ
    free = usable.all(axis=1)
    holds = np.concatenate([~matrix & usable[:, 0], matrix & usable[:, 1]], axis=1)
    group_of, _ = grouped(pack_rows(matrix[:, free]))
    own, outside = problem.table.rows_in(target), problem.table.rows_outside(target)
    for group in np.intersect1d(group_of[own], group_of[outside]):
        members = group_of == group
        others = holds[members & outside]
        for row in np.flatnonzero(members & own).tolist():
            if budget.expired():
                return None
            if others[:, holds[row]].all(axis=1).any():
                return row
    return None


def separates(
    table: Table, usable: NDArray[np.bool_], positives: NDArray[np.int64], negatives: NDArray[np.int64]
) -> bool:
    """Whether usable literals exclude all negatives from all positives; False if that is slow to check."""
    if usable.all():
        return True  # rows differ
    both = np.stack([~table.matrix, table.matrix], axis=2).reshape(table.n_rows, -1)[:, usable.ravel()]
    if positives.size * negatives.size * both.shape[1] > MOST_COMPARED:
        return False
    excluded_by = (~both[negatives]).astype(np.float32).T
    return all(
        ((both[positives[k : k + 256]].astype(np.float32) @ excluded_by) > 0).all()
        for k in range(0, positives.size, 256)
    )
