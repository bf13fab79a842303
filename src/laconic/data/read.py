"""Tables from files: CSV in its many dialects, and Parquet.

pandas parses; what it would repair in silence is refused here with the line: repeated or empty column
names, rows with too few or too many fields. The delimiter is found by looking at the first records.
"""

from __future__ import annotations

import csv
import io
import re
import shlex
import warnings
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import IO, Any

import numpy as np
import pandas as pd

from laconic.data.cells import LARGEST_EXACT, Cells, has_large_doubles, text_of
from laconic.data.columns import KINDS
from laconic.data.packed import has_run_over, too_long, unpacked
from laconic.data.reading.detect import STANDARD_MISSING
from laconic.runtime.errors import InputError, LaconicError
from laconic.runtime.memory import physical_memory
from laconic.runtime.texts import shown

CSV_SUFFIXES = (".csv", ".tsv", ".txt", ".data")
PARQUET_SUFFIXES = (".parquet", ".pq")

MISSING_WORDS = STANDARD_MISSING
"""Cells read as missing: those of `pandas.read_csv`, so that both read a file alike."""

_LONGEST_LINE = 2**26
"""Maximum length of a line in characters; 100,000 columns of long numbers need a thirtieth of it."""

_UTF16_MARKS = {b"\xff\xfe", b"\xfe\xff"}
"""Byte order marks that some spreadsheets write."""

_BYTES_PER_CELL = 8
"""Minimum number of bytes in memory per cell of a Parquet table."""

_DELIMITERS = ",;\t|"
_N_SNIFFED = 50


def read_table(
    path: str | Path,
    *,
    delimiter: str | None = None,
    encoding: str = "utf-8",
    decimal: str = ".",
    missing: Collection[str] = MISSING_WORDS,
    column_types: Mapping[str, str] | None = None,
) -> pd.DataFrame:
    r"""Read a CSV or Parquet file, whose name says which; ``.csv.gz`` and the like are unpacked.

    A column of a CSV file is numbers if all of its present cells are, booleans if they are all ``true``
    or ``false``, and text otherwise; dates are text.

    Parameters
    ----------
    path : str or Path
        ``.csv``, ``.tsv``, ``.txt`` or ``.data``, also with ``.gz``; ``.parquet`` or ``.pq``.
    delimiter : str, optional
        By default the one of comma, semicolon, tab and bar that splits the first records evenly.
    encoding : str, default="utf-8"
        Of a CSV file; a byte order mark is skipped.
    decimal : str, default="."
        Decimal mark of a CSV file.
    missing : collection of str
        The cells that mean "no value" in a CSV file, by default those of `pandas.read_csv`: the empty cell
        and the usual spellings of NA, NaN, None and null, but not ``?``.
    column_types : mapping of str to {"numeric", "category", "binary"}, optional
        Overrides the guess: a "category" is read as text (``01`` stays ``01``), a "numeric"
        column must hold numbers.

    Raises
    ------
    InputError
        The file cannot be found, read or understood; the message names it, and the line if it is known.

    Examples
    --------
    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "loans.csv")
    >>> _ = path.write_text("age;owner;class\n54;yes;good\n;?;bad\n")
    >>> read_table(path).to_dict("list")
    {'age': [54.0, nan], 'owner': ['yes', '?'], 'class': ['good', 'bad']}
    """
    return TableFile(path, delimiter=delimiter, encoding=encoding).read(
        decimal=decimal, missing=missing, column_types=column_types
    )


class TableFile:
    """A CSV or Parquet file whose columns are known and whose rows have not been read yet.

    The file is opened once for the columns and once for the rows. Parameters and errors are those of
    `read_table`.

    Attributes
    ----------
    path : Path
    columns : list of str
    notes : tuple of str
        What was done to the header.
    """

    def __init__(self, path: str | Path, *, delimiter: str | None = None, encoding: str = "utf-8") -> None:
        self.path = Path(path)
        self._csv = None if is_parquet(self.path) else CsvFile(self.path, encoding, delimiter)
        self.columns = _parquet_names(self.path) if self._csv is None else self._csv.header
        self.notes: tuple[str, ...] = () if self._csv is None else self._csv.notes

    def read(
        self,
        *,
        decimal: str = ".",
        missing: Collection[str] = MISSING_WORDS,
        column_types: Mapping[str, str] | None = None,
        as_text: Collection[str] = (),
        may_be_empty: bool = False,
    ) -> pd.DataFrame:
        """Return all rows; the columns of ``as_text`` of a CSV file are read as texts."""
        types = dict(column_types or {})
        if self._csv is None:
            frame = _read_parquet(self.path, self.columns)
        else:
            texts = {name for name, kind in types.items() if kind == "category"} | set(as_text)
            frame = self._csv.read(decimal, missing, texts)
        if len(frame) == 0 and not may_be_empty:
            raise InputError(f"{self.path} has a header but no rows")
        return with_types(frame, types, self.path)


def is_parquet(path: Path) -> bool:
    """Tell Parquet from CSV by the name; a file that cannot be either is refused."""
    if not path.exists():
        raise InputError(f"there is no file {path}; check the path")
    if path.is_dir():
        raise InputError(f"{path} is a directory; name a CSV or Parquet file")
    if path.stat().st_size == 0:
        raise InputError(f"{path} is empty")
    suffix = Path(path.stem).suffix.lower() if path.suffix.lower() == ".gz" else path.suffix.lower()
    if path.suffix.lower() in PARQUET_SUFFIXES:
        return True
    if suffix in CSV_SUFFIXES:
        return False
    known = ", ".join((*CSV_SUFFIXES, ".csv.gz", *PARQUET_SUFFIXES))
    raise InputError(f"cannot tell what {path} is; its name must end in one of: {known}")


class CsvFile:
    """One CSV file: its header, its delimiter and its records by line."""

    def __init__(self, path: Path, encoding: str, delimiter: str | None) -> None:
        self.path = path
        if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n' or ord(delimiter) > 127):
            raise InputError(
                f"the delimiter must be one character of ASCII, no quote and no line's end, not {delimiter!r}"
            )
        self.notes: tuple[str, ...] = ()
        self._n_skipped = 0
        self.encoding = "utf-8-sig" if encoding.lower().replace("_", "-") in {"utf-8", "utf8"} else encoding
        self._packed = False
        try:
            with self._open() as stream:
                head = _Replayed(self._lines(stream))
                named = _named_delimiter(head)
                self._n_skipped = int(named is not None)
                delimiter = named if delimiter is None else delimiter
                self.delimiter = self._sniffed(head) if delimiter is None else delimiter
                self.header = self._checked_header(head)
                self.notes += self._odd_numbers(head)
                self.has_quotes_after_blanks = _has_quotes_after_blanks(head, self.delimiter)
        except (LookupError, UnicodeError, csv.Error, zlib.error, OSError, EOFError, TypeError) as error:
            raise self._refusal(error) from error

    def read(self, decimal: str, missing: Collection[str], as_text: Collection[str]) -> pd.DataFrame:
        """Return all rows."""
        with self._parsing():
            types = {name: str for name in self.header if name in as_text}
            with self._opened() as source:
                frame: pd.DataFrame = pd.read_csv(source, **self._dialect(decimal, missing, types))
            frame = self._with_whole_numbers(frame, decimal, missing)
        if len(frame) and frame.iloc[:, -1].isna().any():
            # pandas fills short rows with missing values, which always reach the last column.
            self._refuse_ragged()
        return frame

    def _with_whole_numbers(
        self, frame: pd.DataFrame, decimal: str, missing: Collection[str]
    ) -> pd.DataFrame:
        """Restore whole numbers that no double holds, where pandas reads doubles since others are missing."""
        names = [name for name in frame.columns if has_large_doubles(frame[name])]
        if not names:
            return frame
        with self._opened() as source:
            dialect = self._dialect(decimal, missing, dict.fromkeys(names, str))
            texts = pd.read_csv(source, usecols=names, **dialect)
        exact = {name: whole_numbers(texts[name], frame[name]) for name in names}
        return frame.assign(**{name: cells for name, cells in exact.items() if cells is not None})

    def chunks(
        self, decimal: str, missing: Collection[str], types: Mapping[str, Any], n_rows: int
    ) -> Iterator[pd.DataFrame]:
        """Yield chunks of ``n_rows`` rows; columns without a given type are guessed from the chunk."""
        has_gaps = False
        with self._parsing():
            dialect = self._dialect(decimal, missing, types)
            with self._opened() as source, pd.read_csv(source, **dialect, chunksize=n_rows) as reader:
                for chunk in reader:
                    has_gaps |= bool(chunk.iloc[:, -1].isna().any())
                    yield chunk
        if has_gaps:
            self._refuse_ragged()

    def _dialect(self, decimal: str, missing: Collection[str], types: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "sep": self.delimiter,
            "encoding": self.encoding,
            "decimal": decimal,
            "names": self.header,
            "header": 0,
            "skiprows": self._n_skipped,
            "index_col": False,
            "dtype": dict(types),
            "keep_default_na": False,
            "na_values": list(missing),
            "skipinitialspace": self.has_quotes_after_blanks,
            "low_memory": False,
            "compression": None,
        }

    @contextmanager
    def _parsing(self) -> Iterator[None]:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", pd.errors.ParserWarning)
                yield
        except (
            UnicodeError,
            pd.errors.ParserError,
            pd.errors.ParserWarning,
            zlib.error,
            OSError,
            EOFError,
        ) as error:
            self._refuse_ragged()
            raise self._refusal(error) from error

    @contextmanager
    def _opened(self) -> Iterator[Any]:
        """Give pandas the file, or what is packed in it."""
        if not self._packed:
            yield self.path
            return
        with unpacked(self.path) as stream:
            try:
                yield stream
            except Exception as error:
                # pandas hides why a file could not be read on.
                raise too_long(self.path) if has_run_over(stream) else error from None

    def _open(self) -> IO[str]:
        raw = self.path.open("rb")
        try:
            start = raw.peek(2)[:2]
            self._packed = start == b"\x1f\x8b"
            if self.encoding == "utf-8-sig" and start in _UTF16_MARKS:
                self.encoding = "utf-16"
            if not self._packed:
                return io.TextIOWrapper(raw, encoding=self.encoding, newline="")
            raw.close()
            return io.TextIOWrapper(unpacked(self.path), encoding=self.encoding, newline="")
        except BaseException:
            raw.close()
            raise

    def _records(self, lines: Iterable[str], delimiter: str) -> Iterator[tuple[int, list[str]]]:
        """Yield the line and the fields of each record that is not blank."""
        reader = csv.reader(islice(lines, self._n_skipped, None), delimiter=delimiter, skipinitialspace=True)
        for fields in reader:
            if fields:
                yield reader.line_num + self._n_skipped, fields

    def _lines(self, stream: IO[str]) -> Iterator[str]:
        """Yield the lines; refuse a line that is too long for a table."""
        number = 1
        while line := stream.readline(_LONGEST_LINE):
            if len(line) == _LONGEST_LINE:
                raise InputError(
                    f"line {number} of {self.path} is longer than {_LONGEST_LINE} characters; is it a table?"
                )
            yield line
            number += 1

    def _sniffed(self, head: Iterable[str]) -> str:
        best, most = ",", 1
        for delimiter in _DELIMITERS:
            try:
                widths = [len(fields) for _, fields in islice(self._records(head, delimiter), _N_SNIFFED)]
            except csv.Error:  # split by a wrong delimiter, a wide row can be one cell that is too long
                continue
            # A ragged file is refused later, by line; here most records decide.
            if widths and widths[0] > most and 2 * widths.count(widths[0]) > len(widths):
                best, most = delimiter, widths[0]
        return best

    def _checked_header(self, head: Iterable[str]) -> list[str]:
        first = next(self._records(head, self.delimiter), None)
        if first is None:
            raise InputError(f"{self.path} is empty")
        self.header, self.notes = usable_names([name.strip() for name in first[1]])
        self._check_widths(islice(self._records(head, self.delimiter), _N_SNIFFED))
        return self.header

    def _check_widths(self, records: Iterable[tuple[int, list[str]]]) -> None:
        """Refuse the first record whose fields are not as many as the header's."""
        for line, fields in records:
            if len(fields) != len(self.header):
                raise InputError(
                    f"line {line} of {self.path} has {len(fields)} fields, but the header has "
                    f"{len(self.header)}; correct the line, or name the delimiter, now {self.delimiter!r}"
                )

    def _refuse_ragged(self) -> None:
        """Read all records again, to refuse the first of a wrong width by its line."""
        try:
            with self._open() as stream:
                self._check_widths(self._records(self._lines(stream), self.delimiter))
        except (UnicodeError, csv.Error, zlib.error, OSError, EOFError) as error:
            raise self._refusal(error) from error

    def _refusal(self, error: Exception) -> InputError:
        """Say in one sentence what is wrong with the file."""
        if isinstance(error, UnicodeError):
            line = self._undecodable_line()
            where = f"line {line} of {self.path}" if line else str(self.path)
            name = self.encoding.removesuffix("-sig")
            return InputError(f"{where} is not {name} text; name its encoding, such as latin-1")
        if isinstance(error, LookupError):
            return InputError(f"unknown encoding {self.encoding!r}; use one such as utf-8 or latin-1")
        if isinstance(error, TypeError):
            return InputError(f"the delimiter must be one character: {error}")
        found = re.search(r"line (\d+)", str(error))
        where = f"line {found[1]} of {self.path}" if found else str(self.path)
        return InputError(f"cannot read {where}: {' '.join(str(error).split())}")

    def _odd_numbers(self, head: Iterable[str]) -> tuple[str, ...]:
        """Return remarks on columns that are read as numbers, but are probably not these numbers."""
        records = [fields for _, fields in islice(self._records(head, self.delimiter), 1, _N_SNIFFED)]
        notes = []
        for name, *cells in zip(self.header, *records, strict=False):
            known = [cell.strip() for cell in cells if cell.strip()]
            zeros = [cell for cell in known if re.fullmatch(r"0\d+", cell)]
            if zeros and all(map(str.isdigit, known)):
                option = shlex.quote(f"{name}=category")
                notes.append(
                    f"column {shown(name)} holds codes such as {shown(zeros[0])}, which are read as numbers "
                    f"(--type {option} keeps the zeros)"
                )
            dotted = [cell for cell in known if "." in cell]
            if (
                dotted
                and all(re.fullmatch(r"[1-9]\d{0,2}(\.\d{3})?", cell) for cell in known)
                and (len(dotted) < len(known) or len(set(map(len, dotted))) > 1)
            ):
                option = shlex.quote(f"{name}:thousands=.")
                notes.append(
                    f"column {shown(name)} may have points between thousands, as in {shown(dotted[0])}; "
                    f"if it has, use --column {option}"
                )
        return tuple(notes)

    def _undecodable_line(self) -> int | None:
        try:
            with unpacked(self.path) if self._packed else self.path.open("rb") as stream:
                for line, raw in enumerate(iter(lambda: stream.readline(_LONGEST_LINE), b""), start=1):
                    try:
                        raw.decode(self.encoding)
                    except UnicodeError:
                        return line
        except (zlib.error, OSError, EOFError):
            return None  # the file is not valid gzip, so there is no line to name
        return None


def usable_names(names: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """Give columns without a name, and those with another's, names of their own, as `pandas.read_csv` does.

    >>> usable_names(["a", "", "a"])[0]
    ['a', 'Unnamed: 1', 'a.1']
    """
    found: list[str] = []
    notes = []
    for k, name in enumerate(names):
        base = new = name or f"Unnamed: {k}"
        number = 1
        while new in found or (new != name and new in names):
            new, number = f"{base}.{number}", number + 1
        found.append(new)
        if not name:
            notes.append(f"column {k + 1} has no name and is called {shown(new)}")
        elif new != name:
            notes.append(f"column {k + 1} is called {shown(new)}, because {shown(name)} is another's name")
    return found, tuple(notes)


def _named_delimiter(lines: Iterable[str]) -> str | None:
    """Return the delimiter that a first line such as ``sep=;`` names, as spreadsheets write it."""
    match = re.fullmatch(r'"?sep=(.)"?\s*', next(iter(lines), ""))
    return match[1] if match else None


def _has_quotes_after_blanks(lines: Iterable[str], delimiter: str) -> bool:
    """Whether quoted fields in the first lines have blanks before the quote, which are no part of them."""
    pattern = re.compile(f'{re.escape(delimiter)} +"')
    return any(pattern.search(line) for line in islice(lines, _N_SNIFFED))


class _Replayed:
    """Lines that can be iterated several times; each is read once, when it is first needed."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self._seen: list[str] = []

    def __iter__(self) -> Iterator[str]:
        yield from (self._seen[k] for k in range(len(self._seen)))
        for line in self._lines:
            self._seen.append(line)
            yield line


def _read_parquet(path: Path, names: Sequence[str]) -> pd.DataFrame:
    import pyarrow as pa

    refuse_repeated(names, path)
    with parquet_file(path) as file:
        facts = file.metadata
        size = facts.num_rows * facts.num_columns * _BYTES_PER_CELL
        if size > physical_memory():
            raise InputError(
                f"{path} would take some {size / 2**30:.0f} GiB in memory, which this machine does not have; "
                f"use fewer rows or columns"
            )
        table = file.read()
        frame: pd.DataFrame = table.to_pandas()
        whole = [field.name for field in table.schema if pa.types.is_integer(field.type)]
        exact = {
            name: table.column(name).to_pandas(integer_object_nulls=True)
            for name in whole
            if name in frame.columns and has_large_doubles(frame[name])
        }
        frame = frame.assign(**{name: cells.set_axis(frame.index) for name, cells in exact.items()})
    return frame


def whole_numbers(texts: pd.Series[Any], numbers: pd.Series[Any]) -> pd.Series[Any] | None:
    """Return the numbers of a column with whole ones as integers, or None if doubles hold them all."""
    found = numbers.astype(object)
    changed = False
    for row in np.flatnonzero((numbers.abs() >= LARGEST_EXACT).to_numpy()).tolist():
        text = texts.iloc[row].strip()
        if re.fullmatch(r"[+-]?\d{1,400}", text) and int(text) != float(numbers.iloc[row]):
            found.iloc[row] = int(text)
            changed = True
    return found if changed else None


def refuse_repeated(names: Sequence[str], path: Path) -> None:
    """Refuse a table with two columns of one name."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InputError(f"{path} has two columns called {shown(name)}; give every column its own name")
        seen.add(name)


def _parquet_names(path: Path) -> list[str]:
    with parquet_file(path) as file:
        names: list[str] = file.schema_arrow.names
    return names


@contextmanager
def parquet_file(path: Path) -> Iterator[Any]:
    """Open a Parquet file; whatever goes wrong with it while it is open is said in a sentence."""
    import pyarrow.parquet as pq  # imported here: it is slow to load, and CSV files do not need it

    try:
        with pq.ParquetFile(path) as file:
            _ = file.schema_arrow.pandas_metadata  # refused here if it is damaged
            yield file
    except (LaconicError, MemoryError):
        raise
    except Exception as error:  # pyarrow and pandas raise exceptions of many kinds for a damaged file
        said = " ".join(str(error).split())[:200] or type(error).__name__
        raise InputError(f"{path} is not a readable Parquet file: {said}") from error


def with_types(frame: pd.DataFrame, types: Mapping[str, str], path: Path) -> pd.DataFrame:
    """Apply the caller's column types."""
    changed: dict[str, Any] = {}
    for name, kind in types.items():
        if name not in frame.columns:
            known = ", ".join(map(str, frame.columns[:10])) + (", …" if frame.shape[1] > 10 else "")
            raise InputError(f"{path} has no column {name!r}; its columns are: {known}")
        if kind not in KINDS:
            raise InputError(f"column {name!r} cannot be {kind!r}; choose one of: {', '.join(KINDS)}")
        values = frame[name]
        if kind == "numeric":
            cells = Cells(values)
            if not cells.inexact.any():
                changed[name] = cells.numbers
        elif kind == "category" and not isinstance(values.dtype, pd.StringDtype | pd.CategoricalDtype):
            codes, distinct = Cells(values).coded
            words = np.array([*(text_of(value) for value in distinct), None], dtype=object)
            changed[name] = pd.Series(words[codes], index=frame.index).astype("str")
    return frame.assign(**changed) if changed else frame
