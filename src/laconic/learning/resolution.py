"""What is chosen together with λ: fine or coarse conditions on numbers, and the price of a missed row.

- Six parts for each column of numbers are enough for most tables, and make short searches and round numbers.
  Where finer differences decide, sets over finer conditions do better on rows not learned from.
- With errors counted per class, a rule pays only if it is right on more than half of the rows that it covers.
  Where many classes overlap, few rules are; so missed rows may count more than rows wrongly claimed.

Each is tried by a cross-validation of its own, on top of the best so far. Of equals, the plainer one stands.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from laconic.data.columns import Cutting
from laconic.data.labels import label_tuple
from laconic.data.notes import finer_note
from laconic.data.training import TrainingTable
from laconic.learning.choose import CHOICE_SHARE, Chosen, choose_regularization
from laconic.learning.name_order import NameOrder
from laconic.problem.constraints.constraints import Constraints, combined
from laconic.problem.objective import Counting, Objective, Problem
from laconic.runtime.budget import Budget

FINER_BINS = 15
"""Parts of each column of numbers that are tried besides the default."""

MOST_SAMPLES = 50_000
"""Largest number of samples for which finer conditions are tried."""

MANY_CLASSES = 5
"""Smallest number of classes for which missed rows may count more."""

MISSED = 4
"""What a missed row then counts."""


@dataclass(frozen=True)
class Resolved:
    """Conditions, constraints, λ, and the set that was found on all rows."""

    training: TrainingTable
    by_name: NameOrder
    constraints: Constraints | None
    known: Problem
    found: Chosen


@dataclass(frozen=True)
class Resolving:
    """How a training table becomes a problem, and the settings of each cross-validation.

    Attributes
    ----------
    problem_on : callable
        Returns the problem on a training table in the order of names, under constraints.
    budget : Budget
        Of which the choice takes a share, if it is limited.
    seed, n_jobs, report, whole_rows
        As for `choose_regularization`.
    """

    problem_on: Callable[[TrainingTable, NameOrder, Constraints | None], Problem]
    budget: Budget
    seed: int = 0
    n_jobs: int = 1
    report: Callable[[str], None] = lambda _: None
    whole_rows: bool = False

    def one(self, training: TrainingTable, constraints: Constraints | None, share: float) -> Resolved:
        """Choose λ for some conditions and constraints, within a share of the remaining time."""
        table = training.on_coarsest_scale()
        by_name = NameOrder.of(table)
        known = self.problem_on(table, by_name, constraints)
        found = choose_regularization(
            known,
            self.budget.part(share),
            seed=self.seed,
            n_jobs=self.n_jobs,
            report=self.report,
            whole_rows=self.whole_rows,
        )
        return Resolved(table, by_name, constraints, known, found)

    def best(
        self,
        training: TrainingTable,
        constraints: Constraints | None,
        finer: Callable[[], TrainingTable] | None,
        dearer: Constraints | None,
    ) -> Resolved:
        """Choose among the given conditions and constraints, finer conditions and dearer missed rows.

        Parameters
        ----------
        training : TrainingTable
        constraints : Constraints or None
        finer : callable, optional
            Returns the same rows with finer conditions.
        dearer : Constraints, optional
            The same constraints with dearer missed rows.
        """
        if training.table.n_samples > MOST_SAMPLES:
            finer = None
        n_tries = 1 + (finer is not None) + (dearer is not None)
        shares = [CHOICE_SHARE / n_tries / (1 - CHOICE_SHARE * k / n_tries) for k in range(n_tries)]
        best = self.one(training, constraints, shares.pop(0))
        if finer is not None and _may_go_on(best):
            with_finer, share = finer(), shares.pop(0)
            if with_finer.table.n_features > training.table.n_features:
                self.report("choosing λ: finer conditions")
                best = _better(best, _noted(self.one(with_finer, constraints, share)))
        if dearer is not None and _may_go_on(best):
            self.report("choosing λ: dearer missed rows")
            best = _better(best, self.one(best.training, dearer, shares.pop(0)))
        return best


def dearer_missed_rows(
    training: TrainingTable, objective: Objective, constraints: Constraints | None
) -> Constraints | None:
    """Return constraints with dearer missed rows, None where few classes or the user's costs forbid it."""
    labels = [str(label) for label in label_tuple(training.classes)]
    per_class = objective.counting is Counting.PER_CLASS and not objective.every_class
    costs = constraints is not None and (
        constraints.class_weight or constraints.false_negative_costs or constraints.false_positive_costs
    )
    n_present = int(training.table.weights.any(axis=0).sum())
    if n_present < MANY_CLASSES or len(set(labels)) < len(labels) or not per_class or costs:
        return None
    return combined(constraints, false_negative_costs=dict.fromkeys(labels, MISSED))


def _may_go_on(best: Resolved) -> bool:
    # A choice without enough folds has no score, and there is no time for another one then.
    return not best.found.choice.interrupted and not math.isnan(best.found.score)


def _better(best: Resolved, other: Resolved) -> Resolved:
    if other.found.score > best.found.score:
        return other
    choice = replace(best.found.choice, interrupted=other.found.choice.interrupted)
    return replace(best, found=replace(best.found, choice=choice))


def _noted(fine: Resolved) -> Resolved:
    notes = (*fine.training.notes, finer_note(FINER_BINS, Cutting().bins))
    return replace(fine, training=replace(fine.training, notes=notes))
