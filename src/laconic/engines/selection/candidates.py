"""The listed rules from which a set is selected."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from laconic.data.bits import pack_rows
from laconic.data.table import grouped
from laconic.problem.coded import CodedRule

Rows = NDArray[np.bool_]


@dataclass(frozen=True)
class Candidates:
    """Rules that a set may contain.

    Attributes
    ----------
    rules : list of CodedRule
    covers : ndarray of bool, shape (n_rules, n_rows)
    complete : bool
        Whether some optimal set consists of these rules.
    """

    rules: list[CodedRule]
    covers: Rows
    complete: bool


def merged_rows(covers: Rows) -> tuple[Rows, NDArray[np.int64]]:
    """Merge rows covered by the same rules; return covers of merged rows, and the group of each row."""
    if not covers.shape[0]:
        return np.zeros((0, 1), bool), np.zeros(covers.shape[1], np.int64)
    if not covers.shape[1]:
        return covers, np.zeros(0, np.int64)
    group_of, first = grouped(pack_rows(covers.T))
    return covers[:, first], group_of
