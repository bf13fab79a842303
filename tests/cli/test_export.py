"""laconic export: the right format, in the right place, or one sentence."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pandas as pd
import pytest

from laconic import load_model
from laconic.cli.inputs import Source, rows_for


def test_a_query_answers_like_laconic_predict(model, loans, laconic):
    rows = pd.read_csv(loans)
    with sqlite3.connect(":memory:") as connection:
        rows.to_sql("loans", connection, index=False)
        query = laconic("export", model, "--to", "sql", "--dialect", "sqlite", "--table", "loans").out
        found = [row[-1] for row in connection.execute(query)]
    connection.close()
    predicted = laconic("predict", model, loans).out.splitlines()[1:]
    assert found == predicted == rows["class"].tolist()


def test_without_a_table_sql_is_an_expression(model, laconic):
    text = laconic("export", model, "--to", "sql").out
    assert text.startswith("CASE\n")
    assert "SELECT" not in text
    assert text == load_model(model).to_sql()


def test_the_dialect_reaches_the_export(model, laconic):
    for dialect in ("standard", "duckdb", "sqlite"):
        found = laconic("export", model, "--to", "sql", "--dialect", dialect).out
        assert found == load_model(model).to_sql(dialect=dialect)


def test_python_answers_like_predict(model, loans, laconic):
    result = laconic("export", model, "-o", "rules.py")
    assert (result.code, result.out) == (0, "")
    scope = {}
    exec(Path("rules.py").read_text(encoding="utf-8"), scope)
    decision_set = load_model(model)
    rows = rows_for(decision_set, Source(loans))
    assert [scope["predict"](row) for row in rows.to_dict("records")] == decision_set.predict(rows).tolist()


@pytest.mark.parametrize(
    ("name", "form"), [("m.sql", "sql"), ("m.PY", "python"), ("copy.json", "json"), ("m.onnx", "onnx")]
)
def test_the_ending_of_the_file_says_the_format(model, laconic, name, form):
    assert laconic("export", model, "-o", name).code == 0
    assert laconic("export", model, "--to", form, "-o", "other").code == 0
    assert Path(name).read_bytes() == Path("other").read_bytes()


def test_json_is_the_model_itself(model, laconic):
    assert json.loads(laconic("export", model, "--to", "json").out) == json.loads(Path(model).read_text())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "say what to write with --to; choose one of: sql, python, json, onnx"),
        (["-o", "rules.txt"], "say what to write with --to; choose one of: sql, python, json, onnx"),
        (["--to", "cobol"], "unknown format 'cobol'; choose one of: sql, python, json, onnx"),
        (["--to", "onnx"], "an ONNX model is not text; say where to write it with --output"),
        (
            ["--to", "python", "--table", "t"],
            "--table belongs to --to sql, not python; leave one of them out",
        ),
        (
            ["--to", "json", "--dialect", "sqlite"],
            "--dialect belongs to --to sql, not json; leave one of them out",
        ),
        (
            ["--to", "sql", "--dialect", "mysql"],
            "unknown SQL dialect 'mysql'; choose one of: standard, duckdb, sqlite",
        ),
        (
            ["-o", "model.json"],
            "--output model.json would overwrite an input; choose another place",
        ),
    ],
)
def test_what_cannot_be_exported_is_said(model, laconic, arguments, sentence):
    before = Path(model).read_bytes()
    result = laconic("export", model, *arguments)
    assert (result.code, result.out, result.err) == (2, "", f"laconic: {sentence}\n")
    assert Path(model).read_bytes() == before


def test_explain_says_what_would_have_to_change(model, loans, laconic):
    text = laconic("explain", model, loans, "--row", 0).out
    assert text.splitlines()[-1].startswith("  it would be good, by rule ")
    (one,) = json.loads(laconic("explain", model, loans, "--row", 0, "--json").out)
    assert one["counterfactual"]["prediction"] == "good"
