"""``laconic studio`` and ``laconic.studio(clf, X, y)``: opening, refusing, repeating without the page."""

from __future__ import annotations

import json
import urllib.request

import pytest
from tests.studio.conftest import LAMBDA, learned, loans, opine, rule_of

import laconic
from laconic import DecisionSetClassifier
from laconic.cli.main import run


@pytest.fixture
def saved(session, file):
    """A session of two steps, in its file."""
    found = learned(session)
    opine(session, 0, kind="never", rule=rule_of(found["answer"]["rules"][0]))
    return file.with_name("loans.csv.studio.json")


def test_replay_repeats_every_step_without_the_page(saved, capsys, tmp_path):
    model = tmp_path / "model.json"
    assert run(["studio", "--replay", str(saved), "-o", str(model)]) == 0
    said = capsys.readouterr().out
    steps = json.loads(saved.read_text())["steps"]
    assert f"step 1: cost {steps[1]['result']['exactCost']}, proven" in said
    assert len(laconic.load_model(model).rules) == len(steps[1]["result"]["rules"])


def test_replay_notices_a_session_that_says_another_cost(saved, capsys):
    data = json.loads(saved.read_text())
    data["steps"][1]["result"]["exactCost"] = "1"
    saved.write_text(json.dumps(data))
    assert run(["studio", "--replay", str(saved)]) == 1
    assert "(the session says 1)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["no-such.csv"], "there is no file"),
        (["--example", "moon"], "there is no example"),
        (["--port", "99999"], "--port must be"),
        (["--replay", "no-such.json"], "there is no session file"),
        (["loans.csv", "--example", "iris"], "leave one of them out"),
        (["-o", "model.json"], "--output belongs to --replay"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(arguments, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["studio", "--no-browser", *arguments]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert "Traceback" not in error


def test_a_session_of_a_changed_table_is_not_repeated(saved, file, capsys):
    file.write_text(file.read_text().replace("clerk", "clark"))
    assert run(["studio", "--replay", str(saved)]) == 2
    assert "another table" in capsys.readouterr().err


def test_from_python_decisions_come_back_as_constraints_and_a_classifier(tmp_path):
    table = loans()
    X, y = table.drop(columns="risk"), table["risk"]
    clf = DecisionSetClassifier(regularization=LAMBDA, constraints={"forbidden": ["job"]}).fit(X, y)
    opened = laconic.studio(clf, X, y, file=tmp_path / "session.json", browser=False)
    try:
        with urllib.request.urlopen(opened.address.partition("#")[0], timeout=30) as response:
            assert b"Laconic Studio" in response.read()
        session = next(iter(opened._desk._sessions.values()))
        assert session.wait(0)["answer"]["exactCost"] == str(clf.cost_)
        assert list(opened.constraints.forbidden) == ["job"]
        opine(session, 0, kind="forbid", column="income")
        assert sorted(opened.constraints.forbidden) == ["income", "job"]
        again = opened.classifier()
        assert {name for rule in again.rules_ for name in (one.column for one in rule.literals)} <= {"age"}
        assert again.optimal_
    finally:
        opened.close()


def test_from_python_other_objectives_are_refused():
    table = loans()
    X, y = table.drop(columns="risk"), table["risk"]
    clf = DecisionSetClassifier(objective="min_rules").fit(X[["job"]], y.where(X["job"] != "nurse", "good"))
    with pytest.raises(laconic.InputError, match="sparse objective"):
        laconic.studio(clf, X, y, browser=False)
