"""Groups of rows of one sign, stored so that the weight of a rule in each group is a count of bits.

The rows of a group are contiguous, and each group (and within it each weight) starts at a new 64-bit word.
The weights of a rule in all groups take a few passes of AND and popcount. The weights of all pairs of
literals are one matrix product per group, computed once: 40,000 pairs cost no more than a few hundred passes.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic.data.bits import WORD, RowSet, pack, unpack
from laconic.engines.exact.lazy_rows.rows import Body

Weights = NDArray[np.float64]

_WORK_AT_ONCE = 2 * 10**9
"""Number of multiplications between two checks of the clock."""
_EXACT_SINGLE = 2**24
"""Below this, sums of integers are exact in single precision, which multiplies twice as fast."""


@dataclass(frozen=True)
class RowGroups:
    """Grouped rows of one sign.

    Attributes
    ----------
    weight : ndarray, shape (n_groups,)
    bits : ndarray of uint64, shape (n_features, n_words)
        Features as in `laconic.data.table.Table`, with rows ordered by group and gaps between groups.
    everything : ndarray of uint64, shape (n_words,)
        The mask of all rows: ones outside of the gaps.
    single : ndarray, shape (2 * n_features, n_groups)
        Weight of each literal in each group.
    """

    weight: Weights
    bits: RowSet
    everything: RowSet
    single: Weights
    _starts: NDArray[np.int64]
    _segment_weight: Weights
    _segment_group: NDArray[np.int64]
    _pairs: NDArray[Any]

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return int(self.weight.size)

    def cover(self, body: Iterable[int]) -> RowSet:
        """Return the rows that satisfy every literal."""
        covered = self.everything
        for code in body:
            covered = covered & (self.bits[code >> 1] if code & 1 else ~self.bits[code >> 1])
        return covered

    def weigh(self, covered: RowSet) -> Weights:
        """Return the weight of row sets, shape (..., n_words), in each group."""
        counts = np.add.reduceat(np.bitwise_count(covered), self._starts, axis=-1, dtype=np.int64)
        counted = counts * self._segment_weight
        if self._segment_group.size == self.n_groups:
            return counted
        out = np.zeros((self.n_groups, *counted.shape[:-1]))
        np.add.at(out, self._segment_group, np.moveaxis(counted, -1, 0))
        return np.moveaxis(out, 0, -1)

    def per_word(self, values: Weights) -> Weights:
        """Return one number per word: the value of the word's group times the weight of a row in the word."""
        length = np.diff(self._starts, append=self.bits.shape[1])
        return np.repeat(values[self._segment_group] * self._segment_weight, length)

    def weigh_rule(self, body: Sequence[int]) -> Weights:
        """Return the weight of a rule in each group."""
        if not body:
            return self.weight
        return self.single[body[0]] if len(body) == 1 else self.weigh(self.cover(body))

    def extended(self, body: Sequence[int]) -> Weights:
        """Return the weights of the rule extended by each literal, shape (2 * n_features, n_groups)."""
        if not body:
            return self.single
        out = np.empty_like(self.single)
        if len(body) == 1:
            feature, whole = body[0] >> 1, self.single[body[0]]
            both = self._pairs[:, feature].T.astype(np.float64)
            out[1::2] = both if body[0] & 1 else self.single[1::2] - both
        else:
            covered = self.cover(body)
            whole = self.weigh_rule(body)
            alive = np.flatnonzero(covered)  # a long rule has few non-empty words
            if 4 * alive.size < covered.size:
                sparse = np.zeros_like(self.bits)
                sparse[:, alive] = self.bits[:, alive] & covered[alive]
                out[1::2] = self.weigh(sparse)
            else:
                out[1::2] = self.weigh(self.bits & covered)
        out[0::2] = whole - out[1::2]
        return out


def grouped(
    bits: RowSet, rows: NDArray[np.int64], weights: NDArray[np.int64], group_of: NDArray[np.int64]
) -> Generator[None, None, RowGroups]:
    """Arrange rows of a table by group; yields regularly, so that the caller can check the clock.

    Parameters
    ----------
    bits : ndarray of uint64
        The features of the table.
    rows, weights, group_of : ndarray
        Row numbers, weights, and groups numbered from 0.
    """
    order = np.lexsort((weights, group_of))
    rows, weights, group_of = rows[order], weights[order], group_of[order]
    first = np.flatnonzero(
        np.diff(weights, prepend=-1).astype(bool) | np.diff(group_of, prepend=-1).astype(bool)
    )
    length = np.diff(first, append=rows.size)
    words = -(-length // WORD)
    starts = np.concatenate([[0], np.cumsum(words)[:-1]])
    n_words = int(words.sum())
    place = np.repeat(starts * WORD - first, length) + np.arange(rows.size)
    own = np.empty((bits.shape[0], n_words), np.uint64)
    for feature in range(bits.shape[0]):
        own[feature] = _scattered(unpack(bits[feature])[rows], place, n_words)
        if feature % 16 == 15:
            yield
    n_groups = int(group_of[-1]) + 1
    total = np.bincount(group_of, weights=weights, minlength=n_groups).astype(np.float64)
    dtype: type[np.float32 | np.float64] = np.float32 if total.max() < _EXACT_SINGLE else np.float64
    pairs: NDArray[Any] = np.zeros((n_groups, bits.shape[0], bits.shape[0]), dtype)
    at_once = int(np.clip(_WORK_AT_ONCE // max(1, bits.shape[0]) ** 2, WORD, 50_000)) // WORD  # words
    waiting = 0
    for start, size, weight, group in zip(starts, words, weights[first], group_of[first], strict=True):
        for begin in range(start, start + size, at_once):
            end = min(begin + at_once, start + size)
            block: NDArray[Any] = unpack(own[:, begin:end]).astype(dtype)
            pairs[group] += float(weight) * (block @ block.T)
            waiting += end - begin
            if waiting >= at_once:
                waiting = 0
                yield
    single = np.empty((2 * bits.shape[0], n_groups))
    single[1::2] = np.einsum("gff->fg", pairs)
    single[0::2] = total - single[1::2]
    return RowGroups(
        total,
        own,
        _scattered(np.ones(rows.size, bool), place, n_words),
        single,
        starts.astype(np.int64),
        weights[first].astype(np.float64),
        group_of[first],
        pairs,
    )


@dataclass(frozen=True)
class Splits:
    """A partition of rows: rule by rule, the groups that the rule split."""

    rules: tuple[Body, ...]
    groups: tuple[NDArray[np.int64], ...]

    def apply(self, covers: Iterable[NDArray[np.bool_]], n_rows: int) -> NDArray[np.int64]:
        """Return groups of other rows, split in the same way by the covers of the rules on them."""
        group_of = np.zeros(n_rows, np.int64)
        n_groups = 1
        for covered, split in zip(covers, self.groups, strict=True):
            _move(group_of, covered, split, n_groups)
            n_groups += split.size
        return group_of


def split_by(
    rules: Sequence[Body],
    covers: Iterable[NDArray[np.bool_]],
    weights: NDArray[np.int64],
    least: float,
) -> tuple[NDArray[np.int64], Splits]:
    """Split rows by one rule after another; no part may weigh less than ``least``."""
    group_of = np.zeros(weights.size, np.int64)
    total = np.array([weights.sum()], np.float64)
    used: list[Body] = []
    groups: list[NDArray[np.int64]] = []
    for rule, covered in zip(rules, covers, strict=True):
        part = np.bincount(group_of[covered], weights=weights[covered], minlength=total.size)
        split = np.flatnonzero((part >= least) & (total - part >= least))
        if split.size:
            _move(group_of, covered, split, total.size)
            used.append(rule)
            groups.append(split)
            total[split] -= part[split]
            total = np.append(total, part[split])
    return group_of, Splits(tuple(used), tuple(groups))


def _move(
    group_of: NDArray[np.int64], covered: NDArray[np.bool_], split: NDArray[np.int64], n_groups: int
) -> None:
    """Move the covered rows of some groups to new groups, numbered from ``n_groups``."""
    fresh = np.full(n_groups, -1)
    fresh[split] = n_groups + np.arange(split.size)
    moved = covered & (fresh[group_of] >= 0)
    group_of[moved] = fresh[group_of[moved]]


def _scattered(
    values: NDArray[np.uint8] | NDArray[np.bool_], place: NDArray[np.int64], n_words: int
) -> RowSet:
    flat = np.zeros(n_words * WORD, np.uint8)
    flat[place] = values
    return pack(flat.astype(bool))
