"""IMLI: its formula against brute force, its partitions, its default rule, its time limit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.clock import ProcessorTime

from laconic.bench.methods import METHODS, load
from laconic.bench.methods.api import Limits, Training
from laconic.bench.methods.imli import default_partitions, neutral_rules, partitions, run
from laconic.bench.methods.imli_model import covered, fit_partition, penalty
from laconic.bench.rules import NeutralCondition, NeutralRule
from laconic.bench.scorer import ScoredRows, score
from laconic.runtime.budget import Budget


def training(features, labels, classes=("no", "yes")):
    matrix = np.array(features, dtype=bool)
    names = tuple("abcdefghijkl"[: matrix.shape[1]])
    return Training(names, matrix, np.array(labels), classes, np.ones((matrix.shape[1], 2), bool))


def as_rows(data):
    return ScoredRows(
        dict(zip(data.names, data.matrix.T, strict=True)), [data.classes[c] for c in data.labels]
    )


def limits(seconds, tmp_path):
    return Limits(seconds, 1024, 0, tmp_path)


def every_choice(n_rules, n_literals):
    n = n_rules * n_literals
    bits = (np.arange(2**n)[:, None] >> np.arange(n)) & 1
    return bits.astype(bool).reshape(-1, n_rules, n_literals)


@st.composite
def tiny_partitions(draw):
    """(rows, whether each is of the class, k, the rules so far or None)."""
    n_features, n_rules = draw(st.sampled_from([(1, 1), (2, 1), (3, 1), (1, 3), (2, 2)]))
    n_rows = draw(st.integers(1, 6))
    cells = st.lists(st.booleans(), min_size=n_features, max_size=n_features)
    rows = np.array(draw(st.lists(cells, min_size=n_rows, max_size=n_rows)), bool)
    positive = np.array(draw(st.lists(st.booleans(), min_size=n_rows, max_size=n_rows)), bool)
    n_literals = 2 * n_features
    before = None
    if draw(st.booleans()):
        flat = draw(st.lists(st.booleans(), min_size=n_rules * n_literals, max_size=n_rules * n_literals))
        before = np.array(flat, bool).reshape(n_rules, n_literals)
    return rows, positive, n_rules, before


@settings(max_examples=150, deadline=None)
@given(partition=tiny_partitions(), fidelity=st.sampled_from([1, 2, 3, 10]))
def test_a_partition_is_solved_to_the_optimum_of_its_objective(partition, fidelity):
    rows, positive, n_rules, before = partition
    fitted = fit_partition(rows, positive, before, n_rules=n_rules, fidelity=fidelity, budget=Budget())
    old = np.zeros((n_rules, 2 * rows.shape[1]), bool) if before is None else before

    def by_hand(chosen):
        wrong = 0
        for row, wanted in zip(rows, positive, strict=True):
            said = any(
                all(row[code // 2] == code % 2 for code in np.flatnonzero(rule).tolist()) for rule in chosen
            )
            wrong += said != wanted
        return fidelity * wrong + int((chosen != old).sum())

    best = min(by_hand(chosen) for chosen in every_choice(n_rules, 2 * rows.shape[1]))
    assert fitted.cost == by_hand(fitted.chosen) == best
    assert penalty(fitted.chosen, old, rows, positive, fidelity) == best


def test_a_literal_is_kept_unless_the_new_rows_speak_against_it():
    # "a" is in hand. Of new rows on which a and b are equal, nothing is learnt, so "a" stays.
    before = np.array([[False, True, False, False]])
    rows, positive = np.array([[1, 1], [0, 0]], bool), np.array([True, False])
    same = fit_partition(rows, positive, before, n_rules=1, fidelity=10, budget=Budget())
    assert same.chosen.tolist() == before.tolist()
    # Rows on which only b tells the classes apart change the rule.
    rows = np.array([[0, 1], [1, 1], [1, 0], [0, 0]], bool)
    positive = np.array([True, True, False, False])
    changed = fit_partition(rows, positive, before, n_rules=1, fidelity=10, budget=Budget())
    assert changed.chosen.tolist() == [[False, False, False, True]]


def test_rules_with_a_past_keep_their_order():
    # The second rule covers the first row: fine as it is, though new rules would be put the other way round.
    before = np.array([[False, False, False, True], [False, True, False, False]])
    rows, positive = np.array([[1, 0], [0, 1], [0, 0]], bool), np.array([True, True, False])
    fitted = fit_partition(rows, positive, before, n_rules=2, fidelity=10, budget=Budget())
    assert (fitted.cost, fitted.chosen.tolist()) == (0, before.tolist())


def test_a_rule_without_literals_covers_everything_and_one_that_contradicts_itself_nothing():
    rows = np.array([[0], [1]], bool)
    assert covered(np.array([[False, False]]), rows).all()
    assert not covered(np.array([[True, True]]), rows).any()


@pytest.mark.parametrize(("n_rows", "expected"), [(1, 1), (32, 1), (63, 1), (64, 2), (127, 2), (1000, 16)])
def test_partitions_are_powers_of_two_with_at_least_32_rows(n_rows, expected):
    assert default_partitions(n_rows) == expected


def test_partitions_share_out_every_row_once_and_both_classes_evenly():
    positive = np.arange(100) < 30
    parts = partitions(positive, 4, seed=3)
    assert sorted(np.concatenate(parts).tolist()) == list(range(100))
    assert [int(positive[part].sum()) for part in parts] == [8, 8, 7, 7]
    assert {len(part) for part in parts} <= {24, 25, 26}
    again, other = partitions(positive, 4, seed=3), partitions(positive, 4, seed=4)
    assert all((a == b).all() for a, b in zip(parts, again, strict=True))
    assert any((a != b).any() for a, b in zip(parts, other, strict=True) if len(a) == len(b))


def test_one_rule_is_learned_through_all_partitions(tmp_path):
    rng = np.random.default_rng(1)
    features = rng.random((200, 5)) < 0.5
    answer = run(training(features, features[:, 1] & ~features[:, 3]), limits(30, tmp_path), n_rules=1)
    assert answer.rules.rules == (
        NeutralRule((NeutralCondition("b", "=", 1), NeutralCondition("d", "=", 0)), "yes"),
    )
    assert answer.rules.default == "no"
    assert (answer.optimal, answer.cost) == (None, 2)
    assert (answer.counts["partitions"], answer.counts["unfinished"]) == (4, 0)


def test_each_partition_starts_from_the_rules_of_the_last(tmp_path, monkeypatch):
    seen = []

    def spy(rows, positive, before, **settings):
        fitted = fit_partition(rows, positive, before, **settings)
        seen.append((before, fitted.chosen))
        return fitted

    monkeypatch.setattr("laconic.bench.methods.imli.fit_partition", spy)
    rng = np.random.default_rng(2)
    run(training(rng.random((130, 4)) < 0.5, rng.integers(0, 2, 130)), limits(30, tmp_path), n_rules=2)
    assert len(seen) == 4
    assert seen[0][0] is None
    assert all(before is chosen for (before, _), (_, chosen) in zip(seen[1:], seen[:-1], strict=True))


def test_the_default_rule_is_the_largest_other_class(tmp_path):
    # Class 1 has the most rows, but it is described; of the others class 2 is larger.
    data = training([[1]] * 9 + [[0]] * 7, [1] * 9 + [0] * 3 + [2] * 4, ("x", "y", "z"))
    answer = run(data, limits(30, tmp_path), n_rules=1)
    assert (answer.rules.rules, answer.rules.default) == (
        (NeutralRule((NeutralCondition("a", "=", 1),), "y"),),
        "z",
    )
    rows = as_rows(data)
    # Covered rows are right, uncovered ones are z: the three of class x are wrong.
    assert score(answer.rules, rows, rows, data.classes).train.strict_errors == 3


def test_all_k_rules_are_stated_but_those_that_cannot_hold():
    data = training([[0, 1]], [1])
    chosen = np.array([[0, 1, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0]], bool)
    once, twice, mixed = neutral_rules(data, chosen)
    assert once == twice == NeutralRule((NeutralCondition("a", "=", 1),), "yes")
    assert mixed == NeutralRule((NeutralCondition("a", "=", 1), NeutralCondition("b", "=", 0)), "yes")


def test_sixteen_rules_describe_what_one_cannot(tmp_path):
    # Class 1: exactly one of a, b, c. Three rules of three literals.
    rows = (np.arange(8)[:, None] >> np.arange(3)) & 1
    data = training(rows, (rows.sum(axis=1) == 1).astype(int))
    answer = run(data, limits(30, tmp_path), n_rules=16, fidelity=1000)
    one = run(data, limits(30, tmp_path), n_rules=1, fidelity=1000)
    assert len(set(answer.rules.rules)) >= 3
    assert one.cost > answer.cost
    rows = as_rows(data)
    assert score(answer.rules, rows, rows, data.classes).train.strict_errors == 0


def test_a_time_limit_holds_and_the_answer_can_be_scored(tmp_path):
    rng = np.random.default_rng(0)
    data = training(rng.random((600, 12)) < 0.5, rng.integers(0, 2, 600))
    line = METHODS["imli16"]
    with ProcessorTime() as spent:
        answer = load(line.module)(data, limits(1.0, tmp_path), **line.options)
    assert spent.seconds < 2.0
    assert answer.optimal is False
    assert answer.counts["unfinished"] > 0
    assert score(answer.rules, as_rows(data), as_rows(data), data.classes).train.rows == 600


def test_no_time_at_all_leaves_the_default_rule(tmp_path):
    answer = run(training([[0], [1]] * 40, [0, 1] * 40), limits(0, tmp_path), n_rules=1)
    assert (answer.rules.rules, answer.rules.default, answer.optimal) == ((), "no", False)
    assert (answer.counts["partitions"], answer.counts["unfinished"]) == (2, 2)


def test_a_class_without_training_rows_gets_a_rule_that_covers_none(tmp_path):
    data = training([[0, 1], [1, 0], [1, 1]], [0, 0, 0])
    answer = run(data, limits(30, tmp_path), n_rules=1)
    assert answer.cost <= 2
    rows = as_rows(data)
    assert score(answer.rules, rows, rows, data.classes).train.strict_errors == 0
