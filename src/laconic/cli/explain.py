"""``laconic explain``: the rules that decide about a row, and the reasons."""

from __future__ import annotations

from typing import Annotated

import typer

from laconic.cli import output
from laconic.cli.options import Database, Decimal, Delimiter, Encoding, Json, MissingText, Model, Sql, Tables
from laconic.runtime.errors import InputError


def explain(
    model: Model,
    data: Tables = None,
    row: Annotated[
        list[int] | None,
        typer.Option("--row", "-r", help="This row, counted from 0; repeat for more. Else all rows."),
    ] = None,
    sql: Sql = None,
    database: Database = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    missing: MissingText = None,
    as_json: Json = False,
) -> None:
    """Write which rules decide about a row, and why."""
    from laconic.cli.inputs import Source, rows_for
    from laconic.model.store import load_model

    decision_set = load_model(model)
    source = Source.of_tables(data, sql, database, delimiter, encoding, decimal, missing)
    table = rows_for(decision_set, source)
    for number in row or ():
        if not 0 <= number < len(table):
            raise InputError(f"--row {number} does not exist: {source.name} has rows 0 to {len(table) - 1}")
    table = table.set_axis(range(len(table)), axis=0)
    found = decision_set.explain(table.iloc[row] if row else table)
    if as_json:
        output.write_json(found.to_list())
    else:
        output.write(f"{found.to_text()}\n")
