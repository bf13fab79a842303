"""Clauses, and batches of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Clauses = list[list[int]]

CHUNK = 4000
"""Number of long clauses per batch: the caller checks the clock between batches."""


def batches(rows: NDArray[np.int64]) -> Iterator[list[int]]:
    """Split rows into batches between which the caller can check the clock."""
    for start in range(0, rows.size, CHUNK):
        yield rows[start : start + CHUNK].tolist()
