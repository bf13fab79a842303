"""How a table is taken up: its label, the columns in use, their kinds and thresholds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from laconic.data.columns import KINDS
from laconic.runtime.errors import InputError
from laconic.runtime.texts import shown

DEFAULT_BINS = 6
MOST_BINS = 50
MOST_CUTS = 1000


@dataclass(frozen=True)
class ColumnChoice:
    """What the user knows about a column.

    Attributes
    ----------
    use : bool
        Whether rules may be about it.
    kind : {"numeric", "category", "binary"} or None
        By default as the values are.
    cuts : tuple of float or None
        The thresholds; by default quantiles.
    """

    use: bool = True
    kind: str | None = None
    cuts: tuple[float, ...] | None = None

    def to_document(self) -> dict[str, Any]:
        """Return plain data, defaults left out."""
        found: dict[str, Any] = {} if self.use else {"use": False}
        if self.kind is not None:
            found["kind"] = self.kind
        if self.cuts is not None:
            found["cuts"] = list(self.cuts)
        return found


@dataclass(frozen=True)
class Settings:
    """How a table becomes conditions.

    Attributes
    ----------
    target : str
        The column of labels.
    columns : mapping of str to ColumnChoice
        Columns that differ from the defaults.
    bins : int
        Number of quantile bins of numbers.
    """

    target: str
    columns: Mapping[str, ColumnChoice] = field(default_factory=dict)
    bins: int = DEFAULT_BINS

    def of(self, column: str) -> ColumnChoice:
        """Return the settings of a column.

        Parameters
        ----------
        column : str
        """
        return self.columns.get(column, ColumnChoice())

    def to_document(self) -> dict[str, Any]:
        """Return plain data for the session file."""
        columns = {name: one.to_document() for name, one in sorted(self.columns.items())}
        return {
            "target": self.target,
            "columns": {name: one for name, one in columns.items() if one},
            "bins": self.bins,
        }

    @classmethod
    def from_document(cls, data: Any, known: Sequence[str]) -> Settings:
        """Return the settings that `to_document` wrote; anything else is refused.

        Parameters
        ----------
        data : mapping
        known : sequence of str
            The columns of the table.
        """
        if not isinstance(data, Mapping) or not isinstance(data.get("target"), str):
            raise InputError("settings must name the column of labels as target")
        columns, bins = data.get("columns", {}), data.get("bins", DEFAULT_BINS)
        if not isinstance(columns, Mapping):
            raise InputError(f"the columns of the settings must be names with values, not {shown(columns)}")
        for name in (data["target"], *columns):
            if name not in known:
                raise InputError(f"the table has no column {shown(name)}; open the file that has it")
        if not isinstance(bins, int) or isinstance(bins, bool) or not 2 <= bins <= MOST_BINS:
            raise InputError(f"bins must be a whole number from 2 to {MOST_BINS}, not {shown(bins)}")
        return cls(data["target"], {name: _column(name, one) for name, one in columns.items()}, bins)


def _column(name: str, data: Any) -> ColumnChoice:
    if not isinstance(data, Mapping) or not set(data) <= {"use", "kind", "cuts"}:
        raise InputError(f"the settings of column {shown(name)} may be use, kind and cuts")
    use, kind, cuts = data.get("use", True), data.get("kind"), data.get("cuts")
    if not isinstance(use, bool):
        raise InputError(f"use of column {shown(name)} must be true or false, not {shown(use)}")
    if kind is not None and kind not in KINDS:
        raise InputError(f"column {shown(name)} cannot be {shown(kind)}; choose one of: {', '.join(KINDS)}")
    if cuts is not None:
        if not isinstance(cuts, list) or not all(map(_is_number, cuts)) or not 0 < len(cuts) <= MOST_CUTS:
            raise InputError(f"the cut points of column {shown(name)} must be a list of numbers")
        cuts = tuple(sorted({float(cut) for cut in cuts}))
    return ColumnChoice(use, kind, cuts)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
