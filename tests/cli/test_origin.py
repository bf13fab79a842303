"""A model reads later files as its training file was read, and keeps how it was found only when asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from laconic import load_model
from laconic.cli.inputs import Source
from laconic.cli.main import run
from laconic.model.origin import Origin

MESSY = """\
Nr;Größe;Einkommen;aktiv;seit;Stadt;Gewicht;bleibt
1;1,62;k.A.;true;2024-01-02;Köln;1;nein
2;1,80;2500,50;false;2024-02-03;Zürich;2;ja
3;1,58;1800,00;true;2023-11-30;日本;1;nein
4;1,91;k.A.;true;2024-05-06;Köln;1;ja
5;1,66;3100,75;false;2022-07-08;Zürich;3;nein
6;1,84;2700,25;false;2024-03-04;Köln;1;ja
7;1,70;1200,10;true;2021-12-24;日本;1;nein
8;1,79;900,00;false;2024-08-17;Köln;1;ja
9;1,55;2000,00;true;2024-09-01;Zürich;2;nein
10;1,88;k.A.;true;2020-02-29;Köln;1;ja
11;1,60;1000,00;true;2024-08-01;Zürich;1;nein
"""
FIT = (
    "--target",
    "bleibt",
    "--weight-column",
    "Gewicht",
    "--decimal",
    ",",
    "--missing",
    "k.A.",
    "--drop",
    "Nr",
)


@pytest.fixture
def messy(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("messy.csv").write_text(MESSY, encoding="latin-1", errors="replace")
    return Path("messy.csv")


@pytest.fixture
def learned(messy, laconic) -> Path:
    options = ("--encoding", "latin-1", "--drop", "seit", "--lambda", "0.05")
    done = laconic("fit", messy, *FIT, *options, "-o", "model.json")
    assert (done.code, "IF Größe <= 1.68" in done.out) == (0, True)
    return Path("model.json")


def test_the_options_are_in_the_file_and_nothing_else_is(learned):
    assert json.loads(learned.read_text())["origin"] == {
        "target": "bleibt",
        "weight_column": "Gewicht",
        "encoding": "latin-1",
        "decimal": ",",
        "missing": ["k.A."],
    }


@pytest.mark.parametrize(
    "command", [["predict"], ["explain"], ["verify"], ["report", "--trade-off-time", "0"]], ids=lambda c: c[0]
)
def test_later_commands_need_no_options(learned, messy, laconic, command):
    name, *options = command
    done = laconic(name, learned, messy, *options)
    assert (done.code, "note" in done.err) == (0, False)


def test_the_weights_are_used_again(learned, messy, laconic):
    assert "stands on messy.csv" in laconic("verify", learned, messy).out
    Path("light.csv").write_bytes(messy.read_bytes().replace(b";Gewicht;", b";Masse;"))
    done = laconic("verify", learned, "light.csv")
    assert (done.code, "has no column 'Gewicht', which weighed the training rows" in done.err) == (1, True)


def test_what_the_user_says_overrules_the_file(learned, messy, laconic):
    dots = Path("dots.csv")
    dots.write_text(MESSY.replace(",", ".").replace("k.A.", "?"), encoding="utf-8")
    assert laconic("predict", learned, dots).code == 2
    done = laconic("predict", learned, dots, "--encoding", "utf-8", "--decimal", ".", "--missing", "?")
    assert (done.code, done.out) == (0, laconic("predict", learned, messy).out)


def test_each_option_is_the_users_or_else_the_models(messy):
    origin = Origin("bleibt", None, ";", "latin-1", ",", ("k.A.",))
    assert Source.of(messy, None, None, None, None).like(origin) == Source.of(
        messy, ";", "latin-1", ",", ["k.A."]
    )
    own = Source.of(messy, "|", "utf-8", ".", ["?"])
    assert own.like(origin) == own
    assert own.like(None) is own


def test_a_model_without_an_origin_reads_as_before(learned, messy, laconic):
    data = json.loads(learned.read_text())
    del data["origin"]
    Path("old.json").write_text(json.dumps(data))
    assert load_model("old.json") == load_model(learned)
    assert laconic("predict", "old.json", messy).code == 2
    assert laconic("predict", "old.json", messy, "--encoding", "latin-1", "--decimal", ",").code == 0


@pytest.mark.parametrize(
    "origin",
    [
        [],
        {"target": 1},
        {"decimal": ";"},
        {"delimiter": ""},
        {"delimiter": "ab"},
        {"missing": "x"},
        {"missing": [1]},
    ],
    ids=str,
)
def test_a_damaged_origin_is_refused(learned, laconic, origin):
    data = json.loads(learned.read_text())
    learned.write_text(json.dumps({**data, "origin": origin}))
    done = laconic("show", learned)
    assert (done.code, "damaged" in done.err) == (2, True)


def test_equal_runs_give_equal_files_unless_a_history_is_asked_for(messy, laconic):
    for name in ("a.json", "b.json"):
        assert laconic("fit", messy, *FIT, "--encoding", "latin-1", "-o", name).code == 0
    assert Path("a.json").read_bytes() == Path("b.json").read_bytes()
    assert "history" not in json.loads(Path("a.json").read_text())


def test_a_report_of_the_file_shows_the_search_if_it_was_saved(messy, laconic):
    fit = ["fit", messy, *FIT, "--encoding", "latin-1", "-o", "model.json"]
    report = ["report", "model.json", messy, "--trade-off-time", 0, "-o", "report.html"]
    for options, shown in (([], False), (["--history"], True)):
        assert laconic(*fit, *options).code == 0
        assert laconic(*report).code == 0
        page = Path("report.html").read_text(encoding="utf-8")
        assert ("Cost of the best set and proven lower bound over time" in page) is shown
        assert ("laconic fit --history" in page) is not shown
    model = load_model("model.json")
    assert model.history[-1].cost == model.proof.cost
    assert model.history[-1].lower_bound == model.proof.lower_bound
    assert laconic("export", "model.json", "-o", "again.json").code == 0
    assert Path("again.json").read_bytes() == Path("model.json").read_bytes()


def test_fit_writes_the_report_at_once(messy, laconic):
    done = laconic("fit", messy, *FIT, "--encoding", "latin-1", "--report", "report.html")
    assert (done.code, "report in report.html" in done.err) == (0, True)
    page = Path("report.html").read_text(encoding="utf-8")
    assert "Cost of the best set and proven lower bound over time" in page
    assert "Rules for bleibt" in page


def test_a_report_cannot_overwrite_the_data_nor_be_made_outside_memory(messy, laconic):
    assert "would overwrite an input" in laconic("fit", messy, *FIT, "--report", messy).err
    done = laconic("fit", messy, *FIT, "--encoding", "latin-1", "--out-of-core", "yes", "--report", "r.html")
    assert (done.code, "--report needs a table in memory" in done.err) == (2, True)


def test_columns_that_look_like_something_else_are_named(messy, capsys):
    assert run(["fit", str(messy), "--target", "bleibt", "--encoding", "latin-1"]) == 0
    said = capsys.readouterr().err
    assert "column 'Größe': its texts are read as numbers with a decimal mark ','" in said
    assert "column 'Einkommen': its texts are read as numbers with a decimal mark ',', 'k.A.' means" in said
    assert "column 'seit': its texts are read as dates (year-month-day)" in said
    assert "column 'Nr' is not used: it numbers the rows (--type Nr=numeric uses it)" in said
    assert "'Gewicht' numbers" not in said


def test_a_decimal_comma_beside_a_word_for_no_value_is_read_without_options(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = [f"{k},{k % 7};{'yes' if k > 5 else 'no'}" for k in range(11)] + ["?;no"]
    Path("t.csv").write_text("\n".join(["amount;class", *rows]))
    assert run(["fit", "t.csv"]) == 0
    said = capsys.readouterr().err
    assert "column 'amount': its texts are read as numbers with a decimal mark ','" in said


def test_a_column_that_numbers_the_rows_is_used_if_there_is_no_other(tmp_path, laconic):
    data = tmp_path / "numbers.csv"
    data.write_text("x,class\n" + "".join(f"{i},{i // 15}\n" for i in range(30)))
    for out_of_core in ("no", "yes"):
        result = laconic("fit", data, "-t", "class", "--lambda", "0.05", "--out-of-core", out_of_core)
        assert result.code == 0
        assert result.out.startswith("IF x <= 14 THEN 0")
