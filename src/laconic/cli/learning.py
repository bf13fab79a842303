"""The table that a command learns from: a file, several, or a query, in memory or not."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from laconic.cli import output
from laconic.cli.large import Large
from laconic.cli.options import (
    Bins,
    ColumnOption,
    ColumnsFile,
    ColumnTypes,
    Database,
    Decimal,
    Delimiter,
    Drop,
    Encoding,
    MaxMembers,
    MemoryLimit,
    MissingText,
    OutOfCore,
    Sql,
    Tables,
    Target,
    Thresholds,
    WeightColumn,
    column_settings,
    column_types,
)
from laconic.runtime.errors import InputError

if TYPE_CHECKING:
    from laconic.cli.holdout import Holdout
    from laconic.cli.inputs import Labelled, Source
    from laconic.data.column_settings import ColumnSettings
    from laconic.data.columns import Cutting
    from laconic.data.reading.column_reading import ColumnReading
    from laconic.data.training import TrainingTable
    from laconic.learning.front import Front
    from laconic.model.decision_set import DecisionSet
    from laconic.model.origin import Origin


def asked_of(
    data: Tables = None,
    target: Target = None,
    kind: ColumnTypes = None,
    column: ColumnOption = None,
    columns: ColumnsFile = None,
    drop: Drop = None,
    weight_column: WeightColumn = None,
    thresholds: Thresholds = "quantile",
    bins: Bins = None,
    max_members: MaxMembers = 1,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    missing: MissingText = None,
    sql: Sql = None,
    database: Database = None,
    out_of_core: OutOfCore = "auto",
    memory_limit: MemoryLimit = None,
) -> Asked:
    """Check the options that describe the table of a command."""
    from laconic.cli.inputs import Source

    cutting = cutting_of(thresholds, bins, max_members)
    settings = column_settings(columns, column or (), column_types(kind or ()))
    source = Source.of(data[0], delimiter, encoding, decimal, missing, data[1:]) if data else None
    return Asked(
        source=source,
        large=Large.of(source, sql, database, out_of_core, memory_limit),
        target=target,
        weight_column=weight_column,
        drop=list(drop or ()),
        settings=settings,
        cutting=cutting,
        chooses_bins=bins is None and thresholds == "quantile",
        memory_limit=memory_limit,
    )


def cutting_of(thresholds: str, bins: int | None, max_members: int = 1) -> Cutting:
    """Check the options for the thresholds of numbers and for groups of categories."""
    from laconic.data.columns import METHODS, Cutting

    if thresholds not in METHODS:
        raise InputError(f"unknown thresholds {thresholds!r}; choose one of: {', '.join(METHODS)}")
    if bins is not None and bins < 2:
        raise InputError(f"--bins must be at least 2, not {bins}")
    if not 1 <= max_members <= 20:
        raise InputError(f"--max-members must be between 1 and 20, not {max_members}")
    if bins is None:
        return Cutting(thresholds, max_members=max_members)
    return Cutting(thresholds, bins, max_members=max_members)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """The options that describe a table: checked, before any file is read."""

    source: Source | None
    large: Large | None
    target: str | None
    weight_column: str | None
    drop: Sequence[str]
    settings: Mapping[str, ColumnSettings]
    cutting: Cutting
    chooses_bins: bool
    memory_limit: str | None
    holdout: Holdout | None = None

    @property
    def types(self) -> dict[str, str]:
        """The kinds that the user has named."""
        return {name: one.kind for name, one in self.settings.items() if one.kind is not None}

    @property
    def inputs(self) -> list[Path]:
        """The files that are read, which no output may overwrite."""
        database = None if self.large is None else self.large.database
        from laconic.cli.inputs import named_files

        files = [] if self.source is None else named_files([self.source.path, *self.source.more])
        files += [] if self.holdout is None or self.holdout.path is None else [self.holdout.path]
        return files if database is None else [*files, database]

    def open(self, threads: int = 1) -> Opened:
        """Read the table, or only its first rows if it stays outside memory, and print remarks about it."""
        if self.holdout is not None and self.large is not None:
            raise InputError("--holdout needs a table in memory; learn from a part of the rows instead")
        opened = self._in_memory() if self.large is None else self._outside_memory(self.large, threads)
        if self.target is None:
            output.remark(f"note: the labels are in column {opened.label!r} (choose another with --target)")
        output.remarks(opened.notes)
        return opened

    def _opened(self, label: str, notes: list[str], table: TableInMemory | TableOutside) -> Opened:
        from laconic.model.origin import Origin

        said = Origin() if self.source is None else self.source.said
        origin = replace(said, target=label, weight_column=self.weight_column)
        return Opened(label, origin, notes, table, self.chooses_bins)

    def _in_memory(self) -> Opened:
        from laconic.cli.inputs import training_data
        from laconic.cli.target import misread_columns

        assert self.source is not None  # Large.of refuses a command without a table
        rows = training_data(
            self.source, self.target, self.weight_column, self.drop, self.types, self._as_text
        )
        n_rows, held = len(rows.X), None
        if self.holdout is not None and self.holdout.share is not None:
            rows, held = self.holdout.part(rows)
        notes = [*rows.notes, *misread_columns(rows.X, self.types, self.source.decimal)]
        table = TableInMemory(rows, self.cutting, self._of_table(rows.target), self.source.reading)
        opened = self._opened(rows.target, notes, table)
        return replace(opened, held=held, n_rows=n_rows)

    @property
    def _as_text(self) -> set[str]:
        """The columns whose numbers are written in a way of their own."""
        return {name for name, one in self.settings.items() if one.decimal or one.thousands or one.dates}

    def _of_table(self, label: str) -> dict[str, ColumnSettings]:
        """Return the settings of the columns to learn from."""
        left_out = {label, self.weight_column, *self.drop}
        return {name: one for name, one in self.settings.items() if name not in left_out}

    def _outside_memory(self, large: Large, threads: int) -> Opened:
        from laconic.cli.inputs import refuse_two_roles
        from laconic.cli.target import guess_target, misread_columns

        refuse_two_roles(self.target, self.weight_column, self.drop)
        label = self.target
        notes = ["the table is read outside memory, by DuckDB"]
        if large.source is not None:
            first = large.first_rows()
            notes += first.attrs.get("notes", [])
            if label is None:
                kept = [name for name in first.columns if name not in {self.weight_column, *self.drop}]
                label = guess_target(first.loc[:, kept], large.source.path)
            first = first.drop(columns=self.drop, errors="ignore")
            notes += misread_columns(first, self.types, large.source.decimal)
        if label is None:
            raise InputError("name the label column of the query with --target")
        return self._opened(label, notes, TableOutside(self, large, label, threads))


@dataclass(frozen=True)
class TableInMemory:
    """Rows in memory, and how their columns become conditions."""

    rows: Labelled
    cutting: Cutting
    settings: Mapping[str, ColumnSettings]
    reading: ColumnReading | None = None

    def training_table(self) -> TrainingTable:
        """Return what a fit needs of the rows."""
        from laconic.data.conditions import PlainBinarizer
        from laconic.data.training import in_memory

        rows = self.rows
        return in_memory(
            rows.X, rows.y, rows.weights, PlainBinarizer(self.cutting, self.settings, self.reading)
        )

    def with_bins(self, bins: int) -> TableInMemory:
        """Return the same rows with another number of parts for columns of numbers."""
        return replace(self, cutting=replace(self.cutting, bins=bins))


@dataclass(frozen=True)
class TableOutside:
    """Files or a query that DuckDB reads, and the options for their columns."""

    asked: Asked
    large: Large
    label: str
    threads: int

    def training_table(self) -> TrainingTable:
        """Return what a fit needs of the rows."""
        asked = self.asked
        return self.large.training_table(
            self.label,
            asked.weight_column,
            asked.drop,
            asked.types,
            asked._of_table(self.label),
            asked._as_text,
            asked.cutting,
            self.threads,
        )

    def with_bins(self, bins: int) -> TableOutside:
        """Return the same rows with another number of parts for columns of numbers."""
        return replace(self, asked=replace(self.asked, cutting=replace(self.asked.cutting, bins=bins)))


@dataclass(frozen=True)
class Opened:
    """A table that was found: its label column, how it is read, remarks about it, and its rows.

    Attributes
    ----------
    label : str
    origin : Origin
    notes : list of str
    table : TableInMemory or TableOutside
        What the training table is made from.
    chooses_bins : bool
        Whether a fit may take finer conditions than those of the training table.
    held : Labelled or None
        The rows of the table that were held out.
    n_rows : int
        Rows of the table in memory, with those.
    """

    label: str
    origin: Origin
    notes: list[str]
    table: TableInMemory | TableOutside
    chooses_bins: bool = False
    held: Labelled | None = None
    n_rows: int = 0

    @property
    def rows(self) -> Labelled | None:
        """The rows to learn from, if they are in memory."""
        return self.table.rows if isinstance(self.table, TableInMemory) else None

    def training(self) -> TrainingTable:
        """Return the training table; columns that are not used are remarked on."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they are named below
            training = self.table.training_table()
        self.remark_ignored(training.binarizer.ignored_columns_)
        return training

    def finer_table(self) -> TrainingTable:
        """Return the training table with finer conditions."""
        from laconic.learning.resolution import FINER_BINS

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the same as for the first training table
            return self.table.with_bins(FINER_BINS).training_table()

    def remark_ignored(self, ignored: Mapping[str, str]) -> None:
        """Print which columns are not used."""
        more = [f"column {name!r} is not used: {reason}" for name, reason in ignored.items()]
        output.remarks(more)
        self.notes.extend(more)

    def remember(self, model: DecisionSet) -> DecisionSet:
        """Return the model with a record of how its table was read."""
        return replace(model, origin=self.origin)

    def tested(self, model: DecisionSet, asked: Asked) -> DecisionSet:
        """Count wrong predictions on the rows held out, if there are any."""
        from laconic.model.held_out import drawn_source, measured_on

        holdout, held = asked.holdout, self.held
        if holdout is None or self.rows is None or asked.source is None:
            return model
        if held is None:
            return holdout.measured(model, asked.source, self.rows)
        source = drawn_source(holdout.share)
        drawn = {"share": holdout.share, "seed": holdout.seed, "of_rows": self.n_rows}
        return replace(model, held_out=measured_on(model, held.X, held.y, held.weights, source, **drawn))

    def with_origin(self, front: Front) -> Front:
        """Return the front with a record in each model of how the table was read."""
        return replace(front, models=tuple(self.remember(model) for model in front.models))
