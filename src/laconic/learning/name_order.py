"""Searching a table with its conditions in the order of the columns' names.

Where several decision sets are optimal, the search returns one of them, and which one depends on the numbers
of the conditions and the order of the merged rows. With conditions numbered by the names of their columns and
rows sorted by them, the same data give the same set whatever order its columns come in. Columns without names
of their own (``x0``, ``x1``, …) have nothing but their place, so their order is kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from laconic.data.literals import Feature
from laconic.data.table import Table, lexicographic, pack_rows
from laconic.data.training import TrainingTable
from laconic.problem.coded import CodedRule

_BLOCK_BYTES = 2**13
"""Rows are packed in blocks of eight times so many."""


@dataclass(frozen=True)
class _Features:
    """The conditions of a table, where a fitted binarizer is expected."""

    features_: tuple[Feature, ...]


@dataclass(frozen=True, eq=False)
class NameOrder:
    """A training table as it is searched, and the way between its rules and the user's.

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

    def back(self, rules: Iterable[CodedRule]) -> tuple[CodedRule, ...]:
        """Return rules of the search in the user's numbers, sorted."""
        return _renumbered(rules, self.order)

    def forth(self, rules: Iterable[CodedRule]) -> tuple[CodedRule, ...]:
        """Return rules in the user's numbers as the search numbers them, sorted."""
        return _renumbered(rules, np.argsort(self.order))


def _renumbered(rules: Iterable[CodedRule], number: NDArray[np.int64]) -> tuple[CodedRule, ...]:
    return tuple(
        sorted(
            CodedRule.of(rule.target, (2 * int(number[code >> 1]) + (code & 1) for code in rule.literals))
            for rule in rules
        )
    )


def _reordered(table: Table, order: NDArray[np.int64]) -> Table:
    """Return a table with its features in another order, and its rows sorted by them."""
    bits = table.bits[order].view(np.uint8)
    rows = lexicographic(np.concatenate([_packed(bits, start, table.n_rows) for start in _starts(bits)]))
    moved = np.zeros_like(bits)
    n_bytes = -(-table.n_rows // 8)
    for column, out in zip(bits, moved, strict=True):
        cells = np.unpackbits(column, count=table.n_rows, bitorder="little")
        out[:n_bytes] = np.packbits(cells[rows], bitorder="little")
    return Table(
        moved.view(np.uint64),
        table.weights[rows],
        table.allowed[order],
        table.scale,
        samples=table.samples[rows],
    )


def _starts(bits: NDArray[np.uint8]) -> range:
    return range(0, bits.shape[1], _BLOCK_BYTES)


def _packed(bits: NDArray[np.uint8], start: int, n_rows: int) -> NDArray[np.uint64]:
    """Return some rows of packed columns as packed rows."""
    count = max(0, min(8 * _BLOCK_BYTES, n_rows - 8 * start))
    block = np.unpackbits(bits[:, start : start + _BLOCK_BYTES], axis=1, count=count, bitorder="little")
    return pack_rows(block.T.astype(bool))
