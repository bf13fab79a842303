"""The checker's numbers are exact, or it refuses: very long tables, very heavy rows."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from tests.support.checking.builders import certified, facts, sealed

from laconic.checking import checker
from laconic.checking.certify.effort import Effort
from laconic.data.table import Table
from laconic.problem.objective import Counting, Kind, Objective


def test_a_literal_is_not_beaten_by_one_that_lacks_a_single_column_of_many():
    """Single precision counts 2**24 and 2**24 + 1 columns alike."""
    good = np.ones((2, 2**24 + 1), bool)
    good[0, 0] = False
    assert checker.unbeaten(good, np.zeros(2)).tolist() == [1]
    good[1, 1:3] = False
    assert checker.unbeaten(good, np.zeros(2)).tolist() == [0, 1]


@pytest.mark.parametrize("width", [1, 2, 3, 64])
def test_comparing_columns_in_parts_changes_nothing(width, monkeypatch):
    rng = np.random.default_rng(width)
    for _ in range(30):
        good = rng.random((8, 7)) < 0.6
        price = rng.integers(0, 2, 8).astype(float)
        beaten = [
            any(
                (good[i] <= good[j]).all()
                and price[j] <= price[i]
                and (j < i or not (good[j] <= good[i]).all() or price[j] < price[i])
                for j in range(8)
                if j != i
            )
            for i in range(8)
        ]
        monkeypatch.setattr(checker, "WIDTH", width)
        assert checker.unbeaten(good, price).tolist() == np.flatnonzero(~np.array(beaten)).tolist()


def raw_table(weights):
    """A table as a stranger may hand it to the checker: its weights are checked by nobody else."""
    weights = np.asarray(weights)
    n_features = max(1, int(np.ceil(np.log2(len(weights)))))
    matrix = (np.arange(len(weights))[:, None] >> np.arange(n_features)) & 1 == 1
    allowed = np.ones((n_features, 2), bool)
    return SimpleNamespace(matrix=matrix, weights=weights, allowed=allowed, scale=1)


def statement(objective, counting="per_class", share=(1, 20)):
    return {
        "objective": objective,
        "counting": counting,
        "every_class": False,
        "regularization": list(share) if objective == "sparse" else None,
    }


@pytest.mark.parametrize("objective", ["sparse", "perfect", "min_rules"])
@pytest.mark.parametrize(
    "weights",
    [
        np.full((4, 2), 2**61),  # 2**64: a sum in 64 bits is 0
        np.full((5, 2), 2**62),  # and this one is negative
        np.full((2, 2), 2**63, np.uint64),
        [[2**52, 0], [0, 1]],
    ],
    ids=["wraps to zero", "wraps to less", "beyond 64 bits", "beyond doubles"],
)
def test_weights_whose_sum_is_not_exact_are_refused(objective, weights):
    with pytest.raises(checker.Refuted, match="beyond exact arithmetic"):
        checker.Task(statement(objective), raw_table(weights))


@pytest.mark.parametrize("weights", [[[1, 0], [0, -1]], [[1.0, 0.0], [0.0, 1.0]]], ids=["negative", "floats"])
def test_weights_that_are_not_counts_are_refused(weights):
    with pytest.raises(checker.Refuted, match="negative, or not a whole number"):
        checker.Task(statement("sparse"), raw_table(weights))


def test_errors_of_very_many_classes_do_not_wrap():
    """A row may be wrong once for every class, so weights below the limit may still add up to more."""
    weights = np.zeros((2, 5000), np.int64)
    weights[0, 0] = weights[1, 1] = 2**50
    with pytest.raises(checker.Refuted, match="beyond exact arithmetic"):
        checker.Task(statement("sparse"), raw_table(weights))


@pytest.mark.parametrize("objective", list(Kind))
def test_a_row_without_weight_is_no_hard_negative(objective):
    """A bound that counts it as one would be above the optimum: one rule covers both rows of the class."""
    table = Table.from_arrays([[0, 0], [1, 1], [1, 0]], [0, 1, 0], [1, 0, 1])
    document, solution = certified(table, Objective(objective, 0.1, Counting.PER_CLASS))
    assert checker.check(document, table, Effort()) == (solution.cost, solution.cost)
    rules = [] if objective is Kind.SPARSE and solution.cost < 1 else solution.rules
    assert [len(rule.literals) for rule in rules] == [0]


def test_too_many_positives_for_one_price_are_refused_and_not_rounded():
    table = Table.from_arrays([[0], [1]], [0, 1], [2**51, 2**50])
    document = sealed({**facts(table, Objective(Kind.SPARSE, 3.0), [], 0), "proofs": [], "lower_bound": 0})
    with pytest.raises(checker.Refuted):
        checker.check(document, table, Effort())


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_forged_bound_on_seventeen_million_rows_is_refused():
    """The attack that single precision let through: a bound of 500,000 where a set costs 10.

    Feature 1 excludes the one heavy negative and feature 0 does not. Compared by counts that are rounded,
    feature 1 looks beaten by feature 0, so nobody tries the rule that refutes the prices.
    """
    n, heavy = 2**24 + 4, 500_000
    matrix = np.zeros((n + 1, 27), bool)
    matrix[:, :25] = (np.arange(n + 1)[:, None] >> np.arange(25)) & 1 == 1
    matrix[:, 25:] = True
    matrix[n, 26] = False
    weights = np.zeros((n + 1, 2), np.int64)
    weights[:n, 0], weights[n, 1] = 1, heavy
    allowed = np.zeros((27, 2), bool)
    allowed[25:, 1] = True
    table = SimpleNamespace(matrix=matrix, weights=weights, allowed=allowed, scale=1)
    leaf = {"scale": n, "prices": [heavy] * n, "splitters": [], "blame": [[0, 0, 1]]}
    document = {**statement("sparse", share=(5, n + heavy)), "rules": [[0, 51]]}
    problem = checker.Task(document, table).of_class(0)
    assert checker.Task(document, table).cost([[0, 53]]) == 10 + heavy  # the negative has no rule of its own
    with pytest.raises(checker.Refuted, match=r"rule \[53\] is overpaid"):
        checker.walk(leaf, problem, heavy, Effort())
