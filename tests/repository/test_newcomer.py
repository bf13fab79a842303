"""The newcomer's test of docs/architecture.md: every answer is where the table says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "laconic"


def questions() -> list[tuple[str, str, str]]:
    """Return the rows of the table: question, folders, answer."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    section = text.partition("## A newcomer's test")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")][1:]
    return [tuple(cell.strip() for cell in line.strip("|").split(" | ")) for line in lines]


def place(path: str) -> Path:
    return ROOT / path if path.startswith("native/") else PACKAGE / path


def test_there_are_at_least_ten_questions():
    assert len(questions()) >= 10


@pytest.mark.parametrize(("question", "folders", "answer"), questions(), ids=lambda text: text[:40])
def test_the_answer_is_where_the_table_says(question, folders, answer):
    rooms = re.findall(r"`([\w/]+/)`", folders)
    assert rooms
    assert all((PACKAGE / room).is_dir() for room in rooms)
    files = re.findall(r"`([\w/]+\.(?:py|hpp))`", answer)
    assert files
    assert all(place(path).is_file() for path in files)
    # The first file is in a folder that the question leads to.
    assert any(files[0].startswith(room) for room in rooms)
    for names, path in re.findall(r"`([\w.]+)`(?: \(\w+\))? (?:in|of) `([\w/]+\.py)`", answer):
        source = place(path).read_text()
        for name in names.split("."):
            assert re.search(rf"^\s*(?:class|def) {name}\b", source, re.MULTILINE), (name, path)
