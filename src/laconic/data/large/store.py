"""Training tables as files: arrays in numpy's format, with their meaning as JSON in the same archive."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from fractions import Fraction
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from laconic.data import write
from laconic.data.binarize import Binarizer
from laconic.data.column import Column, column_from_document, column_to_document
from laconic.data.documents import parsed
from laconic.data.labels import label_array, label_tuple, labels_from_document, labels_to_document
from laconic.data.literals import feature_to_dict
from laconic.data.packed import most_bytes
from laconic.data.table import Table, table_digest
from laconic.data.training import TrainingTable
from laconic.data.weights import LARGEST_TOTAL
from laconic.runtime.errors import ModelFileError

FORMAT = "laconic training table"
SCHEMA_VERSION = 2


def dumps(training: TrainingTable) -> bytes:
    """Serialise a training table; equal tables give equal bytes."""
    table, binarizer = training.table, training.binarizer
    meaning = {
        "format": FORMAT,
        "schema_version": SCHEMA_VERSION,
        "classes": labels_to_document(label_tuple(training.classes), training.classes.dtype.str),
        "columns": [column_to_document(column) for column in training.columns],
        "named": training.named,
        "features": [feature_to_dict(feature) for feature in binarizer.features_],
        "ignored_columns": dict(binarizer.ignored_columns_),
        "scale": [table.scale.numerator, table.scale.denominator],
        "notes": list(training.notes),
        "digest": table_digest(table),
    }
    text = json.dumps(meaning, ensure_ascii=False, allow_nan=False).encode()
    out = io.BytesIO()
    np.savez_compressed(
        out,
        meaning=np.frombuffer(text, np.uint8),
        bits=table.bits,
        weights=table.weights,
        samples=table.samples,
    )
    return out.getvalue()


def save(training: TrainingTable, path: str | Path) -> None:
    """Save a training table to a file, completely or not at all."""
    write.save(path, dumps(training))


def load(path: str | Path) -> TrainingTable:
    """Load a training table from a file; any other file is refused."""
    try:
        with Path(path).open("rb") as file:
            _refuse_bomb(file, path)
            with np.load(file, allow_pickle=False) as data:
                meaning = parsed(bytes(data["meaning"]).decode())
                arrays = {name: data[name] for name in ("bits", "weights", "samples")}
    except FileNotFoundError:
        raise ModelFileError(f"there is no file {path}; check the path") from None
    except ModelFileError:
        raise
    except MemoryError:  # the header of an array may claim any shape
        raise ModelFileError(f"{path} holds arrays that do not fit in memory; check the path") from None
    except _UNREADABLE as error:
        said = " ".join(str(error).split())[:200]
        raise ModelFileError(f"{path} is not a training table that laconic saved: {said}") from error
    try:
        return _read(meaning, arrays)
    except ModelFileError as error:
        raise ModelFileError(f"{path}: {error}") from error
    except _UNREADABLE as error:
        raise ModelFileError(f"{path} is damaged; save the training table again") from error


_UNREADABLE = (
    OSError,
    ValueError,
    KeyError,
    TypeError,
    IndexError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    EOFError,
    NotImplementedError,
    zipfile.BadZipFile,
    zlib.error,
)
"""Errors that numpy, zipfile and our own code raise on a damaged file."""


def _refuse_bomb(file: IO[bytes], path: str | Path) -> None:
    """Refuse an archive that would unpack to far more than a training table can need."""
    # An archive begins with these bytes; zipfile would read from the end, which a device does not have.
    archived = file.read(4) == b"PK\x03\x04"
    size = file.seek(0, 2)
    file.seek(0)
    if not archived or not zipfile.is_zipfile(file):
        raise ModelFileError(f"{path} is not a training table that laconic saved; check the path")
    with zipfile.ZipFile(file) as archive:
        if sum(one.file_size for one in archive.infolist()) > most_bytes(size):
            raise ModelFileError(
                f"{path} unpacks to far more than a training table of its size; check the path"
            )
    file.seek(0)


def _read(meaning: Any, arrays: dict[str, NDArray[Any]]) -> TrainingTable:
    if not isinstance(meaning, dict) or meaning.get("format") != FORMAT:
        raise ModelFileError("this is not a training table that laconic saved")
    if meaning["schema_version"] > SCHEMA_VERSION:
        raise ModelFileError("this training table was written by a newer laconic; upgrade laconic")
    labels, dtype = labels_from_document(meaning["classes"])
    columns = tuple(_column(data) for data in meaning["columns"])
    binarizer = Binarizer.from_dict(
        {
            "params": Binarizer().get_params(),
            "columns_in": [column.name for column in columns if column.derived is None],
            "named": meaning["named"],
            "features": meaning["features"],
            "ignored_columns": meaning["ignored_columns"],
            "readings": {one.name: one.reading.to_document() for one in columns if one.reading is not None},
            "derived": [one.derived.to_document() for one in columns if one.derived is not None],
        }
    )
    names = {column.name for column in columns}
    sides = [side for one in binarizer.features_ for side in (one.positive, one.negative) if side is not None]
    if len(names) < len(columns) or any(side.column not in names for side in sides):
        raise ModelFileError("a condition is not on one of its columns; the file is damaged")
    _check_arrays(arrays, n_features=len(binarizer.features_), n_classes=len(labels))
    table = Table(
        arrays["bits"],
        arrays["weights"],
        binarizer.allowed_,
        _scale(meaning["scale"]),
        samples=arrays["samples"],
    )
    notes = tuple(str(note) for note in meaning["notes"])
    training = TrainingTable(
        table, binarizer, label_array(labels, dtype), columns, bool(meaning["named"]), notes
    )
    if table_digest(table) != meaning["digest"]:
        raise ModelFileError("the rows are not those that were saved; the file is damaged")
    return training


def _column(data: Any) -> Column:
    """Return a column; files of version 1 hold only its name and kind."""
    return Column(str(data[0]), str(data[1])) if isinstance(data, list) else column_from_document(data)


def _scale(data: Any) -> Fraction:
    match data:
        case [int(top), int(bottom)] if top > 0 and bottom > 0:
            return Fraction(top, bottom)
    raise ModelFileError("its weights have no scale; the file is damaged")


def _check_arrays(arrays: dict[str, NDArray[Any]], *, n_features: int, n_classes: int) -> None:
    """Refuse arrays whose shapes do not fit each other, because native code relies on them."""
    bits, weights, samples = arrays["bits"], arrays["weights"], arrays["samples"]
    types = [array.dtype for array in (bits, weights, samples)]
    if types != [np.dtype(np.uint64), np.dtype(np.int64), np.dtype(np.int64)] or weights.ndim != 2:
        raise ModelFileError("its arrays have the wrong types; the file is damaged")
    n_rows = weights.shape[0]
    shapes = (bits.shape, weights.shape, samples.shape)
    if shapes != ((n_features, max(1, -(-n_rows // 64))), (n_rows, n_classes), (n_rows,)) or n_rows == 0:
        raise ModelFileError("its arrays do not fit each other; the file is damaged")
    if (weights < 0).any() or (samples < 0).any() or weights.astype(object).sum() > LARGEST_TOTAL:
        raise ModelFileError("it has no weights; the file is damaged")
