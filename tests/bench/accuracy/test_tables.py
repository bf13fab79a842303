"""The rows that methods get."""

import numpy as np
import pytest

from benchmarks.accuracy import tables as module
from benchmarks.accuracy.tables import Tables, encode


def test_folds_are_stratified_and_the_same_in_every_run(tables, folder):
    table = tables.read("small")
    assert table.classes == ("often", "rare")
    for fold in range(1, 6):
        assert np.bincount(table.labels[table.fold_of == fold]).tolist() == [6, 2]
    assert (Tables(folder).read("small").fold_of == table.fold_of).all()


def test_of_a_large_table_the_same_rows_are_drawn(monkeypatch, folder):
    monkeypatch.setattr(module, "MAX_ROWS", 25)
    one, other = (Tables(folder).read("small") for _ in range(2))
    assert len(one.labels) == 25
    assert one.features.equals(other.features)
    assert one.features["number"].dropna().is_monotonic_increasing  # their order is kept


def test_columns_stay_as_they_are(tables):
    table = tables.read("small")
    rows = encode(table, 1, one_hot=False, fill=False)
    assert rows.categories == (0, 2)
    assert rows.train.shape == (32, 2)
    assert rows.test.shape == (8, 2)
    held_out = table.fold_of == 1
    colours = table.features["colour"]
    assert (np.isnan(rows.test[:, 0]) == table.features["number"].isna()[held_out]).all()
    for code, word in enumerate(("blue", "red")):
        assert ((rows.test[:, 1] == code) == (colours == word)[held_out]).all()
    assert (np.isnan(rows.train[:, 1]) == colours.isna()[~held_out]).all()


def test_missing_cells_are_filled_from_the_training_rows(tables):
    table = tables.read("small")
    rows = encode(table, 1, one_hot=False, fill=True)
    held_out = table.fold_of == 1
    number = table.features["number"]
    assert (rows.test[number.isna()[held_out], 0] == np.nanmedian(number[~held_out])).all()
    assert rows.categories == (0, 4)  # two colours, missing, and any other
    assert (rows.train[table.features["colour"].isna()[~held_out], 1] == 2).all()


def test_one_hot_gives_each_category_a_column(tables):
    table = tables.read("small")
    rows = encode(table, 1, one_hot=True, fill=False)
    assert rows.categories == (0, 0, 0, 0)
    assert (rows.train[:, 1:].sum(axis=1) == 1).all()


@pytest.mark.parametrize(
    ("one_hot", "fill", "expected"), [(False, False, [np.nan]), (False, True, [3.0]), (True, True, [0, 0, 0])]
)
def test_a_category_without_training_rows_is_none_of_those_learned(tables, one_hot, fill, expected):
    table = tables.read("small")
    fold = int(table.fold_of[1])
    table.features.loc[1, "colour"] = "green"
    rows = encode(table, fold, one_hot=one_hot, fill=fill)
    place = int((table.fold_of[:1] == fold).sum())
    np.testing.assert_array_equal(rows.test[place, 1:], expected)
