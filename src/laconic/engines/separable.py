"""The error for tables without a perfect set: a row that no rule separates from the other classes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from laconic.problem.coded import CodedRule
from laconic.problem.constraints.evaluate import coverage
from laconic.problem.objective import Problem, otherwise_class
from laconic.runtime.errors import InputError


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
