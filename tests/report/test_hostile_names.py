"""Names from the data are text, whatever they look like: nothing runs, nothing breaks out."""

from __future__ import annotations

import pandas as pd
import pytest
from tests.support.reports import as_rows, decision_set

from laconic import DecisionSetClassifier
from laconic.data.literals import Equals, Missing, Threshold
from laconic.report import TradeOffPoint, render_report
from laconic.runtime.texts import visible

HOSTILE = [
    "<script>window.hacked = 1</script>",
    "</script><script>window.hacked = 2</script>",
    "<img src=x onerror='window.hacked = 3'>",
    '"><svg onload=window.hacked=4>',
    "</title></style><b onclick=alert(1)>bold</b>",
    "<!-- <script>",
    "</script x",
    "<!--<script x",
    "{{ 7 * 7 }}{% raw %}",
    'it\'s "quoted" & \\escaped\\',
    "🦜 naïve\u2028line\u2029break",
    "turned\u202eround",
    "__proto__",
    "constructor",
    "x" * 300,
]


@pytest.fixture(scope="module")
def table():
    n = len(HOSTILE)
    X = pd.DataFrame(
        {f"{name} ({k})": [HOSTILE[(i + k) % n] for i in range(4 * n)] for k, name in enumerate(HOSTILE)}
    )
    X["__proto__"] = [float(i) for i in range(4 * n)]
    y = pd.Series([HOSTILE[i % n] for i in range(4 * n)], name=HOSTILE[1])
    return X, y


@pytest.fixture(scope="module")
def model(table):
    X, _ = table
    names = list(X.columns)
    rules = [
        (
            label,
            [Equals(names[k], "=", HOSTILE[k - 1]), Threshold("__proto__", ">", float(k))],
            [1] * len(HOSTILE),
        )
        for k, label in enumerate(HOSTILE)
    ]
    rules.append((HOSTILE[0], [Missing(names[0])], [1] * len(HOSTILE)))
    kinds = dict.fromkeys(names[:-1], "category") | {"__proto__": "numeric"}
    return decision_set(rules, kinds, classes=tuple(sorted(HOSTILE)))


@pytest.fixture
def page(opened, model, table):
    return opened(render_report(model, *table, points=[TradeOffPoint(3, 1.0)], title=HOSTILE[1] + HOSTILE[4]))


def test_nothing_runs_and_nothing_breaks(page):
    for button in page.page.locator("[data-preset]").all():
        button.click()
    for k in range(len(HOSTILE)):
        page.page.locator(f"#value-{k}").select_option(index=k)
    page.page.get_by_role("button", name="Show all").click()
    assert page.page.evaluate("window.hacked") is None
    assert page.page.locator("main script, main img, main b, main svg[onload], h1 b").count() == 0
    assert page.page.evaluate("document.scripts.length") == 2
    assert page.page.evaluate("({}).polluted") is None


def test_the_names_are_shown_with_every_character_visible(page):
    assert page.page.locator("h1").text_content() == HOSTILE[1] + HOSTILE[4]
    assert page.page.title() == " ".join((HOSTILE[1] + HOSTILE[4]).split())
    # HTML shows runs of white space as one; the names of the list have none.
    labels = page.page.locator("#rules .card .label").all_text_contents()
    assert labels[: len(HOSTILE)] == [visible(name) for name in HOSTILE]


def test_no_name_turns_the_words_beside_it_around(page):
    for button in page.page.locator("[data-preset]").all():
        button.click()
        said = page.page.locator("main").text_content()
        assert "turned\\u202eround" in said
        assert not set(said) & set("\u202e\u2028\u2029")


def test_predictions_are_still_pythons(page, model, table):
    X, _ = table
    assert page.predictions(as_rows(model, X)) == model.predict(X).tolist()
    assert page.covers(as_rows(model, X)) == model.covers(X).tolist()
    assert model.covers(X).any()


def test_the_policy_alone_would_stop_a_foreign_script(opened, model, table):
    html = render_report(model, *table, points=[])
    seeded = html.replace("<h1>", "<script>window.hacked = 5</script><h1>", 1)
    page = opened(seeded)
    assert page.page.evaluate("window.hacked") is None
    assert any("Content Security Policy" in text for text in page.complaints)
    page.complaints.clear()


def test_a_fitted_classifier_with_such_names_makes_a_page(opened):
    X = pd.DataFrame({HOSTILE[1]: [HOSTILE[0], HOSTILE[2]] * 4, HOSTILE[3]: range(8)})
    y = [HOSTILE[1], HOSTILE[2]] * 4
    clf = DecisionSetClassifier().fit(X, y)
    page = opened(render_report(clf, X, y, seconds=1))
    model = clf.decision_set_
    assert page.predictions(as_rows(model, X)) == y
    assert page.page.evaluate("window.hacked") is None
