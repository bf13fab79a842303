"""The most frequent class of the training rows for every row: the minimum for any model."""

from __future__ import annotations

from typing import Any

import numpy as np


def learn(rows: Any, labels: Any, job: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Count the labels; of equally frequent ones the first is taken."""
    most = int(np.bincount(labels).argmax())
    return lambda new: np.full(len(new), most), {"lengths": [0]}
