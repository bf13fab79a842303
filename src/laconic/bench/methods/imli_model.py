"""IMLI's formula: one partition of the rows, k rules for one class.

Source: Ghosh and Meel, "IMLI: An Incremental Framework for MaxSAT-Based Learning of Interpretable
Classification Rules", AIES 2019, on the formula of Malioutov and Meel, "MLIC", CP 2018. They describe a class
by k clauses; a formula of k rules ("or" of "and") for a class is one of k clauses for its complement, and
that is how their program makes rules too. Stated for rules:

* ``choose[t, ℓ]``: rule t has literal ℓ; ``wrong[q]``: row q is classified wrong;
* a row of the class is covered by some rule, or wrong: ``wrong[q]`` or some ``covers[t, q]``, where
  covers[t, q] and a literal of rule t that excludes q are not both true;
* any other row is excluded by some literal of each rule, or wrong;
* soft: not wrong, with weight λ per row; not chosen, with weight 1 per literal. From the second partition on
  a literal of the rules so far is softly *kept* instead: the new rules should explain the new rows and
  differ little from the old.

Exactly k rules are there, so a rule that is not needed must still do no harm: it repeats another, or covers
nothing. In the first partition, where rules have no past, equivalent orders of them are excluded, which
changes no optimum; their program does not do that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from laconic.engines.paper.satkit.clauses import Clauses, batches
from laconic.engines.paper.satkit.options import Rc2Options
from laconic.engines.paper.satkit.oracle import OutOfTimeError
from laconic.engines.paper.satkit.rc2 import MaxSat, Soft
from laconic.runtime.budget import Budget

Chosen = NDArray[np.bool_]
"""Literals by rule, shape (k, 2 · features); literal 2f + 1 is "feature f is true"."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """What is known of one partition.

    Attributes
    ----------
    chosen : ndarray of bool or None
        The best rules seen; ``None`` if time ran out before any.
    cost : int or None
        Weight of the falsified soft clauses if that is proved least, else ``None``.
    clauses, conflicts : int
    """

    chosen: Chosen | None
    cost: int | None
    clauses: int
    conflicts: int


def fit_partition(
    rows: NDArray[np.bool_],
    positive: NDArray[np.bool_],
    before: Chosen | None,
    *,
    n_rules: int,
    fidelity: int,
    budget: Budget,
) -> Fitted:
    """Find rules that best explain one partition and differ least from those before.

    Parameters
    ----------
    rows : ndarray of bool, shape (n_rows, n_features)
    positive : ndarray of bool, shape (n_rows,)
        Whether the row is of the class that the rules describe.
    before : ndarray of bool, shape (n_rules, 2 * n_features), optional
        The rules so far; none for the first partition.
    n_rules : int
    fidelity : int
        λ: what a wrong row costs, in literals.
    budget : Budget
    """
    formula = _Formula(rows, positive, n_rules)
    old = np.zeros((n_rules, formula.n_literals), bool) if before is None else before
    best: list[tuple[int, Chosen]] = []

    def on_model(model: list[int]) -> None:
        chosen = formula.decode(model)
        cost = penalty(chosen, old, rows, positive, fidelity)
        if not best or cost < best[0][0]:
            best[:] = [(cost, chosen)]

    maxsat: MaxSat | None = None
    optimum: int | None = None
    try:
        soft = formula.soft(old, fidelity)
        hard = chain(formula.hard(), formula.ordered() if before is None else ())
        maxsat = MaxSat(hard, lambda: soft, lambda: formula.top, Rc2Options(), budget)
        optimum = maxsat.compute(budget, on_model, lambda _: None)
        on_model(maxsat.model())
    except OutOfTimeError:
        pass
    finally:
        if maxsat is not None:
            maxsat.delete()
    return Fitted(
        best[0][1] if best else None,
        optimum,
        0 if maxsat is None else maxsat.n_clauses,
        0 if maxsat is None else maxsat.conflicts,
    )


def covered(chosen: Chosen, rows: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which rows some rule covers."""
    answer = np.zeros(rows.shape[0], bool)
    for rule in chosen:
        inside = np.ones(rows.shape[0], bool)
        for code in np.flatnonzero(rule).tolist():
            inside &= rows[:, code >> 1] == bool(code & 1)
        answer |= inside
    return answer


def penalty(
    chosen: Chosen, before: Chosen, rows: NDArray[np.bool_], positive: NDArray[np.bool_], fidelity: int
) -> int:
    """Return what the formula minimises: literals changed, and λ per wrong row."""
    return int((chosen != before).sum()) + fidelity * int((covered(chosen, rows) != positive).sum())


def _excluded(rows: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which literals exclude which rows, shape (n_rows, 2 · features)."""
    return np.stack([rows, ~rows], axis=2).reshape(rows.shape[0], 2 * rows.shape[1])


class _Formula:
    """Variables and clauses for one partition."""

    def __init__(self, rows: NDArray[np.bool_], positive: NDArray[np.bool_], n_rules: int) -> None:
        self._excluded = _excluded(rows)
        self._positive = positive
        self.n_literals = 2 * rows.shape[1]
        n_choices = n_rules * self.n_literals
        self._choose = 1 + np.arange(n_choices).reshape(n_rules, self.n_literals)
        self._wrong = n_choices + 1 + np.arange(rows.shape[0])
        n_used = n_choices + rows.shape[0]
        self._covers = n_used + 1 + np.arange(n_rules * rows.shape[0]).reshape(n_rules, rows.shape[0])
        self.top = n_used + self._covers.size

    def hard(self) -> Iterator[Clauses]:
        for places in batches(np.flatnonzero(self._positive)):
            yield [[int(self._wrong[q]), *self._covers[:, q].tolist()] for q in places]
        for choose, covers in zip(self._choose, self._covers, strict=True):
            for places in batches(np.flatnonzero(self._positive)):
                row, literal = np.nonzero(self._excluded[places])
                pairs = np.stack([covers[places][row], choose[literal]], axis=1)
                clauses: Clauses = (-pairs).tolist()
                yield clauses
            for places in batches(np.flatnonzero(~self._positive)):
                yield [[int(self._wrong[q]), *choose[self._excluded[q]].tolist()] for q in places]

    def ordered(self) -> Iterator[Clauses]:
        """Make each rule cover the first row that is not wrong and that no rule before it covers.

        Rules that explain nothing new come last. ``closed[k]``: the k-th row is wrong or covered so far;
        ``none[k]``: so are all rows before it.
        """
        rows = np.flatnonzero(self._positive)
        if not rows.size:
            return
        closed = self._wrong[rows]
        for covers in self._covers[:, rows]:
            none, after = self._new(rows.size), self._new(rows.size)
            batch: Clauses = [[int(none[0])]]
            for k in range(rows.size):
                batch.append([-int(none[k]), int(closed[k]), int(covers[k])])
                if k + 1 < rows.size:
                    batch.append([-int(none[k]), -int(closed[k]), int(none[k + 1])])
                batch.append([-int(after[k]), int(closed[k]), int(covers[k])])
            yield batch
            closed = after

    def _new(self, count: int) -> NDArray[np.int64]:
        block: NDArray[np.int64] = self.top + 1 + np.arange(count)
        self.top += count
        return block

    def soft(self, before: Chosen, fidelity: int) -> list[Soft]:
        kept = np.where(before, self._choose, -self._choose).reshape(-1)
        clauses: list[Soft] = [([literal], 1) for literal in kept.tolist()]
        clauses += [([-wrong], fidelity) for wrong in self._wrong.tolist()]
        return clauses

    def decode(self, model: list[int]) -> Chosen:
        chosen: Chosen = np.array(model[: self._choose.size]).reshape(self._choose.shape) > 0
        return chosen
