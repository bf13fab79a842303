"""``laconic report``: a model and its results on a table, as one HTML file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from laconic.cli import output
from laconic.cli.holdout import Holdout, HoldoutOption, remark_held_out, without_held_out
from laconic.cli.options import (
    Database,
    Decimal,
    Delimiter,
    Encoding,
    MissingText,
    Model,
    Sql,
    Tables,
    Target,
    WeightColumn,
)
from laconic.runtime.errors import InputError


def report(
    model: Model,
    data: Tables = None,
    out: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The HTML file.")] = Path(
        "report.html"
    ),
    target: Target = None,
    weight_column: WeightColumn = None,
    holdout: HoldoutOption = None,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="The heading of the page.")] = None,
    trade_off_time: Annotated[
        float,
        typer.Option(metavar="SECONDS", help="For the curve of size and errors; 0 leaves it out."),
    ] = 5.0,
    sql: Sql = None,
    database: Database = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    missing: MissingText = None,
) -> None:
    """Write a report of a model on a table: one HTML file that needs nothing else.

    Rules, proof, tables, curves, and a panel to change values and see which rules fire. DATA may be the
    training table, also in several files, or rows that were held out; the report says which it is.
    """
    from laconic.cli.inputs import Source, labelled_rows_for
    from laconic.model.store import load_model
    from laconic.report import render_report

    if not 0 <= trade_off_time < float("inf"):
        raise InputError(f"--trade-off-time must be a number of seconds, 0 or more, not {trade_off_time:g}")
    rows = Holdout.of(holdout)
    if rows is not None and rows.path is None:
        raise InputError(
            "--holdout needs a file here, with rows that the model was not learned from; "
            "laconic fit takes a share"
        )
    source = Source.of_tables(data, sql, database, delimiter, encoding, decimal, missing)
    held_file = [] if rows is None or rows.path is None else [rows.path]
    output.check_places({"--output": out}, [model, *source.inputs, *held_file])
    decision_set = load_model(model)
    table = labelled_rows_for(decision_set, source, target, weight_column)
    if table.guessed:
        output.remark(f"note: the labels are in column {table.target!r} (choose another with --target)")
    table, held = without_held_out(decision_set, table)
    remark_held_out(held)
    if rows is not None:
        decision_set = rows.measured(decision_set, source, table)
    page = render_report(
        decision_set, table.X, table.y, sample_weight=table.weights, title=title, seconds=trade_off_time
    )
    output.save(out, page.encode(errors="replace"))
    output.remark(f"report in {out}")
