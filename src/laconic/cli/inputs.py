"""Tables for the commands: read with the user's options, split into columns, labels and weights.

A model records which of its columns are texts and which type its labels have, so that ``01`` in a file is
read the same way in training and afterwards, whatever else the file contains.
"""

from __future__ import annotations

import glob
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from laconic.cli import output
from laconic.cli.several import AnyTable, QueryTable, SeveralTables, named
from laconic.cli.target import guess_target
from laconic.data.cells import Cells, text_of
from laconic.data.read import MISSING_WORDS, TableFile
from laconic.data.reading.column_reading import ColumnReading
from laconic.data.reading.number_texts import BLANKS
from laconic.model.decision_set import DecisionSet
from laconic.model.origin import Origin
from laconic.runtime.errors import InputError

TEXT_LABELS = "UO"
"""Kinds of numpy types with text."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file, or several, and how to read them."""

    path: Path
    delimiter: str | None = None
    encoding: str = "utf-8"
    decimal: str = "."
    missing: tuple[str, ...] = ()
    said: Origin = field(default_factory=Origin)
    more: tuple[Path, ...] = ()
    query: str | None = None
    database: Path | None = None

    @classmethod
    def of(
        cls,
        path: Path,
        delimiter: str | None,
        encoding: str | None,
        decimal: str | None,
        missing: Sequence[str] | None,
        more: Sequence[Path] = (),
    ) -> Source:
        """Check the options of a command."""
        if delimiter in {"\\t", "tab"}:
            delimiter = "\t"
        if delimiter is not None and len(delimiter) != 1:
            raise InputError(f"--delimiter must be one character, not {delimiter!r}")
        if decimal not in {None, ".", ","}:
            raise InputError(f"--decimal must be '.' or ',', not {decimal!r}")
        said = Origin(None, None, delimiter, encoding, decimal, tuple(missing) if missing else None)
        words = tuple(missing or ())
        return cls(path, delimiter, encoding or "utf-8", decimal or ".", words, said, tuple(more))

    @classmethod
    def of_tables(
        cls,
        paths: Sequence[Path] | None,
        sql: str | None,
        database: Path | None,
        delimiter: str | None,
        encoding: str | None,
        decimal: str | None,
        missing: Sequence[str] | None,
    ) -> Source:
        """Check the options of a command that takes files, or a query instead of them."""
        if sql is None and not paths:
            raise InputError("Missing argument 'DATA'; name a table, or ask for one with --sql")
        if sql is not None and paths:
            raise InputError("give a file or --sql, not both")
        if database is not None and sql is None:
            raise InputError("--database needs --sql, a query on it")
        first, *more = paths or [Path("the query")]
        files = cls.of(first, delimiter, encoding, decimal, missing, more)
        return replace(files, query=sql, database=database)

    @property
    def inputs(self) -> list[Path]:
        """The files that are read, which no output may overwrite."""
        if self.query is not None:
            return [] if self.database is None else [self.database]
        return named_files([self.path, *self.more])

    @property
    def name(self) -> str:
        """The name of the table in messages."""
        return named([self.path, *self.more], self.query)

    @property
    def is_several(self) -> bool:
        """Whether there are several files, or a pattern that may match several."""
        return bool(self.more) or (not self.path.exists() and glob.has_magic(str(self.path)))

    def files(self) -> list[Source]:
        """Return each file by itself."""
        from laconic.data.large.sources import matching

        return [replace(self, path=path, more=()) for path in matching((self.path, *self.more))]

    def like(self, origin: Origin | None) -> Source:
        """Return the same file, with a model's reading options where the user gives none."""
        if origin is None:
            return self
        own = self.said
        found = Source.of(
            self.path,
            own.delimiter or origin.delimiter,
            own.encoding or origin.encoding,
            own.decimal or origin.decimal,
            own.missing or origin.missing,
            self.more,
        )
        return replace(found, query=self.query, database=self.database)

    def read_as(self, origin: Origin | None) -> list[str]:
        """Return the reading options in effect, as a user would write them, and their source."""
        used = self.like(origin).said
        options = {
            "delimiter": [used.delimiter],
            "encoding": [used.encoding],
            "decimal": [used.decimal],
            "missing": used.missing or (),
        }
        return [
            f"--{name} {value!r}{'' if getattr(self.said, name) else ' (as the model file says)'}"
            for name, values in options.items()
            for value in values
            if value is not None
        ]

    def look(self) -> AnyTable:
        """Open the table for the names of its columns."""
        if self.query is not None:
            return QueryTable(self.query, self.database)
        if self.is_several:
            return SeveralTables([one._file() for one in self.files()])
        return self._file()

    def _file(self) -> TableFile:
        return TableFile(self.path, delimiter=self.delimiter, encoding=self.encoding)

    def read(
        self,
        file: AnyTable,
        types: Mapping[str, str],
        as_text: Collection[str] = (),
        *,
        may_be_empty: bool = False,
    ) -> pd.DataFrame:
        """Read the rows of a table from `look`; the columns of ``as_text`` have readings of their own."""
        return file.read(
            decimal=self.decimal,
            missing=(*MISSING_WORDS, *self.missing),
            column_types=types,
            as_text=as_text,
            may_be_empty=may_be_empty,
        )

    @property
    def reading(self) -> ColumnReading | None:
        """The reading of the cells of every column that the options define, None if they define none."""
        found = ColumnReading(missing=self.missing, decimal=self.decimal)
        return None if found == ColumnReading() else found

    def require(self, column: str, option: str, known: Sequence[str]) -> None:
        """Raise `InputError` if the file does not have a column."""
        if column not in known:
            shown = ", ".join(known[:10]) + (", …" if len(known) > 10 else "")
            raise InputError(f"{option}: {self.name} has no column {column!r}; its columns are: {shown}")


def named_files(paths: Sequence[Path]) -> list[Path]:
    """Return the files that paths or patterns name."""
    found: list[Path] = []
    for path in paths:
        matches = [] if path.exists() else glob.glob(str(path), recursive=True)  # noqa: PTH207
        found += [Path(one) for one in matches] or [path]
    return found


@dataclass(frozen=True)
class Labelled:
    """A table with its labels and weights."""

    X: pd.DataFrame
    y: pd.Series[Any]
    weights: NDArray[np.float64] | None
    target: str
    guessed: bool
    weight_column: str | None = None
    notes: tuple[str, ...] = ()

    def taken(self, rows: NDArray[np.bool_]) -> Labelled:
        """Return some of the rows."""
        weights = None if self.weights is None else self.weights[rows]
        X, y = self.X.loc[rows].reset_index(drop=True), self.y.loc[rows].reset_index(drop=True)
        return replace(self, X=X, y=y, weights=weights)


def training_data(
    source: Source,
    target: str | None,
    weight_column: str | None,
    drop: Sequence[str],
    types: Mapping[str, str],
    as_text: Collection[str] = (),
) -> Labelled:
    """Read a table to learn from."""
    file = source.look()
    names = file.columns
    for option, columns in (
        ("--target", [target] if target is not None else []),
        ("--weight-column", [weight_column] if weight_column is not None else []),
        ("--drop", drop),
        ("--type", list(types)),
    ):
        for column in columns:
            source.require(column, option, names)
    refuse_two_roles(target, weight_column, drop)
    # Numbers are read where the reading of the column is known.
    frame = source.read(file, {name: kind for name, kind in types.items() if kind == "category"}, as_text)
    label = target
    if label is None:
        kept = [name for name in names if name != weight_column and name not in drop]
        label = guess_target(frame.loc[:, kept], source.path)
    parted = _parted(source, frame, label, weight_column, drop, guessed=target is None)
    return replace(parted, notes=getattr(file, "notes", ()))


def rows_for(model: DecisionSet, source: Source) -> pd.DataFrame:
    """Read rows as the model's training rows were read."""
    source = source.like(model.origin)
    file = source.look()
    types, texts = _types(model, file.columns), _read_as_texts(model, source)
    rows = source.read(file, types, texts, may_be_empty=True)
    for column in model.columns:
        if column.name in model.needed_columns and column.kind == "category" and column.name in rows:
            _remark_blanks(rows[column.name], column.reading)
    return rows


def labelled_rows_for(
    model: DecisionSet, source: Source, target: str | None, weight_column: str | None
) -> Labelled:
    """Read a model's training table again, or other rows with labels.

    The label column is the one that the model records, or else the only column that it does not know; if
    there are several such columns, because some were left out, it is the one with no other values than its
    classes.
    """
    source = source.like(model.origin)
    file = source.look()
    names = file.columns
    known_as = model.origin or Origin()
    if target is None and known_as.target in names:
        target = known_as.target
    if weight_column is None and known_as.weight_column is not None:
        weight_column = known_as.weight_column if known_as.weight_column in names else None
        if weight_column is None:
            output.remark(
                f"note: {source.name} has no column {known_as.weight_column!r}, which weighed the training "
                f"rows; every row counts one"
            )
    if weight_column is not None:
        source.require(weight_column, "--weight-column", names)
    if target is not None:
        source.require(target, "--target", names)
    refuse_two_roles(target, weight_column, ())
    known = {column.name for column in model.columns}
    others = [name for name in names if name not in known and name != weight_column]
    candidates = others if target is None else [target]
    types = _types(model, names)
    if np.dtype(model.label_dtype).kind in TEXT_LABELS:
        types |= dict.fromkeys(candidates, "category")
    frame = source.read(file, types, _read_as_texts(model, source))
    if len(candidates) > 1:
        classes = {text_of(label) for label in model.classes}
        candidates = [
            name for name in candidates if set(map(text_of, _labels(frame[name]).unique())) <= classes
        ]
    if len(candidates) != 1:
        raise InputError(f"cannot tell which column of {source.name} holds the labels; name it with --target")
    return _parted(source, frame, candidates[0], weight_column, (), guessed=target is None)


def _types(model: DecisionSet, names: Sequence[str]) -> dict[str, str]:
    return {c.name: c.kind for c in model.columns if c.kind == "category" and c.name in names}


def _remark_blanks(values: pd.Series[Any], reading: ColumnReading | None) -> None:
    """Write that cells have blanks around them, which no training row had."""
    if not isinstance(values.dtype, pd.StringDtype) or (reading is not None and reading.strip):
        return
    n_odd = int((values.str.strip(BLANKS) != values).sum() - values.isna().sum())
    if n_odd:
        output.remark(
            f"note: {n_odd} cells of column {values.name!r} have blanks around them, as no training row had; "
            f"to the model they are other values, so leave the blanks out, or fit on rows that have them"
        )


def _read_as_texts(model: DecisionSet, source: Source) -> set[str]:
    """Return the columns whose texts the model itself converts to numbers, unless the user's options do."""
    own = source.said.decimal
    return {
        column.name
        for column in model.columns
        if (reading := column.reading) is not None
        and reading.numbers
        and (own is None or own == reading.decimal)
    }


def _labels(values: pd.Series[Any]) -> pd.Series[Any]:
    """Return labels without blanks around texts."""
    return values.str.strip(BLANKS) if isinstance(values.dtype, pd.StringDtype) else values


def refuse_two_roles(target: str | None, weight_column: str | None, drop: Sequence[str]) -> None:
    """Refuse a column with two roles."""
    if target is not None and target == weight_column:
        raise InputError(f"column {target!r} cannot be both --target and --weight-column; choose one")
    for option, column in (("--target", target), ("--weight-column", weight_column)):
        if column in drop:
            raise InputError(f"column {column!r} cannot be both {option} and --drop; choose one")


def _parted(
    source: Source,
    frame: pd.DataFrame,
    target: str,
    weight_column: str | None,
    drop: Sequence[str],
    *,
    guessed: bool,
) -> Labelled:
    weights = None if weight_column is None else _weights(frame[weight_column])
    others = [target, *([] if weight_column is None else [weight_column]), *drop]
    X = frame.drop(columns=list(dict.fromkeys(others)))
    if X.shape[1] == 0:
        raise InputError(f"{source.name} has no column besides {target!r} to learn from; add some")
    return Labelled(X, _labels(frame[target]), weights, target, guessed, weight_column)


def _weights(values: pd.Series[Any]) -> NDArray[np.float64]:
    weights = Cells(values).numbers
    bad = ~(np.isfinite(weights) & (weights >= 0))
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        found = "missing" if np.isnan(weights[row]) else f"{weights[row]:g}"
        raise InputError(
            f"the weight of row {row} in column {values.name!r} is {found}; "
            f"weights must be numbers of at least 0"
        )
    return weights
