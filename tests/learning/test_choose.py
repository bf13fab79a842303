"""The choice of λ: folds, predictions, the rule, limits; against plain computation on the same rows."""

from __future__ import annotations

import math
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from tests.support.clock import ProcessorTime
from tests.support.strategies import tables

from laconic import DecisionSetClassifier, TrainingTable
from laconic.data.table import Table
from laconic.learning import choose
from laconic.learning.choose import choose_regularization, lambdas, readable_size
from laconic.learning.fold_scores import predicted_classes
from laconic.learning.table_folds import left_out_weights
from laconic.model.decode import decode
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Objective, Problem
from laconic.runtime.budget import Budget


@settings(max_examples=200)
@given(tables(), st.integers(2, 6), st.integers(0, 5))
def test_folds_leave_every_weight_out_once(table, n_folds, seed):
    folds = left_out_weights(table, n_folds, seed)
    assert len(folds) == n_folds
    assert all((fold >= 0).all() for fold in folds)
    assert np.array_equal(sum(folds), table.weights)


def test_folds_spread_classes_and_equal_samples_evenly():
    rng = np.random.default_rng(0)
    table = Table.from_arrays(rng.integers(0, 2, (400, 3)), rng.integers(0, 3, 400))
    folds = left_out_weights(table, 5, seed=1)
    of_class = np.array([fold.sum(axis=0) for fold in folds])
    assert (of_class.max(axis=0) - of_class.min(axis=0) <= 1).all()
    spread = np.array(folds)
    assert (spread.max(axis=0) - spread.min(axis=0) <= 1).all()


def test_samples_of_fractional_weight_stay_whole():
    table = Table.from_arrays(np.eye(8, dtype=bool), [0, 1] * 4, [0.5, 1.25, 3, 0.75, 1, 2, 1.5, 0.25])
    for fold in left_out_weights(table, 4, seed=0):
        assert set(np.unique(fold[fold > 0])) <= set(np.unique(table.weights))


@settings(max_examples=100, deadline=None)
@given(tables(), st.randoms(use_true_random=False))
def test_rows_are_predicted_as_the_model_predicts_them(table, random):
    rules = sorted(
        {
            CodedRule.of(random.randrange(table.n_classes), random.sample(range(2 * table.n_features), 1))
            for _ in range(random.randrange(4))
        }
    )
    from laconic.data.column import Column
    from laconic.data.literals import Equals, Feature

    features = [Feature(Equals(f"x{f}", "=", 1), Equals(f"x{f}", "=", 0)) for f in range(table.n_features)]
    columns = [Column(f"x{f}", "binary") for f in range(table.n_features)]
    model = decode(rules, table, features, np.arange(table.n_classes), columns)
    rows = pd.DataFrame(table.matrix.astype(int), columns=[column.name for column in columns])
    assert predicted_classes(table, table.weights, rules).tolist() == model.predict(rows).tolist()


def test_lambdas_fall_to_the_price_of_half_a_row():
    assert lambdas(150) == [0.1, 0.05, 0.02, 0.01, 0.005, 0.002]
    assert lambdas(10) == [0.1, 0.05]
    assert lambdas(1) == [0.1]
    assert lambdas(10**6)[-1] == 5e-7


@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_the_choice_says_what_it_compared(load):
    X, y = load(return_X_y=True, as_frame=True)
    clf = DecisionSetClassifier().fit(X, y)
    frame = clf.choice_.to_frame()
    assert frame["chosen"].sum() == 1
    assert clf.regularization_ == frame.loc[frame["chosen"], "regularization"].item()
    assert clf.regularization_ == clf.decision_set_.proof.regularization
    assert (frame["size"] <= readable_size(3)).all()
    assert frame["accuracy"].between(0, 1).all()
    assert clf.choice_.best.accuracy > clf.choice_.majority + 0.4
    assert clf.optimal_
    again = DecisionSetClassifier(regularization=clf.regularization_).fit(clf.training_table_)
    assert again.cost_ == clf.cost_
    assert not hasattr(again, "choice_")
    assert not hasattr(clf.set_params(objective="perfect").fit(X, y), "choice_")


def test_the_accuracy_of_the_choice_is_that_of_a_cross_validation_by_hand():
    X, y = load_wine(return_X_y=True, as_frame=True)
    table = DecisionSetClassifier(objective="min_rules").fit(X, y).training_table_.table
    problem = Problem.of(table, Objective())
    found = choose_regularization(problem, Budget(), seed=3)
    best = found.choice.best
    right = total = 0
    for left_out in left_out_weights(table, choose.FOLDS, 3):
        inside = table.weights - left_out
        part = Table(table.bits, inside, table.allowed)
        from laconic.engines.fronts.ladder import Ladder

        ladder = Ladder(Problem.of(part, Objective(size_budget=0)), found.choice.max_size)
        wanted = None
        for rung in found.choice.rungs:
            whole = math.ceil(Fraction(str(rung.regularization)) * table.total_weight)
            price = (whole * Fraction(part.total_weight, table.total_weight)).limit_denominator(choose.FOLDS)
            ladder.search(price, choose.FOLD_WORK, Budget())
            if rung == best:
                wanted = price
        predicted = predicted_classes(table, inside, ladder.rules_at(wanted))
        right += left_out[np.arange(table.n_rows), predicted].sum()
        total += left_out.sum()
    assert best.accuracy == right / total


def test_the_choice_is_the_same_for_any_number_of_threads_and_processes():
    code = (
        "from sklearn.datasets import load_wine; from laconic import DecisionSetClassifier\n"
        "X, y = load_wine(return_X_y=True, as_frame=True)\n"
        "clf = DecisionSetClassifier(n_jobs={}).fit(X, y)\n"
        "print(clf.choice_, clf.decision_set_.to_json())"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code.format(jobs)],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": str(jobs), "PATH": ""},
        ).stdout
        for jobs in (1, 2, 3)
    }
    assert len(said) == 1


def test_the_order_of_rows_and_columns_does_not_matter():
    X, y = load_wine(return_X_y=True, as_frame=True)
    order = np.random.default_rng(0).permutation(len(X))
    one = DecisionSetClassifier().fit(X, y)
    other = DecisionSetClassifier().fit(X.iloc[order, ::-1], y.iloc[order])
    assert one.choice_ == other.choice_
    assert {(rule.label, frozenset(rule.literals)) for rule in one.rules_} == {
        (rule.label, frozenset(rule.literals)) for rule in other.rules_
    }


def test_a_table_that_was_merged_before_chooses_the_same():
    X, y = load_wine(return_X_y=True, as_frame=True)
    one = DecisionSetClassifier().fit(X, y)
    assert isinstance(one.training_table_, TrainingTable)
    assert DecisionSetClassifier().fit(one.training_table_).choice_ == one.choice_


def test_noise_gives_no_rules_and_says_so():
    rng = np.random.default_rng(1)
    clf = DecisionSetClassifier().fit(rng.integers(0, 2, (200, 4)), np.arange(200) % 3 == 0)
    assert clf.choice_.best.accuracy <= clf.choice_.majority
    assert "no set of rules is clearly better than the most frequent class alone" in clf.choice_.text


def test_a_rare_class_gets_rules_that_help():
    rng = np.random.default_rng(0)
    leak = np.zeros(2000, int)
    leak[:10] = 1
    X = pd.DataFrame({"noise": rng.integers(0, 2, 2000), "leak": leak})
    clf = DecisionSetClassifier().fit(X, np.where(leak == 1, "fraud", "fine"))
    assert {rule.label for rule in clf.rules_} >= {"fraud"}
    assert clf.score(X, np.where(leak == 1, "fraud", "fine")) == 1.0


def test_many_classes_get_rules():
    rng = np.random.default_rng(0)
    label = rng.integers(0, 20, 2000)
    noise = rng.integers(0, 3, 2000)
    clf = DecisionSetClassifier().fit(pd.DataFrame({"code": [f"c{k}" for k in label], "noise": noise}), label)
    assert clf.score(pd.DataFrame({"code": [f"c{k}" for k in label], "noise": noise}), label) == 1.0


def test_time_limits_hold_and_leave_a_choice():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    with ProcessorTime() as spent:
        clf = DecisionSetClassifier(time_limit=0.5).fit(X, y)
    assert spent.seconds < 3
    assert clf.regularization_ > 0
    assert clf.stop_reason_ in {"time", "proved"}
    assert clf.size_ <= readable_size(2)


def test_without_any_time_the_largest_readable_set_is_taken():
    X, y = load_wine(return_X_y=True, as_frame=True)
    table = DecisionSetClassifier(objective="min_rules").fit(X, y).training_table_.table
    found = choose_regularization(Problem.of(table, Objective()), Budget(0.0))
    assert found.choice.n_folds == 0
    assert found.choice.chosen == len(found.choice.rungs) - 1
    assert "no time to compare" in found.choice.text or "too small" in found.choice.text


def test_an_interrupted_choice_keeps_what_was_found(monkeypatch):
    X, y = load_wine(return_X_y=True, as_frame=True)

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(choose, "left_out_weights", interrupted)
    clf = DecisionSetClassifier()
    with pytest.raises(KeyboardInterrupt):
        clf.fit(X, y)
    assert clf.choice_.interrupted
    assert len(clf.rules_) > 0
    assert clf.predict(X).shape == (178,)


def test_constraints_and_counting_are_respected_at_the_chosen_price():
    X, y = load_iris(return_X_y=True, as_frame=True)
    few = DecisionSetClassifier(constraints={"max_rules": 2, "forbidden": ["petal length (cm)"]}).fit(X, y)
    assert len(few.rules_) <= 2
    assert "petal length (cm)" not in few.decision_set_.used_columns
    every = DecisionSetClassifier(every_class=True).fit(X, y)
    assert every.optimal_
    by_row = DecisionSetClassifier(counting="per_row").fit(X, y)
    assert by_row.optimal_


def test_balanced_weights_are_part_of_the_score():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.integers(0, 2, 600), "b": rng.integers(0, 2, 600)})
    y = np.where((X["a"] & X["b"]) & (rng.random(600) < 0.5), "rare", "common")
    clf = DecisionSetClassifier(class_weight="balanced").fit(X, y)
    assert "rare" in {rule.label for rule in clf.rules_}


def test_a_class_without_a_rule_is_named_with_the_price_of_one():
    X, y = load_iris(return_X_y=True, as_frame=True)
    clf = DecisionSetClassifier(regularization=0.1).fit(X, y)
    assert clf.unexplained_classes_ == {1: 2}
    full = DecisionSetClassifier(regularization=0.05).fit(X, y)
    assert full.unexplained_classes_ == {}
    assert full.errors_ + 15 * full.size_ == clf.cost_ + 2
    assert DecisionSetClassifier(objective="perfect").fit(X, y).unexplained_classes_ == {}


@pytest.mark.parametrize("after", [1, 2, 4])
def test_an_interrupt_while_the_price_is_chosen_leaves_a_fitted_classifier(after):
    """Non-regression test: Ctrl-C before the first λ was searched raised IndexError."""
    X, y = load_iris(return_X_y=True, as_frame=True)
    states = []

    def press(state):
        states.append(state)
        if len(states) == after:
            raise KeyboardInterrupt

    clf = DecisionSetClassifier(on_progress=press)
    with pytest.raises(KeyboardInterrupt):
        clf.fit(X, y)
    assert len(states) == after
    assert clf.predict(X).shape == y.shape
    assert clf.choice_.interrupted
    assert clf.lower_bound_ <= clf.cost_
