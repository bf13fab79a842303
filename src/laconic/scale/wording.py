"""New rows in the conditions of a training table, or a refusal of what they cannot describe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from laconic.data.literals import Feature
from laconic.errors import InputError
from laconic.model.columns import Column, View, view
from laconic.model.predict import literal_masks
from laconic.scale.training import TrainingTable


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
        masks = literal_masks((feature.positive for feature in self.features), rows)
        opposite = literal_masks(
            (feature.negative for feature in self.features if feature.negative is not None), rows
        )
        matrix = np.zeros((rows.n_rows, len(self.features)), bool)
        for f, feature in enumerate(self.features):
            matrix[:, f] = masks[feature.positive]
            if feature.negative is None:
                continue
            neither = (matrix[:, f] == opposite[feature.negative]) & present
            if neither.any():
                row, name = int(np.flatnonzero(neither)[0]), feature.positive.column
                missing = bool(rows.cells[name].missing[row])
                what = "no value" if missing else f"the new value {rows.cells[name].values.iloc[row]!r}"
                raise InputError(
                    f"row {row} has {what} in column {name!r}, for which neither '{feature.positive}' nor "
                    f"'{feature.negative}' holds; fit again on all rows"
                )
        return matrix
