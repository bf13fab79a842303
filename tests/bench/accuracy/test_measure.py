"""From a driver to lines of the results: what is counted, and what becomes of fits that end badly."""

import runpy

import numpy as np
import pytest

from benchmarks.accuracy import measure as module
from benchmarks.accuracy.__main__ import FIELDS, KEY
from benchmarks.accuracy.measure import balanced_accuracy, measure
from benchmarks.accuracy.methods import METHODS
from laconic.bench.peers.environments import SERVE_TABLES

SERVE = runpy.run_path(str(SERVE_TABLES))


def test_balanced_accuracy_weighs_the_classes_that_have_rows_alike():
    truth, predicted = np.array([0, 0, 0, 2]), np.array([0, 0, 1, 2])
    assert balanced_accuracy(truth, predicted) == pytest.approx((2 / 3 + 1) / 2)


def test_the_leaves_of_trees_count_as_rules():
    inner = ("leaf", ("leaf", "leaf"))

    def children(node):
        return () if node == "leaf" else node

    counted = SERVE["counted"]
    assert counted({"trees": [inner], "optimal": True}, children) == {"size": 8, "rules": 3, "optimal": True}
    assert counted({"trees": [inner, "leaf"]}, children) == {"size": 9, "rules": 4, "optimal": None}
    assert counted({"lengths": [2, 0]}, None) == {"size": 4, "rules": 2, "optimal": None}
    assert counted({}, None) == {"size": None, "rules": None, "optimal": None}


def test_class_after_class_the_rarest_first_each_on_the_rows_that_are_left():
    seen = []

    def learn_class(rows, positive, job):
        seen.append((len(rows), positive.tolist()))
        assert job == {"seconds": 10}
        value = rows[positive][0, 0]
        return lambda new: new[:, 0] == value, {"lengths": [1]}

    rows = np.array([[0.0], [1], [1], [2], [2], [2], [1]])
    labels = np.array([2, 1, 1, 0, 0, 0, 0])
    predict, facts = SERVE["one_after_another"](learn_class, rows, labels, {"seconds": 20})
    assert facts == {"lengths": [0, 1, 1]}
    assert seen == [(7, [True] + [False] * 6), (6, [True, True, False, False, False, False])]
    assert predict(np.array([[0.0], [1], [2], [9]])).tolist() == [2, 1, 0, 0]


def test_frames_have_texts_for_categories():
    frame = SERVE["as_frame"](np.array([[0.5, 1], [np.nan, np.nan]]), [0, 2])
    assert frame["f0"].isna().tolist() == [False, True]
    assert frame["f1"].isna().tolist() == [False, True]
    assert frame["f1"][0] == "v1"


def test_every_fold_becomes_a_line(tables):
    lines = measure(tables.read("small"), METHODS["majority"])
    assert [line["fold"] for line in lines] == [1, 2, 3, 4, 5]
    for line in lines:
        assert {*line, "dataset", "method"} == set(FIELDS) >= set(KEY)
        assert (line["exit"], line["rows"], line["errors"], line["lost"]) == ("ok", 8, 2, 0)
        assert (line["balanced"], line["size"], line["rules"], line["trivial"]) == ("0.5000", 1, 1, 1)
        assert (line["proven"], line["version"], line["note"]) == ("", "", "")


def test_cart_is_measured(tables):
    for name in ("cart-8", "cart-cv"):
        lines = measure(tables.read("small"), METHODS[name])
        assert {line["exit"] for line in lines} == {"ok"}
        assert all(line["size"] >= line["rules"] >= 1 for line in lines)
        assert all((line["rules"] == 1) == bool(line["trivial"]) for line in lines)


def test_laconic_is_measured_and_its_proof_is_told(tables):
    lines = measure(tables.read("small"), METHODS["lambda-0.005"])
    assert {(line["exit"], line["proven"]) for line in lines} == {("ok", 1)}
    assert all(line["size"] > line["rules"] for line in lines)


ILL = """
import os, time
from pathlib import Path
import numpy as np

def learn(rows, labels, job):
    # The second fold ends badly.
    seen = Path(job["options"]["notes"])
    seen.write_text(seen.read_text() + "x" if seen.exists() else "x")
    if len(seen.read_text()) == 2:
        {ending}
    return lambda new: labels[: len(new)], {{"lengths": [1, 1], "optimal": False}}
"""


@pytest.mark.parametrize(
    ("ending", "seconds", "exit_", "note"),
    [
        ("while True: pass", 200.0, "cpuout", ""),
        ("time.sleep(60)", 5.0, "timeout", "stopped after"),
        ("raise TimeoutError('no tree in time')", 200.0, "timeout", "no tree in time"),
        ("raise MemoryError", 200.0, "memout", ""),
        ("raise KeyError('an untold bug')", 200.0, "crash", "KeyError: 'an untold bug'"),
        ("os.abort()", 200.0, "crash", ""),
    ],
    ids=["spins", "sleeps", "gives up", "no memory", "raises", "dies"],
)
def test_a_fit_that_ends_badly_is_scored_as_the_majority_and_the_other_folds_are_learned(
    tables, method, tmp_path, monkeypatch, ending, seconds, exit_, note
):
    monkeypatch.setattr(module, "PROCESSOR_SECONDS", 1.0)
    monkeypatch.setattr(module, "WALL_SECONDS", seconds)
    notes = tmp_path / "notes"
    lines = measure(tables.read("small"), method(ILL.format(ending=ending), options={"notes": str(notes)}))
    assert notes.read_text() == "xxxxx"
    assert [line["exit"] for line in lines] == ["ok", exit_, "ok", "ok", "ok"]
    ill = lines[1]
    assert (ill["errors"], ill["lost"], ill["size"], ill["rules"], ill["trivial"]) == (2, 0, 1, 1, 1)
    assert ill["proven"] == ""
    assert note in ill["note"]
    assert [line["size"] for line in lines] == [4, 1, 4, 4, 4]


def test_predictions_come_back_as_class_numbers_although_a_class_has_no_training_row(tables, method):
    table = tables.read("small")
    table.labels[:] = np.where(table.labels == 0, 0, 2)  # class 1 has no rows
    text = "import numpy as np\ndef learn(rows, labels, job):\n    return lambda new: np.ones(len(new)), {}\n"
    lines = measure(table, method(text))
    assert [line["errors"] for line in lines] == [6] * 5
    assert [line["size"] for line in lines] == [""] * 5
    assert [line["lost"] for line in lines] == [6] * 5
