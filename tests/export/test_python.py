"""The stand-alone Python function answers like predict, and holds no code of the user."""

from __future__ import annotations

import ast
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from tests.support.models import loan_set, rule
from tests.support.random_sets import LABELS, random_rows, random_set

from laconic.data.column import Column
from laconic.data.literals import Equals, Interval, Threshold

N_SETS, N_ROWS = 25, 150


def compiled(source):
    scope = {}
    exec(compile(source, "exported", "exec"), scope)
    return scope


def answers(model, rows):
    predict = compiled(model.to_python())["predict"]
    return [predict(row) for row in rows.to_dict("records")]


@pytest.mark.parametrize("labels", LABELS)
def test_the_function_answers_like_predict(labels):
    rng = np.random.default_rng(list(LABELS).index(labels))
    seen = set()
    for _ in range(N_SETS):
        model, rows = random_set(rng, labels), random_rows(rng, N_ROWS)
        expected = model.predict(rows).tolist()
        found = answers(model, rows)
        assert found == expected
        assert {type(one) for one in found} <= {type(one) for one in model.classes}
        seen.update(expected)
    assert seen == set(LABELS[labels][0])


@pytest.mark.parametrize("value", ["1", 1, 1.5, True, "true", "True", "red", "01", 2**60, "1e3", "1000"])
def test_equality_is_that_of_a_column_of_the_same_cells(value):
    cells = {
        "texts": ["1", "1.0", "true", "True", " TRUE ", "red", "01", "", "1e3", "1000", None],
        "numbers": [1, 0, 1.5, 2.0**60, 1000, np.nan],
        "truths": [True, False, True],
    }
    for op in ("=", "!="):
        made = loan_set(
            rules=(rule("yes", [Equals("x", op, value)], 1, 0, 1),), columns=(Column("x", "category"),)
        )
        for listed in cells.values():
            rows = pd.DataFrame({"x": pd.Series(listed)})
            assert answers(made, rows) == made.predict(rows).tolist(), (op, value, listed)


@pytest.mark.parametrize("missing", [None, float("nan"), np.nan, pd.NA, pd.NaT, np.float32("nan")])
def test_every_spelling_of_missing_is_missing(missing):
    predict = compiled(loan_set().to_python())["predict"]
    assert predict({"age": 60.0, "colour": missing, "income": missing}) == "yes"
    assert predict({"age": missing, "colour": "red", "income": 5}) == "no"  # age > 30 does not hold


def test_a_column_that_is_absent_is_an_error():
    with pytest.raises(KeyError, match="age"):
        compiled(loan_set().to_python())["predict"]({"colour": "red", "income": 1})


def test_the_source_says_what_it_needs_and_can_answer():
    scope = compiled(loan_set().to_python())
    assert scope["COLUMNS"] == ["age", "colour", "income"]
    assert scope["CLASSES"] == ["no", "yes"]


def test_nothing_of_the_user_becomes_code():
    evil = "\"\"\"\n'''\\\nraise SystemExit  # {boom} %s"
    made = loan_set(
        rules=(rule("no", [Equals(evil, "=", evil), Threshold(evil + "2", "<=", 1.0)], 1, 1, 0),),
        columns=(Column(evil, "category"), Column(evil + "2", "numeric")),
    )
    made = replace(
        made, classes=(evil, "yes"), default_class=evil, rules=(replace(made.rules[0], label=evil),)
    )
    source = made.to_python()
    plain = compiled(loan_set().to_python())
    names = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    assert names <= {
        node.id for node in ast.walk(ast.parse(loan_set().to_python())) if isinstance(node, ast.Name)
    }
    assert set(compiled(source)) == set(plain)
    assert compiled(source)["predict"]({evil: evil, evil + "2": 0}) == evil


def test_infinite_ends_are_numbers_and_not_names():
    inf = float("inf")
    for literal in (
        Interval("x", -inf, 1.0),
        Interval("x", 1.0, inf, inside=False),
        Interval("x", -inf, inf),
    ):
        made = loan_set(rules=(rule("yes", [literal], 1, 0, 1),), columns=(Column("x", "numeric"),))
        rows = pd.DataFrame({"x": [0.0, 1.0, 2.0, None]})
        assert answers(made, rows) == made.predict(rows).tolist()


def test_the_module_runs_without_any_package(tmp_path):
    (tmp_path / "exported.py").write_text(loan_set().to_python(), encoding="utf-8")
    program = "import exported; print(exported.predict({'age': 40, 'colour': 'red', 'income': 1}))"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {program}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "yes\n"
