"""The seed corpus: a few hundred trials of every kind, and a short random walk through the API."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from tests.fuzz import extremes
from tests.fuzz.cases import KINDS, case, found_by_hand, write_good
from tests.fuzz.contract import broken_promise, complaint
from tests.fuzz.machine import User
from tests.fuzz.seeds import Seeds

N_TRIALS = 30

REGRESSIONS = [130, 137, 167, 254, 277, 427, 674, 877, 937, 1087, 1756, 2054, 2244, 10160, 10896, 21884]
"""Trials that have found something."""


@pytest.fixture(scope="module")
def seeds(tmp_path_factory):
    return Seeds.made_in(tmp_path_factory.mktemp("seeds"))


@pytest.fixture
def place(seeds, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_good(seeds, tmp_path)
    return tmp_path


def try_all(numbers, seeds, place):
    for number in numbers:
        one = case(number, seeds)
        one.write(place)
        problem = broken_promise(one.arguments)
        assert problem is None, f"trial {number}, {one.arguments}: {problem}"


@pytest.mark.parametrize(
    "kind", range(len(KINDS)), ids=[f"{k}{kind.__name__}" for k, kind in enumerate(KINDS)]
)
def test_broken_files_are_refused_in_a_sentence_or_answered(kind, seeds, place):
    try_all(range(kind, kind + N_TRIALS * len(KINDS), len(KINDS)), seeds, place)


def test_what_was_found_once_is_not_found_again(seeds, place):
    try_all(REGRESSIONS, seeds, place)


def test_nor_is_what_people_have_found(seeds, place):
    for one in found_by_hand(seeds):
        one.write(place)
        problem = broken_promise(one.arguments)
        assert problem is None, f"{one.arguments}, {one.content[:200]!r}: {problem}"


def test_every_command_reads_the_valid_files(place):
    lines = [
        ["show", "model.json"],
        ["predict", "hard.json", "table.csv"],
        ["explain", "model.json", "table.csv"],
        ["report", "model.json", "table.csv", "-o", "out.html", "--trade-off-time", "0"],
        ["export", "hard.json", "--to", "sql"],
        ["verify", "model.json", "table.csv"],
        ["verify", "--certificate", "hard.cert", "table.csv"],
        ["update", "hard.json", "rows.npz", "table.csv"],
    ]
    assert [broken_promise(line) for line in lines] == [None] * len(lines)


def test_a_broken_promise_is_seen(place, monkeypatch):
    def loads_code(_):
        os.system("true")

    monkeypatch.setattr("laconic.model.store.load_model", loads_code)
    assert broken_promise(["show", "model.json"]) is not None
    assert complaint("show", 3, "laconic broke\n") is not None
    assert complaint("show", 1, "") is not None
    assert complaint("show", 2, "") is not None
    assert complaint("show", 2, "laconic: too short\n") is not None
    assert complaint("show", 0, "x.py:3: RuntimeWarning: divide by zero\n") is not None
    assert complaint("verify", 1, "") is None
    assert Path("model.json").exists()


def five_thousand_columns(place):
    extremes.wide_csv(place, 5000)


@pytest.mark.filterwarnings("ignore:This process.*is multi-threaded:DeprecationWarning")
@pytest.mark.parametrize(
    ("make", "line"),
    [
        (five_thousand_columns, extremes.FIT),
        (extremes.long_row, extremes.FIT),
        (extremes.deep_model, ["show", "big.json"]),
        (extremes.deep_model, ["verify", "--certificate", "big.json", "table.csv"]),
    ],
)
def test_extreme_inputs_are_answered_or_refused_within_time_and_memory(make, line, place):
    make(place)
    problem, _ = extremes.limited(line, place)
    assert problem is None


class TestUser(User.TestCase):
    settings = settings(
        max_examples=12,
        stateful_step_count=15,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
