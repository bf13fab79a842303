"""Measurements that can be stopped and resumed: a plan, a CSV with a line per item, and a summary.

A script names its CSV with `Results`, yields its plan as pairs of a key and the arguments of a measurement,
and calls `run`, which skips the keys that the CSV contains. `isolated` measures in a fresh process, so that
the memory peak is that of the measurement alone.
"""

from __future__ import annotations

import argparse
import csv
import io
import math
import multiprocessing
import resource
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

FOLDER = Path(__file__).resolve().parents[1] / "results"

Row = dict[str, str]
Measured = Mapping[str, object]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Results:
    """A CSV of measurements.

    Attributes
    ----------
    path : Path
    fields : sequence of str
        The columns of the CSV.
    key : sequence of str
        The columns that identify an item of the plan.
    """

    path: Path
    fields: Sequence[str]
    key: Sequence[str]

    def rows(self) -> list[Row]:
        """Return all lines, or none if the file does not exist."""
        return list(csv.DictReader(io.StringIO(self._whole(), newline="")))

    def latest(self) -> list[Row]:
        """Return the last line of each item."""
        return list({self._item(row): row for row in self.rows()}.values())

    def done(self, counts: Callable[[Row], bool]) -> set[tuple[str, ...]]:
        """Return the items whose last line counts as done."""
        return {self._item(row) for row in self.latest() if counts(row)}

    def append(self, rows: Iterable[Measured]) -> None:
        """Append lines, with a header if the file is new."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        whole = self._whole()
        ending = _line_ending(self.path)
        with self.path.open("a", newline="", encoding="utf-8") as out:
            out.truncate(len(whole.encode()))
            writer = csv.DictWriter(out, self.fields, lineterminator=ending)
            if not whole:
                writer.writeheader()
            writer.writerows(rows)

    def _whole(self) -> str:
        """Return the text of the file, without an incomplete last line left by a killed writer."""
        if not self.path.exists():
            return ""
        with self.path.open(newline="", encoding="utf-8") as lines:
            text = lines.read()
        return text[: text.rfind("\n") + 1]

    def _item(self, row: Row) -> tuple[str, ...]:
        return tuple(row[name] for name in self.key)


def arguments(
    doc: str | None, *, results: Path | None = None, only: bool = False, summary: bool = True
) -> argparse.ArgumentParser:
    """Return a parser with the options shared by all scripts; a script adds its own.

    Parameters
    ----------
    doc : str
        The script's docstring.
    results : Path, optional
        Default path of the CSV for the option ``--results``; without it there is no such option.
    only : bool
        Whether the items are training sets of the paper, which ``--only`` can select.
    summary : bool
        Whether the script has the option ``--summary``.
    """
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    if results is not None:
        parser.add_argument("--results", type=Path, default=results, help="CSV to append to")
    parser.add_argument("--stop-after", type=float, default=math.inf, help="seconds of this slice")
    if only:
        parser.add_argument("--only", nargs="*", default=[], help="parts of names such as heart or -r2-")
    if summary:
        parser.add_argument("--summary", action="store_true", help="only print the contents of the CSV")
    return parser


def run(
    results: Results,
    plan: Iterable[tuple[Sequence[object], Sequence[Any]]],
    measure: Callable[..., Measured | list[Measured]],
    *,
    stop_after: float = math.inf,
    counts: Callable[[Row], bool] = lambda row: True,
    tell: Callable[[Any], str] = lambda row: "\t".join(map(str, row.values())),
) -> None:
    """Measure the items of a plan that are not in the CSV yet, and append one or more lines for each.

    Parameters
    ----------
    results : Results
    plan : iterable of (key, arguments)
        The values of the key columns, and the arguments of `measure`.
    measure : callable
        Returns the other columns of one line, or of several lines.
    stop_after : float
        Seconds after which no item is started.
    counts : callable
        Returns whether a line of the CSV makes its item done.
    tell : callable
        Returns the text to print for a line.
    """
    started = time.monotonic()
    done = results.done(counts)
    for key, given in plan:
        item = tuple(map(str, key))
        # Another process may have measured the item in the meantime.
        if item in done or item in results.done(counts):
            continue
        if time.monotonic() - started > stop_after:
            return
        found = measure(*given)
        names = dict(zip(results.key, key, strict=True))
        rows = [{**names, **row} for row in (found if isinstance(found, list) else [found])]
        rows = [{name: row[name] for name in results.fields} for row in rows]
        results.append(rows)
        for row in rows:
            print(tell(row), flush=True)


def carry_out(
    options: argparse.Namespace,
    results: Results,
    plan: Iterable[tuple[Sequence[object], Sequence[Any]]],
    measure: Callable[..., Measured | list[Measured]],
    summary: Callable[[list[Row]], Sequence[str] | None],
    **how: Any,
) -> None:
    """Run a plan or, with ``--summary``, only print a summary and exit with the problems that it returns.

    The plan must be lazy if it is expensive to make. ``how`` holds further arguments of `run`.
    """
    if not options.summary:
        run(results, plan, measure, stop_after=options.stop_after, **how)
        return
    rows = results.latest()
    if not rows:
        sys.exit(f"no results in {results.path}; run this without --summary first")
    conclude(summary(rows) or ())


def isolated(measure: Callable[..., T], *given: Any, start: str = "fork") -> T:
    """Measure in a process of its own."""
    with multiprocessing.get_context(start).Pool(1) as pool:
        return pool.apply(measure, given)


def peak_mb() -> int:
    """Return the peak resident memory of this process so far in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def conclude(problems: Sequence[str]) -> None:
    """Exit with the problems that a summary has found, if there are any."""
    if problems:
        sys.exit("\n".join(problems))


def write(path: Path, fields: Sequence[str], rows: Iterable[Measured]) -> None:
    """Replace a CSV by a new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    ending = _line_ending(path)
    beside = path.with_suffix(".part")
    with beside.open("w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, fields, lineterminator=ending)
        writer.writeheader()
        writer.writerows(rows)
    beside.replace(path)


def _line_ending(path: Path) -> str:
    """Return the line ending of a file, since some of the committed files have Windows line endings."""
    if not path.exists():
        return "\n"
    with path.open("rb") as lines:
        return "\r\n" if lines.readline().endswith(b"\r\n") else "\n"
