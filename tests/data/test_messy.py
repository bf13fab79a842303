"""Files that are broken as real ones are: each is read right, or a sentence says which option."""

from __future__ import annotations

import warnings
from pathlib import Path

import pandas as pd
import pytest

from laconic import load_model
from laconic.cli.main import run

FOLDER = Path(__file__).parent / "messy"
KEEPS = "--type {}=category keeps the texts"
NUMBERS = "column 'amount': its texts are read as numbers"

READ = {
    "blank_lines": ("amount > 4000", ""),
    "blanks_around_header": ("amount > 4000", ""),
    "byte_order_mark": ("amount > 4000", ""),
    "codes_of_digits": (
        "zip > 40000",
        "codes such as '01067', which are read as numbers",
    ),
    "column_without_values": ("amount > 4000", "'note' is not used: it has no values, only missing ones"),
    "constant_column": ("amount > 4000", "column 'country' is not used: every value is DE"),
    "dates_american": ("since > 2023-10-31", "are read as dates (month/day/year)"),
    "dates_german": ("since > 2023-10-31", "are read as dates (day.month.year)"),
    "dates_iso": ("since > 2023-10-31", "are read as dates (year-month-day)"),
    "dates_with_gaps": ("since is missing", "read as dates (day.month.year), '-' means 'no value'"),
    "decimal_comma": ("amount > 40 ", f"{NUMBERS} with a decimal mark ','"),
    "empty_header": ("amount > 4000", "column 1 has no name and is called 'Unnamed: 0'"),
    "leading_blanks": ("colour is red", "column 'colour': blanks around its texts are left out"),
    "missing_blank": ("amount is missing", f"{NUMBERS}, '' means 'no value'"),
    "missing_dash": ("amount is missing", f"{NUMBERS}, '-' means 'no value'"),
    "missing_kA": ("amount is missing", f"{NUMBERS} with a decimal mark ',', 'k.A.' means 'no value'"),
    "missing_lower_case": ("amount is missing", ""),
    "missing_question_mark": ("amount is missing", f"{NUMBERS}, '?' means 'no value'"),
    "missing_question_mark_in_words": ("colour is missing", "column 'colour': '?' means 'no value'"),
    "missing_word": ("amount is missing", f"{NUMBERS}, 'unknown' means 'no value'"),
    "names": ("amount > 5300", "column 'name' is not used: all of its 60 values are different"),
    "plus_and_minus": ("sign is +", ""),
    "quotes_after_blanks": ("amount > 4000", ""),
    "repeated_header": ("amount.1 > 4000", "column 2 is called 'amount.1', because 'amount' is another's"),
    "row_numbers": (
        "amount > 4000",
        "'id' is not used: it numbers the rows (--type id=numeric uses it)",
    ),
    "spreadsheet_separator": ("amount > 4000", ""),
    "tabs_around": ("colour is red", "column 'colour': blanks around its texts are left out"),
    "thousands_apostrophe": ("amount > 40000", f'{NUMBERS} with "\'" between thousands'),
    "thousands_blank": ("amount > 40000", f"{NUMBERS} with ' ' between thousands"),
    "thousands_comma": ("amount > 40000", f"{NUMBERS} with ',' between thousands"),
    "thousands_comma_whole": ("amount > 400000", f"{NUMBERS} with ',' between thousands"),
    "thousands_dot": ("amount > 40000", f"{NUMBERS} with a decimal mark ',' and '.' between thousands"),
    "thousands_no_break_space": ("amount > 40000", "between thousands"),
    "timestamps": ("since > 2023-11-01 00:00", "are read as dates (year-month-day)"),
    "trailing_blanks": ("colour is red", "column 'colour': blanks around its texts are left out"),
    "truth_values": ("paid is TRUE", "column 'paid': blanks around its texts are left out"),
    "utf16": ("amount > 4000", ""),
    "windows_lines": ("amount > 4000", ""),
}
"""What a rule says, and what is said about the file, without options."""

ASKED = {
    "latin1": ("name its encoding, such as latin-1", ["--encoding", "latin-1"], "Größe > 4000"),
    "less_than": ("use --missing '<1000'", ["--missing", "<1000"], "amount > 4000"),
    "points_between_thousands": (
        "may have points between thousands, as in '4.315'; if it has, use --column amount:thousands=.",
        ["--column", "amount:thousands=."],
        "amount > 4000",
    ),
    "ragged": ("line 11 of", None, None),
}
"""Which option a sentence names, and what a rule says with it."""

PANDAS = {
    "utf16": {"encoding": "utf-16", "sep": ";"},
    "spreadsheet_separator": {"sep": ";", "skiprows": 1},
    "quotes_after_blanks": {"skipinitialspace": True},
    "latin1": {"encoding": "latin-1", "sep": ";"},
}
"""How pandas has to read a file, besides the delimiter."""


def frame_of(name):
    sep = ";" if ";" in (FOLDER / f"{name}.csv").read_bytes().decode("latin-1").splitlines()[0] else ","
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pd.read_csv(FOLDER / f"{name}.csv", **{"sep": sep, **PANDAS.get(name, {})})


def fitted(name, tmp_path, capsys, *options):
    path = tmp_path / "m.json"
    code = run(["fit", str(FOLDER / f"{name}.csv"), "-t", "y", "-l", "0.01", "-o", str(path), *options])
    said = capsys.readouterr()
    return code, said.out, said.err, path


def test_every_file_of_the_folder_is_expected_to_do_something():
    assert {path.stem for path in FOLDER.glob("*.csv")} == READ.keys() | ASKED.keys()
    assert len(READ) >= 30


@pytest.mark.parametrize("name", READ)
def test_a_file_is_read_right_without_options_and_predicted_alike(name, tmp_path, capsys):
    rule, note = READ[name]
    code, out, err, path = fitted(name, tmp_path, capsys)
    assert (code, rule in out, note in err) == (0, True, True), out + err
    notes = [line for line in err.splitlines() if line.startswith("note")]
    assert bool(notes) == bool(note), notes
    assert run(["predict", str(path), str(FOLDER / f"{name}.csv"), "--json"]) == 0
    model, frame = load_model(path), frame_of(name)
    assert model.predict(frame).tolist() == [one["prediction"] for one in eval(capsys.readouterr().out)]
    assert run(["verify", str(path), str(FOLDER / f"{name}.csv")]) == 0


@pytest.mark.parametrize(
    "name", ["thousands_dot", "missing_kA", "dates_german", "row_numbers", "trailing_blanks"]
)
def test_the_model_is_the_same_out_of_core(name, tmp_path, capsys):
    *_, path = fitted(name, tmp_path, capsys)
    expected = path.read_bytes()
    code, _, err, path = fitted(name, tmp_path, capsys, "--out-of-core", "yes")
    assert (code, READ[name][1] in err, path.read_bytes() == expected) == (0, True, True)


@pytest.mark.parametrize("name", ASKED)
def test_a_sentence_names_the_option_that_reads_a_file(name, tmp_path, capsys):
    sentence, options, rule = ASKED[name]
    _, _, err, _ = fitted(name, tmp_path, capsys)
    assert sentence in err
    if options is not None:
        code, out, err, path = fitted(name, tmp_path, capsys, *options)
        assert (code, rule in out) == (0, True), out + err
        assert run(["verify", str(path), str(FOLDER / f"{name}.csv")]) == 0
