"""Generated tables that each stress one thing of a search.

Each family has a table for development and one, with another size and seed, that is held out.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from benchmarks.support.halves import Half

Frame = tuple[pd.DataFrame, NDArray[np.int64]]

NAMES = ("few-rows", "ring", "twonorm", "many-classes", "categories", "planted", "near-duplicates")

_SIZES: dict[str, tuple[tuple[int, int], tuple[int, int]]] = {
    "few-rows": ((60, 150), (90, 100)),
    "ring": ((3000, 20), (5000, 16)),
    "twonorm": ((3000, 20), (5000, 16)),
    "many-classes": ((1500, 12), (1000, 16)),
    "categories": ((4000, 20), (2500, 25)),
    "planted": ((2000, 12), (1000, 20)),
    "near-duplicates": ((800, 12), (600, 15)),
}
"""Rows and columns of the table for development and of the one held out."""


def frame(family: str, half: Half) -> Frame:
    """Return the columns and labels of a generated table."""
    number = int(half == "held-out")
    rng = np.random.default_rng(1000 * NAMES.index(family) + number)
    return _MAKERS[family](rng, *_SIZES[family][number])


def _few_rows(rng: np.random.Generator, n_rows: int, n_columns: int) -> Frame:
    """Few rows and many numbers, three of which shift with the class."""
    y = rng.integers(0, 2, n_rows)
    x = rng.normal(size=(n_rows, n_columns))
    x[:, :3] += y[:, None]
    return _numbers(x), y


def _ring(rng: np.random.Generator, n_rows: int, n_columns: int) -> Frame:
    """Two normal classes, one of them wider (Breiman's ringnorm)."""
    y = rng.integers(0, 2, n_rows)
    x = rng.normal(size=(n_rows, n_columns))
    wide = 2.0 * x
    return _quartiles(np.where(y[:, None] == 0, wide, x + 1 / np.sqrt(n_columns))), y


def _twonorm(rng: np.random.Generator, n_rows: int, n_columns: int) -> Frame:
    """Two normal classes with different means (Breiman's twonorm)."""
    y = rng.integers(0, 2, n_rows)
    shift = 2 / np.sqrt(n_columns) * (2 * y[:, None] - 1)
    return _quartiles(rng.normal(size=(n_rows, n_columns)) + shift), y


def _many_classes(rng: np.random.Generator, n_rows: int, n_columns: int) -> Frame:
    """Twelve normal classes with random centres."""
    centres = rng.normal(size=(12, n_columns))
    y = rng.integers(0, 12, n_rows)
    return _numbers(centres[y] + 0.8 * rng.normal(size=(n_rows, n_columns))), y


def _categories(rng: np.random.Generator, n_rows: int, n_columns: int) -> Frame:
    """Categories of two to twelve values that depend on a hidden group; some values decide the class."""
    group = rng.integers(0, 12, n_rows)
    columns = {}
    for k in range(n_columns):
        usual = rng.integers(0, 2 + k % 11, 20)
        value = np.where(rng.random(n_rows) < 0.95, usual[group], rng.integers(0, 2 + k % 11, n_rows))
        columns[f"c{k}"] = value
    poor = rng.random(20) < 0.5
    y = poor[group] ^ (columns["c4"] == 1) & (columns["c7"] < 3)
    return pd.DataFrame({name: value.astype(str) for name, value in columns.items()}), y.astype(np.int64)


def _planted(rng: np.random.Generator, n_rows: int, n_columns: int) -> Frame:
    """Three rules over numbers; one label in ten is flipped."""
    x = rng.random((n_rows, n_columns))
    rules = ((0, 1, 2), (3, 4, 5), (1, 4, 6))
    y = np.any([np.all([x[:, k] > 0.5 for k in rule], axis=0) for rule in rules], axis=0)
    return _numbers(x.round(2)), (y ^ (rng.random(n_rows) < 0.1)).astype(np.int64)


def _near_duplicates(rng: np.random.Generator, n_rows: int, n_columns: int) -> Frame:
    """Yes/no columns, each with four copies in which one value in fifty differs."""
    x = rng.random((n_rows, n_columns)) < 0.5
    y = (x[:, 0] & x[:, 1]) | (x[:, 2] & ~x[:, 3] & x[:, 4])
    copies = np.repeat(x, 5, axis=1)
    copies ^= rng.random(copies.shape) < 0.02
    return _numbers(copies), (y ^ (rng.random(n_rows) < 0.1)).astype(np.int64)


_MAKERS = {
    "few-rows": _few_rows,
    "ring": _ring,
    "twonorm": _twonorm,
    "many-classes": _many_classes,
    "categories": _categories,
    "planted": _planted,
    "near-duplicates": _near_duplicates,
}


def _numbers(x: NDArray[np.generic]) -> pd.DataFrame:
    return pd.DataFrame(x, columns=[f"x{k}" for k in range(x.shape[1])])


def _quartiles(x: NDArray[np.float64]) -> pd.DataFrame:
    """Return one yes/no column per quarter of each column."""
    edges = np.quantile(x, [0.25, 0.5, 0.75], axis=0)
    quarter = (x[:, :, None] > edges.T[None]).sum(axis=2)
    parts = [quarter[:, k] == q for k in range(x.shape[1]) for q in range(4)]
    names = [f"x{k} in quarter {q + 1}" for k in range(x.shape[1]) for q in range(4)]
    return pd.DataFrame(np.column_stack(parts), columns=names)
