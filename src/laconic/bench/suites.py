"""Suites: the sources of a task's rows.

``cp20`` is the paper's benchmark: the authors' quantised files with their five folds. ``raw`` is the same
tables before quantisation, ``csv`` a file or a directory of the user's, and ``smoke`` tables that
scikit-learn ships. These three are split into stratified folds here and binarized by Laconic's own binarizer,
fitted on the training rows alone.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pandas as pd

from laconic.bench.split import Split, binary_split, stratified_folds
from laconic.data.targets import checked_labels
from laconic.runtime.errors import InputError

FOLDS = (1, 2, 3, 4, 5)
QUANTISATIONS = (2, 3, 4)
BINS = 6
"""Default number of bins per numeric column, as in the binarizer."""
_TABLES = (".csv", ".tsv", ".parquet", ".pq")


class Suite(Protocol):
    """A family of tables, quantisations and folds."""

    @property
    def name(self) -> str:
        """Name of the suite, which is part of its tasks."""
        ...

    @property
    def datasets(self) -> Sequence[str]:
        """Names of the tables."""
        ...

    @property
    def quantisations(self) -> Sequence[int]:
        """Available numbers of bins."""
        ...

    @property
    def folds(self) -> Sequence[int]:
        """Fold numbers, from 1."""
        ...

    def weight(self, dataset: str, quantisation: int) -> int:
        """Return a measure of the size of the table, of which only the order matters."""
        ...

    def digest(self, dataset: str, quantisation: int) -> str:
        """Return a hash of the data behind the rows."""
        ...

    def load(self, dataset: str, quantisation: int, fold: int) -> Split:
        """Return the training and test rows."""
        ...


@dataclass(frozen=True, slots=True)
class SuiteSpec:
    """The description of a suite as plain data, from which workers open it.

    Attributes
    ----------
    name : str
        "cp20", "raw", "csv" or "smoke".
    root : str or None
        Directory of the files, or one file. By default the environment's LACONIC_DATA, or
        ``../shared/datasets`` from the project's root. Needed for "csv".
    target : str or None
        Label column of the user's files; by default the last column.
    bins : tuple of int or None
        Numbers of bins for suites that Laconic's binarizer makes binary, instead of the suite's own.
    """

    name: str
    root: str | None = None
    target: str | None = None
    bins: tuple[int, ...] | None = None

    def open(self) -> Suite:
        """Open the suite."""
        bins = tuple(dict.fromkeys(self.bins or ()))
        for one in bins:
            if one < 2:
                raise InputError(f"a numeric column needs at least 2 bins, not {one}; ask for 2 or more")
        match self.name:
            case "cp20":
                return PaperSuite(data_root(self.root))
            case "raw":
                return TableSuite("raw", data_root(self.root), None, bins or QUANTISATIONS)
            case "csv":
                if self.root is None:
                    raise InputError("suite 'csv' needs the directory of your files; add --data DIRECTORY")
                return TableSuite("csv", Path(self.root), self.target, bins or (BINS,))
            case "smoke":
                return SmokeSuite(bins or (BINS,))
        raise InputError(f"unknown suite {self.name!r}; choose one of: cp20, raw, csv, smoke")

    def located(self) -> SuiteSpec:
        """Return the description with an absolute directory, for processes with another working directory."""
        if self.name == "smoke":
            return self
        root = data_root(self.root) if self.name != "csv" else Path(self.root or "")
        return replace(self, root=str(root.resolve()))


def data_root(root: str | None = None) -> Path:
    """Return the directory of the benchmark tables; if they are missing, the error says where to put them."""
    named = root or os.environ.get("LACONIC_DATA")
    beside = (Path(__file__).parents[3], Path.cwd())
    # A directory that the user has named must exist: silently using other data would be worse than an error.
    places = [Path(named)] if named else [base.parent / "shared" / "datasets" for base in beside]
    for place in places:
        if place.is_dir():
            return place
    raise InputError(f"no benchmark tables in {places[0]}; set LACONIC_DATA or give --data DIRECTORY")


class PaperSuite:
    """The authors' quantised files and folds: 71 tables × 3 quantisations × 5 folds."""

    name = "cp20"
    folds = FOLDS
    quantisations = QUANTISATIONS

    def __init__(self, root: Path) -> None:
        self._root = root / "quantised"
        self.datasets = _names(self._root / "r2", ".csv.gz")

    def weight(self, dataset: str, quantisation: int) -> int:
        """Return the size of the quantised file."""
        return self._data(dataset, quantisation).stat().st_size

    def digest(self, dataset: str, quantisation: int) -> str:
        """Return a hash of the quantised file and of its folds."""
        return _digest(self._data(dataset, quantisation), self._folds(dataset, quantisation))

    def load(self, dataset: str, quantisation: int, fold: int) -> Split:
        """Return one fold of one quantised file."""
        data, folds = self._data(dataset, quantisation), self._folds(dataset, quantisation)
        with _undamaged(data):
            frame = pd.read_csv(data)
        with _undamaged(folds), gzip.open(folds, "rt") as lines:
            fold_of = np.array([int(line) for line in lines], np.int64)
        if fold_of.size != len(frame):
            raise InputError(
                f"{folds} has {fold_of.size} folds for the {len(frame)} rows of {data.name}; restore both"
            )
        matrix = np.column_stack([_as_bits(frame[name]) for name in frame.columns[:-1]])
        codes, classes = label_codes(frame.iloc[:, -1])
        return Split.of(tuple(map(str, frame.columns[:-1])), matrix, codes, classes, fold_of == fold)

    def _data(self, dataset: str, quantisation: int) -> Path:
        return _present(self._root / f"r{quantisation}" / f"{dataset}.csv.gz")

    def _folds(self, dataset: str, quantisation: int) -> Path:
        return _present(self._root / "folds" / f"r{quantisation}" / f"{dataset}.txt.gz")


class TableSuite:
    """Raw tables, one CSV or Parquet file each."""

    folds = FOLDS

    def __init__(self, name: str, root: Path, target: str | None, quantisations: Sequence[int]) -> None:
        if not root.exists():
            raise InputError(
                f"{root} does not exist; give --data a CSV or Parquet file, or a directory of them"
            )
        self.name = name
        self.quantisations = quantisations
        self._target = target
        self._files = _tables(root)
        self.datasets = sorted(self._files)
        if not self.datasets:
            raise InputError(f"there is no CSV or Parquet file at {root}")

    def weight(self, dataset: str, quantisation: int) -> int:
        """Return the size of the file multiplied by the bins."""
        return self._files[dataset].stat().st_size * quantisation

    def digest(self, dataset: str, quantisation: int) -> str:
        """Return a hash of the file and the name of the label column."""
        return _digest(self._files[dataset], extra=self._target or "")

    def load(self, dataset: str, quantisation: int, fold: int) -> Split:
        """Read a table, split it, and binarize it with its training rows."""
        return frame_split(*self.table(dataset), quantisation, fold)

    def table(self, dataset: str) -> tuple[pd.DataFrame, pd.Series[Any]]:
        """Return the feature columns and the labels of a table."""
        from laconic.data.read import read_table  # imports scikit-learn, which quantised files do not need

        frame = read_table(self._files[dataset])
        target = self._target if self._target is not None else str(frame.columns[-1])
        if target not in frame.columns:
            raise InputError(
                f"table {dataset!r} has no column {target!r}; it has: {', '.join(frame.columns)}"
            )
        return frame.drop(columns=target), frame[target]


class SmokeSuite:
    """Three tables that scikit-learn ships; fast methods need about a minute."""

    name = "smoke"
    folds = FOLDS
    datasets = ("breast_cancer", "iris", "wine")

    def __init__(self, quantisations: Sequence[int]) -> None:
        self.quantisations = quantisations

    def weight(self, dataset: str, quantisation: int) -> int:
        """Return the number of cells multiplied by the bins."""
        frame, _ = _sklearn_table(dataset)
        return int(frame.size) * quantisation

    def digest(self, dataset: str, quantisation: int) -> str:
        """Return a hash of the values."""
        frame, labels = _sklearn_table(dataset)
        content = hashlib.sha256(frame.to_numpy(dtype=float).tobytes())
        content.update("\n".join(map(str, labels)).encode())
        return content.hexdigest()[:16]

    def load(self, dataset: str, quantisation: int, fold: int) -> Split:
        """Split a table, and binarize it with its training rows."""
        return frame_split(*_sklearn_table(dataset), quantisation, fold)


def frame_split(features: pd.DataFrame, labels: pd.Series[Any], quantisation: int, fold: int) -> Split:
    """Return one stratified fold of a raw table in binary form."""
    if len(labels) < len(FOLDS):
        raise InputError(f"the table has {len(labels)} rows; {len(FOLDS)} folds need at least one row each")
    if not labels.isna().any():  # missing labels are refused below, with the name of the column
        checked_labels(labels, len(labels))
    codes, classes = label_codes(labels)
    held_out = stratified_folds(codes, len(FOLDS)) == fold
    return binary_split(features, codes, classes, held_out, quantisation)


def label_codes(labels: pd.Series[Any]) -> tuple[np.ndarray[Any, np.dtype[np.int64]], tuple[str, ...]]:
    """Return class numbers and class names, in sorted order."""
    if labels.isna().any():
        row = int(np.flatnonzero(labels.isna())[0])
        raise InputError(f"row {row} has no label in column {labels.name!r}; fill it or drop the row")
    codes, values = pd.factorize(labels, sort=True)
    if len(values) < 2:
        raise InputError(f"column {labels.name!r} has only one class; there is nothing to learn")
    return codes.astype(np.int64), tuple(str(value) for value in values)


def _as_bits(column: pd.Series[Any]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Return a column of at most two values as bits; the larger value is true (ecoli has 0.5 and 1.0)."""
    values = np.unique(column.to_numpy())
    if values.size > 2:
        raise InputError(
            f"column {column.name!r} has {values.size} values; a quantised column has at most two"
        )
    return (
        np.asarray(column.to_numpy() == values[-1], bool) if values.size == 2 else column.to_numpy(dtype=bool)
    )


@cache
def _sklearn_table(dataset: str) -> tuple[pd.DataFrame, pd.Series[Any]]:
    from sklearn import datasets  # importing scikit-learn takes a second, and other suites do not need it

    bunch = getattr(datasets, f"load_{dataset}")(as_frame=True)
    names = {number: str(name) for number, name in enumerate(bunch.target_names)}
    return bunch.data, bunch.target.map(names).rename("class")


@cache
def _digest(*paths: Path, extra: str = "") -> str:
    content = hashlib.sha256(extra.encode())
    for path in paths:
        content.update(path.read_bytes())
    return content.hexdigest()[:16]


def _present(path: Path) -> Path:
    if not path.is_file():
        raise InputError(f"there is no {path}; restore it, or choose others with --dataset or --quantisation")
    return path


@contextmanager
def _undamaged(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise InputError(f"{path} is damaged ({type(error).__name__}: {error}); restore it") from error


def _names(directory: Path, suffix: str) -> list[str]:
    if not directory.is_dir():
        raise InputError(f"no quantised tables in {directory}; set LACONIC_DATA or give --data DIRECTORY")
    return sorted(
        path.name.removesuffix(suffix) for path in directory.iterdir() if path.name.endswith(suffix)
    )


def table_name(path: Path) -> str:
    """Return a file's name without its endings: ``loans`` for ``loans.csv.gz``."""
    return Path(path.name.removesuffix(".gz")).stem


def _tables(root: Path) -> dict[str, Path]:
    """Return the tables of a directory by name, or the one named table."""
    if not root.is_dir():
        # A text file in a directory may be anything, but one that the user names must be a table.
        return {table_name(root): root} if _ends(root, *_TABLES, ".txt", ".data") else {}
    files: dict[str, Path] = {}
    for path in sorted(root.iterdir()):
        if not _ends(path, *_TABLES) or path.name == "manifest.csv" or path.is_dir():
            continue
        other = files.setdefault(table_name(path), path)
        if other != path:
            raise InputError(
                f"{other.name} and {path.name} in {root} would be the same table; rename or move one of them"
            )
    return files


def _ends(path: Path, *endings: str) -> bool:
    return path.name.lower().removesuffix(".gz").endswith(endings)
