"""``default="otherwise"`` of the estimators: rules, predictions, exports, more rows, fronts, choices."""

from __future__ import annotations

import sqlite3

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from tests.support.front_oracle import staircase_with_otherwise

from laconic import (
    DecisionSet,
    DecisionSetClassifier,
    DecisionSetPath,
    load_front,
    save_front,
)
from laconic.checking.recheck import recheck
from laconic.learning.learn import SearchSettings, learn
from laconic.learning.start import start_from
from laconic.problem.objective import Default, Kind, Objective, Problem, cost
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError

X, Y = load_iris(return_X_y=True, as_frame=True)


@pytest.fixture(scope="module")
def iris():
    return DecisionSetClassifier(regularization=0.02, default="otherwise").fit(X, Y)


def random_table(seed, n_rows=40):
    rng = np.random.default_rng(seed)
    rows = pd.DataFrame(rng.integers(0, 2, (n_rows, 4)), columns=list("abcd"))
    rows.iloc[0], rows.iloc[1] = 0, 1
    labels = np.where(rows["a"] & rows["b"], "x", np.where(rows["c"], "y", "z"))
    labels[rng.random(n_rows) < 0.15] = "y"
    return rows, labels


def test_a_class_without_rules_gets_what_no_rule_covers(iris):
    model = iris.decision_set_
    assert {rule.target for rule in model.rules} | {model.else_rule.target} == {0, 1, 2}
    assert len({rule.target for rule in model.rules}) == 2
    uncovered = ~iris.covers(X).any(axis=1)
    assert model.else_rule.rows == uncovered.sum() > 0
    assert set(iris.predict(X)[uncovered]) == {model.else_rule.label}
    assert model.default_class == model.fallback_class == model.else_rule.label
    assert iris.size_ == sum(rule.size for rule in iris.rules_) + 1
    assert iris.cost_ == iris.errors_ + 3 * iris.size_  # Λ is 0.02 of 150 rows


def test_it_costs_at_most_a_line_more_than_the_other_classes_explained(iris):
    explained = DecisionSetClassifier(regularization=0.02).fit(X, Y)
    assert iris.cost_ < explained.cost_
    assert iris.size_ < explained.size_


def test_text_frame_and_card_show_it_as_a_rule(iris):
    model = iris.decision_set_
    lines = str(model).splitlines()
    assert lines[-3].startswith("OTHERWISE ")
    assert f"[{model.else_rule.rows} rows, precision " in lines[-3]
    assert f"({len(model.rules) + 1} rules, size {iris.size_}, cost " in lines[-1]
    assert model.to_frame()["conditions"].tolist()[-1] == "otherwise"
    assert 'OTHERWISE</span> <span class="word">THEN' in model._repr_html_()
    assert "default" not in lines[-2]


def test_explanations_name_it_with_its_rows(iris):
    row = int(np.flatnonzero(~iris.covers(X).any(axis=1))[0])
    explained = iris.explain(X)[row]
    rule = iris.decision_set_.else_rule
    assert explained.reason.value == "otherwise"
    did = f"[{rule.rows} rows, precision {rule.precision:.2f}]"
    assert explained.to_text().startswith(f"row {row}: {rule.label}, by the OTHERWISE rule {did}: no other")
    assert explained.to_dict()["otherwise"] == {"rows": rule.rows, "precision": rule.precision}


def test_every_export_answers_like_predict(iris):
    model, frame = iris.decision_set_, X.astype(float)
    expected = model.predict(frame).tolist()
    names: dict = {}
    exec(model.to_python(), names)
    assert [names["predict"](row) for row in frame.to_dict("records")] == expected
    with sqlite3.connect(":memory:") as connection:
        frame.to_sql("t", connection, index=False)
        query = model.to_sql(dialect="sqlite", table="t")
        assert [row[-1] for row in connection.execute(query).fetchall()] == expected
    connection.close()
    again = DecisionSet.from_json(model.to_json())
    assert again == model
    assert again.predict(frame).tolist() == expected


def test_abstaining_and_strict_scores_count_its_rows_as_decided(iris):
    covers = iris.covers(X)
    uncovered = ~covers.any(axis=1)
    assert (iris.predict(X, abstain="?")[uncovered] != "?").all()
    claims = {
        t: covers[:, [k for k, r in enumerate(iris.rules_) if r.target == t]].any(axis=1) for t in range(3)
    }
    claims[iris.decision_set_.else_rule.target] = uncovered
    strict = np.mean([claims[y][i] and sum(claims[t][i] for t in range(3)) == 1 for i, y in enumerate(Y)])
    assert iris.strict_score(X, Y) == pytest.approx(strict)


def test_the_model_of_a_weighted_table_stands_on_it():
    rows, labels = random_table(1)
    weights = np.random.default_rng(0).integers(1, 5, len(labels)) / 4
    for more in ({}, {"objective": "perfect"}, {"size_budget": 4}, {"class_weight": "balanced"}):
        model = DecisionSetClassifier(default="otherwise", **more).fit(rows, labels, weights).decision_set_
        assert recheck(model, rows, labels, weights) == []


@pytest.mark.parametrize("objective", ["sparse", "perfect", "min_rules", "min_rules_then_literals"])
@pytest.mark.parametrize("seed", range(3))
def test_rows_added_in_parts_give_what_all_rows_give(objective, seed):
    rows, labels = random_table(seed)
    clf = DecisionSetClassifier(objective, regularization=0.03, default="otherwise")
    for part in (slice(0, 25), slice(25, 32), slice(32, 40)):
        clf.partial_fit(rows[part], labels[part], classes=["x", "y", "z"])
    whole = learn(clf.training_table_, clf._objective(), SearchSettings(Budget()))
    assert clf.optimal_
    assert clf.decision_set_.proof.cost == whole.solution.cost


@pytest.mark.parametrize("before", ["explained", "otherwise"])
def test_a_bound_for_one_default_is_not_taken_for_the_other(before):
    after = {"explained": "otherwise", "otherwise": "explained"}[before]
    rows, labels = random_table(3)
    clf = DecisionSetClassifier("perfect", default=before).partial_fit(rows[:39], labels[:39])
    old, wanted = clf.training_table_, Objective(Kind.PERFECT, default=Default(after))
    assert start_from(clf.decision_set_, old, old.extended(rows[39:], labels[39:]), wanted).lower_bound == 0
    clf.set_params(default=after).partial_fit(rows[39:], labels[39:])
    whole = learn(clf.training_table_, clf._objective(), SearchSettings(Budget()))
    assert (clf.optimal_, clf.decision_set_.proof.cost) == (True, whole.solution.cost)


@pytest.mark.parametrize("seed", range(4))
def test_the_points_of_a_path_are_those_of_the_oracle(seed, tmp_path):
    rows, labels = random_table(seed)
    path = DecisionSetPath(every="size", default="otherwise", max_size=9).fit(rows, labels)
    table = DecisionSetClassifier(regularization=0.05).fit(rows, labels).training_table_.table
    truth = staircase_with_otherwise(table, 9)
    steps = [k + 1 for k in range(len(truth)) if k == 0 or truth[k] < truth[k - 1]]
    assert [(point.size, point.errors) for point in path.points_] == [(k, truth[k - 1]) for k in steps]
    assert path.complete_
    assert all(point.proved for point in path.points_)
    save_front(path, tmp_path / "front.json")
    again = load_front(tmp_path / "front.json")
    assert again.points == path.points_
    for point, model in zip(again.points, again.models, strict=True):
        assert model.size == point.size
        assert recheck(model, rows, labels) == []


def test_each_breakpoint_is_what_a_fit_finds_inside_its_range():
    path = DecisionSetPath(default="otherwise").fit(X, Y)
    assert path.complete_
    assert path.points_[0].size == 1
    for point in path.points_[1:-1]:
        low, high = point.lambdas
        if int(high * 150) > low * 150 + 1:  # Λ is rounded up, which must not leave the range
            clf = DecisionSetClassifier(regularization=float((low + high) / 2), default="otherwise").fit(X, Y)
            assert (clf.size_, clf.errors_) == (point.size, point.errors)


def test_lambda_is_chosen_among_sets_with_otherwise():
    chosen = DecisionSetClassifier(default="otherwise").fit(X, Y)
    assert chosen.decision_set_.has_otherwise
    assert chosen.score(X, Y) > 0.9
    best = chosen.choice_.best
    assert (best.size, best.errors) == (chosen.size_, chosen.errors_)
    assert chosen.unexplained_classes_ == {}


def test_costs_of_classes_move_the_class_that_is_given():
    rows, labels = random_table(0)
    given = {}
    for weight in (0.1, 10):
        clf = DecisionSetClassifier(regularization=0.3, default="otherwise", class_weight={"x": weight})
        given[weight] = clf.fit(rows, labels).decision_set_.else_class
    assert given[0.1] != "x"
    assert given[10] == "x"


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"every_class": True}, "default='otherwise' and every_class=True exclude each other"),
        ({"counting": "per_row"}, "default='otherwise' needs counting='per_class'"),
        ({"size_budget": 0}, "size_budget must be at least 1 with default='otherwise'"),
        ({"measure": "longest"}, "default='otherwise' cannot be combined with measure='longest'"),
        ({"constraints": {"max_rules": 2}}, "default='otherwise' cannot be combined with max_rules"),
        ({"constraints": {"rules_in": ["IF a is 1 THEN x"]}}, "cannot be combined with rules_in"),
        ({"constraints": {"feature_costs": {"a": 2}}}, "cannot be combined with feature_costs"),
        ({"engine": "maxsat"}, "engine 'maxsat' does not solve"),
    ],
)
def test_what_it_does_not_go_with_is_refused(settings, reason):
    with pytest.raises(InputError, match=reason):
        DecisionSetClassifier(default="otherwise", **settings).fit(*random_table(0))


def test_paths_refuse_what_they_cannot_do():
    with pytest.raises(InputError, match="max_size must be at least 1 with default='otherwise'"):
        DecisionSetPath(default="otherwise", max_size=0).fit(X, Y)
    with pytest.raises(InputError, match="cannot be combined with max_rules; leave one of them out"):
        DecisionSetPath(default="otherwise", constraints={"max_rules": 2}).fit(X, Y)


def test_two_classes_counted_per_row_cost_the_same_as_with_otherwise():
    """Rows of one class are wrong where the other's rules cover them, rows of the other where none does."""
    rng = np.random.default_rng(2)
    rows = pd.DataFrame(rng.integers(0, 2, (60, 5)), columns=list("abcde"))
    labels = np.where(rows["a"] & rows["b"] | rows["c"] & (rng.random(60) < 0.8), "yes", "no")
    clf = DecisionSetClassifier(regularization=0.02, default="otherwise").fit(rows, labels)
    wrong = (clf.predict(rows) != labels).sum()
    assert wrong == clf.errors_
    problem = Problem.of(clf.training_table_.table, Objective(regularization=0.02, default=Default.OTHERWISE))
    assert cost(problem, clf.decision_set_.proof.rules) == wrong + 2 * clf.size_
