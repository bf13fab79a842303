from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from tests.support.reports import applicants, decision_set, loan_set

from laconic.data.literals import Equals, Missing, Threshold
from laconic.report.fields import MAX_OPTIONS, fields_and_presets


def one_field(literal, cells, kind):
    model = decision_set([("yes", [literal], [0, 1])], {"v": kind})
    (field,), _ = fields_and_presets(model, pd.DataFrame({"v": cells}), ["no", "yes"] * (len(cells) // 2))
    return field


def test_a_slider_spans_the_data_and_passes_every_switch():
    field = one_field(Threshold("v", ">", 9.0), [1.25, 2.5, 3.0, 4.5], "numeric")
    assert field.low <= 1.25
    assert field.high > 9
    assert field.switches == ("9",)
    assert field.typical == 2.5  # a value that occurs


def test_whole_numbers_slide_in_whole_steps():
    field = one_field(Threshold("v", ">", 30.0), [20, 30, 40, 63], "numeric")
    assert (field.low, field.high, field.step) == (20, 63, 1)


@pytest.mark.parametrize(("low", "high"), [(0.0, 1e-9), (-1e12, 1e12), (5.0, 5.0), (0.1, 0.4)])
def test_any_range_gives_a_usable_slider(low, high):
    field = one_field(Threshold("v", ">", low), [low, high], "numeric")
    assert field.low <= low <= high <= field.high
    assert field.low < field.high
    assert 0 < field.step <= field.high - field.low


def test_a_column_without_values_starts_as_missing():
    field = one_field(Missing("v"), [np.nan, np.nan], "numeric")
    assert field.typical is None
    assert field.low < field.high


def test_choices_are_those_of_the_data_and_of_the_rules():
    field = one_field(Equals("v", "=", "blue"), ["red", "green", "red", None], "category")
    assert field.texts == ("blue", "green", "red")
    assert field.texts[field.typical] == "red"
    assert field.asked == ("blue",)


def test_the_other_value_is_none_of_the_choices():
    field = one_field(Equals("v", "!=", "another value"), ["red", "another value"], "category")
    assert field.other not in field.values


def test_thousands_of_categories_are_cut_but_never_those_of_rules():
    cells = [f"c{i:04}" for i in range(1000)]
    field = one_field(Equals("v", "=", "c0999"), cells, "category")
    assert len(field.values) == MAX_OPTIONS
    assert "c0999" in field.texts


def test_typical_values_belong_to_the_class():
    fields, presets = fields_and_presets(loan_set(), *applicants())
    assert [preset.label for preset in presets] == ["no", "yes"]
    age, colour, income = presets[1].values
    assert (age, fields[1].texts[colour], income) == (40, "red", 5)
