"""Training tables as files: arrays in numpy's format, and what they mean in JSON beside them."""

from __future__ import annotations

import io
import json
import zipfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from laconic.data.binarize import Binarizer
from laconic.data.literals import feature_to_dict
from laconic.data.table import Table
from laconic.data.write import write_whole
from laconic.errors import InputError, ModelFileError
from laconic.model.columns import Column
from laconic.model.labels import label_array, label_tuple, labels_from_document, labels_to_document
from laconic.model.proof import table_digest
from laconic.scale.training import TrainingTable

FORMAT = "laconic training table"
SCHEMA_VERSION = 1


def dumps(training: TrainingTable) -> bytes:
    """Write a training table as bytes; the same table always gives the same bytes."""
    table, binarizer = training.table, training.binarizer
    meaning = {
        "format": FORMAT,
        "schema_version": SCHEMA_VERSION,
        "classes": labels_to_document(label_tuple(training.classes), training.classes.dtype.str),
        "columns": [[column.name, column.kind] for column in training.columns],
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
    """Write a training table to a file, whole or not at all."""
    try:
        write_whole(path, dumps(training))
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}; choose another place") from error


def load(path: str | Path) -> TrainingTable:
    """Read a training table from a file; anything else is refused."""
    try:
        with Path(path).open("rb") as file, np.load(file, allow_pickle=False) as data:
            meaning = json.loads(bytes(data["meaning"]))
            arrays = {name: data[name] for name in ("bits", "weights", "samples")}
    except FileNotFoundError:
        raise ModelFileError(f"there is no file {path}; check the path") from None
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise ModelFileError(f"{path} is not a training table that laconic saved: {error}") from error
    try:
        return _read(meaning, arrays)
    except (KeyError, TypeError, IndexError, ZeroDivisionError) as error:
        raise _damaged(path) from error
    except ModelFileError as error:
        raise ModelFileError(f"{path}: {error}") from error


def _read(meaning: Any, arrays: dict[str, Any]) -> TrainingTable:
    if not isinstance(meaning, dict) or meaning.get("format") != FORMAT:
        raise ModelFileError("this is not a training table that laconic saved")
    if meaning["schema_version"] > SCHEMA_VERSION:
        raise ModelFileError("this training table was written by a newer laconic; upgrade laconic")
    labels, dtype = labels_from_document(meaning["classes"])
    columns = tuple(Column(str(name), str(kind)) for name, kind in meaning["columns"])
    binarizer = Binarizer.from_dict(
        {
            "params": Binarizer().get_params(),
            "columns_in": [column.name for column in columns],
            "named": meaning["named"],
            "features": meaning["features"],
            "ignored_columns": meaning["ignored_columns"],
        }
    )
    table = Table(
        arrays["bits"].astype(np.uint64),
        arrays["weights"].astype(np.int64),
        binarizer.allowed_,
        Fraction(*meaning["scale"]),
        samples=arrays["samples"].astype(np.int64),
    )
    training = TrainingTable(
        table, binarizer, label_array(labels, dtype), columns, meaning["named"], tuple(meaning["notes"])
    )
    if table_digest(table) != meaning["digest"]:
        raise ModelFileError("the rows are not those that were saved; the file is damaged")
    return training


def _damaged(path: str | Path) -> ModelFileError:
    return ModelFileError(f"{path} is damaged; save the training table again")
