"""verify, report, predict and explain take what fit takes: several files, patterns, queries."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest


@pytest.fixture
def parts(tmp_path, monkeypatch):
    """A table in three files and in one, and a model of it."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    rows = pd.DataFrame({"age": rng.integers(18, 80, 90), "home": rng.choice(["own ", "rent", " fam"], 90)})
    rows["kept"] = np.where((rows["age"] > 40) & (rows["home"] != "rent"), "always", "never")
    for k in range(3):
        rows[30 * k : 30 * k + 30].to_csv(f"part{k}.csv", index=False)
    rows.to_csv("all.csv", index=False)
    return ["part0.csv", "part1.csv", "part2.csv"]


@pytest.fixture
def model(parts, laconic):
    done = laconic("fit", "all.csv", "-t", "kept", "-l", 0.02, "-o", "m.json", "--certificate", "c.json")
    assert done.code == 0
    return "m.json"


QUERY = "select * from read_csv('part*.csv')"


@pytest.mark.parametrize("tables", [["part0.csv", "part1.csv", "part2.csv"], ["part*.csv"], ["--sql", QUERY]])
def test_the_commands_read_several_files_as_one(model, laconic, tables):
    for command in (["predict", model], ["explain", model]):
        assert laconic(*command, *tables).out == laconic(*command, "all.csv").out != ""
    done = laconic("verify", model, *tables)
    assert (done.code, f"{model} stands on" in done.out) == (0, True)
    done = laconic("verify", model, *tables, "--certificate", "c.json")
    assert (done.code, "c.json holds on" in done.out) == (0, True)
    done = laconic("verify", "--certificate", "c.json", *tables)
    assert (done.code, "stands" in done.out) == (0, False)
    assert laconic("report", model, *tables, "--trade-off-time", 0, "-o", "r.html").code == 0
    assert "90 rows" in Path("r.html").read_text(encoding="utf-8")


def test_the_model_of_several_files_is_that_of_one(model, parts, laconic):
    assert laconic("fit", *parts, "-t", "kept", "-l", 0.02, "-o", "again.json").code == 0
    assert Path("again.json").read_bytes() == Path(model).read_bytes()


def test_rows_are_counted_through_all_files(model, laconic):
    assert (
        laconic("explain", model, "part*.csv", "--row", 31).out
        == laconic("explain", model, "all.csv", "--row", 31).out
    )
    refused = laconic("explain", model, "part*.csv", "--row", 90)
    assert (refused.code, refused.err) == (
        2,
        "laconic: --row 90 does not exist: part*.csv has rows 0 to 89\n",
    )


def test_bad_tables_are_refused_in_a_sentence(model, parts, laconic):
    Path("odd.csv").write_text("age,house\n1,own\n")
    Path("part0.csv.gz").touch()
    for arguments, message in (
        (["predict", model], "Missing argument 'DATA'; name a table, or ask for one with --sql"),
        (["predict", model, "all.csv", "--sql", QUERY], "give a file or --sql, not both"),
        (["predict", model, "all.csv", "--database", "d.db"], "--database needs --sql, a query on it"),
        (["predict", model, "none*.csv"], "no file matches 'none*.csv'; check the path"),
        (
            ["predict", model, "all.csv", "odd.csv"],
            "do not have the same columns (see 'home'); give the files",
        ),
        (["verify", model], "laconic verify needs a model and its data, not 1 files"),
        (["predict", model, "all.csv", "-o", "all.csv"], "would overwrite an input"),
        (["predict", model, "part*.csv", "-o", "part1.csv"], "would overwrite an input"),
    ):
        refused = laconic(*arguments)
        assert (refused.code, message in refused.err) == (2, True), (arguments, refused.err)


def test_an_empty_table_is_predicted_as_no_rows(model, laconic):
    Path("none.csv").write_text("age,home\n")
    assert laconic("predict", model, "none.csv").out == "prediction\n"


def test_blanks_that_no_training_row_had_are_remarked_on(parts, laconic):
    rows = pd.read_csv("all.csv")
    rows["home"] = rows["home"].str.strip()
    rows.to_csv("clean.csv", index=False)
    laconic("fit", "clean.csv", "-t", "kept", "-l", 0.02, "-o", "clean.json")
    assert laconic("predict", "clean.json", "clean.csv").err == ""
    found = laconic("predict", "clean.json", "all.csv")
    assert "cells of column 'home' have blanks around them, as no training row had; to the model" in found.err
