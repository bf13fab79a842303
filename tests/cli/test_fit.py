from __future__ import annotations

import json
from pathlib import Path

import pytest

from laconic import DecisionSetClassifier, load_model
from laconic.checking.recheck import recheck
from laconic.data.columns import KINDS, METHODS
from laconic.engines import registry
from laconic.learning.learn import DEFAULT_ENGINE
from laconic.problem.objective import Counting, Kind


def test_fit_prints_the_rules_and_saves_the_model(loans, laconic):
    result = laconic("fit", loans, "--target", "class", "--objective", "perfect", "-o", "model.json")
    assert result.code == 0
    saved = load_model("model.json")
    assert result.out == f"{saved}\n"
    assert "proven optimal" in result.out
    assert result.err.startswith("saved in model.json after ")


def test_fit_gives_what_the_classifier_gives(iris_csv, laconic, tmp_path):
    import pandas as pd

    out = tmp_path / "m.json"
    assert laconic("fit", iris_csv, "--lambda", 0.02, "--counting", "per_row", "-o", out).code == 0
    frame = pd.read_csv(iris_csv)
    expected = DecisionSetClassifier(regularization=0.02, counting="per_row")
    expected.fit(frame.drop(columns="species"), frame["species"])
    assert load_model(out).rules == expected.decision_set_.rules


@pytest.mark.parametrize(
    ("arguments", "facts"),
    [
        ([], {"objective": "sparse", "lambda": 0.1, "counting": "per_class", "engine": DEFAULT_ENGINE}),
        (["--lambda", "auto"], {"objective": "sparse", "lambda": 0.1}),
        (["--lambda", "0.05"], {"objective": "sparse", "lambda": 0.05}),
        (["--lambda", "0.2", "--every-class"], {"lambda": 0.2, "every_class": True}),
        (["--objective", "min_rules", "--engine", "brute"], {"engine": "brute", "n_rules": 4}),
        (["--objective", "min_rules", "--engine", "minrules"], {"engine": "minrules", "n_rules": 4}),
        (
            ["--objective", "min_rules_then_literals", "--engine", "minrules"],
            {"objective": "min_rules_then_literals", "engine": "minrules", "optimal": True},
        ),
        (["--objective", "perfect", "--engine", "sat"], {"objective": "perfect", "engine": "sat"}),
        (["--counting", "per_row", "--engine", "maxsat"], {"counting": "per_row", "engine": "maxsat"}),
    ],
)
def test_options_reach_the_search(arguments, facts, loans, laconic):
    result = laconic("fit", loans, "--drop", "age", *arguments, "--json")
    assert result.code == 0
    found = json.loads(result.out)
    assert {name: found[name] for name in facts} == facts
    assert "age" not in found["columns_used"]


def test_json_holds_rules_costs_and_notes_and_nothing_else_is_on_stdout(loans, laconic):
    result = laconic("fit", loans, "--objective", "perfect", "--json", "-o", "m.json")
    found = json.loads(result.out)
    assert (found["target"], found["model"], found["optimal"], found["gap"]) == ("class", "m.json", True, 0.0)
    assert found["cost"] == found["lower_bound"] == found["size"] == sum(r["size"] for r in found["rules"])
    assert found["errors"] == 0
    assert [rule["class"] for rule in found["rules"]] == sorted(rule["class"] for rule in found["rules"])
    assert found["seconds"] > 0
    assert json.loads(laconic("show", "m.json", "--json").out)["rules"] == found["rules"]


def test_engine_options_are_read_as_what_they_look_like(loans, laconic):
    options = ["--engine-option", "solver=cadical153", "--engine-option", "separated=false"]
    result = laconic("fit", loans, "--objective", "perfect", "--engine", "sat", *options)
    assert result.code == 0


@pytest.mark.parametrize("name", ["Class", "TARGET", "label", "y"])
def test_a_column_named_like_a_target_is_guessed_and_said(name, loans, laconic):
    text = loans.read_text().replace("class", name)
    first, *rest = [line.rpartition(",") for line in text.splitlines()]
    lines = [f"{label},{others}" for others, _, label in [first, *rest]]
    Path("moved.csv").write_text("\n".join(lines))
    result = laconic("fit", "moved.csv")
    assert result.code == 0
    assert f"note: the labels are in column {name!r} (choose another with --target)\n" in result.err


def test_the_last_column_is_guessed_if_it_is_the_only_one_of_words(iris_csv, laconic):
    result = laconic("fit", iris_csv)
    assert result.code == 0
    assert "note: the labels are in column 'species'" in result.err


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n1,2\n3,4\n1,4\n3,2\n",  # numbers only
        "a,b,c\n1,x,u\n2,y,v\n1,x,u\n2,y,v\n",  # two columns of words
        "class,label,a\nx,u,1\ny,v,2\n",  # two names
        "a,id\n1,r1\n2,r2\n3,r3\n4,r4\n",  # words that never repeat
    ],
)
def test_a_target_that_is_not_obvious_is_asked_for(text, loans, laconic):
    Path("t.csv").write_text(text)
    result = laconic("fit", "t.csv")
    names = text.splitlines()[0].replace(",", ", ")
    assert (result.code, result.out) == (2, "")
    assert result.err == (
        "laconic: cannot tell which column of t.csv holds the labels; "
        f"name it with --target, one of: {names}\n"
    )


def test_weights_count_rows(laconic, tmp_path):
    table = tmp_path / "w.csv"
    table.write_text("a,w,class\n0,3,x\n0,1,y\n1,1,y\n1,0.5,x\n")
    found = json.loads(laconic("fit", table, "--weight-column", "w", "--objective", "perfect", "--json").out)
    assert found["unavoidable_errors"] == found["errors"] == 1.5
    assert found["columns_used"] == ["a"]


def test_types_thresholds_and_bins_reach_the_binarizer(loans, laconic):
    Path("zip.csv").write_text("zip,age,class\n01,1,a\n1,2,b\n01,3,a\n1,4,b\n")
    found = json.loads(
        laconic("fit", "zip.csv", "--type", "zip=category", "--objective", "perfect", "--json").out
    )
    asked = [(rule["conditions"][0]["value"], rule["class"]) for rule in found["rules"]]
    assert asked == [("01", "a"), ("1", "b")]
    counts = [
        json.loads(laconic("fit", "zip.csv", "--drop", "zip", *cut, "--json").out)["n_conditions"]
        for cut in (["--bins", 2], ["--bins", 3], ["--thresholds", "midpoints"])
    ]
    assert counts == [1, 2, 3]


def test_a_constant_column_is_named_as_unused(loans, laconic):
    Path("c.csv").write_text("a,b,class\n1,7,x\n2,7,y\n1,7,x\n2,7,y\n")
    result = laconic("fit", "c.csv")
    assert "note: column 'b' is not used: every value is 7\n" in result.err


def test_a_messy_file_is_read_with_options_and_its_traps_are_named(loans, laconic):
    lines = [
        f'{i};"{i},5";{"?" if i == 3 else i % 4};"Bad; Ems";{"ja" if i > 5 else "nein"}' for i in range(12)
    ]
    Path("messy.csv").write_bytes(("\ufeffnr;höhe;n;ort;class\n" + "\n".join(lines)).encode("utf-8"))
    plain = laconic("fit", "messy.csv")
    assert plain.code == 0
    assert "note: column 'höhe': its texts are read as numbers with a decimal mark ','" in plain.err
    assert "note: column 'n': its texts are read as numbers, '?' means 'no value'" in plain.err
    told = laconic(
        "fit", "messy.csv", "--decimal", ",", "--missing", "?", "--drop", "nr", "--bins", 2, "--json"
    )
    assert "note: column 'höhe'" not in told.err
    assert "note: column 'n'" not in told.err
    assert {rule["text"] for rule in json.loads(told.out)["rules"]} <= {
        "IF höhe <= 6 THEN nein",
        "IF höhe > 6 THEN ja",
    }


def test_a_search_that_is_not_finished_fails_only_if_a_proof_was_required(hard_csv, laconic, tmp_path):
    out = tmp_path / "m.json"
    arguments = ["fit", hard_csv, "--objective", "perfect", "--engine", "sat", "--time-limit", 0.5, "-o", out]
    easy = laconic(*arguments)
    assert easy.code == 0
    assert "not proven optimal: cost" in easy.out
    out.unlink()
    strict = laconic(*arguments, "--require-proof")
    assert strict.code == 1
    assert "not proven optimal, as --require-proof asks; try a longer --time-limit\n" in strict.err
    assert not load_model(out).proof.optimal
    assert laconic("fit", hard_csv, "--lambda", 0.3, "--require-proof").code == 0


def test_a_saved_model_stands_on_its_data(loans, laconic):
    import pandas as pd

    laconic("fit", loans, "--lambda", 0.1, "-o", "m.json")
    frame = pd.read_csv(loans)
    assert recheck(load_model("m.json"), frame.drop(columns="class"), frame["class"]) == []


def test_help_names_every_objective_counting_and_kind_of_threshold(laconic):
    shown = laconic("fit", "--help").out
    words = {kind.value for kind in Kind} | {counting.value for counting in Counting} | {*METHODS, *KINDS}
    assert {word for word in words if word not in shown} == set()


def test_engines_lists_all_of_them_and_marks_the_default(laconic):
    listed = json.loads(laconic("engines", "--json").out)
    assert tuple(listed) == registry.available()
    assert [name for name, facts in listed.items() if facts["default"]] == [DEFAULT_ENGINE]
    assert laconic("engines").out.count("(default)") == 1


def test_engines_lists_the_options_of_the_exact_engine_with_their_ranges(laconic):
    listed = json.loads(laconic("engines", "--options", "--json").out)
    assert listed["sparse_steps"]["default"] == 800
    assert listed["pass_trust"].keys() == {"default", "low", "high", "help"}
    shown = laconic("engines", "--options").out
    assert all(f"{name}=" in shown for name in listed)
    assert "ascent_dual_steps=2.4  (a number from 0.01 to 1000)" in shown


def test_an_option_of_the_exact_engine_changes_the_search_and_not_the_optimum(loans, laconic):
    costs = []
    for options in ([], ["--engine-option", "sparse_list_rules=0", "--engine-option", "pass_trust=0.7"]):
        result = laconic("fit", loans, "-t", "class", "--lambda", 0.05, "--json", *options)
        assert result.code == 0
        costs.append(json.loads(result.out)["cost"])
    assert costs[0] == costs[1]


def test_of_very_many_notes_the_first_are_said(laconic, tmp_path):
    names = [f"c{i}" for i in range(300)]
    rows = [",".join(["7"] * 300) + f",{label}" for label in ("x", "y", "x")]
    table = tmp_path / "wide.csv"
    table.write_text("\n".join([",".join([*names, "class"]), *rows]) + "\n")
    result = laconic("fit", table, "-t", "class")
    assert result.code == 0
    notes = [line for line in result.err.splitlines() if line.startswith("note: ")]
    assert len(notes) == 21
    assert notes[0] == "note: column 'c0' is not used: every value is 7"
    assert notes[-1] == "note: and 280 more notes like these (all of them with --json)"
    assert len(json.loads(laconic("fit", table, "-t", "class", "--json").out)["notes"]) == 300
