from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from laconic import Binarizer, DecisionSet, DecisionSetClassifier, Table
from laconic.engines.api import Progress
from laconic.problem.objective import Counting, Kind, Objective, Problem, cost
from laconic.runtime.errors import InputError, MissingColumnsError


@pytest.fixture(scope="module")
def iris() -> tuple[pd.DataFrame, np.ndarray]:
    data = load_iris(as_frame=True)
    return data.data, data.target_names[data.target]


@pytest.fixture(scope="module")
def patients() -> tuple[pd.DataFrame, list[str]]:
    """Numbers, a category, a boolean and missing values; ill means smoker over 50, or unknown sex."""
    X = pd.DataFrame(
        {
            "age": [30, 35, 45, 55, 60, 70, 52, 65, 40, 58, np.nan, 33],
            "smoker": [True, False, True, True, True, True, False, False, False, False, True, True],
            "sex": ["f", "m", "f", "f", "m", "m", "f", "m", None, None, "m", "f"],
        }
    )
    ill = ["no", "no", "no", "yes", "yes", "yes", "no", "no", "yes", "yes", "no", "no"]
    return X, ill


def random_table(seed: int, n_rows: int = 24, n_columns: int = 4) -> tuple[np.ndarray, np.ndarray]:
    """A binary table whose label follows two columns, with some noise."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (n_rows, n_columns))
    return X, np.where(rng.random(n_rows) < 0.15, rng.integers(0, 3, n_rows), X[:, 0] + X[:, 1])


def test_perfect_rules_speak_the_users_words(patients):
    X, y = patients
    clf = DecisionSetClassifier("perfect", binarizer=Binarizer(bins=4)).fit(X, y)
    assert clf.optimal_
    assert clf.errors_ == 0
    assert clf.score(X, y) == clf.strict_score(X, y) == 1.0
    text = str(clf.decision_set_)
    assert "sex is missing" in text
    assert "smoker is " in text
    assert "x0" not in text


def test_sparse_cost_is_errors_plus_price_of_size(iris):
    X, y = iris
    clf = DecisionSetClassifier(regularization=0.02).fit(X, y)
    assert clf.cost_ == clf.errors_ + 3 * clf.size_  # 0.02 * 150 = 3
    assert clf.lower_bound_ == clf.cost_
    assert (clf.status_, clf.stop_reason_, clf.gap_, clf.optimal_) == ("optimal", "proved", 0.0, True)


def test_fitted_attributes_describe_the_model(iris):
    X, y = iris
    clf = DecisionSetClassifier(regularization=0.02).fit(X, y)
    assert isinstance(clf.decision_set_, DecisionSet)
    assert clf.rules_ == clf.decision_set_.rules
    assert clf.size_ == sum(rule.size for rule in clf.rules_)
    assert clf.classes_.tolist() == ["setosa", "versicolor", "virginica"]
    assert clf.n_features_in_ == 4
    assert clf.feature_names_in_.tolist() == X.columns.tolist()
    assert clf.weight_scale_ == 1
    assert clf.unavoidable_errors_ == 0
    assert clf.history_[-1].cost == clf.history_[-1].lower_bound == clf.cost_
    assert clf.binarizer_.features_ == clf.decision_set_.features
    assert [column.kind for column in clf.decision_set_.columns] == ["numeric"] * 4


def test_contradicting_rows_are_reported_as_unavoidable():
    X = [[0], [0], [0], [1], [1]]
    clf = DecisionSetClassifier("perfect").fit(X, ["a", "a", "b", "b", "b"])
    assert (clf.unavoidable_errors_, clf.errors_, clf.size_, clf.cost_) == (1, 1, 4, 4)
    assert clf.strict_score(X, ["a", "a", "b", "b", "b"]) == pytest.approx(4 / 5)


def test_training_errors_are_those_of_the_objective():
    X, y = random_table(1)
    for counting in ("per_class", "per_row"):
        clf = DecisionSetClassifier(regularization=0.03, counting=counting).fit(X, y)
        covered = clf.covers(X)
        claims = np.stack(
            [covered[:, [r.target == c for r in clf.rules_]].any(axis=1) for c in range(3)], axis=1
        )
        own = claims[np.arange(len(y)), y]
        wrong = claims.sum(axis=1) - own
        faults = ~own + wrong if counting == "per_class" else (~own | (wrong > 0))
        assert clf.errors_ == faults.sum()


def test_joint_counting_never_costs_more_than_separated():
    for seed in range(4):
        X, y = random_table(seed)
        joint = DecisionSetClassifier(regularization=0.03, counting="per_row").fit(X, y)
        separated = DecisionSetClassifier(regularization=0.03).fit(X, y)
        assert joint.cost_ <= separated.cost_


def test_every_class_uses_an_else_and_counts_it_once():
    # x is where a = 1; y and z differ only by whether b = c.
    X = [[1, b, c] for b in (0, 1) for c in (0, 1)] + [[0, b, c] for b in (0, 1) for c in (0, 1)]
    y, weights = ["x"] * 4 + ["y", "z", "z", "y"], [1] * 4 + [4, 3, 3, 4]
    clf = DecisionSetClassifier(regularization=0.5, every_class=True).fit(X, y, sample_weight=weights)
    # A unit of size costs 9. x: one literal, 18. y: bare, 9 + 10 wrong. z: bare, 9 + 12 wrong.
    assert clf.cost_ == 18 + 19 + 21
    assert [str(rule) for rule in clf.rules_] == ["IF x0 is 1 THEN x"]
    # y is heavier than z, so its bare rule is kept.
    assert clf.decision_set_.else_class == "y"
    assert clf.size_ == 3
    assert clf.predict(X).tolist() == ["x"] * 4 + ["y"] * 4
    assert clf.strict_score(X, y, weights) == pytest.approx(12 / 18)


@pytest.mark.parametrize("engine", ["brute", "minrules"])
@pytest.mark.parametrize("objective", ["min_rules", "min_rules_then_literals"])
def test_rule_count_objectives_reach_the_engine(objective, engine):
    X = [[0, 0], [0, 1], [1, 0], [1, 1]]
    clf = DecisionSetClassifier(objective, engine=engine).fit(X, [0, 1, 1, 1])
    assert len(clf.rules_) == 3
    assert clf.optimal_


def test_an_engine_that_cannot_solve_the_objective_is_named_with_those_that_can():
    message = "engine 'sat' does not solve objective='sparse' with counting='per_class'; use one of: .*maxsat"
    with pytest.raises(InputError, match=message):
        DecisionSetClassifier(engine="sat").fit([[0], [1]], [0, 1])


def test_time_limit_returns_the_best_so_far_with_its_gap():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 12)), rng.integers(0, 2, 300)
    clf = DecisionSetClassifier("perfect", engine="maxsat", time_limit=0.5).fit(X, y)
    assert not clf.optimal_
    assert clf.status_ == "feasible"
    assert clf.stop_reason_ == "time"
    assert 0 < clf.gap_ <= 1
    assert clf.lower_bound_ < clf.cost_ == clf.size_
    assert clf.score(X, y) == 1.0
    assert "not proven optimal: cost" in str(clf.decision_set_)


# --- sample weights


def test_weight_two_is_the_row_twice_and_weight_zero_is_no_row():
    X, y = random_table(2)
    weights = np.arange(24) % 3
    weighted = DecisionSetClassifier(regularization=0.03).fit(X, y, sample_weight=weights)
    repeated = DecisionSetClassifier(regularization=0.03).fit(X.repeat(weights, axis=0), y.repeat(weights))
    assert weighted.cost_ == repeated.cost_
    assert weighted.predict(X).tolist() == repeated.predict(X).tolist()
    assert weighted.predict_proba(X) == pytest.approx(repeated.predict_proba(X))
    assert [str(rule) for rule in weighted.rules_] == [str(rule) for rule in repeated.rules_]


def test_a_class_of_weight_zero_is_not_there():
    X, y = [[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "c"]
    clf = DecisionSetClassifier("perfect").fit(X, y, sample_weight=[1, 1, 1, 0])
    assert clf.classes_.tolist() == ["a", "b"]
    assert clf.decision_set_.proof is not None
    assert clf.decision_set_.proof.n_samples == 3


def test_weights_choose_the_thresholds_too():
    # Unweighted, the median lies between 3 and 4; with the first value counted 7 times, after 1.
    X = np.arange(1.0, 7.0).reshape(-1, 1)
    clf = DecisionSetClassifier("perfect", binarizer=Binarizer(bins=2))
    plain = clone(clf).fit(X, [0, 0, 0, 1, 1, 1])
    heavy = clone(clf).fit(X, [0, 1, 1, 1, 1, 1], sample_weight=[7, 1, 1, 1, 1, 1])
    assert [str(rule.conditions) for rule in plain.rules_] == ["x0 <= 3", "x0 > 3"]
    assert [str(rule.conditions) for rule in heavy.rules_] == ["x0 <= 1", "x0 > 1"]


def test_decimal_weights_stay_exact_in_the_users_units():
    X, y = [[0], [0], [1]], [0, 1, 1]
    clf = DecisionSetClassifier("perfect").fit(X, y, sample_weight=[0.3, 0.1, 0.2])
    assert clf.weight_scale_ == 10
    assert clf.errors_ == clf.unavoidable_errors_ == Fraction(1, 10)
    assert clf.rules_[0].class_weights == (Fraction(3, 10), Fraction(1, 10))
    sparse = DecisionSetClassifier(regularization=0.1).fit(X, y, sample_weight=[3.5, 1, 2])
    # M = 6.5, 13 half-units; one unit of size costs ceil(1.3) = 2 of them.
    assert sparse.cost_ == sparse.errors_ + sparse.size_


def test_scaling_all_weights_changes_nothing_but_the_units():
    X, y = random_table(3)
    one = DecisionSetClassifier(regularization=0.05).fit(X, y, sample_weight=np.full(24, 5))
    half = DecisionSetClassifier(regularization=0.05).fit(X, y, sample_weight=np.full(24, 2.5))
    assert one.cost_ == 2 * half.cost_
    assert one.predict(X).tolist() == half.predict(X).tolist()


# --- the same problem in other clothes


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("settings", [{"objective": "perfect"}, {"regularization": 0.03}])
def test_cost_does_not_depend_on_the_order_of_rows_or_columns_or_on_signs(seed, settings):
    X, y = random_table(seed)
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(len(X)), rng.permutation(X.shape[1])
    base = DecisionSetClassifier(**settings).fit(X, y)
    assert DecisionSetClassifier(**settings).fit(X[rows], y[rows]).cost_ == base.cost_
    assert DecisionSetClassifier(**settings).fit(X[:, columns], y).cost_ == base.cost_
    flipped = X.copy()
    flipped[:, 0] = 1 - flipped[:, 0]
    assert DecisionSetClassifier(**settings).fit(flipped, y).cost_ == base.cost_


@pytest.mark.parametrize("seed", range(3))
def test_sparse_cost_does_not_depend_on_the_names_of_the_classes(seed):
    X, y = random_table(seed)
    base = DecisionSetClassifier(regularization=0.03).fit(X, y)
    renamed = DecisionSetClassifier(regularization=0.03).fit(X, np.array(["z", "m", "a"])[y])
    assert renamed.cost_ == base.cost_


@pytest.mark.parametrize("seed", range(3))
def test_default_engine_agrees_with_the_oracle(seed):
    X, y = random_table(seed, n_rows=14, n_columns=3)
    for settings in (
        {"objective": "perfect"},
        {"regularization": 0.04},
        {"regularization": 0.04, "every_class": True},
    ):
        found = DecisionSetClassifier(**settings).fit(X, y)
        oracle = DecisionSetClassifier(**settings, engine="brute").fit(X, y)
        assert found.cost_ == oracle.cost_
        assert found.optimal_


def test_a_column_that_repeats_the_label_is_the_whole_model():
    X, y = random_table(5)
    clf = DecisionSetClassifier("perfect").fit(np.column_stack([X, y == 0]), y == 0)
    assert clf.size_ == 4


def test_same_data_same_model():
    X, y = random_table(6)
    texts = {DecisionSetClassifier(regularization=0.02).fit(X, y).decision_set_.to_json() for _ in range(3)}
    assert len(texts) == 1


# --- labels and columns of any type


@pytest.mark.parametrize(
    "labels",
    [["no", "yes"], [0, 1], [-1, 1], [0.0, 1.0], [False, True], [np.int8(3), np.int8(9)]],
    ids=str,
)
def test_any_label_type_comes_back(labels):
    y = np.array(labels)[[0, 0, 1, 1]]
    clf = DecisionSetClassifier("perfect").fit([[1.0], [2.0], [3.0], [4.0]], y)
    assert clf.predict([[0.0], [9.0]]).tolist() == y[[0, 3]].tolist()
    assert clf.predict([[0.0]]).dtype == y.dtype
    assert clf.classes_.dtype == y.dtype


def test_pandas_types_are_understood(patients):
    X, y = patients
    typed = X.astype({"age": "Float64", "smoker": "boolean", "sex": "category"})
    plain = DecisionSetClassifier("perfect").fit(X, y)
    clf = DecisionSetClassifier("perfect").fit(typed, pd.Series(y, dtype="category"))
    assert clf.predict(X).tolist() == plain.predict(typed).tolist() == y
    assert clf.size_ == plain.size_


def test_unseen_categories_and_missing_values_get_an_answer(patients):
    X, y = patients
    clf = DecisionSetClassifier("perfect").fit(X, y)
    strange = pd.DataFrame({"age": [np.nan, 10**9], "smoker": [None, True], "sex": ["x", "x"]})
    assert set(clf.predict(strange)) <= {"no", "yes"}
    assert clf.predict_proba(strange).sum(axis=1) == pytest.approx([1, 1])


def test_only_used_columns_are_needed_to_predict(iris):
    X, y = iris
    clf = DecisionSetClassifier(regularization=0.02).fit(X, y)
    used = list(clf.decision_set_.used_columns)
    assert len(used) < 4
    assert (
        clf.predict(X[used[::-1]]).tolist() == clf.predict(X).tolist() == clf.predict(X.to_numpy()).tolist()
    )
    with pytest.raises(MissingColumnsError, match=f"lacks column .{used[0][:5]}"):
        clf.predict(X.drop(columns=used[0]))


def test_a_copy_of_the_binarizer_is_fitted(iris):
    X, y = iris
    binarizer = Binarizer(bins=3)
    clf = DecisionSetClassifier(binarizer=binarizer).fit(X, y)
    assert not hasattr(binarizer, "features_")
    assert clf.binarizer_.bins == 3
    assert len(clf.decision_set_.features) == 4 * 2


def test_constant_columns_give_the_majority():
    clf = DecisionSetClassifier("perfect").fit(np.ones((5, 2)), ["a", "b", "b", "a", "b"])
    assert clf.predict(np.ones((2, 2))).tolist() == ["b", "b"]
    assert clf.errors_ == 2


# --- scikit-learn's world


def test_probabilities_agree_with_predictions(iris):
    X, y = iris
    clf = DecisionSetClassifier(regularization=0.01).fit(X, y)
    shares = clf.predict_proba(X)
    assert shares.shape == (150, 3)
    assert clf.classes_[shares.argmax(axis=1)].tolist() == clf.predict(X).tolist()


def test_explanations_agree_with_predictions(iris):
    X, y = iris
    clf = DecisionSetClassifier().fit(X, y)
    found = clf.explain(X)
    assert [e.prediction for e in found] == clf.predict(X).tolist()
    assert [[c.covers for c in e.checks] for e in found] == clf.covers(X).tolist()


def test_it_works_in_a_pipeline_a_grid_search_and_cross_validation(iris):
    X, y = iris
    scores = cross_val_score(DecisionSetClassifier(), X, y, cv=3)
    assert scores.mean() > 0.9
    pipeline = make_pipeline(StandardScaler(), DecisionSetClassifier()).fit(X, y)
    assert pipeline.score(X, y) > 0.9
    grid = GridSearchCV(DecisionSetClassifier(), {"regularization": [0.02, 0.5]}, cv=3).fit(X, y)
    assert grid.best_params_ == {"regularization": 0.02}
    assert grid.best_estimator_.optimal_


def test_clones_and_pickles_predict_the_same(iris):
    X, y = iris
    clf = DecisionSetClassifier(regularization=0.02, binarizer=Binarizer(bins=3)).fit(X, y)
    assert clone(clf).get_params()["regularization"] == 0.02
    again = pickle.loads(pickle.dumps(clf))
    assert again.predict(X).tolist() == clf.predict(X).tolist()
    assert again.decision_set_ == clf.decision_set_


def test_abstaining_is_offered(iris):
    X, y = iris
    clf = DecisionSetClassifier(regularization=0.2).fit(X, y)
    answers = clf.predict(X, abstain="?")
    assert set(answers.tolist()) - set(clf.classes_.tolist()) == {"?"}
    assert (answers != "?").sum() == (clf.covers(X).sum(axis=1) == 1).sum()


def test_progress_is_reported_and_verbose_writes_to_standard_error(iris, capsys):
    X, y = iris
    seen: list[Progress] = []
    DecisionSetClassifier(on_progress=seen.append).fit(X, y)
    assert seen
    assert seen[-1].gap == 0
    assert capsys.readouterr() == ("", "")
    DecisionSetClassifier(verbose=1).fit(X, y)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines()[-1].endswith("gap 0.0 %")


def test_the_cost_can_be_recomputed_from_the_fitted_parts(iris):
    X, y = iris
    clf = DecisionSetClassifier(regularization=0.02).fit(X, y)
    table = Table.from_arrays(clf.binarizer_.transform(X), np.searchsorted(clf.classes_, y))
    problem = Problem.of(table, Objective(Kind.SPARSE, 0.02, Counting.PER_CLASS))
    assert clf.decision_set_.proof is not None
    assert cost(problem, clf.decision_set_.proof.rules) == clf.cost_


# --- bad input


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        (
            pd.DataFrame({"a": []}),
            [],
            "Found array with 0 sample(s) (shape=(0, 1)) while a minimum of 1 is required; "
            "the table has no rows",
        ),
        (
            pd.DataFrame({"a": [1, 2]}),
            ["x", "x"],
            "all rows have one class ('x'); give rows of at least two classes",
        ),
        (
            pd.DataFrame({"a": [1, 2]}),
            ["x", None],
            "the label of row 1 is missing; drop that row or give it a class",
        ),
        (
            pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]),
            ["x", "y"],
            "column 'a' occurs more than once; give every column its own name",
        ),
        (pd.DataFrame({"a": [1, 2]}), ["x"], "y has 1 labels, but X has 2 rows; give one label per row"),
        (
            pd.DataFrame({"a": [1.0, np.inf]}),
            ["x", "y"],
            "Input X contains infinity: column 'a', row 1 is inf; "
            "replace it by a number, or by NaN if it is missing",
        ),
    ],
    ids=["empty", "one class", "label missing", "duplicate name", "length", "infinite"],
)
def test_bad_data_gets_one_clear_sentence(X, y, message):
    with pytest.raises(InputError) as caught:
        DecisionSetClassifier().fit(X, y)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"engine": "magic"}, "unknown engine 'magic'; choose one of: "),
        (
            {"objective": "perfect", "every_class": True},
            "every_class=True needs objective='sparse' and counting='per_class'",
        ),
        (
            {"regularization": 0},
            "The 'regularization' parameter of DecisionSetClassifier must be a float in the range",
        ),
        ({"objective": "best"}, "The 'objective' parameter of DecisionSetClassifier must be a str among"),
        ({"time_limit": -1}, "The 'time_limit' parameter of DecisionSetClassifier must be"),
    ],
)
def test_bad_settings_are_refused_before_any_work(settings, message):
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        DecisionSetClassifier(**settings).fit([[0], [1]], [0, 1])
    assert str(caught.value).startswith(message)


def test_predicting_before_fitting_is_refused():
    for method in ("predict", "predict_proba", "explain", "covers"):
        with pytest.raises(NotFittedError):
            getattr(DecisionSetClassifier(), method)([[0]])
