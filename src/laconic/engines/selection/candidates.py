"""The rules that a set is chosen from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from laconic.data.table import grouped, pack_rows
from laconic.problem.coded import CodedRule

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


def merged_rows(covers: Rows) -> tuple[Rows, NDArray[np.int64]]:
    """Merge rows that the same rules cover: (rule x group covers, group of each row)."""
    if not covers.shape[0]:
        return np.zeros((0, 1), bool), np.zeros(covers.shape[1], np.int64)
    if not covers.shape[1]:
        return covers, np.zeros(0, np.int64)
    group_of, first = grouped(pack_rows(covers.T))
    return covers[:, first], group_of
