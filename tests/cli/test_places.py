"""Two options that name one file are refused before any work."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

FILES = ["--output", "--save-rows", "--certificate", "--report"]
PAIRS = [(one, other) for i, one in enumerate(FILES) for other in FILES[i + 1 :]]


@pytest.fixture
def no_work(monkeypatch):
    monkeypatch.setattr("laconic.cli.learning.Asked.open", lambda *_: pytest.fail("worked for nothing"))


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_two_outputs_of_fit_in_one_file_are_refused(one, other, loans, laconic):
    result = laconic("fit", loans, one, "x", other, "x")
    assert (result.code, result.err) == (
        2,
        f"laconic: {one} x and {other} x are the same file; choose another place for one of them\n",
    )
    assert not Path("x").exists()


def _other_spelling(path):
    return Path("sub", "..", path)


def _absolute(path):
    return Path(path).resolve()


def _by_link(path):
    Path("link").symlink_to(path)
    return Path("link")


def _by_linked_folder(path):
    Path("folder").symlink_to(".")
    return Path("folder", path)


def _by_hard_link(path):
    Path(path).write_text("old")
    os.link(path, "hard")
    return Path("hard")


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize("way", [_other_spelling, _absolute, _by_link, _by_linked_folder, _by_hard_link])
def test_one_file_by_two_names_is_refused(way, loans, laconic):
    Path("sub").mkdir()
    also = way("x")
    result = laconic("fit", loans, "-o", "x", "--report", also)
    assert result.code == 2
    assert f"--output x and --report {also} are the same file" in result.err


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize("way", [_other_spelling, _absolute, _by_link, _by_linked_folder])
def test_an_input_by_another_name_is_refused(way, loans, laconic):
    Path("sub").mkdir()
    also = way(str(loans))
    result = laconic("fit", loans, "--save-rows", also)
    assert (result.code, result.err) == (
        2,
        f"laconic: --save-rows {also} would overwrite an input; choose another place\n",
    )


@pytest.mark.usefixtures("no_work", "loans")
@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            ["path", "loans.csv", "-o", "x.svg", "--plot", "x.svg"],
            "--output x.svg and --plot x.svg are the same file",
        ),
        (["path", "loans.csv", "-o", "x", "--models", "x"], "--models x would overwrite --output x"),
        (
            ["path", "loans.csv", "-o", "out/size-3.json", "--models", "out"],
            "--models out would overwrite --output out/size-3.json",
        ),
        (["path", "loans.csv", "--models", "loans.csv"], "--models loans.csv is a file, not a folder"),
        (
            ["enumerate", "loans.csv", "--importance", "x", "--models", "x"],
            "--models x would overwrite --importance x",
        ),
        (["fit", "loan*.csv", "-o", "loans.csv"], "--output loans.csv would overwrite an input"),
        (
            ["fit", "loans.csv", "--constraints", "c.toml", "-o", "c.toml"],
            "--output c.toml would overwrite an input",
        ),
    ],
)
def test_folders_patterns_and_files_of_constraints_are_checked_too(line, said, laconic):
    Path("c.toml").write_text("max_rules = 2\n")
    Path("out").mkdir()
    result = laconic(*line)
    assert result.code == 2
    assert said in result.err


def test_update_may_replace_the_model_and_the_rows_but_not_one_by_the_other(loans, laconic):
    assert laconic("fit", loans, "-o", "m.json", "--save-rows", "r.npz").code == 0
    for more, said in (
        (["-o", "r.npz"], "--output r.npz would overwrite an input"),
        (["--save-rows", "m.json"], "--save-rows m.json would overwrite an input"),
        (["-o", "x", "--save-rows", "x"], "--output x and --save-rows x are the same file"),
    ):
        result = laconic("update", "m.json", "r.npz", loans, *more)
        assert result.code == 2
        assert said in result.err
    assert laconic("update", "m.json", "r.npz", loans, "-o", "m.json", "--save-rows", "r.npz").code == 0


def test_a_device_may_be_named_twice(loans, laconic):
    assert laconic("fit", loans, "-o", "/dev/null", "--report", "/dev/null").code == 0


def test_a_comparison_keeps_its_table(loans, laconic):
    for more, said in (
        (["--records", loans], "--records loans.csv would overwrite an input"),
        (["--records", "x.svg", "--plot", "x.svg"], "--plot x.svg and --records x.svg are the same file"),
    ):
        result = laconic("bench", "compare", loans, *more)
        assert result.code == 2
        assert said in result.err
