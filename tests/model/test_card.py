"""The notebook card: complete, self-contained, escaped."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser

import pandas as pd
import pytest
from sklearn import config_context
from tests.support.models import loan_set, rule

from laconic import DecisionSetClassifier
from laconic.data.column import Column
from laconic.data.literals import Equals, Threshold
from laconic.model.card import SHOWN_AT_ONCE, badge_text

X = pd.DataFrame({"age": [21, 35, 54, 70], "colour": ["red", "blue", "red", "blue"]})


class Page(HTMLParser):
    """The tags, attributes and text of a piece of HTML; complains about tags that do not match."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.attributes, self.text, self._open = [], [], "", []
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        self._open.append(tag)

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        if self._open[-1:] != ["style"]:
            self.text += data


def classifier(**settings):
    return DecisionSetClassifier(**{"objective": "perfect", "engine": "maxsat", **settings})


def fitted(**settings):
    return classifier(**settings).fit(X, ["no", "yes", "no", "yes"])


def test_a_card_says_rules_figures_and_proof():
    text = Page(fitted().decision_set_._repr_html_()).text
    assert text == (
        "proven smallestWrong on 0 of 4 training rows.2 rules, size 4."
        "IF colour is red THEN no2 rows, precision 1.00, 100 % of no (100 % by this rule alone)"
        "IF colour is blue THEN yes2 rows, precision 1.00, 100 % of yes (100 % by this rule alone)"
        "OTHERWISE THEN nodefault: every training row is covered"
    )


def test_bars_are_shares_of_all_rows():
    model = replace(loan_set(), class_weights=(Fraction(12), Fraction(8)))
    page = Page(model._repr_html_())
    widths = [value for name, value in page.attributes if name == "style" and value.startswith("width")]
    assert widths[:2] == ["width:40.00%", "width:10.00%"]  # 8 right and 2 wrong of 20
    assert widths[-2:] == ["width:10.00%", "width:5.00%"]  # the default's 2 and 1
    labels = [value for name, value in page.attributes if name == "aria-label"]
    assert labels[0] == "covers 50 % of all rows; 10 % are of other classes"


def test_an_else_takes_the_place_of_the_default():
    page = Page(loan_set(else_rule=rule("yes", [], 3, 2, 1))._repr_html_())
    assert "ELSE THEN yes3 rows, precision 0.33" in page.text
    assert "OTHERWISE" not in page.text


def test_whatever_comes_from_the_user_is_escaped():
    evil = "<script>alert('x')</script>\"&amp;"
    model = loan_set(
        rules=(rule("no", [Equals(evil, "=", evil), Threshold("age", ">", 1.0)], 1, 1, 0),),
        columns=(Column(evil, "category"), Column("age", "numeric")),
    )
    model = replace(
        model, classes=(evil, "yes"), default_class=evil, rules=(replace(model.rules[0], label=evil),)
    )
    page = Page(model._repr_html_())
    assert "script" not in page.tags
    assert page.text.count(evil) == 4  # column, value, class, default


def test_the_card_needs_nothing_from_elsewhere():
    html = fitted().decision_set_._repr_html_()
    for word in ("http", "src=", "url(", "@import", "<script", "<link"):
        assert word not in html


def test_many_rules_are_folded_away():
    rules = tuple(rule("no", [Threshold("age", "<=", float(k))], 1, 1, 0) for k in range(SHOWN_AT_ONCE + 3))
    page = Page(loan_set(rules=rules)._repr_html_())
    assert page.tags.count("details") == 1
    assert "4 more" in page.text  # three rules and the default
    assert f"age <= {SHOWN_AT_ONCE + 2} " in page.text


def test_badges_never_promise_more_than_is_proved():
    proof = fitted().decision_set_.proof
    assert badge_text(replace(proof, objective="sparse")) == "proven best"
    assert badge_text(replace(proof, objective="min_rules")) == "proven fewest rules"
    for cost, bound, percent in (
        (100, 96, 4),
        (1000, 961, 4),
        (1000, 960, 4),
        (1000, 959, 5),
        (10**6, 999_999, 1),
    ):
        found = badge_text(replace(proof, cost=cost, lower_bound=bound))
        assert found == f"within {percent} % of the smallest possible"


def test_a_set_without_proof_has_no_badge():
    html = loan_set()._repr_html_()
    assert 'class="badge' not in html
    assert "3 rules, size 7" in Page(html).text


def test_an_unfitted_classifier_keeps_the_diagram_of_scikit_learn():
    html = classifier()._repr_html_()
    assert "sk-top-container" in html
    assert "laconic-set" not in html


def test_a_fitted_classifier_shows_its_rules_and_then_the_diagram():
    clf = fitted()
    html = clf._repr_mimebundle_()["text/html"]
    assert html.index("colour is red") < html.index("sk-top-container")
    assert "colour is red" in clf._repr_html_()


def test_the_text_display_of_scikit_learn_is_respected():
    with config_context(display="text"):
        assert "text/html" not in fitted()._repr_mimebundle_()
        with pytest.raises(AttributeError):
            fitted()._repr_html_()


def test_constraints_are_said_and_escaped():
    y = ["no", "yes", "no", "yes"]
    constraints = {"max_rules": 3, "rules_out": ["IF age <= 40 THEN no"]}
    clf = DecisionSetClassifier(objective="perfect", constraints=constraints).fit(X, y)
    text = Page(clf.decision_set_._repr_html_()).text
    assert "among the sets that respect max_rules = 3; rules_out = IF age <= 40 THEN no" in text
    free = DecisionSetClassifier(objective="perfect").fit(X, y)
    assert "respect" not in Page(free.decision_set_._repr_html_()).text
