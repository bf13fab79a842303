"""CSV files: no text of a user is a formula in a spreadsheet."""

from __future__ import annotations

import csv
import gzip
import io
from pathlib import Path

import pandas as pd
import pytest

from laconic.cli.spreadsheet import safe_cell

SAFE = {
    "=cmd|' /C calc'!A0": "'=cmd|' /C calc'!A0",
    "+49 30 1234": "'+49 30 1234",
    "-1+1": "'-1+1",
    "@SUM(A1)": "'@SUM(A1)",
    "\t=1": "'\t=1",
    "\r=1": "'\r=1",
    "-1.5": "-1.5",
    "-": "-",
    "clerk": "clerk",
    "a\r=1": "a\r=1",
    "-2,5": "-2,5",
}
TEXTS = list(SAFE)


@pytest.fixture
def hostile(tmp_path, monkeypatch, laconic):
    """A table of texts that begin like formulas, and a model of it."""
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame(
        {"=name": TEXTS, "number": [-1.5 - k for k in range(11)], "class": ["=yes"] * 5 + ["-no"] * 6}
    )
    frame.to_csv("t.csv", index=False, quoting=csv.QUOTE_NONNUMERIC)
    assert laconic("fit", "t.csv", "-t", "class", "--objective", "perfect", "-o", "m.json").code == 0
    return frame


def rows(text, delimiter=","):
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))


@pytest.mark.parametrize("out", ["p.csv", "p.tsv", "p.csv.gz", "p.txt"])
def test_predictions_in_a_file_hold_no_formula(out, hostile, laconic):
    assert laconic("predict", "m.json", "t.csv", "--with-data", "-o", out).code == 0
    raw = Path(out).read_bytes()
    text = (gzip.decompress(raw) if out.endswith(".gz") else raw).decode()
    head, *body = rows(text, "\t" if out == "p.tsv" else ",")
    assert head == ["'=name", "number", "class", "prediction"]
    assert [row[0] for row in body] == list(SAFE.values())
    assert [float(row[1]) for row in body] == hostile["number"].tolist()
    assert [row[3] for row in body] == ["'=yes"] * 5 + ["'-no"] * 6


def test_no_safe_cells_writes_what_is_there(hostile, laconic):
    assert laconic("predict", "m.json", "t.csv", "--with-data", "--no-safe-cells", "-o", "p.csv").code == 0
    head, *body = rows(Path("p.csv").read_bytes().decode())
    assert head[0] == "=name"
    assert [row[0] for row in body] == TEXTS
    assert [row[3] for row in body] == hostile["class"].tolist()


def test_standard_output_is_for_programs_unless_asked(hostile, laconic):
    plain = laconic("predict", "m.json", "t.csv").out
    assert [row[0] for row in rows(plain)[1:]] == hostile["class"].tolist()
    safe = laconic("predict", "m.json", "t.csv", "--safe-cells").out
    assert {row[0] for row in rows(safe)[1:]} == {"'=yes", "'-no"}


@pytest.mark.usefixtures("hostile")
def test_parquet_and_json_are_as_they_are(laconic):
    assert laconic("predict", "m.json", "t.csv", "-o", "p.parquet").code == 0
    assert set(pd.read_parquet("p.parquet")["prediction"]) == {"=yes", "-no"}
    for more in (["-o", "p.parquet"], ["-o", "p.json"], ["--json"]):
        result = laconic("predict", "m.json", "t.csv", "--safe-cells", *more)
        assert result.code == 2
        assert "--safe-cells is for CSV" in result.err


@pytest.mark.usefixtures("hostile")
def test_conditions_in_a_file_hold_no_formula(laconic):
    assert (
        laconic("enumerate", "t.csv", "-t", "class", "--objective", "perfect", "--importance", "i.csv").code
        == 0
    )
    listed = pd.read_csv("i.csv")
    cells = [cell for name in ("condition", "column") for cell in listed[name]]
    assert cells
    assert not any(cell.startswith("=") for cell in cells)


def test_what_is_no_text_stays():
    assert [safe_cell(value) for value in (-1, -1.5, None, True)] == [-1, -1.5, None, True]


def test_a_carriage_return_does_not_end_a_line(hostile, laconic):
    for more in ([], ["--no-safe-cells"]):
        assert laconic("predict", "m.json", "t.csv", "--with-data", *more, "-o", "p.csv").code == 0
        lines = Path("p.csv").read_bytes().decode().split("\n")
        assert not any(line.count('"') % 2 for line in lines)  # each is whole, quotes and all
        assert len(pd.read_csv("p.csv")) == len(TEXTS)
