"""Accuracy on new rows against size: Laconic and others on raw tables, each with its own defaults.

    python -m benchmarks.accuracy                               what is missing, cheap methods first
    python -m benchmarks.accuracy --method cart-cv ripper       these methods only
    python -m benchmarks.accuracy --half development            tables of one half
    python -m benchmarks.accuracy --only heart pima             tables with these parts in their names
    python -m benchmarks.accuracy --stop-after 600              a slice of ten minutes
    python -m benchmarks.accuracy --again crash                 once more what ended so
    python -m benchmarks.accuracy --forget auto otherwise       drop the lines of these methods and stop
    python -m benchmarks.accuracy --summary                     means of what is there
    python -m benchmarks.accuracy --page                        write docs/accuracy.md and its picture
    python -m benchmarks.accuracy --data DIRECTORY --results FILE    other tables

Each fit is one line of a CSV, written as soon as it has ended, so that a run can be stopped at any time; the
next run goes on where it stopped.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.accuracy.measure import measure
from benchmarks.accuracy.methods import METHODS, Method
from benchmarks.accuracy.tables import Tables
from benchmarks.support import study
from benchmarks.support.halves import HALVES, half
from benchmarks.support.study import FOLDER, Results, Row
from laconic.bench.peers.environments import surroundings
from laconic.bench.suites import FOLDS
from laconic.errors import InputError

KEY = ("dataset", "fold", "method")
FIELDS = [
    *(*KEY, "exit", "rows", "columns", "classes", "errors", "lost", "balanced", "size", "rules"),
    *("trivial", "proven", "wall_s", "cpu_s", "version", "note"),
]
"""``lost``: rows that the most frequent class gets right and the method does not."""


def plan(tables: Tables, names: list[str], methods: list[Method]) -> Iterator[tuple[Any, Any]]:
    """Yield the fits, method after method, small tables first."""
    for method in methods:
        for name in sorted(names, key=lambda name: (tables.weight(name), name)):
            for fold in FOLDS:
                yield (name, fold, method.name), (tables, name, fold, method)


def measured(tables: Tables, name: str, fold: int, method: Method) -> dict[str, object]:
    """Measure one fit."""
    return measure(tables.read(name), fold, method)


def told(row: Row) -> str:
    """Return what is printed of a line."""
    accuracy = 100 * (1 - int(row["errors"]) / int(row["rows"]))
    ending = "" if row["exit"] == "ok" else f"   {row['exit']} {row['note']}"
    return (
        f"{row['method']:14} {row['dataset']:28} {row['fold']}  {accuracy:5.1f} %  size {row['size']:>5}  "
        f"{row['cpu_s']:>7} s{ending}"
    )


def forget(results: Results, methods: list[str]) -> None:
    """Drop the lines of some methods, to measure them anew."""
    rows = results.rows()
    kept = [row for row in rows if row["method"] not in methods]
    study.write(results.path, results.fields, kept)
    print(f"{len(rows) - len(kept)} lines dropped from {results.path}")


def run(options: Any, results: Results) -> None:
    """Measure what is missing."""
    tables = Tables(options.data, options.target)
    names = [
        name
        for name in tables.names
        if options.half in (None, half(name)) and (not options.only or any(part in name for part in options.only))
    ]
    ready = []
    for name in options.method or METHODS:
        absent = METHODS[name].missing()
        if absent:
            print(f"{name}: not available, {absent}")
        else:
            ready.append(METHODS[name])
    # A package must not find ours.
    for name in set(os.environ) - set(surroundings()):
        del os.environ[name]
    os.environ.update(surroundings())
    study.run(
        results,
        plan(tables, names, ready),
        measured,
        stop_after=options.stop_after,
        counts=lambda row: row["exit"] not in options.again,
        tell=told,
    )


def main() -> None:
    """Run the command line; bad input ends it with one sentence and exit code 2."""
    parser = study.arguments(__doc__, results=FOLDER / "accuracy.csv")
    parser.add_argument("--method", nargs="+", choices=list(METHODS), metavar="NAME", help=", ".join(METHODS))
    parser.add_argument("--half", choices=HALVES, help="these tables only")
    parser.add_argument("--only", nargs="+", default=[], metavar="PART", help="parts of names of tables")
    parser.add_argument("--again", nargs="+", default=[], metavar="EXIT", help="timeout, cpuout, crash, …")
    parser.add_argument("--forget", nargs="+", choices=list(METHODS), metavar="NAME")
    parser.add_argument("--data", type=Path, help="directory of CSV files instead of the paper's tables")
    parser.add_argument("--target", help="their label column; by default the last one")
    parser.add_argument("--page", action="store_true", help="write the page and its picture")
    options = parser.parse_args()
    results = Results(options.results, FIELDS, KEY)
    try:
        if options.forget:
            forget(results, options.forget)
        elif not (options.summary or options.page):
            run(options, results)
    except InputError as error:
        print(f"benchmarks.accuracy: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
