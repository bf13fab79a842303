"""Rows of a CSV that grows by one after every measurement, so that a run can be stopped and resumed."""

from __future__ import annotations

import csv
from pathlib import Path


def read(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV; none if there is no such file yet."""
    if not path.exists():
        return []
    with path.open(newline="") as lines:
        return list(csv.DictReader(lines))


def append(path: Path, fields: list[str], row: dict[str, object]) -> None:
    """Add a row, with the header before the first."""
    fresh = not path.exists()
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", newline="") as out:
        writer = csv.DictWriter(out, fields, lineterminator="\n")
        if fresh:
            writer.writeheader()
        writer.writerow(row)
