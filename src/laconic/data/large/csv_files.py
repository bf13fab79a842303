"""Conversion of CSV files of any size to Parquet, with the parser and the rules for files read in memory."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from laconic.data.cells import LARGEST_EXACT
from laconic.data.columns import inexact_number
from laconic.data.read import CsvFile
from laconic.data.reading.number_texts import BLANKS
from laconic.runtime.errors import InputError

if TYPE_CHECKING:
    from laconic.data.large.sources import Dialect

CELLS_AT_A_TIME = 2**22
"""Maximum product of rows and columns in a chunk."""

FEWEST_ROWS = 1000
"""Minimum number of rows in a chunk, whatever the number of columns."""


@dataclass
class _ChunkSummary:
    """A summary of the non-missing cells of a column in the chunks so far."""

    kinds: set[str]
    gaps: bool = False
    negative: bool = False
    large: bool = False
    """Whether some numbers are beyond the integers that doubles represent exactly."""

    def look(self, cells: pd.Series[Any]) -> None:
        self.gaps |= bool(cells.isna().any())
        present = cells.dropna()
        if len(present) == 0:
            return
        kind = cells.dtype.kind
        if kind not in "biuf":
            found = pd.api.types.infer_dtype(present)
            kind = "b" if found == "boolean" else "O"
            if found == "integer" or (kind == "O" and _all_whole(present)):
                raise _too_wide(cells.name)
        self.kinds.add(kind)
        self.large |= kind in "iuf" and bool((present.astype("float64").abs() >= LARGEST_EXACT).any())
        self.negative |= kind == "i" and bool((cells < 0).any())

    def dtype(self, name: str) -> Any:
        """Return the type of the column if all chunks were read at once."""
        if not self.kinds:
            return "float64"
        if self.kinds == {"b"}:
            return None  # each chunk is inferred: a fixed type does not accept texts like true and False
        if not self.kinds <= set("iuf"):
            return str
        if "u" in self.kinds:
            if "f" in self.kinds or self.gaps or self.negative:
                raise _too_wide(name)
            return "uint64"
        return "float64" if "f" in self.kinds or self.gaps else "int64"


def _all_whole(texts: pd.Series[Any]) -> bool:
    """Return whether cells that were not read as numbers are all integers, too wide for any type."""
    whole = r"\s*[+-]?\d+\s*"
    return all(bool(part.astype(str).str.fullmatch(whole).all()) for part in (texts[:1], texts))


def _too_wide(name: Any) -> InputError:
    # The type that pandas gives to such a column depends on all of its cells together.
    return InputError(
        f"column {name!r} holds whole numbers beyond 63 bits, or such numbers together with negative, "
        f"missing or decimal ones; write them with a decimal point, or read the column as a category"
    )


def stage_csv(files: Sequence[Path], staging: Path, dialect: Dialect, as_text: Collection[str]) -> list[Path]:
    """Write each file as Parquet, with the types that fit all files together; return the new files."""
    opened = [CsvFile(file, dialect.encoding, dialect.delimiter) for file in files]
    for file in opened[1:]:
        if file.header != opened[0].header:
            odd = next(
                (name for name in file.header if name not in opened[0].header),
                next((name for name in opened[0].header if name not in file.header), file.header[0]),
            )
            raise InputError(
                f"{file.path} and {opened[0].path} do not have the same columns (see {odd!r}); "
                f"give the files one header"
            )
    header = opened[0].header
    texts = {name: str for name in header if name in as_text}
    seen = {name: _ChunkSummary(set()) for name in header if name not in texts}
    n_rows = max(FEWEST_ROWS, CELLS_AT_A_TIME // len(header))
    n_seen = 0
    for file in opened:
        for chunk in file.chunks(dialect.decimal, dialect.missing, texts, n_rows):
            n_seen += len(chunk)
            for name, one in seen.items():
                one.look(chunk[name])
    if n_seen == 0:
        raise InputError(f"{files[0]} has a header but no rows")
    types = {name: one.dtype(name) for name, one in seen.items()} | texts
    merged = [name for name, one in seen.items() if one.large and types[name] == "float64"]
    if merged:
        _refuse_merged(opened, dialect, merged, n_rows)
    return list(_written(opened, staging, dialect, types, n_rows))


def _refuse_merged(files: Sequence[CsvFile], dialect: Dialect, names: Sequence[str], n_rows: int) -> None:
    """Refuse integers that doubles do not represent, in columns that other cells force to be doubles."""
    for file in files:
        for chunk in file.chunks(dialect.decimal, dialect.missing, dict.fromkeys(names, str), n_rows):
            for name in names:
                texts = chunk[name].dropna().astype(str).str.strip()
                whole = texts[texts.str.fullmatch(r"[+-]?\d{16,400}")].tolist()
                value = next((text for text in whole if int(text) != float(text)), None)
                if value is not None:
                    raise inexact_number(name, value, "a cell")


def _written(
    files: Sequence[CsvFile], staging: Path, dialect: Dialect, types: dict[str, Any], n_rows: int
) -> Iterator[Path]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from laconic.data.large.duck import explained

    arrow = {None: pa.bool_(), str: pa.string(), "float64": pa.float64(), "int64": pa.int64()}
    arrow["uint64"] = pa.uint64()
    header = files[0].header
    schema = pa.schema([(name, arrow[types[name]]) for name in header])
    given = {name: kind for name, kind in types.items() if kind is not None}
    for k, file in enumerate(files):
        out = staging / f"csv-{k:06d}.parquet"
        with explained(0, staging), pq.ParquetWriter(out, schema, compression="zstd") as writer:
            for chunk in file.chunks(dialect.decimal, dialect.missing, given, n_rows):
                if dialect.labels is not None and types.get(dialect.labels) is str:
                    chunk[dialect.labels] = chunk[dialect.labels].str.strip(BLANKS)
                arrays = [pa.array(chunk[one.name], type=one.type, from_pandas=True) for one in schema]
                writer.write_table(pa.table(arrays, schema=schema))
        yield out
