"""The benchmarks' runner: items are measured once, and what is committed fits the scripts."""

import importlib
import os

import pytest

from benchmarks.support import study
from benchmarks.support.study import FOLDER, Results

FIELDS = ("name", "number", "square")


@pytest.fixture
def results(tmp_path):
    return Results(tmp_path / "new" / "results.csv", FIELDS, ("name", "number"))


def plan(*numbers):
    return [(("n", number), (number,)) for number in numbers]


def square(number):
    return {"square": number * number}


def test_a_second_run_measures_only_what_is_new(results, capsys):
    study.run(results, plan(1, 2), square)
    study.run(results, plan(1, 2, 3), square)
    assert results.path.read_text() == "name,number,square\nn,1,1\nn,2,4\nn,3,9\n"
    assert capsys.readouterr().out == "n\t1\t1\nn\t2\t4\nn\t3\t9\n"


def test_the_last_line_of_an_item_counts_and_says_whether_it_is_done(results):
    study.run(results, plan(1), square)
    study.run(results, plan(1), lambda number: {"square": "better"}, counts=lambda row: row["square"] != "1")
    study.run(results, plan(1), square, counts=lambda row: row["square"] != "1")
    assert [row["square"] for row in results.rows()] == ["1", "better"]
    assert [row["square"] for row in results.latest()] == ["better"]


def test_an_item_may_have_several_lines(results):
    study.run(results, plan(2), lambda number: [{"square": 4}, {"square": "four"}])
    study.run(results, plan(2), square)
    assert [row["square"] for row in results.rows()] == ["4", "four"]


def test_a_slice_ends_in_time_and_the_next_one_goes_on(results):
    study.run(results, plan(1, 2), square, stop_after=-1)
    assert results.rows() == []
    study.run(results, plan(1, 2), square, stop_after=60)
    assert len(results.rows()) == 2


def test_another_process_may_fill_the_same_file(results):
    def meanwhile(number):
        results.append([{"name": "n", "number": 2, "square": "by another"}])
        return square(number)

    study.run(results, plan(1, 2), meanwhile)
    assert [row["square"] for row in results.rows()] == ["by another", "1"]


def test_a_line_that_was_cut_short_is_measured_again(results):
    study.run(results, plan(1, 2), square)
    whole = results.path.read_bytes()
    results.path.write_bytes(whole[:-3])
    assert [row["number"] for row in results.rows()] == ["1"]
    study.run(results, plan(1, 2), square)
    assert results.path.read_bytes() == whole


def test_a_file_keeps_its_line_endings(results):
    results.path.parent.mkdir()
    results.path.write_bytes(b"name,number,square\r\n")
    study.run(results, plan(1), square)
    assert results.path.read_bytes() == b"name,number,square\r\nn,1,1\r\n"
    study.write(results.path, FIELDS, [{"name": "m", "number": 3, "square": 9}])
    assert results.path.read_bytes() == b"name,number,square\r\nm,3,9\r\n"


def test_a_measurement_without_one_of_the_columns_is_a_mistake(results):
    with pytest.raises(KeyError, match="square"):
        study.run(results, plan(1), lambda number: {})
    assert results.rows() == []


def test_an_isolated_measurement_has_a_process_of_its_own():
    assert study.isolated(os.getpid) != os.getpid()


COMMITTED = {
    "certificates": "certificates",
    "exact_suite": "exact_sparse_0.05",
    "exact_vs_minds": "exact_vs_minds",
    "first_second": "first_second",
    "growth": "growth",
    "lazy_rows": "lazy_rows",
    "limits_suite": "time_limits",
    "rules_vs_minds": "rules_vs_minds",
    "sat_vs_minds": "sat_vs_minds",
    "stopping": "stopping",
    "verified": "verified",
}


@pytest.mark.parametrize(("script", "file"), COMMITTED.items())
def test_committed_results_have_the_columns_of_their_script(script, file):
    module = importlib.import_module(f"benchmarks.{script}")
    path = FOLDER / f"{file}.csv"
    header = path.read_text(encoding="utf-8").splitlines()[0].split(",")
    assert header == list(module.FIELDS)
    assert set(module.KEY) < set(module.FIELDS)
    assert Results(path, module.FIELDS, module.KEY).latest()


@pytest.mark.parametrize("script", ["exact_vs_minds", "first_second", "sat_vs_minds", "stopping"])
def test_committed_results_are_without_fault(script):
    module = importlib.import_module(f"benchmarks.{script}")
    assert module.summary(Results(FOLDER / f"{script}.csv", module.FIELDS, module.KEY).latest()) == []
