"""Which rule decides each row, for tables of many rows.

Conditions are cheap; moving a million rows through memory once per condition is not. So rows are taken in
blocks that stay in the processor's cache, and all conditions and rules are settled on a block before the
next is touched. Columns of plain numbers go this way; texts, categories and nullable columns are evaluated
whole, by code, and only their masks are cut into blocks. Whatever is odd about a table, empty, infinite,
sparse, named twice, is left to `laconic.model.columns.view`, which refuses it in words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from laconic.data.cells import NumberCells
from laconic.model.columns import Column, View, has_names, view
from laconic.model.predict import NO_RULE, best_first, literal_masks
from laconic.model.rule import Rule

BLOCK = 8192
"""Rows at a time: sixteen columns of doubles fill a megabyte."""

_NUMBERS = "fiub"
"""Kinds of numpy types that hold plain numbers."""


def decide(
    rules: Sequence[Rule], X: Any, columns: Sequence[Column], needed: Sequence[str], *, named: bool
) -> NDArray[np.intp]:
    """Return the number of the rule that decides each row, or `NO_RULE`.

    The same answer as `laconic.model.predict.deciding_rules`.

    Parameters
    ----------
    rules : sequence of Rule
    X : DataFrame or array-like
    columns, needed, named
        As for `laconic.model.columns.view`.
    """
    plain = _plain_columns(X, columns, needed)
    others = [name for name in needed if name not in plain.names]
    no_others = View(pd.RangeIndex(plain.n_rows), {})
    rows = no_others if plain.names and not others else view(X, columns, others, named=named)
    literals = list(dict.fromkeys(literal for rule in rules for literal in rule.literals))
    masks = literal_masks((literal for literal in literals if literal.column in rows.cells), rows)
    order = best_first(rules)
    # By number, because hashing conditions again for each block would take longer than comparing cells.
    number = {literal: n for n, literal in enumerate(literals)}
    conditions = [[number[literal] for literal in rules[k].literals] for k in order]
    # The better a rule, the higher its rank; 0 is no rule. Most sets fit a byte, which moves least.
    ranks = np.zeros(rows.n_rows, np.min_scalar_type(len(rules)))
    for start in range(0, rows.n_rows, BLOCK):
        part = slice(start, start + BLOCK)
        cells = plain.block(part)
        if any(np.isinf(one.numbers).any() for one in cells.values()):
            view(X, columns, needed, named=named)  # raises, and names the column and the row
        held = [
            literal.holds(cells[literal.column]) if literal.column in cells else masks[literal][part]
            for literal in literals
        ]
        _settle(conditions, held, ranks[part])
    by_rank = np.array([NO_RULE, *reversed(order)], np.intp)
    return by_rank[ranks]


@dataclass(frozen=True)
class _Numbers:
    """The needed columns that are plain numbers, as they lie in memory.

    Either all of them are columns of one array whose rows lie together, or each is on its own.
    """

    names: tuple[str, ...] = ()
    matrix: NDArray[Any] | None = None
    positions: tuple[int, ...] = ()
    arrays: tuple[NDArray[Any], ...] = ()

    @property
    def n_rows(self) -> int:
        if self.matrix is not None:
            return len(self.matrix)
        return len(self.arrays[0]) if self.arrays else 0

    def block(self, part: slice) -> dict[str, NumberCells]:
        """Return some rows, column by column, as doubles."""
        if self.matrix is not None:
            # One pass over the rows; picking column by column would fetch every row once per column.
            picked = np.take(self.matrix[part], self.positions, axis=1)
            columns = list(np.ascontiguousarray(picked.T, dtype=np.float64))
            kinds = [self.matrix.dtype.kind] * len(columns)
        else:
            columns = [np.ascontiguousarray(array[part], dtype=np.float64) for array in self.arrays]
            kinds = [array.dtype.kind for array in self.arrays]
        return {
            name: NumberCells(name, values, boolean=kind == "b")
            for name, values, kind in zip(self.names, columns, kinds, strict=True)
        }


def _settle(conditions: list[list[int]], held: list[NDArray[np.bool_]], ranks: NDArray[Any]) -> None:
    """Raise the rank of each row of a block to that of the best rule that covers it, best rule first."""
    covered, worth = np.empty(ranks.size, bool), np.empty_like(ranks)
    for place, numbers in enumerate(conditions):
        if numbers:
            covered[:] = held[numbers[0]]
        else:
            covered.fill(True)
        for n in numbers[1:]:
            np.logical_and(covered, held[n], out=covered)
        np.multiply(covered, ranks.dtype.type(len(conditions) - place), out=worth)
        np.maximum(ranks, worth, out=ranks)


def _plain_columns(X: Any, columns: Sequence[Column], needed: Sequence[str]) -> _Numbers:
    """Return the needed columns that are plain numbers, without copying; none if the table is odd."""
    if isinstance(X, np.ndarray):
        if X.ndim != 2 or X.dtype.kind not in _NUMBERS or X.shape[1] != len(columns) or not len(X):
            return _Numbers()
        place = {column.name: k for k, column in enumerate(columns)}
        positions = tuple(place[name] for name in needed)
        if X.flags.c_contiguous:
            return _Numbers(tuple(needed), X, positions)
        return _Numbers(tuple(needed), arrays=tuple(X[:, k] for k in positions))
    if not has_names(X) or not X.columns.is_unique or any(name not in X.columns for name in needed):
        return _Numbers()
    found = {name: X[name] for name in needed}
    arrays = {
        name: values.to_numpy()
        for name, values in found.items()
        if isinstance(values.dtype, np.dtype) and values.dtype.kind in _NUMBERS and len(values)
    }
    return _Numbers(tuple(arrays), arrays=tuple(arrays.values()))
