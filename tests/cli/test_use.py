"""A saved model in use: predict, explain, show."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pandas as pd
import pytest

from laconic import load_model


@pytest.fixture
def zip_model(laconic, tmp_path, monkeypatch):
    """A model whose categories look like numbers: 01 is not 1."""
    monkeypatch.chdir(tmp_path)
    Path("zip.csv").write_text("zip,class\n01,a\n1,b\n01,a\n1,b\n")
    arguments = ["--type", "zip=category", "--objective", "perfect", "-o", "zip.json"]
    assert laconic("fit", "zip.csv", *arguments).code == 0
    return Path("zip.json")


def test_predictions_are_csv_in_the_order_of_the_rows(model, loans, laconic):
    result = laconic("predict", model, loans)
    labels = pd.read_csv(loans)["class"].tolist()
    assert (result.code, result.err) == (0, "")
    assert result.out.splitlines() == ["prediction", *labels]


def test_rows_are_read_as_the_training_rows_were(zip_model, laconic):
    Path("new.csv").write_text("zip\n01\n01\n")  # on its own this column would be numbers
    assert laconic("predict", zip_model, "new.csv").out.split() == ["prediction", "a", "a"]
    assert (
        laconic("explain", zip_model, "new.csv", "-r", 1).out.splitlines()[1].endswith("01 (it is 01) THEN a")
    )


def test_predictions_can_carry_the_table_and_probabilities(model, loans, laconic):
    laconic("predict", model, loans, "--with-data", "--probabilities", "-o", "out.csv")
    found = pd.read_csv("out.csv")
    assert found.columns.tolist() == [
        *("age", "job", "owner", "class"),
        *("prediction", "probability bad", "probability good"),
    ]
    assert (found["prediction"] == found["class"]).all()
    assert found[["probability bad", "probability good"]].sum(axis=1).round(9).eq(1).all()


def test_predictions_can_be_written_as_any_kind_of_file(model, loans, laconic):
    for name in ("p.csv", "p.csv.gz", "p.parquet", "p.json"):
        result = laconic("predict", model, loans, "-o", name)
        assert (result.code, result.out, result.err) == (0, "", f"8 predictions in {name}\n")
    expected = pd.read_csv("p.csv")
    assert gzip.decompress(Path("p.csv.gz").read_bytes()) == Path("p.csv").read_bytes()
    pd.testing.assert_frame_equal(pd.read_parquet("p.parquet"), expected)
    assert json.loads(Path("p.json").read_text()) == expected.to_dict("records")


def test_predictions_as_json_hold_null_for_missing_cells(model, loans, laconic):
    records = json.loads(laconic("predict", model, loans, "--with-data", "--json").out)
    assert records[6] == {
        "age": None, "job": "driver", "owner": False, "class": "bad", "prediction": "bad",
    }  # fmt: skip


def test_a_column_called_prediction_is_never_hidden(model, loans, laconic):
    text = loans.read_text().replace("class", "prediction")
    Path("p.csv").write_text(text)
    result = laconic("predict", model, "p.csv", "--with-data")
    assert result.code == 2
    assert result.err == (
        "laconic: p.csv has a column 'prediction' already; rename it or leave --with-data out\n"
    )


def test_abstaining_marks_rows_that_no_rule_covers(zip_model, laconic):
    Path("odd.csv").write_text("zip\n01\n02\n1\n")
    assert laconic("predict", zip_model, "odd.csv", "--abstain", "?").out.split()[1:] == ["a", "?", "b"]
    assert laconic("predict", zip_model, "odd.csv").out.split()[1:] == ["a", "a", "b"]


def test_explain_names_the_rule_and_the_values(model, loans, laconic):
    result = laconic("explain", model, loans, "--row", 4, "--row", 0)
    assert result.code == 0
    first, why, *rest = result.out.splitlines()
    assert first == "row 4: good, because"
    assert "(it is 57)" in why
    assert any(line.startswith("row 0: bad") for line in rest)


def test_explain_without_rows_explains_all(model, loans, laconic):
    found = json.loads(laconic("explain", model, loans, "--json").out)
    assert [one["row"] for one in found] == list(range(8))
    assert [one["prediction"] for one in found] == pd.read_csv(loans)["class"].tolist()
    one = found[4]
    deciding = one["rules"][one["deciding_rule"] - 1]
    assert one["reason"] == "rule"
    assert deciding["covers"]
    assert all(condition["holds"] for condition in deciding["conditions"])


def test_a_row_that_does_not_exist_is_refused(model, loans, laconic):
    for row in (8, -1):
        result = laconic("explain", model, loans, f"--row={row}")
        assert (result.code, result.out) == (2, "")
        assert result.err == f"laconic: --row {row} does not exist: loans.csv has rows 0 to 7\n"


def test_show_says_what_was_minimised_and_what_is_proved(model, laconic):
    size = load_model(model).size
    shown = laconic("show", model).out
    assert shown.startswith(str(load_model(model)))
    assert "minimised   smallest size, without avoidable errors\n" in shown
    assert f"proved      no decision set costs less than {size}\n" in shown
    assert "learned on  8 rows (" in shown


def test_show_says_how_large_the_gap_is_and_why(hard_csv, laconic, tmp_path):
    out = tmp_path / "m.json"
    laconic("fit", hard_csv, "--objective", "perfect", "--engine", "sat", "--time-limit", 0.3, "-o", out)
    proof = load_model(out).proof
    shown = laconic("show", out).out
    assert f"proved      cost {proof.cost}, no set below {proof.lower_bound} (gap " in shown
    assert shown.count("stopped by the time limit") == 1


def test_show_prices_a_unit_of_size_in_errors(loans, laconic):
    laconic("fit", loans, "--lambda", 0.2, "--counting", "per_row", "-o", "m.json")
    assert "minimised   errors (per row) + 2 × size, λ = 0.2\n" in laconic("show", "m.json").out
