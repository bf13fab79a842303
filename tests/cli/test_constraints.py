"""Constraints on the command line: options, files, refusals with exit code 2, and what a model file keeps."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

FIT = ["--target", "class", "--bins", 4]


def refused(result, message):
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"laconic: {message}")
    assert result.err.count("\n") == 1


def test_options_and_a_file_say_the_same(loans, laconic):
    options = ["--max-rules", 3, "--forbid", "job", "--monotone", "age=+good", "--class-weight", "bad=2"]
    said = laconic("fit", loans, *FIT, *options, "--json")
    Path("wishes.toml").write_text(
        'max_rules = 3\nforbidden = ["job"]\n[monotone.age]\ngood = "increasing"\n[class_weight]\nbad = 2.0\n'
    )
    read = laconic("fit", loans, *FIT, "--constraints", "wishes.toml", "--json")
    assert said.code == read.code == 0
    one, other = json.loads(said.out), json.loads(read.out)
    assert one["constraints"] == other["constraints"]
    assert one["rules"] == other["rules"]
    assert one["optimal"]
    assert "job" not in one["columns_used"]


def test_json_files_are_read_too(loans, laconic):
    Path("wishes.json").write_text('{"measure": ["longest", "features"], "disjoint": true}')
    result = laconic("fit", loans, *FIT, "--objective", "perfect", "--constraints", "wishes.json", "--json")
    assert list(json.loads(result.out)["measures"]) == ["longest", "features", "size"]


def test_a_model_file_keeps_its_constraints(loans, laconic):
    asked = ["--objective", "perfect", "--max-rule-length", 2, "--measure", "longest", "--require", "owner"]
    assert laconic("fit", loans, *FIT, *asked, "-o", "m.json").code == 0
    shown = laconic("show", "m.json").out
    assert "respecting  max_rule_length = 2\n" in shown
    assert "respecting  required = owner\n" in shown
    assert "measures    longest 2, size " in shown
    assert laconic("verify", "m.json", loans).code == 0
    document = json.loads(Path("m.json").read_text())
    document["proof"]["constraints"]["max_rule_length"] = 1
    Path("m.json").write_text(json.dumps(document))
    broken = laconic("verify", "m.json", loans)
    assert broken.code == 1
    assert "max_rule_length is 1, but the rules have 2" in broken.out


def test_damaged_constraints_are_refused(loans, laconic):
    assert laconic("fit", loans, *FIT, "--max-rules", 3, "-o", "m.json").code == 0
    whole = Path("m.json").read_text()
    for key, value in (
        ("constraints", {"max_rule": 1}),
        ("parts", [["cost", 0, "1"]]),
        ("measures", {"depth": "1"}),
    ):
        document = json.loads(whole)
        document["proof"][key] = value
        Path("m.json").write_text(json.dumps(document))
        refused(
            laconic("show", "m.json"), "'m.json': the model file is damaged: its constraints cannot be read"
        )


def test_an_update_keeps_the_constraints(loans, laconic):
    fitted = laconic("fit", loans, *FIT, "--max-rules", 1, "-o", "m.json", "--save-rows", "rows.npz")
    assert fitted.code == 0
    Path("new.csv").write_text("age,job,owner,class\n30,clerk,true,good\n60,driver,false,bad\n")
    result = laconic("update", "m.json", "rows.npz", "new.csv", "-o", "n.json", "--json")
    assert result.code == 0, result.err
    after = json.loads(result.out)
    assert after["constraints"] == {"max_rules": 1}
    assert after["n_rules"] <= 1
    assert after["optimal"]


@pytest.mark.parametrize("option", ["--max-rules", "--max-size", "--max-literals", "--max-rule-length"])
def test_a_cap_of_nothing_is_a_cap(option, loans, laconic):
    result = laconic("fit", loans, *FIT, option, 0, "--json")
    assert result.code == 0, result.err
    found = json.loads(result.out)
    assert found["constraints"] == {option.removeprefix("--").replace("-", "_"): 0}
    assert found["n_rules"] <= (1 if option in {"--max-literals", "--max-rule-length"} else 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--max-rules", 1, "--objective", "perfect"],
            "no decision set meets the constraints (max_rules = 1)",
        ),
        (["--max-rules", -1], "max_rules must be a whole number of at least 0, not -1"),
        (["--forbid", "sex"], "forbidden: 'sex' is neither a column nor a condition on one"),
        (["--forbid", "age", "--require", "age"], "required 'age' cannot be used: other constraints forbid"),
        (["--monotone", "age"], "--monotone 'age' should read column=+label or column=-label"),
        (["--monotone", "job=+good"], "monotone: column 'job' has no order"),
        (["--monotone", "age=+maybe"], "monotone of column 'age' names 'maybe', which is not a label"),
        (["--class-weight", "good"], "--class-weight 'good' should read label=weight, or be balanced"),
        (["--class-weight", "good=x"], "--class-weight 'good=x' should read label=weight"),
        (["--class-weight", "good=-1"], "class_weight of 'good' must be a number from 0 to 10⁹, not -1.0"),
        (["--measure", "depth"], "measure cannot be 'depth'; choose from: size, rules"),
        (["--min-support", 0], "min_support must be a whole number of at least 1, not 0"),
        (["--min-precision", 0], "min_precision must be above 0 and at most 1, not 0.0"),
        (
            ["--monotone", "age=+good", "--monotone", "age=-good"],
            "--monotone asks for both directions of 'age'",
        ),
        (["--class-weight", "good=2", "--class-weight", "good=3"], "--class-weight names 'good' twice"),
        (["--constraints", "deep.toml"], "deep.toml is not TOML: maximum recursion depth"),
        (["--constraints", "deep.json"], "deep.json is not JSON: its values are nested too deeply"),
        (["--constraints", "digits.json"], "digits.json is not JSON: a number has more than 400 digits"),
        (["--min-precision", 2], "min_precision must be above 0 and at most 1, not 2.0"),
        (["--constraints", "none.toml"], "there is no constraints file 'none.toml'; check the path"),
        (["--constraints", "bad.toml"], "bad.toml is not TOML"),
        (["--constraints", "bad.json"], "bad.json is not JSON"),
        (["--constraints", "list.json"], "list.json must hold names with values"),
        (["--constraints", "odd.toml"], "there is no constraint 'max_rule'; choose from"),
        (["--constraints", "fine.toml", "--max-rules", 2], "max_rules is given twice"),
        (
            ["--max-rules", 2, "--engine", "sat"],
            "engine 'sat' does not support constraints; use engine 'exact'",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(arguments, message, loans, laconic):
    Path("bad.toml").write_text("max_rules = ")
    Path("bad.json").write_text("{")
    Path("list.json").write_text("[]")
    Path("deep.json").write_text("[" * 100_000)
    Path("deep.toml").write_text("x = " + "[" * 100_000)
    Path("digits.json").write_text(f'{{"max_rules": {"1" * 5000}}}')
    Path("odd.toml").write_text("max_rule = 3")
    Path("fine.toml").write_text("max_rules = 3")
    refused(laconic("fit", loans, *FIT, *arguments), message)


def test_every_search_takes_constraints(loans, laconic):
    result = laconic("path", loans, "-t", "class", "--max-rules", 1, "--every", "size", "--models", "sets")
    assert result.code == 0, result.err
    assert result.out.splitlines()[-1].endswith("proven by the engine)")
    assert {line.split()[2] for line in result.out.splitlines()[1:-1]} <= {"0", "1"}
    for model in Path("sets").iterdir():
        assert laconic("verify", model, loans).code == 0
    listed = json.loads(laconic("enumerate", loans, "-t", "class", "--forbid", "age", "--json").out)
    assert listed["complete"]
    assert "age" not in json.dumps(listed["importance"])
    chosen = laconic("fit", loans, "-t", "class", "--class-weight", "bad=2", "--json")
    assert chosen.code == 0, chosen.err
    assert json.loads(chosen.out)["constraints"] == {"class_weight": {"bad": 2.0}}


def test_a_budget_goes_with_constraints_and_measures(loans, laconic):
    budget = ("fit", loans, "-t", "class", "--max-rules", 2, "--forbid", "age")
    found = json.loads(laconic(*budget, "--size-budget", 4, "--json").out)
    assert found["optimal"]
    assert found["size"] <= 4
    assert [part["name"] for part in found["cost_parts"]] == ["errors", "size"]
    assert all(part["proved"] for part in found["cost_parts"])
    again = json.loads(laconic(*budget, "--max-errors", found["errors"], "--json").out)
    assert (again["optimal"], again["size"], again["errors"]) == (True, found["size"], found["errors"])
    measured = laconic(*budget, "--max-errors", 4, "--measure", "longest,rules", "-o", "m.json")
    assert measured.code == 0
    assert "length of the longest rule, then errors (per class), within" in laconic("show", "m.json").out
    assert laconic("verify", "m.json", loans).code == 0
    assert laconic("report", "m.json", loans, "-o", "r.html").code == 0
    refused(
        laconic(*budget, "--max-errors", 0),
        "no decision set meets the constraints (max_rules = 2; forbidden = age; errors at most 0); "
        "loosen one of them",
    )


def test_a_front_of_another_measure_is_refused(loans, laconic):
    Path("wishes.toml").write_text('measure = ["longest"]\n')
    refused(
        laconic("path", loans, "-t", "class", "--constraints", "wishes.toml"),
        "a front is of size against errors, not of longest; leave measure out, "
        "or fit with size_budget or max_errors",
    )
    refused(
        laconic("enumerate", loans, "-t", "class", "--measure", "rules"),
        "sets are enumerated by errors and size, not by rules; leave measure out",
    )
