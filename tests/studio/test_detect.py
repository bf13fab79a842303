"""What the page says about columns that rules should probably not use."""

from __future__ import annotations

import numpy as np
import pandas as pd

from laconic.studio.detect import remarks
from laconic.studio.opened import EXAMPLES, open_example


def test_identifiers_dates_constants_and_the_label_in_disguise_are_found():
    rng = np.random.default_rng(0)
    n = 200
    label = np.where(rng.random(n) < 0.5, "yes", "no")
    frame = pd.DataFrame(
        {
            "row": range(n),
            "name": [f"person {k}" for k in range(n)],
            "day": [f"2024-{1 + k % 12:02d}-{1 + k % 28:02d}" for k in range(n)],
            "same": 3,
            "nothing": [None] * n,
            "answer": np.where(label == "yes", "approved", "declined"),
            "score": np.where(label == "yes", 1.0, 0.0) + rng.random(n) / 10,
            "age": rng.integers(18, 90, n),
            "label": label,
        }
    )
    found = {name: {one["finding"] for one in said} for name, said in remarks(frame, "label").items()}
    assert found == {
        "row": {"identifier"},
        "name": {"identifier"},
        "day": {"date"},
        "same": {"constant"},
        "nothing": {"empty"},
        "answer": {"leak"},
        "score": {"leak"},
    }


def test_the_examples_open_with_their_labels(tmp_path):
    for name, (_, label) in EXAMPLES.items():
        opened = open_example(name, tmp_path)
        profile = opened.profile(opened.guessed_target())
        assert profile["target"] == label
        assert len(profile["classes"]) >= 2
