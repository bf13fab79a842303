"""Rows of a class search with their net weights."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from laconic.data.bits import n_words, pack, unpack

Body = tuple[int, ...]

FEW_WEIGHTS = 16
"""Number of distinct weights up to which weights are not rounded."""


@dataclass(frozen=True)
class SignedRows:
    """Positives and negatives of a class search, by number, with net weights.

    Attributes
    ----------
    bits : ndarray of uint64
        Features of the rows, packed as in `laconic.data.table.Table`.
    net : ndarray of int64
        Net weight: positive for positives, negative for negatives.
    """

    bits: NDArray[np.uint64]
    net: NDArray[np.int64]

    @property
    def sides(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The indices of the positives and of the negatives."""
        return np.flatnonzero(self.net > 0), np.flatnonzero(self.net < 0)

    def covers(self, rules: Iterable[Body]) -> Generator[NDArray[np.bool_], None, None]:
        """Yield the cover of each rule as a mask."""
        for body in rules:
            packed = np.full(self.bits.shape[1], np.iinfo(np.uint64).max, np.uint64)
            for code in body:
                packed &= self.bits[code >> 1] if code & 1 else ~self.bits[code >> 1]
            yield unpack(packed, self.net.size).astype(bool)


def few_weights(net: NDArray[np.int64]) -> NDArray[np.int64]:
    """Round weights down to a few dozen distinct values; errors then cost no more than before."""
    size = np.abs(net)
    if np.unique(size).size <= FEW_WEIGHTS:
        return net
    _, exponent = np.frexp(size)
    unit = np.left_shift(1, np.maximum(exponent - 3, 0).astype(np.int64))
    coarse: NDArray[np.int64] = np.sign(net) * (size // unit * unit)
    return coarse


def taken(bits: NDArray[np.uint64], rows: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return the packed features restricted to some rows."""
    out = np.zeros((bits.shape[0], n_words(rows.size)), np.uint64)
    for feature in range(bits.shape[0]):
        out[feature] = pack(unpack(bits[feature])[rows].astype(bool))
    return out
