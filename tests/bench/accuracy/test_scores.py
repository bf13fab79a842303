"""Means, differences, goals and the page, from lines made by hand."""

import pytest

from benchmarks.accuracy import goals
from benchmarks.accuracy.__main__ import FIELDS, forget, main, summary
from benchmarks.accuracy.methods import METHODS
from benchmarks.accuracy.page import means, reference, text
from benchmarks.accuracy.picture import draw, group_of
from benchmarks.accuracy.scores import Scores
from benchmarks.support.halves import half
from benchmarks.support.study import Results

NAMES = ("iris", "magic", "mouse", "zoo")  # magic and no other is in the held-out half


def lines(dataset, method, errors, **values):
    """Return five lines; ``errors`` of 20 rows for each fold."""
    usual = {
        "exit": "ok",
        "rows": 20,
        "columns": 4,
        "classes": 2,
        "lost": 0,
        "size": 10,
        "rules": 3,
        "trivial": 0,
        "proven": "",
        "wall_s": "1.00",
        "cpu_s": "0.50",
        "version": "1.0",
        "note": "",
    }
    return [
        {
            "dataset": dataset,
            "fold": str(fold),
            "method": method,
            "errors": str(errors[fold - 1]),
            "balanced": f"{1 - errors[fold - 1] / 20:.4f}",
            **{name: str(value) for name, value in {**usual, **values}.items()},
        }
        for fold in range(1, 6)
    ]


def everywhere(method, errors, **values):
    return [line for name in NAMES for line in lines(name, method, errors, **values)]


@pytest.fixture
def rows():
    return [
        *everywhere("auto", [4, 4, 4, 4, 4], proven=1),
        *everywhere("cart-cv", [4, 4, 4, 4, 4], size=40),
        *everywhere("majority", [10, 10, 10, 10, 10], size=1, rules=1, trivial=1),
    ]


def test_a_mean_is_over_tables_and_a_table_needs_all_folds(rows):
    scores = Scores(
        [*rows, *lines("iris", "figs", [2, 2, 2, 2, 2]), *lines("zoo", "figs", [6, 2, 2, 2, 2])[1:]]
    )
    assert scores.names == sorted(NAMES)
    assert scores.of("auto", NAMES)["accuracy"].tolist() == [80.0] * 4
    assert list(scores.of("figs", NAMES).index) == ["iris"]
    assert scores.has("auto", NAMES)
    assert not scores.has("figs", NAMES)
    assert scores.of("ripper", NAMES).empty
    table = means(scores, NAMES)
    assert "| Laconic auto | 80.0 | 80.0 | 10.0 | 3.0 | 0 | 0 | 100 % | 0.50 / 0.5 |" in table
    assert "| FIGS | 1 of 4 tables measured |" in table
    assert "RIPPER" not in table
    assert "CART, cross-validated      4 tables   80.0 %" in summary(scores)


def test_differences_have_the_standard_error_over_tables(rows):
    rows += lines("iris", "ripper", [4] * 5) + lines("mouse", "ripper", [6] * 5)
    rows += lines("zoo", "ripper", [14] * 5, exit="cpuout")
    scores = Scores(rows)
    found = scores.difference("accuracy", "auto", "ripper", NAMES)
    assert (round(found.mean, 9), found.better, found.worse, found.tables) == (20.0, 2, 0, 3)
    assert found.error == pytest.approx((700) ** 0.5 / 3**0.5)  # of 0, 10 and 50
    ended = scores.difference("accuracy", "auto", "ripper", NAMES, ended=True)
    assert (round(ended.mean, 9), ended.tables) == (5.0, 2)
    assert scores.difference("accuracy", "auto", "cn2", NAMES) is None


def test_losses_are_listed_with_the_error_over_folds(rows):
    rows = [row for row in rows if (row["dataset"], row["method"]) != ("zoo", "auto")]
    scores = Scores([*rows, *lines("zoo", "auto", [4, 5, 6, 5, 5])])
    losses = scores.losses("auto", "cart-cv", NAMES)
    assert list(losses.index) == ["zoo"]
    assert losses.loc["zoo", "gap"] == pytest.approx(-5.0)
    assert losses.loc["zoo", "error"] == pytest.approx((12.5 / 5) ** 0.5)
    assert "| zoo | 75.0 | 80.0 | -5.0 ± 1.6 | 10.0 | 40.0 |" in text(scores)


def test_a_trivial_model_counts_where_cart_is_clearly_better_than_the_majority(rows):
    rows = [row for row in rows if row["method"] != "auto"]
    clear, unclear = (lines("iris", "cart-cv", [k] * 5, lost=lost) for k, lost in ((4, 0), (8, 4)))
    trivial = everywhere("auto", [10] * 5, trivial=1)
    assert len(Scores([*rows, *trivial]).needlessly_trivial("auto", "cart-cv", NAMES)) == 20
    rows = [row for row in rows if (row["dataset"], row["method"]) != ("iris", "cart-cv")]
    assert ("iris", 1) in Scores([*rows, *trivial, *clear]).needlessly_trivial("auto", "cart-cv", NAMES)
    # Six rows won and four lost: two of twenty, with a standard error of three.
    assert ("iris", 1) not in Scores([*rows, *trivial, *unclear]).needlessly_trivial("auto", "cart-cv", NAMES)


def test_goals_are_judged_by_the_means(rows):
    rows += everywhere("ripper", [5] * 5, size=12) + everywhere("figs", [4] * 5)
    found = {goal.what: goal for goal in goals.judged(Scores(rows), NAMES)}
    assert {what: goal.met for what, goal in found.items() if goal.met is not None} == {
        "accuracy: that of CART, cross-validated minus 0.5": True,
        "accuracy: 2 points above RIPPER": True,
        "accuracy: above that of FIGS": False,
        "balanced accuracy: that of CART, cross-validated minus 0.5": True,
        "balanced accuracy: 2 points above RIPPER": True,
        "balanced accuracy: above that of FIGS": False,
        "size: at most 0.25 times that of CART, cross-validated": True,
        "size: at most 0.5 times that of RIPPER": False,
        "no trivial model where CART, cross-validated beats the most frequent class "
        "by two standard errors": True,
        "tables of at most 1000 rows and 50 columns within 10 s of processor time": True,
        "all tables within 60 s of processor time": True,
    }
    assert found["accuracy: above that of BRCG"].verdict == "open"
    assert found["accuracy: above that of FIGS"].verdict == "**missed**"


def test_the_page_does_without_auto_and_names_what_has_no_results(rows):
    rows = [{**row, "method": row["method"].replace("auto", "lambda-0.005")} for row in rows]
    scores = Scores(rows)
    assert reference(scores) == "lambda-0.005"
    page = text(scores)
    assert (
        "No results yet: Laconic auto, Laconic auto with OTHERWISE, Laconic λ = 0.05, CART, 8 leaves" in page
    )
    assert "## Laconic λ = 0.005 against the others" in page
    assert "Not measured yet." in page


def test_the_picture_has_a_dot_for_each_method_with_a_size(rows):
    (axes,) = draw(Scores([*rows, *everywhere("forest", [1] * 5, size="", rules="")])).axes
    words = {note.get_text() for note in axes.texts}
    assert words == {"Laconic auto", "CART, cross-validated", "random forest 95.0"}
    assert {tuple(line.get_xydata()[0]) for line in axes.lines if len(line.get_xdata()) == 1} == {
        (10.0, 80.0),
        (40.0, 80.0),
    }


def test_the_picture_shows_the_half_that_has_been_measured(rows):
    assert group_of(Scores(rows)) == "all"
    development = [row for row in rows if row["method"] != "auto" or half(row["dataset"]) == "development"]
    assert group_of(Scores(development)) == "development"


@pytest.fixture
def results(tmp_path, rows):
    found = Results(tmp_path / "accuracy.csv", FIELDS, ("dataset", "fold", "method"))
    found.append(rows)
    return found


def test_lines_are_forgotten_with_all_folds_of_their_table(results, rows, capsys):
    forget(results, lambda row: row["method"] == "auto" and row["dataset"] == "zoo" and row["fold"] == "2")
    assert len(results.rows()) == len(rows) - 5
    assert "5 lines dropped" in capsys.readouterr().out


def test_the_command_line_measures_what_is_missing_once(monkeypatch, capsys, folder, tmp_path):
    csv = tmp_path / "found.csv"
    run = ["accuracy", "--data", str(folder), "--results", str(csv), "--method", "majority", "otherwise"]
    missing = {name: METHODS[name].missing() for name in ("majority", "otherwise")}
    monkeypatch.setattr("sys.argv", run)
    main()
    said = capsys.readouterr().out
    assert said.count("75.0 %") == 5
    assert (missing["otherwise"] is not None) == (f"otherwise: not available, {missing['otherwise']}" in said)
    main()
    assert "75.0 %" not in capsys.readouterr().out
    monkeypatch.setattr("sys.argv", [*run, "--summary"])
    main()
    assert "majority class             1 tables   75.0 %  balanced  50.0 %" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--data", "nowhere"], "nowhere does not exist; give --data a CSV or Parquet file"),
        (["--summary"], "no results in"),
        (["--page"], "run this without --summary and --page first"),
    ],
)
def test_bad_input_ends_with_one_sentence(monkeypatch, capsys, tmp_path, arguments, message):
    monkeypatch.setattr("sys.argv", ["accuracy", "--results", str(tmp_path / "none.csv"), *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1
