"""Deciding in blocks gives the answers of deciding at once, for every way a table can lie in memory."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from tests.random_sets import random_rows, random_set

from laconic.data.literals import Equals, Missing, Threshold
from laconic.errors import InputError, MissingColumnsError
from laconic.model import blocks
from laconic.model.columns import Column, view
from laconic.model.decision_set import DecisionSet
from laconic.model.predict import deciding_rules, rule_masks
from laconic.model.rule import Rule

NUMBERS = tuple(Column(f"c{k}", "numeric") for k in range(5))


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", 7)


def at_once(model, X):
    rows = view(X, model.columns, model.used_columns, named=model.named)
    return deciding_rules(model.rules, rule_masks(model.rules, rows)).tolist()


def in_blocks(model, X):
    return blocks.decide(model.rules, X, model.columns, model.used_columns, named=model.named).tolist()


def number_set(rng, n_rules=6, columns=NUMBERS, named=True):
    rules = []
    for _ in range(n_rules):
        literals = [
            Threshold(str(rng.choice([c.name for c in columns])), str(rng.choice(["<=", ">"])), 2.0),
            Equals(columns[1].name, str(rng.choice(["=", "!="])), int(rng.integers(4))),
            Missing(columns[2].name, bool(rng.random() < 0.5)),
        ]
        picked = tuple(one for one in literals if rng.random() < 0.6)
        weights = tuple(Fraction(int(n)) for n in rng.integers(0, 9, 2))
        rules.append(Rule(picked, "a", 0, 1, weights))
    return DecisionSet(tuple(rules), ("a", "b"), "<U1", columns, named, "b", 0, (Fraction(1), Fraction(1)))


def test_tables_of_every_kind_of_column():
    rng = np.random.default_rng(1)
    for n_rows in (1, 6, 7, 8, 30):
        for _ in range(20):
            model, rows = random_set(rng), random_rows(rng, n_rows)
            assert in_blocks(model, rows) == at_once(model, rows)
            shuffled = rows.iloc[:, rng.permutation(rows.shape[1])].set_axis(range(5, 5 + n_rows), axis=0)
            assert in_blocks(model, shuffled) == at_once(model, rows)


@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", ">f8", "i8", "i1", "u2", "?"])
@pytest.mark.parametrize("order", ["C", "F", "strided"])
def test_arrays_of_every_type_and_order(dtype, order):
    rng = np.random.default_rng(2)
    for _ in range(8):
        whole = rng.integers(0, 4, (40, 10)).astype(float)
        if dtype in {"f8", "f4", "f2", ">f8"}:
            whole[rng.random(whole.shape) < 0.2] = np.nan
        array = whole.astype(dtype)
        array = array[::2, ::2] if order == "strided" else np.asarray(array[:20, :5], order=order)
        model = number_set(rng)
        assert in_blocks(model, array) == at_once(model, array)
        assert in_blocks(model, pd.DataFrame(array, columns=[c.name for c in NUMBERS])) == at_once(
            model, array
        )


def test_truth_values_match_their_names_in_plain_and_other_columns():
    model = DecisionSet(
        (Rule((Equals("c0", "=", "true"),), "a", 0, 1, (Fraction(1), Fraction(0))),),
        ("a", "b"),
        "<U1",
        NUMBERS[:1],
        True,
        "b",
        0,
        (Fraction(1), Fraction(1)),
    )
    for values in (np.array([True, False]), pd.array([True, False], dtype="boolean")):
        assert model.predict(pd.DataFrame({"c0": values})).tolist() == ["a", "b"]


def test_more_rules_than_a_byte_can_number():
    rng = np.random.default_rng(3)
    model = number_set(rng, n_rules=300)
    rows = rng.integers(0, 4, (50, 5)).astype(float)
    assert in_blocks(model, rows) == at_once(model, rows)
    assert max(at_once(model, rows)) > 255


def test_sets_without_rules_or_conditions():
    rows = np.zeros((9, 5))
    assert in_blocks(number_set(np.random.default_rng(0), n_rules=0), rows) == [-1] * 9
    bare = DecisionSet(
        (Rule((), "a", 0, 1, (Fraction(1), Fraction(0))),),
        ("a", "b"),
        "<U1",
        NUMBERS,
        True,
        "b",
        0,
        (Fraction(1),) * 2,
    )
    assert in_blocks(bare, rows) == [0] * 9


def test_an_infinite_cell_is_refused_by_column_and_row():
    model = number_set(np.random.default_rng(4), n_rules=9)
    array = np.zeros((30, 5))
    array[23, 1] = np.inf
    with pytest.raises(InputError, match=r"column 'c1', row 23 is inf"):
        model.predict(array)
    with pytest.raises(InputError, match=r"column 'c1', row 23 is inf"):
        model.predict(pd.DataFrame(array, columns=[c.name for c in NUMBERS]))


def test_odd_tables_are_refused_in_words():
    model = number_set(np.random.default_rng(4), n_rules=9)
    named = pd.DataFrame(np.zeros((3, 5)), columns=[c.name for c in NUMBERS])
    with pytest.raises(MissingColumnsError, match="the table lacks column 'c1'"):
        model.predict(named.drop(columns="c1"))
    with pytest.raises(InputError, match="X has 4 features, but DecisionSetClassifier is expecting 5"):
        model.predict(np.zeros((3, 4)))
    with pytest.raises(InputError, match="occurs more than once"):
        model.predict(pd.concat([named, named[["c1"]]], axis=1))
    for empty in (named.iloc[:0], np.zeros((0, 5))):
        with pytest.raises(ValueError, match="0 sample"):
            model.predict(empty)


def test_a_set_learned_without_names_reads_any_table_by_position():
    rng = np.random.default_rng(6)
    model = number_set(rng, named=False)
    array = rng.integers(0, 4, (20, 5)).astype(float)
    assert in_blocks(model, pd.DataFrame(array, columns=list("vwxyz"))) == at_once(model, array)
