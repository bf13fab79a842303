"""The common base of `DecisionSetClassifier` and `DecisionSetPath`: table, limits, seed and progress."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.utils import Tags, check_random_state
from sklearn.utils.validation import validate_data

from laconic.data.binarize import Binarizer
from laconic.data.frame import with_text_names
from laconic.data.scikit import Estimator, check_parameters
from laconic.data.training import TrainingTable, in_memory, reduced
from laconic.learning.resolution import FINER_BINS
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError
from laconic.runtime.memory import memory_bytes


class FromTables(Estimator):
    """Base class of the estimators: tables of every kind, limits of time and memory, the seed."""

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.sparse = True
        return tags

    def set_params(self, **params: Any) -> Self:
        """Set parameters; ``binarizer__bins`` and the like also work without a `binarizer`.

        Parameters
        ----------
        **params : dict
            As in scikit-learn.
        """
        nested = any(name.startswith("binarizer__") for name in params)
        if nested and params.get("binarizer", self.binarizer) is None:
            params = {**params, "binarizer": Binarizer()}
        super().set_params(**params)
        return self

    def _checked_budget(self) -> Budget:
        """Check the parameters, start the clock and return the time and memory of a fit."""
        check_parameters(self)
        return self._budget(self.time_limit)

    def _budget(self, seconds: float | None) -> Budget:
        memory = None if self.memory_limit is None else memory_bytes(self.memory_limit)
        return Budget(seconds, memory=memory)

    def _say(self, text: str) -> None:
        if self.verbose:
            sys.stderr.write(f"[laconic] {text}\n")

    def _training_table(
        self, X: Any, y: Any, sample_weight: ArrayLike | None, classes: ArrayLike | None = None
    ) -> TrainingTable:
        if isinstance(X, TrainingTable):
            if any(one is not None for one in (y, sample_weight, classes)):
                raise InputError("a TrainingTable holds its labels and weights; give no y and sample_weight")
            training = X
        else:
            binarizer = Binarizer() if self.binarizer is None else clone(self.binarizer)
            elsewhere = reduced(X, y, sample_weight, binarizer, classes)
            if elsewhere is None:
                training = in_memory(X, y, sample_weight, binarizer, classes)
                validate_data(self, with_text_names(X), reset=True, skip_check_array=True)
                return training
            training = elsewhere
        plain = [column.name for column in training.columns if column.derived is None]
        self.n_features_in_ = len(plain)
        names = np.array(plain, dtype=object)
        if training.named:
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return training

    def _finer_table(
        self, X: Any, y: Any, sample_weight: ArrayLike | None, classes: ArrayLike | None = None
    ) -> Callable[[], TrainingTable] | None:
        """Return what makes the training table with finer conditions, None where they are given."""
        if self.binarizer is not None or isinstance(X, TrainingTable):
            return None

        def made() -> TrainingTable:
            binarizer = Binarizer(bins=FINER_BINS)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the same as for the first training table
                elsewhere = reduced(X, y, sample_weight, binarizer, classes)
                return elsewhere or in_memory(X, y, sample_weight, binarizer, classes)

        return made

    def _seed(self) -> int:
        if self.random_state is None:
            return 0
        return int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
