"""Small tables on disk, and methods whose drivers are written by the test."""

import sys

import numpy as np
import pandas as pd
import pytest

from benchmarks.accuracy import methods
from benchmarks.accuracy.methods import Method
from benchmarks.accuracy.tables import Tables


@pytest.fixture
def folder(tmp_path):
    """A directory with one table of forty rows: numbers, texts, and missing cells of both."""
    place = tmp_path / "tables"
    place.mkdir()
    row = np.arange(40)
    frame = pd.DataFrame(
        {
            "number": np.where(row % 10 == 0, np.nan, row / 2),
            "colour": np.where(row % 8 == 0, None, np.where(row % 2 == 0, "red", "blue")),
            "class": np.where(row % 4 == 0, "rare", "often"),
        }
    )
    frame.to_csv(place / "small.csv", index=False)
    return place


@pytest.fixture
def tables(folder):
    return Tables(folder)


@pytest.fixture
def method(tmp_path, monkeypatch):
    """Make a method of the text of its driver."""
    monkeypatch.setattr(methods, "_DRIVERS", tmp_path)

    def make(text, **how):
        (tmp_path / "scripted.py").write_text(text)
        return Method("scripted", "scripted", "tree", "scripted", "for tests", (), **how)

    assert sys.executable in make("").command
    return make
