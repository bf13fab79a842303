"""Rules that are in a set only because a constraint requires their conditions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from laconic.problem.coded import CodedRule, rows_covered
from laconic.problem.objective import Problem


class ConstraintWarning(UserWarning):
    """A constraint is met by a rule that improves nothing else."""


def superfluous_rules(problem: Problem, rules: Sequence[CodedRule]) -> list[int]:
    """Return the numbers of the rules whose rows of their own class are all covered by other rules of it."""
    own = np.array(
        [rows_covered(rule, problem.table) & (problem.table.weights[:, rule.target] > 0) for rule in rules]
    ).reshape(len(rules), problem.table.n_rows)
    targets = np.array([rule.target for rule in rules])
    times = np.array([own[targets == rule.target].sum(axis=0) for rule in rules]).reshape(own.shape)
    return np.flatnonzero(~(own & (times == 1)).any(axis=1)).tolist()
