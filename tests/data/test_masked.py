"""Masked arrays of numpy: what is masked is missing, in labels and weights it is refused."""

from __future__ import annotations

import numpy as np
import pytest

from laconic import Binarizer, DecisionSetClassifier, DecisionSetPath
from laconic.runtime.errors import InputError

RNG = np.random.default_rng(3)
CELLS = RNG.integers(0, 40, (60, 3))
MASK = RNG.random(CELLS.shape) < 0.2
LABELS = (CELLS[:, 0] > 20).astype(int)
PLAIN = np.where(MASK, np.nan, CELLS)


def settings():
    return DecisionSetClassifier("perfect", binarizer=Binarizer("midpoints"))


@pytest.mark.parametrize("dtype", [np.int64, np.uint8, np.float32, np.float64, object])
def test_masked_cells_are_missing_in_fit_and_in_predict(dtype):
    masked = np.ma.array(CELLS.astype(dtype), mask=MASK)
    expected = settings().fit(PLAIN, LABELS)
    found = settings().fit(masked, LABELS)
    assert found.decision_set_.to_json() == expected.decision_set_.to_json()
    assert "x0 is missing" in found.binarizer_.get_feature_names_out()
    assert (found.predict(masked) == expected.predict(PLAIN)).all()
    assert (found.predict_proba(masked) == expected.predict_proba(PLAIN)).all()
    assert found.explain(masked).to_text() == expected.explain(PLAIN).to_text()
    assert (found.binarizer_.transform(masked) == expected.binarizer_.transform(PLAIN)).all()


def test_what_lies_under_a_mask_says_nothing():
    hidden = CELLS.copy()
    hidden[MASK] = 10**6
    one, other = (np.ma.array(cells, mask=MASK) for cells in (CELLS, hidden))
    assert settings().fit(one, LABELS).decision_set_ == settings().fit(other, LABELS).decision_set_


def test_truth_values_and_rows_in_a_list_keep_their_masks():
    flags = np.ma.array(CELLS > 20, mask=MASK)
    expected = settings().fit(np.where(MASK, None, CELLS > 20), LABELS).decision_set_
    assert settings().fit(flags, LABELS).decision_set_ == expected
    rows = list(np.ma.array(CELLS, mask=MASK))
    assert settings().fit(rows, LABELS).decision_set_ == settings().fit(PLAIN, LABELS).decision_set_


def test_a_masked_array_without_masked_cells_is_an_array():
    expected = settings().fit(CELLS, LABELS).decision_set_.to_json()
    assert settings().fit(np.ma.array(CELLS), np.ma.array(LABELS)).decision_set_.to_json() == expected


@pytest.mark.parametrize("make", [settings, DecisionSetPath])
def test_masked_labels_and_weights_are_refused(make):
    some = np.zeros(60, bool)
    some[7] = True
    with pytest.raises(InputError, match="the label of row 7 is masked; leave that row out"):
        make().fit(CELLS, np.ma.array(LABELS, mask=some))
    with pytest.raises(InputError, match="sample_weight of row 7 is masked; leave that row out"):
        make().fit(CELLS, LABELS, np.ma.array(np.ones(60), mask=some))


def test_masked_labels_and_weights_are_refused_when_a_model_is_measured():
    some = np.arange(60) == 7
    model = settings().fit(CELLS, LABELS).decision_set_
    for measure in (model.strict_score, model.rule_statistics):
        with pytest.raises(InputError, match="the label of row 7 is masked"):
            measure(CELLS, np.ma.array(LABELS, mask=some))
        with pytest.raises(InputError, match="sample_weight of row 7 is masked"):
            measure(CELLS, LABELS, np.ma.array(np.ones(60), mask=some))
