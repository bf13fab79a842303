"""Every command that learns takes the same tables: a file, several, a pattern, a query."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from laconic.cli import progress

duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")

COMMANDS = {
    "path": ("--max-size", "6"),
    "enumerate": ("--within", "1"),
}


@pytest.fixture
def parts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(5)
    n = 300
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "job": rng.choice(["clerk", "driver", "nurse"], n),
            "many": rng.integers(1, 3, n),
        }
    )
    bad = (frame["age"] < 40) & (frame["job"] == "clerk")
    frame["class"] = np.where(bad ^ (rng.random(n) < 0.02), "bad", "good")
    frame.to_csv("whole.csv", index=False)
    for k in range(3):
        frame[100 * k : 100 * (k + 1)].to_csv(f"p{k}.csv", index=False)
    return frame


def answer(laconic, command, *arguments):
    result = laconic(command, *arguments, "-t", "class", "--drop", "many", *COMMANDS[command], "--json")
    assert result.code == 0, result.err
    found = json.loads(result.out)
    found.pop("notes")
    found.pop("counts", None)
    return found


@pytest.mark.parametrize("command", ["path", "enumerate"])
def test_patterns_files_and_queries_give_what_the_whole_table_gives(laconic, parts, command):
    expected = answer(laconic, command, "whole.csv")
    assert answer(laconic, command, "p*.csv") == expected
    assert answer(laconic, command, "p0.csv", "p1.csv", "p2.csv") == expected
    assert answer(laconic, command, "whole.csv", "--out-of-core", "yes", "--memory-limit", "1GiB") == expected
    with duckdb.connect("loans.duckdb") as connection:
        connection.execute("CREATE TABLE loans AS SELECT * FROM 'whole.csv'")
    query = ("--sql", "SELECT * FROM loans", "--database", "loans.duckdb")
    assert answer(laconic, command, *query) == expected


def test_fit_takes_several_files_and_no_output_overwrites_one(laconic, parts):
    expected = laconic("fit", "whole.csv", "-t", "class").out
    assert laconic("fit", "p0.csv", "p1.csv", "p2.csv", "-t", "class").out == expected
    for command in ("fit", "path"):
        result = laconic(command, "p0.csv", "p1.csv", "-t", "class", "-o", "p1.csv")
        assert result.code == 2
        assert "p1.csv" in result.err


def test_rows_that_were_merged_outside_memory_choose_the_same(laconic, parts):
    for weights in ((), ("--weight-column", "many")):
        inside, outside = (
            json.loads(laconic("fit", source, "-t", "class", *weights, "--json").out)
            for source in ("whole.csv", "p*.csv")
        )
        assert outside["choice"] == inside["choice"]
        assert outside["rules"] == inside["rules"]


@pytest.mark.parametrize("command", ["path", "enumerate"])
def test_sources_that_contradict_each_other_are_refused(laconic, parts, command):
    for arguments, message in (
        (["p0.csv", "--sql", "FROM 'p1.csv'"], "give a file or --sql, not both"),
        (["p0.csv", "--database", "x.duckdb"], "--database needs --sql, a query on it"),
        (["p*.csv", "--out-of-core", "no"], "p*.csv is a pattern, which needs --out-of-core yes or auto"),
        (
            ["p0.csv", "p1.csv", "--out-of-core", "no"],
            "there are several files, which needs --out-of-core yes or auto",
        ),
        (["q*.csv"], "no file matches 'q*.csv'; check the path"),
        (["--sql", "FROM 'p0.csv'"], "name the label column of the query with --target"),
    ):
        result = laconic(command, *arguments)
        assert (result.code, result.err.splitlines()[-1]) == (2, f"laconic: {message}")


def test_update_takes_a_pattern_and_several_files(laconic, parts):
    Path("old").mkdir()
    Path("p0.csv").rename("old/p0.csv")
    assert laconic("fit", "old/p0.csv", "-t", "class", "-o", "m.json", "--save-rows", "r.npz").code == 0
    found = {}
    for name, files in (("pattern", ["p*.csv"]), ("files", ["p1.csv", "p2.csv"])):
        result = laconic("update", "m.json", "r.npz", *files, "--save-rows", f"{name}.npz", "--json")
        assert result.code == 0, result.err
        found[name] = json.loads(result.out)
        assert found[name]["rows_added"] == 200
        assert found[name]["n_samples"] == 300
        assert Path(f"{name}.npz").stat().st_size > 0
    assert found["pattern"]["rules"] == found["files"]["rules"]
    assert laconic("update", "m.json", "r.npz", "q*.csv").code == 2


def test_the_choice_of_lambda_says_how_far_it_is_on_a_terminal(laconic, parts, monkeypatch):
    said = []

    class Terminal:
        def __enter__(self):
            line = progress.ProgressLine()
            monkeypatch.setattr(line, "say", said.append, raising=False)
            return line

        def __exit__(self, *problem):
            return None

    monkeypatch.setattr(progress, "progress_line", Terminal)
    assert laconic("fit", "whole.csv", "-t", "class").code == 0
    assert said[0] == "choosing λ: 0.1"
    assert said[-1] == "choosing λ: 5 of 5 folds"
