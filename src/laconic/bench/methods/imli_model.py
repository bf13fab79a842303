"""IMLI's formula: one partition of the rows, k rules for one class.

Source: Ghosh and Meel, "IMLI: An Incremental Framework for MaxSAT-Based Learning of Interpretable
Classification Rules", AIES 2019, on the formula of Malioutov and Meel, "MLIC", CP 2018. They describe a class
by k clauses. A formula of k rules ("or" of "and") for a class is one of k clauses for its complement, which
is also how their program makes rules. In terms of rules:

* ``choose[t, ℓ]``: rule t has literal ℓ; ``wrong[q]``: row q is classified wrong;
* a row of the class is covered by some rule, or wrong: ``wrong[q]`` or some ``covers[t, q]``, where
  covers[t, q] and a literal of rule t that excludes q are not both true;
* any other row is excluded by some literal of each rule, or wrong;
* soft: not wrong, with weight λ per row; not chosen, with weight 1 per literal. From the second partition on,
  a literal of the rules so far is softly *kept* instead: the new rules should explain the new rows and differ
  little from the old ones.

There are exactly k rules, so a redundant rule must do no harm: it repeats another one, or covers nothing. In
the first partition, where there are no earlier rules, equivalent orders of the rules are excluded. This
changes no optimum; the authors' program does not do it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from laconic.engines.paper.satkit.clauses import Clauses, batches
from laconic.engines.paper.satkit.options import Rc2Options
from laconic.engines.paper.satkit.oracle import SatTimeoutError
from laconic.engines.paper.satkit.rc2 import MaxSat, Soft
from laconic.runtime.budget import Budget

Selected = NDArray[np.bool_]
"""Literals by rule, shape (k, 2 · features); literal 2f + 1 is "feature f is true"."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """The result for one partition.

    Attributes
    ----------
    chosen : ndarray of bool or None
        The best rules found; ``None`` if time ran out before any.
    cost : int or None
        Least weight of the falsified soft clauses if it is proved, else ``None``.
    clauses, conflicts : int
    """

    chosen: Selected | None
    cost: int | None
    clauses: int
    conflicts: int


def fit_partition(
    rows: NDArray[np.bool_],
    positive: NDArray[np.bool_],
    before: Selected | None,
    *,
    n_rules: int,
    fidelity: int,
    budget: Budget,
) -> Fitted:
    """Find rules that best explain one partition and differ least from the earlier ones.

    Parameters
    ----------
    rows : ndarray of bool, shape (n_rows, n_features)
    positive : ndarray of bool, shape (n_rows,)
        Whether each row is in the class that the rules describe.
    before : ndarray of bool, shape (n_rules, 2 * n_features), optional
        The rules so far; none for the first partition.
    n_rules : int
    fidelity : int
        λ: the cost of a wrong row in literals.
    budget : Budget
    """
    formula = _Formula(rows, positive, n_rules)
    old = np.zeros((n_rules, formula.n_literals), bool) if before is None else before
    best: list[tuple[int, Selected]] = []

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
    except SatTimeoutError:
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


def covered(chosen: Selected, rows: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return whether any rule covers each row."""
    answer = np.zeros(rows.shape[0], bool)
    for rule in chosen:
        inside = np.ones(rows.shape[0], bool)
        for code in np.flatnonzero(rule).tolist():
            inside &= rows[:, code >> 1] == bool(code & 1)
        answer |= inside
    return answer


def penalty(
    chosen: Selected,
    before: Selected,
    rows: NDArray[np.bool_],
    positive: NDArray[np.bool_],
    fidelity: int,
) -> int:
    """Return the cost in the formula: the number of changed literals, plus λ per wrong row."""
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
        """Make each rule cover the first row that is not wrong and that no earlier rule covers.

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

    def soft(self, before: Selected, fidelity: int) -> list[Soft]:
        kept = np.where(before, self._choose, -self._choose).reshape(-1)
        clauses: list[Soft] = [([literal], 1) for literal in kept.tolist()]
        clauses += [([-wrong], fidelity) for wrong in self._wrong.tolist()]
        return clauses

    def decode(self, model: list[int]) -> Selected:
        chosen: Selected = np.array(model[: self._choose.size]).reshape(self._choose.shape) > 0
        return chosen
