"""A small table, its session, and a server for them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from laconic.studio.desk import Desk
from laconic.studio.opened import open_file
from laconic.studio.serve import in_background, served
from laconic.studio.session import Session

SETTINGS = {"target": "risk"}
LAMBDA = 0.01


def loans(n=160, seed=5):
    """Ages, incomes, jobs with a missing value here and there, and a risk that they explain, nearly."""
    rng = np.random.default_rng(seed)
    age, income = rng.integers(19, 80, n), rng.integers(10, 90, n) * 100.0
    job = rng.choice(["clerk", "nurse", "farmer"], n)
    bad = ((age <= 45) & (income <= 5000)) | ((job == "farmer") & (income <= 7000))
    bad ^= rng.random(n) < 0.03
    return pd.DataFrame(
        {
            "age": age,
            "income": np.where(rng.random(n) < 0.05, np.nan, income),
            "job": job,
            "risk": np.where(bad, "bad", "good"),
        }
    )


@pytest.fixture
def file(tmp_path):
    place = tmp_path / "loans.csv"
    loans().to_csv(place, index=False)
    return place


@pytest.fixture
def session(file):
    one = Session(open_file(file))
    yield one
    one.close()


def learned(session, regularization=LAMBDA):
    """Learn at a λ and return the rules."""
    step = session.do(None, {"kind": "learn", "settings": SETTINGS, "regularization": regularization})
    return session.wait(step.number)


def rule_of(view):
    """A rule as the page sends it."""
    literals = [{k: v for k, v in one.items() if k != "text"} for one in view["literals"]]
    return {"label": view["label"], "literals": literals}


def opine(session, parent, **opinion):
    step = session.do(parent, {"kind": "opine", "opinion": opinion})
    return step, session.wait(step.number)


@pytest.fixture
def server(tmp_path):
    with in_background(served(Desk(tmp_path / "uploads"), most_upload=200_000)) as running:
        yield running
