"""Rows that are held out of training: a share of the table, or the rows of a file of their own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from laconic.cli import output
from laconic.runtime.errors import InputError
from laconic.runtime.texts import shown

if TYPE_CHECKING:
    from laconic.cli.inputs import Labelled, Source
    from laconic.model.decision_set import DecisionSet

HoldoutOption = Annotated[
    str | None,
    typer.Option(
        "--holdout",
        metavar="SHARE|FILE",
        help="Rows not to learn from, to count wrong predictions on: a share of each class, such as 0.2, or "
        "a file.",
    ),
]


@dataclass(frozen=True)
class Holdout:
    """A share of the rows and the seed of the draw, or a file."""

    share: float | None = None
    seed: int = 0
    path: Path | None = None

    @classmethod
    def of(cls, text: str | None, seed: int | None = None) -> Holdout | None:
        """Check the option; None if it was not given."""
        if text is None:
            return None
        try:
            share = float(text)
        except ValueError:
            path = Path(text)
            if not path.exists():
                raise InputError(
                    f"--holdout must be a share such as 0.2 or a file, and there is no file {shown(text)}"
                ) from None
            return cls(path=path)
        if not 0 < share < 1:
            raise InputError(f"--holdout must be a share between 0 and 1, not {shown(text)}; try 0.2")
        return cls(share, seed or 0)

    def refuse_training_file(self, inputs: Iterable[Path]) -> None:
        """Refuse a held-out file that is also a training file."""
        for one in inputs:
            if self.path is not None and one.exists() and self.path.samefile(one):
                raise InputError(
                    f"--holdout {self.path} is a table that is learned from; name another file, or a share"
                )

    def part(self, rows: Labelled) -> tuple[Labelled, Labelled]:
        """Return the rows to learn from and, if the option is a share, the rows held out."""
        from laconic.data.holdout import held_out_rows

        assert self.share is not None
        out = held_out_rows(rows.y.to_numpy(), self.share, self.seed)
        return rows.taken(~out), rows.taken(out)

    def measured(self, model: DecisionSet, source: Source, rows: Labelled) -> DecisionSet:
        """Return the model with its results on the rows of the file."""
        from laconic.cli.inputs import labelled_rows_for

        assert self.path is not None
        own = replace(source, path=self.path, more=(), query=None, database=None)
        table = labelled_rows_for(model, own, rows.target, None)
        return model.with_held_out(table.X, table.y, table.weights, source=self.path.name)


def without_held_out(model: DecisionSet, rows: Labelled) -> tuple[Labelled, Labelled | None]:
    """Return a model's training rows and those held out, if the rows are the table it was learned on part of.

    Any other rows are returned as they are.
    """
    drawn = model.held_out
    if drawn is None or drawn.share is None or drawn.of_rows != len(rows.X):
        return rows, None
    learned, held = Holdout(drawn.share, drawn.seed or 0).part(rows)
    return learned, held


def remark_held_out(held: Labelled | None) -> None:
    """Write that some of the rows were held out when the model was learned."""
    if held is not None:
        from laconic.model.render import count

        output.remark(f"note: {count(len(held.X), 'row')} of the table had been held out (fit --holdout)")
