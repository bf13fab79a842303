"""The native kernel decides as the masks do, for every way a table can lie in memory."""

from __future__ import annotations

import os
import subprocess
import sys
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from tests.support.random_sets import random_rows, random_set

from laconic.data.column import Column, view
from laconic.data.literals import Equals, Interval, Missing, Threshold
from laconic.model.decide import decide
from laconic.model.decision_set import DecisionSet
from laconic.model.predict import deciding_rules, rule_masks
from laconic.model.rule import Rule
from laconic.runtime.errors import InputError, MissingColumnsError
from laconic.runtime.native import kernels

NUMBERS = tuple(Column(f"c{k}", "numeric") for k in range(5))


def by_masks(model, X):
    rows = view(X, model.columns, model.used_columns, named=model.named)
    return deciding_rules(model.rules, rule_masks(model.rules, rows)).tolist()


def natively(model, X):
    return decide(model.rules, X, model.columns, model.used_columns, named=model.named).tolist()


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
            assert natively(model, rows) == by_masks(model, rows)
            shuffled = rows.iloc[:, rng.permutation(rows.shape[1])].set_axis(range(5, 5 + n_rows), axis=0)
            assert natively(model, shuffled) == by_masks(model, rows)


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
        assert natively(model, array) == by_masks(model, array)
        assert natively(model, pd.DataFrame(array, columns=[c.name for c in NUMBERS])) == by_masks(
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
    assert natively(model, rows) == by_masks(model, rows)
    assert max(by_masks(model, rows)) > 255


def test_sets_without_rules_or_conditions():
    rows = np.zeros((9, 5))
    assert natively(number_set(np.random.default_rng(0), n_rules=0), rows) == [-1] * 9
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
    assert natively(bare, rows) == [0] * 9


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
        assert model.predict(empty).tolist() == []


def test_a_set_learned_without_names_reads_any_table_by_position():
    rng = np.random.default_rng(6)
    model = number_set(rng, named=False)
    array = rng.integers(0, 4, (20, 5)).astype(float)
    assert natively(model, pd.DataFrame(array, columns=list("vwxyz"))) == by_masks(model, array)


EDGES = np.array([-0.0, 0.0, 1.0, 1.5, 2.0, -3.25, 1e300, 5e-324, 2.0**53, np.nan])
NEAR = np.concatenate([EDGES, np.nextafter(EDGES, np.inf), np.nextafter(EDGES, -np.inf)])


def edge_set(rng, n_rules):
    """Conditions of every kind at values that cells hold exactly, or miss by one bit."""

    def literal():
        column = f"c{rng.integers(5)}"
        low, high = sorted(float(x) for x in rng.choice(EDGES[:-1], 2))
        return [
            Threshold(column, str(rng.choice(["<=", ">"])), low),
            Interval(column, -np.inf if rng.random() < 0.2 else low, high, bool(rng.random() < 0.5)),
            Interval(column, low, np.inf, bool(rng.random() < 0.5)),
            Equals(column, str(rng.choice(["=", "!="])), rng.choice([low, int(high), "1.5", "red", True])),
            Missing(column, bool(rng.random() < 0.5)),
        ][rng.integers(5)]

    rules = tuple(
        Rule(
            tuple(dict.fromkeys(literal() for _ in range(rng.integers(0, 4)))),
            "a",
            0,
            1,
            tuple(Fraction(int(n)) for n in rng.integers(0, 9, 2)),
        )
        for _ in range(n_rules)
    )
    return DecisionSet(rules, ("a", "b"), "<U1", NUMBERS, True, "b", 0, (Fraction(1), Fraction(1)))


@pytest.mark.parametrize("seed", range(40))
def test_cells_at_beside_and_between_the_cuts(seed):
    rng = np.random.default_rng(seed)
    model = edge_set(rng, int(rng.integers(1, 30)))
    rows = rng.choice(NEAR, (int(rng.choice([1, 63, 64, 65, 1000, 9001])), 5))
    assert natively(model, rows) == by_masks(model, rows)
    assert natively(model, np.asfortranarray(rows)) == by_masks(model, rows)
    assert natively(model, rows[::-1, :]) == by_masks(model, rows[::-1, :])
    columns = [c.name for c in NUMBERS]
    mixed = pd.DataFrame(rows, columns=columns).assign(c1=lambda frame: frame["c1"].clip(-9, 9))
    mixed = mixed.astype({"c1": "f4", "c2": "Float64"})
    assert natively(model, mixed) == by_masks(model, mixed)


@pytest.mark.parametrize("infinite", [np.inf, -np.inf])
@pytest.mark.parametrize("row", [0, 63, 64, 4095, 4096, 8999])
def test_an_infinite_cell_is_refused_wherever_it_is(infinite, row):
    rows = np.zeros((9000, 5), order="F" if row % 2 else "C")
    rows[row, 1] = infinite
    with pytest.raises(InputError, match=rf"column 'c1', row {row} is -?inf"):
        number_set(np.random.default_rng(4), n_rules=9).predict(rows)


def test_more_cuts_in_a_column_than_a_byte_can_number():
    rng = np.random.default_rng(5)
    values = np.sort(rng.random(700))
    rules = tuple(
        Rule(
            (Interval("c0", float(low), float(high)),),
            "a",
            0,
            1,
            (Fraction(int(rng.integers(9))), Fraction(1)),
        )
        for low, high in pairwise(values.tolist())
    )
    model = DecisionSet(rules, ("a", "b"), "<U1", NUMBERS, True, "b", 0, (Fraction(1), Fraction(1)))
    rows = rng.choice(np.concatenate([values, rng.random(300), [np.nan]]), (5000, 5))
    assert natively(model, rows) == by_masks(model, rows)
    assert len(set(natively(model, rows))) > 600


def test_categories_go_by_code_also_where_two_mean_the_same():
    rng = np.random.default_rng(7)
    columns = (Column("c0", "category"), Column("c1", "category"))
    for categories in (["red", "blue", "green"], ["1", "1.0", "2"], [1, 2, 3], [True, False], ["true", "x"]):
        for _ in range(20):
            rules = tuple(
                Rule(
                    (
                        Equals(f"c{rng.integers(2)}", str(rng.choice(["=", "!="])), value),
                        Missing("c0", bool(rng.random() < 0.3)),
                    ),
                    "a",
                    0,
                    1,
                    tuple(Fraction(int(n)) for n in rng.integers(0, 9, 2)),
                )
                for value in ["red", "1", 1, True, "absent"]
            )
            model = DecisionSet(rules, ("a", "b"), "<U1", columns, True, "b", 0, (Fraction(1), Fraction(1)))
            cells = [
                pd.Categorical.from_codes(rng.integers(-1, len(categories), 300), categories) for _ in "ab"
            ]
            rows = pd.DataFrame(dict(zip(["c0", "c1"], cells, strict=True)))
            assert natively(model, rows) == by_masks(model, rows)


def test_the_portable_build_gives_the_same_answers(tmp_path):
    rng = np.random.default_rng(8)
    rows = rng.choice(NEAR[~np.isinf(NEAR)], (3000, 5))
    np.save(tmp_path / "rows.npy", rows)
    model = edge_set(rng, 25)
    (tmp_path / "model.json").write_text(model.to_json())
    code = (
        "import numpy as np; from laconic import load_model; from laconic.runtime.native import kernels\n"
        "print(kernels.__name__, load_model('model.json')._decide(np.load('rows.npy')).tolist())"
    )
    portable = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "LACONIC_PORTABLE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert portable.stdout == f"laconic.runtime._native {natively(model, rows)}\n"


def test_the_kernel_refuses_what_does_not_fit_together():
    column = (np.zeros(3), False, [1.0])
    for n_rows, columns, conditions, rules, answers in (
        (2, [column], [(0, 0, 0, False)], [[0]], [-1, 0]),
        (3, [column], [(1, 0, 0, False)], [[0]], [-1, 0]),
        (3, [column], [(0, 0, 256, False)], [[0]], [-1, 0]),
        (3, [column], [(0, 0, 0, False)], [[1]], [-1, 0]),
        (3, [column], [(0, 0, 0, False)], [[0]], [-1]),
        (3, [column], [np.zeros(2, bool)], [[0]], [-1, 0]),
        (3, [(np.zeros(3), False, [2.0, 1.0])], [], [], [-1]),
        (3, [(np.zeros(3), False, list(map(float, range(254))))], [], [], [-1]),
    ):
        with pytest.raises(ValueError, match=r"column|mask|cuts|range|rule|answer"):
            kernels.decide_rows(n_rows, columns, conditions, rules, answers)
