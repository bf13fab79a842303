"""An opened table: its columns at a glance, and the training table that settings make of it."""

from __future__ import annotations

import hashlib
import threading
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from laconic.data.cells import Cells, text_of
from laconic.data.columns import guess_kind
from laconic.data.frame import as_frame
from laconic.data.literals import Literal
from laconic.data.read import read_table
from laconic.data.targets import checked_labels
from laconic.data.training import TrainingTable, in_memory
from laconic.runtime.errors import InputError
from laconic.runtime.texts import shown
from laconic.studio.conditions import OwnConditions
from laconic.studio.detect import remarks
from laconic.studio.settings import Settings

N_BARS = 12
"""Bars of a histogram."""
MOST_BARS_CLASSES = 24
"""A column with more values has no histogram by class."""
TARGET_NAMES = ("class", "target", "label", "y")
KEPT_TABLES = 8


@dataclass(frozen=True, eq=False)
class StudioTable:
    """A table, where it is from, and where its session is saved.

    Attributes
    ----------
    frame : DataFrame
    name : str
        The file's, or that of the example.
    place : Path or None
        The session file; a session of an example without a place is not saved.
    path : Path or None
        The file.
    """

    frame: pd.DataFrame
    name: str
    place: Path | None = None
    path: Path | None = None
    _tables: dict[tuple[str, tuple[str, ...]], TrainingTable] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return [str(name) for name in self.frame.columns]

    @cached_property
    def digest(self) -> str:
        """A fingerprint of names and cells."""
        found = hashlib.sha256("\x00".join(self.columns).encode(errors="replace"))
        for name in self.frame.columns:
            values = self.frame[name].astype("string").fillna("\x00").to_numpy(dtype=object)
            found.update("\x01".join(values).encode(errors="replace"))
        return f"sha256:{found.hexdigest()}"

    def guessed_target(self) -> str:
        """Return the column that most likely holds the labels; the user has the last word."""
        named = [name for name in self.columns if name.lower() in TARGET_NAMES]
        return named[0] if len(named) == 1 else self.columns[-1]

    def rows(self, settings: Settings) -> tuple[pd.DataFrame, NDArray[Any]]:
        """Return the columns in use and the labels.

        Parameters
        ----------
        settings : Settings
        """
        left_out = [name for name in self.columns if not settings.of(name).use or self.is_empty(name)]
        kept = self.frame.drop(columns=[settings.target, *(n for n in left_out if n != settings.target)])
        if kept.shape[1] == 0:
            raise InputError("there is no column left to learn from; use at least one besides the labels")
        for name in [name for name in kept.columns if settings.of(name).kind == "category"]:
            kept[name] = kept[name].map(text_of, na_action="ignore").astype("string")
        return kept, checked_labels(self.frame[settings.target], len(self.frame))

    def training(self, settings: Settings, more: Iterable[Literal] = ()) -> TrainingTable:
        """Return the training table with the conditions of the settings and those that opinions need.

        Parameters
        ----------
        settings : Settings
        more : iterable of Literal
        """
        needed = sorted(set(more), key=lambda one: one.text)
        key = str(settings.to_document()), tuple(one.text for one in needed)
        with self._lock:
            if key in self._tables:
                return self._tables[key]
        X, y = self.rows(settings)
        if np.unique(y.astype(str)).size < 2:
            raise InputError(f"column {shown(settings.target)} has one value only; choose other labels")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = in_memory(X, y, None, OwnConditions(settings, needed))
        with self._lock:
            self._tables[key] = found
            while len(self._tables) > KEPT_TABLES:
                self._tables.pop(next(iter(self._tables)))
        return found

    def is_empty(self, name: str) -> bool:
        """Whether a column has no values; such columns are left out."""
        return bool(self.frame[name].isna().all())

    def profile(self, target: str) -> dict[str, Any]:
        """Return what a person looks at before learning: every column, and the classes.

        Parameters
        ----------
        target : str
        """
        if target not in self.columns:
            raise InputError(f"the table has no column {shown(target)}; choose one that it has")
        labels = self.frame[target].map(text_of, na_action="ignore")
        counts = labels.value_counts()
        classes = sorted(map(str, counts.index))[:MOST_BARS_CLASSES]
        codes = np.array([classes.index(one) if one in classes else -1 for one in labels.fillna("").map(str)])
        found = remarks(self.frame, target)
        return {
            "name": self.name,
            "rows": len(self.frame),
            "target": target,
            "classes": [{"label": one, "rows": int(counts[one])} for one in classes],
            "manyClasses": len(counts) > MOST_BARS_CLASSES,
            "missingLabels": int(self.frame[target].isna().sum()),
            "columns": [
                self._column(name, codes, len(classes), found.get(name, []))
                for name in self.columns
                if name != target
            ],
        }

    def _column(
        self, name: str, codes: NDArray[np.int64], n_classes: int, said: list[dict[str, str]]
    ) -> dict[str, Any]:
        cells = Cells(self.frame[name])
        empty = self.is_empty(name)
        kind = "category" if empty else guess_kind(cells)
        bars = _numbers(cells, codes, n_classes) if kind == "numeric" else _values(cells, codes, n_classes)
        return {
            "name": name,
            "kind": kind,
            "empty": empty,
            "missing": float(cells.missing.mean()),
            "distinct": int(self.frame[name].nunique()),
            "bars": bars,
            "remarks": said,
        }


def _numbers(cells: Cells, codes: NDArray[np.int64], n_classes: int) -> dict[str, Any]:
    present = np.isfinite(cells.numbers)
    values = cells.numbers[present]
    if not values.size:
        return {"low": None, "high": None, "texts": [], "counts": []}
    low, high = float(values.min()), float(values.max())
    width = (high - low) or 1.0
    place = np.minimum(((values - low) / width * N_BARS).astype(int), N_BARS - 1)
    counts = np.zeros((N_BARS, n_classes), int)
    seen = codes[present] >= 0
    np.add.at(counts, (place[seen], codes[present][seen]), 1)
    return {"low": low, "high": high, "texts": [], "counts": counts.tolist()}


def _values(cells: Cells, codes: NDArray[np.int64], n_classes: int) -> dict[str, Any]:
    found, distinct = cells.coded
    frequent = np.argsort(-np.bincount(found[found >= 0], minlength=len(distinct)), kind="stable")[:N_BARS]
    counts = [np.bincount(codes[(found == k) & (codes >= 0)], minlength=n_classes).tolist() for k in frequent]
    texts = [text_of(distinct[k]) for k in frequent]
    return {"low": None, "high": None, "texts": texts, "counts": counts}


def open_file(path: str | Path) -> StudioTable:
    """Open a CSV or Parquet file; its session is saved beside it.

    Parameters
    ----------
    path : str or Path
    """
    place = Path(path)
    frame = as_frame(read_table(place))
    return StudioTable(frame, place.name, place.with_name(f"{place.name}.studio.json"), place.resolve())


EXAMPLES: Mapping[str, tuple[str, str]] = {
    "breast cancer": ("load_breast_cancer", "diagnosis"),
    "iris": ("load_iris", "species"),
    "wine": ("load_wine", "cultivar"),
    "digits": ("load_digits", "digit"),
}
"""Tables that scikit-learn ships: its function, and the name of the labels."""


def open_example(name: str, folder: Path) -> StudioTable:
    """Open a table that scikit-learn ships; its session is saved in a folder.

    Parameters
    ----------
    name : str
    folder : Path
    """
    if name not in EXAMPLES:
        raise InputError(f"there is no example {shown(name)}; choose one of: {', '.join(EXAMPLES)}")
    import sklearn.datasets

    loader, label = EXAMPLES[name]
    data = getattr(sklearn.datasets, loader)(as_frame=True)
    frame = data.data.copy()
    frame[label] = pd.Series([str(data.target_names[k]) for k in data.target], dtype="string")
    file = f"{name.replace(' ', '-')}.studio.json"
    return StudioTable(as_frame(frame), name, folder / file)
