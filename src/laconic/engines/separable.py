"""Where no perfect set exists: a row that no rule of the allowed literals tells from other classes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from laconic.problem.coded import CodedRule
from laconic.problem.constraints.evaluate import coverage
from laconic.problem.objective import Problem, otherwise_class
from laconic.runtime.errors import InputError


def inseparable(row: int, target: int) -> InputError:
    """Return the error for a distinct row that no rule of its class can cover alone."""
    return InputError(
        f"no rule of allowed literals tells distinct row {row} (class {target}) from the rows "
        "of other classes; allow more literals or use objective='sparse'"
    )


def hopeless_row(problem: Problem, rules: Sequence[CodedRule]) -> InputError | None:
    """Return the error for the first row that no rule can cover, if there is one.

    Rows that a flawless one of the rules covers are not looked at. The rule of all literals that hold on a
    row covers least of those that cover it; if it covers a row of another class, every rule does.
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
