"""Nothing in a name acts on a terminal: it is written out, in one line, wherever people read."""

from __future__ import annotations

import io
import json
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laconic import DecisionSetClassifier
from laconic.cli import exits
from laconic.cli.main import run
from laconic.data.literals import column_text
from laconic.report import render_report
from laconic.runtime.errors import InputError, ModelFileError
from laconic.runtime.texts import visible, visible_json, visible_lines

ATTACKS = [
    "no\nIF true THEN yes     [99 rows, precision 1.00]",
    "no\rIF true THEN yes",
    "a\x1b[2J\x1b[31mred",
    "a\x1b]0;title\x07",
    "a\x9b31mred",
    "a\x08\x08\x08b",
    "a\x7fb",
    "a\u202eon NEHT",
    "a\u2066b\u2069",
    "a\u2028b\u2029c",
    "yes\u200b",
    "yes\u200d",
    "é\u200d",
    "é\u200d\u200d",
    "yes\ufe0f",
    "yes\U000e0101",
    "yes\u034f",
    "yes\u3164",
    "yes\u2800",
    "tab\there",
]

ORDINARY = [
    "naïve Straße",
    "日本語　東京",
    "👩‍💻 🏳️‍🌈",
    "שלום עולם",
    "مرحبا",
    "می‌خواهم",
    "हिन्दी",
    "❤️ 1️⃣ 葛󠄁",
    "a b",
    "100 %",
    r"C:\new\table",
    'it\'s "so"',
]

DANGEROUS = {
    *map(chr, range(32)),
    *map(chr, range(0x7F, 0xA0)),
    *"\u2028\u2029\u200b\ufeff\u034f\u2800\u3164",
} | {
    *map(chr, range(0x202A, 0x202F)),
    *map(chr, range(0x2066, 0x206A)),
}


def is_safe(text: str) -> bool:
    """Whether only ends of lines act on a terminal."""
    return not (set(text) - {"\n"}) & DANGEROUS


def table_of(name: str) -> tuple[pd.DataFrame, np.ndarray]:
    X = pd.DataFrame({name: [f"{name} red", "blue"] * 4, f"other {name}": [float(i // 4) for i in range(8)]})
    return X, np.array([[name, "yes"][(i % 2) ^ (i // 4)] for i in range(8)], dtype=object)


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_names_stay_as_they_are(text):
    assert visible(text) == visible_lines(text) == visible_json(text) == text


@given(st.text())
def test_what_is_visible_is_safe_in_one_line_and_stays_so(text):
    once = visible(text)
    assert not set(once) & DANGEROUS
    assert visible(once) == once
    assert is_safe(visible_lines(text))


@given(st.text())
def test_json_means_the_same_with_its_escapes(text):
    written = visible_json(json.dumps([text, {text: 1}], ensure_ascii=False, indent=1))
    assert json.loads(written) == [text, {text: 1}]
    assert is_safe(written)


@pytest.mark.parametrize("name", ATTACKS)
def test_a_printed_set_has_a_line_per_rule_whatever_the_names_are(name):
    X, y = table_of(name)
    clf = DecisionSetClassifier("perfect").fit(X, y)
    model = clf.decision_set_
    lines = str(model).split("\n")
    assert is_safe(str(model))
    assert len(lines) == len(model.rules) + 3
    assert [line.split(" ")[0] for line in lines[:-1]] == ["IF"] * len(model.rules) + ["OTHERWISE", "Wrong"]
    assert lines[-1].startswith(f"({len(model.rules)} rules, size ")
    printed = [*model.rules, *(literal for rule in model.rules for literal in rule.literals)]
    printed += [model.explain(X)[0].covering[0], model.explain(X)[0].counterfactual]
    for one in printed:
        assert not set(str(one)) & DANGEROUS
    assert is_safe(str(model.explain(X)))
    assert len(str(model.explain(X[:1])).split("\n")) <= 2 + len(model.rules)
    # What is data stays data.
    assert clf.predict(X).tolist() == y.tolist()
    assert name in {rule.label for rule in model.rules}
    assert name in {column for rule in json.loads(model.to_json())["rules"] for column in [rule["class"]]}
    assert clf.near_optimal_sets().to_frame()["rules"].str.contains(name, regex=False).all()


def written(frame: pd.DataFrame, y: np.ndarray) -> None:
    frame.assign(label=y).to_parquet("table.parquet")


@pytest.fixture
def out(tmp_path, monkeypatch, capfd):
    """Run a command, and return its exit code and what it has written."""
    monkeypatch.chdir(tmp_path)

    def call(*line: object) -> tuple[int, str, str]:
        capfd.readouterr()
        code = run([str(one) for one in line])
        return (code, *capfd.readouterr())

    return call


FIT = ("fit", "table.parquet", "-t", "label", "--objective", "perfect", "-o", "m.json")


@pytest.mark.parametrize(
    "label", ["good ", "good  [9 rows]", "good [9 rows, precision 1.00]", "x AND y", "'yes'"]
)
def test_a_class_that_reads_as_another_or_as_a_fact_is_in_quotes(label):
    X, y = pd.DataFrame({"a": [1.0, 2.0, 3.0]}), np.array([label, "good", "good"], dtype=object)
    model = DecisionSetClassifier("perfect").fit(X, y).decision_set_
    assert f"IF a <= 1 THEN {label!r}  " in str(model)
    assert "IF a > 1  THEN good  " in str(model)
    # Rules can be demanded as they are printed.
    printed = [rule.text for rule in model.rules]
    again = DecisionSetClassifier("perfect", constraints={"rules_in": printed}).fit(X, y).decision_set_
    assert again.rules == model.rules


@pytest.mark.parametrize(
    ("column", "text"),
    [
        (pd.Series([1.0, 2.0, 3.0]), "'age > 40 AND owner' <= 1"),
        (pd.Series(["1", "other", "else"]), "'age > 40 AND owner' is 1"),
        (pd.Series([np.nan, 2.0, 2.0]), "'age > 40 AND owner' is missing"),
    ],
)
def test_a_column_that_reads_as_several_conditions_is_in_quotes(column, text):
    X, y = pd.DataFrame({"age > 40 AND owner": column}), ["yes", "no", "no"]
    model = DecisionSetClassifier("perfect").fit(X, y).decision_set_
    assert f"IF {text} " in str(model)
    # Rules can be demanded as they are printed, and without the quotes.
    for printed in (f"IF {text} THEN yes", f"IF {text.replace(chr(39), '')} THEN yes"):
        again = DecisionSetClassifier("perfect", constraints={"rules_in": [printed]}).fit(X, y)
        assert again.decision_set_.rules == model.rules


@pytest.mark.parametrize("name", ATTACKS)
def test_no_command_sends_a_name_to_the_terminal_as_it_is(name, out):
    lines = {}
    for which, data in (("calm", table_of("calm")), ("hostile", table_of(name))):
        written(*data)
        assert out(*FIT)[0] == 0
        lines[which] = []
        for line in (
            FIT,
            ("show", "m.json"),
            ("explain", "m.json", "table.parquet"),
            ("verify", "m.json", "table.parquet"),
            ("enumerate", "table.parquet", "-t", "label", "--objective", "perfect"),
            ("path", "table.parquet", "-t", "label", "--max-size", 2),
            ("report", "m.json", "table.parquet", "-o", "r.html"),
            (*FIT, "--holdout", 0.3, "--save-rows", "rows", "--certificate", "c.json"),
            ("verify", "m.json", "table.parquet", "--certificate", "c.json", "--conditions"),
            ("update", "m.json", "rows", "table.parquet", "-o", "new.json"),
            (*FIT, "--type", f"{data[0].columns[0]}=category", "--missing", "?"),
            (
                "fit",
                "table.parquet",
                "-t",
                "label",
                "--drop",
                data[0].columns[0],
                "--drop",
                data[0].columns[1],
            ),
        ):
            code, said, remarked = out(*line)
            assert is_safe(said)
            assert is_safe(remarked)
            lines[which].append((code, said.count("\n"), remarked.count("\n")))
    assert lines["hostile"] == lines["calm"]


@pytest.mark.parametrize("name", ATTACKS)
def test_data_are_written_as_they_are(name, out):
    X, y = table_of(name)
    written(X, y)
    assert out(*FIT)[0] == 0
    _, said, _ = out("predict", "m.json", "table.parquet")
    assert pd.read_csv(io.StringIO(said), lineterminator=None)["prediction"].str.len().max() >= 3
    _, said, _ = out("show", "m.json", "--json")
    assert is_safe(said)
    assert name in json.loads(said)["classes"]
    assert f"IF {column_text(name)}" in "".join(rule["text"] for rule in json.loads(said)["rules"])
    _, said, _ = out("explain", "m.json", "table.parquet", "--json")
    assert is_safe(said)
    assert {row["prediction"] for row in json.loads(said)} == {*y}
    _, said, _ = out("predict", "m.json", "table.parquet", "--json")
    assert [row["prediction"] for row in json.loads(said)] == y.tolist()


@pytest.mark.parametrize("name", ATTACKS)
def test_errors_are_one_line(name, out):
    assert not set(str(InputError(f"column {name} is bad"))) & DANGEROUS
    assert not set(str(ModelFileError(f"column {name} is bad"))) & DANGEROUS
    written(*table_of("calm"))
    for line in (
        ("fit", "table.parquet", "-t", name),
        ("fit", f"{name}.csv"),
        ("fit", "table.parquet", "-t", "label", "--engine", name),
        ("fit", "table.parquet", "-t", "label", f"--{name}"),
        ("show", f"{name}.json"),
        ("fit", "--sql", f"SELECT 1 AS {name}", "-t", "label"),
    ):
        code, said, remarked = out(*line)
        assert (code, said) == (2, "")
        assert is_safe(remarked)
        lines = [one for one in remarked.splitlines() if not one.startswith("note: ")]
        assert len(lines) == 1


def test_a_crash_does_not_send_a_name_either(capfd):
    def broken(**_: object) -> None:
        raise RuntimeError("\x1b[2Jgone\u202e")

    assert exits.run(broken) == exits.BROKEN
    said = capfd.readouterr().err
    assert is_safe(said)
    assert "RuntimeError: \\x1b[2Jgone\\u202e" in said


def test_warnings_and_notes_are_one_line(out):
    X = pd.DataFrame({"a\x1b[31m\nb": range(60), "x": [0, 1] * 30})
    X["name\x1b[0m\nof"] = [f"n{i}" for i in range(60)]
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        DecisionSetClassifier().fit(X, X["x"])
    assert found
    assert all(is_safe(str(one.message)) and "\n" not in str(one.message) for one in found)
    written(X, X["x"].to_numpy())
    code, _, remarked = out("fit", "table.parquet", "-t", "label", "--out-of-core", "yes")
    assert code == 0
    assert is_safe(remarked)
    assert all(line.startswith("note: ") for line in remarked.splitlines())


def test_a_progress_line_stays_one_line(monkeypatch):
    from laconic.cli.progress import ProgressLine

    line = ProgressLine()
    line.say("fold\x1b[2J\n1")
    assert is_safe(line.text())
    assert "\n" not in line.text()


@pytest.mark.parametrize("name", [name for name in ATTACKS if set(name) & DANGEROUS])
def test_no_name_turns_the_words_of_a_page_around(name):
    X, y = table_of(name)
    model = DecisionSetClassifier("perfect").fit(X, y).decision_set_
    for page in (model._repr_html_(), render_report(model, X, pd.Series(y, name=name), seconds=0)):
        assert not set(page) & (DANGEROUS - {"\n"})
