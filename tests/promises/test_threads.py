"""Several fits at once, in threads and in processes: the same answers as one at a time."""

from __future__ import annotations

import multiprocessing
import pickle
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest

from laconic import DecisionSetClassifier
from laconic.data.table import Table
from laconic.engines import registry
from laconic.problem.objective import Counting, Kind, Objective, Problem
from laconic.runtime.budget import Budget

OBJECTIVES = {
    "sparse": {"regularization": 0.02},
    "perfect": {"objective": "perfect"},
    "per_row": {"regularization": 0.05, "counting": "per_row"},
    "every_class": {"regularization": 0.05, "every_class": True},
    "otherwise": {"regularization": 0.02, "default": "otherwise"},
    "min_rules": {"objective": "min_rules"},
    "certificate": {"regularization": 0.05, "certificate": True},
}


def data(seed, n_rows=60, n_columns=5):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.integers(0, 4, (n_rows, n_columns)), columns=[f"c{i}" for i in range(n_columns)])
    y = (X["c0"] + X["c1"] > 3).astype(int) + (rng.random(n_rows) < 0.1)
    return X, np.asarray(y)


def fitted(seed, settings):
    """The model file's text, and what it predicts."""
    X, y = data(seed)
    clf = DecisionSetClassifier(**settings).fit(X, y)
    return clf.decision_set_.to_json(), clf.predict(X).tolist()


@pytest.mark.parametrize("name", OBJECTIVES)
def test_fits_at_once_in_threads_give_what_each_gives_alone(name):
    settings = OBJECTIVES[name]
    alone = [fitted(seed, settings) for seed in range(4)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda seed: fitted(seed % 4, settings), range(8)))
    assert together == alone + alone


@pytest.mark.parametrize("name", OBJECTIVES)
def test_classes_searched_at_once_give_the_same_model(name):
    one = fitted(0, {**OBJECTIVES[name], "n_jobs": 1})
    assert all(fitted(0, {**OBJECTIVES[name], "n_jobs": n}) == one for n in (2, 4))


@pytest.mark.parametrize("kind", [Kind.PERFECT, Kind.SPARSE])
def test_bounds_are_read_while_other_classes_are_searched(kind):
    rng = np.random.default_rng(5)
    table = Table.from_arrays(rng.integers(0, 2, (300, 14)), rng.integers(0, 4, 300))
    problem = Problem.of(table, Objective(kind, 0.004))
    seen = []
    answer = registry.get("exact")(problem, budget=Budget(2.5), n_jobs=3, on_progress=seen.append)
    assert answer.lower_bound <= answer.cost
    costs = [state.cost for state in seen if state.cost is not None]
    assert costs == sorted(costs, reverse=True)


def test_joint_programs_at_once_give_what_each_gives_alone():
    problems = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        table = Table.from_arrays(rng.integers(0, 2, (40, 6)), rng.integers(0, 2, 40))
        problems.append(Problem.of(table, Objective(Kind.SPARSE, 0.05, Counting.PER_ROW)))
    solve = registry.get("exact")
    alone = [solve(problem, budget=Budget()).rules for problem in problems]
    with ThreadPoolExecutor(3) as pool:
        assert [one.rules for one in pool.map(lambda p: solve(p, budget=Budget()), problems)] == alone


def test_one_model_answers_many_threads():
    X, y = data(1, 3000)
    model = DecisionSetClassifier(regularization=0.02).fit(X, y).decision_set_
    expected = model.predict(X).tolist()
    failures = []

    def ask():
        for _ in range(5):
            if model.predict(X).tolist() != expected or len(model.explain(X.head(3))) != 3:
                failures.append("another answer")

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


@pytest.mark.filterwarnings("ignore:This process.*is multi-threaded:DeprecationWarning")
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_process_made_after_import_fits_the_same(method):
    expected = [fitted(seed, OBJECTIVES["sparse"]) for seed in range(2)]  # this process has searched already
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        found = list(pool.map(fitted, range(2), [{**OBJECTIVES["sparse"], "n_jobs": 2}] * 2, timeout=120))
    assert found == expected


def test_a_fitted_classifier_goes_to_another_process_and_back():
    X, y = data(2)
    clf = DecisionSetClassifier(regularization=0.02).fit(X, y)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(clf.predict, X).result(120).tolist() == clf.predict(X).tolist()
    again = pickle.loads(pickle.dumps(clf))
    assert again.decision_set_.to_json() == clf.decision_set_.to_json()
