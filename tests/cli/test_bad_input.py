"""Every bad input: one exact sentence on standard error, exit code 2, nothing on standard output."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from laconic.engines.paper.satkit.options import SOLVERS

COLUMNS = "its columns are: age, job, owner, class"
PERFECT = ["--objective", "perfect"]


def refused(result, message):
    assert (result.code, result.out, result.err) == (2, "", f"laconic: {message}\n")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "t.csv is empty"),
        (b"\n\n", "t.csv is empty"),
        (b"a,b,class\n", "t.csv has a header but no rows"),
        (
            b"a,class\n1,x\n2,x\n",
            "all rows have one class ('x'); give rows of at least two classes",
        ),
        (
            b"a,class\n1,x\n2,\n3,y\n",
            "the label of row 1 is missing; drop that row or give it a class",
        ),
        (
            b"a,b,class\n1,2,x\n1,y\n",
            "line 3 of t.csv has 2 fields, but the header has 3; "
            "correct the line, or name the delimiter, now ','",
        ),
        (b"class\nx\ny\n", "t.csv has no column besides 'class' to learn from; add some"),
        (
            b"a,class\n1,K\xf6ln\n2,Bonn\n",
            "line 2 of t.csv is not utf-8 text; name its encoding, such as latin-1",
        ),
        (
            b"a,class\n1,0.5\n2,1.5\n",
            "Unknown label type: continuous; the label of row 0 is 0.5, so cut the target into classes first",
        ),
        (
            b"a,class\ninf,x\n1,y\n",
            "Input X contains infinity: column 'a', row 0 is inf; "
            "replace it by a number, or by NaN if it is missing",
        ),
    ],
)
def test_a_table_that_cannot_be_learned_from_is_refused(content, message, loans, laconic):
    Path("t.csv").write_bytes(content)
    refused(laconic("fit", "t.csv", "--target", "class", "-o", "m.json"), message)
    assert not Path("m.json").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.csv"], "there is no file nowhere.csv; check the path"),
        (["."], ". is a directory; name a CSV or Parquet file"),
        (
            ["loans.xlsx"],
            "cannot tell what loans.xlsx is; its name must end in one of: "
            ".csv, .tsv, .txt, .data, .csv.gz, .parquet, .pq",
        ),
        (["loans.csv", "--target", "risk"], f"--target: loans.csv has no column 'risk'; {COLUMNS}"),
        (["loans.csv", "--drop", "risk"], f"--drop: loans.csv has no column 'risk'; {COLUMNS}"),
        (["loans.csv", "--weight-column", "w"], f"--weight-column: loans.csv has no column 'w'; {COLUMNS}"),
        (["loans.csv", "--type", "w=binary"], f"--type: loans.csv has no column 'w'; {COLUMNS}"),
        (
            ["loans.csv", "--type", "age=number"],
            "column 'age' cannot be 'number'; choose one of: numeric, category, binary, date",
        ),
        (["loans.csv", "--type", "age"], "--type 'age' should read column=kind, such as zip=category"),
        (
            ["loans.csv", "--target", "job", "--weight-column", "job"],
            "column 'job' cannot be both --target and --weight-column; choose one",
        ),
        (
            ["loans.csv", "--target", "job", "--drop", "job"],
            "column 'job' cannot be both --target and --drop; choose one",
        ),
        (
            ["loans.csv", "--weight-column", "age"],
            "the weight of row 6 in column 'age' is missing; weights must be numbers of at least 0",
        ),
        (
            ["loans.csv", "--weight-column", "job"],
            "column 'job' should hold numbers, but row 0 is 'clerk'; "
            "correct the cell, or treat the column as a category",
        ),
        (["loans.csv", "--delimiter", "ab"], "--delimiter must be one character, not 'ab'"),
        (["loans.csv", "--decimal", "x"], "--decimal must be '.' or ',', not 'x'"),
        (
            ["loans.csv", "--encoding", "klingon"],
            "unknown encoding 'klingon'; use one such as utf-8 or latin-1",
        ),
    ],
)
def test_a_file_or_column_that_is_not_there_is_refused(arguments, message, loans, laconic):
    Path("loans.xlsx").write_bytes(b"PK")
    refused(laconic("fit", *arguments), message)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--objective", "smallest"],
            "unknown objective 'smallest'; "
            "choose one of: sparse, perfect, min_rules, min_rules_then_literals",
        ),
        (["--lambda", "0"], "--lambda must be a positive number or auto, not '0'; try 0.02"),
        (["--lambda=-0.1"], "--lambda must be a positive number or auto, not '-0.1'; try 0.02"),
        (["--lambda", "nan"], "--lambda must be a positive number or auto, not 'nan'; try 0.02"),
        (["--lambda", "inf"], "--lambda must be a positive number or auto, not 'inf'; try 0.02"),
        (
            ["--lambda", "0.1", *PERFECT],
            "--lambda belongs to --objective sparse, not perfect; leave one of them out",
        ),
        (
            ["--every-class", *PERFECT],
            "--every-class belongs to --objective sparse, not perfect; leave one of them out",
        ),
        (["--counting", "twice"], "unknown counting 'twice'; choose one of: per_class, per_row"),
        (
            ["--every-class", "--counting", "per_row"],
            "--every-class needs --counting per_class; leave one of them out",
        ),
        (["--time-limit", "0"], "--time-limit must be a positive number of seconds, not 0"),
        (["--seed", "-1"], "--seed must be a whole number from 0 to 4294967295, not -1"),
        (["--jobs", "0"], "--jobs must be at least 1, or -1 for all processors, not 0"),
        (["--bins", "1"], "--bins must be at least 2, not 1"),
        (
            ["--thresholds", "guess"],
            "unknown thresholds 'guess'; choose one of: quantile, all, midpoints, entropy, paper",
        ),
        (
            ["--engine-option", "solver"],
            "--engine-option 'solver' should read name=value, such as solver=cadical195",
        ),
        (
            ["--engine-option", "sparse_stpes=9"],
            "engine 'exact' has no option 'sparse_stpes'; the closest is sparse_steps (a whole number from "
            "1 to 1000000), and laconic engines --options lists all",
        ),
        (
            ["--engine-option", "pass_trust=2"],
            "engine option pass_trust must be a number from 0 to 1, not 2",
        ),
        (
            ["--engine", "sat", *PERFECT, "--engine-option", "solver=nope"],
            f"option solver cannot be 'nope'; choose one of: {', '.join(SOLVERS)}",
        ),
        (
            ["--engine", "sat", *PERFECT, "--engine-option", "separated=3"],
            "option separated must be True or False, not 3",
        ),
        (
            ["--output", "nowhere/m.json"],
            "cannot write nowhere/m.json: No such file or directory; choose another place with --output",
        ),
        (["--output", "."], "cannot write .: Is a directory; choose another place with --output"),
        (["--output", "loans.csv"], "--output loans.csv would overwrite an input; choose another place"),
    ],
)
def test_a_setting_that_cannot_be_is_refused(arguments, message, loans, laconic):
    refused(laconic("fit", loans, "-t", "class", *arguments), message)


def test_an_unknown_engine_is_refused_with_the_known_ones(loans, laconic):
    from laconic.engines import registry

    known = ", ".join(registry.available())
    refused(laconic("fit", loans, "--engine", "cplex"), f"unknown engine 'cplex'; choose one of: {known}")


def test_an_unknown_engine_option_is_refused_with_the_known_ones(loans, laconic):
    result = laconic("fit", loans, "-t", "class", "--engine", "maxsat", "--engine-option", "speed=9")
    assert result.code == 2
    assert result.err.startswith("laconic: engine 'maxsat' has no option 'speed'; choose from: solver, ")
    assert result.err.count("\n") == 1


def test_an_engine_that_cannot_solve_the_objective_is_refused_with_those_that_can(loans, laconic):
    result = laconic("fit", loans, "-t", "class", "--engine", "sat")
    assert result.code == 2
    assert result.err.startswith(
        "laconic: engine 'sat' does not solve objective='sparse' with counting='per_class'; use one of: "
    )


def test_settings_are_refused_before_the_table_is_read(loans, laconic):
    assert "unknown engine" in laconic("fit", "nowhere.csv", "--engine", "cplex").err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], None),
        (["nope"], "No such command 'nope'; see: laconic --help"),
        (["fit"], "Missing argument 'DATA'; name a table, or ask for one with --sql"),
        (["path"], "Missing argument 'DATA'; name a table, or ask for one with --sql"),
        (["enumerate"], "Missing argument 'DATA'; name a table, or ask for one with --sql"),
        (["predict", "m.json"], "Missing argument 'DATA'; name a table, or ask for one with --sql"),
        (["bench", "nope"], "No such command 'nope'; see: laconic bench --help"),
        (
            ["bench", "table", "nowhere.jsonl"],
            "there are no records at nowhere.jsonl; create some with: laconic bench run",
        ),
    ],
)
def test_a_command_line_that_makes_no_sense_is_refused(arguments, message, loans, laconic):
    result = laconic(*arguments)
    if message is None:
        assert (result.code, result.err) == (0, "")
        assert result.out.startswith("Usage: laconic")
    else:
        refused(result, message)


@pytest.mark.parametrize(
    "arguments",
    [["fit", "loans.csv", "--lambda", "much"], ["explain", "m", "d", "--row", "x"], ["fit", "--x"]],
)
def test_an_option_of_the_wrong_type_gets_one_line_and_no_traceback(arguments, loans, laconic):
    result = laconic(*arguments)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert arguments[-2] in result.err or arguments[-1] in result.err


@pytest.mark.parametrize("command", ["predict", "explain", "verify"])
def test_a_table_that_lacks_columns_of_the_model_is_refused(command, model, laconic):
    Path("fewer.csv").write_text("job,owner,class\nclerk,true,bad\n")
    refused(
        laconic(command, model, "fewer.csv"),
        "the table lacks column 'age', which the rules use; add what is missing or rename it",
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "there is no model file 'm.json'; check the path"),
        (
            "",
            "'m.json': this is not a laconic model: it is not JSON (line 1: Expecting value); "
            "save the model again with save_model",
        ),
        ("{}", "'m.json': this JSON is not a laconic model; save the model again with save_model"),
        (b"\xff\xfe\x00", "'m.json': this is not a laconic model: it is not text; check the path"),
    ],
)
@pytest.mark.parametrize("command", ["predict", "explain", "show", "verify"])
def test_a_file_that_is_no_model_is_refused(command, content, message, loans, laconic):
    if content is not None:
        Path("m.json").write_bytes(content if isinstance(content, bytes) else content.encode())
    refused(laconic(command, "m.json", *([] if command == "show" else [loans])), message)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: m.pop("rules"), "'rules' is missing"),
        (lambda m: m["rules"].pop(), "its rules are not those that were proved"),
        (lambda m: m["proof"].update(cost=1), "its status does not follow from its cost and bound"),
    ],
)
def test_a_damaged_model_is_refused(change, message, model, loans, laconic):
    document = json.loads(model.read_text())
    change(document)
    model.write_text(json.dumps(document))
    refused(
        laconic("predict", model, loans),
        f"'model.json': the model file is damaged: {message}; save the model again with save_model",
    )


def test_half_a_model_file_is_refused(model, laconic):
    model.write_text(model.read_text()[:200])
    result = laconic("show", model)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert "this is not a laconic model: it is not JSON" in result.err


def test_a_model_of_a_newer_version_is_refused(model, laconic):
    document = json.loads(model.read_text())
    document["schema_version"] = 99
    model.write_text(json.dumps(document))
    refused(
        laconic("show", model),
        "'model.json': this model was written by a newer laconic "
        "(schema 99; this one reads up to 3); upgrade laconic",
    )


def test_a_column_of_words_cannot_be_numeric_or_a_date(loans, laconic):
    for kind, message in (
        ("numeric", "column 'job' should hold numbers, but row 0 is 'clerk'; correct the cell, or treat"),
        ("date", "column 'job' cannot be read as dates, such as 2024-05-31 or 31.5.2024; correct its cells"),
    ):
        result = laconic("fit", "loans.csv", "--type", f"job={kind}")
        assert (result.code, result.out) == (2, "")
        assert message in result.err
