"""An exact search within a size, on a table made by hand."""

from __future__ import annotations

import numpy as np
import pytest

from laconic.data.table import Table
from laconic.engines.fronts.closing import Closer
from laconic.engines.fronts.one_class import ClassFront
from laconic.engines.rows_of_class import RowsOfClass
from laconic.runtime.budget import Budget
from laconic.runtime.native import kernels


@pytest.mark.parametrize("negatives", [1, 2])
def test_a_literal_that_alone_excludes_just_enough_is_kept(negatives):
    """`a` covers all positives and few negatives; `a and b` costs one size more and covers none of those."""
    rows = np.array([[1, 1], [1, 0], [0, 1], [0, 0]], bool)
    table = Table.from_arrays(rows, [1, 0, 0, 0], [5, negatives, 5, 5])
    weights = table.weights
    every_literal = np.ones((2, 2), bool)
    front = ClassFront(RowsOfClass(table, 1, weights[:, 1], weights[:, 0], every_literal), 3, seconds=None)
    front.offer([[1]])
    front.raise_at(2, negatives)
    assert Closer(front).close(3, Budget(10), kernels.StopFlag())
    assert front.proved[3] == front.achieved[3] == 0
    assert [rule.literals for rule in front.rules_at(3)] == [(1, 3)]
