"""The fitted, reversible step from a user's table to binary features and back to the user's words."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.base import TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from laconic.data.column_settings import Said, settings_of
from laconic.data.columns import METHODS, BinarizerWarning, Classes, Cutting
from laconic.data.conditions import Conditions, find_conditions
from laconic.data.frame import as_frame, with_text_names
from laconic.data.literals import Literal, feature_from_dict, feature_to_dict
from laconic.data.reading.column_reading import reading_from_document
from laconic.data.reading.derived import derived_from_document
from laconic.data.scikit import Estimator, Interval, StrOptions, check_feature_names, check_parameters
from laconic.data.weights import integer_weights
from laconic.runtime.errors import InputError, ModelFileError

__all__ = ["Binarizer", "BinarizerWarning"]


class Binarizer(TransformerMixin, Estimator):  # type: ignore[misc]
    """Turn numbers, categories, booleans and missing values into binary features.

    Each feature is a condition on one column, such as ``age <= 54`` or ``colour is red``, and can be
    turned back into it with `inverse`.

    - A column of **numbers** gives ``x <= t`` for some thresholds; the number shown is the shortest one
      that separates the neighbouring values of the training data.
    - A **category** (texts, pandas categoricals) gives ``x = value`` for each value; two values need
      one feature.
    - With ``max_members=2`` or more, **groups** of categories, ``x in {a, b}``, are single conditions.
    - A **binary** column (booleans, or numbers that are only 0 and 1) is taken as it is.
    - A column with **missing** values gives ``x is missing`` too; a missing value satisfies no other
      condition.

    Constant columns give no feature; see `ignored_columns_`.

    Parameters
    ----------
    thresholds : {"quantile", "all", "midpoints", "entropy", "paper"}, default="quantile"
        Where numbers are cut: nearest to the quantiles; between all neighbouring values ("all", and
        "midpoints" up to ``max_thresholds``); where the classes change, by the entropy criterion of Fayyad
        and Irani (needs ``y``); or by the rule of the paper's experiments, with one feature per bin.
        Where a search does not afford all thresholds, "all" leaves out those that no optimal set needs
        (if ``y`` is given), or else takes as many quantiles as it affords and warns.
    bins : int, default=6
        Number of bins of the "quantile" and "paper" thresholds.
    max_thresholds : int, default=1000
        The most thresholds a column may have; "all" is not limited by it.
    max_categories : int, default=50
        The most categories of a column that become conditions: the most frequent ones. A
        column with more categories than that, all different, is left out.
    max_members : int, default=1
        Maximum number of members of a group of categories; by default there are no groups. A column has all
        groups and their opposites, or a warning says among which categories they are.
    columns : mapping of str to str or dict, optional
        What you know about columns: a kind ("numeric", "category" or "binary") or settings, such as
        ``{"age": {"cuts": [18, 65]}, "income": {"codes": [-9999]}}``; see the page on columns.

    Attributes
    ----------
    features_ : tuple of Feature
        The conditions where each output column is true, and where it is false.
    allowed_ : ndarray of bool, shape (n_features, 2)
        Whether a rule may ask for the feature to be false (column 0) or true (column 1).
    ignored_columns_ : dict of str to str
        The columns without a feature, and why.
    kinds_ : dict of str to str
        The kind of each column, given or guessed; only after `fit`.
    readings_ : dict of str to ColumnReading
        How the cells of a column are read, where they are not taken as they are.
    derived_ : dict of str to Derived
        The columns that are computed from dates, and what from.
    n_features_in_ : int
        Number of columns seen in `fit`.
    feature_names_in_ : ndarray of str
        Their names, if they are all texts.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"age": [21, 35, 54, 70], "colour": ["red", "blue", "red", "red"]})
    >>> binarizer = Binarizer(bins=2).fit(X)
    >>> binarizer.get_feature_names_out().tolist()
    ['age <= 40', 'colour is red']
    >>> binarizer.transform(X).astype(int).tolist()
    [[1, 1], [1, 0], [0, 1], [0, 1]]
    >>> str(binarizer.inverse(2))
    'colour is blue'
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "thresholds": [StrOptions(set(METHODS))],
        "bins": [Interval(Integral, 2, None, closed="left")],
        "max_thresholds": [Interval(Integral, 1, None, closed="left")],
        "max_categories": [Interval(Integral, 2, None, closed="left")],
        "max_members": [Interval(Integral, 1, 20, closed="both")],
        "columns": [Mapping, None],
    }

    def __init__(
        self,
        thresholds: str = "quantile",
        *,
        bins: int = 6,
        max_thresholds: int = 1000,
        max_categories: int = 50,
        max_members: int = 1,
        columns: Mapping[str, Said] | None = None,
    ) -> None:
        self.thresholds = thresholds
        self.bins = bins
        self.max_thresholds = max_thresholds
        self.max_categories = max_categories
        self.max_members = max_members
        self.columns = columns

    def fit(self, X: Any, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None) -> Self:
        """Choose the conditions.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_samples, n_columns)
        y : array-like, shape (n_samples,), optional
            Class labels; used by the thresholds "entropy" and "all".
        sample_weight : array-like, shape (n_samples,), optional
            Weight 2 is the same as the row twice, weight 0 the same as no row.

        Returns
        -------
        self
        """
        self._fit(X, y, sample_weight)
        return self

    def fit_transform(
        self, X: Any, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> NDArray[np.bool_]:
        """Choose the conditions, and return which of them each row satisfies.

        Parameters
        ----------
        X : DataFrame or array-like, shape (n_samples, n_columns)
        y : array-like, shape (n_samples,), optional
        sample_weight : array-like, shape (n_samples,), optional
            All as in `fit`.

        Returns
        -------
        ndarray of bool, shape (n_samples, n_features)
        """
        return self._matrix(self._fit(X, y, sample_weight))

    def _fit(self, X: Any, y: ArrayLike | None, sample_weight: ArrayLike | None) -> pd.DataFrame:
        """Choose the conditions and return the table that they were chosen for."""
        check_parameters(self)
        X = with_text_names(X)
        frame = as_frame(X)
        validate_data(self, X, reset=True, skip_check_array=True)
        weights = None if sample_weight is None else integer_weights(sample_weight, len(frame))[0]
        uses_classes = self.thresholds == "entropy" or (self.thresholds == "all" and y is not None)
        classes = self._classes(frame, y) if uses_classes else None
        cutting = Cutting(
            self.thresholds, self.bins, self.max_thresholds, self.max_categories, self.max_members
        )
        self._set(find_conditions(frame, cutting, self.columns, classes=classes, weights=weights))
        return frame

    def transform(self, X: Any) -> NDArray[np.bool_]:
        """Return which conditions each row satisfies: shape (n_samples, n_features).

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_rows, n_columns)
        """
        check_is_fitted(self)
        X = with_text_names(X)
        frame = as_frame(X)
        validate_data(self, X, reset=False, skip_check_array=True)
        return self._matrix(frame)

    def _matrix(self, frame: pd.DataFrame) -> NDArray[np.bool_]:
        found = Conditions(
            self.features_, self.ignored_columns_, readings=self.readings_, derived=self.derived_
        )
        return found.matrix(frame.set_axis(self._names_in(), axis=1))

    def inverse(self, code: int) -> Literal:
        """Return the condition that a literal stands for.

        Parameters
        ----------
        code : int
            Of the literal: ``2 * feature + value``.
        """
        check_is_fitted(self)
        if not 0 <= code < 2 * len(self.features_):
            raise InputError(f"literal {code} does not exist; there are {len(self.features_)} features")
        feature = self.features_[code >> 1]
        literal = feature.positive if code & 1 else feature.negative
        if literal is None:
            raise InputError(
                f"literal {code} is not allowed: the opposite of '{feature.positive}' "
                f"would hold for missing values"
            )
        return literal

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[np.object_]:
        """Return the conditions as text.

        Parameters
        ----------
        input_features : array-like of str, optional
            Must be the names seen in `fit`; there for scikit-learn's sake.
        """
        check_is_fitted(self)
        check_feature_names(self, input_features)
        return np.array([str(feature.positive) for feature in self.features_], dtype=object)

    def to_dict(self) -> dict[str, Any]:
        """Return the fitted binarizer as plain data for JSON."""
        check_is_fitted(self)
        params = self.get_params()
        params["columns"] = (
            None
            if self.columns is None
            else {name: one.to_dict() for name, one in settings_of(self.columns).items()}
        )
        return {
            "params": params,
            "columns_in": self._names_in(),
            "named": hasattr(self, "feature_names_in_"),
            "features": [feature_to_dict(feature) for feature in self.features_],
            "ignored_columns": dict(self.ignored_columns_),
            "readings": {name: reading.to_document() for name, reading in self.readings_.items()},
            "derived": [derived.to_document() for derived in self.derived_.values()],
        }

    @classmethod
    def from_dict(cls, data: Any) -> Self:
        """Return the binarizer that `to_dict` wrote; anything else is refused.

        Parameters
        ----------
        data : dict

        Examples
        --------
        >>> fitted = Binarizer().fit([[1.0], [2.0]])
        >>> Binarizer.from_dict(fitted.to_dict()).features_ == fitted.features_
        True
        """
        match data:
            case {
                "params": dict(params),
                "columns_in": [*names],
                "named": bool(named),
                "features": [*features],
                "ignored_columns": dict(ignored),
            } if {"max_members", *params} == set(cls().get_params()) and all(
                isinstance(name, str) for name in names
            ):
                pass
            case _:
                raise ModelFileError("the binarizer's part of the model file is damaged")
        binarizer = cls(**params)
        binarizer.n_features_in_ = len(names)
        if named:
            binarizer.feature_names_in_ = np.array(names, dtype=object)
        readings = {name: reading_from_document(one) for name, one in data.get("readings", {}).items()}
        binarizer._set(
            Conditions(
                tuple(feature_from_dict(feature) for feature in features),
                ignored,
                readings={name: one for name, one in readings.items() if one is not None},
                derived={one.name: one for one in map(derived_from_document, data.get("derived", [])) if one},
            )
        )
        return binarizer

    def _set(self, found: Conditions) -> None:
        self.features_ = found.features
        self.allowed_ = found.allowed
        self.ignored_columns_ = dict(found.ignored)
        self.kinds_ = dict(found.kinds)
        self.readings_ = dict(found.readings)
        self.derived_ = dict(found.derived)

    def _names_in(self) -> list[str]:
        if hasattr(self, "feature_names_in_"):
            return [str(name) for name in self.feature_names_in_]
        return [f"x{i}" for i in range(self.n_features_in_)]

    def _classes(self, frame: pd.DataFrame, y: ArrayLike | None) -> Classes:
        if y is None:
            raise InputError(
                "requires y to be passed, but the target y is None: entropy thresholds need the labels; "
                "give them, or choose thresholds='quantile'"
            )
        labels = column_or_1d(y, warn=True)
        check_consistent_length(frame, labels)
        check_classification_targets(labels)
        codes, distinct = pd.factorize(labels, sort=True, use_na_sentinel=True)
        if (codes < 0).any():
            row = int(np.flatnonzero(codes < 0)[0])
            raise InputError(f"the label of row {row} is missing; Input y contains NaN")
        return Classes(codes.astype(np.int64), len(distinct))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self.thresholds == "entropy"
        tags.transformer_tags.preserves_dtype = []
        tags.input_tags.sparse = True
        return tags
