"""Weighted binary rows, packed and labelled, which are merged before they become a table.

Partitions, files and older tables each bring some groups; merging them in any order and in any number of
steps gives the same table, because weights and samples are integers and rows end in lexicographic order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from laconic.data.bits import n_words, pack_columns, pack_rows, unpack_rows
from laconic.data.table import Table, grouped
from laconic.data.weights import LARGEST_TOTAL
from laconic.runtime.errors import InputError

_BLOCK_ROWS = 2**16
"""Rows unpacked at a time; a multiple of eight, so that blocks meet at whole bytes."""


@dataclass(frozen=True, eq=False)
class Groups:
    """Weighted binary rows.

    Attributes
    ----------
    packed : ndarray of uint64, shape (n, n_words)
        Rows as `laconic.data.bits.pack_rows` packs them.
    labels, weights, samples : ndarray of int64, shape (n,)
        Class number, integer weight, and number of the user's rows.
    """

    packed: NDArray[np.uint64]
    labels: NDArray[np.int64]
    weights: NDArray[np.int64]
    samples: NDArray[np.int64]

    @classmethod
    def of(cls, matrix: NDArray[np.bool_], labels: NDArray[np.int64], weights: NDArray[np.int64]) -> Groups:
        """Pack and merge single rows."""
        return merge([cls(pack_rows(matrix), labels, weights, np.ones(labels.size, np.int64))])

    def scaled(self, factor: int) -> Groups:
        """Return the same rows with all weights multiplied by a factor."""
        return Groups(self.packed, self.labels, self.weights * factor, self.samples)


def merge(parts: Sequence[Groups]) -> Groups:
    """Return the rows of all parts, with equal rows of one class merged."""
    packed = np.concatenate([part.packed for part in parts])
    labels = np.concatenate([part.labels for part in parts])
    keyed = np.concatenate((packed, labels.astype(np.uint64)[:, None]), axis=1)
    group_of, first = grouped(np.ascontiguousarray(keyed))
    weights, samples = np.zeros((2, first.size), np.int64)
    np.add.at(weights, group_of, np.concatenate([part.weights for part in parts]))
    np.add.at(samples, group_of, np.concatenate([part.samples for part in parts]))
    return Groups(np.ascontiguousarray(packed[first]), labels[first], weights, samples)


def groups_of(table: Table) -> Groups:
    """Return the rows of a table as groups; samples are assigned to the first of a row's classes."""
    rows, labels = np.nonzero(table.weights)
    weights = table.weights[rows, labels]
    is_first = np.concatenate(([True], rows[1:] != rows[:-1]))
    samples = np.where(is_first, table.samples[rows], 0)
    return Groups(pack_rows(table.matrix)[rows], labels.astype(np.int64), weights, samples)


def positions(part: Table, whole: Table) -> NDArray[np.int64]:
    """Return the positions of a table's rows in another table with the same features and all of them."""
    packed = np.concatenate((pack_rows(whole.matrix), pack_rows(part.matrix)))
    group_of, first = grouped(packed)
    assert first.size == whole.n_rows, "a row is not in the other table"
    return group_of[whole.n_rows :]


def table_of(
    groups: Groups, *, n_features: int, n_classes: int, allowed: NDArray[np.bool_], scale: Fraction
) -> Table:
    """Return the table of unique rows, as `Table.from_arrays` would make it from the single rows."""
    if groups.labels.size == 0:
        raise InputError("the table has no rows; give at least one row per class")
    total = int(groups.weights.sum())
    if total > LARGEST_TOTAL:
        raise InputError(
            f"the weights add up to {total:.3g} of their common unit, above 2**53; give them fewer digits, "
            f"or divide them by a constant"
        )
    group_of, first = grouped(groups.packed)
    weights = np.zeros((first.size, n_classes), np.int64)
    np.add.at(weights, (group_of, groups.labels), groups.weights)
    samples = np.zeros(first.size, np.int64)
    np.add.at(samples, group_of, groups.samples)
    bits = _columns_of(groups.packed[first], n_features)
    return Table(bits, weights, allowed, scale, samples=samples)


def _columns_of(packed: NDArray[np.uint64], n_features: int) -> NDArray[np.uint64]:
    """Turn packed rows into packed columns, some rows at a time."""
    n_rows = packed.shape[0]
    out = np.zeros((n_features, 8 * n_words(n_rows)), np.uint8)
    for start in range(0, n_rows, _BLOCK_ROWS):
        block = packed[start : start + _BLOCK_ROWS]
        columns = pack_columns(unpack_rows(block, n_features)).view(np.uint8)
        n_bytes = -(-block.shape[0] // 8)
        out[:, start // 8 : start // 8 + n_bytes] = columns[:, :n_bytes]
    return out.view(np.uint64)
