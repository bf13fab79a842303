"""Weights as people have them: any floats, wherever weights can be given."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from sklearn.utils.class_weight import compute_class_weight, compute_sample_weight

from laconic import (
    DecisionSetClassifier,
    DecisionSetPath,
    TrainingTable,
    load_model,
    save_model,
    verify_certificate,
)
from laconic.checking.recheck import recheck

RNG = np.random.default_rng(7)
N = 150


@pytest.fixture(scope="module")
def rows():
    frame = pd.DataFrame(
        {
            "age": RNG.integers(18, 80, N),
            "income": RNG.normal(3, 1, N).round(1),
            "colour": RNG.choice(["red", "blue", "green"], N),
        }
    )
    score = (frame["age"] > 50).astype(int) + ((frame["colour"] == "red") & (frame["income"] > 3))
    return frame, np.where(RNG.random(N) < 0.1, 2, score)


WEIGHTS = {
    "random": lambda y: RNG.random(N),
    "balanced": lambda y: compute_sample_weight("balanced", y),
    "survey": lambda y: np.where(y == 0, 0.1 + 0.2, RNG.choice([0.1, 0.2, 0.7], N)),
    "nine orders either way": lambda y: 10 ** RNG.uniform(-9, 9, N),
    "huge": lambda y: 1e300 * RNG.random(N),
    "tiny": lambda y: 1e-300 * RNG.random(N),
    "some zero": lambda y: RNG.random(N) * RNG.integers(0, 2, N),
}


@pytest.mark.parametrize("kind", WEIGHTS)
def test_any_weights_give_a_proved_set_whose_facts_are_recounted(kind, rows, tmp_path):
    X, y = rows
    weights = WEIGHTS[kind](y)
    clf = DecisionSetClassifier(regularization=0.02, certificate=True).fit(X, y, sample_weight=weights)
    assert clf.optimal_
    M = Fraction(clf.training_table_.table.total_weight) / clf.weight_scale_
    assert float(M) == pytest.approx(weights.sum(), rel=1e-6)
    save_model(clf.decision_set_, tmp_path / "model.json")
    model = load_model(tmp_path / "model.json")
    assert recheck(model, X, y, weights) == []
    verdict = verify_certificate(clf.certificate_, X, y, sample_weight=weights, model=model)
    assert verdict.holds, verdict


def test_weights_of_three_digits_have_certificates_of_their_optimum(rows):
    X, y = rows
    weights = np.round(RNG.random(N), 3)
    clf = DecisionSetClassifier(regularization=0.02, certificate=True).fit(X, y, sample_weight=weights)
    assert verify_certificate(clf.certificate_, X, y, sample_weight=weights).optimal


def test_rounding_is_said_by_the_model_and_its_file(rows, tmp_path):
    X, y = rows
    clf = DecisionSetClassifier(regularization=0.02).fit(X, y, sample_weight=RNG.random(N))
    (note,) = clf.decision_set_.notes
    assert re.fullmatch(r"sample weights are rounded to multiples of 1e-08, each by at most .* sum", note)
    save_model(clf.decision_set_, tmp_path / "model.json")
    assert load_model(tmp_path / "model.json").notes == (note,)
    assert json.loads((tmp_path / "model.json").read_text())["notes"] == [note]


def test_rows_rounded_to_zero_are_named_and_left_out(rows):
    X, y = rows
    weights = np.where(np.arange(N) < 5, 1e-12, 1e6)
    clf = DecisionSetClassifier(regularization=0.02).fit(X, y, sample_weight=weights)
    assert clf.decision_set_.notes[0].startswith("the sample weights of 5 rows, together ")
    assert clf.training_table_.table.n_samples == N - 5


@pytest.mark.parametrize("kind", ["random", "balanced", "nine orders either way"])
def test_files_and_memory_give_the_same_table(kind, rows, tmp_path):
    X, y = rows
    weights = WEIGHTS[kind](y)
    path = tmp_path / "rows.parquet"
    X.assign(label=y, weight=weights).to_parquet(path)
    files = TrainingTable.from_files(path, "label", weight_column="weight")
    memory = DecisionSetClassifier(regularization=0.02).fit(X, y, sample_weight=weights).training_table_
    assert files.table.scale == memory.table.scale
    assert (files.table.weights == memory.table.weights).all()
    assert files.notes == memory.notes


def test_clusters_and_memory_give_the_same_table(rows):
    dd = pytest.importorskip("dask.dataframe")
    X, y = rows
    weights = RNG.random(N)
    frame = dd.from_pandas(X.assign(label=y, weight=weights), npartitions=3)
    cluster = DecisionSetClassifier(regularization=0.02).fit(frame, "label", sample_weight="weight")
    memory = DecisionSetClassifier(regularization=0.02).fit(X, y, sample_weight=weights)
    assert str(cluster.decision_set_) == str(memory.decision_set_)
    assert cluster.weight_scale_ == memory.weight_scale_
    assert cluster.decision_set_.notes == memory.decision_set_.notes


@pytest.mark.parametrize("first", ["ones", "random"])
def test_rows_that_are_added_keep_the_scale_and_the_model_stands(first, rows, tmp_path):
    X, y = rows
    weights = np.concatenate([np.ones(100) if first == "ones" else RNG.random(100), RNG.random(N - 100)])
    clf = DecisionSetClassifier(regularization=0.02)
    clf.partial_fit(X[:100], y[:100], classes=[0, 1, 2], sample_weight=weights[:100])
    clf.partial_fit(X[100:], y[100:], sample_weight=weights[100:])
    assert clf.optimal_
    assert recheck(clf.decision_set_, X, y, weights) == []
    total = Fraction(clf.training_table_.table.total_weight) / clf.weight_scale_
    assert float(total) == pytest.approx(weights.sum(), rel=1e-6)


def test_fronts_and_near_optimal_sets_take_them(rows):
    X, y = rows
    weights = RNG.random(N)
    front = DecisionSetPath(max_size=8).fit(X, y, sample_weight=weights).front_
    assert all(point.proved for point in front.points)
    best = DecisionSetClassifier(regularization=0.05).fit(X, y, sample_weight=weights)
    found = best.near_optimal_sets(best=3)
    assert len(found) == 3
    assert found[0].proof.cost == best.decision_set_.proof.cost


@pytest.mark.parametrize(
    "options", [{}, {"counting": "per_row"}, {"constraints": {"max_rules": 2}}, {"default": "otherwise"}]
)
def test_weights_of_rows_and_of_classes_go_together(options, rows):
    X, y = rows
    weights = RNG.random(N)
    clf = DecisionSetClassifier(regularization=0.02, class_weight="balanced", time_limit=20, **options)
    clf.fit(X, y, sample_weight=weights)
    assert recheck(clf.decision_set_, X, y, weights) == []


def test_class_weights_as_scikit_learn_computes_them_are_taken(rows):
    X, y = rows
    labels = np.array(["low", "mid", "high"])[y]
    classes = np.unique(labels)
    given = dict(zip(classes, compute_class_weight("balanced", classes=classes, y=labels), strict=True))
    named = DecisionSetClassifier(regularization=0.02, class_weight=given).fit(X, labels)
    balanced = DecisionSetClassifier(regularization=0.02, class_weight="balanced").fit(X, labels)
    assert named.rules_ == balanced.rules_
    assert float(named.cost_) == pytest.approx(float(balanced.cost_), rel=1e-6)


def test_small_class_weights_are_not_lost(rows):
    X, y = rows
    clf = DecisionSetClassifier(regularization=0.02, class_weight={0: 1e-9, 1: 2e-9, 2: 3e-9}).fit(X, y)
    even = DecisionSetClassifier(regularization=0.02, class_weight={0: 1, 1: 2, 2: 3}).fit(X, y)
    assert len(clf.rules_) > 1
    assert clf.rules_ == even.rules_


def test_rounded_class_weights_are_said(rows):
    X, y = rows
    clf = DecisionSetClassifier(regularization=0.02, class_weight={0: 0.123456789, 1: 1 / 3, 2: 3}).fit(X, y)
    (note,) = clf.decision_set_.notes
    assert re.fullmatch(
        r"class weights are rounded to multiples of 1e-0\d, each by at most .* of itself", note
    )


@pytest.mark.parametrize("kind", ["random", "balanced", "nine orders either way"])
def test_the_choice_of_a_price_takes_them(kind, rows):
    X, y = rows
    clf = DecisionSetClassifier().fit(X, y, sample_weight=WEIGHTS[kind](y))
    assert clf.rules_
    assert clf.choice_.n_folds == 5
