"""A limit of memory ends a search with the best set so far, and says so."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.support.clock import ProcessorTime

from laconic import DecisionSetClassifier
from laconic.checking.verify import violations
from laconic.cli.main import run
from laconic.data.table import Table
from laconic.engines import registry
from laconic.engines.api import StopReason
from laconic.problem.objective import Counting, Kind, Objective, Problem
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError
from laconic.runtime.memory import memory_bytes, parse_size
from laconic.runtime.native import kernels

OBJECTIVES = {
    "perfect": Objective(Kind.PERFECT),
    "min_rules": Objective(Kind.MIN_RULES),
    "per_class": Objective(Kind.SPARSE, 0.002),
    "per_row": Objective(Kind.SPARSE, 0.002, Counting.PER_ROW),
    "every_class": Objective(Kind.SPARSE, 0.002, every_class=True),
}
CASES = [
    (engine, name)
    for engine in registry.available()
    for name, objective in OBJECTIVES.items()
    if engine != "brute"
    and objective.kind in registry.entry(engine).kinds
    and (objective.kind is not Kind.SPARSE or objective.counting in registry.entry(engine).countings)
]


def hard_table(n_rows=300, n_features=14):
    rng = np.random.default_rng(3)
    return Table.from_arrays(rng.integers(0, 2, (n_rows, n_features)), rng.integers(0, 3, n_rows))


@pytest.mark.parametrize(("engine", "name"), CASES)
def test_without_room_every_engine_gives_its_first_set(engine, name):
    problem = Problem.of(hard_table(), OBJECTIVES[name])
    with ProcessorTime() as spent:
        answer = registry.get(engine)(problem, budget=Budget(None, memory=1))
    assert answer.stop_reason is StopReason.MEMORY
    assert violations(problem, answer.rules, answer.cost, answer.lower_bound) == []
    assert spent.seconds < 30


def test_a_formula_that_outgrows_the_memory_is_given_up():
    problem = Problem.of(hard_table(1500, 40), OBJECTIVES["perfect"])
    get = registry.get("sat")
    get(problem, budget=Budget(0.01))  # libraries are loaded before the limit is set
    limit = kernels.resident_bytes() + 8 * 2**20
    answer = get(problem, budget=Budget(200, memory=limit))
    assert answer.stop_reason is StopReason.MEMORY
    assert kernels.resident_bytes() < limit + 200 * 2**20


def test_a_limit_once_passed_stays_passed_in_every_part():
    budget = Budget(None, memory=kernels.resident_bytes() + 32 * 2**20)
    part = budget.part(0.5)
    assert not part.expired()
    ballast = np.ones(64 * 2**20, np.uint8)
    flag = budget.stop_flag()
    assert flag.out_of_memory()
    del ballast
    assert part.out_of_memory()
    assert part.remaining() == budget.remaining() == 0.0


def test_enough_memory_changes_nothing():
    X, y = [[0, 1], [1, 1], [1, 0]], [0, 1, 1]
    free, bound = (DecisionSetClassifier(memory_limit=limit).fit(X, y) for limit in (None, "100GiB"))
    assert free.decision_set_.to_json() == bound.decision_set_.to_json()
    assert bound.stop_reason_ == "proved"


def test_the_classifier_says_that_memory_ended_the_search(monkeypatch):
    monkeypatch.setattr("laconic.runtime.memory.SMALLEST_LIMIT", 1)
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (200, 12)), rng.integers(0, 2, 200)
    clf = DecisionSetClassifier("perfect", memory_limit=1000).fit(X, y)
    assert (clf.stop_reason_, clf.status_) == ("memory", "feasible")
    assert clf.gap_ > 0
    assert clf.errors_ == clf.unavoidable_errors_


def test_the_command_says_that_memory_ended_the_search(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("laconic.runtime.memory.SMALLEST_LIMIT", 1)
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    # Too many rules to be listed at once: a table that is solved in a millisecond needs no memory.
    lines = [
        "a,b,c,d,e,f,g,h,i,j,k,l,class",
        *(",".join(map(str, row)) for row in rng.integers(0, 2, (200, 13))),
    ]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    options = ["--objective", "perfect", "--memory-limit", "1KB", "--out-of-core", "no", "--json"]
    assert run(["fit", "t.csv", *options]) == 0
    assert json.loads(capsys.readouterr().out)["stop_reason"] == "memory"


@pytest.mark.parametrize(
    ("size", "message"),
    [
        ("much", "cannot read the size 'much'; write it like 4GiB or 500MB"),
        ("1" * 400, "cannot read the size '1111"),
        ("-4GiB", "cannot read the size"),
        ("10MB", "a memory limit of 10 MiB is too small; give at least 512 MiB"),
        (10, "too small"),
    ],
)
def test_a_limit_that_is_none_is_refused(size, message):
    with pytest.raises(InputError, match=message):
        DecisionSetClassifier(memory_limit=size).fit([[0], [1]], [0, 1])


def test_sizes_are_read_in_both_kinds_of_units():
    assert [parse_size(text) for text in ("1k", "1kb", "2GiB", "1.5 MB", 7)] == [
        1024,
        1000,
        2**31,
        1_500_000,
        7,
    ]
    assert memory_bytes(None) >= 512 * 2**20
