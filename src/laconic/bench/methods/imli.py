"""IMLI: k rules for one class, learned partition by partition with MaxSAT, and the paper's default rule.

The settings are those of the authors' program where the CP 2020 paper names none: λ = 10, and 2^p partitions
of at least 32 rows, each with its share of both classes. The class described is number 1, "the positives";
with more than two classes it is told from all others.
"""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from laconic.bench.methods.api import Answer, Limits, Training
from laconic.bench.methods.imli_model import Chosen, covered, fit_partition
from laconic.bench.rules import DESCRIBED, Rule, RuleSet, binary_rule, default_class
from laconic.runtime.budget import Budget

SMALLEST_PARTITION = 32
"""Rows per partition, at least."""

_SHARE = 0.75
"""Of the time left, what one partition may take if others follow."""


def run(
    training: Training,
    limits: Limits,
    *,
    n_rules: int,
    fidelity: int = 10,
    n_partitions: int | None = None,
) -> Answer:
    """Learn rules for class 1.

    Parameters
    ----------
    training, limits
    n_rules : int
        k.
    fidelity : int
        λ: what a wrong row costs, in literals.
    n_partitions : int, optional
        By default the largest power of two that leaves 32 rows to each.
    """
    budget = Budget(limits.seconds)
    start = time.monotonic()
    positive = training.labels == DESCRIBED
    parts = partitions(positive, n_partitions or default_partitions(positive.size), limits.seed)
    chosen: Chosen | None = None
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
    if chosen is None:  # not even a first model in the whole time: nothing is said but the default
        chosen = np.zeros((0, 2 * len(training.names)), bool)
    wrong = int((covered(chosen, training.matrix) != positive).sum())
    rules = stated(training, chosen)
    return Answer(
        RuleSet(rules, training.classes[default_class(training.labels, len(training.classes), DESCRIBED)]),
        # A heuristic: it claims no optimum over all rows, only whether each partition was solved.
        optimal=False if counts["unfinished"] else None,
        cost=int(chosen.sum()) + fidelity * wrong,
        seconds={"solve": time.monotonic() - start},
        counts={**counts, "impossible_rules": chosen.shape[0] - len(rules)},
    )


def default_partitions(n_rows: int) -> int:
    """Return the largest power of two that leaves enough rows to each partition; at least one."""
    return 1 << max(0, (n_rows // SMALLEST_PARTITION).bit_length() - 1)


def partitions(positive: NDArray[np.bool_], count: int, seed: int) -> list[NDArray[np.int64]]:
    """Split the rows at random, with an equal share of both classes in each part."""
    random = np.random.default_rng(seed)
    shuffled = [random.permutation(np.flatnonzero(positive == side)) for side in (False, True)]
    shares = [np.array_split(rows, count) for rows in shuffled]
    return [np.concatenate(share) for share in zip(*shares, strict=True)]


def stated(training: Training, chosen: Chosen) -> tuple[Rule, ...]:
    """Return the rules in the neutral form, without those that ask for a literal and its opposite."""
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
