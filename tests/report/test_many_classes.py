"""Tables of many classes: distinct colours, nothing to scroll sideways on a phone; errors by class weight."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from laconic import DecisionSetClassifier
from laconic.report import render_report
from laconic.report.page import N_COLOURS
from laconic.report.plots import PALETTE
from laconic.report.trade_off import own_point


def graded(n_classes=10, n=400):
    x = np.random.default_rng(1).integers(0, 100, n)
    label = pd.Series([f"grade {one * n_classes // 100:02d}" for one in x], name="grade")
    return pd.DataFrame({"x": x, "noise": x % 7}), label


@pytest.fixture(scope="module")
def ten_classes():
    X, y = graded()
    clf = DecisionSetClassifier(regularization=0.01).set_params(binarizer__bins=20).fit(X, y)
    return render_report(clf, X, y, seconds=0)


def test_twelve_classes_have_twelve_colours(opened, ten_classes):
    page = opened(ten_classes).page
    found = page.evaluate(
        """() => [...Array(12).keys()].map(k => {
            const one = document.body.appendChild(document.createElement("i"));
            one.className = `c${k}`;
            return getComputedStyle(one).getPropertyValue("--c").trim();
        })"""
    )
    assert len(set(found)) == 12 == N_COLOURS == len(set(PALETTE))


def test_ten_classes_do_not_scroll_sideways_on_a_phone(opened, ten_classes):
    page = opened(ten_classes, viewport={"width": 360, "height": 740}).page
    wide = page.evaluate(
        """() => [...document.querySelectorAll("#performance .scroll, #overlaps .scroll")].filter(
            one => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1).map(one => one.id)"""
    )
    assert wide == []
    assert page.locator("#performance .narrow li").count() == 10
    assert page.locator("#performance .narrow").is_visible()


def test_errors_of_the_trade_off_are_weighed_as_the_model_weighs_them():
    X, y = graded(2)
    y = y.where(np.arange(len(y)) % 5 > 0, "grade 00")
    weight = {"grade 00": 3, "grade 01": 1}
    clf = DecisionSetClassifier(regularization=0.02, class_weight=weight).fit(X, y)
    proof = clf.decision_set_.facts
    size = proof.in_user_units(proof.cost) - own_point(clf.decision_set_, X, y, None).errors
    assert own_point(clf.decision_set_, X, y, None).errors > proof.errors / proof.weight_scale
    plain = DecisionSetClassifier(regularization=0.02).fit(X, y)
    assert own_point(plain.decision_set_, X, y, None).errors == plain.errors_
    assert size > 0
    assert "class weights" in render_report(clf, X, y, seconds=1)
    assert "class weights" not in render_report(plain, X, y, seconds=1)
