"""The conditions of a table with thresholds of the user's own, beside those found or instead of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
from numpy.typing import ArrayLike, NDArray

from laconic.data.cells import Cells
from laconic.data.columns import Cutting, as_features
from laconic.data.conditions import PlainBinarizer
from laconic.data.literals import Feature, Literal, Threshold
from laconic.studio.settings import Settings

MOST_THRESHOLDS, MOST_CATEGORIES = 1000, 50


class OwnConditions(PlainBinarizer):
    """A binarizer that knows thresholds of the user's own.

    Parameters
    ----------
    settings : Settings
    more : iterable of Literal
        Conditions that rules of the user's own need; thresholds not yet there are added.
    """

    def __init__(self, settings: Settings, more: Iterable[Literal] = ()) -> None:
        kinds = {name: one.kind for name, one in settings.columns.items() if one.kind is not None}
        kinds.pop(settings.target, None)
        self.instead = {name: one.cuts for name, one in settings.columns.items() if one.cuts is not None}
        self.more: dict[str, set[float]] = {}
        for literal in more:
            if isinstance(literal, Threshold):
                self.more.setdefault(literal.column, set()).add(literal.value)
        super().__init__(Cutting("quantile", settings.bins, MOST_THRESHOLDS, MOST_CATEGORIES), kinds)

    def fit(self, X: pd.DataFrame, y: NDArray[Any], sample_weight: ArrayLike | None = None) -> OwnConditions:
        """Choose the conditions.

        Parameters
        ----------
        X : DataFrame
        y : ndarray
        sample_weight : array-like, optional
        """
        unused = [name for name in self.columns if name not in X.columns]
        self.columns = {name: kind for name, kind in self.columns.items() if name not in unused}
        super().fit(X, y, sample_weight)
        by_column: dict[str, list[Feature]] = {str(name): [] for name in X.columns}
        for feature in self.features_:
            by_column[feature.positive.column].append(feature)
        for name in {*self.instead, *self.more}:
            if name in by_column and self.kinds_.get(name) == "numeric":
                has_missing = bool(Cells(X[name]).missing.any())
                by_column[name] = self._cut(name, by_column[name], has_missing=has_missing)
        features = tuple(feature for one in by_column.values() for feature in one)
        ignored = {name: why for name, why in self._found.ignored.items() if not by_column[name]}
        self._found = replace(self._found, features=features, ignored=ignored)
        self.features_, self.allowed_ = features, self._found.allowed
        self.ignored_columns_ = ignored
        return self

    def _cut(self, name: str, found: Sequence[Feature], *, has_missing: bool) -> list[Feature]:
        """Return the features of a column of numbers with the thresholds asked for."""
        known = {one.positive.value for one in found if isinstance(one.positive, Threshold)}
        values = sorted({*(self.instead.get(name) or known), *self.more.get(name, ())})
        pairs = [(Threshold(name, "<=", value), Threshold(name, ">", value)) for value in values]
        return list(as_features(pairs, name, has_missing=has_missing))


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
