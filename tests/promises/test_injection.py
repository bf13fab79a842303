"""Names from the data are data everywhere: none breaks out of a page, a query or a program."""

from __future__ import annotations

import sqlite3
from html.parser import HTMLParser

import duckdb
import numpy as np
import onnxruntime
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from laconic import DecisionSetClassifier, load_model, save_model
from laconic.report import render_report
from laconic.runtime.errors import InputError
from laconic.runtime.texts import visible

ATTACKS = [
    "</script><script>hacked()</script>",
    "<img src=x onerror=hacked()>",
    '"><b onclick="hacked()">',
    "'; DROP TABLE t; --",
    "x' OR '1'='1",
    '"; DROP TABLE t; --',
    "`; --",
    "\\'; --",
    "'''\nhacked()\n'''",
    '"""\nhacked()\n"""',
    "{hacked()}",
    "%(x)s",
    "-->",
    "]]>",
    "/* */ --",
    "é\u2028\u2029\u202e🦜",
]

# A name is at least one character that can be seen; NUL ends a text in SQLite, and is refused there.
ALPHABET = st.characters(codec="utf-8", exclude_characters="\x00", exclude_categories=["Cc", "Cs"])
NAMES = (
    st.one_of(st.sampled_from(ATTACKS), st.text(ALPHABET, min_size=1, max_size=12))
    .map(str.strip)
    .filter(bool)
)


def model_of(column, other, categories, classes):
    """A model whose rules use both columns, all categories and all classes; and its rows."""
    # Categories as such: texts such as "0" and "?" would be read as numbers.
    texts = pd.Categorical([categories[i % 2] for i in range(8)])
    X = pd.DataFrame({column: texts, other: [float(i // 4) for i in range(8)]})
    y = np.array([classes[(i % 2) ^ (i // 4)] for i in range(8)], dtype=object)
    clf = DecisionSetClassifier("perfect").fit(X, y)
    return clf.decision_set_, X, y


@st.composite
def hostile(draw):
    names = draw(st.lists(NAMES, min_size=6, max_size=6, unique_by=str.casefold))
    return names[0], names[1], names[2:4], names[4:6]


class Skeleton(HTMLParser):
    """The elements of a page and their attributes' names, without any text; and all of the text."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.elements, self.text = [], []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, tuple(name for name, _ in attrs)))

    def handle_endtag(self, tag):
        self.elements.append(("/" + tag, ()))

    def handle_comment(self, data):
        self.elements.append(("comment", ()))

    def handle_data(self, data):
        self.text.append(data)


def parsed(html):
    skeleton = Skeleton()
    skeleton.feed(html)
    skeleton.close()
    return skeleton


HARMLESS = ("alpha", "beta", ["red", "sky"], ["no", "yes"])


@settings(max_examples=10, deadline=None)
@given(names=hostile())
def test_a_page_has_the_same_elements_whatever_the_names_are(names):
    model, X, y = model_of(*names)
    calm, calm_X, calm_y = model_of(*HARMLESS)
    for page, calm_page in (
        (model._repr_html_(), calm._repr_html_()),
        (render_report(model, X, y, seconds=0), render_report(calm, calm_X, calm_y, seconds=0)),
    ):
        found, expected = parsed(page), parsed(calm_page)
        kinds = set(found.elements)
        # A chart may have more or fewer ticks and lines; nothing new may appear.
        assert kinds <= set(expected.elements)
        assert sum(tag == "script" for tag, _ in found.elements) == sum(
            tag == "script" for tag, _ in expected.elements
        )
        shown = "".join(found.text)
        for name in (names[0], *names[3]):
            assert " ".join(visible(name).split()) in " ".join(shown.split())


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


@settings(max_examples=25, deadline=None)
@given(names=hostile())
def test_a_query_answers_like_predict_and_leaves_the_table(names):
    model, X, _ = model_of(*names)
    expected = model.predict(X).tolist()
    cells = X.astype(object).to_numpy().tolist()
    listed = ", ".join(map(quoted, X.columns))
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t ({quoted(names[0])} VARCHAR, {quoted(names[1])} DOUBLE)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", cells)
        found = connection.execute(model.to_sql(dialect="duckdb", table="t")).fetchall()
        assert [row[-1] for row in found] == expected
        assert connection.execute("SELECT count(*) FROM t").fetchone() == (8,)
    with sqlite3.connect(":memory:") as connection:
        connection.execute(f"CREATE TABLE t ({listed})")
        connection.executemany("INSERT INTO t VALUES (?, ?)", cells)
        # One statement only, or sqlite3 refuses it.
        found = connection.execute(model.to_sql(dialect="sqlite", table="t")).fetchall()
        assert [row[-1] for row in found] == expected
        assert connection.execute("SELECT count(*) FROM t").fetchone() == (8,)


@settings(max_examples=40, deadline=None)
@given(names=hostile())
def test_a_program_answers_like_predict_and_runs_nothing_else(names):
    model, X, _ = model_of(*names)

    def hacked():
        raise AssertionError("a name was run")

    scope = {"hacked": hacked}
    exec(compile(model.to_python(), "exported", "exec"), scope)
    assert [scope["predict"](row) for row in X.to_dict("records")] == model.predict(X).tolist()


@settings(max_examples=15, deadline=None)
@given(names=hostile())
def test_an_onnx_model_answers_like_predict(names):
    model, X, _ = model_of(*names)
    session = onnxruntime.InferenceSession(model.to_onnx(), providers=["CPUExecutionProvider"])
    feeds = {
        one.name: X[one.name].to_numpy(np.float64 if one.type == "tensor(double)" else object)
        for one in session.get_inputs()
    }
    assert session.run(None, feeds)[0].tolist() == model.predict(X).tolist()


@settings(max_examples=60, deadline=None)
@given(names=hostile())
def test_a_model_file_gives_back_every_name(names, tmp_path_factory):
    model, X, _ = model_of(*names)
    path = tmp_path_factory.mktemp("model") / "m.json"
    save_model(model, path)
    again = load_model(path)
    assert again.predict(X).tolist() == model.predict(X).tolist()
    assert again.to_json() == model.to_json()


@pytest.mark.parametrize("where", ["column", "category", "class"])
def test_half_a_character_is_refused_at_the_door(where):
    half = "a\ud800"
    names = {"column": "x", "category": "red", "class": "no"} | {where: half}
    cells = pd.Series([names["category"], "blue"] * 3, dtype=object)
    X = pd.DataFrame({0: cells}).set_axis(pd.Index([names["column"]], dtype=object), axis=1)
    y = np.array([names["class"], "yes"] * 3, dtype=object)
    with pytest.raises(InputError, match="has half a surrogate pair"):
        DecisionSetClassifier("perfect").fit(X, y)


def test_new_rows_with_half_a_character_are_refused_in_a_sentence():
    X = pd.DataFrame({"x": ["red", "blue"] * 3})
    clf = DecisionSetClassifier("perfect").fit(X, ["no", "yes"] * 3)
    with pytest.raises(InputError, match="column 'x' has half a surrogate pair"):
        clf.predict(pd.DataFrame({"x": pd.Series(["red", "\udc80"], dtype=object)}))


@pytest.mark.filterwarnings("ignore::laconic.data.columns.ReadingWarning")  # "" means "no value"
@given(name=st.text(max_size=5))
@settings(max_examples=60, deadline=None)
def test_any_text_as_a_category_is_learned_or_refused(name):
    assume(name != "b")
    X = pd.DataFrame({"x": pd.Series([name, "b"] * 3, dtype=object)})
    try:
        clf = DecisionSetClassifier("perfect").fit(X, [0, 1] * 3)
    except InputError as refusal:
        assert "half a surrogate pair" in str(refusal)  # noqa: PT017
        return
    assert clf.predict(X).tolist() == [0, 1] * 3
