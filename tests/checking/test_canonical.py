"""The canonical text says of each row and condition what Laconic says, and states the same problem."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support import messy_tables as messy
from tests.support.checking import canonical_reader
from tests.support.checking.builders import certified

from laconic import Binarizer, DecisionSetClassifier
from laconic.checking import checker
from laconic.checking.certify.canonical import canonical_text, merged_table_text, number_text, raw_table_text
from laconic.checking.recheck import rebuilt_table
from laconic.data.cells import Cells, text_of
from laconic.data.column import Column, view
from laconic.data.columns import BinarizerWarning
from laconic.data.frame import as_frame
from laconic.data.literals import Among, Equals, Feature, Interval, Missing, Threshold
from laconic.data.table import Table
from laconic.model.decision_set import DecisionSet
from laconic.problem.objective import Counting, Kind, Objective
from laconic.runtime.errors import InputError

ENDS = [-math.inf, -2.5, 0.0, 0.1, 0.30000000000000004, 7.0, 1e22, float(2**53), math.inf]
TEXTS = ["a", "1", "01", "1.0", "é", "true", "True", "inf", "nan", ""]
WHOLE = [2**53, 2**53 + 1, 2**62 + 1, -(2**53) - 1, 10**16, 2**64 - 1]
# Apart, because for Python `a is True` and `a is 1` are one condition.
VALUES = {
    "truths": [*TEXTS, True, False],
    "numbers": [*TEXTS, *WHOLE, *map(str, WHOLE), 1, 1.0, 0, -2.5, 1e16, "1e+16"],
}


def opposite(literal):
    match literal:
        case Threshold(column, op, value):
            return Threshold(column, ">" if op == "<=" else "<=", value)
        case Interval(column, low, high, inside):
            return Interval(column, low, high, not inside)
        case Equals(column, op, value):
            return Equals(column, "!=" if op == "=" else "=", value)
        case Among(column, values, inside):
            return Among(column, values, not inside)
        case Missing(column, missing):
            return Missing(column, not missing)


def words_of(frame, features, classes):
    """A set without rules over these conditions, each with its opposite where it has one on the data."""
    data = as_frame(frame)
    cells = {name: Cells(data[name]) for name in data.columns}
    features = [
        Feature(one.positive, None if one.disputed(cells[one.positive.column]).any() else one.negative)
        for one in features
    ]
    columns = tuple(Column(name, "category") for name in frame.columns)
    return DecisionSet(
        rules=(),
        classes=tuple(classes),
        features=tuple(features),
        columns=columns,
        named=True,
        default_class=classes[0],
        default_rows=0,
        default_weights=(),
        label_dtype=np.array(classes).dtype.str,
    )


def holds_numbers(cells):
    try:
        return cells.numbers is not None
    except InputError:
        return False


@st.composite
def conditions(draw, frame):
    """Some conditions of every kind, also such as no Binarizer makes."""
    features = []
    values = VALUES[draw(st.sampled_from(sorted(VALUES)))]
    for name in frame.columns:
        cells = Cells(as_frame(frame[[name]])[name])
        kinds = [
            "equals",
            "equals",
            "among",
            "missing",
            *(["threshold", "interval"] if holds_numbers(cells) else []),
        ]
        for kind in draw(st.lists(st.sampled_from(kinds), max_size=3)):
            if kind == "threshold":
                literal = Threshold(name, "<=", draw(st.sampled_from(ENDS[1:-1])))
            elif kind == "interval":
                literal = Interval(name, *(draw(st.sampled_from(ENDS)) for _ in range(2)))
            elif kind == "among":
                kept = type(draw(st.sampled_from(values)))
                known = values if cells.is_numeric else [v for v in values if type(v) is kept]
                members = draw(st.lists(st.sampled_from(known), min_size=1, max_size=4, unique_by=text_of))
                literal = Among(name, tuple(members))
            elif kind == "equals":
                literal = Equals(name, "=", draw(st.sampled_from(values)))
            else:
                literal = Missing(name)
            sides = [literal, opposite(literal)]
            if draw(st.booleans()):
                sides.reverse()
            features.append(Feature(sides[0], draw(st.sampled_from([sides[1], None]))))
    return features


def assert_same(words, X, y, weights):
    """Compare the text with the table of `rebuilt_table`, and each literal with its own evaluation."""
    table = rebuilt_table(words, X, y, weights)
    assert isinstance(table, Table), table
    text = canonical_reader.parsed(raw_table_text(words, X, y, weights))
    frame = as_frame(X)
    present = np.ones(len(frame), bool) if weights is None else np.asarray(weights) > 0
    cells = view(X, words.columns, [one.positive.column for one in words.features]).cells
    assert len(text["rows"]) == present.sum()
    assert len(text["features"]) == len(words.features)
    assert text["classes"] == len(words.classes)
    for said, feature in zip(text["features"], words.features, strict=True):
        for literal, known in zip(said, (feature.positive, feature.negative), strict=True):
            assert (literal is None) == (known is None)
            if known is None:
                continue
            expected = known.holds(cells[known.column])[present].tolist()
            found = [canonical_reader.holds(literal, row[2]) for row in text["rows"]]
            assert found == expected, (str(known), literal, cells[known.column].values.tolist())
    again = np.zeros_like(table.weights)
    for (target, weight, row), group in zip(text["rows"], table.group_of, strict=True):
        again[group, target] += weight
        assert [canonical_reader.holds(f[0], row) for f in text["features"]] == table.matrix[group].tolist()
        assert weight > 0
    assert (again == table.weights).all()


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_each_row_and_condition_is_as_laconic_evaluates_it(data):
    frame = data.draw(messy.tables())
    X, y = frame.drop(columns=["y", "w"]), frame["y"]
    weights = frame["w"].to_numpy() if data.draw(st.booleans()) else None
    if weights is not None and not weights.any():
        weights = None
    classes = sorted(set(y.tolist()))
    assert_same(words_of(X, data.draw(conditions(X)), classes), X, y, weights)


@settings(max_examples=100, deadline=None)
@given(messy.tables(), messy.binarizers())
def test_the_conditions_of_a_binarizer_are_too(frame, binarizer):
    X, y = frame.drop(columns=["y", "w"]), frame["y"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BinarizerWarning)
        try:
            binarizer.fit(X, y)
        except InputError:
            return
    assert_same(words_of(X, binarizer.features_, sorted(set(y.tolist()))), X, y, None)


ODD = {
    "infinite numbers in texts": ["-inf", "1e999", "-1e999", "1", None, "1e308", "-1e308"],
    "numbers as texts": ["1", "1.0", "01", " 1", "1_0", "10", "1e0", "-0.0", "0", "+1"],
    "truths as texts": ["true", "True", " TRUE ", "1", "false", "0", "yes", None],
    "dates as texts": ["2024-01-01", "2024-01-01 00:00:00", "01.02.2024", None],
    "mixed objects": [1, "1", True, 1.0, 0.5, False, "False", None],
    "large integers": [2**53, 2**53 + 1, 2**62, 2**62 + 1, -(2**63), 0, 1],
    "larger integers": [2**64 - 1, 2**64 - 2, 2**63, 0, 1],
    "whole numbers beyond doubles": [2**53 + 1, 2**53, 2**62 + 1, 10**16, -(2**53) - 1, 1],
    "whole numbers beyond doubles, and gaps": pd.array([2**53 + 1, None, 2**62 + 1, 3], dtype="Int64"),
    "whole numbers beyond doubles in texts": ["9007199254740993", "9007199254740992", "+9007199254740993"],
    "whole objects": np.array([2**70, 2**53 + 1, 5, None], dtype=object),
    "unsigned": np.array([2**64 - 1, 2**63, 1], np.uint64),
    "zeros": [0.0, -0.0, 5e-324, -5e-324, np.nan],
    "single precision": np.array([0.1, 0.2, 16777217.0], np.float32),
    "nullable": pd.array([0.1, None, 2.0, 1.0], dtype="Float64"),
    "nullable truths": pd.array([True, None, False], dtype="boolean"),
    "categories of numbers": pd.Categorical([1, 2, 1, None]),
    "categories of truths": pd.Categorical([True, False, None]),
    "all missing": [None, None, None],
    "present, but no number": pd.arrays.FloatingArray(np.array([np.nan, 1.0, 0.0]), np.array([0, 0, 1]) > 0),
}  # fmt: skip


@pytest.mark.parametrize("values", VALUES)
@pytest.mark.parametrize("name", ODD)
def test_odd_columns_are_as_laconic_evaluates_them(name, values):
    X = pd.DataFrame({"a": ODD[name]})
    cells = Cells(as_frame(X)["a"])
    literals = [Equals("a", "=", value) for value in VALUES[values]] + [Missing("a")]
    literals += [Equals("a", "=", str(value)) for value in cells.values.tolist() if not pd.isna(value)]
    if holds_numbers(cells):
        literals += [Threshold("a", "<=", end) for end in (*ENDS[1:-1], float(2**62), 5e-324, 1e308)]
        literals += [Interval("a", low, high) for low in ENDS for high in ENDS]
    features = [Feature(one, opposite(one)) for one in literals]
    features += [Feature(opposite(one), None) for one in literals]
    y = [k % 2 for k in range(len(X))]
    assert_same(words_of(X, features, [0, 1]), X, y, None)


def test_rows_without_weight_are_left_out_and_the_others_scaled_to_integers():
    X = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0]})
    words = words_of(X, [Feature(Threshold("a", "<=", 2.0), Threshold("a", ">", 2.0))], ["n", "y"])
    text = raw_table_text(words, X, ["n", "y", "y", "n"], [0.5, 0, 1.25, 2])
    assert text.splitlines() == [
        "laconic-canonical 2",
        "classes 2",
        "columns 1",
        "features 1",
        "feature le 0 2 gt 0 2",
        "rows 3",
        "row 0 2 n1",
        "row 1 5 n3",
        "row 0 8 n4",
    ]


def test_doubles_are_written_as_the_fractions_that_they_are():
    assert number_text(0.1) == "3602879701896397/36028797018963968"
    assert number_text(-0.0) == "0"
    assert number_text(math.inf) == str(2**1024)
    assert number_text(float(2**60 + 1)) == str(2**60)


FLAVOURS = {
    "perfect": Objective(Kind.PERFECT),
    "min_rules": Objective(Kind.MIN_RULES),
    "min_rules_then_literals": Objective(Kind.MIN_RULES_THEN_LITERALS),
    "sparse 3/100": Objective(Kind.SPARSE, 0.03),
    "per_row 3/100": Objective(Kind.SPARSE, 0.03, Counting.PER_ROW),
    "every_class 3/50": Objective(Kind.SPARSE, 0.06, every_class=True),
}


def random_table(seed, n_rows=14, n_features=3):
    rng = np.random.default_rng(seed)
    features = rng.integers(0, 2, (n_rows, n_features))
    labels = (features[:, 0] & features[:, 1]) ^ (rng.random(n_rows) < 0.15)
    return Table.from_arrays(features, labels, rng.integers(1, 4, n_rows))


def numbered(table, rows, splitters):
    """The number of the group of each row: the patterns of splitters that cover it, in order."""
    covers = lambda body, row: all(table.matrix[row, code // 2] == code % 2 for code in body)  # noqa: E731
    patterns = [tuple(covers(body, row) for body in splitters) for row in rows.tolist()]
    return [sorted(set(patterns)).index(pattern) for pattern in patterns]


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_the_certificate_is_written_whole(flavour):
    table = random_table(3)
    document, solution = certified(table, FLAVOURS[flavour])
    text = canonical_reader.parsed(canonical_text(document, merged_table_text(table), table))
    assert " ".join(map(str, text["objective"])) == flavour
    assert text["rules"] == document["rules"]
    assert (text["cost"], text["bound"]) == (solution.cost, document["lower_bound"])
    task = checker.Task(document, table)
    assert [(c, bound) for c, bound, _ in text["proofs"]] == [
        (p["class"], p["bound"]) for p in document["proofs"]
    ]
    for (target, _, leaf), proof in zip(text["proofs"], document["proofs"], strict=True):
        problem = task.of_class(target)
        n_some = len(problem.some)
        assert leaf["scale"] == proof["proof"]["scale"]
        assert leaf["prices"] == proof["proof"]["prices"]
        assert len(leaf["prices"]) == len(leaf["groups"]) == len(problem.pos) + n_some
        assert len(leaf["negatives"]) == (0 if problem.hard else len(problem.neg))
        splitters = proof["proof"]["splitters"]
        groups = numbered(table, problem.pos, splitters)
        assert leaf["groups"] == groups + [max(groups) + 1 + k for k in range(n_some)]
        assert leaf["negatives"] == ([] if problem.hard else numbered(table, problem.neg, splitters))
        assert set(leaf["groups"]) == set(range(leaf["n_groups"]))
        assert set(leaf["negatives"]) == set(range(leaf["n_negatives"]))
        said = [[h, *(number for pair in pairs for number in pair)] for h, pairs in leaf["blame"]]
        assert said == proof["proof"]["blame"]


def test_the_order_of_blame_in_a_certificate_does_not_matter():
    table, turned = random_table(1, 14, 4), 0
    document, _ = certified(table, FLAVOURS["sparse 3/100"])
    text = canonical_text(document, merged_table_text(table), table)
    for part in document["proofs"]:
        turned += len(part["proof"]["blame"]) > 1
        part["proof"]["blame"].reverse()
    assert canonical_text(document, merged_table_text(table), table) == text
    assert turned


def test_splits_are_written_in_depth():
    table = random_table(3)
    document, _ = certified(table, FLAVOURS["sparse 3/100"])
    problem = checker.Task(document, table).of_class(0)
    n = len(problem.pos)
    leaf = lambda some: {"scale": 1, "prices": [0] * (n + some), "splitters": [], "blame": []}  # noqa: E731
    inner = {"rows": [1], "some": leaf(1), "none": leaf(0)}
    tree = {"rows": [0, 2], "some": {"rows": [], "some": leaf(2), "none": leaf(1)}, "none": inner}
    document["proofs"][0]["proof"] = tree
    root = canonical_reader.parsed(canonical_text(document, merged_table_text(table), table))["proofs"][0][2]
    assert [root["rows"], root["some"]["rows"], root["none"]["rows"]] == [[0, 2], [], [1]]
    sizes = [
        len(side["prices"]) - n
        for part in ("some", "none")
        for side in (root[part]["some"], root[part]["none"])
    ]
    assert sizes == [2, 1, 1, 0]
    document["proofs"][0]["proof"] = {"rows": [0], "some": leaf(2), "none": leaf(0)}
    with pytest.raises(checker.Malformed, match="more or fewer numbers"):
        canonical_text(document, merged_table_text(table), table)


def test_constraints_are_refused_in_a_sentence():
    table = random_table(3)
    document, _ = certified(table, FLAVOURS["perfect"])
    with pytest.raises(InputError, match="the verified checker does not cover constraints, other measures"):
        canonical_text({**document, "size_budget": 4}, merged_table_text(table), table)


def test_a_fit_on_messy_columns_gives_a_text_that_states_its_table():
    rng = np.random.default_rng(1)
    X = pd.DataFrame(
        {
            "age": np.where(rng.random(60) < 0.1, np.nan, rng.integers(18, 70, 60)),
            "job": rng.choice(["clerk", "driver", "é, ü"], 60),
            "owner": rng.choice([True, False], 60),
        }
    )
    y = np.where((X["age"] > 40) & X["owner"], "good", "bad")
    clf = DecisionSetClassifier(certificate=True).fit(X, y)
    words = clf.certificate_.words
    assert_same(words, X, y, None)
    table = rebuilt_table(words, X, y, None)
    text = canonical_text(clf.certificate_.content, raw_table_text(words, X, y, None), table)
    assert canonical_reader.parsed(text)["cost"] == clf.certificate_.cost


@pytest.mark.filterwarnings("ignore::laconic.data.columns.BinarizerWarning")
def test_codes_dates_and_texts_that_are_read_are_too():
    rng = np.random.default_rng(4)
    n = 120
    when = pd.Timestamp("2023-01-01") + pd.to_timedelta(rng.integers(0, 500, n), "D")
    X = pd.DataFrame(
        {
            "income": rng.choice([-9999.0, 99.0, np.nan, *range(10)], n),
            "since": when.strftime("%d.%m.%Y"),
            "seen": when + pd.to_timedelta(rng.integers(0, 10**6, n), "s"),
            "amount": [f"{k},5" if k % 9 else "k.A." for k in range(n)],
            "home": rng.choice([" own", "own", "rent ", "?"], n),
        }
    )
    X = X.mask(rng.random(X.shape) < 0.1)
    columns = {
        "income": {"codes": [-9999, 99], "intervals": True},
        "since": {"parts": ["weekday", "month"]},
        "seen": {"since": "since", "parts": ["hour"]},
    }
    y = rng.choice(["a", "b"], n)
    fitted = DecisionSetClassifier(regularization=0.1, binarizer=Binarizer(bins=3, columns=columns))
    assert_same(fitted.fit(X, y).decision_set_, X, y, None)
