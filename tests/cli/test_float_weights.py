"""Weights of many digits on the command line: scaled, the rounding said, the model checked over them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"age": rng.integers(18, 80, 90), "job": rng.choice(["clerk", "driver"], 90)})
    frame["w"] = rng.random(90) * 7
    frame["class"] = np.where((frame["age"] > 45) ^ (rng.random(90) < 0.1), "good", "bad")
    frame.to_csv("loans.csv", index=False)
    frame[:50].to_csv("first.csv", index=False)
    frame[50:].to_csv("more.csv", index=False)


FIT = ("--target", "class", "--weight-column", "w", "--lambda", "0.03", "-o", "model.json")


@pytest.mark.parametrize("more", [(), ("--class-weight", "balanced"), ("--class-weight", "good=0.123457")])
def test_fit_says_the_rounding_and_verify_recounts_the_model(laconic, more):
    fitted = laconic("fit", "loans.csv", *FIT, *more, "--report", "page.html")
    assert fitted.code == 0
    assert "note: sample weights are rounded to multiples of 1e-08, each by at most " in fitted.err
    assert ("note: class weights are rounded to multiples of" in fitted.err) == bool(more)
    assert "Wrong on training rows of weight " in fitted.out
    shown = laconic("show", "model.json")
    assert "note        sample weights are rounded to multiples of 1e-08" in shown.out
    checked = laconic("verify", "model.json", "loans.csv")
    assert checked.code == 0
    assert "are as recounted" in checked.out
    assert "Cost of this set" in Path("page.html").read_text()


def test_json_holds_the_rounding_and_what_adds_up(laconic):
    data = json.loads(laconic("fit", "loans.csv", *FIT, "--json").out)
    assert data["notes"][0].startswith("sample weights are rounded to multiples of 1e-08")
    terms = data["cost_terms"]
    assert terms["errors"] + terms["price"] * terms["size"] == pytest.approx(data["cost"], rel=1e-12)


def test_rows_added_with_weights_of_many_digits_are_verified_together(laconic):
    assert laconic("fit", "first.csv", *FIT, "--save-rows", "rows.npz").code == 0
    assert laconic("update", "model.json", "rows.npz", "more.csv", "-o", "grown.json").code == 0
    assert laconic("verify", "grown.json", "loans.csv").code == 0


def test_out_of_core_rows_get_the_same_model(laconic):
    assert laconic("fit", "loans.csv", *FIT).code == 0
    held = Path("model.json").read_bytes()
    assert laconic("fit", "loans.csv", *FIT, "--out-of-core", "yes").code == 0
    found, expected = json.loads(Path("model.json").read_bytes()), json.loads(held)
    assert found["rules"] == expected["rules"]
    assert found["proof"] == expected["proof"]
    assert found["notes"] == expected["notes"]


def test_paths_and_listed_sets_take_them(laconic):
    assert laconic("path", "loans.csv", *FIT[:4], "--max-size", "5").code == 0
    assert laconic("enumerate", "loans.csv", *FIT[:6], "--best", "2").code == 0


def test_a_class_without_a_rule_is_named_by_all_commands(laconic):
    dear = ("--target", "class", "--lambda", "0.4")
    fitted = laconic("fit", "loans.csv", *dear, "-o", "model.json", "--report", "r.html")
    assert "no rule explains 'bad' (rows of weight " in fitted.out
    assert "no rule     explains 'bad' (rows of weight " in laconic("show", "model.json").out
    assert "No rule explains bad (rows of weight " in Path("r.html").read_text()
    data = json.loads(laconic("show", "model.json", "--json").out)
    assert [one["class"] for one in data["classes_without_rules"]] == ["bad", "good"]
    data = json.loads(laconic("fit", "loans.csv", *dear, "--json").out)
    assert all(one["price"] > 0 for one in data["classes_without_rules"])
