"""The page of the paper's experiments says what the committed records say."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from laconic.bench.cli import app

ROOT = Path(__file__).parents[1]


def lines(page: Path) -> list[str]:
    """Return the lines but the one that names the files of the records, seen from the page."""
    return [
        line for line in page.read_text(encoding="utf-8").splitlines() if not line.startswith("Records: ")
    ]


@pytest.mark.skipif(not (ROOT / "docs" / "reproduction.md").exists(), reason="needs the sources")
def test_the_page_is_made_from_the_records_and_notes(tmp_path: Path) -> None:
    records = sorted(map(str, (ROOT / "benchmarks" / "results").glob("cp20_*.jsonl.gz")))
    notes = ROOT / "benchmarks" / "reproduction_notes.md"
    made = tmp_path / "reproduction.md"
    result = CliRunner().invoke(app, ["report", *records, "-o", str(made), "--notes", str(notes)])
    assert result.exit_code == 0, result.output
    assert lines(made) == lines(ROOT / "docs" / "reproduction.md"), "run: make bench-report"
