"""Classes and λ on the workers of a cluster: the same answers as here, whoever gives them."""

import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from joblib import parallel_config, register_parallel_backend
from joblib.parallel import BACKENDS, ThreadingBackend
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.model_selection import cross_val_score

from laconic import (
    Binarizer,
    DecisionSetClassifier,
    DecisionSetPath,
    verify_certificate,
)
from laconic.data.training import in_memory
from laconic.engines.class_search import ClassTask
from laconic.engines.exact import remote
from laconic.problem.objective import Objective, Problem
from laconic.runtime import remote as workers
from laconic.runtime.errors import InputError

OBJECTIVES = [
    {"regularization": 0.02},
    {"regularization": 0.02, "every_class": True},
    {"objective": "perfect"},
    {"objective": "min_rules"},
    {"objective": "min_rules_then_literals"},
    {"size_budget": 5},
    {"max_errors": 6},
    {"regularization": 0.02, "default": "otherwise"},
    {"objective": "perfect", "default": "otherwise"},
    {"size_budget": 5, "default": "otherwise"},
    {"regularization": 0.02, "engine_options": {"sparse_list_rules": 0}},
    {"objective": "perfect", "engine_options": {"cover_words_listed": 0}},
    {"size_budget": 5, "engine_options": {"sparse_list_rules": 0, "cover_words_listed": 0}},
]


def noisy(n_rows, n_columns=20, n_classes=3, seed=0):
    """Return a table whose optimum takes a while to prove."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.integers(0, 2, (n_rows, n_columns))).add_prefix("x")
    label = (X["x0"] & X["x1"]) + (X["x2"] & X["x3"]) + (X["x4"] & (1 - X["x5"]))
    return X, np.where(rng.random(n_rows) < 0.2, rng.integers(0, n_classes, n_rows), label % n_classes)


def fronts_agree(one, other):
    texts = ([model.to_json() for model in path.front_.models] for path in (one, other))
    return (
        one.points_ == other.points_ and one.complete_ == other.complete_ and len({*map(tuple, texts)}) == 1
    )


class Somewhere(ThreadingBackend):
    """Threads that pass for other machines, and count what they are given."""

    given: ClassVar[list[int]] = []

    def submit(self, func, callback=None):
        self.given.append(len(func))
        return super().submit(func, callback)


@pytest.fixture
def somewhere():
    register_parallel_backend("somewhere", Somewhere)
    Somewhere.given.clear()
    with parallel_config(backend="somewhere"):
        yield Somewhere.given
    BACKENDS.pop("somewhere")


@pytest.mark.parametrize("settings", OBJECTIVES, ids=str)
def test_every_class_is_a_task_and_the_model_is_the_same(somewhere, settings):
    X, y = load_iris(return_X_y=True, as_frame=True)
    here = DecisionSetClassifier(n_jobs=1, **settings).fit(X, y)
    assert not somewhere
    away = DecisionSetClassifier(n_jobs=2, **settings).fit(X, y)
    assert len(somewhere) >= 3
    assert away.decision_set_.to_json() == here.decision_set_.to_json()
    assert away.optimal_


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n_classes=st.integers(2, 4),
    every=st.sampled_from(["breakpoint", "size"]),
    max_size=st.sampled_from([0, 1, 4, 9, None]),
    default=st.sampled_from(["explained", "otherwise"]),
)
def test_fronts_from_elsewhere_are_the_same(seed, n_classes, every, max_size, default):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (int(rng.integers(4, 30)), 3)).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    y = np.r_[np.arange(2), rng.integers(0, n_classes, len(X) - 2)]
    weight = rng.integers(1, 4, len(X))
    if default == "otherwise" and max_size is not None:
        max_size += 1
    here = DecisionSetPath(every, max_size=max_size, default=default).fit(X, y, weight)
    register_parallel_backend("somewhere", Somewhere)
    with parallel_config(backend="somewhere"):
        away = DecisionSetPath(every, max_size=max_size, default=default, n_jobs=2).fit(X, y, weight)
    assert fronts_agree(away, here)


def test_open_stretches_of_lambda_are_tasks_of_their_own(somewhere, monkeypatch):
    from laconic.engines.fronts import remote as remote_front

    monkeypatch.setattr(remote_front, "FIRST_UNITS", 1)  # nothing is easy
    asked = []
    answer = remote_front.answer
    monkeypatch.setattr(
        remote_front, "answer", lambda errand: asked.append(errand.question) or answer(errand)
    )
    X, y = load_wine(return_X_y=True, as_frame=True)
    here = DecisionSetPath(max_size=4, n_jobs=1).fit(X, y)
    away = DecisionSetPath(max_size=4, n_jobs=2).fit(X, y)
    assert fronts_agree(away, here)
    assert len([one for one in asked if one.size is None and 0 < one.sizes[1] < np.inf]) > 3


def test_backends_of_joblib_that_stay_here_change_nothing(monkeypatch):
    monkeypatch.setattr(workers, "spread", lambda *_: pytest.fail("spread"))
    monkeypatch.setattr(remote, "spread", lambda *_: pytest.fail("spread"))
    X, y = load_iris(return_X_y=True)
    for backend in ("loky", "threading", "multiprocessing", "sequential"):
        with parallel_config(backend=backend):
            assert not workers.is_remote()
            DecisionSetClassifier(n_jobs=2).fit(X, y)


def test_progress_and_history_tell_what_came_from_elsewhere(somewhere):
    X, y = noisy(200, 14)
    told = []
    clf = DecisionSetClassifier(n_jobs=2, regularization=0.01, on_progress=told.append).fit(X, y)
    assert told[-1].cost == told[-1].lower_bound == clf.decision_set_.proof.cost
    assert {clf.history_[-1].cost, clf.history_[-1].lower_bound} == {told[-1].cost}
    for states in (told, clf.history_):
        assert [one.seconds for one in states] == sorted(one.seconds for one in states)
        assert [one.lower_bound for one in states] == sorted(one.lower_bound for one in states)


def test_a_timeline_adds_up_what_classes_knew_at_each_moment():
    classes = [remote.RemoteSearch(None) for _ in range(2)]
    classes[0].states = [(0.1, None, 2), (0.4, 9, 3), (0.9, 7, 7)]
    classes[1].states = [(0.2, 5, 1), (0.5, 5, 1), (0.8, 5, 5)]
    told = [(one.seconds, one.cost, one.lower_bound) for one in remote.history(classes)]
    assert told == [(0.1, None, 2), (0.2, None, 3), (0.4, 14, 4), (0.8, 14, 8), (0.9, 12, 12)]


def test_the_time_limit_holds_with_more_classes_than_workers(somewhere):
    X, y = noisy(2000, 40, 5)
    start = time.monotonic()
    clf = DecisionSetClassifier(regularization=0.002, n_jobs=2, time_limit=3).fit(X, y)
    assert time.monotonic() - start < 6
    assert (clf.status_, clf.stop_reason_) == ("feasible", "time")
    assert 0 <= clf.lower_bound_ < clf.cost_


def test_classes_still_open_get_the_time_that_the_others_leave(somewhere, monkeypatch):
    given = []
    search = remote.search_class

    def noted(errand):
        given.append(errand.seconds)
        return search(errand)

    monkeypatch.setattr(remote, "search_class", noted)
    X, y = noisy(600)
    X["easy"] = y == 3
    y = np.where(np.arange(600) % 3 == 0, "a", np.where(np.arange(600) % 3 == 1, "b", y.astype(str)))
    DecisionSetClassifier(regularization=0.004, n_jobs=2, time_limit=4).fit(X, y)
    first = len(np.unique(y))
    assert len(set(given[:first])) == 1
    assert given[first:], "none was searched again"
    assert min(given[first:]) > given[0]


def test_workers_that_do_not_answer_in_time_are_not_waited_for(somewhere, monkeypatch):
    monkeypatch.setattr(workers, "PATIENCE", 0.2)
    monkeypatch.setattr(remote, "search_class", lambda errand: time.sleep(4))
    X, y = noisy(600)
    start = time.monotonic()
    clf = DecisionSetClassifier(n_jobs=2, time_limit=0.5, regularization=0.005).fit(X, y)
    assert time.monotonic() - start < 3
    assert clf.stop_reason_ == "time"
    assert clf.lower_bound_ <= clf.cost_


def test_a_worker_without_memory_ends_the_search_with_what_is_known(somewhere, monkeypatch):
    from laconic.engines.fronts import remote as remote_front

    X, y = noisy(600)
    search, answer = remote.search_class, remote_front.answer
    told = []

    def full_search(errand):
        told.append(errand.memory)
        return replace(search(replace(errand, seconds=0.2)), out_of_memory=True)

    monkeypatch.setattr(remote, "search_class", full_search)
    monkeypatch.setattr(remote_front, "answer", lambda one: replace(answer(one), out_of_memory=True))
    clf = DecisionSetClassifier(regularization=0.005, n_jobs=2, memory_limit="64GiB").fit(X, y)
    assert (clf.stop_reason_, set(told)) == ("memory", {64 * 2**30})
    assert DecisionSetClassifier(size_budget=9, n_jobs=2).fit(X, y).stop_reason_ == "memory"


def test_a_worker_watches_its_own_memory():
    X, y = noisy(2000, 40)
    table = in_memory(X, y, None, Binarizer()).table
    search = remote.RemoteSearch(ClassTask.of(Problem.of(table, Objective(regularization=0.002)), 0))
    assert remote.search_class(search.worker_task(60, 2**20)).out_of_memory
    assert not remote.search_class(search.worker_task(0.1, None)).out_of_memory


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_keeps_what_has_come(somewhere, monkeypatch):
    search = remote.search_class
    X, y = noisy(600)
    first = (y == 0).sum()

    def slow_but_for_the_first(errand):
        if errand.class_task.rows.table.weights[:, 0].sum() != first:
            time.sleep(3)
            return None
        return search(errand)

    monkeypatch.setattr(remote, "search_class", slow_but_for_the_first)
    clf = DecisionSetClassifier(n_jobs=3, regularization=0.02)
    told = []
    clf.set_params(on_progress=lambda state: told.append(state) or signal.raise_signal(signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        clf.fit(X, y)
    assert clf.stop_reason_ == "interrupt"
    assert told[0].lower_bound <= clf.decision_set_.proof.lower_bound < clf.decision_set_.proof.cost
    assert told[0].lower_bound > 0


def test_certificates_are_made_here_after_a_search_elsewhere(somewhere):
    X, y = load_iris(return_X_y=True)
    clf = DecisionSetClassifier(n_jobs=2, certificate=True).fit(X, y)
    assert len(somewhere) == 3
    assert verify_certificate(clf.certificate_, X, y).lower_bound == clf.decision_set_.proof.lower_bound


def test_a_worker_with_another_version_is_refused():
    with pytest.raises(
        InputError, match=r"a worker has laconic .*, but this process has 0\.0\.0; install the same"
    ):
        workers._answered(abs, (0, 1), "0.0.0")


@contextmanager
def connected(cluster):
    from distributed import Client

    with Client(cluster[0], timeout=60) as client:
        client.wait_for_workers(2, timeout=60)
        with parallel_config(backend="dask"):
            yield client


def tasks_of(client, since, n_awaited=0):
    """Return the workers that did tasks of joblib since some time, one per task (one may be done twice).

    The scheduler may learn of the last tasks a little after the client has their results.
    """
    given_up = time.time() + 10
    while True:
        stream = client.get_task_stream(start=since)
        tasks = {one["key"]: one["worker"] for one in stream if one["key"].startswith("batch_of_")}
        if len(tasks) >= n_awaited or time.time() > given_up:
            return list(tasks.values())
        time.sleep(0.05)


@pytest.mark.parametrize(
    "model",
    [
        DecisionSetClassifier(regularization=0.01),
        DecisionSetPath(max_size=8),
        DecisionSetPath("size", max_size=4),
    ],
    ids=["classes", "lambdas", "sizes"],
)
def test_both_workers_of_a_real_cluster_work_on_one_model(cluster, model):
    X, y = noisy(300, 12)
    with connected(cluster) as client:
        here = clone(model).set_params(n_jobs=1).fit(X, y)
        client.get_task_stream()  # from here on
        since = time.time()
        away = clone(model).fit(X, y)
        workers = tasks_of(client, since)
    assert len(workers) >= 3
    assert len(set(workers)) == 2
    if isinstance(model, DecisionSetPath):
        assert fronts_agree(away, here)
    else:
        assert away.decision_set_.to_json() == here.decision_set_.to_json()


def test_folds_on_workers_do_not_spread_again_unless_asked(cluster):
    X, y = load_iris(return_X_y=True)
    expected = cross_val_score(DecisionSetClassifier(), X, y, cv=4).tolist()
    with connected(cluster) as client:
        client.get_task_stream()
        for clf, n_tasks in ((DecisionSetClassifier(), 4), (DecisionSetClassifier(n_jobs=-1), 4 + 4 * 3)):
            since = time.time()
            assert cross_val_score(clf, X, y, cv=4, n_jobs=-1).tolist() == expected
            assert len(tasks_of(client, since, n_tasks)) == n_tasks


ENDLESS = """
import signal
import sys
from distributed import Client
from joblib import parallel_config
from laconic import DecisionSetClassifier
from tests.runtime.test_remote import noisy

signal.signal(signal.SIGINT, signal.default_int_handler)  # off in what is started in the background
with Client(sys.argv[1]), parallel_config(backend="dask"):
    clf = DecisionSetClassifier(regularization=0.001)
    try:
        clf.fit(*noisy(3000, 60))
    except KeyboardInterrupt:
        print(clf.stop_reason_, len(clf.rules_) > 0)
"""


def test_ctrl_c_ends_the_tasks_of_a_search_without_end(cluster):
    from distributed import Client

    command = [sys.executable, "-c", ENDLESS, cluster[0]]
    with Client(cluster[0], timeout=60) as client:
        client.wait_for_workers(2, timeout=60)
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            wait_until(lambda: all(client.processing().values()))
            process.send_signal(signal.SIGINT)
            assert process.communicate(timeout=60)[0] == "interrupt True\n"
        finally:
            process.kill()

        def is_idle(dask_worker):
            return not dask_worker.active_threads

        wait_until(lambda: all(client.run(is_idle).values()))


@pytest.mark.parametrize("model", [DecisionSetClassifier(regularization=0.01), DecisionSetPath(max_size=8)])
def test_the_work_of_a_killed_worker_is_done_again(mortal_cluster, model):
    _, workers = mortal_cluster
    X, y = load_wine(return_X_y=True) if isinstance(model, DecisionSetPath) else noisy(600)
    here = clone(model).fit(X, y)
    with connected(mortal_cluster) as client:
        first = next(
            address for address, one in client.scheduler_info()["workers"].items() if one["name"] == "first"
        )
        killed = []

        def kill():
            wait_until(lambda: any("answered" in key for key in client.processing()[first]))
            killed.extend(client.processing()[first])
            workers[0].send_signal(signal.SIGKILL)
            workers[0].wait()

        killer = threading.Thread(target=kill)
        killer.start()
        away = clone(model).fit(X, y)
        killer.join()
        assert list(client.scheduler_info()["workers"]) != [first]
        assert len(client.scheduler_info()["workers"]) == 1
    assert killed
    if isinstance(model, DecisionSetPath):
        assert fronts_agree(away, here)
    else:
        assert away.decision_set_.to_json() == here.decision_set_.to_json()


def wait_until(is_so, seconds=60):
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)
