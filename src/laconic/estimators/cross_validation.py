"""`DecisionSetClassifierCV`: the trade-off of size and errors that does best on rows not learned from.

The front of all rows offers one candidate per corner, with the λ at which it is best. In every fold, the
front of the other rows is found anew, conditions included, and for each candidate's λ its best set is
scored on the rows left out. The choice is the smallest candidate whose mean score is within one standard
error of the best mean.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from numpy.typing import NDArray
from sklearn.metrics import get_scorer_names
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import _check_sample_weight

from laconic.data.binarize import Binarizer
from laconic.data.foreign import as_pandas
from laconic.data.targets import checked_labels, encode_labels
from laconic.data.training import TrainingTable
from laconic.estimators.classifier import DecisionSetClassifier
from laconic.estimators.folds import Fold, merged_folds, row_folds
from laconic.learning.front import Front, find_front
from laconic.learning.problem import problem_of
from laconic.problem.constraints.constraints import Constraints, combined
from laconic.problem.objective import Default, Objective
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError
from laconic.runtime.remote import is_remote, jobs

CHOICES = ("one_standard_error", "best")


class DecisionSetClassifierCV(DecisionSetClassifier):
    """The decision set whose trade-off of size and errors is chosen by cross-validation.

    Parameters
    ----------
    max_size : int or None, default=10
        Larger sets are not considered.
    default : {"explained", "otherwise"}, default="explained"
        What decides about rows that no rule covers, as for `laconic.DecisionSetPath`.
    cv : int, splitter or iterable of (train, test), default=5
        As scikit-learn takes it; an integer stands for stratified folds.
    scoring : str or callable, optional
        As scikit-learn takes it; by default the accuracy of ``predict``.
    choice : {"one_standard_error", "best"}, default="one_standard_error"
        The smallest set whose mean score is within one standard error of the best mean, or the best mean
        itself.
    binarizer : Binarizer, optional
        How columns become conditions; a copy is fitted in every fold. By default ``Binarizer()``.
    time_limit : float, optional
        Seconds for the whole fit, shared by all folds.
    n_jobs : int, optional
        Folds at once, through joblib: processes, or the workers of a cluster with its dask backend.
    random_state : int, RandomState or None
        ``None`` is a fixed seed as well.
    constraints : Constraints or mapping, optional
        What the sets have to respect, as for `laconic.DecisionSetPath`. Conditions are made anew in every
        fold, so name columns rather than conditions.
    class_weight : mapping of label to float, or "balanced", optional
        What an error on a row of the class costs, in fitting and in scoring.
    report : callable, optional
        Told in words how far the choice is.

    Attributes
    ----------
    front_ : Front
        Of all rows; its points are the candidates.
    best_index_ : int
        Which of them was chosen.
    regularization_ : float
        The λ that stands for it in the folds.
    cv_results_ : dict of ndarray
        ``size``, ``errors``, ``lambda``, ``mean_score``, ``standard_error`` and the scores of all folds,
        one entry per candidate.
    decision_set_, rules_, size_, errors_, optimal_, lower_bound_, gap_, classes_, binarizer_, …
        Of the chosen set, as in `laconic.DecisionSetClassifier` with ``max_size``.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> clf = DecisionSetClassifierCV().fit(X, y)
    >>> clf.size_, clf.optimal_
    (4, True)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "max_size": [Interval(Integral, 0, None, closed="left"), None],
        "default": [StrOptions({default.value for default in Default})],
        "cv": ["cv_object"],
        "scoring": [StrOptions(set(get_scorer_names())), callable, None],
        "choice": [StrOptions(set(CHOICES))],
        "binarizer": [HasMethods(["fit", "transform"]), None],
        "time_limit": [Interval(Real, 0, None, closed="neither"), None],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
        "constraints": [Constraints, Mapping, None],
        "class_weight": [Mapping, StrOptions({"balanced"}), None],
        "report": [callable, None],
    }

    def __init__(
        self,
        *,
        max_size: int | None = 10,
        default: str = "explained",
        cv: Any = 5,
        scoring: str | Callable[..., float] | None = None,
        choice: str = "one_standard_error",
        binarizer: Binarizer | None = None,
        time_limit: float | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        constraints: Constraints | Mapping[str, Any] | None = None,
        class_weight: Mapping[Any, float] | str | None = None,
        report: Callable[[str], None] | None = None,
    ) -> None:
        self.max_size = max_size
        self.default = default
        self.cv = cv
        self.scoring = scoring
        self.choice = choice
        self.binarizer = binarizer
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.constraints = constraints
        self.class_weight = class_weight
        self.report = report

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the front of all rows, and choose its point by cross-validation.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_samples, n_columns)
            Or a `laconic.TrainingTable`, or what is merged into one outside memory, as for
            `laconic.DecisionSetClassifier.fit`: the conditions of all rows then serve in every fold, and
            ``cv`` must be a number.
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            Used in fitting and in scoring; merged rows must have none.

        Returns
        -------
        self
        """
        self._validate_params()
        seed = self._seed()
        training = self._training_table(X, y, sample_weight)
        folds = self._folds(training, X, y, sample_weight, seed)
        limit = None if self.max_size is None else int(self.max_size)
        settings: dict[str, Any] = {"max_size": limit, "seconds": self._share(len(folds)), "seed": seed}
        settings |= {"constraints": self._constraints(), "default": Default(self.default)}
        self._say("front of all rows")
        at_once = jobs(self.n_jobs) if is_remote() else 1
        self.front_ = _front_of(training, settings, at_once)
        candidates = _candidates(self.front_)
        self._say(f"{len(candidates)} candidates, {len(folds)} folds")
        # One after the other if nothing runs in parallel, so that each can be told of.
        done = Parallel(n_jobs=self.n_jobs, return_as="generator")(
            delayed(_fold_scores)(fold, candidates, settings, self.binarizer, self.scoring) for fold in folds
        )
        scored = []
        for scores_of_fold in done:
            scored.append(scores_of_fold)
            self._say(f"{len(candidates)} candidates, {len(scored)} of {len(folds)} folds done")
        scores = np.array(scored)
        self.best_index_ = _chosen(scores, self.choice)
        self._publish_choice(training, candidates, scores)
        return self

    @available_if(lambda _: False)  # type: ignore[untyped-decorator]
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Not offered: a choice by cross-validation needs all rows at once."""
        raise NotImplementedError

    def _folds(
        self, training: TrainingTable, X: Any, y: Any, sample_weight: Any, seed: int
    ) -> Sequence[Fold]:
        costs = self._class_costs(training)
        if isinstance(X, TrainingTable) or not training.table.group_of.size:
            return merged_folds(training, self.cv, seed, costs)
        rows = as_pandas(X)
        rows = rows if hasattr(rows, "iloc") else np.asarray(rows)
        labels = _labels(y, len(rows))
        weights = (
            None if sample_weight is None else _check_sample_weight(sample_weight, labels, dtype=np.float64)
        )
        by_row = None if costs is None else costs[np.searchsorted(training.classes, labels)]
        return row_folds(rows, labels, weights, self.cv, by_row)

    def _class_costs(self, training: TrainingTable) -> NDArray[np.float64] | None:
        """Return what an error on a row of each class costs; None if they are alike."""
        compiled = problem_of(training, Objective(max_size=0), self._constraints()).constraints
        if len(set(compiled.class_factor)) == 1:
            return None
        return np.array([float(factor) for factor in compiled.class_factor])

    def _constraints(self) -> Constraints | None:
        return combined(self.constraints, class_weight=self.class_weight)

    def _say(self, text: str) -> None:
        if self.report is not None:
            self.report(text)

    def _share(self, n_splits: int) -> float | None:
        if self.time_limit is None:
            return None
        at_once = min(n_splits, int(effective_n_jobs(self.n_jobs)))
        return float(self.time_limit) / (1 + math.ceil(n_splits / at_once))

    def _publish_choice(
        self, training: TrainingTable, candidates: Sequence[float], scores: NDArray[np.float64]
    ) -> None:
        points = self.front_.points
        n_folds = len(scores)
        self.cv_results_ = {
            "size": np.array([point.size for point in points]),
            "errors": np.array([float(point.errors) for point in points]),
            "lambda": np.array(candidates),
            "mean_score": scores.mean(axis=0),
            "standard_error": _standard_error(scores),
            **{f"split{k}_score": scores[k] for k in range(n_folds)},
        }
        self.regularization_ = candidates[self.best_index_]
        self.classes_ = training.classes
        self.binarizer_ = training.binarizer
        self.decision_set_ = self.front_.models[self.best_index_]
        self.training_table_ = training.slim()
        self._publish(self.decision_set_.history, {})


def _candidates(front: Front) -> list[float]:
    """Return a λ for each point: the middle, by ratio, of those at which it is best among the points."""
    points, weight = front.points, front.total_weight
    prices = [
        float((a.errors - b.errors) / ((b.size - a.size) * weight)) for a, b in itertools.pairwise(points)
    ]
    ends = [2 * prices[0] if prices else 1.0, *prices, prices[-1] / 2 if prices else 0.5]
    return [math.sqrt(high * low) for high, low in itertools.pairwise(ends)]


def _fold_scores(
    fold: Fold,
    candidates: Sequence[float],
    settings: Mapping[str, Any],
    binarizer: Binarizer | None,
    scoring: Any,
) -> list[float]:
    """Score the best set at each λ, learned from one part of the rows, on the other."""
    training = fold.training(binarizer)
    try:
        front = _front_of(training, settings)
    except InputError as error:
        if settings["constraints"] is None:
            raise
        raise InputError(f"in a fold, whose conditions and rows are not those of all rows: {error}") from None
    total = front.total_weight
    found: dict[int, float] = {}
    for price in candidates:
        at = front.at_lambda(price, total)
        if at not in found:
            found[at] = fold.score(front.models[at], training.classes, scoring)
    return [found[front.at_lambda(price, total)] for price in candidates]


def _front_of(training: TrainingTable, settings: Mapping[str, Any], n_jobs: int = 1) -> Front:
    front = find_front(
        training,
        max_size=settings["max_size"],
        budget=Budget(settings["seconds"]),
        seed=settings["seed"],
        n_jobs=n_jobs,
        constraints=settings["constraints"],
        default=settings["default"],
    )
    # Let Ctrl-C end everything: a front cut short in one fold says nothing about the others.
    if front.interrupted:
        raise KeyboardInterrupt
    return front


def _labels(y: Any, n_rows: int) -> NDArray[Any]:
    classes, codes = encode_labels(checked_labels(y, n_rows))
    return np.asarray(classes[codes])


def _standard_error(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    if len(scores) < 2:
        return np.zeros(scores.shape[1])
    return np.asarray(scores.std(axis=0, ddof=1) / math.sqrt(len(scores)))


def _chosen(scores: NDArray[np.float64], choice: str) -> int:
    """Return the chosen candidate; candidates are sorted by size, and of equals the smallest is taken."""
    mean = scores.mean(axis=0)
    best = int(mean.argmax())
    if choice == "best":
        return best
    enough = mean[best] - _standard_error(scores)[best]
    return int(np.flatnonzero(mean >= enough - 1e-12)[0])
