"""The page's own evaluator and its panel, in a real browser."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import expect
from tests.support.reports import applicants, as_rows, credit, credit_classifier, decision_set, loan_set

from laconic import DecisionSetClassifier
from laconic.data.literals import Equals, Interval, Missing, Threshold
from laconic.report import render_report

INFINITY = float("inf")


@pytest.fixture(scope="module")
def classifier():
    return credit_classifier()


@pytest.fixture(scope="module")
def credit_page(classifier):
    return render_report(classifier, *credit(), seconds=0)


@pytest.fixture
def loans(opened):
    return opened(render_report(loan_set(), *applicants(), seconds=0))


def test_the_page_predicts_a_whole_table_as_python_does(opened, credit_page, classifier):
    X, _ = credit(3000, seed=8)
    X.loc[::7, "job"] = "astronaut"  # never seen in training
    X.loc[::11, "age"] = np.nan  # never missing in training
    model = classifier.decision_set_
    page = opened(credit_page)
    rows = as_rows(model, X)
    assert page.predictions(rows) == model.predict(X).tolist()
    assert page.covers(rows) == model.covers(X).tolist()
    assert page.reasons(rows) == [one.reason.value for one in model.explain(X)]
    assert len(set(page.reasons(rows))) == 3  # rule, conflict and default all occur


def test_every_kind_of_condition_means_the_same_in_the_page(opened):
    conditions = [
        Threshold("x", "<=", 0.1),
        Threshold("x", ">", 0.1),
        Interval("x", 0.1, 0.3),
        Interval("x", 0.1, 0.3, inside=False),
        Interval("x", -INFINITY, 0.2),
        Interval("x", 0.2, INFINITY, inside=False),
        Equals("x", "=", 0.3),
        Equals("x", "!=", 2),
        Missing("x"),
        Missing("x", missing=False),
        Equals("c", "=", "red"),
        Equals("c", "!=", "red"),
        Missing("c"),
        Missing("c", missing=False),
    ]
    rules = [("yes", [condition], [1, 1]) for condition in conditions]
    rules += [
        ("no", [Threshold("x", ">", 0.1), Threshold("x", "<=", 0.3), Missing("c")], [1, 0]),
        ("no", [], [2, 1]),
    ]
    model = decision_set(rules, {"x": "numeric", "c": "category"})
    numbers = [0.1, np.nextafter(0.1, 1), 0.1 + 0.2, 0.3, 0.2, 2.0, -0.0, 1e300, -5.0, np.nan]
    X = pd.DataFrame([(x, c) for x in numbers for c in ("red", "Red", "blue", "", None)], columns=["x", "c"])
    page = opened(render_report(model, X, ["no", "yes"] * 25, seconds=0))
    assert page.covers(as_rows(model, X)) == model.covers(X).tolist()
    assert page.predictions(as_rows(model, X)) == model.predict(X).tolist()


@pytest.mark.parametrize(
    "cells",
    [
        pd.Series(["1", "1.0", "01", " 1", "1_0", "true", "True", "TRUE ", "red", "1e0", "nan", "-0", None]),
        pd.Series([1.0, 0.0, 10.0, 0.5, -0.0, 1e15, np.nan]),
        pd.Series([True, False]),
        pd.Series(["red", "1", None], dtype="category"),
        pd.Series([3, 1, 10], dtype="category"),
        pd.Series([0, 1, 10], dtype="Int64"),
    ],
    ids=["texts", "numbers", "truths", "categories", "numbers as categories", "whole numbers"],
)
def test_equality_across_types_is_pythons(opened, cells):
    # Truth values apart: in one set of rules Python would take "v is 1" and "v is True" for one condition.
    for values in (
        [1, 0, 10, 0.5, "1", "1.0", "01", "0.5", "10", "true", "True", "red", "1e15"],
        [True, False],
    ):
        rules = [("yes", [Equals("v", op, value)], [1, 1]) for value in values for op in ("=", "!=")]
        model = decision_set(rules, {"v": "category"})
        X = pd.DataFrame({"v": cells})
        page = opened(render_report(model, X, ["no"] * len(X), seconds=0))
        assert page.covers(as_rows(model, X)) == model.covers(X).tolist()


def test_columns_of_every_type_predict_alike_once_fitted(opened):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 120)
    gone = rng.random(120) < 0.1
    columns = {
        "nullable": pd.Series(y * 3, dtype="Int64").mask(gone),
        "truth": pd.Series(y == 1, dtype="boolean").mask(gone),
        "text": pd.Series([f"t{v}" for v in y]).mask(gone),
        "ordered": pd.Series(pd.Categorical.from_codes(y, ["low", "mid", "high"], ordered=True)),
        "numbers as categories": pd.Series(pd.Categorical(y * 10)),
        "truth as objects": pd.Series([bool(v == 2) for v in y], dtype=object).mask(gone),
        "mixed": pd.Series([[1, "1x", True][v] for v in y], dtype=object),
        "short floats": pd.Series((y + rng.random(120) / 3).astype("float32")),
        "zero or one": pd.Series((y == 1).astype(int)),
    }
    for name, cells in columns.items():
        X = pd.DataFrame({name: cells})
        model = DecisionSetClassifier(regularization=0.02).fit(X, y).decision_set_
        assert model.rules
        page = opened(render_report(model, X, y, seconds=0))
        assert page.predictions(as_rows(model, X)) == [str(label) for label in model.predict(X)], name


def test_ties_between_rules_go_the_way_of_python(opened):
    # Equal Laplace precision (2/3): the heavier wins; equal weight as well: the earlier.
    rules = [("no", [Missing("a")], [1, 0]), ("yes", [Missing("b")], [2, 5]), ("yes", [Missing("c")], [0, 1])]
    model = decision_set(rules, {"a": "numeric", "b": "numeric", "c": "numeric"})
    X = pd.DataFrame(
        [[a, b, c] for a in (None, 1.0) for b in (None, 1.0) for c in (None, 1.0)],
        columns=list("abc"),
        dtype=float,
    )
    page = opened(render_report(model, X, ["no", "yes"] * 4, seconds=0))
    assert page.predictions(as_rows(model, X)) == model.predict(X).tolist()


def test_text_in_a_column_of_numbers_is_refused_not_guessed(loans):
    message = loans.page.evaluate(
        "() => { try { laconic.predict([['old', 'red', 1]]) } catch (e) { return e.message } }"
    )
    assert message == "column age should hold numbers, not old"


def test_a_changed_number_lights_the_right_rule(loans):
    page = loans.page
    page.get_by_label("colour", exact=True).select_option("blue")
    page.get_by_label("age", exact=True).fill("60")
    page.get_by_label("income", exact=True).fill("5")
    assert (loans.firing(), loans.verdict()) == ([], "no")
    assert page.locator("#try-reason").inner_text() == "No rule fires, so the default class applies."
    page.get_by_label("age", exact=True).fill("54")
    assert (loans.firing(), loans.verdict()) == ([1], "no")
    assert page.locator("#try-reason").inner_text() == "Rule 1 fires."
    page.get_by_label("age", exact=True).fill("54.01")
    assert loans.firing() == []


def test_a_conflict_says_which_rules_disagree_and_which_decides(loans):
    page = loans.page
    page.get_by_label("income", exact=True).fill("5")
    page.get_by_label("age", exact=True).fill("40")
    page.get_by_label("colour", exact=True).select_option("red")
    assert (loans.firing(), loans.verdict()) == ([1, 2], "yes")
    text = page.locator("#try-reason").inner_text()
    assert text == (
        "Rules 1 (no) and 2 (yes) fire and disagree. Rule 2 decides: "
        "it has the best Laplace precision in training (0.78)."
    )
    assert page.locator("#try-rules > li[data-decides=true]").get_attribute("data-rule") == "1"


def test_missing_values_can_be_tried(loans):
    page = loans.page
    page.get_by_label("age", exact=True).fill("60")
    page.get_by_label("colour", exact=True).select_option("(missing)")
    page.get_by_label("income", exact=True).fill("5")
    assert loans.firing() == []
    page.get_by_label("missing: income").check()
    assert (loans.firing(), loans.verdict()) == ([3], "yes")
    assert page.get_by_label("income", exact=True).is_disabled()
    page.get_by_label("missing: income").uncheck()
    assert loans.firing() == []
    page.get_by_label("income", exact=True).fill("")  # an empty field is a missing value too
    assert loans.firing() == [3]


def test_an_unseen_category_can_be_tried(loans):
    page = loans.page
    page.get_by_label("age", exact=True).fill("40")
    page.get_by_label("colour", exact=True).select_option("red")
    assert 2 in loans.firing()
    page.get_by_label("colour", exact=True).select_option("(another value)")
    assert 2 not in loans.firing()


def test_the_slider_works_by_keyboard_and_moves_the_number(loans):
    page = loans.page
    slider = page.get_by_label("age, slider")
    slider.focus()
    page.keyboard.press("End")
    high = float(page.get_by_label("age", exact=True).input_value())
    assert high == float(slider.get_attribute("max")) >= 60
    assert 1 not in loans.firing()
    page.keyboard.press("Home")
    assert float(page.get_by_label("age", exact=True).input_value()) <= 20
    assert 1 in loans.firing()
    page.get_by_label("age", exact=True).fill("50")
    assert float(slider.input_value()) == pytest.approx(50, abs=1)


def test_conditions_show_the_rows_own_values(loans):
    page = loans.page
    page.get_by_label("age", exact=True).fill("40")
    page.get_by_label("colour", exact=True).select_option("blue")
    lines = page.locator("[data-rule='1'] [data-condition]")
    assert [line.get_attribute("data-holds") for line in lines.all()] == ["false", "true"]
    assert "now blue" in lines.nth(0).inner_text()
    assert "now 40" in lines.nth(1).inner_text()


def test_the_nearest_other_answer_says_what_to_change(loans):
    page = loans.page
    page.get_by_label("income", exact=True).fill("5")
    page.get_by_label("age", exact=True).fill("40")
    page.get_by_label("colour", exact=True).select_option("blue")
    found = page.locator("#try-nearest").inner_text()
    assert found.startswith("Nearest other answer: rule 2 (yes) would fire with colour ")
    assert found.endswith("red.")


def test_typical_values_of_a_class_can_be_chosen(opened, credit_page, classifier):
    page = opened(credit_page)
    X, y = credit()
    for label in ("high", "low", "medium"):
        page.page.get_by_role("button", name=f"Typical values of {label}").click()
        shown = page.page.get_by_label("age", exact=True).input_value()
        ages = np.sort(X.loc[y == label, "age"])
        assert float(shown) == ages[(len(ages) - 1) // 2]


def test_an_else_rule_is_called_one(opened):
    model = decision_set([("yes", [Threshold("x", ">", 1.0)], [0, 2])], {"x": "numeric"})
    other = decision_set([("no", [], [3, 0])], {"x": "numeric"}).rules[0]
    page = opened(
        render_report(
            replace(model, else_rule=other), pd.DataFrame({"x": [0.0, 2.0]}), ["no", "yes"], seconds=0
        )
    )
    page.page.get_by_label("x", exact=True).fill("0")
    assert page.verdict() == "no"
    assert page.page.locator("#try-reason").inner_text() == "No rule fires, so the else rule applies."


def test_of_many_rules_the_nearest_come_first_and_all_can_be_shown(opened):
    rules = [("yes", [Threshold("x", ">", k), Threshold("x", "<=", k + 1)], [0, 1]) for k in range(20)]
    model = decision_set(rules, {"x": "numeric"})
    page = opened(render_report(model, pd.DataFrame({"x": np.arange(0.5, 20)}), ["yes"] * 20, seconds=0))
    page.page.get_by_label("x", exact=True).fill("17.5")
    visible = page.page.locator("#try-rules > li:visible")
    assert visible.count() == 8
    assert visible.first.get_attribute("data-rule") == "17"
    page.page.get_by_role("button", name="Show all 20 rules").click()
    assert visible.count() == 20


def test_a_screen_reader_is_told_once_the_hand_rests(loans):
    page = loans.page
    page.get_by_label("colour", exact=True).select_option("blue")
    page.get_by_label("income", exact=True).fill("5")
    for age in range(50, 61):
        page.get_by_label("age", exact=True).fill(str(age))
    expect(page.get_by_role("status")).to_have_text(
        "Prediction: no. No rule fires, so the default class applies."
    )
