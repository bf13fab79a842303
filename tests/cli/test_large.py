"""``laconic fit`` on tables that are not read into memory."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from laconic.cli import large
from laconic.data.large.duck import Duck

duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(2)
    n = 600
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "job": rng.choice(["clerk", "driver", None], n),
            "score": rng.normal(size=n).round(3),
            "many": rng.integers(1, 4, n),
        }
    )
    bad = (frame["age"] < 40) & (frame["job"] == "clerk")
    frame["class"] = np.where(bad ^ (rng.random(n) < 0.02), "bad", "good")
    frame.to_parquet("whole.parquet")
    frame.to_csv("whole.csv", index=False)
    Path("parts").mkdir()
    for k in range(3):
        frame[200 * k : 200 * (k + 1)].to_parquet(f"parts/{k}.parquet")
    return frame


def model_of(laconic, *arguments):
    result = laconic("fit", *arguments, "--lambda", "0.02", "-o", "model.json")
    assert result.code == 0, result.err
    return Path("model.json").read_bytes(), result


@pytest.mark.parametrize(
    "roles", [(), ("--weight-column", "many"), ("--drop", "score", "--type", "age=category")]
)
@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_the_model_file_is_the_same_byte_for_byte(laconic, table, kind, roles):
    expected, _ = model_of(laconic, f"whole.{kind}", "--out-of-core", "no", *roles)
    found, result = model_of(
        laconic, f"whole.{kind}", "--out-of-core", "yes", "--memory-limit", "1GiB", *roles
    )
    assert found == expected
    assert "read outside memory, by DuckDB" in result.err


def test_a_pattern_stands_for_all_its_files(laconic, table):
    expected, _ = model_of(laconic, "whole.parquet")
    assert model_of(laconic, "parts/*.parquet")[0] == expected
    assert laconic("verify", "model.json", "whole.parquet").code == 0


def test_a_query_is_learned_from(laconic, table):
    expected, _ = model_of(laconic, "whole.csv")
    with duckdb.connect("loans.duckdb") as connection:
        connection.execute("CREATE TABLE loans AS SELECT * FROM 'whole.parquet'")
    query = "SELECT * FROM loans"
    assert model_of(laconic, "--sql", query, "--database", "loans.duckdb", "-t", "class")[0] == expected
    assert model_of(laconic, "--sql", "FROM 'parts/*.parquet'", "-t", "class")[0] == expected


def test_what_fits_is_read_into_memory_and_what_does_not_is_not(laconic, table, monkeypatch):
    assert "outside memory" not in laconic("fit", "whole.parquet").err
    monkeypatch.setattr(large, "_SHARE", 1e-9)
    assert "outside memory" not in laconic("fit", "whole.csv").err  # small files of text always fit
    monkeypatch.setattr(large, "_SMALL", 0)
    for name in ("whole.parquet", "whole.csv"):
        assert "outside memory" in laconic("fit", name).err
        assert "outside memory" not in laconic("fit", name, "--out-of-core", "no").err


def test_thresholds_from_a_summary_are_said_and_kept_in_the_model(laconic, table, monkeypatch):
    from laconic.data.large import out_of_core, ranges

    for module in (out_of_core, ranges):
        monkeypatch.setattr(module, "MAX_VALUES", 50)
    arguments = ("whole.parquet", "--out-of-core", "yes", "--thresholds", "entropy")
    _, result = model_of(laconic, *arguments)
    note = "the thresholds of column 'age' come from a summary of its values"
    assert note in result.err
    assert any(note in one for one in json.loads(laconic("fit", *arguments, "--json").out)["notes"])
    assert note in laconic("show", "model.json").out


def refused(laconic, *arguments):
    result = laconic("fit", *arguments, "--out-of-core", "yes")
    assert result.code == 2
    assert result.out == ""
    assert "Traceback" not in result.err
    said = [line for line in result.err.splitlines() if not line.startswith("note:")]
    assert len(said) == 1, result.err
    return said[0]


def damaged(path):
    Path(path).write_bytes(Path(path).read_bytes()[:300])


def test_bad_files_are_refused_in_a_sentence_that_names_them(laconic, table):
    damaged("parts/1.parquet")
    assert re.search(r"parts/1.parquet is not a readable Parquet file", refused(laconic, "parts/*.parquet"))
    Path("parts/1.parquet").write_bytes(b"")
    assert "parts/1.parquet is empty" in refused(laconic, "parts/*.parquet")
    table.rename(columns={"job": "work"}).to_parquet("parts/1.parquet")
    assert "parts/1.parquet has no column 'job', but parts/0.parquet has" in refused(
        laconic, "parts/*.parquet"
    )
    table.assign(extra=1).to_parquet("parts/1.parquet")
    assert "has a column 'extra', but parts/0.parquet has none" in refused(laconic, "parts/*.parquet")
    table.assign(age="x").to_parquet("parts/1.parquet")
    assert "column 'age' is large_string in parts/1.parquet, but int64" in refused(laconic, "parts/*.parquet")
    table[:0].to_parquet("none.parquet")
    assert "none.parquet has no rows" in refused(laconic, "none.parquet", "-t", "class")
    Path("one.csv").write_text("a,class\n1,x\n2,y\n")
    Path("two.csv").write_text("b,class\n1,x\n2,y\n")
    assert "two.csv and one.csv do not have the same columns (see 'b')" in refused(laconic, "[ot]*.csv")
    Path("two.csv").write_text("a,class\n1,x\n2\n")
    assert "line 3 of two.csv has 1 fields" in refused(laconic, "[ot]*.csv")
    assert "matches CSV and Parquet files" in refused(laconic, "whole.*")
    assert "no file matches 'nothing-*.csv'" in refused(laconic, "nothing-*.csv")
    assert "there is no file nothing.csv" in refused(laconic, "nothing.csv")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["whole.csv", "--memory-limit", "10MB"], "a memory limit of 10 MiB is too small"),
        (["whole.csv", "--memory-limit", "much"], "cannot read the size 'much'; write it like 4GiB"),
        (["whole.csv", "-t", "nothing"], "whole.csv has no column 'nothing'; its columns are: age, job"),
        (
            ["whole.csv", "--weight-column", "score"],
            "column 'score' holds 301 weights that are missing, infinite",
        ),
        (["whole.csv", "--weight-column", "job"], "the weights in column 'job' must be numbers, not string"),
        (["whole.csv", "--drop", "nothing"], "whole.csv has no column 'nothing' to leave out"),
        (["whole.csv", "-t", "score"], "so cut the target into classes first"),
        (["whole.csv", "-t", "job"], "the label is missing in 200 rows of column 'job'"),
        (["whole.csv", "--database", "x.duckdb"], "--database needs --sql"),
        (["whole.csv", "--sql", "SELECT 1"], "give a file or --sql, not both"),
        (["--sql", "SELECT 1"], "name the label column of the query with --target"),
        (["--sql", "SELEKT 1", "-t", "y"], "DuckDB refuses the query"),
        (["--sql", " ; ", "-t", "y"], "the query is empty; give a SELECT statement"),
        (["--sql", "SELECT 1; SELECT 2", "-t", "y"], "the query holds 2 statements; give one SELECT"),
        (
            ["--sql", "SELECT 1", "-t", "y", "--database", "whole.csv"],
            "whole.csv cannot be opened as a DuckDB",
        ),
        (["--sql", "SELECT 1", "-t", "y", "--database", "x.duckdb"], "there is no database x.duckdb"),
        (["--sql", "SELECT 1 AS y", "-t", "y"], "all rows have one class (1)"),
        (["--sql", "FROM 'whole.csv' LIMIT 0", "-t", "class"], "the query has no rows"),
        (["--sql", "SELECT class FROM 'whole.csv'", "-t", "class"], "has no column besides 'class'"),
        (["--sql", "SELECT class, 'inf'::DOUBLE AS x FROM 'whole.csv'", "-t", "class"], "contains infinity"),
    ],
)
def test_bad_requests_are_refused_in_a_sentence(laconic, table, arguments, message):
    if message == "column 'score' holds 301 weights that are missing, infinite":
        message = f"column 'score' holds {int((table['score'] < 0).sum())} weights"
    if "label is missing" in message:
        message = f"the label is missing in {int(table['job'].isna().sum())} rows of column 'job'"
    assert message in refused(laconic, *arguments)


def test_rows_that_stay_too_many_are_refused_with_advice(laconic, table, monkeypatch):
    from laconic.data.large import out_of_core

    monkeypatch.setattr(out_of_core, "_BYTES_PER_ROW", 2**40)
    assert "different rows with 11 conditions, which do not fit" in refused(
        laconic, "whole.csv", "--bins", "4"
    )


def test_an_installation_without_duckdb_says_what_to_install(laconic, table, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "duckdb", None)
    assert "pip install 'laconic-rules[scale]'" in refused(laconic, "whole.csv")


SPILLING = "CREATE TEMP TABLE t AS SELECT range % 3000000 AS a, sum(range) FROM range(6000000) GROUP BY ALL"


@pytest.mark.parametrize(
    ("limit", "room", "message"),
    [
        (60, "1MB", "is full of data that does not fit in memory"),
        (8, "10GB", "MiB is too small for this table"),
    ],
)
def test_a_full_disk_and_too_little_memory_are_told_apart(tmp_path, limit, room, message):
    duck = Duck(2 * limit * 2**20, tmp_path)
    duck.run(f"SET max_temp_directory_size = '{room}'")
    with pytest.raises(ValueError, match=message):
        duck.run(SPILLING)
    duck.close()
