"""The choice between coarse and fine conditions, and prices of size below one row."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from laconic import Binarizer, DecisionSetClassifier, load_model, save_model, verify_certificate
from laconic.checking.certify.canonical import text_for_program
from laconic.checking.recheck import recheck
from laconic.data.table import Table
from laconic.data.weights import PARTS_OF_A_ROW, stated_scaling
from laconic.learning import resolution
from laconic.learning.choose import lambdas, parts_of_a_row
from laconic.learning.learn import SearchSettings, learn
from laconic.problem.objective import Objective, Problem
from laconic.runtime.budget import Budget


@pytest.fixture(scope="module")
def narrow():
    """A class that lies between two values which no cut into six parts separates."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.random(300).round(3), "b": rng.random(300).round(3)})
    y = np.where((X["a"] > 0.42) & (X["a"] < 0.58), "in", "out")
    return X, y


@pytest.fixture(scope="module")
def small():
    """Twenty-four rows, of which a class of four needs a rule of two conditions."""
    X = pd.DataFrame([[f & 1, f >> 1 & 1, f >> 2 & 1] for f in range(8)] * 3, columns=list("abc"))
    return X, np.where((X["a"] == 1) & (X["b"] == 1) & (X["c"] == 0), "rare", "usual")


def test_finer_conditions_are_taken_where_they_do_better(narrow):
    X, y = narrow
    clf = DecisionSetClassifier().fit(X, y)
    assert clf.binarizer_.bins == resolution.FINER_BINS
    assert [note for note in clf.decision_set_.notes if "15 parts" in note]
    coarse = DecisionSetClassifier(binarizer=Binarizer()).fit(X, y)
    assert coarse.decision_set_.notes == ()
    assert coarse.choice_.best.accuracy < clf.choice_.best.accuracy


def test_finer_conditions_are_not_tried_where_conditions_or_the_table_are_given(narrow, monkeypatch):
    X, y = narrow
    plain = DecisionSetClassifier(binarizer=Binarizer()).fit(X, y)
    given = DecisionSetClassifier().fit(plain.training_table_)
    assert given.rules_ == plain.rules_
    monkeypatch.setattr(resolution, "MOST_SAMPLES", len(y) - 1)
    assert DecisionSetClassifier().fit(X, y).rules_ == plain.rules_


def test_a_model_with_finer_conditions_survives_saving(narrow, tmp_path):
    X, y = narrow
    clf = DecisionSetClassifier().fit(X, y)
    save_model(clf.decision_set_, tmp_path / "model.json")
    again = load_model(tmp_path / "model.json")
    assert again.notes == clf.decision_set_.notes
    assert again.predict(X).tolist() == clf.predict(X).tolist()


def test_a_price_below_one_row_gives_a_small_class_its_rule(small):
    X, y = small
    clf = DecisionSetClassifier().fit(X, y)
    assert clf.weight_scale_ == PARTS_OF_A_ROW
    assert not clf.unexplained_classes_
    unit = Fraction(clf.decision_set_.proof.literal_cost, PARTS_OF_A_ROW)
    assert 0 < unit < 1
    assert clf.cost_ == clf.errors_ + unit * clf.size_
    assert f"+ {float(unit):g} × {clf.size_}" in str(clf.decision_set_)
    # The same λ as a number is rounded up to a row.
    rounded = DecisionSetClassifier(regularization=clf.regularization_).fit(X, y)
    assert rounded.cost_ == rounded.errors_ + rounded.size_
    assert rounded.weight_scale_ == 1


def test_the_table_of_a_fit_states_the_same_problem_again(small):
    X, y = small
    clf = DecisionSetClassifier().fit(X, y)
    again = DecisionSetClassifier(regularization=clf.regularization_).fit(clf.training_table_)
    assert (again.cost_, again.rules_) == (clf.cost_, clf.rules_)
    assert clf.near_optimal_sets(limit=1).costs[0] == clf.cost_


def test_rows_added_to_a_finer_scale_are_those_of_a_fit_from_the_start(small):
    X, y = small
    parts = DecisionSetClassifier(binarizer=Binarizer()).fit(X, y)
    assert parts.weight_scale_ == PARTS_OF_A_ROW
    parts.partial_fit(X, y)
    whole = DecisionSetClassifier(binarizer=Binarizer()).fit(pd.concat([X, X]), np.concatenate([y, y]))
    assert (parts.cost_, parts.regularization_, parts.weight_scale_) == (
        *(whole.cost_, whole.regularization_),
        whole.weight_scale_,
    )


def test_models_on_the_finer_scale_are_rechecked_and_forged_scales_found(small):
    X, y = small
    model = DecisionSetClassifier().fit(X, y).decision_set_
    assert recheck(model, X, y) == []
    forged = replace(model, proof=replace(model.proof, weight_scale=Fraction(2 * PARTS_OF_A_ROW)))
    assert recheck(forged, X, y)


def test_certificates_on_the_finer_scale_are_checked_on_the_users_data(small):
    X, y = small
    clf = DecisionSetClassifier(certificate=True).fit(X, y)
    verdict = verify_certificate(clf.certificate_, X, y, model=clf.decision_set_)
    assert verdict.optimal
    assert verify_certificate(clf.certificate_, X, y, sample_weight=np.full(len(y), 2)).problem
    text = text_for_program(clf.certificate_.content, clf.certificate_.words, X, y, None)
    assert text.count(" 8 ") >= len(y)


def test_missed_rows_count_more_where_many_overlapping_classes_need_it():
    rng = np.random.default_rng(1)
    kind = np.repeat(np.arange(6), 40)
    X = pd.DataFrame({"group": kind // 2, "other": rng.integers(0, 2, kind.size)})
    y = np.where(rng.random(kind.size) < 0.2, rng.integers(0, 6, kind.size), kind)
    clf = DecisionSetClassifier().fit(X, y)
    given = clf.decision_set_.facts.constraints
    assert given is not None
    assert set(given.false_negative_costs.values()) == {resolution.MISSED}
    assert "for errors" in str(clf.decision_set_)
    assert clf.near_optimal_sets(limit=1).costs[0] == clf.cost_
    assert recheck(clf.decision_set_, X, y) == []
    own = DecisionSetClassifier(class_weight=dict.fromkeys(range(6), 1.5)).fit(X, y)
    assert own.decision_set_.facts.constraints.false_negative_costs is None


def test_only_one_finer_scale_is_accepted():
    ones = np.ones(5)
    assert stated_scaling(ones, Fraction(PARTS_OF_A_ROW)).scale == PARTS_OF_A_ROW
    assert stated_scaling(ones, Fraction(16)).scale == 1
    assert stated_scaling(ones, None).scale == 1


def test_scales_of_a_table_can_be_left_again():
    table = Table.from_arrays([[0], [0], [1]], [0, 1, 1])
    finer = table.on_finer_scale(8)
    assert (finer.scale, finer.n_samples, finer.total_weight) == (8, 3, 24)
    assert finer.on_coarsest_scale().weights.tolist() == table.weights.tolist()
    assert finer.on_coarsest_scale().scale == 1
    assert table.on_coarsest_scale() is table
    heavy = Table.from_arrays([[0], [1]], [0, 1], [2.0, 4.0])
    assert heavy.on_coarsest_scale() is heavy  # its weights are the user's
    halves = Table.from_arrays([[0], [1]], [0, 1], [0.5, 1.5])
    assert halves.on_coarsest_scale() is halves


def test_only_prices_below_one_row_need_parts_of_it():
    table = Table.from_arrays([[0], [1]] * 50, [0, 1] * 50)
    problem = Problem.of(table, Objective())
    assert [parts_of_a_row(problem, share) for share in lambdas(100)] == [1, 1, 1, 1, PARTS_OF_A_ROW]


def test_a_choice_of_lambda_alone_is_the_same_problem_as_a_fit_at_it(small):
    X, y = small
    training = DecisionSetClassifier(regularization=0.1).fit(X, y).training_table_
    search = SearchSettings(Budget(None), only_lambda=True)
    found = learn(training, Objective(regularization=None), search)
    price = found.model.facts.regularization
    again = learn(training, Objective(regularization=price), SearchSettings(Budget(None)))
    assert found.model.facts.weight_scale == 1
    assert found.model.facts.cost == again.model.facts.cost
