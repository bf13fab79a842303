"""The ONNX model answers like predict and predict_proba in onnxruntime."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import onnxruntime
import pandas as pd
import pytest
from tests.support.models import loan_set, rule
from tests.support.random_sets import LABELS, random_rows, random_set

from laconic.data.column import Column
from laconic.data.literals import Among, Equals, Missing, Threshold
from laconic.runtime.errors import InputError

N_SETS, N_ROWS = 25, 150


def answers(model, rows):
    """Feed columns as the model asks for them: doubles with NaN, or texts with an empty one for missing."""
    session = onnxruntime.InferenceSession(model.to_onnx(), providers=["CPUExecutionProvider"])
    feeds = {}
    for one in session.get_inputs():
        column = rows[one.name]
        if one.type == "tensor(double)":
            feeds[one.name] = column.astype(object).where(column.notna(), np.nan).to_numpy(np.float64)
        else:
            feeds[one.name] = column.astype(object).where(column.notna(), "").to_numpy(dtype=object)
    return session.run(None, feeds)


def without_empty_text(literal):
    if isinstance(literal, Among):
        return replace(literal, values=tuple(value or "red, or so" for value in literal.values))
    return replace(literal, value="red") if isinstance(literal, Equals) and literal.value == "" else literal


def without_empty_texts(model, rng):
    """Give the empty category, which ONNX keeps for missing values, another name."""
    rules = tuple(
        replace(
            one,
            literals=tuple(without_empty_text(x) for x in one.literals),
        )
        for one in model.rules
    )
    return replace(model, rules=rules)


@pytest.mark.parametrize("labels", LABELS)
def test_the_model_answers_like_predict(labels):
    rng = np.random.default_rng(list(LABELS).index(labels))
    seen, n_asked = set(), 0
    for _ in range(N_SETS):
        model = without_empty_texts(random_set(rng, labels), rng)
        rows = random_rows(rng, N_ROWS)
        rows = rows[rows["colo'ur"] != ""].reset_index(drop=True)
        if not model.used_columns:
            continue
        label, probabilities = answers(model, rows)
        expected = model.predict(rows)
        assert label.tolist() == expected.tolist()
        assert probabilities.tolist() == model.predict_proba(rows).tolist()
        seen.update(expected.tolist())
        n_asked += 1
    assert n_asked > 15
    assert seen == set(LABELS[labels][0])


def test_labels_keep_their_type():
    model = replace(loan_set(), label_dtype="<f4", classes=(0.5, 1.5), default_class=0.5)
    model = replace(model, rules=tuple(replace(one, label=(0.5, 1.5)[one.target]) for one in model.rules))
    rows = pd.DataFrame({"age": [40.0, 60.0], "colour": ["red", "blue"], "income": [1.0, 1.0]})
    label, _ = answers(model, rows)
    assert label.dtype == np.float32
    assert label.tolist() == model.predict(rows).tolist()


def test_columns_may_be_called_like_the_outputs():
    model = loan_set(
        rules=(rule("yes", [Threshold("label", ">", 1.0), Threshold("value_0", "<=", 1.0)], 1, 0, 1),),
        columns=(Column("label", "numeric"), Column("value_0", "numeric")),
    )
    rows = pd.DataFrame({"label": [0.0, 2.0, np.nan], "value_0": [0.0, 0.0, 0.0]})
    label, _ = answers(model, rows)
    assert label.tolist() == model.predict(rows).tolist() == ["no", "yes", "no"]


def bare(literals, columns):
    return loan_set(rules=(rule("yes", literals, 1, 0, 1),), columns=columns)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (loan_set(rules=()), "these rules use no column, .* the class is always 'no'"),
        (
            bare([Equals("c", "=", "")], (Column("c", "category"),)),
            "the empty text is a category of column 'c'",
        ),
        (bare([Missing("")], (Column("", "category"),)), "a column without a name cannot be an ONNX input"),
        (
            bare([Equals("c", "=", "a"), Equals("c", "!=", 1)], (Column("c", "category"),)),
            "column 'c' mixes texts and numbers",
        ),
    ],
)
def test_what_onnx_cannot_say_is_refused(model, message):
    with pytest.raises(InputError, match=message):
        model.to_onnx()


def test_without_the_package_the_next_step_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(InputError, match=r"pip install 'laconic-rules\[onnx\]'"):
        loan_set().to_onnx()
