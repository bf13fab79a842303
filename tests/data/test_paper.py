"""The paper's quantisation against the authors' own quantised files."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from laconic.data.binarize import Binarizer
from laconic.data.literals import Equals, Interval, Literal, Threshold
from laconic.data.paper import paper_pairs

DATA = Path(os.environ.get("LACONIC_DATA", Path(__file__).parents[3] / "shared" / "datasets"))
MANIFEST = DATA / "manifest.csv"


def exact_numeric_tables() -> list[str]:
    """The raw tables that are all numbers, whole, and known to give the authors' files."""
    if not MANIFEST.is_file():
        return []
    manifest = pd.read_csv(MANIFEST)
    chosen = manifest[
        (manifest["check"] == "exact")
        & (manifest["categorical_columns"] == 0)
        & (manifest["missing_cells"] == 0)
    ]
    return chosen["name"].tolist()


needs_data = pytest.mark.skipif(
    not MANIFEST.is_file(), reason=f"the paper's datasets are not at {DATA}; set LACONIC_DATA"
)


def authors_name(literal: Literal) -> str:
    """The text after the column's name in a header of the authors, empty for a column kept as it is."""
    if isinstance(literal, Interval):
        return f"({literal.low}..{literal.high}]"
    if isinstance(literal, Threshold):
        return f"(-inf..{literal.value}]" if literal.op == "<=" else f"({literal.value}..+inf)"
    assert isinstance(literal, Equals)
    return f"{float(literal.value):g}"


def sorts_last(literal: Literal) -> bool:
    """Whether the authors' pair of one-hot columns, sorted as text, ends with this side of a cut.

    They keep the last one, so a negative median turns the column around.
    """
    if not isinstance(literal, Threshold):
        return True
    opposite = Threshold(literal.column, "<=" if literal.op == ">" else ">", literal.value)
    return authors_name(literal) > authors_name(opposite)


def authors_columns(name: str, bins: int) -> tuple[dict[tuple[int, str], np.ndarray], np.ndarray]:
    """The authors' binary columns by source column and bin, and their labels."""
    sources = pd.read_csv(DATA / "quantised" / "r2" / f"{name}.csv.gz", nrows=0).columns[:-1].tolist()
    table = pd.read_csv(DATA / "quantised" / f"r{bins}" / f"{name}.csv.gz")
    columns = {}
    for position, header in enumerate(table.columns[:-1]):
        source = max((s for s in sources if header == s or header.startswith(f"{s}_")), key=len)
        condition = header[len(source) + 1 :]
        if condition and not condition.startswith("("):
            condition = f"{float(condition):g}"
        columns[sources.index(source), condition] = table.iloc[:, position].to_numpy(dtype=bool)
    return columns, table.iloc[:, -1].astype(str).to_numpy()


def rows_by_class(matrix: np.ndarray, labels: np.ndarray) -> Counter:
    """The rows of each class with their counts; class names aside, as they differ between the files."""
    packed = [bytes(row) for row in np.packbits(matrix, axis=1)]
    classes: dict[str, Counter] = {}
    for row, label in zip(packed, labels, strict=True):
        classes.setdefault(label, Counter())[row] += 1
    return Counter(frozenset(rows.items()) for rows in classes.values())


def weights_by_group(matrix: np.ndarray, labels: np.ndarray) -> Counter:
    """How often each row group with these class weights occurs; heaviest class first."""
    codes, _ = pd.factorize(labels)
    order = np.argsort(-np.bincount(codes), kind="stable")
    groups, _ = pd.factorize(pd.Series([bytes(row) for row in np.packbits(matrix, axis=1)]))
    weights = np.zeros((groups.max() + 1, codes.max() + 1), int)
    np.add.at(weights, (groups, codes), 1)
    return Counter(map(tuple, weights[:, order].tolist()))


@needs_data
def test_forty_raw_tables_can_be_compared():
    assert len(exact_numeric_tables()) == 40


@needs_data
@pytest.mark.parametrize("bins", [2, 3, 4])
@pytest.mark.parametrize("name", exact_numeric_tables())
def test_paper_rule_gives_the_authors_columns_and_row_groups(name, bins):
    raw = pd.read_csv(DATA / f"{name}.csv.gz")
    X, labels = raw.iloc[:, :-1], raw.iloc[:, -1].astype(str).to_numpy()
    binarizer = Binarizer("paper", bins=bins, columns=dict.fromkeys(X.columns, "numeric")).fit(X)
    ours = binarizer.transform(X)
    theirs, their_labels = authors_columns(name, bins)

    aligned = []
    for feature in binarizer.features_:
        source = X.columns.get_loc(feature.positive.column)
        if (source, "") in theirs:
            column = theirs.pop((source, ""))
            aligned.append(column if sorts_last(feature.positive) else ~column)
        else:
            aligned.append(theirs.pop((source, authors_name(feature.positive))))
    for key, column in theirs.items():
        assert column.all() or not column.any(), f"we lack the authors' column {key}"
    other = np.column_stack(aligned)
    assert rows_by_class(ours, labels) == rows_by_class(other, their_labels)
    assert weights_by_group(ours, labels) == weights_by_group(other, their_labels)


def test_two_values_are_kept_as_they_are():
    [(yes, no)] = paper_pairs("x", np.array([1.0, 2.5]), 4)
    assert (str(yes), str(no)) == ("x is 2.5", "x is 1")


def test_cuts_are_quantiles_of_the_distinct_values_rounded_to_two_decimals():
    pairs = paper_pairs("x", np.array([0.0, 1.0, 2.0, 3.0, 100.123]), 3)
    assert [str(yes) for yes, _ in pairs] == ["x <= 1.33", "1.33 < x <= 2.67", "x > 2.67"]
    assert str(paper_pairs("x", np.array([0.0, 1.0, 2.004]), 2)[0][0]) == "x > 1"


def test_a_cut_rounded_past_all_values_is_left_out():
    assert paper_pairs("x", np.array([0.001, 0.002, 0.003]), 2) == []
    assert paper_pairs("x", np.array([0.001, 0.002, 0.003, 0.004]), 3) == []


def test_a_value_on_the_cut_belongs_to_the_bin_below():
    [(above, below)] = paper_pairs("x", np.array([1.0, 1.001, 1.002]), 2)
    assert (str(above), str(below)) == ("x > 1", "x <= 1")
