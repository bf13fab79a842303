"""Accuracy on new rows against size: Laconic and rivals on raw tables, each with its own defaults.

    python -m benchmarks.accuracy                               the missing fits, method by method
    python -m benchmarks.accuracy --method cart-cv ripper       only these methods
    python -m benchmarks.accuracy --half development            tables of one half
    python -m benchmarks.accuracy --only heart pima             tables whose names contain one of these parts
    python -m benchmarks.accuracy --stop-after 600              a slice of ten minutes
    python -m benchmarks.accuracy --again crash                 measure again the fits with this exit
    python -m benchmarks.accuracy --forget auto otherwise       remove the lines of these methods and stop
    python -m benchmarks.accuracy --summary                     means of the results so far
    python -m benchmarks.accuracy --page                        write docs/accuracy.md and its picture
    python -m benchmarks.accuracy --data DIRECTORY --results FILE    other tables

Each fit is one line of a CSV, written as soon as the fit has ended, so that a run can be stopped at any time;
the next run resumes it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.accuracy import page, picture
from benchmarks.accuracy.measure import measure
from benchmarks.accuracy.methods import METHODS, Method
from benchmarks.accuracy.page import RIVAL
from benchmarks.accuracy.scores import Scores
from benchmarks.accuracy.tables import Tables
from benchmarks.support import study
from benchmarks.support.drawing import save_svg
from benchmarks.support.halves import HALVES, half
from benchmarks.support.study import FOLDER, Measured, Results, Row
from laconic.bench.records import Exit
from laconic.bench.suites import FOLDS
from laconic.runtime.errors import InputError

KEY = ("dataset", "fold", "method")
FIELDS = [
    *(*KEY, "exit", "rows", "columns", "classes", "errors", "lost", "balanced", "size", "rules"),
    *("trivial", "proven", "wall_s", "cpu_s", "version", "note"),
]
"""``lost``: number of rows that the most frequent class gets right and the method does not."""


def plan(tables: Tables, names: list[str], methods: list[Method]) -> Iterator[tuple[Any, Any]]:
    """Yield the fits, method by method, small tables first; the last fold identifies all fits of a table."""
    for method in methods:
        for name in sorted(names, key=lambda name: (tables.weight(name), name)):
            yield (name, FOLDS[-1], method.name), (tables, name, method)


def measured(tables: Tables, name: str, method: Method) -> list[Measured]:
    """Measure all folds of a table."""
    return measure(tables.read(name), method)


def as_line(row: Row) -> str:
    """Return the text to print for a line."""
    accuracy = 100 * (1 - int(row["errors"]) / int(row["rows"]))
    ending = "" if row["exit"] == "ok" else f"   {row['exit']} {row['note']}"
    return (
        f"{row['method']:14} {row['dataset']:28} {row['fold']}  {accuracy:5.1f} %  size {row['size']:>5}  "
        f"{row['cpu_s']:>7} s{ending}"
    )


def forget(results: Results, out: Callable[[Row], bool]) -> None:
    """Remove the lines of the fits to be measured again, together with those of the other folds."""
    rows = results.latest()
    dropped = {(row["dataset"], row["method"]) for row in rows if out(row)}
    kept = [row for row in rows if (row["dataset"], row["method"]) not in dropped]
    study.write(results.path, results.fields, kept)
    print(f"{len(rows) - len(kept)} lines dropped from {results.path}")


def run(options: Any, results: Results) -> None:
    """Measure the missing fits."""
    tables = Tables(options.data, options.target)
    names = [
        name
        for name in tables.names
        if options.half in (None, half(name))
        and (not options.only or any(part in name for part in options.only))
    ]
    ready = []
    for name in options.method or METHODS:
        absent = METHODS[name].missing()
        if absent:
            print(f"{name}: not available, {absent}")
        else:
            ready.append(METHODS[name])
    study.run(results, plan(tables, names, ready), measured, stop_after=options.stop_after, tell=as_line)


def summary(scores: Scores) -> str:
    """Return the means so far, each with the difference to cross-validated CART on the same tables."""
    lines = []
    for group in ("all", *HALVES):
        names = scores.group(group)
        lines.append(f"{group}: {len(names)} tables")
        for method in METHODS.values():
            mine = scores.of(method.name, names)
            if mine.empty:
                continue
            accuracy, balanced, size = (mine[measure].mean() for measure in ("accuracy", "balanced", "size"))
            against = scores.difference("accuracy", method.name, RIVAL, names)
            beside = "" if against is None else f"  {against.mean:+5.1f} ± {against.error:.1f} to {RIVAL}"
            fits = scores.fits_of(method.name, names)
            lines.append(
                f"  {method.label:24} {len(mine):3} tables  {accuracy:5.1f} %  balanced {balanced:5.1f} %  "
                f"size {size:6.1f}  {(fits['exit'] != 'ok').sum():4} stopped{beside}"
            )
    return "\n".join(lines)


def write_page(scores: Scores) -> None:
    """Write the page and its picture."""
    save_svg(picture.draw(scores), picture.PICTURE)
    page.PAGE.write_text(page.text(scores), encoding="utf-8")
    print(f"written to {page.PAGE}")


def main() -> None:
    """Run the command line; bad input ends it with one sentence and exit code 2."""
    options = arguments().parse_args()
    results = Results(options.results, FIELDS, KEY)
    try:
        if options.forget:
            forget(results, lambda row: row["method"] in options.forget)
        elif options.summary or options.page:
            scores = Scores(checked(results))
            print(summary(scores)) if options.summary else write_page(scores)
        else:
            if options.again:
                forget(results, lambda row: row["exit"] in options.again)
            run(options, results)
    except InputError as error:
        print(f"benchmarks.accuracy: {error}", file=sys.stderr)
        sys.exit(2)


def checked(results: Results) -> list[Row]:
    """Return the lines; raise `InputError` if there are none."""
    rows = results.latest()
    if not rows:
        raise InputError(f"no results in {results.path}; run this without --summary and --page first")
    return rows


def arguments() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = study.arguments(__doc__, results=FOLDER / "accuracy.csv")
    names = ", ".join(METHODS)
    parser.add_argument("--method", nargs="+", choices=list(METHODS), metavar="NAME", help=names)
    parser.add_argument("--half", choices=HALVES, help="only tables of this half")
    parser.add_argument("--only", nargs="+", default=[], metavar="PART", help="parts of table names")
    exits = [one.value for one in Exit]
    parser.add_argument(
        "--again", nargs="+", default=[], choices=exits, metavar="EXIT", help=", ".join(exits)
    )
    parser.add_argument(
        "--forget", nargs="+", choices=list(METHODS), metavar="NAME", help="methods to remove"
    )
    parser.add_argument("--data", type=Path, help="directory of CSV files instead of the paper's tables")
    parser.add_argument("--target", help="their label column; by default the last one")
    parser.add_argument("--page", action="store_true", help="write the page and its picture")
    return parser


if __name__ == "__main__":
    main()
