"""Searching a table with its conditions in the order of the columns' names.

Where several decision sets are optimal, the search returns one of them, and which one depends on the numbers
of the conditions and the order of the merged rows. With conditions numbered by the names of their columns and
rows sorted by them, the same data give the same set whatever order its columns come in. Columns without names
of their own (``x0``, ``x1``, …) are identified by their position, so their order is kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from laconic.data.bits import WORD, RowSet, pack, pack_rows, unpack
from laconic.data.literals import Feature
from laconic.data.table import Table, lexicographic
from laconic.data.training import TrainingTable
from laconic.problem.coded import CodedRule, renumbered

_BLOCK_WORDS = 2**10
"""Number of words of each column that are packed as rows at a time."""

_CELLS = 2**22
"""Number of cells that are reordered at a time."""


@dataclass(frozen=True)
class _Features:
    """The conditions of a table, with the interface of a fitted binarizer."""

    features_: tuple[Feature, ...]


@dataclass(frozen=True, eq=False)
class NameOrder:
    """A training table as it is searched, and the translation between its rules and the user's.

    Attributes
    ----------
    training : TrainingTable
        With columns and conditions by name; the user's own table if they are in that order already.
    order : ndarray of int64, shape (n_features,)
        The user's number of each of its conditions.
    """

    training: TrainingTable
    order: NDArray[np.int64]

    @classmethod
    def of(cls, training: TrainingTable) -> NameOrder:
        """Put the conditions of a training table in the order of the columns' names."""
        features = training.binarizer.features_
        columns = [feature.positive.column for feature in features]
        order = np.array(sorted(range(len(columns)), key=columns.__getitem__), np.int64)  # a stable sort
        if not training.named or (np.diff(order) > 0).all():
            return cls(training, np.arange(len(columns)))
        by_name = replace(
            training,
            table=_reordered(training.table, order),
            binarizer=_Features(tuple(features[f] for f in order.tolist())),
            columns=tuple(sorted(training.columns, key=attrgetter("name"))),
        )
        return cls(by_name, order)

    def on_finer_scale(self, factor: int) -> NameOrder:
        """Return the same order for integer weights that are multiplied."""
        return NameOrder(self.training.on_finer_scale(factor), self.order)

    def back(self, rules: Iterable[CodedRule]) -> tuple[CodedRule, ...]:
        """Return rules of the search in the user's numbers, sorted."""
        return renumbered(rules, self.order)

    def forth(self, rules: Iterable[CodedRule]) -> tuple[CodedRule, ...]:
        """Return rules of the user in the numbers of the search, sorted."""
        return renumbered(rules, np.argsort(self.order))


def _reordered(table: Table, order: NDArray[np.int64]) -> Table:
    """Return a table with its features in another order, and its rows sorted by them."""
    bits = table.bits[order]
    rows = lexicographic(np.concatenate([_packed(bits, start, table.n_rows) for start in _starts(bits)]))
    moved = np.zeros_like(bits)
    at_once = max(1, _CELLS // max(1, table.n_rows))
    for start in range(0, len(bits), at_once):
        cells = unpack(bits[start : start + at_once], table.n_rows)
        moved[start : start + at_once] = pack(cells[:, rows].astype(bool))
    return Table(
        moved,
        table.weights[rows],
        table.allowed[order],
        table.scale,
        samples=table.samples[rows],
    )


def _starts(bits: RowSet) -> range:
    return range(0, bits.shape[1], _BLOCK_WORDS)


def _packed(bits: RowSet, start: int, n_rows: int) -> NDArray[np.uint64]:
    """Return some rows of packed columns as packed rows."""
    count = max(0, min(WORD * _BLOCK_WORDS, n_rows - WORD * start))
    return pack_rows(unpack(bits[:, start : start + _BLOCK_WORDS], count).T.astype(bool))
