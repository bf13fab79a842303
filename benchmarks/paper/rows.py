"""The runs behind our page: the methods, the paper's training sets that each is run on, and the limits.

The paper gave each task 1800 s. The limits here are of processor time, so that other work on the machine does
not count. A run is repeated with a higher limit only where the lower one was not enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from laconic.bench.plan import BenchTask, SuitePart, make_plan
from laconic.bench.records import Record
from laconic.bench.suites import Suite

SAMPLE = SuitePart(sample=100)
FIRST_FOLDS = SuitePart(folds=(1,))
WHOLE = SuitePart()

WALL = 720
"""Seconds of wall time per second of processor time: the background of a busy machine gets little."""

SLICES = 10
"""Number of slices of a part of the suite; each holds tables of all sizes."""


@dataclass(frozen=True, slots=True)
class Row:
    """A method on a part of the suite.

    Attributes
    ----------
    method : str
    seconds : float
        Limit of processor time.
    part : SuitePart
    """

    method: str
    seconds: float
    part: SuitePart


ROWS: tuple[Row, ...] = (
    *(Row(f"exact-sp-r{k}", 5, SAMPLE) for k in (3, 2, 1)),
    *(Row(f"imli{k}", 60, SAMPLE) for k in (2, 4, 8)),
    Row("minds-satl", 30, SAMPLE),
    Row("minds-mxsatls", 30, SAMPLE),
    Row("minds-2stage", 30, SAMPLE),
    *(Row(f"minds-sparse-l{k}", 10, SAMPLE) for k in (2, 1)),
    *(Row(f"sp-r{k}", 30 if k == 3 else 10, SAMPLE) for k in (3, 2, 1)),
    *(Row(f"sp-l{k}-joint", 30 if k == 3 else 10, SAMPLE) for k in (3, 2, 1)),
    *(Row(f"exact-sp-r{k}", 5, FIRST_FOLDS) for k in (3, 2, 1)),
    *(Row(name, 60, FIRST_FOLDS) for name in ("sp-l3", "opt", "mopt")),
    *(Row(f"exact-sp-r{k}", 5, WHOLE) for k in (3, 2, 1)),
)
"""Methods in the order in which to run them, those that take least first."""


def open_tasks(
    suite: Suite, records: Iterable[Record], rows: Sequence[Row] = ROWS, at_most: float = float("inf")
) -> list[BenchTask]:
    """Return the tasks that the records lack, in slices, so that an interrupted run has a share of each row.

    Parameters
    ----------
    suite : Suite
    records : iterable of Record
        What was run before. A task is not open if it was solved, or had at least the limit of its row.
    rows : sequence of Row
    at_most : float
        Cap on the limits, in seconds.
    """
    reached: dict[tuple[object, ...], float] = {}
    for record in records:
        limit = min(record.task.limit_s, record.task.cpu_limit_s or float("inf"))
        key = (*record.task.instance, record.task.method)
        reached[key] = max(reached.get(key, 0.0), float("inf") if record.solved else limit)
    chosen: dict[str, BenchTask] = {}
    for part in dict.fromkeys(row.part for row in rows):
        for task in _in_slices(suite, [row for row in rows if row.part == part], at_most):
            if reached.get((*task.instance, task.method), 0.0) < (task.cpu_limit_s or 0.0):
                chosen.setdefault(task.id, task)
    return list(chosen.values())


def _in_slices(suite: Suite, rows: Sequence[Row], at_most: float) -> Iterator[BenchTask]:
    plans = []
    for row in rows:
        limit = min(row.seconds, at_most)
        plan = make_plan(suite, [row.method], choice=row.part, limit_s=WALL * limit, cpu_limit_s=limit)
        plans.append(plan[:1] + plan[:0:-1])  # the smallest tables first
    for k in range(SLICES):
        for plan in plans:
            yield from plan[k::SLICES]


def pack(records: Path, directory: Path) -> list[Path]:
    """Distribute records to one compressed file per method, as the page's sources are; return the files."""
    import gzip

    lines: dict[str, list[bytes]] = {}
    for line in records.read_bytes().splitlines(keepends=True):
        if line.endswith(b"\n"):
            lines.setdefault(_method_of(line), []).append(line)
    written = []
    for method, found in lines.items():
        path = directory / f"cp20_{method}.jsonl.gz"
        old = gzip.decompress(path.read_bytes()).splitlines(keepends=True) if path.exists() else []
        merged = list(dict.fromkeys([*old, *found]))
        path.write_bytes(gzip.compress(b"".join(merged), mtime=0))
        written.append(path)
    return written


def _method_of(line: bytes) -> str:
    import json

    return str(json.loads(line)["task"]["method"])
