from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.datasets import load_iris

from laconic import DecisionSetClassifier, load_model, save_model
from laconic.model.decision_set import DecisionSet
from laconic.runtime.errors import ModelFileError


@pytest.fixture(scope="module")
def fitted():
    data = load_iris(as_frame=True)
    return DecisionSetClassifier().fit(data.data, data.target_names[data.target])


def test_a_history_is_saved_on_request_and_read_back_to_the_millisecond(fitted, tmp_path):
    save_model(fitted, tmp_path / "with.json", history=True)
    save_model(fitted, tmp_path / "without.json")
    kept = load_model(tmp_path / "with.json").history
    assert [(one.cost, one.lower_bound, one.note) for one in kept] == [
        (one.cost, one.lower_bound, one.note) for one in fitted.history_
    ]
    assert np.allclose([one.seconds for one in kept], [one.seconds for one in fitted.history_], atol=5e-4)
    assert load_model(tmp_path / "without.json").history == ()
    assert load_model(tmp_path / "with.json") == load_model(tmp_path / "without.json")


@pytest.mark.parametrize(
    "history",
    [
        {},
        [1],
        [[0.1, 5, 3]],
        [[-0.1, 5, 3, ""]],
        [[0.1, 5.5, 3, ""]],
        [[0.1, True, 0, ""]],
        [[0.1, 5, 6, ""]],
        [[0.1, 5, 3, None]],
        [[0.1, 5, 3, ""], [0.2, 6, 3, ""]],
        [[0.1, 5, 3, ""], [0.2, None, 3, ""]],
        [[0.1, 5, 3, ""], [0.2, 5, 2, ""]],
        [[0.2, 5, 3, ""], [0.1, 5, 3, ""]],
    ],
    ids=str,
)
def test_a_damaged_history_is_refused(fitted, history):
    document = json.loads(fitted.decision_set_.to_json())
    with pytest.raises(ModelFileError, match="damaged"):
        DecisionSet.from_json(json.dumps({**document, "history": history}))


def test_a_search_that_starts_with_nothing_in_hand_is_read(fitted):
    document = json.loads(fitted.decision_set_.to_json())
    cost = document["proof"]["cost"]
    history = [[0, None, 1, "a"], [1, cost, cost, ""]]
    model = DecisionSet.from_json(json.dumps({**document, "history": history}))
    assert [one.cost for one in model.history] == [None, cost]


@pytest.mark.parametrize("change", [(-1, -1), (0, 1), (-1, 0)])
def test_a_history_that_knows_better_than_the_proof_is_refused(fitted, change):
    document = json.loads(fitted.decision_set_.to_json())
    proof = document["proof"]
    state = [0.5, proof["cost"] + change[0], proof["lower_bound"] + change[1], ""]
    with pytest.raises(ModelFileError, match="damaged"):
        DecisionSet.from_json(json.dumps({**document, "history": [state]}))
