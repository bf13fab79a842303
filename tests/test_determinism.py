"""The same input, seed and version: the same model file, byte for byte, wherever and however it is made."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from laconic import DecisionSetClassifier
from laconic.engines import registry

MODES = {
    "sparse": ["--lambda", "0.02"],
    "every-class": ["--lambda", "0.05", "--every-class"],
    "per-row": ["--lambda", "0.05", "--counting", "per_row"],
    "perfect": ["--objective", "perfect"],
    "min-rules": ["--objective", "min_rules"],
    "sat": ["--objective", "perfect", "--engine", "sat"],
    "maxsat": ["--lambda", "0.1", "--engine", "maxsat"],
    "minrules": ["--objective", "min_rules_then_literals", "--engine", "minrules"],
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
