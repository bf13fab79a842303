"""The conditions of a table with thresholds of the user's own, beside those found or instead of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from laconic.data.cells import Cells
from laconic.data.columns import Cutting, as_features, column_features
from laconic.data.conditions import Conditions
from laconic.data.frame import as_frame
from laconic.data.literals import Feature, Literal, Threshold
from laconic.studio.settings import Settings

MOST_THRESHOLDS, MOST_CATEGORIES = 1000, 50


class OwnConditions:
    """A binarizer that knows thresholds of the user's own; cells are taken as they are.

    Parameters
    ----------
    settings : Settings
    more : iterable of Literal
        Conditions that rules of the user's own need; thresholds not yet there are added.
    """

    def __init__(self, settings: Settings, more: Iterable[Literal] = ()) -> None:
        self.settings = settings
        self.cutting = Cutting("quantile", settings.bins, MOST_THRESHOLDS, MOST_CATEGORIES)
        self.more: dict[str, set[float]] = {}
        for literal in more:
            if isinstance(literal, Threshold):
                self.more.setdefault(literal.column, set()).add(literal.value)

    def fit(self, X: pd.DataFrame, y: NDArray[Any], sample_weight: ArrayLike | None = None) -> OwnConditions:
        """Choose the conditions.

        Parameters
        ----------
        X : DataFrame
        y : ndarray
            Not used.
        sample_weight : array-like, optional
            Not used.
        """
        frame = as_frame(X)
        features: list[Feature] = []
        ignored: dict[str, str] = {}
        kinds: dict[str, str] = {}
        for name in map(str, frame.columns):
            cells = Cells(frame[name])
            found = column_features(cells, self.cutting, None, self.settings.of(name).kind)
            own: Sequence[Feature] = found.features
            if found.kind == "numeric":
                own = self._cut(name, own, cells)
            features += own
            kinds[name] = found.kind or "category"
            if not own and found.ignored is not None:
                ignored[name] = found.ignored
        self._found = Conditions(tuple(features), ignored, kinds)
        self.features_, self.allowed_ = self._found.features, self._found.allowed
        self.ignored_columns_, self.kinds_ = ignored, kinds
        return self

    def transform(self, X: pd.DataFrame) -> NDArray[np.bool_]:
        """Return which conditions each row satisfies.

        Parameters
        ----------
        X : DataFrame
        """
        return self._found.matrix(as_frame(X))

    def _cut(self, name: str, found: Sequence[Feature], cells: Cells) -> Sequence[Feature]:
        """Return the features of a column of numbers with the thresholds asked for."""
        instead, more = self.settings.of(name).cuts, self.more.get(name, ())
        if instead is None and not more:
            return found
        known = {one.positive.value for one in found if isinstance(one.positive, Threshold)}
        values = sorted({*(known if instead is None else instead), *more})
        pairs = [(Threshold(name, "<=", value), Threshold(name, ">", value)) for value in values]
        return as_features(pairs, name, has_missing=bool(cells.missing.any()))


def offered(features: Iterable[Feature]) -> Mapping[str, list[Literal]]:
    """Return the conditions on each column.

    Parameters
    ----------
    features : iterable of Feature
    """
    found: dict[str, list[Literal]] = {}
    for feature in features:
        for literal in (feature.positive, feature.negative):
            if literal is not None:
                found.setdefault(literal.column, []).append(literal)
    return found
