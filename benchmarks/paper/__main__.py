"""``python -m benchmarks.paper``: compare the paper's claims with records of ``laconic bench run``."""

from __future__ import annotations

import math
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.paper import figures as drawing
from benchmarks.paper import reproduction
from benchmarks.paper import rows as planned
from benchmarks.paper.optima import compared_optima
from laconic.bench.cli import Methods, Records
from laconic.bench.console import say
from laconic.bench.figures import save
from laconic.bench.progress import reporter
from laconic.bench.records import read_records
from laconic.bench.run import run_plan
from laconic.bench.suites import SuiteSpec
from laconic.bench.table import frame
from laconic.runtime.errors import InputError

app = typer.Typer(
    name="benchmarks.paper",
    help='Judge the claims of "Computing Optimal Decision Sets with SAT" by records of laconic bench run.',
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback()
def _commands() -> None:
    """Keep ``report`` a subcommand: typer would turn an only command into the application."""


@app.command()
def report(
    records: Records,
    out: Annotated[Path, typer.Option("--out", "-o", help="Markdown file to write.")] = Path(
        "reproduction.md"
    ),
    methods: Methods = None,
    notes: Annotated[Path | None, typer.Option(help="Markdown: where numbers differ, and why.")] = None,
    drawn: Annotated[bool, typer.Option("--figures/--no-figures", help="Write figures beside it.")] = True,
) -> None:
    """Compare the paper's numbers with ours, in one Markdown document with figures."""
    if notes is not None and not notes.is_file():
        raise InputError(f"there are no notes at {notes}; check the path or leave --notes out")
    found = read_records(records)
    rows = frame(found, methods)
    shown = {str(name) for name in rows["method"].cat.categories}
    found = [record for record in found if record.task.method in shown]
    drawings = drawing.paper_figures(reproduction.run_to_the_end(rows)) if drawn else []
    if drawings:
        save(drawings, out.parent / "figures", endings=("svg",))
    text = reproduction.render(
        rows,
        found,
        drawings,
        sources=[_relative(path, out.parent) for path in records],
        differences="" if notes is None else notes.read_text(encoding="utf-8"),
    )
    reproduction.write(out, text)
    typer.echo(str(out))


@app.command()
def run(
    records: Records,
    out: Annotated[Path, typer.Option("--out", "-o", help="File to append to.")],
    methods: Methods = None,
    at_most: Annotated[float, typer.Option(help="Cap on the limits of the rows, in seconds.")] = math.inf,
) -> None:
    """Run what the rows of our page lack in RECORDS; the same command resumes the run."""
    spec = SuiteSpec("cp20")
    known = read_records([*records, *([out] if out.exists() else [])])
    rows = [row for row in planned.ROWS if not methods or row.method in methods]
    tasks = planned.open_tasks(spec.open(), known, rows, at_most)
    summary = run_plan(tasks, spec, out, reporter=reporter(lambda: 1))
    typer.echo(f"{summary.ran} of {summary.planned} tasks run; records in {out}")


@app.command()
def optima(records: Records) -> None:
    """Compare the optima of the models with those of the exact engine; exit 1 if any differ."""
    found = compared_optima(read_records(records))
    for one in found:
        say(f"{one.method} and {one.exact}: {one.n} compared, {len(one.differences)} different")
        for text in one.differences:
            say(f"  {text}")
    n_different = sum(len(one.differences) for one in found)
    say(f"{sum(one.n for one in found)} compared, {n_different} different")
    if n_different:
        raise typer.Exit(1)


@app.command()
def pack(records: Records) -> None:
    """Add records to the files in benchmarks/results, one per method."""
    for path in records:
        for written in planned.pack(path, Path("benchmarks/results")):
            typer.echo(str(written))


def _relative(path: Path, directory: Path) -> str:
    """Return a path relative to a directory, so that the document contains no path of this machine."""
    return Path(os.path.relpath(path, directory)).as_posix()


def main() -> None:
    """Run a command; bad input ends it with one sentence and exit code 2."""
    try:
        app(prog_name="python -m benchmarks.paper")
    except InputError as error:
        print(f"benchmarks.paper: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
