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
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from laconic.data.bits import pack_columns, pack_rows, unpack
from laconic.data.weights import integer_weights
from laconic.runtime.errors import InputError
from laconic.runtime.native import kernels


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
        scale: Fraction | None = None,
    ) -> Table:
        """Build a table from one binary vector and one class number per sample.

        Parameters
        ----------
        features : array-like of bool, shape (n_samples, n_features)
        labels : array-like of int, shape (n_samples,)
            Class numbers from 0.
        sample_weight : array-like, shape (n_samples,), optional
            Non-negative; scaled to integers once, see `laconic.data.weights`.
        n_classes : int, optional
            By default one more than the largest label.
        allowed : array-like of bool, shape (n_features, 2), optional
            By default every literal is allowed.
        scale : Fraction, optional
            If given, the weights are integers on this scale.

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
        if scale is None:
            weight, scale = integer_weights(sample_weight, n_samples)
        else:
            weight = np.asarray(sample_weight, dtype=np.int64)

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
        return np.ascontiguousarray(unpack(self.bits, self.n_rows).T.astype(bool))

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

    def on_finer_scale(self, factor: int) -> Table:
        """Return the same table with integer weights and their scale multiplied.

        Parameters
        ----------
        factor : int
        """
        return replace(self, weights=self.weights * factor, scale=self.scale * factor)

    def on_coarsest_scale(self) -> Table:
        """Return the same table on the coarsest scale on which its weights are whole."""
        factor = math.gcd(self.scale.numerator, *np.unique(self.weights).tolist())
        if factor == 1:
            return self
        return replace(self, weights=self.weights // factor, scale=self.scale / factor)

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


def table_digest(table: Table) -> str:
    """Return a fingerprint of rows, weights and allowed literals; the order of samples does not matter."""
    digest = hashlib.sha256(f"{table.n_rows} {table.n_features} {table.n_classes} {table.scale}".encode())
    digest.update(table.bits.astype("<u8").tobytes())
    digest.update(table.weights.astype("<i8").tobytes())
    digest.update(table.allowed.astype("u1").tobytes())
    return f"sha256:{digest.hexdigest()}"
