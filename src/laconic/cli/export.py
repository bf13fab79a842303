"""``laconic export``: a model in a form that works without laconic."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from laconic.cli import output
from laconic.cli.options import Model
from laconic.runtime.errors import InputError

ENDINGS = {".sql": "sql", ".py": "python", ".json": "json", ".onnx": "onnx"}


def export(
    model: Model,
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="FORMAT", help="sql, python, json or onnx; else by the file."),
    ] = None,
    dialect: Annotated[
        str | None, typer.Option(help="Of SQL: standard, duckdb or sqlite. [standard]", show_default=False)
    ] = None,
    table: Annotated[
        str | None, typer.Option(metavar="NAME", help="SQL: write a query on this table, not an expression.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write here, not to the terminal.")
    ] = None,
) -> None:
    """Write a model as SQL, as a Python function, as JSON or as ONNX; each answers like laconic predict."""
    from laconic.model.store import load_model

    form = _format(to, out)
    for option, value in (("--dialect", dialect), ("--table", table)):
        if value is not None and form != "sql":
            raise InputError(f"{option} belongs to --to sql, not {form}; leave one of them out")
    if form == "onnx" and out is None:
        raise InputError("an ONNX model is not text; say where to write it with --output")
    output.check_places({"--output": out}, [model])
    decision_set = load_model(model)
    if form == "sql":
        data = decision_set.to_sql(dialect=dialect or "standard", table=table).encode()
    elif form == "python":
        data = decision_set.to_python().encode()
    elif form == "onnx":
        data = decision_set.to_onnx()
    else:
        data = decision_set.to_json(history=True).encode()
    if out is None:
        output.write_data(data.decode())
    else:
        output.save(out, data)


def _format(to: str | None, out: Path | None) -> str:
    known = list(ENDINGS.values())
    form = to if to is not None else ENDINGS.get(out.suffix.lower()) if out is not None else None
    if form is None:
        raise InputError(f"say what to write with --to; choose one of: {', '.join(known)}")
    if form not in known:
        raise InputError(f"unknown format {form!r}; choose one of: {', '.join(known)}")
    return form
