from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic import DecisionSet, DecisionSetClassifier
from laconic.data.holdout import held_out_rows
from laconic.runtime.errors import InputError, ModelFileError

X = pd.DataFrame({"age": [21, 35, 54, 70, 33, 48], "colour": ["red", "blue", "red", "blue", "red", "blue"]})
Y = np.array(["no", "yes", "no", "yes", "no", "no"])


@pytest.fixture(scope="module")
def fitted():
    return DecisionSetClassifier(regularization=0.1).fit(X, Y)


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=3, max_size=30),
    weights=st.lists(st.sampled_from([0.5, 1, 2, 3]), min_size=30, max_size=30),
    weighed=st.booleans(),
    every_class=st.booleans(),
)
def test_the_wrong_rows_are_those_that_predict_gets_wrong(rows, weights, weighed, every_class):
    table, labels = np.array(rows, float)[:, :1], np.array(rows)[:, 1]
    if len(set(labels)) < 2:
        return
    given_weights = np.array(weights[: len(rows)]) if weighed else None
    clf = DecisionSetClassifier(regularization=0.05, every_class=every_class)
    model = clf.fit(table, labels, given_weights).decision_set_
    wrong = model.predict(table) != labels
    assert model.mispredicted == (wrong if given_weights is None else given_weights[wrong]).sum()


def test_rows_held_out_are_counted_by_weight(fitted):
    model = fitted.decision_set_
    predicted = model.predict(X)
    labels = predicted.copy()
    labels[:2] = ["maybe", "no" if predicted[1] == "yes" else "yes"]
    counted = model.with_held_out(X, labels, np.array([1, 3, 1, 1, 1, 1]), source="elsewhere").held_out
    assert (counted.rows, counted.wrong, counted.weight) == (6, 4, 8)
    assert counted.accuracy == 0.5
    assert counted.standard_error == pytest.approx(math.sqrt(0.25 / 6))
    assert counted.text == ("wrong on 4 of 8 by weight held out (elsewhere): 50.0 % ± 20.4 % right")
    assert "share" not in counted.to_dict()


def test_what_is_remembered_is_shown_saved_and_read(fitted):
    chosen = DecisionSetClassifier().fit(pd.concat([X] * 20), np.tile(Y, 20))
    model = chosen.decision_set_.with_held_out(X, Y, source="six rows")
    lines = str(model).splitlines()
    assert lines[-4].startswith("Wrong on ")
    assert lines[-3].startswith("Right on ")
    assert "of rows not learned from (cross-validation, 5 folds;" in lines[-3]
    assert lines[-2] == f"Wrong on {model.held_out.text.removeprefix('wrong on ')}."
    assert "held out (&#x27;six rows&#x27;)" in model._repr_html_()
    again = DecisionSet.from_json(model.to_json())
    assert str(again) == str(model)
    assert (again.choice, again.held_out, again.mispredicted) == (
        model.choice,
        model.held_out,
        model.mispredicted,
    )
    assert again.to_json() == model.to_json()
    assert model.choice == chosen.choice_


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda file: file["held_out"].update(wrong=7), "out of range"),
        (lambda file: file["held_out"].update(rows=0), "'rows' is below 1"),
        (lambda file: file["held_out"].update(share=1.0, seed=0, of_rows=9), "share of rows held out"),
        (lambda file: file["held_out"].update(share=0.5, seed=0, of_rows=6), "'of_rows' is below 7"),
        (lambda file: file.update(held_out=[]), "not an object"),
        (lambda file: file.update(mispredicted=7), "more rows are predicted wrongly than there are"),
        (lambda file: file.update(mispredicted=-1), "'mispredicted' is below 0"),
        (lambda file: file.update(choice={}), "'candidates' is missing"),
        (lambda file: file["choice"].update(candidates=[]), "does not name the chosen one"),
        (lambda file: file["choice"]["candidates"][0].update(accuracy=2), "not between 0 and 1"),
        (lambda file: file["choice"]["candidates"][0].update(accuracy=None), "lacks an accuracy"),
        (lambda file: file["choice"]["candidates"][0].update(regularization=0), "out of range"),
        (lambda file: file["choice"]["candidates"].__setitem__(0, 3), "has the wrong type|not an object"),
    ],
)
def test_a_file_that_says_what_cannot_be_is_refused(change, message):
    model = DecisionSetClassifier().fit(pd.concat([X] * 20), np.tile(Y, 20)).decision_set_
    small = DecisionSetClassifier(regularization=0.1).fit(X, Y).decision_set_
    file = json.loads(small.with_held_out(X, Y).to_json())
    file["choice"] = json.loads(model.to_json())["choice"]
    change(file)
    with pytest.raises(ModelFileError, match=message):
        DecisionSet.from_json(json.dumps(file))


@given(
    counts=st.lists(st.integers(1, 12), min_size=1, max_size=5),
    share=st.sampled_from([0.1, 0.2, 0.25, 0.5, 0.9]),
    seed=st.integers(0, 5),
)
def test_every_class_gives_its_share_and_keeps_a_row(counts, share, seed):
    labels = np.repeat(np.arange(len(counts)), counts)
    try:
        out = held_out_rows(labels, share, seed)
    except InputError:
        assert share * len(labels) < len(counts) + 1
        return
    assert (out == held_out_rows(labels, share, seed)).all()
    for label, count in enumerate(counts):
        taken = int(out[labels == label].sum())
        assert taken < count
        assert abs(taken - share * count) <= 1 or taken == count - 1


def test_bad_rows_to_hold_out_are_refused(fitted):
    model = fitted.decision_set_
    with pytest.raises(InputError, match="y has shape"):
        model.with_held_out(X, Y[:2])
    with pytest.raises(InputError, match="no rows held out"):
        model.with_held_out(X.iloc[:0], Y[:0])
    with pytest.raises(InputError, match="weigh 0"):
        model.with_held_out(X, Y, np.zeros(6))
    with pytest.raises(InputError, match="one finite number"):
        model.with_held_out(X, Y, np.full(6, np.nan))
