"""The table of errors for `make bench-mutants` fits the code, and its results fit the table."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def table(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    import mutant_table

    yield mutant_table
    sys.modules.pop("mutant_table")


def test_every_error_replaces_a_text_that_is_there_once(table):
    assert len({mutant.name for mutant in table.MUTANTS}) == len(table.MUTANTS)
    for mutant in table.MUTANTS:
        source = ROOT.joinpath(mutant.file).read_text(encoding="utf-8")
        assert source.count(mutant.old) == 1, mutant.name
        assert mutant.old != mutant.new
        assert mutant.area in table.TESTS


def test_the_results_are_of_all_errors_and_few_survive_without_harm(table):
    with ROOT.joinpath("benchmarks", "results", "mutants.csv").open(encoding="utf-8", newline="") as file:
        results = list(csv.DictReader(file))
    assert [row["mutant"] for row in results] == [mutant.name for mutant in table.MUTANTS]
    survived = [row for row in results if row["result"] != "killed"]
    assert len(survived) <= 3
    assert all(row["result"] == "survived" and row["why_harmless"] for row in survived)
    for row in results:
        if "::" in row["noticed_by"]:
            path, test = row["noticed_by"].split("::")[0], row["noticed_by"].split("::")[1].split("[")[0]
            assert f"def {test}(" in ROOT.joinpath(path).read_text(encoding="utf-8")
