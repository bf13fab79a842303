"""``laconic predict``: a class for every row of a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from laconic.cli import output
from laconic.cli.options import Database, Decimal, Delimiter, Encoding, Json, MissingText, Model, Sql, Tables
from laconic.cli.spreadsheet import SafeCells, csv_text, refuse_safe_cells

if TYPE_CHECKING:
    import pandas as pd


def predict(
    model: Model,
    data: Tables = None,
    out: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write here: .csv, .csv.gz or .parquet."),
    ] = None,
    with_data: Annotated[
        bool, typer.Option("--with-data", help="Put the table's own columns before the prediction.")
    ] = False,
    probabilities: Annotated[
        bool, typer.Option("--probabilities", help="Add a column per class with its probability.")
    ] = False,
    abstain: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Write this where rules of several classes, or none, cover a row."),
    ] = None,
    safe_cells: SafeCells = None,
    sql: Sql = None,
    database: Database = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    missing: MissingText = None,
    as_json: Json = False,
) -> None:
    """Predict a class for every row of a table.

    DATA may be several files, or a pattern in quotes. Predictions are written as CSV, on standard output or
    in a file. In a file, texts that a spreadsheet would take for formulas get an apostrophe before them,
    unless --no-safe-cells is given.
    """
    import pandas as pd

    from laconic.cli.inputs import Source, rows_for
    from laconic.model.store import load_model
    from laconic.runtime.errors import InputError

    if (out is None and as_json) or (out is not None and _kind(out) != "csv"):
        refuse_safe_cells(safe_cells, out)
    source = Source.of_tables(data, sql, database, delimiter, encoding, decimal, missing)
    output.check_places({"--output": out}, [model, *source.inputs])
    decision_set = load_model(model)
    table = rows_for(decision_set, source)
    labels = decision_set.predict(table) if abstain is None else decision_set.predict(table, abstain=abstain)
    result = pd.DataFrame({"prediction": labels}, index=table.index)
    if probabilities:
        names = [f"probability {label}" for label in decision_set.classes]
        result = result.join(
            pd.DataFrame(decision_set.predict_proba(table), columns=names, index=table.index)
        )
    if with_data:
        taken = [name for name in result.columns if name in table.columns]
        if taken:
            raise InputError(
                f"{source.name} has a column {taken[0]!r} already; rename it or leave --with-data out"
            )
        result = table.join(result)
    if out is not None:
        output.save(out, _packed(result, out, safe=safe_cells is not False))
        output.remark(f"{len(result)} predictions in {out}")
    elif as_json:
        output.write_json(_records(result))
    else:
        output.write_data(csv_text(result, safe=bool(safe_cells)))


def _kind(path: Path) -> str:
    return {".parquet": "parquet", ".pq": "parquet", ".json": "json"}.get(path.suffix.lower(), "csv")


def _packed(frame: pd.DataFrame, path: Path, *, safe: bool) -> bytes:
    """Return the bytes of a file of the kind that its name says."""
    kind = _kind(path)
    if kind == "parquet":
        packed: bytes = frame.to_parquet(index=False)
        return packed
    if kind == "json":
        import json

        return (json.dumps(_records(frame), ensure_ascii=False, indent=2) + "\n").encode()
    text = csv_text(frame, safe=safe, tabs=".tsv" in path.suffixes[-2:]).encode()
    if path.suffix.lower() == ".gz":
        import gzip

        return gzip.compress(text, mtime=0)  # without the clock: the same table, the same bytes
    return text


def _records(frame: pd.DataFrame) -> list[dict[str, object]]:
    """Return one object per row, with ``null`` for what is missing."""
    import pandas as pd

    listed: list[dict[str, object]] = [
        {str(name): None if pd.isna(value) else value for name, value in row.items()}
        for row in frame.astype(object).to_dict("records")
    ]
    return listed
