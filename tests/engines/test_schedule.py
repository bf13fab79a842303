"""Searches in turns: what they do and answer does not depend on when turns end."""

from __future__ import annotations

import gc
import time
from pathlib import Path

import numpy as np
import pytest
from tests.support.clock import ProcessorTime

from laconic.data.table import Table
from laconic.engines import schedule
from laconic.engines.class_search import ClassTask
from laconic.engines.exact import local
from laconic.problem.objective import Kind, Objective, Problem
from laconic.runtime.budget import Budget
from laconic.runtime.native import kernels

THREADS = Path("/proc/self/task")
OBJECTIVES = {
    "sparse": Objective(Kind.SPARSE, 0.01),
    "every class": Objective(Kind.SPARSE, 0.01, every_class=True),
    "perfect": Objective(Kind.PERFECT),
    "fewest rules": Objective(Kind.MIN_RULES),
}


def problem_of(objective: Objective, seed: int = 3, n_rows: int = 220, n_features: int = 12) -> Problem:
    rng = np.random.default_rng(seed)
    features = rng.random((n_rows, n_features)) < 0.5
    labels = (features[:, 0] & features[:, 1]) | (features[:, 2] & ~features[:, 3])
    table = Table.from_arrays(features, (labels ^ (rng.random(n_rows) < 0.15)).astype(int))
    return Problem.of(table.reduced_to_majority() if objective.kind is not Kind.SPARSE else table, objective)


@pytest.mark.parametrize("name", OBJECTIVES)
def test_a_search_in_many_short_turns_does_just_what_it_does_in_one(name: str, way: str) -> None:
    problem = problem_of(OBJECTIVES[name])
    n_turns = 0
    for target in problem.classes:
        whole, turns = (local.search_for(ClassTask.of(problem, target)) for _ in range(2))
        whole.take_turn(-1.0, kernels.StopFlag())
        assert whole.finished
        while not turns.finished:
            turns.take_turn(0.0005, kernels.StopFlag())
            n_turns += 1
            assert turns.lower_bound <= whole.upper_bound
            assert turns.upper_bound >= whole.upper_bound or turns.upper_bound < turns.lower_bound
        assert turns.best() == whole.best()
        # Not only the answer: every node and pivot is the same.
        assert turns.counts() == whole.counts()
    if way == "generated":
        assert n_turns > 5  # else hardly anything stood still


@pytest.mark.parametrize("name", OBJECTIVES)
def test_a_search_that_stands_still_can_be_settled_and_gone_on_with(name: str, way: str) -> None:
    problem = problem_of(OBJECTIVES[name])
    for target in problem.classes:
        whole, stopped = (local.search_for(ClassTask.of(problem, target)) for _ in range(2))
        whole.take_turn(-1.0, kernels.StopFlag())
        for seconds in (0.0, 0.005, 0.02):
            stopped.take_turn(seconds, kernels.StopFlag())
            stopped.settle()
            assert stopped.best()
            assert stopped.lower_bound <= whole.upper_bound <= stopped.upper_bound
        stopped.take_turn(-1.0, kernels.StopFlag())
        assert stopped.upper_bound == whole.upper_bound


@pytest.mark.skipif(not THREADS.exists(), reason="native threads are counted by the kernel")
def test_a_search_may_be_dropped_while_it_stands_still() -> None:
    before = len(list(THREADS.iterdir()))
    problem = problem_of(OBJECTIVES["perfect"], n_rows=400, n_features=20)
    searches = [local.search_for(ClassTask.of(problem, 1)) for _ in range(20)]
    for search in searches:
        search.take_turn(0.002, kernels.StopFlag())
    assert len(list(THREADS.iterdir())) > before
    del search, searches
    gc.collect()
    assert len(list(THREADS.iterdir())) == before


def test_a_raised_flag_ends_a_turn_before_it_begins() -> None:
    flag = kernels.StopFlag()
    flag.raise_flag()
    search = local.search_for(ClassTask.of(problem_of(OBJECTIVES["perfect"], n_rows=2000, n_features=20), 1))
    search.take_turn(-1.0, flag)
    assert not search.finished
    assert search.best()


class Threads:
    """Stands in for the flag, which says how many threads a search may use to native code alone."""

    n = 1

    def set_threads(self, n: int) -> None:
        self.n = n

    def set_seconds_left(self, seconds: float) -> None: ...


class Fake:
    """A class that never gets anywhere, and notes how many threads it was given in each turn."""

    proved = finished = False

    def __init__(self, gap: int, shares_work: bool) -> None:
        self.lower_bound, self.upper_bound, self.shares_work = 0, gap, shares_work
        self.turns: list[tuple[float, int]] = []

    def take_turn(self, seconds: float, stop: Threads) -> bool:
        self.turns.append((time.monotonic(), stop.n))
        time.sleep(seconds)
        return False

    def settle(self) -> None: ...

    def best(self) -> list[list[int]]:
        return []

    def counts(self) -> dict[str, int]:
        return {}


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_turns_stop_with_the_budget_and_every_class_gets_one(
    n_jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Budget, "stop_flag", lambda self: Threads())
    searches = [Fake(10, False) for _ in range(3)]
    seen: list[schedule.Search] = []
    budget = Budget(1.2)
    schedule.run(searches, budget, seen.append, n_jobs, longest=0.1)
    assert budget.expired()
    assert budget.elapsed() < 2
    assert min(map(seen.count, searches)) >= 2


def test_no_turn_is_so_long_that_nothing_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Budget, "stop_flag", lambda self: Threads())
    seen: list[schedule.Search] = []
    schedule.run([Fake(10, False), Fake(10, False)], Budget(3.0), seen.append, 1)
    assert len(seen) >= 5  # two first looks, and more than one turn each


@pytest.mark.parametrize(
    ("gap", "shares_work", "rests"), [(100, True, True), (100, False, False), (30, True, False)]
)
def test_a_class_rests_while_another_has_far_more_use_for_its_thread(
    gap: int, shares_work: bool, rests: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Budget, "stop_flag", lambda self: Threads())
    small, large = Fake(10, True), Fake(gap, shares_work)
    started = time.monotonic()
    schedule.run([small, large], Budget(1.6), lambda search: None, 2, longest=0.1)
    late = [(at, threads) for at, threads in large.turns if at - started > 0.8]
    assert late
    assert all(threads == (2 if rests else 1) for _, threads in late)
    assert any(at - started > 0.8 for at, _ in small.turns) is not rests
    assert max(at - started for at, _ in small.turns) >= schedule.EARLY * 1.6 - 0.2


def test_how_long_a_search_did_not_ask_whether_to_stop_is_measured() -> None:
    search = local.search_for(ClassTask.of(problem_of(OBJECTIVES["perfect"], n_rows=400, n_features=20), 1))
    search.take_turn(0.05, kernels.StopFlag())
    assert not search.finished
    time.sleep(1.0)  # standing still is not silence
    search.settle()
    assert 0 < search.longest_silence < 0.5


def test_a_search_that_lists_many_rules_asks_often_whether_to_stop() -> None:
    problem = problem_of(OBJECTIVES["perfect"], seed=0, n_rows=150, n_features=60)
    search = local.search_for(ClassTask.of(problem, 1))
    while search.counts()["enumerated"] < 20_000:
        search.take_turn(1.0, kernels.StopFlag())
        assert not search.finished
    with ProcessorTime() as spent:
        search.settle()
    assert spent.seconds < 1.0
    assert search.longest_silence < 1.0
