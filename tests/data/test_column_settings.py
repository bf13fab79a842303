"""What the user knows about a column shapes its conditions: in Python, on the command line and in a file."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from laconic import Binarizer, DecisionSetClassifier, load_model, save_model, verify_certificate
from laconic.checking.recheck import recheck
from laconic.data.column_settings import ColumnSettings, settings_of, settings_of_words
from laconic.data.large.open import from_files
from laconic.data.training import in_memory
from laconic.runtime.errors import InputError

INCOMES = [-9999, 99, None, 1000, 2000, 3000, 4000, 99]
X = pd.DataFrame({"age": [3, 17, 18, 19, 40, 66, 65, 64], "income": INCOMES})


def conditions(**columns):
    binarizer = Binarizer(columns=columns).fit(X[list(columns)])
    matrix = binarizer.transform(X[list(columns)])
    return {str(one.positive): matrix[:, k].tolist() for k, one in enumerate(binarizer.features_)}


def test_own_cuts_are_the_only_thresholds():
    assert list(conditions(age={"cuts": [65, 18]})) == ["age <= 18", "age <= 65"]


def test_named_bins_are_the_conditions():
    found = conditions(age={"cuts": [18, 65], "names": ["child", "adult", "old"]})
    assert list(found) == ["age is child (<= 18)", "age is adult (> 18 and <= 65)", "age is old (> 65)"]
    assert np.stack(list(found.values())).sum(axis=0).tolist() == [1] * 8


def test_one_sided_conditions():
    binarizer = Binarizer(columns={"age": {"cuts": [18, 65], "sides": ">"}}).fit(X[["age"]])
    assert [str(one.positive) for one in binarizer.features_] == ["age > 18", "age > 65"]
    assert not binarizer.allowed_[:, 0].any()


def test_intervals_are_conditions_of_their_own():
    found = conditions(age={"cuts": [18, 40, 65], "intervals": True})
    assert list(found)[3:] == ["18 < age <= 40", "18 < age <= 65", "40 < age <= 65"]
    assert found["18 < age <= 65"] == [False, False, False, True, True, False, True, True]


def test_special_codes_are_neither_numbers_nor_missing():
    found = conditions(income={"codes": [-9999, 99], "cuts": [2500]})
    assert found["income <= 2500"] == [False, False, False, True, True, False, False, False]
    assert found["income > 2500"] == [False, False, False, False, False, True, True, False]
    assert found["income is 99"] == [False, True, False, False, False, False, False, True]
    assert found["income is not 99"] == [True, False, False, True, True, True, True, False]
    assert found["income is missing"] == [False, False, True, False, False, False, False, False]


def test_thresholds_between_the_numbers_ignore_special_codes():
    binarizer = Binarizer(columns={"income": {"codes": [-9999, 99]}}).fit(X[["income"]])
    cuts = {one.positive.value for one in binarizer.features_ if one.positive.kind == "threshold"}
    assert min(cuts) >= 1000


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"age": {"cut": [1]}}, "column 'age' has no setting 'cut'; the settings are: kind, cuts"),
        (
            {"age": {"cuts": ["x"]}},
            "column 'age': cuts must be numbers, or dates such as 2024-05-31, not 'x'",
        ),
        ({"age": {"cuts": [1], "names": ["a"]}}, "column 'age': 1 cuts make 2 bins, but there are 1 names"),
        ({"age": {"sides": "<"}}, "column 'age': sides cannot be '<'; choose one of: '<=', '>'"),
        ({"age": {"kind": "category", "cuts": [1]}}, "cuts is for numbers, and the column is said to be"),
        ({"age": {"cuts": [1], "names": ["a", "b"], "sides": ">"}}, "named bins and sides exclude"),
        ({"age": 3}, "column 'age': give a kind, such as 'category', or settings, not 3"),
        ({"size": {"cuts": [1]}}, "columns names 'size', which the table lacks"),
        ({"age": {"intervals": True, "cuts": list(range(40))}}, "intervals between 40 cuts are too many"),
    ],
)
def test_settings_that_make_no_sense_are_refused_in_a_sentence(said, message):
    with pytest.raises(InputError) as caught:
        Binarizer(columns=said).fit(X)
    assert message in str(caught.value)


def test_words_of_the_command_line_say_the_same():
    words = ["age:cuts=18,65", "a:b:names=x,y", "age:sides=>", "v:intervals", "p:codes=-9999", "p:decimal=,"]
    assert settings_of_words(words) == {
        "age": {"cuts": [18.0, 65.0], "sides": ">"},
        "a:b": {"names": ["x", "y"]},
        "v": {"intervals": True},
        "p": {"codes": [-9999.0], "decimal": ","},
    }
    assert settings_of({"age": {"cuts": [18]}})["age"] == ColumnSettings(cuts=(18.0,))


def labelled(n, seed=0):
    rng = np.random.default_rng(seed)
    rows = pd.DataFrame(
        {
            "age": np.where(rng.random(n) < 0.1, np.nan, rng.integers(1, 90, n)),
            "income": rng.choice([*[-9999, 99] * 20, *range(1000, 5000, 37)], n).astype(float),
        }
    )
    y = ((rows["age"] > 40) & (rows["income"] > 2000)) | (rows["income"] == 99)
    return rows, np.where(y, "yes", "no")


SETTINGS = {"age": {"cuts": [18, 40, 65], "intervals": True}, "income": {"codes": [-9999, 99]}}


def test_the_model_stands_and_its_certificate_holds(tmp_path):
    rows, y = labelled(300)
    fitted = DecisionSetClassifier(
        regularization=0.01, binarizer=Binarizer(columns=SETTINGS), certificate=True
    ).fit(rows, y)
    save_model(fitted.decision_set_, tmp_path / "m.json")
    model = load_model(tmp_path / "m.json")
    assert recheck(model, rows, y) == []
    assert any("income is 99" in str(rule) for rule in model.rules)

    assert verify_certificate(fitted.certificate_, rows, y).holds


def test_a_direction_is_kept_by_every_rule():
    rows, y = labelled(300)
    said = {"income": {"codes": [-9999, 99], "increasing": "yes"}}
    fitted = DecisionSetClassifier(regularization=0.01, binarizer=Binarizer(columns=said)).fit(rows, y)
    for rule in fitted.rules_:
        for one in rule.literals:
            if one.column == "income" and one.kind == "threshold":
                assert (one.op == ">") == (rule.label == "yes")


def test_out_of_core_gives_the_same_training_table(tmp_path):
    rows, y = labelled(400)
    rows.assign(y=y)[:200].to_csv(tmp_path / "1.csv", index=False)
    rows.assign(y=y)[200:].to_csv(tmp_path / "2.csv", index=False)
    found = from_files(str(tmp_path / "*.csv"), "y", binarizer=Binarizer(columns=SETTINGS))
    expected = in_memory(rows, y, None, Binarizer(columns=SETTINGS))
    assert found.binarizer.features_ == expected.binarizer.features_
    assert found.columns == expected.columns
    assert (found.table.weights == expected.table.weights).all()


def test_a_file_of_settings_is_overridden_by_options(tmp_path, monkeypatch, capsys):
    from laconic.cli.main import run

    monkeypatch.chdir(tmp_path)
    rows, y = labelled(200)
    rows.assign(y=y).to_csv("t.csv", index=False)
    Path("columns.json").write_text(json.dumps(SETTINGS | {"age": {"cuts": [30]}}))
    Path("columns.toml").write_text("age = {cuts = [30]}\n[income]\ncodes = [-9999, 99]\n")
    for name in ("columns.json", "columns.toml"):
        assert run(["fit", "t.csv", "-t", "y", "-l", "0.01", "--columns", name, "-o", f"{name}.m"]) == 0
    assert Path("columns.json.m").read_bytes() == Path("columns.toml.m").read_bytes()
    options = ["--columns", "columns.toml", "--column", "age:cuts=18,40", "--column", "age:sides=>"]
    assert run(["fit", "t.csv", "-t", "y", "-l", "0.01", *options, "-o", "m.json"]) == 0
    cuts = {one.positive.text for one in load_model("m.json").features if one.positive.column == "age"}
    assert cuts == {"age > 18", "age > 40", "age is missing"}
    capsys.readouterr()
    assert run(["fit", "t.csv", "-t", "y", "--column", "age:cut=18"]) == 2
    assert "should read column:setting=value, such as age:cuts=18,65" in capsys.readouterr().err
