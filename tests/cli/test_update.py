import json
from pathlib import Path

import pytest

MORE = """age,job,owner,class
26,clerk,true,bad
62,clerk,false,good
"""


@pytest.fixture
def learned(loans, laconic):
    result = laconic("fit", loans, "--lambda", "0.1", "-o", "model.json", "--save-rows", "rows.npz")
    assert result.code == 0, result.err
    Path("more.csv").write_text(MORE)
    return loans


def test_new_rows_are_added_and_the_model_stands_on_all_of_them(laconic, learned):
    files = ("-o", "new.json", "--save-rows", "new.npz")
    result = laconic("update", "model.json", "rows.npz", "more.csv", *files)
    assert result.code == 0, result.err
    assert "2 rows added: the rules stay as they were, proved again" in result.err
    Path("all.csv").write_text(learned.read_text() + MORE.split("\n", 1)[1])
    assert laconic("verify", "new.json", "all.csv").code == 0
    again = laconic("update", "new.json", "new.npz", "more.csv", "--json")
    assert again.code == 0, again.err
    found = json.loads(again.out)
    assert (found["rows_added"], found["n_samples"], found["optimal"]) == (2, 12, True)


def test_rows_and_model_must_belong_together(laconic, learned):
    laconic("fit", "more.csv", "-o", "other.json")
    result = laconic("update", "other.json", "rows.npz", "more.csv")
    assert (result.code, result.out) == (2, "")
    assert "these are not the rows that the model was trained on" in result.err


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (("model.json", "nothing.npz", "more.csv"), "there is no file nothing.npz"),
        (("model.json", "model.json", "more.csv"), "model.json is not a training table"),
        (("model.json", "rows.npz", "nothing.csv"), "there is no file nothing.csv"),
        (("model.json", "rows.npz", "more.csv", "--save-rows", "more.csv"), "would overwrite an input"),
    ],
)
def test_bad_files_are_refused_in_a_sentence(laconic, learned, files, message):
    result = laconic("update", *files)
    assert (result.code, result.out) == (2, "")
    assert message in result.err


def test_the_end_of_what_is_no_archive_is_not_looked_for(laconic, learned, monkeypatch):
    # A device has none: its zeros would be read until the memory is full.
    monkeypatch.setattr("zipfile.is_zipfile", lambda _: pytest.fail("read to the end"))
    Path("zeros").write_bytes(bytes(100))
    result = laconic("update", "model.json", "zeros", "more.csv")
    assert (result.code, result.out) == (2, "")
    assert "zeros is not a training table that laconic saved" in result.err
