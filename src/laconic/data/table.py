"""Unique weighted rows: all that any objective depends on.

Equal rows are merged into one row with a weight per class. Every objective depends on the data only
through which rows a rule covers and how heavy they are, so merging is exact, and it is what makes large
data small. Rows are kept in lexicographic order, so the table, and with it the model, does not depend on
the order of the user's rows.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from laconic.data.foreign import refuse_masked
from laconic.runtime.errors import InputError
from laconic.runtime.native import kernels

MAX_TOTAL_WEIGHT = 2**53
"""Largest total of the integer weights: sums stay exact in int64 and in a double alike."""


@dataclass(frozen=True, eq=False)
class Table:
    """A binary table whose equal rows are merged.

    Attributes
    ----------
    bits : ndarray of uint64, shape (n_features, n_words)
        Feature ``f`` as a set of rows: bit ``i % 64`` of word ``i // 64`` is row ``i``.
    weights : ndarray of int64, shape (n_rows, n_classes)
        Weight of each row in each class.
    allowed : ndarray of bool, shape (n_features, 2)
        Whether a rule may ask for the feature to be false (column 0) or true (column 1).
        A column with missing values offers ``x <= 3`` and ``x > 3`` as two features of which only
        the true side may be used, since a missing value satisfies neither.
    scale : Fraction
        Integer weights divided by the user's weights.
    group_of : ndarray of int64, shape (n_samples,)
        The row of the table that holds each sample; empty if the samples were merged elsewhere.
    samples : ndarray of int64, shape (n_rows,)
        Samples in each row, whatever they weigh; by default counted from ``group_of`` or, without that,
        one per unit of weight.
    """

    bits: NDArray[np.uint64]
    weights: NDArray[np.int64]
    allowed: NDArray[np.bool_]
    scale: Fraction = Fraction(1)
    group_of: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64), repr=False)
    samples: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64), repr=False)

    def __post_init__(self) -> None:
        if self.samples.size:
            return
        counted = (
            np.bincount(self.group_of, minlength=self.n_rows)
            if self.group_of.size
            else self.weights.sum(axis=1)
        )
        object.__setattr__(self, "samples", counted.astype(np.int64))

    @classmethod
    def from_arrays(
        cls,
        features: ArrayLike,
        labels: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        n_classes: int | None = None,
        allowed: ArrayLike | None = None,
    ) -> Table:
        """Build a table from one binary vector and one class number per sample.

        Parameters
        ----------
        features : array-like of bool, shape (n_samples, n_features)
        labels : array-like of int, shape (n_samples,)
            Class numbers from 0.
        sample_weight : array-like, shape (n_samples,), optional
            Non-negative; scaled to integers once, see `integer_weights`.
        n_classes : int, optional
            By default one more than the largest label.
        allowed : array-like of bool, shape (n_features, 2), optional
            By default every literal is allowed.

        Examples
        --------
        >>> table = Table.from_arrays([[0, 1], [0, 1], [1, 1]], [0, 1, 1])
        >>> table.weights.tolist()
        [[1, 1], [0, 1]]
        """
        matrix = np.asarray(features, dtype=bool)
        codes = np.asarray(labels, dtype=np.int64)
        if matrix.ndim != 2 or codes.shape != (matrix.shape[0],):
            raise InputError(
                f"features must be two-dimensional with one label per row; "
                f"got shapes {matrix.shape} and {codes.shape}"
            )
        n_samples, n_features = matrix.shape
        if n_samples == 0:
            raise InputError("the table has no rows; give at least one row per class")
        if codes.min() < 0:
            raise InputError("class numbers must not be negative")
        n_classes = int(codes.max()) + 1 if n_classes is None else n_classes
        weight, scale = integer_weights(sample_weight, n_samples)

        group_of, first = grouped(pack_rows(matrix))
        weights = np.zeros((first.size, n_classes), np.int64)
        np.add.at(weights, (group_of, codes), weight)
        bits = pack_columns(matrix[first])
        literals = np.ones((n_features, 2), bool) if allowed is None else np.asarray(allowed, dtype=bool)
        if literals.shape != (n_features, 2):
            raise InputError(f"allowed must have shape ({n_features}, 2), not {literals.shape}")
        return cls(bits, weights, literals, scale, group_of)

    @cached_property
    def n_rows(self) -> int:
        """Number of distinct feature vectors."""
        return int(self.weights.shape[0])

    @cached_property
    def n_features(self) -> int:
        """Number of binary features."""
        return int(self.bits.shape[0])

    @cached_property
    def n_classes(self) -> int:
        """Number of classes, including those without a row."""
        return int(self.weights.shape[1])

    @cached_property
    def n_samples(self) -> int:
        """Number of the user's rows."""
        return int(self.samples.sum())

    @cached_property
    def total_weight(self) -> int:
        """M of the paper: the weight of all rows."""
        return int(self.weights.sum())

    @cached_property
    def row_weights(self) -> NDArray[np.int64]:
        """The weight of each row, all classes together."""
        total: NDArray[np.int64] = self.weights.sum(axis=1)
        return total

    def rows_in(self, target: int) -> NDArray[np.bool_]:
        """Return which rows weigh in a class.

        Parameters
        ----------
        target : int
            The class.
        """
        mask: NDArray[np.bool_] = self.weights[:, target] > 0
        return mask

    def rows_outside(self, target: int) -> NDArray[np.bool_]:
        """Return which rows weigh in another class; a row without any weight is neither in nor outside.

        Parameters
        ----------
        target : int
            The class.
        """
        mask: NDArray[np.bool_] = self.row_weights > self.weights[:, target]
        return mask

    @cached_property
    def matrix(self) -> NDArray[np.bool_]:
        """The unique feature vectors, unpacked: shape (n_rows, n_features)."""
        flat = np.unpackbits(self.bits.view(np.uint8), axis=1, bitorder="little")
        return np.ascontiguousarray(flat[:, : self.n_rows].T.astype(bool))

    def against_rest(self, target: int) -> Table:
        """Return the table with one class, numbered 0, and all others as one, numbered 1.

        Parameters
        ----------
        target : int
            The class.
        """
        own = self.weights[:, target]
        weights = np.stack([own, self.row_weights - own], axis=1)
        return Table(self.bits, weights, self.allowed, self.scale)

    def reduced_to_majority(self, class_factor: Sequence[Fraction] | None = None) -> Table:
        """Return the table in which each row keeps only its heaviest class (ties: the first class).

        Parameters
        ----------
        class_factor : sequence of Fraction, optional
            How much heavier each class counts in the comparison.
        """
        compared = self.weights
        if class_factor is not None and any(factor != 1 for factor in class_factor):
            compared = self.weights * np.array(class_factor, dtype=object)
        heaviest = compared.argmax(axis=1)
        rows = np.arange(self.n_rows)
        kept = np.zeros_like(self.weights)
        kept[rows, heaviest] = self.weights[rows, heaviest]
        return Table(self.bits, kept, self.allowed, self.scale, self.group_of, self.samples)


def integer_weights(sample_weight: ArrayLike | None, n_samples: int) -> tuple[NDArray[np.int64], Fraction]:
    """Scale the user's weights to integers.

    Weights that are decimal fractions with a small common denominator are scaled exactly;
    others are rounded on the finest decimal scale that keeps the total exact in a double.

    Returns
    -------
    weights : ndarray of int64
    scale : Fraction
        Integer weight per unit of the user's weight.
    """
    if sample_weight is None:
        return np.ones(n_samples, np.int64), Fraction(1)
    refuse_masked(sample_weight, "sample_weight")
    weight = np.asarray(sample_weight, dtype=float)
    if weight.shape != (n_samples,):
        raise InputError(f"sample_weight has shape {weight.shape}, but there are {n_samples} rows")
    if not np.isfinite(weight).all():
        row = int(np.flatnonzero(~np.isfinite(weight))[0])
        raise InputError(f"sample_weight of row {row} is {weight[row]}; weights must be finite")
    if (weight < 0).any():
        row = int(np.flatnonzero(weight < 0)[0])
        raise InputError(
            f"sample_weight of row {row} is negative ({weight[row]}); weights must be at least 0"
        )
    distinct = np.unique(weight)
    scaled, scale = scaled_weights(distinct, float(weight.sum()))
    return scaled[np.searchsorted(distinct, weight)], scale


def scaled_weights(distinct: NDArray[np.float64], total: float) -> tuple[NDArray[np.int64], Fraction]:
    """Scale the distinct weights of some rows, which add up to ``total``, to integers."""
    if total == 0:
        raise InputError("all sample weights are zero; give some row a positive weight")
    if total > MAX_TOTAL_WEIGHT:
        raise InputError(f"the sample weights add up to {total:.3g}, above 2**53; divide them by a constant")
    scale = _exact_scale(distinct, total)
    scaled = np.array([round(Fraction(repr(w)) * scale) for w in distinct.tolist()], dtype=np.int64)
    lost = distinct[(distinct > 0) & (scaled == 0)]
    if lost.size:  # as nothing, such rows would be left out
        raise InputError(
            f"a sample weight of {lost[-1]:.3g} is too small beside the sum of all, {total:.3g}, for exact "
            f"arithmetic; make it 0, or larger"
        )
    return scaled, scale


def _exact_scale(distinct: NDArray[np.float64], total: float) -> Fraction:
    """Return the common denominator of the decimals as written, or the finest power of ten that fits."""
    # A total of 1e-310 or a weight of 5e-324 asks for whole numbers beyond all doubles.
    largest = math.floor(MAX_TOTAL_WEIGHT / Fraction(total))
    denominator = 1
    for value in distinct.tolist():
        denominator = int(np.lcm.reduce([denominator, Fraction(repr(value)).denominator], dtype=object))
        if denominator > largest:
            power = 0
            while 10 ** (power + 1) <= largest:
                power += 1
            return Fraction(10**power)
    return Fraction(denominator)


def grouped(packed: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return each packed row's group, and where each group first occurs; lexicographic order."""
    group_of, first = kernels.group_rows(packed)
    order = lexicographic(packed[first])
    rank = np.empty_like(order)
    rank[order] = np.arange(order.size)
    return rank[group_of], first[order]


def lexicographic(packed: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the order of packed rows that sorts them."""
    # np.lexsort takes its last key first.
    order: NDArray[np.int64] = np.lexsort(
        tuple(packed[:, k].byteswap() for k in reversed(range(packed.shape[1])))
    )
    return order


def pack_rows(matrix: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Pack each row into big-endian bit order, so that comparing words compares rows."""
    bytes_ = np.packbits(matrix, axis=1)
    pad = (-bytes_.shape[1]) % 8 or (8 if bytes_.shape[1] == 0 else 0)
    padded = np.pad(bytes_, ((0, 0), (0, pad)))
    return np.ascontiguousarray(padded).view(np.uint64)


def pack_columns(matrix: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Pack each column into a row set: bit ``i`` of the little-endian words is row ``i``."""
    n_rows, n_features = matrix.shape
    n_words = max(1, -(-n_rows // 64))
    out = np.zeros((n_features, n_words * 8), np.uint8)
    if n_features:
        bytes_ = np.packbits(matrix, axis=0, bitorder="little")
        out[:, : bytes_.shape[0]] = bytes_.T
    return out.view(np.uint64)


def table_digest(table: Table) -> str:
    """Return a fingerprint of rows, weights and allowed literals; the order of samples does not matter."""
    digest = hashlib.sha256(f"{table.n_rows} {table.n_features} {table.n_classes} {table.scale}".encode())
    digest.update(table.bits.astype("<u8").tobytes())
    digest.update(table.weights.astype("<i8").tobytes())
    digest.update(table.allowed.astype("u1").tobytes())
    return f"sha256:{digest.hexdigest()}"
