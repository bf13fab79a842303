"""A table in memory made ready to learn from, for the commands that learn something else than one set."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from laconic.cli import output
from laconic.cli.options import column_types
from laconic.model.origin import Origin
from laconic.scale.training import TrainingTable

if TYPE_CHECKING:
    from laconic.cli.inputs import Source
    from laconic.model.decision_set import DecisionSet
    from laconic.path.front import Front


@dataclass(frozen=True)
class Made:
    """A training table, its label column, how it was read, and remarks about it."""

    training: TrainingTable
    label: str
    origin: Origin
    notes: list[str]

    def remember(self, model: DecisionSet) -> DecisionSet:
        """Let a model remember how its table was read."""
        return replace(model, origin=self.origin)

    def with_origin(self, front: Front) -> Front:
        """Let the models of a front remember how their table was read."""
        return replace(front, models=tuple(self.remember(model) for model in front.models))


def training_of(
    source: Source,
    target: str | None,
    weight_column: str | None,
    drop: Sequence[str],
    kind: Sequence[str],
    thresholds: str,
    bins: int,
) -> Made:
    """Read a table and binarise it, as ``laconic fit`` does; remarks are said at once."""
    from laconic.cli.fit import cutting_of, into_memory

    types = column_types(kind)
    table, notes, make = into_memory(
        source, target, weight_column, list(drop), types, cutting_of(thresholds, bins)
    )
    if target is None:
        output.remark(f"note: the labels are in column {table.target!r} (choose another with --target)")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the columns that are not used are named below
        training = make()
    ignored = training.binarizer.ignored_columns_
    notes += [f"column {name!r} is not used: {reason}" for name, reason in ignored.items()]
    output.remarks(notes)
    origin = replace(source.said, target=table.target, weight_column=weight_column)
    return Made(training, table.target, origin, notes)
