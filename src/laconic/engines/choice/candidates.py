"""The rules that a set is chosen from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from laconic.model.coded import CodedRule

Rows = NDArray[np.bool_]


@dataclass(frozen=True)
class Candidates:
    """Rules to choose from.

    Attributes
    ----------
    rules : list of CodedRule
    covers : ndarray of bool, shape (n_rules, n_rows)
    complete : bool
        Whether some optimal set consists of these.
    """

    rules: list[CodedRule]
    covers: Rows
    complete: bool
