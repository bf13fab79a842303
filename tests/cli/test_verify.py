from __future__ import annotations

import json
from pathlib import Path

import pytest

from laconic import load_model


def test_a_model_stands_on_its_own_data(model, loans, laconic):
    size = load_model(model).size
    result = laconic("verify", model, loans)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(
        "model.json stands on loans.csv: the fingerprint of the data, rows predicted wrongly (0), "
        f"errors (0), size ({size}) and cost ({size}) are as recounted.\n"
    )
    assert "was not proved again" in result.out
    assert json.loads(laconic("verify", model, loans, "--json").out) == {
        "stands": True, "problems": [], "target": "class", "weight_column": None, "rows": 8, "read_with": [],
        "claims_optimal": True,
    }  # fmt: skip


def test_the_order_of_rows_and_columns_does_not_matter(model, loans, laconic):
    head, *rows = loans.read_text().splitlines()
    turned = [",".join(reversed(line.split(","))) for line in [head, *reversed(rows)]]
    Path("turned.csv").write_text("\n".join(turned))
    assert laconic("verify", model, "turned.csv").code == 0


def test_one_changed_cell_is_noticed(model, loans, laconic):
    Path("other.csv").write_text(loans.read_text().replace("25,clerk,true,bad", "25,clerk,true,good"))
    result = laconic("verify", model, "other.csv")
    assert result.code == 1
    assert result.out == (
        "model.json does not stand on other.csv:\n"
        "  - this is not the data the model was trained on (the fingerprint of the binary table differs)\n"
    )
    assert json.loads(laconic("verify", model, "other.csv", "--json").out)["stands"] is False


def test_an_unknown_label_is_noticed(model, loans, laconic):
    Path("other.csv").write_text(loans.read_text().replace("true,bad", "true,awful"))
    result = laconic("verify", model, "other.csv")
    assert result.code == 1
    assert "the data has label 'awful', which the model does not know" in result.out


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (
            lambda m: m["rules"][0].update(rows=3 + m["rules"][0]["rows"]),
            "'IF age <= 40 THEN bad' is said to cover 6 rows, but covers 3",
        ),
        (
            lambda m: m["proof"].update(unavoidable_errors=1),
            "the weight of the unavoidable errors should be 0, not 1",
        ),
    ],
)
def test_a_forged_fact_is_named(change, problem, model, loans, laconic):
    document = json.loads(model.read_text())
    change(document)
    model.write_text(json.dumps(document))
    result = laconic("verify", model, loans)
    assert (result.code, result.err) == (1, "")
    assert f"  - {problem}\n" in result.out


def test_forged_errors_that_add_up_are_recounted(loans, laconic):
    laconic("fit", loans, "--lambda", 0.1, "-o", "m.json")
    document = json.loads(Path("m.json").read_text())
    document["proof"]["errors"] -= 1
    document["proof"]["cost"] -= document["proof"]["error_cost"]
    document["proof"]["lower_bound"] = document["proof"]["cost"]
    Path("m.json").write_text(json.dumps(document))
    result = laconic("verify", "m.json", loans)
    right = document["proof"]["errors"] + 1
    assert result.code == 1
    assert f"  - the weight of the errors should be {right}, not {right - 1}\n" in result.out
    assert f"  - claimed cost {document['proof']['cost']}, recounted " in result.out


def test_the_label_column_is_the_one_with_the_models_classes(loans, laconic):
    laconic("fit", loans, "-t", "class", "--drop", "owner", "--drop", "age", "-o", "m.json")
    result = laconic("verify", "m.json", loans, "--json")
    assert result.code == 0
    assert json.loads(result.out)["target"] == "class"


def test_a_label_column_that_is_not_clear_is_asked_for(loans, laconic):
    lines = [f"{line},{line.rpartition(',')[2]}" for line in loans.read_text().splitlines()]
    Path("two.csv").write_text("\n".join([lines[0] + "2", *lines[1:]]))
    laconic("fit", "two.csv", "-t", "class", "--drop", "class2", "-o", "m.json")
    assert laconic("verify", "m.json", "two.csv").code == 0  # the model remembers
    forgetful = json.loads(Path("m.json").read_text())
    del forgetful["origin"]
    Path("m.json").write_text(json.dumps(forgetful))
    result = laconic("verify", "m.json", "two.csv")
    assert result.code == 2
    assert result.err == (
        "laconic: cannot tell which column of two.csv holds the labels; name it with --target\n"
    )
    assert laconic("verify", "m.json", "two.csv", "--target", "class").code == 0


def test_labels_and_categories_are_read_as_in_training(laconic, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("zip,class\n01,007\n1,7\n01,007\n1,7\n")
    types = ["--type", "zip=category", "--type", "class=category"]
    assert laconic("fit", "t.csv", *types, "--objective", "perfect", "-o", "m.json").code == 0
    assert load_model("m.json").classes == ("007", "7")
    assert laconic("verify", "m.json", "t.csv").code == 0


def test_weights_belong_to_the_data(laconic, tmp_path):
    table, out = tmp_path / "w.csv", tmp_path / "m.json"
    table.write_text("a,w,class\n0,3,x\n0,1,y\n1,1,y\n1,0.5,x\n1,0,x\n")
    assert laconic("fit", table, "--weight-column", "w", "-o", out).code == 0
    assert laconic("verify", out, table, "--weight-column", "w").code == 0
    assert laconic("verify", out, table).code == 0  # the model remembers
    forgetful = json.loads(out.read_text())
    del forgetful["origin"]
    out.write_text(json.dumps(forgetful))
    assert laconic("verify", out, table, "--target", "class").code == 1


def test_a_proof_can_be_required(hard_csv, laconic, tmp_path):
    out = tmp_path / "m.json"
    laconic("fit", hard_csv, "--objective", "perfect", "--engine", "sat", "--time-limit", 0.3, "-o", out)
    assert laconic("verify", out, hard_csv).code == 0
    result = laconic("verify", out, hard_csv, "--require-proof")
    assert result.code == 1
    assert "  - it is not proven optimal, as --require-proof asks\n" in result.out


def test_a_model_without_proof_facts_is_refused(model, loans, laconic):
    document = json.loads(model.read_text())
    document["proof"] = None
    model.write_text(json.dumps(document))
    result = laconic("verify", model, loans)
    assert result.code == 2
    assert result.err == (
        "laconic: this model has no proof facts to check; save one from a fitted classifier\n"
    )
