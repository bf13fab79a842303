"""IMLI: k rules for one class, learned partition by partition with MaxSAT, and the paper's default rule.

Where the CP 2020 paper names no settings, they are those of the authors' program: λ = 10, and 2^p partitions
of at least 32 rows, each with its share of both classes. The described class is number 1, "the positives";
with more than two classes, all others are the negatives.
"""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from laconic.bench.methods.api import Limits, MethodAnswer, Training
from laconic.bench.methods.imli_model import Selected, covered, fit_partition
from laconic.bench.rules import DESCRIBED, NeutralRule, RuleSet, binary_rule, default_class

SMALLEST_PARTITION = 32
"""Minimum number of rows per partition."""

_SHARE = 0.75
"""Share of the remaining time for one partition, if others follow."""


def run(
    training: Training,
    limits: Limits,
    *,
    n_rules: int,
    fidelity: int = 10,
    n_partitions: int | None = None,
) -> MethodAnswer:
    """Learn rules for class 1.

    Parameters
    ----------
    training, limits
    n_rules : int
        k, the number of rules.
    fidelity : int
        λ: the cost of a wrong row in literals.
    n_partitions : int, optional
        By default the largest power of two that leaves 32 rows in each partition.
    """
    budget = limits.budget()
    start = time.monotonic()
    positive = training.labels == DESCRIBED
    parts = partitions(positive, n_partitions or default_partitions(positive.size), limits.seed)
    chosen: Selected | None = None
    counts = {"partitions": len(parts), "unfinished": 0, "clauses": 0, "conflicts": 0}
    for k, rows in enumerate(parts):
        if budget.expired():
            counts["unfinished"] += len(parts) - k
            break
        fitted = fit_partition(
            training.matrix[rows],
            positive[rows],
            chosen,
            n_rules=n_rules,
            fidelity=fidelity,
            budget=budget.part(1.0 if k + 1 == len(parts) else _SHARE),
        )
        chosen = chosen if fitted.chosen is None else fitted.chosen
        counts["unfinished"] += fitted.cost is None
        counts["clauses"] += fitted.clauses
        counts["conflicts"] += fitted.conflicts
    if chosen is None:  # no model was found in the whole time, so the answer is the default class alone
        chosen = np.zeros((0, 2 * len(training.names)), bool)
    wrong = int((covered(chosen, training.matrix) != positive).sum())
    rules = neutral_rules(training, chosen)
    return MethodAnswer(
        RuleSet(rules, training.classes[default_class(training.labels, len(training.classes), DESCRIBED)]),
        # A heuristic claims no optimum over all rows; False only says that some partition was not solved.
        optimal=False if counts["unfinished"] else None,
        cost=int(chosen.sum()) + fidelity * wrong,
        seconds={"solve": time.monotonic() - start},
        counts={**counts, "impossible_rules": chosen.shape[0] - len(rules)},
    )


def default_partitions(n_rows: int) -> int:
    """Return the largest power of two that leaves enough rows in each partition; at least one."""
    return 1 << max(0, (n_rows // SMALLEST_PARTITION).bit_length() - 1)


def partitions(positive: NDArray[np.bool_], count: int, seed: int) -> list[NDArray[np.int64]]:
    """Split the rows at random, with an equal share of both classes in each part."""
    random = np.random.default_rng(seed)
    shuffled = [random.permutation(np.flatnonzero(positive == side)) for side in (False, True)]
    shares = [np.array_split(rows, count) for rows in shuffled]
    return [np.concatenate(share) for share in zip(*shares, strict=True)]


def neutral_rules(training: Training, chosen: Selected) -> tuple[NeutralRule, ...]:
    """Return the rules in the neutral form, without contradictory ones."""
    possible = [rule for rule in chosen if not (rule[::2] & rule[1::2]).any()]
    return tuple(
        binary_rule(
            training.names,
            [(int(code) >> 1, bool(code & 1)) for code in np.flatnonzero(rule)],
            training.classes,
            DESCRIBED,
        )
        for rule in possible
    )
