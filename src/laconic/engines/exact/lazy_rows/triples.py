"""The prices kept by every rule of three literals, by matrix products.

A rule that keeps no more of the prices than it costs is not violated, whatever its blame, and nor is any
longer rule. If this holds for most rules of three literals, the search for violated rules (`every_rule`) ends
at pairs. For each first feature and block of rows, the prices kept are one matrix product of features and
priced features, computed at the full speed of the processor.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np
from numpy.typing import NDArray

from laconic.data.bits import unpack
from laconic.engines.exact.lazy_rows.groups import RowGroups

MAX_FEATURES = 256
"""Maximum number of features: the table of triples has the cube of it as entries."""
_BLOCK = 64
"""Words per block of rows: single-precision sums of so few numbers are exact to 3e-4."""
_ROUNDING = 1e-3
_NARROWING = 32


class Triples:
    """Prices kept by rules of three literals.

    Parameters
    ----------
    kept : ndarray, shape (n_features, n_features, n_features)
        Prices kept by three true literals.
    pairs : ndarray, shape (n_features, n_features)
    singles : ndarray, shape (n_features,)
    total : float
    """

    def __init__(
        self,
        kept: NDArray[np.float64],
        pairs: NDArray[np.float64],
        singles: NDArray[np.float64],
        total: float,
    ) -> None:
        self._kept, self._pairs, self._singles, self._total = kept, pairs, singles, total

    def with_literal(self, code: int) -> NDArray[np.float64]:
        """Return the prices that a literal keeps with any two others, rounded up, as a square matrix."""
        feature = code >> 1
        both, pair, whole = self._kept[feature], self._pairs[feature], self._singles[feature]
        slack = _ROUNDING * both + 1e-9 * self._total
        # Inclusion and exclusion give the sums for false literals.
        if not code & 1:
            both, pair, whole = self._pairs - both, self._singles - pair, self._total - whole
        out = np.empty((2 * pair.size, 2 * pair.size))
        out[1::2, 1::2] = both
        out[1::2, 0::2] = pair[:, None] - both
        out[0::2, 1::2] = pair[None, :] - both
        out[0::2, 0::2] = whole - pair[:, None] - pair[None, :] + both
        for first in (0, 1):
            for second in (0, 1):
                out[first::2, second::2] += slack
        return out


def all_triples(pos: RowGroups, price: NDArray[np.float64]) -> Generator[None, None, Triples]:
    """Compute the prices kept by all triples of features; yield after every block.

    Parameters
    ----------
    pos : RowGroups
    price : ndarray
        Price per unit of weight of each group.
    """
    d = pos.bits.shape[0]
    kept = np.zeros((d, d, d))
    root = np.sqrt(pos.per_word(price)).astype(np.float32)
    for begin in range(0, root.size, _BLOCK):
        block = unpack(pos.bits[:, begin : begin + _BLOCK])
        worth = np.repeat(root[begin : begin + _BLOCK], 64)
        rows = np.ascontiguousarray((block * worth).T)
        for a in range(d):
            if a % _NARROWING == 0:  # features before the first one are not needed any more
                rows = np.ascontiguousarray(rows[:, _NARROWING if a else 0 :])
            some = rows.take(np.flatnonzero(block[a]), axis=0)[:, a % _NARROWING :]
            kept[a, a:, a:] += some.T @ some
        yield
    for a in range(d):  # fill in the other orders of the three features
        kept[a:, a, a:] = kept[a, a:, a:]
        kept[a:, a:, a] = kept[a, a:, a:]
    pairs = np.stack([pos.extended((2 * f + 1,))[1::2] @ price for f in range(d)])
    return Triples(kept, pairs, pos.single[1::2] @ price, float(pos.weight @ price))
