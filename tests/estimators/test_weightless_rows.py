"""Rows that weigh nothing constrain nothing: no engine may treat them as rows of another class."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from laconic import Constraints, DecisionSetClassifier, verify_certificate
from laconic.checking.certify.canonical import raw_table_text
from laconic.checking.recheck import recheck
from laconic.data.table import Table
from laconic.engines.registry import get
from laconic.problem.objective import Kind, Objective, Problem
from laconic.runtime.budget import Budget

X = pd.DataFrame({"a": [0, 1, 1], "b": [0, 1, 0]})
Y = ["L0", "L1", "L0"]


@pytest.mark.parametrize("objective", ["perfect", "min_rules", "min_rules_then_literals"])
def test_a_class_of_weight_0_is_no_reason_for_longer_rules(objective):
    clf = DecisionSetClassifier(objective, constraints=Constraints(class_weight={"L1": 0})).fit(X, Y)
    assert clf.optimal_
    assert [str(rule) for rule in clf.rules_] == ["IF true THEN L0"]


def test_a_row_of_weight_0_is_no_reason_for_longer_rules():
    rows = pd.DataFrame({"a": [0, 1, 1, 0], "b": [0, 1, 0, 1]})
    clf = DecisionSetClassifier("perfect").fit(rows, ["L0", "L0", "L1", "L1"], sample_weight=[1, 1, 0, 1])
    assert (clf.size_, clf.optimal_) == (7, True)


def test_rows_that_only_weightless_rows_resemble_can_be_told_apart():
    """With b forbidden, (1, 0) and (1, 1) look alike; the second weighs nothing, so that does no harm."""
    limits = Constraints(class_weight={"L1": 0}, forbidden=["b"])
    clf = DecisionSetClassifier("perfect", constraints=limits).fit(X, Y)
    assert [str(rule) for rule in clf.rules_] == ["IF true THEN L0"]


def test_a_class_whose_rows_all_weigh_nothing_is_verified_on_its_own_data():
    rows, labels, weights = pd.DataFrame({"a": [0, 1, 1]}), ["L0", "L1", "L2"], [1, 2, 0]
    clf = DecisionSetClassifier("perfect", certificate=True).fit(rows, labels, sample_weight=weights)
    assert clf.classes_.tolist() == ["L0", "L1"]
    assert recheck(clf.decision_set_, rows, labels, weights) == []
    verdict = verify_certificate(clf.certificate_, rows, labels, weights, model=clf.decision_set_)
    assert verdict.optimal
    assert "row 2 " not in raw_table_text(clf.decision_set_, rows, labels, np.array(weights))
    assert "label 'L2'" in recheck(clf.decision_set_, rows, labels, [1, 2, 1])[0]


RULES = [Kind.MIN_RULES, Kind.MIN_RULES_THEN_LITERALS]
SOLVED = {"exact": [Kind.PERFECT, *RULES], "sat": [Kind.PERFECT], "maxsat": [Kind.PERFECT], "minrules": RULES}


@pytest.mark.parametrize(("engine", "kind"), [(name, kind) for name in SOLVED for kind in SOLVED[name]])
def test_every_engine_agrees_on_tables_with_weightless_rows(engine, kind):
    for seed in range(12):
        rng = np.random.default_rng(seed)
        features = rng.integers(0, 2, (10, 4))
        weights = rng.integers(0, 3, 10)
        weights[0] = 1
        table = Table.from_arrays(features, rng.integers(0, 2, 10), weights, n_classes=2)
        problem = Problem.of(table, Objective(kind))
        kept = table.row_weights > 0
        rows, labels = np.nonzero(table.weights[kept])
        lighter = Table.from_arrays(
            table.matrix[kept][rows], labels, table.weights[kept][rows, labels], n_classes=2
        )
        expected = get("brute")(Problem.of(lighter, Objective(kind)), budget=Budget())
        found = get(engine)(problem, budget=Budget(20))
        assert found.lower_bound <= found.cost
        if kind is not Kind.MIN_RULES_THEN_LITERALS:
            assert (found.cost, found.lower_bound) == (expected.cost, expected.cost)
        else:
            assert len(found.rules) == len(expected.rules)
            assert sum(rule.size for rule in found.rules) == sum(rule.size for rule in expected.rules)
