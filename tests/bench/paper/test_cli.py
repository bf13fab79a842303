"""``python -m benchmarks.paper report``: records in, a page and its figures out."""

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from benchmarks.paper.__main__ import app
from laconic.bench.plan import Task
from laconic.bench.records import Exit, Record, open_records
from laconic.runtime.errors import InputError


def paper(*arguments):
    return CliRunner().invoke(app, [str(one) for one in arguments], catch_exceptions=False)


@pytest.fixture
def records(tmp_path):
    """A file of one record: ripper, out of time on a training set of the paper."""
    file = tmp_path / "records.jsonl"
    write(file, "cp20", "ripper")
    return file


def write(file, suite, method):
    with open_records(file) as writer:
        task = Task(suite, "mine", 2, 1, method, 9.0, 512, 0, "abc")
        writer.append(Record(task, Exit.TIMEOUT, 9, 9, 9))


def test_a_report_names_its_records_and_notes_and_draws_figures(records, tmp_path):
    notes = tmp_path / "notes.md"
    notes.write_text("They differ.")
    document = tmp_path / "docs" / "reproduction.md"
    assert paper("report", records, "-o", document, "--notes", notes).exit_code == 0
    text = document.read_text()
    assert "They differ." in text
    assert "`../records.jsonl`" in text
    assert str(tmp_path) not in text
    assert (tmp_path / "docs" / "figures" / "figure-1a-time.svg").exists()


def test_a_report_on_other_tables_says_that_they_are_not_the_papers(tmp_path):
    file = tmp_path / "records.jsonl"
    write(file, "csv", "opt")
    paper("report", file, "-o", tmp_path / "report.md", "--no-figures")
    text = (tmp_path / "report.md").read_text()
    assert "other tables (csv)" in text
    assert "These are not the paper's training sets" in text
    assert "authors' own quantised files" not in text
    assert not (tmp_path / "figures").exists()


def test_notes_that_are_not_there_are_refused(records, tmp_path):
    with pytest.raises(InputError, match="there are no notes at nowhere"):
        paper("report", records, "--notes", "nowhere.md", "-o", tmp_path / "report.md")


def test_bad_input_is_one_sentence_and_exit_code_2(tmp_path):
    command = [sys.executable, "-m", "benchmarks.paper", "report", str(tmp_path / "none.jsonl")]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert run.stderr.startswith("benchmarks.paper: there are no records at ")
    assert run.stderr.count("\n") == 1
