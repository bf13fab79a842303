from __future__ import annotations

import builtins
import csv
import gzip
import io

import numpy as np
import pandas as pd
import pytest
from tests.support.clock import ProcessorTime

from laconic.data.binarize import Binarizer
from laconic.data.read import TableFile, read_table
from laconic.runtime.errors import InputError


@pytest.fixture
def write(tmp_path):
    def write_file(content, name="table.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write_file


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(write, delimiter):
    rows = [["age", "note", "class"], ["54", '"a,b;c"', "good"], ["21", "x", "bad"]]
    frame = read_table(write("\n".join(delimiter.join(row) for row in rows)))
    assert frame.to_dict("list") == {"age": [54, 21], "note": ["a,b;c", "x"], "class": ["good", "bad"]}


def test_the_delimiter_can_be_given(write):
    assert read_table(write("a:b\n1:2\n"), delimiter=":").to_dict("list") == {"a": [1], "b": [2]}
    with pytest.raises(InputError, match="the delimiter must be one character"):
        read_table(write("a\n1\n"), delimiter="::")


def test_types_are_guessed(write):
    frame = read_table(write("n,i,b,t,d\n1.5,1,true,x,2020-01-01\n2,2,false,2,2020-01-02\n"))
    assert [str(dtype) for dtype in frame.dtypes] == ["float64", "int64", "bool", "str", "str"]


def test_guesses_can_be_overridden(write):
    path = write("zip,n,flag\n01,1,0\n10,2,1\n")
    frame = read_table(path, column_types={"zip": "category", "n": "category", "flag": "binary"})
    assert frame["zip"].tolist() == ["01", "10"]
    assert frame["n"].tolist() == ["1", "2"]
    with pytest.raises(InputError, match="column 't' should hold numbers, but row 1 is 'x'"):
        read_table(write("t\n1\nx\n", "other.csv"), column_types={"t": "numeric"})
    with pytest.raises(InputError, match=r"table.csv has no column 'z'; its columns are: zip, n, flag"):
        read_table(path, column_types={"z": "numeric"})
    with pytest.raises(
        InputError, match="column 'n' cannot be 'float'; choose one of: numeric, category, binary, date"
    ):
        read_table(path, column_types={"n": "float"})


def test_words_for_missing_cells(write):
    path = write("a,b\n1,None\n,?\nNA,none\nNaN,null\nn/a,x\n")
    frame = read_table(path)
    assert frame["a"].isna().tolist() == [False, True, True, True, True]
    assert frame["b"].isna().tolist() == [True, False, False, True, False]
    assert frame["b"].tolist()[1:3] == ["?", "none"]
    pd.testing.assert_frame_equal(frame, pd.read_csv(path))
    frame = read_table(write("a,country\n?,NA\n2,DE\n"), missing=["?"])
    assert frame["a"].isna().tolist() == [True, False]
    assert frame["country"].tolist() == ["NA", "DE"]


def test_byte_order_marks_and_blank_lines_are_skipped_and_so_are_blanks_around_names(write):
    frame = read_table(write(b"\xef\xbb\xbfa, b\n\n1,x\n\n2,y\n"))
    assert frame.to_dict("list") == {"a": [1, 2], "b": ["x", "y"]}


def test_blanks_around_cells_stay_for_the_reading_of_the_column_but_those_before_quotes_do_not(write):
    frame = read_table(write("a,b\n1, x\n 2,y \n"))
    assert frame.to_dict("list") == {"a": [1, 2], "b": [" x", "y "]}
    assert read_table(write('a,b\n1, "x, y"\n2, z\n')).to_dict("list") == {"a": [1, 2], "b": ["x, y", "z"]}


def test_quoted_cells_may_hold_line_breaks(write):
    assert read_table(write('a,b\n"x\ny",1\n')).to_dict("list") == {"a": ["x\ny"], "b": [1]}


def test_numbers_are_read_exactly(write):
    values = [0.1, 1 / 3, 123456.789012345, 1.7976931348623157e308, 5e-324]
    assert read_table(write("a\n" + "\n".join(map(repr, values)))).iloc[:, 0].tolist() == values


def test_a_decimal_comma_can_be_named(write):
    assert read_table(write("a;b\n1,5;2\n"), decimal=",").to_dict("list") == {"a": [1.5], "b": [2]}


def test_packed_files_are_unpacked(write):
    assert read_table(write(gzip.compress(b"a,b\n1,2\n"), "table.csv.gz")).to_dict("list") == {
        "a": [1],
        "b": [2],
    }


def test_other_encodings_can_be_named(write):
    path = write("a\nNürnberg\n".encode("latin-1"))
    assert read_table(path, encoding="latin-1")["a"].tolist() == ["Nürnberg"]
    with pytest.raises(InputError, match=r"line 2 of .*table.csv is not utf-8 text; name its encoding"):
        read_table(path)
    with pytest.raises(InputError, match="unknown encoding 'klingon'"):
        read_table(path, encoding="klingon")


def test_a_bad_byte_far_into_the_file_is_found_by_line(write):
    with pytest.raises(InputError, match=r"line 90002 of .* is not utf-8 text"):
        read_table(write(b"a,b\n" + b"1,2\n" * 90000 + b"\xff,2\n"))


REFUSED = {
    "empty": ("", "table.csv", r"table.csv is empty"),
    "blank": ("\n\n", "table.csv", r"table.csv is empty"),
    "header only": ("a,b\n", "table.csv", r"table.csv has a header but no rows"),
    "long first row": ("a,b\n1,2,3\n4,5\n", "table.csv", r"line 2 of .* has 3 fields, but the header has 2"),
    "long row": ("a,b\n1,2\n1,2,3\n", "table.csv", r"line 3 of .* has 3 fields, but the header has 2"),
    "short row": ("a,b\n1,2\n3\n", "table.csv", r"line 3 of .* has 1 fields, but the header has 2"),
    "long row far down": ("a,b\n" + "1,2\n" * 99 + "1,2,3\n", "table.csv", r"line 101 of .* has 3 fields"),
    "short row far down": ("a,b\n" + "1,2\n" * 99 + "1\n", "table.csv", r"line 101 of .* has 1 fields"),
    "delimiter at every end": ("a,b\n" + "1,2,\n" * 99, "table.csv", r"line 2 of .* has 3 fields"),
    "open quote": ('a,b\n1,"x\n', "table.csv", r"cannot read .*table.csv: .*EOF inside string"),
    "damaged gzip": (gzip.compress(b"a,b\n1,2\n" * 99)[:-20], "table.csv.gz", r"cannot read .*table.csv.gz"),
    "unknown ending": (
        "a\n1\n",
        "table.xlsx",
        r"cannot tell what .*table.xlsx is; its name must end in one of: .csv",
    ),
    "no ending": ("a\n1\n", "table", r"cannot tell what .*table is"),
    "not parquet": ("a,b\n1,2\n", "table.parquet", r"table.parquet is not a readable Parquet file"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_files_that_cannot_be_read_are_refused(write, case):
    content, name, message = REFUSED[case]
    with pytest.raises(InputError, match=message):
        read_table(write(content, name))


def test_paths_that_are_no_files_are_refused(tmp_path):
    with pytest.raises(InputError, match=r"there is no file .*nowhere.csv; check the path"):
        read_table(tmp_path / "nowhere.csv")
    with pytest.raises(InputError, match="is a directory; name a CSV or Parquet file"):
        read_table(tmp_path)


def test_missing_cells_in_the_last_column_are_not_short_rows(write):
    assert read_table(write("a,b\n1,\n2,3\n"))["b"].isna().tolist() == [True, False]


def test_parquet_keeps_types(tmp_path):
    frame = pd.DataFrame(
        {"a": [1.5, None], "b": ["x", None], "c": pd.Categorical(["u", "v"]), "d": [True, False]}
    )
    path = tmp_path / "table.parquet"
    frame.to_parquet(path)
    again = read_table(path, column_types={"a": "category"})
    assert again["a"].tolist()[0] == "1.5"
    assert again["a"].isna().tolist() == [False, True]
    pd.testing.assert_frame_equal(again[["c", "d"]], frame[["c", "d"]])


def test_empty_and_ambiguous_parquet_files_are_refused(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "table.parquet"
    pd.DataFrame({"a": pd.Series([], dtype=float)}).to_parquet(path)
    with pytest.raises(InputError, match="has a header but no rows"):
        read_table(path)
    pq.write_table(pa.table([pa.array([1]), pa.array([2])], names=["a", "a"]), path)
    with pytest.raises(InputError, match="has two columns called 'a'"):
        read_table(path)


def test_a_table_written_and_read_back_gives_the_same_features(tmp_path):
    frame = pd.DataFrame(
        {
            "n": [1.25, None, 3.0, 1e-7],
            "w": ["a", "b", None, "c d"],
            "f": [True, False, True, None],
            "k": [1, 2, 3, 4],
        }
    )
    path = tmp_path / "table.csv"
    frame.to_csv(path, index=False)
    expected = Binarizer().fit(frame)
    again = read_table(path)
    assert Binarizer().fit(again).features_ == expected.features_
    assert (expected.transform(again) == expected.transform(frame)).all()


def test_a_large_file_is_read_at_the_parsers_speed(tmp_path):
    path = tmp_path / "table.csv"
    pd.DataFrame(np.random.default_rng(0).integers(0, 99, (20000, 20))).add_prefix("c").to_csv(
        path, index=False
    )
    with ProcessorTime() as plain:
        pd.read_csv(path)
    with ProcessorTime() as ours:
        read_table(path)
    assert ours.seconds < 5 * plain.seconds + 0.2


@pytest.mark.parametrize("line", [b"1,x\n0,y\n", b"\0"], ids=["rows", "no end of a line"])
def test_a_packed_file_that_unpacks_without_end_is_refused(tmp_path, monkeypatch, line):
    monkeypatch.setattr("laconic.data.packed.ALWAYS", 10_000)
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"a,class\n" + line * 3_000_000))
    with pytest.raises(InputError, match=r"t\.csv\.gz (unpacks to more than 200 times|is not utf-8|.*field)"):
        read_table(path)


def test_a_packed_file_of_rows_alike_is_read(tmp_path):
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"a,class\n" + b"1,x\n0,y\n" * 50_000))
    assert len(read_table(path)) == 100_000


def test_a_parquet_table_that_does_not_fit_in_memory_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "t.parquet"
    pd.DataFrame({"a": range(1000), "class": ["x", "y"] * 500}).to_parquet(path)
    monkeypatch.setattr("laconic.data.read.physical_memory", lambda: 15_000)
    with pytest.raises(InputError, match="GiB in memory, which this machine does not have"):
        read_table(path)


def test_a_line_longer_than_any_table_has_is_refused(write, monkeypatch):
    monkeypatch.setattr("laconic.data.read._LONGEST_LINE", 100)
    with pytest.raises(InputError, match=r"line 2 of .* is longer than 100 characters"):
        read_table(write("a,class\n" + "1" * 200 + ",x\n"))


def test_a_wide_table_is_no_long_cell_for_other_delimiters(write):
    names = ",".join(f"a column with a rather long name {i}" for i in range(5_000))
    assert len(names) > csv.field_size_limit()
    assert read_table(write(f"{names}\n" + ",".join("1" * 5_000) + "\n")).shape == (1, 5_000)


@pytest.mark.parametrize("delimiter", ["é", '"', "\n", "ab", ""])
def test_a_delimiter_that_cannot_be_is_refused(write, delimiter):
    with pytest.raises(InputError, match="the delimiter must be one character of ASCII"):
        read_table(write("a,class\n1,x\n"), delimiter=delimiter)


def test_a_file_is_opened_once_for_its_columns_and_once_for_its_rows(write, monkeypatch):
    path = write("a;b\n1;x\n2;y\n")
    opened = []

    def counted(file, *more, **how):
        if str(file) == str(path):
            opened.append(file)
        return real(file, *more, **how)

    real = io.open
    monkeypatch.setattr(io, "open", counted)
    monkeypatch.setattr(builtins, "open", counted)
    file = TableFile(path)
    assert (file.columns, len(opened)) == (["a", "b"], 1)
    assert (len(file.read()), len(opened)) == (2, 2)


def test_repeated_and_empty_names_become_those_of_pandas(write):
    for head in ("a,b,a", ",b,", "a,a,a.1,a", "Unnamed: 1,,x"):
        path = write(f"{head}\n{','.join('1' * len(head.split(',')))}\n")
        assert read_table(path).columns.tolist() == pd.read_csv(path).columns.tolist()
    assert TableFile(write("a,,a\n1,2,3\n")).notes == (
        "column 2 has no name and is called 'Unnamed: 1'",
        "column 3 is called 'a.1', because 'a' is another's name",
    )


def test_files_of_spreadsheets_are_read(write):
    assert read_table(write("a;b\n1;ä\n".encode("utf-16"))).to_dict("list") == {"a": [1], "b": ["ä"]}
    assert read_table(write("sep=;\na;b,c\n1;2,5\n")).to_dict("list") == {"a": [1], "b,c": ["2,5"]}
    with pytest.raises(InputError, match=r"line 4 of .* has 3 fields, but the header has 2"):
        read_table(write("sep=;\na;b\n1;2\n1;2;3\n"))
