"""Groups of categories on the command line: fit, predict, explain, verify and the exports."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest


@pytest.fixture
def jobs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"job": rng.choice(["clerk", "cook", "judge", "nurse", "smith"], 200)})
    X["age"] = rng.integers(20, 60, len(X))
    X["label"] = np.where(X["job"].isin(["clerk", "nurse"]) & (X["age"] > 30), "yes", "no")
    X.to_csv("jobs.csv", index=False)
    return X


def test_groups_go_through_every_command(jobs, laconic):
    fitted = laconic(
        "fit", "jobs.csv", "--lambda", 0.01, "--max-members", 2, "-o", "model.json", "--certificate", "c.json"
    )
    assert fitted.code == 0
    assert "job in {clerk, nurse}" in fitted.out
    Path("new.csv").write_text("job,age\nnurse,50\npoet,50\n,50\n")
    predicted = laconic("predict", "model.json", "new.csv")
    assert predicted.code == 0
    assert laconic("explain", "model.json", "new.csv").code == 0
    verified = laconic("verify", "model.json", "jobs.csv", "--certificate", "c.json")
    assert verified.code == 0, verified.err
    for target in ("sql", "python"):
        exported = laconic("export", "model.json", "--to", target)
        assert exported.code == 0
        assert "nurse" in exported.out
    assert laconic("report", "model.json", "jobs.csv", "-o", "report.html").code == 0


def test_a_group_has_at_least_one_member(jobs, laconic):
    result = laconic("fit", "jobs.csv", "--max-members", 0)
    assert (result.code, result.out) == (2, "")
    assert result.err == "laconic: --max-members must be between 1 and 20, not 0\n"


def test_constraints_know_groups(jobs, laconic):
    result = laconic(
        "fit", "jobs.csv", "--lambda", 0.01, "--max-members", 2, "--forbid", "job in {clerk, nurse}", "--json"
    )
    assert result.code == 0, result.err
    used = [one for rule in json.loads(result.out)["rules"] for one in rule["conditions"]]
    assert used
    assert all(one.get("text") != "job in {clerk, nurse}" for one in used)
