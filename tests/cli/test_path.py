"""``laconic path``, ``laconic enumerate``, and budgets of ``laconic fit``."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from laconic import load_front, load_model


def refused(result, message):
    assert (result.code, result.out) == (2, "")
    assert result.err.splitlines()[-1] == f"laconic: {message}"


def test_path_lists_the_points_and_saves_them(loans, laconic):
    result = laconic(
        "path", loans, "-t", "class", "-o", "front.json", "--plot", "front.svg", "--models", "sets"
    )
    assert result.code == 0
    front = load_front("front.json")
    assert (
        result.out.splitlines()[-1]
        == f"(all {len(front.points)} best sets of all λ up to size 20, proven by the engine)"
    )
    assert len(result.out.splitlines()) == len(front.points) + 2
    assert Path("front.svg").read_text().lstrip().startswith("<?xml")
    for point, model in zip(front.points, front.models, strict=True):
        assert load_model(f"sets/size-{point.size}.json").rules == model.rules
        assert model.origin.target == "class"
    assert laconic("predict", f"sets/size-{front.points[-1].size}.json", loans).code == 0


@pytest.mark.parametrize("default", ["explained", "otherwise"])
def test_each_point_of_a_path_gets_a_certificate(loans, laconic, default):
    places = ("--models", "sets", "--certificates", "proofs")
    result = laconic("path", loans, "-t", "class", "--every", "size", "--default", default, *places)
    assert result.code == 0
    models = sorted(Path("sets").iterdir())
    assert f"{len(models)} certificates in proofs\n" in result.err
    for model in models[:4]:
        proof = Path("proofs", f"{model.stem}.certificate.json")
        checked = laconic("verify", model, loans, "--certificate", proof, "--require-proof")
        assert checked.code == 0, checked.out
        assert f"size_budget = {model.stem.removeprefix('size-')}" in checked.out
    place = "proofs/size-2.certificate.json"
    over = laconic("path", loans, "-t", "class", "-o", place, "--certificates", "proofs")
    assert over.code == 2


def test_path_of_every_size_holds_the_breakpoints_as_json(loans, laconic):
    few = json.loads(laconic("path", loans, "-t", "class", "--json").out)
    many = json.loads(laconic("path", loans, "-t", "class", "--every", "size", "--max-size", 0, "--json").out)
    assert many["complete"]
    assert many["max_size"] is None
    kept = [(point["size"], point["errors"]) for point in many["points"] if point["breakpoint"]]
    assert kept[: len(few["points"])] == [(point["size"], point["errors"]) for point in few["points"]]
    assert many["points"][-1]["errors"] == 0


def test_fit_within_a_size_finds_the_point_of_the_path(loans, laconic):
    many = json.loads(laconic("path", loans, "-t", "class", "--every", "size", "--max-size", 0, "--json").out)
    for point in many["points"]:
        found = json.loads(laconic("fit", loans, "-t", "class", "--size-budget", point["size"], "--json").out)
        assert (found["size"], found["errors"]) == (point["size"], point["errors"])
        assert found["optimal"]
        assert found["size_budget"] == point["size"]
        assert found["lambda"] is None
        within = json.loads(
            laconic("fit", loans, "-t", "class", "--max-errors", point["errors"], "--json").out
        )
        assert (within["size"], within["errors"]) == (point["size"], point["errors"])


def test_a_model_within_a_budget_is_shown_verified_and_reported(loans, laconic):
    assert laconic("fit", loans, "-t", "class", "--size-budget", 4, "-o", "m.json").code == 0
    assert "within size 4" in laconic("show", "m.json").out
    assert laconic("verify", "m.json", loans).code == 0
    assert laconic("report", "m.json", loans, "-o", "r.html").code == 0
    assert "the fewest errors with a size of at most 4" in Path("r.html").read_text()
    assert laconic("fit", loans, "-t", "class", "--max-errors", 2, "-o", "m.json").code == 0
    assert "within errors of weight 2" in laconic("show", "m.json").out
    assert laconic("verify", "m.json", loans).code == 0


def test_a_tampered_budget_is_refused(loans, laconic):
    assert laconic("fit", loans, "-t", "class", "--size-budget", 4, "-o", "m.json").code == 0
    document = json.loads(Path("m.json").read_text())
    document["proof"]["size_budget"] = 1
    Path("m.json").write_text(json.dumps(document))
    assert laconic("show", "m.json").code == 2


def test_enumerate_lists_sets_and_conditions(iris_csv, laconic, tmp_path):
    result = laconic(
        "enumerate",
        iris_csv,
        "--within",
        2,
        "--show",
        1,
        "--models",
        tmp_path / "sets",
        "--importance",
        tmp_path / "i.csv",
    )
    assert result.code == 0
    assert "1. cost 70, size 7" in result.out
    assert "… and 15 more" in result.out
    assert result.out.splitlines()[-1] == "(all 16 sets, proven by the engine)"
    assert "   50 %  petal length (cm) > 4.8" in result.out
    assert len(list((tmp_path / "sets").glob("set-*.json"))) == 16
    assert list(pd.read_csv(tmp_path / "i.csv").columns) == ["condition", "column", "sets", "share"]
    assert laconic("verify", tmp_path / "sets" / "set-16.json", iris_csv).code == 0


def test_enumerate_as_json_holds_what_the_text_says(iris_csv, laconic):
    found = json.loads(laconic("enumerate", iris_csv, "--best", 5, "--json").out)
    assert found["complete"]
    assert [one["cost"] for one in found["sets"]] == [70, 70, 70, 70, 71]
    assert (
        laconic("enumerate", iris_csv, "--best", 5).out.splitlines()[-1]
        == "(the best 5 sets, proven by the engine)"
    )
    cut = laconic("enumerate", iris_csv, "--within", 2, "--limit", 3).out.splitlines()[-1]
    assert cut == "(the best 3 of all 16 sets, proven by the engine)"


def test_what_is_not_proven_fails_if_a_proof_is_required(tmp_path, laconic):
    import numpy as np

    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.integers(0, 2, (300, 14)), columns=[f"x{k}" for k in range(14)])
    frame["class"] = rng.integers(0, 2, 300)
    frame.to_csv(tmp_path / "noise.csv", index=False)
    limits = ("--time-limit", 0.3, "--require-proof")
    result = laconic("path", tmp_path / "noise.csv", *limits)
    assert result.code == 1
    assert "others may exist" in result.out
    result = laconic("enumerate", tmp_path / "noise.csv", "-l", 0.002, *limits)
    assert result.code == 1
    assert "others may exist" in result.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fit", "--size-budget", -1], "--size-budget must be a whole number of at least 0, not -1"),
        (["fit", "--max-errors", -1], "--max-errors must be a number of at least 0, not -1"),
        (
            ["fit", "--size-budget", 3, "--max-errors", 1],
            "--size-budget and --max-errors exclude each other; leave one of them out",
        ),
        (
            ["fit", "--size-budget", 3, "--lambda", 0.1],
            "--size-budget and --lambda exclude each other; leave one of them out",
        ),
        (
            ["fit", "--size-budget", 3, "--every-class"],
            "--size-budget and --every-class exclude each other; leave one of them out",
        ),
        (
            ["fit", "--max-errors", 3, "--counting", "per_row"],
            "--max-errors and --counting per_row exclude each other; leave one of them out",
        ),
        (
            ["fit", "--size-budget", 3, "--objective", "perfect"],
            "--size-budget belongs to --objective sparse, not perfect; leave one of them out",
        ),
        (
            ["fit", "--size-budget", 3, "--engine", "maxsat"],
            "engine 'maxsat' does not solve objective='sparse' with counting='per_class' and size_budget; "
            "use one of: exact",
        ),
        (
            ["fit", "--size-budget", 1, "--require", "age"],
            "no decision set meets the constraints (required = age; size at most 1); loosen one of them",
        ),
        (
            ["path", "--max-size", 1, "--require", "age"],
            "no decision set of the sizes asked for meets the constraints (required = age); "
            "loosen one of them or allow larger sets",
        ),
        (["path", "--every", "day"], "unknown --every 'day'; choose one of: breakpoint, size"),
        (["path", "--max-size", -1], "--max-size must be a whole number of at least 0, not -1"),
        (["path", "--plot", "front.gif"], "--plot front.gif should end with one of: .svg, .png, .pdf"),
        (["path", "--time-limit", 0], "--time-limit must be a positive number of seconds, not 0"),
        (["enumerate", "--best", 0], "--best must be a whole number of at least 1, not 0"),
        (
            ["enumerate", "--best", 1, "--within", 1],
            "--best and --within exclude each other; leave one of them out",
        ),
        (["enumerate", "--within", -1], "--within must be a number of at least 0, not -1"),
        (["enumerate", "--limit", 0], "--limit must be a whole number of at least 1, not 0"),
        (["enumerate", "--show", -1], "--show must be a whole number of at least 0, not -1"),
        (["enumerate", "--jobs", 0], "--jobs must be at least 1, or -1 for all processors, not 0"),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, list) else "",
)
def test_bad_input_is_one_sentence(arguments, message, loans, laconic):
    refused(laconic(arguments[0], loans, "-t", "class", *arguments[1:]), message)


def test_errors_below_the_unavoidable_are_refused_with_what_is_possible(tmp_path, laconic):
    table = tmp_path / "t.csv"
    table.write_text("a,class\n1,x\n1,y\n2,x\n3,y\n")
    refused(
        laconic("fit", table, "--max-errors", 1, "-t", "class"),
        "max_errors is 1, but even the best decision set makes errors of weight 2 on this table, counted per "
        "class; allow at least 2",
    )
    assert laconic("fit", table, "--max-errors", 2, "-t", "class").code == 0
