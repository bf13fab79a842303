"""The raw tables of the benchmark: rows, folds, and the columns as numbers for the methods.

Large tables are sampled with a fixed seed. The folds are stratified, with a fixed seed as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from laconic.bench.split import stratified_folds
from laconic.bench.suites import FOLDS, TableSuite, data_root, label_codes

MAX_ROWS = 5000
SEED = 0


@dataclass(frozen=True, eq=False)
class RawTable:
    """A raw table, with a fold from 1 to 5 for each row.

    Attributes
    ----------
    features : DataFrame
    labels : ndarray of int64
        The class number of each row.
    classes : tuple of str
    fold_of : ndarray of int64
    """

    features: pd.DataFrame
    labels: NDArray[np.int64]
    classes: tuple[str, ...]
    fold_of: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Encoded:
    """The rows of one fold as numbers.

    Attributes
    ----------
    train, test : ndarray of float64
    categories : tuple of int
        For each column the number of categories, or 0 for a column of numbers; a category column contains
        their numbers.
    """

    train: NDArray[np.float64]
    test: NDArray[np.float64]
    categories: tuple[int, ...]


class Tables:
    """The tables of a directory.

    Parameters
    ----------
    root : Path, optional
        Directory of CSV or Parquet files, or one file; by default the paper's tables.
    target : str, optional
        Label column; by default the last column.
    """

    def __init__(self, root: Path | None = None, target: str | None = None) -> None:
        self._suite = TableSuite("raw", root if root is not None else data_root(), target, (0,))
        self.names = tuple(self._suite.datasets)
        self.read = lru_cache(maxsize=1)(self._read)

    def _read(self, name: str) -> RawTable:
        features, labels = self._suite.table(name)
        if len(labels) > MAX_ROWS:
            drawn = np.sort(np.random.default_rng(SEED).permutation(len(labels))[:MAX_ROWS])
            features, labels = features.iloc[drawn], labels.iloc[drawn]
        codes, classes = label_codes(labels)
        fold_of = stratified_folds(codes, len(FOLDS), SEED)
        return RawTable(features.reset_index(drop=True), codes, classes, fold_of)

    def weight(self, name: str) -> int:
        """Return a measure of the size of the table, of which only the order matters."""
        return self._suite.weight(name, 1)


def encode(table: RawTable, fold: int, *, one_hot: bool, fill: bool) -> Encoded:
    """Return the rows of a fold as numbers; what depends on values is learned from its training rows.

    Parameters
    ----------
    table : RawTable
    fold : int
        The number of the fold; its rows are the test rows.
    one_hot : bool
        Whether a column of categories becomes one column of 0 and 1 for each category, instead of one column
        with the numbers of the categories.
    fill : bool
        Whether a missing number becomes the median, and a missing category a category of its own; otherwise
        both are NaN. With one-hot encoding, a missing category is always a category of its own. A category
        without training rows becomes NaN, a new number if filled, and only zeros with one-hot encoding.
    """
    held_out = table.fold_of == fold
    parts: list[NDArray[np.float64]] = []
    categories: list[int] = []
    for name in table.features.columns:
        column = table.features[name]
        if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
            values = column.to_numpy(dtype=float, na_value=np.nan)
            if fill and np.isnan(values).any():
                known = values[~held_out & ~np.isnan(values)]
                values = np.where(np.isnan(values), np.median(known) if known.size else 0.0, values)
            parts.append(values[:, None])
            categories.append(0)
            continue
        missing = column.isna().to_numpy()
        texts = column.astype(str).to_numpy(dtype=object)
        words = sorted(set(texts[~held_out & ~missing]))
        number = {word: float(k) for k, word in enumerate(words)}
        codes = np.array([number.get(text, -1.0) for text in texts])
        codes[missing] = -1
        if (fill or one_hot) and missing[~held_out].any():
            codes[missing] = len(words)
            words.append("missing")
        if one_hot:
            parts.append((codes[:, None] == np.arange(len(words))).astype(float))
            categories += [0] * len(words)
        else:
            codes[codes < 0] = len(words) if fill else np.nan
            parts.append(codes[:, None])
            categories.append(len(words) + fill)
    matrix = np.hstack(parts) if parts else np.zeros((len(table.labels), 0))
    return Encoded(matrix[~held_out], matrix[held_out], tuple(categories))
