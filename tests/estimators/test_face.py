"""What both estimators share, and what scikit-learn's users expect of a fitted classifier."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import issparse
from sklearn.datasets import load_iris
from sklearn.feature_selection import SelectFromModel
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

import laconic
from laconic import Binarizer, DecisionSetClassifier, DecisionSetPath, InputError, export_text

X, Y = load_iris(return_X_y=True, as_frame=True)
SHARED = ("binarizer", "time_limit", "memory_limit", "n_jobs", "random_state", "verbose", "on_progress")


@pytest.fixture(scope="module")
def clf():
    return DecisionSetClassifier(regularization=0.05).fit(X, Y)


@pytest.mark.parametrize("estimator", [DecisionSetClassifier(), DecisionSetPath()], ids=str)
def test_both_estimators_have_the_same_limits_and_ways_to_see_progress(estimator):
    assert {*SHARED} <= {*estimator.get_params()}


@pytest.mark.parametrize(
    "estimator", [DecisionSetClassifier(regularization=0.05), DecisionSetPath("size", max_size=4)], ids=str
)
def test_progress_is_written_and_passed_on(estimator, capsys):
    states = []
    estimator.set_params(verbose=1, on_progress=states.append).fit(X, Y)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == len(states) > 0
    assert all(line.startswith("[laconic] ") for line in lines)
    assert states[-1].cost == states[-1].lower_bound
    for state in states:
        assert state.cost is None or state.lower_bound <= state.cost


def test_progress_is_passed_on_while_the_price_is_chosen():
    states = []
    DecisionSetClassifier(on_progress=states.append).fit(X, Y)
    assert states[0].cost is None
    assert states[0].note
    assert states[-1].cost is not None


def test_a_front_takes_a_memory_limit():
    with pytest.raises(InputError, match="at least 512 MiB"):
        DecisionSetPath(memory_limit="1MiB").fit(X, Y)
    assert DecisionSetPath(max_size=3, memory_limit="64GiB").fit(X, Y).complete_


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_grid_search_over_bins_needs_no_binarizer(wrapped):
    base = DecisionSetClassifier(regularization=0.05)
    model, name = (make_pipeline(base), "decisionsetclassifier__") if wrapped else (base, "")
    search = GridSearchCV(model, {f"{name}binarizer__bins": [2, 4]}, cv=3, error_score="raise").fit(X, Y)
    best = search.best_estimator_[-1] if wrapped else search.best_estimator_
    assert best.binarizer_.bins == search.best_params_[f"{name}binarizer__bins"]
    assert len({*search.cv_results_["mean_test_score"]}) == 2
    assert base.binarizer is None


def test_parameters_of_a_binarizer_in_place_are_kept():
    clf = DecisionSetClassifier(binarizer=Binarizer(thresholds="midpoints", bins=3))
    clf.set_params(binarizer__bins=4)
    assert (clf.binarizer.thresholds, clf.binarizer.bins) == ("midpoints", 4)
    assert clf.set_params(binarizer=None, binarizer__bins=5).binarizer.bins == 5
    with pytest.raises(ValueError, match="Invalid parameter 'bims'"):
        DecisionSetClassifier().set_params(binarizer__bims=4)


def test_apply_names_the_rule_that_decides():
    clf = DecisionSetClassifier(regularization=0.05, constraints={"max_rules": 2}).fit(X, Y)
    rules = clf.apply(X)
    expected = [explanation.prediction for explanation in clf.explain(X)]
    labels = [clf.decision_set_.fallback_class if k < 0 else clf.rules_[k].label for k in rules]
    assert labels == expected == clf.predict(X).tolist()
    assert {*rules} == {-1, 0, 1}
    covered = clf.covers(X)
    assert covered[rules >= 0, rules[rules >= 0]].all()
    assert not covered[rules < 0].any()


def test_the_decision_path_is_the_covers_as_a_sparse_matrix(clf):
    path = clf.decision_path(X)
    assert issparse(path)
    assert path.format == "csr"
    assert np.array_equal(path.toarray().astype(bool), clf.covers(X))


def test_importances_are_shares_of_the_columns(clf):
    found = clf.feature_importances_
    assert found.shape == (4,)
    assert found.sum() == pytest.approx(1)
    used = {literal.column for rule in clf.rules_ for literal in rule.literals}
    assert {name for name, share in zip(X.columns, found, strict=True) if share} == used
    assert SelectFromModel(clf, prefit=True, threshold=1e-9).transform(X.to_numpy()).shape == (150, len(used))


def test_importances_divide_a_rule_among_its_conditions():
    rows = pd.DataFrame({"a": [0, 0, 1, 1] * 3, "b": [0, 1, 0, 1] * 3, "c": range(12)})
    clf = DecisionSetClassifier(objective="perfect", binarizer=Binarizer(columns={"c": "category"}))
    clf.fit(rows, (rows["a"] & rows["b"]).map({0: "no", 1: "yes"}))
    # yes: a and b, 3 rows, half each; no: not a, 6 rows; not b, 6 rows.
    assert clf.feature_importances_.tolist() == pytest.approx([0.5, 0.5, 0])


def test_importances_are_zero_without_conditions():
    clf = DecisionSetClassifier(regularization=0.4).fit(X, Y)
    assert clf.feature_importances_.tolist() == [0, 0, 0, 0]


def test_text_takes_other_names_and_weights(clf):
    text = export_text(
        clf, feature_names=list("abcd"), class_names=["one", "two", "three"], show_weights=True
    )
    lines = text.splitlines()
    assert len(lines) == len(clf.rules_) + 1
    assert lines[0].startswith("IF ")
    assert "THEN one" in lines[0]
    assert "[weights 50, 0, 0]" in lines[0]
    assert "petal" not in text
    assert export_text(clf.decision_set_) == export_text(clf)
    assert str(clf.decision_set_).startswith(export_text(clf))


@pytest.mark.parametrize("names", [{"feature_names": ["a"]}, {"class_names": list("abcd")}])
def test_text_refuses_a_wrong_number_of_names(clf, names):
    with pytest.raises(InputError, match="names, but there are"):
        export_text(clf, **names)
    with pytest.raises(InputError, match="takes a fitted classifier"):
        export_text(DecisionSetClassifier())


def test_a_budget_and_a_cap_on_the_size_exclude_each_other(clf):
    with pytest.raises(InputError, match="size_budget and the constraint max_size both limit the size"):
        DecisionSetClassifier(size_budget=5, constraints={"max_size": 4}).fit(X, Y)
    within = DecisionSetClassifier(max_errors=30, constraints={"max_size": 9}).fit(X, Y)
    assert within.size_ <= 9


def test_old_names_are_gone(clf):
    assert not hasattr(clf, "objective_")
    assert not hasattr(laconic, "near_optimal_sets")
    with pytest.raises(TypeError, match="max_size"):
        DecisionSetClassifier(max_size=3)
