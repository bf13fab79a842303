"""Nothing that a model file shows or does can be changed in one place without `recheck` noticing."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from tests.support.checking.mutations import mutations

from laconic import DecisionSetClassifier
from laconic.checking.recheck import recheck
from laconic.cli.summary import proof_text, summary
from laconic.model.document import from_document
from laconic.runtime.errors import InputError

X = pd.DataFrame(
    {
        "age": [25, 61, 43, 38, 57, 22, 50, 49],
        "job": ["clerk", "clerk", None, "driver", "driver", "clerk", "driver", None],
        "owner": [True, False, True, True, False, True, False, True],
    }
)
Y = np.array(["bad", "good", "good", "bad", "good", "bad", "bad", "good"])
WEIGHTS = [1, 2, 0.5, 1, 1, 1, 1, 1]
NEW = pd.DataFrame(
    {"age": [20, 41, 70, 41], "job": ["cook", None, "clerk", "driver"], "owner": [True, False] * 2}
)
UNCHECKED = {"engine", "version"}
"""Who searched, for which there is the engine's word only; both are single words, and no sentences."""


def told(model):
    """All that commands show of a model, and what it predicts."""
    facts = {key: value for key, value in summary(model).items() if key not in UNCHECKED}
    facts["columns_used"] = sorted(facts["columns_used"])  # names decide, and not their order
    proof = proof_text(model).rpartition("\n")[0]
    shown = model.to_frame().to_csv(), model.notes
    return (
        str(model),
        proof,
        json.dumps(facts),
        shown,
        model.predict(NEW).tolist(),
        model.predict_proba(NEW).tolist(),
    )


@pytest.mark.parametrize(
    "settings",
    [
        {"regularization": 0.05},
        {"objective": "perfect"},
        {"regularization": 0.3, "every_class": True},
        {"regularization": 0.05, "counting": "per_row"},
        {"size_budget": 3},
        {"regularization": 0.05, "default": "otherwise"},
        {"size_budget": 3, "default": "otherwise"},
    ],
    ids=str,
)
def test_an_edited_model_that_stands_says_and_predicts_the_same(settings):
    model = DecisionSetClassifier(**settings).fit(X, Y, WEIGHTS).decision_set_
    before, document = told(model), json.loads(model.to_json())
    n_refused = n_noticed = n_same = 0
    for path, changed in mutations(document):
        try:
            edited = from_document(changed)
            found = recheck(edited, X, Y, WEIGHTS)
        except InputError:
            n_refused += 1
            continue
        if found:
            assert all(found)
            n_noticed += 1
            continue
        assert told(edited) == before, path
        n_same += 1
    assert n_refused > 700
    assert n_noticed > 50
    assert n_same < 150
