"""A decision set for one class as a sequence of slots, one rule each: the model of MinDS.

Source: Ignatiev, Pereira, Narodytska and Marques-Silva, "A SAT-Based Approach to Learn Explainable Decision
Sets", IJCAR 2018, the model MinDS₂; the sparse form is the modification that the CP 2020 paper describes in
its Section 4. In the paper's model of size, a rule is spread over nodes. Here a slot holds all literals of a
rule at once, so the formula does not depend on their order or number.

Variables of slot j: ``choose[ℓ]`` (the rule has literal ℓ), and ``covers[i]`` for each row of the class.

=====================  ====================================================================================
no wrong cover         some chosen literal excludes each row that is not of the class, or the row pays
true cover             covers[i] and a literal that excludes i are not both chosen
every row              covers[i] in some slot, or the row pays
a rule at all          not both of a literal and its opposite (if rows may pay: else each slot must cover)
=====================  ====================================================================================

MinDS encodes a literal as "the feature is skipped" and "its sign" and defines auxiliary variables for what a
rule discriminates; one variable per literal is equivalent. MinDS also defines covers[i] in both directions.
One direction is enough, because a slot that covers a row without claiming it does no harm.

Symmetry. In perfect sets, each of a number of rows that no two rules can share (*anchors*) has a slot of its
own, in which only literals that hold on the anchor exist. Every other slot must claim the first row, in the
view's order, that earlier slots have not claimed and that does not pay; any set of rules can be put in such
an order. MinDS instead orders rules lexicographically by their features.

Slots are appended one at a time. Clauses that hold for exactly N slots depend on an activation variable, so
one solver serves all numbers of rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from laconic.engines.paper.satkit.clauses import Clauses, batches
from laconic.engines.paper.satkit.rc2 import Soft
from laconic.engines.paper.satkit.view import SearchView
from laconic.problem.coded import CodedRule

_MAX_PAIR_WORK = 1_000_000_000
"""Maximum number of multiplications to find rows that fit with an anchor; above it, all are allowed."""


@dataclass(frozen=True, eq=False)
class Slot:
    """The variables of one rule; 0 stands for a literal that it cannot have or a row that it cannot cover."""

    choose: NDArray[np.int64]
    covers: NDArray[np.int64]


@dataclass(eq=False)
class RuleSlots:
    """The clauses of a growing number of rules of one class.

    Parameters
    ----------
    view : SearchView
        The view of one class.
    anchors : sequence of int
        Rows of the view of which no pure rule covers two; only without ``pays``.
    pays : bool
        Whether rows may be misclassified at a price.
    ordered : bool
        Whether to exclude equivalent orders of the slots without an anchor.
    """

    view: SearchView
    anchors: Sequence[int]
    pays: bool
    ordered: bool
    top: int = 0
    slots: list[Slot] = field(default_factory=list)

    def __post_init__(self) -> None:
        net = self.view.weights[:, 0]
        self._wanted, self._shunned = np.flatnonzero(net > 0), np.flatnonzero(net < 0)
        self._outside = ~self.view.holds
        self.pay = self.new(self.view.n_rows) if self.pays else np.zeros(self.view.n_rows, np.int64)
        # For each wanted row, the variable of "not claimed by any slot so far", or 0 before the first slot.
        self._open = np.zeros(self._wanted.size, np.int64)

    def new(self, count: int) -> NDArray[np.int64]:
        """Return new variables."""
        block = np.arange(self.top + 1, self.top + 1 + count)
        self.top += count
        return block

    def grow(self) -> Iterator[Clauses]:
        """Append one slot and yield its clauses in batches."""
        anchor = self.anchors[len(self.slots)] if len(self.slots) < len(self.anchors) else None
        slot = self._new_slot(anchor)
        self.slots.append(slot)
        yield from self._no_wrong_cover(slot)
        yield from self._true_cover(slot)
        if self.pays:
            yield self._no_contradiction(slot)
        if anchor is not None:
            place = int(np.flatnonzero(self._wanted == anchor)[0])
            yield [[int(slot.covers[place])]]
        elif self.ordered:
            yield from self._first_open_row(slot)
        yield from self._still_open(slot)

    def close(self) -> tuple[int, Clauses]:
        """Return the activation variable that makes the last slot the end, and its clauses."""
        end = int(self.new(1)[0])
        return end, [[-end, -int(is_open)] for is_open in self._open]

    def soft(self, error_cost: int, literal_cost: int) -> list[Soft]:
        """Return the soft clauses: the prices of misclassified rows and of literals."""
        clauses: list[Soft] = []
        if self.pays:
            prices = error_cost * np.abs(self.view.weights[:, 0])
            clauses += [
                ([-pay], price) for pay, price in zip(self.pay.tolist(), prices.tolist(), strict=True)
            ]
        if literal_cost:
            chosen = np.concatenate([slot.choose for slot in self.slots])
            clauses += [([-choice], literal_cost) for choice in chosen[chosen > 0].tolist()]
        return clauses

    def decode(self, model: list[int]) -> list[CodedRule]:
        """Return the rules of a model."""
        values = np.array([0, *model])
        (target,) = self.view.targets
        return [
            CodedRule.of(target, self.view.codes[(slot.choose > 0) & (values[slot.choose] > 0)])
            for slot in self.slots
        ]

    def _new_slot(self, anchor: int | None) -> Slot:
        possible = np.ones(self.view.n_literals, bool) if anchor is None else self.view.holds[anchor]
        choose = np.zeros(self.view.n_literals, np.int64)
        choose[possible] = self.new(int(possible.sum()))
        coverable = np.ones(self._wanted.size, bool) if anchor is None else self._fits_with(anchor)
        covers = np.zeros(self._wanted.size, np.int64)
        covers[coverable] = self.new(int(coverable.sum()))
        return Slot(choose, covers)

    def _fits_with(self, anchor: int) -> NDArray[np.bool_]:
        """Return the wanted rows that a pure rule may cover together with the anchor.

        The rule's literals hold on both rows, so each shunned row must be excluded by a literal that both
        satisfy.
        """
        shared = self.view.holds[anchor]
        rows, shunned = self._wanted, self._shunned
        if rows.size * shunned.size * int(shared.sum()) > _MAX_PAIR_WORK:
            return np.ones(rows.size, bool)
        excluding = self._outside[np.ix_(shunned, shared)].astype(np.float32)
        inside = self.view.holds[np.ix_(rows, shared)].astype(np.float32)
        fits: NDArray[np.bool_] = (inside @ excluding.T > 0).all(axis=1)
        return fits

    def _no_wrong_cover(self, slot: Slot) -> Iterator[Clauses]:
        possible = slot.choose > 0
        for rows in batches(self._shunned):
            yield [
                [
                    *slot.choose[self._outside[i] & possible].tolist(),
                    *([int(self.pay[i])] if self.pays else []),
                ]
                for i in rows
            ]

    def _true_cover(self, slot: Slot) -> Iterator[Clauses]:
        possible = np.flatnonzero(slot.choose)
        for places in batches(np.flatnonzero(slot.covers)):
            outside = self._outside[np.ix_(self._wanted[places], possible)]
            row, literal = np.nonzero(outside)
            pairs = np.stack([slot.covers[places][row], slot.choose[possible[literal]]], axis=1)
            clauses: Clauses = (-pairs).tolist()
            yield clauses

    def _no_contradiction(self, slot: Slot) -> Clauses:
        """Forbid contradictory rules, which a class that must have a rule could otherwise use."""
        by_group: dict[int, list[int]] = {}
        for choice, group in zip(slot.choose.tolist(), self.view.groups.tolist(), strict=True):
            by_group.setdefault(group, []).append(choice)
        # A view merges literals with equal rows, so a group has at most one literal and its opposite.
        return [[-choice for choice in group] for group in by_group.values() if len(group) == 2]

    def _still_open(self, slot: Slot) -> Iterator[Clauses]:
        before, after = self._open, self.new(self._wanted.size)
        for places in batches(np.arange(self._wanted.size)):
            yield [
                [
                    *self._closed_before(k, before),
                    *([int(slot.covers[k])] if slot.covers[k] else []),
                    int(after[k]),
                ]
                for k in places
            ]
        self._open = after

    def _first_open_row(self, slot: Slot) -> Iterator[Clauses]:
        """Make the slot claim the first row that no earlier slot has claimed and that does not pay.

        ``none_yet[k]``: every wanted row before the k-th is claimed by an earlier slot or pays. If an earlier
        slot claims a row, its "open" variable is not forced to be false, but a model may make it false.
        """
        none_yet = self.new(self._wanted.size)
        for places in batches(np.arange(self._wanted.size)):
            batch: Clauses = [[int(none_yet[0])]] if places[0] == 0 else []
            for k in places:
                closed = self._closed_before(k, self._open)
                batch.append([-int(none_yet[k]), *closed, int(slot.covers[k])])
                if k + 1 < self._wanted.size:
                    batch += [[-int(none_yet[k]), -way, int(none_yet[k + 1])] for way in closed]
            yield batch

    def _closed_before(self, k: int, is_open: NDArray[np.int64]) -> list[int]:
        """Return literals of which one holds if the k-th wanted row needs no further slot."""
        if is_open[k]:
            return [-int(is_open[k])]
        return [int(self.pay[self._wanted[k]])] if self.pays else []
