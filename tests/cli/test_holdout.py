from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from laconic import load_model


@pytest.fixture
def iris(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = load_iris(as_frame=True)
    frame = data.data.assign(kind=data.target_names[data.target])
    frame.to_csv("iris.csv", index=False)
    return Path("iris.csv")


@pytest.fixture
def held_out(iris, laconic):
    result = laconic("fit", iris, "-t", "kind", "--lambda", 0.02, "--holdout", 0.2, "-o", "m.json")
    assert result.code == 0
    return result


def test_a_share_is_not_learned_from_and_counted(iris, held_out):
    model = load_model("m.json")
    frame = pd.read_csv(iris)
    assert model.proof.n_samples == 120
    assert [float(weight) for weight in model.class_weights] == [40, 40, 40]
    assert (model.held_out.rows, model.held_out.of_rows) == (30, 150)
    wrong = int((model.predict(frame) != frame["kind"]).sum())
    assert model.held_out.wrong == wrong - model.mispredicted
    assert f"held out (20 % of the table): {100 * model.held_out.accuracy:.1f} %" in held_out.out


def test_verify_counts_both_parts_again_and_notices_edits(iris, held_out, laconic):
    result = laconic("verify", "m.json", iris)
    assert result.code == 0
    assert "So are its predictions for the rows held out: wrong on " in result.out
    assert "; 30 of 150 rows were held out, as the model file says" in result.out
    assert json.loads(laconic("verify", "m.json", iris, "--json").out)["held_out"]["rows"] == 30
    file = json.loads(Path("m.json").read_text())
    file["held_out"]["wrong"] += 1
    Path("forged.json").write_text(json.dumps(file))
    forged = laconic("verify", "forged.json", iris)
    assert forged.code == 1
    assert "on the rows held out it is wrong on " in forged.out
    file["held_out"]["wrong"] -= 1
    file["held_out"]["seed"] = 1  # other rows: those are not the training rows any more
    Path("forged.json").write_text(json.dumps(file))
    assert laconic("verify", "forged.json", iris).code == 1


def test_verify_notices_another_number_of_wrong_rows(iris, held_out, laconic):
    file = json.loads(Path("m.json").read_text())
    file["mispredicted"] += 1
    Path("forged.json").write_text(json.dumps(file))
    forged = laconic("verify", "forged.json", iris)
    assert forged.code == 1
    assert "the weight of the rows predicted wrongly is said to be" in forged.out


def test_its_certificate_is_checked_on_the_rows_learned_from(iris, laconic):
    command = ("fit", iris, "-t", "kind", "--lambda", 0.05, "--holdout", 0.3, "--seed", 7)
    assert laconic(*command, "-o", "m.json", "--certificate", "c.json").code == 0
    assert load_model("m.json").held_out.seed == 7
    result = laconic("verify", "m.json", iris, "--certificate", "c.json", "--require-proof")
    assert result.code == 0
    assert "c.json holds on iris.csv: optimal" in result.out


def test_the_rows_of_a_file_are_counted(iris, laconic):
    frame = pd.read_csv(iris)
    draw = np.random.default_rng(0).permutation(150)
    frame.iloc[draw[:100]].to_csv("train.csv", index=False)
    frame.iloc[draw[100:]].to_csv("test.csv", index=False)
    command = ("-t", "kind", "--lambda", 0.02, "--holdout", "test.csv")
    result = laconic("fit", "train.csv", *command, "-o", "m.json", "--report", "r.html")
    model = load_model("m.json")
    test = pd.read_csv("test.csv")
    assert model.held_out.wrong == int((model.predict(test) != test["kind"]).sum())
    assert "of 50 rows held out (test.csv)" in result.out
    assert "held out (test.csv)" in Path("r.html").read_text()
    found = json.loads(laconic("fit", "train.csv", *command, "--json").out)
    assert found["held_out"] == model.held_out.to_dict()
    assert found["mispredicted"] == model.mispredicted
    # A report can be given the file as well.
    laconic("fit", "train.csv", "-t", "kind", "--lambda", 0.02, "-o", "plain.json")
    again = laconic("report", "plain.json", "train.csv", "--holdout", "test.csv", "-o", "p.html")
    assert again.code == 0
    assert "held out (test.csv)" in Path("p.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--holdout", "2"), "a share between 0 and 1"),
        (("--holdout", "nan"), "a share between 0 and 1"),
        (("--holdout", "0.001"), "leaves no row to hold out"),
        (("--holdout", "nowhere.csv"), "there is no file 'nowhere.csv'"),
        (("--holdout", "iris.csv"), "is a table that is learned from"),
        (("--holdout", "0.2", "--out-of-core", "yes"), "needs a table in memory"),
    ],
)
def test_bad_rows_to_hold_out_are_refused(iris, laconic, arguments, message):
    result = laconic("fit", iris, "-t", "kind", "--lambda", 0.05, *arguments)
    assert result.code == 2
    assert message in result.err
    assert len(result.err.strip().splitlines()) == 1


def test_a_report_cannot_draw_a_share(iris, held_out, laconic):
    result = laconic("report", "m.json", iris, "--holdout", "0.2")
    assert result.code == 2
    assert "--holdout needs a file here" in result.err
    assert laconic("report", "m.json", iris, "-o", "r.html").code == 0
    assert "of 120 wrong: training rows" in Path("r.html").read_text()


def test_what_is_printed_adds_up_where_every_class_gets_a_rule(iris, laconic):
    frame = pd.read_csv(iris)
    frame.loc[::7, "kind"] = "virginica"  # contradictions are set aside
    frame = frame.round(0)
    frame.to_csv("noisy.csv", index=False)
    for options in (("--every-class",), ("--counting", "per_row"), ("--default", "otherwise")):
        command = ("fit", "noisy.csv", "-t", "kind", "--lambda", 0.1, *options)
        line = next(one for one in laconic(*command).out.splitlines() if one.startswith("("))
        parts = line.strip("()").replace(",", "").split()
        cost, errors, price, size = (float(parts[parts.index("cost") + k]) for k in (1, 3, 5, 7))
        assert cost == pytest.approx(errors + price * size)
        found = json.loads(laconic(*command, "--json").out)
        assert (found["cost"], found["errors"] - found["unavoidable_errors"]) == (cost, errors)
        assert ("set aside" in line) == (found["unavoidable_errors"] > 0)
