"""New rows in the conditions of a training table, or a refusal of what they cannot describe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from laconic.data.column import Column, View, view
from laconic.data.literals import Feature
from laconic.data.training import TrainingTable
from laconic.runtime.errors import InputError


@dataclass(frozen=True)
class Wording:
    """The conditions of a training table and the columns that they are on."""

    features: tuple[Feature, ...]
    columns: tuple[Column, ...]
    named: bool

    @classmethod
    def of(cls, training: TrainingTable) -> Self:
        """Return those of a training table."""
        return cls(training.binarizer.features_, training.columns, training.named)

    def view(self, X: Any) -> View:
        """Find the columns of the conditions in a table."""
        needed = [feature.positive.column for feature in self.features]
        return view(X, self.columns, needed, named=self.named)

    def matrix(self, rows: View, present: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which conditions hold for which rows; refuse a present row that fits neither side of one."""
        matrix = np.zeros((rows.n_rows, len(self.features)), bool)
        for f, feature in enumerate(self.features):
            cells = rows.cells[feature.positive.column]
            matrix[:, f] = feature.positive.holds(cells)
            neither = feature.disputed(cells) & present
            if neither.any():
                row, name = int(np.flatnonzero(neither)[0]), feature.positive.column
                what = "no value" if cells.missing[row] else f"the new value {cells.values.iloc[row]!r}"
                raise InputError(
                    f"row {row} has {what} in column {name!r}, for which neither '{feature.positive}' nor "
                    f"'{feature.negative}' holds; fit again on all rows"
                )
        return matrix
