"""Generated tables with known rules."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def planted(n_rows: int, n_columns: int) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Return fair coins, and labels by three rules of three conditions; one label in ten is flipped."""
    rng = np.random.default_rng(n_rows + n_columns)
    x = rng.integers(0, 2, (n_rows, n_columns), dtype=np.uint8).view(bool)
    truth = (x[:, 0] & x[:, 1] & ~x[:, 2]) | (x[:, 3] & ~x[:, 4] & x[:, 5]) | (~x[:, 0] & x[:, 6] & x[:, 7])
    return x, (truth ^ (rng.random(n_rows) < 0.1)).astype(np.int64)
