"""What a fit needs of a labelled table: the conditions, the classes, and the unique weighted rows.

Every objective depends on the data through these alone, so where they came from does not matter: a
DataFrame, files that do not fit in memory, the partitions of a cluster, or an older table and some new rows.
Equal training tables give equal models, byte for byte.
"""

from __future__ import annotations

import inspect
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from laconic.data.cells import Cells
from laconic.data.column import Column, has_names
from laconic.data.columns import guess_kind
from laconic.data.foreign import as_pandas
from laconic.data.frame import as_frame, dense, with_text_names
from laconic.data.table import Table
from laconic.data.targets import checked_labels, encode_labels
from laconic.data.weights import checked_weights, scaling
from laconic.runtime.errors import InputError

if TYPE_CHECKING:
    from laconic.data.binarize import Binarizer
    from laconic.data.large.sources import Dialect, Named


@dataclass(frozen=True, eq=False)
class TrainingTable:
    """A labelled table, reduced to what a fit needs; hand it to ``DecisionSetClassifier.fit``.

    Attributes
    ----------
    table : Table
        The unique weighted rows.
    binarizer : Binarizer
        Fitted: what the table's features mean.
    classes : ndarray
        What its classes mean.
    columns : tuple of Column
        The user's columns.
    named : bool
        Whether their names are the user's.
    notes : tuple of str
        What the user should know about how it was made, such as thresholds from a summary.
    """

    table: Table
    binarizer: Any
    classes: NDArray[Any]
    columns: tuple[Column, ...]
    named: bool = True
    notes: tuple[str, ...] = ()

    def slim(self) -> TrainingTable:
        """Return the same table without the group of each sample, which only its construction needs."""
        table = self.table
        merged = Table(table.bits, table.weights, table.allowed, table.scale, samples=table.samples)
        return replace(self, table=merged)

    def on_finer_scale(self, factor: int) -> TrainingTable:
        """Return the same rows with integer weights and their scale multiplied.

        Parameters
        ----------
        factor : int
        """
        return self if factor == 1 else replace(self, table=self.table.on_finer_scale(factor))

    def on_coarsest_scale(self) -> TrainingTable:
        """Return the same rows on the coarsest scale on which their weights are whole."""
        table = self.table.on_coarsest_scale()
        return self if table is self.table else replace(self, table=table)

    def save(self, path: str | Path) -> None:
        """Write it to a file, for `load`.

        Parameters
        ----------
        path : str or Path
            By custom ``.npz``.
        """
        from laconic.data.large.store import save

        save(self, path)

    @classmethod
    def load(cls, path: str | Path) -> TrainingTable:
        """Read it from a file that `save` wrote; anything else is refused.

        Parameters
        ----------
        path : str or Path
        """
        from laconic.data.large.store import load

        return load(path)

    def extended(self, X: Any, y: Any, sample_weight: Any = None) -> TrainingTable:
        """Return the table with some rows added; the conditions stay as they are.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_rows, n_columns)
            With the columns that conditions are on. A missing value where there was none, or a third value
            in a column of two, fits no condition and is refused. A dask DataFrame is counted where its
            partitions are; ``y`` and ``sample_weight`` are then dask Series, or names of columns.
        y : array-like of shape (n_rows,)
        sample_weight : array-like of shape (n_rows,), optional
        """
        from laconic.data.large.update import extended

        return extended(self, X, y, sample_weight)

    @classmethod
    def from_files(
        cls,
        pattern: Named,
        target: str,
        *,
        weight_column: str | None = None,
        drop: Collection[str] = (),
        binarizer: Binarizer | None = None,
        column_types: Mapping[str, str] | None = None,
        dialect: Dialect | None = None,
        memory_limit: str | int | None = None,
        threads: int = 1,
    ) -> TrainingTable:
        """Reduce CSV or Parquet files that need not fit in memory; needs DuckDB.

        Parameters
        ----------
        pattern : str, Path or sequence of these
            A file, or a pattern such as ``parts/*.parquet``, or several, all with the same columns.
        target : str
            The column of labels.
        weight_column : str, optional
            The column of weights.
        drop : collection of str
            Columns to leave out.
        binarizer : Binarizer, optional
            How columns become conditions; by default ``Binarizer()``.
        column_types : mapping of str to {"numeric", "category", "binary"}, optional
            As in `laconic.data.read.read_table`.
        dialect : Dialect, optional
            How to read CSV files.
        memory_limit : str or int, optional
            Such as ``"4GiB"``, for the whole process; by default half of the machine's memory.
        threads : int, default=1
            Of DuckDB.
        """
        from laconic.data.large.open import from_files

        return from_files(
            pattern,
            target,
            weight_column=weight_column,
            drop=drop,
            binarizer=binarizer,
            column_types=column_types,
            dialect=dialect,
            memory_limit=memory_limit,
            threads=threads,
        )

    @classmethod
    def from_query(
        cls,
        query: str,
        target: str,
        *,
        database: str | Path | None = None,
        weight_column: str | None = None,
        drop: Collection[str] = (),
        binarizer: Binarizer | None = None,
        memory_limit: str | int | None = None,
        threads: int = 1,
    ) -> TrainingTable:
        """Reduce what a query finds in a DuckDB database, or in the files that it names; needs DuckDB.

        Parameters
        ----------
        query : str
            A SELECT statement.
        target : str
            The column of labels.
        database : str or Path, optional
            A file of DuckDB, opened for reading only.
        weight_column : str, optional
            The column of weights.
        drop : collection of str
            Columns to leave out.
        binarizer : Binarizer, optional
            How columns become conditions; by default ``Binarizer()``.
        memory_limit : str or int, optional
            As in `from_files`.
        threads : int, default=1
            Of DuckDB.
        """
        from laconic.data.large.open import from_query

        return from_query(
            query,
            target,
            database=None if database is None else Path(database),
            weight_column=weight_column,
            drop=drop,
            binarizer=binarizer,
            memory_limit=memory_limit,
            threads=threads,
        )


def named_classes(classes: ArrayLike) -> NDArray[Any]:
    """Return the classes that a user names, sorted."""
    return encode_labels(checked_labels(classes, np.size(classes)))[0]


def class_codes(labels: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.int64]:
    """Return the class number of every label; one that is not among the classes is refused."""
    number = {label: k for k, label in enumerate(classes.tolist())}
    distinct, code_of = np.unique(labels, return_inverse=True)
    unknown = [label for label in distinct.tolist() if label not in number]
    if unknown:
        known = ", ".join(map(repr, list(number)[:10]))
        raise InputError(
            f"label {unknown[0]!r} is not one of the classes ({known}); name all classes in the first fit"
        )
    return np.array([number[label] for label in distinct.tolist()], np.int64)[code_of]


def is_dask(X: Any) -> bool:
    """Whether a table is one of dask's."""
    return type(X).__module__.partition(".")[0] == "dask"


def header(X: Any, y: Any, sample_weight: Any) -> Any:
    """Return new rows, or only their columns if the rows are on a cluster."""
    if isinstance(X, TrainingTable):
        raise InputError("new rows cannot be a TrainingTable; give X and y")
    if type(X).__name__ == "DuckDBPyRelation":
        raise InputError("new rows cannot be a DuckDB relation; turn it into rows first, with .df()")
    if not is_dask(X):
        return X
    from laconic.data.large.on_dask import columns_of

    return pd.DataFrame(columns=columns_of(X, y, sample_weight))


def reduced(
    X: Any, y: Any, sample_weight: Any, binarizer: Any, classes: ArrayLike | None = None
) -> TrainingTable | None:
    """Reduce a table in DuckDB or on a cluster; return ``None`` if it is in memory.

    ``y`` and ``sample_weight`` are names of its columns or, with dask, series of their own.
    """
    if type(X).__name__ == "DuckDBPyRelation":
        from laconic.data.large.open import from_relation

        if classes is not None:
            raise InputError("with a DuckDB relation, its rows name the classes; give no classes")
        return from_relation(X, y, sample_weight, binarizer)
    if is_dask(X):
        from laconic.data.large.on_dask import from_dask

        return from_dask(X, y, sample_weight, binarizer, classes)
    return None


def in_memory(
    X: Any, y: Any, sample_weight: ArrayLike | None, binarizer: Any, classes: ArrayLike | None = None
) -> TrainingTable:
    """Reduce a DataFrame or an array; the binarizer given is fitted.

    Parameters
    ----------
    X : DataFrame or array-like of shape (n_samples, n_columns)
    y : array-like of shape (n_samples,)
    sample_weight : array-like of shape (n_samples,), optional
    binarizer : object with ``fit`` and ``transform``
    classes : array-like, optional
        All labels there can be, if these rows may lack some.
    """
    X = dense(with_text_names(as_pandas(X)))
    frame = as_frame(X)
    labels = checked_labels(y, len(frame))
    weights = None if sample_weight is None else checked_weights(sample_weight, len(frame))
    scaled = None if weights is None else scaling(*np.unique(weights, return_counts=True))
    present = np.ones(len(frame), bool) if weights is None or scaled is None else scaled.units(weights) > 0
    if not present.all():
        X = X[present] if isinstance(X, pd.DataFrame) else frame.to_numpy()[present]
        frame, labels = as_frame(X), labels[present]
        weights = None if weights is None else weights[present]
    if classes is None:
        found, codes = encode_labels(labels, weighted=not present.all())
    else:
        found = named_classes(classes)
        codes = class_codes(labels, found)
    weighted = "sample_weight" in inspect.signature(binarizer.fit).parameters
    weighting = {"sample_weight": weights} if weighted else {}
    if hasattr(binarizer, "fit_transform"):
        conditions = binarizer.fit_transform(X, labels, **weighting)
    else:
        conditions = binarizer.fit(X, labels, **weighting).transform(X)
    table = Table.from_arrays(conditions, codes, weights, n_classes=found.size, allowed=binarizer.allowed_)
    kinds = getattr(binarizer, "kinds_", None) or {}
    readings = getattr(binarizer, "readings_", {})
    columns = tuple(
        Column(name, kinds.get(name) or guess_kind(Cells(frame[name])), readings.get(name))
        for name in map(str, frame.columns)
    )
    derived = getattr(binarizer, "derived_", {})
    columns += tuple(Column(name, one.kind, None, one) for name, one in derived.items())
    notes = () if scaled is None else scaled.notes
    return TrainingTable(table, binarizer, found, columns, has_names(X), notes)
