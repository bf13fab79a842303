"""The choice of a trade-off by cross-validation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.metrics import check_scoring
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from laconic import Binarizer, DecisionSetClassifier, DecisionSetClassifierCV, DecisionSetPath
from laconic.estimators import cross_validation
from laconic.estimators.cross_validation import _chosen
from laconic.estimators.folds import MergedFold, RowFold, merged_folds
from laconic.learning.front import find_front
from laconic.runtime.errors import InputError

X, Y = load_iris(return_X_y=True, as_frame=True)


@parametrize_with_checks([DecisionSetClassifierCV()])
def test_the_classifier_passes_every_check_of_scikit_learn(estimator, check):
    check(estimator)


def test_the_smallest_set_within_one_standard_error_of_the_best_is_chosen():
    scores = np.array([[0.5, 0.80, 0.90, 0.91], [0.5, 0.84, 0.84, 0.87], [0.5, 0.82, 0.90, 0.89]])
    assert _chosen(scores, "best") == 3
    error = scores[:, 3].std(ddof=1) / np.sqrt(3)
    assert scores[:, 2].mean() >= scores[:, 3].mean() - error > scores[:, 1].mean()
    assert _chosen(scores, "one_standard_error") == 2


def test_of_equal_means_the_smallest_is_chosen():
    scores = np.array([[0.5, 0.9, 0.9], [0.5, 0.9, 0.9]])
    assert _chosen(scores, "best") == _chosen(scores, "one_standard_error") == 1


def test_one_fold_has_no_standard_error():
    assert _chosen(np.array([[0.5, 0.8, 0.9]]), "one_standard_error") == 2


def test_the_chosen_set_is_a_point_of_the_front_of_all_rows():
    clf = DecisionSetClassifierCV(cv=3).fit(X, Y)
    path = DecisionSetPath(max_size=10).fit(X, Y)
    assert clf.front_.points == path.points_
    assert clf.decision_set_ == path.model(clf.best_index_)
    assert (clf.size_, clf.errors_) == (
        path.points_[clf.best_index_].size,
        path.points_[clf.best_index_].errors,
    )
    assert clf.optimal_
    assert clf.predict(X).shape == (150,)
    assert clf.cv_results_["size"].tolist() == [point.size for point in path.points_]


def test_scores_are_those_of_the_classifier_at_that_lambda():
    binarizer = Binarizer(bins=3)
    folds = StratifiedKFold(3)
    clf = DecisionSetClassifierCV(cv=folds, binarizer=binarizer).fit(X, Y)
    compared = 0
    for at, price in enumerate(clf.cv_results_["lambda"]):
        if price < 0.1:
            continue  # the classifier rounds λM up to a whole number, which matters for low prices
        plain = DecisionSetClassifier(regularization=price, binarizer=binarizer)
        found = [clf.cv_results_[f"split{k}_score"][at] for k in range(3)]
        assert found == pytest.approx(cross_val_score(plain, X, Y, cv=folds))
        compared += 1
    assert compared > 1


def test_another_measure_can_choose():
    data = load_breast_cancer(as_frame=True)
    some = data.data.iloc[:150, :4], data.target.iloc[:150]
    clf = DecisionSetClassifierCV(
        cv=3, max_size=5, binarizer=Binarizer(bins=3), scoring="balanced_accuracy", choice="best"
    ).fit(*some)
    assert clf.cv_results_["mean_score"][0] == pytest.approx(0.5)
    assert clf.cv_results_["mean_score"].max() > 0.7


def test_a_time_limit_is_shared_by_the_folds_and_gives_a_set():
    rng = np.random.default_rng(0)
    frame, labels = rng.integers(0, 2, (300, 14)), rng.integers(0, 2, 300)
    clf = DecisionSetClassifierCV(cv=2, max_size=20, time_limit=1.5).fit(frame, labels)
    assert not clf.front_.complete
    assert clf.predict(frame).shape == (300,)


def test_processes_choose_the_same():
    alone = DecisionSetClassifierCV(cv=3).fit(X, Y)
    together = DecisionSetClassifierCV(cv=3, n_jobs=2).fit(X, Y)
    assert alone.decision_set_ == together.decision_set_
    assert (alone.cv_results_["mean_score"] == together.cv_results_["mean_score"]).all()


@pytest.mark.slow
def test_the_folds_run_on_a_dask_cluster(cluster):
    import joblib
    from distributed import Client

    address, _ = cluster
    alone = DecisionSetClassifierCV(cv=3).fit(X, Y)
    with Client(address), joblib.parallel_config(backend="dask"):
        spread = DecisionSetClassifierCV(cv=3, n_jobs=-1).fit(X, Y)
    assert spread.decision_set_ == alone.decision_set_


def test_there_is_no_partial_fit():
    assert not hasattr(DecisionSetClassifierCV(), "partial_fit")
    assert clone(DecisionSetClassifierCV(cv=3)).cv == 3


@pytest.mark.parametrize("settings", [{"choice": "worst"}, {"scoring": "beauty"}, {"max_size": -2}])
def test_wrong_settings_are_refused(settings):
    with pytest.raises(ValueError, match=r"choice|scoring|max_size"):
        DecisionSetClassifierCV(**settings).fit(X, Y)


def test_ctrl_c_ends_all_folds(monkeypatch):
    found = []

    def interrupted(*args, **settings):
        found.append(replace(find_front(*args, **settings), interrupted=len(found) == 1))
        return found[-1]

    monkeypatch.setattr(cross_validation, "find_front", interrupted)
    rows, labels = load_iris(return_X_y=True)
    with pytest.raises(KeyboardInterrupt):
        DecisionSetClassifierCV(max_size=3).fit(rows, labels)
    assert len(found) == 2


def test_merged_rows_are_split_into_folds_of_their_own_rows():
    whole = DecisionSetClassifier().fit(X, Y).training_table_
    folds = merged_folds(whole, 5, seed=3)
    left_out = np.array([fold.left_out for fold in folds])
    assert (left_out.sum(axis=0) == whole.table.weights).all()
    sizes = left_out.sum(axis=1)
    assert (sizes.max(axis=0) - sizes.min(axis=0) <= 1).all()
    assert np.ptp(sizes.sum(axis=1)) <= 1
    for fold in folds:
        part = fold.training(None)
        assert part.table.total_weight == whole.table.total_weight - fold.left_out.sum()
        assert part.table.weights.any(axis=1).all()
        assert part.table.samples.sum() == part.table.total_weight


def test_a_model_is_scored_on_merged_rows_as_on_the_rows_themselves():
    fitted = DecisionSetClassifier().fit(X, Y)
    whole = fitted.training_table_
    fold = MergedFold(whole, whole.table.weights)
    for scoring in (None, "balanced_accuracy", "neg_log_loss"):
        expected = check_scoring(fitted, scoring=scoring)(fitted, X, Y)
        found = fold.score(fitted.decision_set_, fitted.classes_, scoring)
        assert found == pytest.approx(expected)


def test_merged_rows_are_chosen_from_or_refused():
    whole = DecisionSetClassifier().fit(X, Y).training_table_
    chosen = DecisionSetClassifierCV(cv=4).fit(whole)
    assert len(chosen.cv_results_["split3_score"]) == len(chosen.front_.points)
    assert chosen.optimal_
    with pytest.raises(InputError, match="split by the number of folds"):
        DecisionSetClassifierCV(cv=[(np.arange(10), np.arange(10, 20))]).fit(whole)
    weighted = DecisionSetClassifier().fit(X, Y, np.full(len(Y), 2.0)).training_table_
    with pytest.raises(InputError, match="merged with weights cannot be split"):
        DecisionSetClassifierCV().fit(weighted)


def test_scores_are_weighted_by_what_errors_on_a_class_cost():
    weight = {0: 5.0, 1: 1.0, 2: 1.0}
    rows = DecisionSetClassifierCV(cv=3, class_weight=weight).fit(X, Y)
    fitted = DecisionSetClassifier().fit(X, Y)
    whole = fitted.training_table_
    by_hand = check_scoring(fitted, scoring="accuracy")(fitted, X, Y, sample_weight=Y.map(weight))
    merged = MergedFold(whole, whole.table.weights, np.array([5.0, 1.0, 1.0]))
    assert merged.score(fitted.decision_set_, fitted.classes_, None) == pytest.approx(by_hand)
    every = np.arange(len(Y))
    alike = RowFold(X, Y.to_numpy(), None, every, every, Y.map(weight).to_numpy())
    assert alike.score(fitted.decision_set_, fitted.classes_, None) == pytest.approx(by_hand)
    plain = DecisionSetClassifierCV(cv=3).fit(X, Y)
    assert rows.cv_results_["mean_score"][0] != plain.cv_results_["mean_score"][0]
