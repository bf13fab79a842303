"""``--default otherwise`` from the fit to the export, and files that say something else about it."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from laconic import load_model
from laconic.checking import checker

TABLE = """age,colour,class
21,red,no
35,blue,yes
54,red,no
70,blue,yes
33,red,yes
44,green,no
28,green,maybe
"""


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text(TABLE)
    return "t.csv"


@pytest.fixture
def fitted(table, laconic):
    """A perfect model with an OTHERWISE rule, its certificate, and what was printed."""
    options = ("--objective", "perfect", "--default", "otherwise", "--certificate", "c.json")
    result = laconic("fit", table, "-t", "class", *options, "-o", "m.json")
    assert result.code == 0
    return result.out


def edited(path, change):
    document = json.loads(Path(path).read_text())
    change(document)
    if "seal" in document:
        document["seal"] = checker.seal(document)
    Path("edited.json").write_text(json.dumps(document))
    return "edited.json"


def test_a_fit_prints_the_rule_with_its_rows_and_counts_it(fitted):
    assert fitted == (
        "IF age <= 30 AND colour is green THEN maybe     [1 row, precision 1.00]\n"
        "IF 30 < age <= 34                THEN yes       [1 row, precision 1.00]\n"
        "IF colour is blue                THEN yes       [2 rows, precision 1.00]\n"
        "OTHERWISE                        THEN no        [3 rows, precision 1.00]\n"
        "Wrong on 0 of 7 training rows.\n"
        "(4 rules, size 9, errors 0, proven optimal)\n"
    )


def test_the_summary_of_a_sparse_set_adds_up(table, laconic):
    options = ("--default", "otherwise", "--lambda", 0.1)
    result = laconic("fit", table, "-t", "class", *options)
    assert result.out.startswith(
        "OTHERWISE THEN no     [7 rows, precision 0.43]\n"
        "Wrong on 4 of 7 training rows (57.1 %).\n"
        "(1 rule, size 1, cost 5 = 4 + 1 × 1, proven optimal)\n"
    )
    assert "no rule explains 'yes' (rows of weight 3)" in result.out
    assert "no rule explains 'no'" not in result.out
    found = json.loads(laconic("fit", table, "-t", "class", *options, "--json").out)
    assert found["cost"] == found["errors"] + 1 * found["size"] == 5
    assert found["default"] == {"class": "no", "rows": 7, "way": "otherwise"}
    assert (found["n_rules"], found["else"]["rows"]) == (1, 7)
    costs = ("--class-weight", "yes=0.5", "--lambda", 0.05)
    weighed = laconic("fit", table, "-t", "class", "--default", "otherwise", *costs).out.splitlines()[2]
    assert weighed == "(1 rule, size 1, cost 3 = 2.5 for errors + 0.5 × 1, proven optimal)"


def test_show_says_which_way_rows_without_a_rule_are_decided(table, fitted, laconic):
    said = laconic("show", "m.json").out
    assert (
        "\nuncovered   OTHERWISE is a rule of the set, of size 1, for a class that needs no other\n" in said
    )
    laconic("fit", table, "-t", "class", "-o", "explained.json")
    said = laconic("show", "explained.json").out
    assert "\nuncovered   classes are explained by rules of their own; rows that none covers get the " in said


def test_explain_says_that_otherwise_decided_with_its_own_rows(fitted, table, laconic):
    lines = laconic("explain", "m.json", table).out.splitlines()
    assert lines[0] == "row 0: no, by the OTHERWISE rule [3 rows, precision 1.00]: no other rule covers it"
    data = json.loads(laconic("explain", "m.json", table, "--json").out)
    first = (data if isinstance(data, list) else data["rows"])[0]
    assert (first["reason"], first["deciding_rule"]) == ("otherwise", None)
    assert first["otherwise"] == {"rows": 3, "precision": 1.0}


def test_predictions_and_exports_agree(fitted, table, laconic):
    expected = pd.read_csv(table)["class"].tolist()
    assert laconic("predict", "m.json", table, "-o", "p.csv").code == 0
    assert pd.read_csv("p.csv").iloc[:, -1].tolist() == expected
    assert laconic("export", "m.json", "-o", "rules.py").code == 0
    names: dict = {}
    exec(Path("rules.py").read_text(), names)
    assert [names["predict"](row) for row in pd.read_csv(table).to_dict("records")] == expected
    assert "ELSE 'no'" in load_model("m.json").to_sql()


def test_verify_recounts_and_proves_it_again(fitted, table, laconic):
    result = laconic("verify", "m.json", table, "--certificate", "c.json", "--require-proof", "--conditions")
    assert result.code == 0
    assert (
        "optimal (perfect, an OTHERWISE rule of size 1): the rules cost 9, and no decision set" in result.out
    )
    assert "  'OTHERWISE THEN no'\n" in result.out


@pytest.mark.parametrize(
    ("change", "code", "reason"),
    [
        (
            lambda d: d["proof"].update(otherwise=2),
            2,
            "its OTHERWISE rule does not fit its objective and rules",
        ),
        (lambda d: d["proof"].pop("otherwise"), 2, "its cost is not that of its rules"),
        (
            lambda d: (d["proof"].pop("otherwise"), d["proof"].update(cost=8, lower_bound=8)),
            2,
            "its else rule is not the one that was proved",
        ),
        (lambda d: d["proof"].update(cost=8, lower_bound=8), 2, "its cost is not that of its rules"),
        (lambda d: d.update({"else": None}), 2, "its OTHERWISE rule is not the one that was proved"),
        (lambda d: d["proof"].update(every_class=True), 2, "'every_class' does not fit its objective"),
        (lambda d: d["else"].update(rows=4), 1, "is said to cover 4 rows, but covers 3"),
        (
            lambda d: d["default"].update({"class": "yes"}),
            1,
            "the default class is said to be yes, but is no",
        ),
    ],
)
def test_an_edited_model_is_refused_or_does_not_stand(change, code, reason, fitted, table, laconic):
    result = laconic("verify", edited("m.json", change), table)
    assert result.code == code
    assert reason in result.out + result.err


def test_another_class_for_otherwise_does_not_stand(table, laconic):
    """Every number of the file made to fit, so that only the data say that another class is heavier."""
    laconic("fit", table, "-t", "class", "--default", "otherwise", "--lambda", 0.1, "-o", "m.json")

    def change(document):
        document["proof"].update(otherwise=2, errors=4, cost=5, lower_bound=5)
        document["else"].update({"class": "yes", "alone": 3})
        document["default"].update({"class": "yes"})

    result = laconic("verify", edited("m.json", change), table)
    assert result.code == 1
    # Equally heavy: the first label is taken, so that nobody can choose.
    assert "its OTHERWISE rule gives 'yes', but 'no' is the heaviest class without other rules" in result.out


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda d: d.update(otherwise=2), "the class that OTHERWISE gives has another rule"),
        (lambda d: d.update(otherwise=0), "the class that OTHERWISE gives has another rule"),
        (lambda d: d.update(cost=8, lower_bound=8), "its rules cost 9, not 8"),
        (lambda d: d.update(lower_bound=8), "the classes' bounds make 9, not 8"),
        (lambda d: d.pop("otherwise"), "its rules make errors of weight 3 that a perfect set avoids"),
    ],
)
def test_an_edited_certificate_fails(change, reason, fitted, table, laconic):
    result = laconic("verify", table, "--certificate", edited("c.json", change))
    assert result.code == 1
    assert reason in result.out


def test_budgets_and_paths_count_the_rule(table, laconic):
    path = laconic("path", table, "-t", "class", "--default", "otherwise", "--every", "size", "--max-size", 5)
    assert [line.split()[:3] for line in path.out.splitlines()[1:-1]] == [["1", "4", "1"], ["3", "2", "2"]]
    many = json.loads(
        laconic("path", table, "-t", "class", "--default", "otherwise", "--max-size", 0, "--json").out
    )
    assert many["complete"]
    assert [(point["size"], point["errors"]) for point in many["points"]] == [(1, 4), (3, 2), (9, 0)]
    for point in many["points"]:
        options = ("--default", "otherwise", "--certificate", "c.json", "-o", "m.json")
        for limit in (("--size-budget", point["size"]), ("--max-errors", point["errors"])):
            found = json.loads(laconic("fit", table, "-t", "class", *limit, *options, "--json").out)
            assert (found["size"], found["errors"], found["optimal"]) == (
                point["size"],
                point["errors"],
                True,
            )
            verified = laconic("verify", "m.json", table, "--certificate", "c.json", "--require-proof")
            assert verified.code == 0, verified.out


def test_update_knows_it(laconic, table):
    fit = ("fit", table, "-t", "class", "--default", "otherwise", "-o", "m.json", "--save-rows", "r.npz")
    assert laconic(*fit).code == 0
    updated = laconic("update", "m.json", "r.npz", table, "-o", "n.json")
    assert updated.code == 0
    assert load_model("n.json").has_otherwise
    Path("twice.csv").write_text(TABLE + TABLE.partition("\n")[2])
    assert laconic("verify", "n.json", "twice.csv").code == 0


def test_a_report_says_which_way_it_is(fitted, table, laconic):
    assert laconic("report", "m.json", table, "-o", "r.html").code == 0
    page = Path("r.html").read_text()
    assert "OTHERWISE rule" in page
    assert "by the OTHERWISE rule" in page
    assert '"reason": "otherwise"' in page or '"reason":"otherwise"' in page
    assert "the OTHERWISE rule gives it to all rows that no other rule covers" in page
    laconic("fit", table, "-t", "class", "-o", "e.json", "--report", "e.html")
    assert "Classes are explained by rules of their own." in Path("e.html").read_text()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--default", "elsewhere"), "unknown default 'elsewhere'; choose one of: explained, otherwise"),
        (
            ("--every-class",),
            "--default otherwise and --every-class exclude each other; leave one of them out",
        ),
        (
            ("--counting", "per_row"),
            "--default otherwise and --counting per_row exclude each other; leave one of them out",
        ),
        (
            ("--size-budget", 0),
            "--default otherwise and --size-budget 0 exclude each other; leave one of them out",
        ),
        (("--max-rules", 2), "default='otherwise' cannot be combined with max_rules; leave one of them out"),
        (
            ("--measure", "rules"),
            "default='otherwise' cannot be combined with measure='rules'; leave one of them out",
        ),
        (
            ("--objective", "min_rules", "--forbid", "age"),
            "default='otherwise' cannot be combined with constraints under objective='min_rules'; "
            "leave one of them out",
        ),
        (
            ("--objective", "perfect", "--engine", "sat"),
            "engine 'sat' does not solve objective='perfect' and default='otherwise'; "
            "use one of: exact, brute",
        ),
    ],
)
def test_what_does_not_go_with_otherwise_is_refused_in_a_sentence(options, message, table, laconic):
    result = laconic("fit", table, "-t", "class", "--default", "otherwise", *options)
    assert (result.code, result.out) == (2, "")
    assert result.err.splitlines()[-1] == f"laconic: {message}"
