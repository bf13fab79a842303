"""The same input, seed and version: the same model file, byte for byte, wherever and however it is made."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from laconic import Binarizer, DecisionSetClassifier, DecisionSetPath
from laconic.checking.recheck import recheck
from laconic.data.table import Table
from laconic.engines import registry
from laconic.learning.name_order import NameOrder, _reordered

MODES = {
    "sparse": ["--lambda", "0.02"],
    "every-class": ["--lambda", "0.05", "--every-class"],
    "per-row": ["--lambda", "0.05", "--counting", "per_row"],
    "perfect": ["--objective", "perfect"],
    "min-rules": ["--objective", "min_rules"],
    "sat": ["--objective", "perfect", "--engine", "sat"],
    "maxsat": ["--lambda", "0.1", "--engine", "maxsat"],
    "minrules": ["--objective", "min_rules_then_literals", "--engine", "minrules"],
    "otherwise": ["--lambda", "0.02", "--default", "otherwise"],
}


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    rng = np.random.default_rng(11)
    n = 60
    X = pd.DataFrame(
        {
            "age": rng.integers(18, 80, n),
            "job": rng.choice(["clerk", "driver", "nurse"], n),
            "income": np.round(rng.gamma(2, 900, n), 2),
            "owner": rng.random(n) < 0.5,
        }
    )
    X.loc[rng.random(n) < 0.1, "income"] = np.nan
    X["class"] = np.where((X["age"] > 45) & (X["job"] != "nurse"), "good", "bad")
    path = tmp_path_factory.mktemp("determinism") / "table.csv"
    X.to_csv(path, index=False)
    return path


def digests(table, tmp_path, *, hash_seed, jobs, rows=None):
    """Fit in a process of its own, once per mode; return a digest of every model and certificate file."""
    data = table
    if rows is not None:
        data = tmp_path / "shuffled.csv"
        rows(pd.read_csv(table)).to_csv(data, index=False)
    lines = []
    for name, options in MODES.items():
        jobs_option = ["-j", str(jobs)]
        line = ["fit", str(data), "-t", "class", "--bins", "3", *options, *jobs_option, "-o", f"{name}.json"]
        lines.append(line + ["--certificate", f"{name}.cert"] * (name in {"sparse", "perfect"}))
    code = f"from laconic.cli.main import run; print([run(line) for line in {lines!r}])"
    environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert done.stdout.splitlines()[-1] == str([0] * len(MODES)), done.stderr
    files = [*tmp_path.glob("*.json"), *tmp_path.glob("*.cert")]
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(files)}


def test_model_files_are_the_same_across_processes_hash_seeds_and_threads(table, tmp_path_factory):
    ways = [{"hash_seed": 0, "jobs": 1}, {"hash_seed": 1, "jobs": 1}, {"hash_seed": 2, "jobs": 2}]
    found = [digests(table, tmp_path_factory.mktemp("way"), **way) for way in ways]
    assert len(found[0]) == len(MODES) + 2
    assert found[1] == found[0]
    assert found[2] == found[0]


def test_the_order_of_the_rows_does_not_matter(table, tmp_path):
    frame = pd.read_csv(table)
    shuffled = frame.sample(frac=1, random_state=3)
    texts = [
        DecisionSetClassifier(regularization=0.02)
        .fit(f.drop(columns="class"), f["class"])
        .decision_set_.to_json()
        for f in (frame, shuffled)
    ]
    assert texts[0] == texts[1]


@pytest.mark.parametrize("engine", [name for name in registry.available() if name != "brute"])
def test_fitting_twice_with_one_seed_gives_the_same_file(table, engine):
    frame = pd.read_csv(table)
    objective = {"sat": "perfect", "minrules": "min_rules"}.get(engine, "sparse")

    def fitted():
        clf = DecisionSetClassifier(objective, regularization=0.1, engine=engine, random_state=7)
        return clf.fit(frame.drop(columns="class"), frame["class"]).decision_set_.to_json()

    assert fitted() == fitted()


def frame_with_ties(seed):
    """Return a table with columns that say the same, so that many decision sets are optimal."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(30, 60))
    X = pd.DataFrame(
        {
            "owner": rng.random(n) < 0.5,
            "age": rng.integers(18, 80, n),
            "job": rng.choice(["clerk", "driver", "nurse"], n),
            "kids": rng.integers(0, 4, n),
        }
    )
    X["rents"], X["years"] = ~X["owner"], X["age"] + 1
    if seed % 2:
        X.loc[rng.random(n) < 0.1, "age"] = np.nan
    return X, ((X["years"] > 45).astype(int) + (X["job"] != "nurse") + (rng.random(n) < 0.3)).to_numpy()


def what_is_said(model):
    """Return a decision set without the order of its rules and conditions."""
    rules = {(rule.target, frozenset(map(str, rule.literals))) for rule in model.rules}
    return rules, model.else_class, model.default_class


ORDERED = {
    "sparse": {"regularization": 0.02},
    "every class": {"regularization": 0.03, "every_class": True},
    "otherwise": {"regularization": 0.02, "default": "otherwise"},
    "per row": {"regularization": 0.05, "counting": "per_row"},
    "perfect": {"objective": "perfect"},
    "fewest rules": {"objective": "min_rules"},
    "rules, then literals": {"objective": "min_rules_then_literals"},
    "a largest size": {"size_budget": 5},
    "constraints": {"regularization": 0.05, "constraints": {"max_rules": 3, "forbidden": ["job is clerk"]}},
    "maxsat": {"regularization": 0.1, "engine": "maxsat"},
    "sat": {"objective": "perfect", "engine": "sat"},
}


@pytest.mark.parametrize("name", ORDERED)
def test_the_order_of_the_columns_does_not_matter(name):
    for seed in range(2):
        X, y = frame_with_ties(seed)
        rng = np.random.default_rng(seed)
        orders = [
            list(X.columns),
            sorted(X.columns),
            *(rng.permutation(X.columns).tolist() for _ in range(2)),
        ]
        fits = [
            DecisionSetClassifier(binarizer=Binarizer(bins=3), time_limit=60, **ORDERED[name]).fit(
                X[order], y
            )
            for order in orders
        ]
        assert {fit.status_ for fit in fits} == {"optimal"}
        for order, fit in zip(orders, fits, strict=True):
            assert what_is_said(fit.decision_set_) == what_is_said(fits[0].decision_set_)
            assert (fit.predict(X) == fits[0].predict(X)).all()
            assert recheck(fit.decision_set_, X[order], y) == []
            # Conditions are named in the order of the user's columns all the same.
            columns = [list(dict.fromkeys(one.column for one in rule.literals)) for rule in fit.rules_]
            assert all(named == sorted(named, key=order.index) for named in columns)


def test_nor_does_it_for_fronts_and_near_optimal_sets():
    X, y = frame_with_ties(0)
    found = []
    for order in (list(X.columns), sorted(X.columns, reverse=True)):
        front = DecisionSetPath(max_size=8, binarizer=Binarizer(bins=3)).fit(X[order], y).front_
        clf = DecisionSetClassifier(regularization=0.05, binarizer=Binarizer(bins=3)).fit(X[order], y)
        near = clf.near_optimal_sets(within=1)
        assert near.complete
        found.append([[what_is_said(model) for model in models] for models in (front.models, near.models)])
    assert found[0] == found[1]


def test_nor_does_it_for_new_rows():
    X, y = frame_with_ties(0)
    found = []
    for order in (list(X.columns), sorted(X.columns, reverse=True)):
        clf = DecisionSetClassifier("perfect", binarizer=Binarizer(bins=3))
        clf.partial_fit(X[order][:20], y[:20], classes=[0, 1, 2, 3]).partial_fit(X[order][20:], y[20:])
        found.append(what_is_said(clf.decision_set_))
    assert found[0] == found[1]


def test_columns_without_names_keep_their_order():
    X, y = frame_with_ties(0)
    array = X[["age", "kids", "years"]].to_numpy(float)
    wide = np.column_stack([array] * 4)  # x10 would come before x2
    training = DecisionSetClassifier(regularization=0.05).fit(wide, y).training_table_
    assert NameOrder.of(training).training is training


@pytest.mark.parametrize("n_rows", [1, 7, 64, 65, 1000])
def test_a_table_in_name_order_is_the_table_of_the_ordered_columns(n_rows, monkeypatch):
    monkeypatch.setattr("laconic.learning.name_order._BLOCK_WORDS", 1)
    monkeypatch.setattr("laconic.learning.name_order._CELLS", 2000)
    rng = np.random.default_rng(n_rows)
    features, labels = rng.integers(0, 2, (n_rows, 70)), rng.integers(0, 3, n_rows)
    order = rng.permutation(70)
    moved = _reordered(Table.from_arrays(features, labels, n_classes=3), order)
    expected = Table.from_arrays(features[:, order], labels, n_classes=3)
    for name in ("bits", "weights", "allowed", "samples"):
        assert (getattr(moved, name) == getattr(expected, name)).all()
