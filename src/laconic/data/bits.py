"""Sets of rows, and rows of features, packed into words of 64 bits: the only module that packs bits.

A `RowSet` holds bit ``i`` of its little-endian words for row ``i``, as the native kernels read it. Packed
rows have their bits in big-endian order instead, so that comparing words compares rows. The checkers, which
import nothing of the search, pack their own bits.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

RowSet = NDArray[np.uint64]
"""Sets of rows along the last axis, one per leading index."""

WORD = 64


def n_words(n_rows: int) -> int:
    """Return the number of words of a set of rows, at least one."""
    return max(1, -(-n_rows // WORD))


def pack(rows: NDArray[np.bool_], words: int | None = None) -> RowSet:
    """Pack sets of rows along the last axis.

    Parameters
    ----------
    rows : ndarray of bool, shape (..., n_rows)
    words : int, optional
        The number of words of each set, if it is more than the rows need.

    Examples
    --------
    >>> pack(np.array([True, False, True]))
    array([5], dtype=uint64)
    """
    out = np.zeros((*rows.shape[:-1], 8 * (n_words(rows.shape[-1]) if words is None else words)), np.uint8)
    packed = np.packbits(rows, axis=-1, bitorder="little")
    out[..., : packed.shape[-1]] = packed
    return out.view(np.uint64)


def unpack(sets: RowSet, n_rows: int | None = None) -> NDArray[np.uint8]:
    """Return zeros and ones for the rows of packed sets; ``n_rows`` leaves out the padding."""
    bytes_ = np.ascontiguousarray(sets).view(np.uint8)
    return np.unpackbits(bytes_, axis=-1, count=n_rows, bitorder="little")


def members(rows: RowSet) -> NDArray[np.int64]:
    """Return the numbers of the rows in one set."""
    return np.flatnonzero(unpack(rows)).astype(np.int64)


def pack_columns(matrix: NDArray[np.bool_]) -> RowSet:
    """Pack each column of a matrix of rows by features into a set of rows."""
    n_rows, n_features = matrix.shape
    out = np.zeros((n_features, 8 * n_words(n_rows)), np.uint8)
    if n_features:
        bytes_ = np.packbits(matrix, axis=0, bitorder="little")
        out[:, : bytes_.shape[0]] = bytes_.T
    return out.view(np.uint64)


def pack_rows(matrix: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Pack each row of a matrix, so that comparing words compares rows."""
    bytes_ = np.packbits(matrix, axis=1)
    pad = (-bytes_.shape[1]) % 8 or (8 if bytes_.shape[1] == 0 else 0)
    padded = np.pad(bytes_, ((0, 0), (0, pad)))
    return np.ascontiguousarray(padded).view(np.uint64)


def unpack_rows(packed: NDArray[np.uint64], n_features: int) -> NDArray[np.bool_]:
    """Return the matrix that `pack_rows` packed."""
    bytes_ = np.ascontiguousarray(packed).view(np.uint8)
    return np.unpackbits(bytes_, axis=1, count=n_features).astype(bool)


def keys(matrix: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return each row of a matrix as a few bytes, to find equal rows; without padding to whole words."""
    return np.packbits(matrix, axis=-1)
