"""Extreme numbers: the right answer, or a clear refusal, and never a wrong one."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from laconic import DecisionSetClassifier, load_model
from laconic.cli.main import run
from laconic.data.table import Table
from laconic.engines import registry
from laconic.problem.objective import Kind, Objective, Problem
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError

LAMBDAS = [1e-9, 1e-6, 1e-3, 0.05, 0.5, 1.0, 10.0]


def small_table(weights=None):
    rng = np.random.default_rng(4)
    features = rng.integers(0, 2, (12, 3))
    labels = (features[:, 0] & features[:, 1]) ^ (rng.random(12) < 0.2)
    return Table.from_arrays(features, labels, weights)


def cost(engine, table, objective):
    return registry.get(engine)(Problem.of(table, objective), budget=Budget(60)).cost


@pytest.mark.parametrize("power", [0, 3, 6, 7, 8, 9, 10, 11, 12])
@pytest.mark.parametrize("every_class", [False, True])
def test_weights_up_to_ten_to_the_twelve_give_the_oracles_optimum(power, every_class):
    rng = np.random.default_rng(power)
    weights = rng.integers(1, 10**power + 1, 12)
    table = small_table(weights)
    for price in (1e-6, 0.03, 0.25):
        objective = Objective(Kind.SPARSE, price, every_class=every_class)
        try:
            answer = registry.get("exact")(Problem.of(table, objective), budget=Budget(60))
        except InputError as refusal:
            # A rule for every class takes λ times the weight as it is, not rounded up: more digits.
            assert every_class and power > 8 and price == 1e-6, refusal  # noqa: PT017, PT018
            continue
        assert answer.cost == answer.lower_bound == cost("brute", table, objective)


def test_weights_of_all_sizes_at_once_give_the_oracles_optimum():
    for seed in range(5):
        weights = 10.0 ** np.random.default_rng(seed).integers(0, 13, 12)
        objective = Objective(Kind.SPARSE, 1e-4)
        table = small_table(weights)
        assert cost("exact", table, objective) == cost("brute", table, objective)


@pytest.mark.parametrize("price", LAMBDAS)
@pytest.mark.parametrize("engine", ["exact", "maxsat"])
def test_every_price_gives_the_oracles_optimum(engine, price):
    table = small_table()
    objective = Objective(Kind.SPARSE, price)
    assert cost(engine, table, objective) == cost("brute", table, objective)


def test_weights_beyond_exact_sums_are_scaled():
    X, y = [[0], [1]], [0, 1]
    heavy = DecisionSetClassifier(regularization=0.1).fit(X, y, sample_weight=[1e16, 1e16])
    assert heavy.optimal_
    assert heavy.weight_scale_ < 1
    assert (heavy.size_, heavy.cost_) == (4, 8e15)


def test_a_million_equal_rows_are_one_row():
    X = pd.DataFrame({"age": np.repeat([20, 60], 500_000), "job": "clerk"})
    y = np.repeat(["no", "yes"], 500_000)
    clf = DecisionSetClassifier(objective="perfect").fit(X, y)
    assert (clf.optimal_, clf.size_, clf.errors_) == (True, 4, 0)
    assert clf.training_table_.table.n_rows == 2
    assert clf.decision_set_.proof.n_samples == 1_000_000


def test_a_million_rows_of_one_kind_and_two_classes_have_their_errors_counted():
    X = np.ones((1_000_000, 1))
    X[0] = 2.0
    y = np.arange(1_000_000) % 2
    clf = DecisionSetClassifier(regularization=0.001).fit(X, y)
    assert clf.errors_ == 1_000_000  # nothing pays: each row is missed by its own class
    assert clf.size_ == 0


@pytest.mark.parametrize("objective", ["sparse", "perfect", "min_rules", "min_rules_then_literals"])
def test_one_feature_and_one_row_per_class(objective):
    clf = DecisionSetClassifier(objective, regularization=0.1).fit([[1.0], [2.0]], ["a", "b"])
    assert clf.optimal_
    # A rule costs 2 · ⌈0.2⌉, and saves one error: sparse prefers silence.
    assert clf.predict([[0.0], [9.0]]).tolist() == ["a", "a" if objective == "sparse" else "b"]


def test_two_rows_per_class_for_forty_classes():
    X = np.arange(80.0)[:, None]
    clf = DecisionSetClassifier("perfect").fit(X, [f"c{i // 2:02}" for i in range(80)])
    assert clf.optimal_
    assert clf.errors_ == clf.unavoidable_errors_


def test_a_column_without_a_use_and_nothing_else_still_fits():
    clf = DecisionSetClassifier().fit(pd.DataFrame({"x": [1.0, 1.0, 1.0]}), [0, 1, 1])
    assert clf.size_ in {0, 1}
    assert clf.predict(pd.DataFrame({"x": [5.0]})).tolist() == [1]


def test_five_thousand_features_are_searched():
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, (40, 5000))
    y = X[:, 4321]
    clf = DecisionSetClassifier(objective="perfect", time_limit=60).fit(X, y)
    assert (clf.size_, clf.optimal_, clf.errors_) == (4, True, 0)


def test_more_features_than_the_engine_numbers_are_refused_at_once():
    X = np.zeros((4, 40_000))
    X[1] = X[3] = 1
    with pytest.raises(InputError, match="at most 32767 binary features, not 40000"):
        DecisionSetClassifier().fit(X, [0, 1, 0, 1])


@pytest.mark.parametrize(
    "numbers",
    [
        [5e-324, 1e-320, 1e308, -1e308],
        [2.0**53, 2.0**53 + 2, -(2.0**60), 0.0],
        [0.1 + 0.2, 0.3, 0.30000000000000004, 0.29999999999999993],
    ],
)
def test_numbers_at_the_ends_of_a_double_are_told_apart(numbers):
    X = pd.DataFrame({"x": numbers})
    y = [0, 1, 0, 1]
    clf = DecisionSetClassifier("perfect").fit(X, y)
    assert clf.errors_ == clf.unavoidable_errors_
    again = type(clf.decision_set_).from_json(clf.decision_set_.to_json())
    assert again.predict(X).tolist() == clf.predict(X).tolist()


EXTREME = [1e308, 1.7976931348623157e308, 1e300, 1e17, 1e-20, 1e-300, 2.3e-308, 5e-324]


@pytest.mark.filterwarnings("ignore:no certificate can be made")
@pytest.mark.parametrize("regularization", EXTREME)
@pytest.mark.parametrize("certificate", [False, True])
@pytest.mark.parametrize(
    "more",
    [
        {},
        {"counting": "per_row"},
        {"every_class": True},
        {"engine": "maxsat"},
        {"engine": "maxsat", "every_class": True},
        {"constraints": {"max_rules": 2}},
    ],
)
def test_an_extreme_price_is_refused_in_a_sentence_or_answered_right(regularization, certificate, more):
    X, y = [[i, i % 3] for i in range(12)], [0] * 6 + [1] * 6
    clf = DecisionSetClassifier(
        regularization=regularization, certificate=certificate and "constraints" not in more, **more
    )
    if regularization > 1 or more.get("every_class"):
        with pytest.raises(InputError, match=r"beyond exact arithmetic|too much to be exact"):
            clf.fit(X, y)
    else:
        clf.fit(X, y)
        # A unit of size costs as little as can be: the rules are perfect and as small as such rules get.
        assert (clf.errors_, clf.size_, clf.status_) == (0, 4, "optimal")


def test_a_certificate_that_cannot_be_made_does_not_cost_the_rules(tmp_path, capsys):
    X, y = [[i] for i in range(12)], [0] * 6 + [1] * 6
    clf = DecisionSetClassifier(regularization=1e-300, certificate=True)
    with pytest.warns(UserWarning, match="no certificate can be made: .*: the rules are kept"):
        clf.fit(X, y)
    assert (clf.errors_, clf.size_) == (0, 4)
    assert not hasattr(clf, "certificate_")
    data, out, proof = (tmp_path / name for name in ("data.csv", "m.json", "m.cert"))
    data.write_text("x,class\n" + "".join(f"{row[0]},{label}\n" for row, label in zip(X, y, strict=True)))
    line = ["fit", str(data), "--lambda", "1e-300", "-o", str(out), "--certificate", str(proof)]
    assert run(line) == 1
    shown = capsys.readouterr()
    assert shown.out.startswith("IF x <= 5 THEN 0")
    assert shown.err.count("no certificate can be made") == 1
    assert load_model(out).size == 4
    assert not proof.exists()


def test_memory_that_runs_out_for_a_certificate_does_not_cost_the_rules(monkeypatch):
    def full(*_):
        raise MemoryError

    monkeypatch.setattr("laconic.checking.certify.certify.certify", full)
    clf = DecisionSetClassifier(regularization=0.1, certificate=True)
    with pytest.warns(UserWarning, match="not enough memory to make one: the rules are kept"):
        clf.fit([[i] for i in range(12)], [0] * 6 + [1] * 6)
    assert clf.size_ == 4
