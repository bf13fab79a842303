"""Clauses, and the batches they come in."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Clauses = list[list[int]]

CHUNK = 4000
"""Long clauses per batch, so that the caller can look at the clock."""


def batches(rows: NDArray[np.int64]) -> Iterator[list[int]]:
    """Cut rows into batches short enough to look at the clock between them."""
    for start in range(0, rows.size, CHUNK):
        yield rows[start : start + CHUNK].tolist()
