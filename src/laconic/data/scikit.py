"""The private parts of scikit-learn that are used here: parameter checks and the display in notebooks.

scikit-learn may change them in any release. Only this module uses them, which
``tests/repository/test_private_imports.py`` checks.
"""

from __future__ import annotations

from typing import Any, ClassVar

from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils import Tags
from sklearn.utils._param_validation import HasMethods as HasMethods
from sklearn.utils._param_validation import Interval as Interval
from sklearn.utils._param_validation import InvalidParameterError as InvalidParameterError
from sklearn.utils._param_validation import StrOptions as StrOptions
from sklearn.utils._param_validation import validate_parameter_constraints
from sklearn.utils.validation import _check_feature_names_in


class Estimator(BaseEstimator):  # type: ignore[misc]
    """Base class of all estimators: a table of legal parameters, and a card in notebooks."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {}

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags

    def _card(self) -> str:
        """Return the HTML that notebooks show before the diagram of the parameters; usually empty."""
        return ""

    def _html_repr(self) -> str:
        diagram, card = str(super()._html_repr()), self._card()
        return f"{card}<details><summary>Parameters</summary>{diagram}</details>" if card else diagram


def check_parameters(estimator: Estimator) -> None:
    """Raise `InvalidParameterError` for the first parameter that the estimator's table does not admit."""
    validate_parameter_constraints(
        estimator._parameter_constraints,
        estimator.get_params(deep=False),
        caller_name=type(estimator).__name__,
    )


def check_feature_names(estimator: BaseEstimator, names: ArrayLike | None) -> NDArray[Any]:
    """Return the names of the input columns; refuse names that differ from those seen in ``fit``."""
    found: NDArray[Any] = _check_feature_names_in(estimator, names)
    return found
