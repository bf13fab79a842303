"""The page of the paper's experiments and its figures say what the committed records say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmarks.paper.__main__ import app

ROOT = Path(__file__).parents[3]


def lines(page: Path) -> list[str]:
    """Return the lines but the one that names the files of the records, seen from the page."""
    return [
        line for line in page.read_text(encoding="utf-8").splitlines() if not line.startswith("Records: ")
    ]


def words(figures: Path) -> dict[str, list[str]]:
    """Return what is written in each figure: legends with counts and means, axes, titles."""
    return {
        path.name: re.findall(r"<text[^>]*>([^<]*)</text>", path.read_text(encoding="utf-8"))
        for path in sorted(figures.glob("figure-*.svg"))
    }


@pytest.mark.skipif(not (ROOT / "docs" / "reproduction.md").exists(), reason="needs the sources")
def test_the_page_is_made_from_the_records_and_notes(tmp_path: Path) -> None:
    records = sorted(map(str, (ROOT / "benchmarks" / "results").glob("cp20_*.jsonl.gz")))
    notes = ROOT / "benchmarks" / "reproduction_notes.md"
    made = tmp_path / "reproduction.md"
    result = CliRunner().invoke(app, ["report", *records, "-o", str(made), "--notes", str(notes)])
    assert result.exit_code == 0, result.output
    assert lines(made) == lines(ROOT / "docs" / "reproduction.md"), "run: make bench-report"
    drawn, shown = (words(folder / "figures") for folder in (tmp_path, ROOT / "docs"))
    assert drawn == shown, "run: make bench-report"
