"""A random user of the API: any call in any order, and what must hold after each.

Hypothesis draws the calls and, when one fails, finds the shortest list of them that still does.
"""

# ruff: noqa: PT017
from __future__ import annotations

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from laconic import DecisionSet, DecisionSetClassifier, verify_certificate
from laconic.checking.recheck import recheck
from laconic.engines import registry
from laconic.learning.learn import Objective
from laconic.problem.objective import Counting, Kind, Problem
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError

STEPS = {"taken": 0}

SETTINGS = st.sampled_from(
    [
        {"objective": "sparse", "regularization": 0.05, "counting": "per_class", "every_class": False},
        {"objective": "sparse", "regularization": 0.2, "counting": "per_class", "every_class": True},
        {"objective": "sparse", "regularization": 0.1, "counting": "per_row", "every_class": False},
        {"objective": "perfect", "counting": "per_class", "every_class": False},
        {"objective": "min_rules", "counting": "per_class", "every_class": False},
        {"objective": "min_rules_then_literals", "counting": "per_class", "every_class": False},
    ]
)
ENGINES = {
    "sparse": ("exact", "maxsat", "brute"),
    "perfect": ("exact", "sat", "maxsat", "brute"),
    "min_rules": ("exact", "minrules", "brute"),
    "min_rules_then_literals": ("exact", "minrules"),
}
SEEDS = st.integers(0, 50)


def data(seed, n_rows=10):
    """A small table of numbers, texts and missing values; few enough distinct rows for the oracle."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "x": rng.integers(0, 3, n_rows).astype(float),
            "job": rng.choice(["a", "b"], n_rows),
            "flag": rng.random(n_rows) < 0.5,
        }
    )
    if seed % 3 == 0:
        X.loc[rng.integers(n_rows), "x"] = np.nan
    y = np.where(rng.random(n_rows) < 0.2, "no", np.where(X["x"] > 1, "yes", "no"))
    y[:2] = ["no", "yes"]
    weight = rng.integers(0, 4, n_rows) if seed % 4 == 0 else None
    if weight is not None:
        weight[:2] = 1
    return X, y, weight


class User(RuleBasedStateMachine):
    """One classifier, and what is known of it."""

    @initialize()
    def start(self):
        self.clf = DecisionSetClassifier()
        self.rows = None  # all rows that the fitted classifier has seen
        self.text = None  # the file of the fitted model

    def _took(self, rows):
        self.rows = rows
        self.text = self.clf.decision_set_.to_json()

    def _frozen(self):
        """The classifier's model must be as it was."""
        if self.text is None:
            assert not hasattr(self.clf, "decision_set_")
        else:
            assert self.clf.decision_set_.to_json() == self.text

    @rule(
        settings=SETTINGS,
        engine=st.integers(0, 3),
        jobs=st.sampled_from([None, 1, 2, -1]),
        certificate=st.booleans(),
    )
    def set_params(self, settings, engine, jobs, certificate):
        able = ENGINES[settings["objective"]]
        if settings["counting"] == "per_row" or settings["every_class"]:
            able = ("exact", "maxsat")
        self.clf.set_params(**settings, engine=able[engine % len(able)], n_jobs=jobs, certificate=certificate)
        self.clf.set_params(time_limit=None)
        self._frozen()

    @rule(seed=SEEDS)
    def fit(self, seed):
        X, y, weight = data(seed)
        try:
            assert self.clf.fit(X, y, sample_weight=weight) is self.clf
        except InputError as error:
            assert "engine 'brute' takes at most" in str(error)
            self._frozen()
            return
        self._took((X, y, weight))
        assert self.clf.optimal_
        assert self.clf.stop_reason_ == "proved"

    @rule(seed=SEEDS, after=st.integers(1, 3))
    def fit_until_interrupted(self, seed, after):
        X, y, weight = data(seed)
        seen = []

        def press(state):
            seen.append(state)
            if len(seen) == after:
                raise KeyboardInterrupt

        interrupted = clone(self.clf).set_params(on_progress=press, n_jobs=None, certificate=False)
        if interrupted.engine == "brute":
            return
        try:
            interrupted.fit(X, y, sample_weight=weight)
        except KeyboardInterrupt:
            if hasattr(interrupted, "stop_reason_"):
                assert interrupted.stop_reason_ in {"interrupt", "proved"}
                assert interrupted.lower_bound_ <= interrupted.cost_
                assert recheck(interrupted.decision_set_, X, y, weight) == []
        self._frozen()

    @rule(seed=SEEDS, seconds=st.sampled_from([1e-9, 1e-4, 0.01]))
    def fit_in_no_time(self, seed, seconds):
        X, y, weight = data(seed)
        hurried = clone(self.clf).set_params(time_limit=seconds)
        if hurried.engine == "brute":
            return
        hurried.fit(X, y, sample_weight=weight)
        assert hurried.stop_reason_ in {"time", "proved"}
        assert recheck(hurried.decision_set_, X, y, weight) == []

    @precondition(lambda self: self.rows is not None)
    @rule(seed=SEEDS)
    def partial_fit(self, seed):
        X, y, weight = data(seed, 4)
        try:
            self.clf.partial_fit(X, y, sample_weight=weight)
        except InputError as error:
            said = ("engine 'brute' takes at most", "fit again on all rows", "these are not the rows")
            assert any(one in str(error) for one in said), error
            self._frozen()
            return
        old_X, old_y, old_weight = self.rows
        both = [np.ones(len(a)) if w is None else w for a, w in ((old_y, old_weight), (y, weight))]
        self._took((pd.concat([old_X, X], ignore_index=True), np.append(old_y, y), np.concatenate(both)))
        assert self.clf.optimal_

    @rule(seed=SEEDS)
    def ask(self, seed):
        X, y, _ = data(seed, 6)
        try:
            answers = self.clf.predict(X)
        except NotFittedError:
            assert self.text is None
            return
        assert set(answers) <= set(self.clf.classes_)
        assert np.allclose(self.clf.predict_proba(X).sum(axis=1), 1)
        assert len(self.clf.explain(X)) == 6
        assert self.clf.covers(X).shape == (6, len(self.clf.rules_))
        assert 0 <= self.clf.strict_score(X, y) <= 1
        assert DecisionSet.from_json(self.text).predict(X).tolist() == answers.tolist()
        self._frozen()

    @rule(how=st.sampled_from(["pickle", "deepcopy"]))
    def copy(self, how):
        self.clf = pickle.loads(pickle.dumps(self.clf)) if how == "pickle" else copy.deepcopy(self.clf)
        self._frozen()

    @rule()
    def clone(self):
        other = clone(self.clf)
        assert not hasattr(other, "decision_set_")
        assert other.get_params()["objective"] == self.clf.objective

    @rule(seeds=st.lists(SEEDS, min_size=2, max_size=3))
    def fit_in_threads(self, seeds):
        copies = [clone(self.clf) for _ in seeds]
        if self.clf.engine == "brute":
            return

        def work(job):
            other, seed = job
            X, y, weight = data(seed)
            return other.fit(X, y, sample_weight=weight).decision_set_.to_json()

        with ThreadPoolExecutor(len(seeds)) as pool:
            together = list(pool.map(work, zip(copies, seeds, strict=True)))
        assert together == [work((clone(self.clf), seed)) for seed in seeds]

    @rule(bad=st.sampled_from(["labels", "shape", "infinity", "one class", "weights", "names"]))
    def fit_nonsense(self, bad):
        X, y, weight = data(1)
        if bad == "labels":
            y = y.astype(object)
            y[3] = None
        elif bad == "shape":
            y = y[:-1]
        elif bad == "infinity":
            X.loc[2, "x"] = np.inf
        elif bad == "one class":
            y[:] = "no"
        elif bad == "weights":
            weight = -np.ones(len(y))
        else:
            X = X.set_axis(["x", "x", "flag"], axis=1)
        try:
            self.clf.fit(X, y, sample_weight=weight)
        except InputError as error:
            assert len(str(error)) > 20
        else:
            raise AssertionError(f"took {bad}")
        self._frozen()

    @precondition(lambda self: hasattr(self.clf, "certificate_"))
    @rule()
    def verify(self):
        verdict = verify_certificate(self.clf.certificate_, *self.rows)
        assert verdict.holds, verdict.problem
        assert verdict.optimal or self.clf.objective != "sparse" or self.clf.counting == "per_row"

    @invariant()
    def what_is_said_is_true(self):
        STEPS["taken"] += 1
        if getattr(self, "text", None) is None:
            return
        clf = self.clf
        assert clf.lower_bound_ <= clf.cost_
        assert clf.optimal_ == (clf.lower_bound_ == clf.cost_)
        assert recheck(clf.decision_set_, *self.rows) == []
        proof, table = clf.decision_set_.proof, clf.training_table_.table
        if proof.optimal and table.n_rows <= 12 and table.n_features <= 5 and STEPS["taken"] % 4 == 0:
            goal = Objective(
                Kind(proof.objective),
                proof.regularization or 0.05,
                Counting(proof.counting),
                proof.every_class,
            )
            problem = Problem.of(table, goal)
            if problem.separable:
                assert registry.get("brute")(problem, budget=Budget()).cost == proof.cost
