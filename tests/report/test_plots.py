"""Plots draw what the data says, on the axes they are given."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from tests.support.models import applicants, loan_set, rule

from laconic import DecisionSetClassifier
from laconic.data.column import Column
from laconic.data.literals import Threshold
from laconic.engines.api import Progress
from laconic.report.plots import (
    PALETTE,
    plot_coverage,
    plot_history,
    plot_rule_matrix,
    plot_trade_off,
)
from laconic.runtime.errors import InputError

mpl.use("Agg")
LABELS = ["no", "yes", "no", "yes", "yes"]


@pytest.fixture
def ax():
    from matplotlib import pyplot

    figure, axes = pyplot.subplots()
    yield axes
    pyplot.close(figure)


@pytest.fixture(autouse=True)
def no_figures_left():
    from matplotlib import pyplot

    yield
    pyplot.close("all")


def marks(axes, colour):
    """Stretches of one colour as (rule, first row, rows)."""
    found = []
    for collection in axes.collections:
        for path, face in zip(collection.get_paths(), collection.get_facecolors(), strict=False):
            if mpl.colors.to_hex(face) == colour.lower():
                box = path.get_extents()
                found.append((round((box.y0 + box.y1) / 2), box.x0, box.x1 - box.x0))
    return sorted(found)


@pytest.mark.parametrize(
    "draw",
    [
        lambda **kw: plot_coverage(loan_set(), applicants(), LABELS, **kw),
        lambda **kw: plot_rule_matrix(loan_set(), **kw),
        lambda **kw: plot_trade_off([(1, 9), (3, 2)], **kw),
        lambda **kw: plot_history([(0.1, 9, 2), (0.4, 5, 5)], **kw),
    ],
)
def test_axes_are_used_returned_and_made_if_absent(draw, ax):
    assert draw(ax=ax) is ax
    assert ax.has_data()
    made = draw()
    assert made is not ax
    made.figure.canvas.draw()


def test_coverage_marks_right_and_wrong_rows(ax):
    # Sorted: the rows of "no" (Ann, Cid), then those of "yes" (Bob, Eve, Dee, by the rules that cover them).
    plot_coverage(loan_set(), applicants(), LABELS, ax=ax)
    assert marks(ax, PALETTE[0]) == [(0, 0.0, 1.0)]
    assert marks(ax, PALETTE[1]) == [(1, 2.0, 1.0), (2, 3.0, 2.0)]
    assert marks(ax, "#8c8c8c") == [(0, 2.0, 2.0)]
    assert [text.get_text() for text in ax.get_yticklabels()] == [
        "no: age <= 54",
        "yes: colour is red AND age > 30",
        "yes: income is missing",
    ]
    assert [text.get_text() for text in ax.texts] == ["no", "yes"]
    assert ax.get_xlabel() == "5 rows, sorted by class"


def test_coverage_without_labels_calls_nothing_wrong(ax):
    plot_coverage(loan_set(), applicants(), ax=ax)
    assert marks(ax, "#8c8c8c") == []
    assert ax.get_xlabel() == "5 rows, sorted by predicted class"


def test_coverage_of_a_long_table_draws_some_of_its_rows(ax):
    many = pd.concat([applicants()] * 100, ignore_index=True)
    plot_coverage(loan_set(), many, LABELS * 100, ax=ax, max_rows=50)
    assert ax.get_xlabel() == "50 of 500 rows, sorted by class"
    assert ax.get_xlim() == (0, 50)


def test_coverage_refuses_labels_that_do_not_fit():
    with pytest.raises(InputError, match=r"y has shape \(1,\), but X has 5 rows"):
        plot_coverage(loan_set(), applicants(), ["no"])


def test_the_matrix_has_a_condition_where_a_rule_looks_at_a_column(ax):
    middle = rule("yes", [Threshold("age", ">", 54.0), Threshold("age", "<=", 64.0)], 1, 0, 1)
    plot_rule_matrix(loan_set(rules=(*loan_set().rules, middle)), ax=ax)
    found = {(text.get_position()[1], text.get_position()[0]): text.get_text() for text in ax.texts}
    assert found == {
        (0, 0): "<= 54",
        (1, 0): "> 30",
        (1, 1): "is red",
        (2, 2): "is missing",
        (3, 0): "54 < age <= 64",
    }
    assert [text.get_text() for text in ax.get_xticklabels()] == ["age", "colour", "income"]
    assert [text.get_text() for text in ax.get_yticklabels()] == ["1: no", "2: yes", "3: yes", "4: yes"]


def test_names_with_dollar_signs_are_not_formulas():
    model = loan_set(
        rules=(rule("no", [Threshold("$in_{come$", "<=", 1.0)], 1, 1, 0),),
        columns=(Column("$in_{come$", "numeric"),),
    )
    plot_rule_matrix(model).figure.canvas.draw()
    plot_coverage(model, pd.DataFrame({"$in_{come$": [0.0, 2.0]})).figure.canvas.draw()


@dataclass
class Point:
    size: int
    errors: float
    proved: bool = True


@pytest.mark.parametrize(
    "points",
    [
        [(5, 4), (1, 10), (3, 4), (7, 6)],
        [Point(5, 4), Point(1, 10), Point(3, 4), Point(7, 6)],
        pd.DataFrame({"size": [5, 1, 3, 7], "errors": [4, 10, 4, 6]}),
    ],
)
def test_the_trade_off_joins_only_the_best_sets(points, ax):
    plot_trade_off(points, ax=ax)
    front, dots = ax.lines
    assert front.get_xydata().tolist() == [[1, 10], [3, 4]]
    assert dots.get_xydata().tolist() == [[1, 10], [3, 4], [5, 4], [7, 6]]
    assert ax.get_legend() is None


def test_points_that_are_not_proven_are_hollow(ax):
    plot_trade_off([{"size": 1, "errors": 9}, {"size": 2, "errors": 5, "proved": False}], ax=ax)
    _, proven, hollow = ax.lines
    assert (proven.get_xdata().tolist(), hollow.get_xdata().tolist()) == ([1], [2])
    assert hollow.get_markerfacecolor() == "none"
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["proven best", "not proven"]


def test_history_draws_cost_and_bound_until_the_end(ax):
    plot_history([Progress(0.5, None, 1), Progress(1.0, 9, 2), Progress(2.0, 5, 5)], ax=ax)
    cost, bound = ax.lines
    assert bound.get_ydata().tolist() == [1, 2, 5, 5]
    assert np.isnan(cost.get_ydata()[0])
    assert cost.get_ydata()[1:].tolist() == [9, 5, 5]
    assert cost.get_xdata()[:3].tolist() == [0.5, 1.0, 2.0]


def test_history_of_a_classifier_is_in_the_users_units(ax):
    X = pd.DataFrame({"age": [21, 35, 54, 70]})
    weights = [0.1, 0.2, 0.3, 0.4]  # the search counts in tenths
    clf = DecisionSetClassifier(regularization=0.2, engine="maxsat")
    clf.fit(X, ["no", "no", "yes", "yes"], sample_weight=weights)
    assert clf.weight_scale_ == 10
    plot_history(clf, ax=ax)
    assert ax.lines[0].get_ydata()[-1] == pytest.approx(float(clf.cost_))
    assert ax.lines[1].get_ydata()[-1] == pytest.approx(float(clf.lower_bound_))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: plot_history([]), "the search left no history to draw"),
        (lambda: plot_trade_off([]), "there are no points to draw"),
        (lambda: plot_rule_matrix("model"), "str has no rules to draw"),
    ],
)
def test_nothing_to_draw_is_said(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_sets_without_rules_can_be_drawn():
    plot_rule_matrix(loan_set(rules=())).figure.canvas.draw()
    plot_coverage(loan_set(rules=()), applicants(), LABELS).figure.canvas.draw()


def test_matplotlib_is_imported_at_the_first_plot_only():
    program = "import sys, laconic.report.plots; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
