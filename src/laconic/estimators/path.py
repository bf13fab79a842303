"""`DecisionSetPath`: every trade-off of size and errors, in scikit-learn's way."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from laconic.data.binarize import Binarizer
from laconic.data.scikit import HasMethods, Interval, StrOptions
from laconic.engines.api import OnProgress, Progress
from laconic.estimators.tables import FromTables
from laconic.learning.front import EVERY, find_front
from laconic.model.decision_set import DecisionSet
from laconic.problem.constraints.constraints import Constraints, combined
from laconic.problem.constraints.directions import with_directions
from laconic.problem.objective import Default
from laconic.runtime.errors import InputError
from laconic.runtime.remote import jobs

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class DecisionSetPath(FromTables):
    """The exact front of size against errors: every trade-off at once, each with its proof.

    Parameters
    ----------
    every : {"breakpoint", "size"}, default="breakpoint"
        The best sets of all λ, or the whole front: the fewest errors for every size.
    max_size : int or None, default=20
        Larger sets are not looked for; None goes on until there are no avoidable errors, which can take long.
    default : {"explained", "otherwise"}, default="explained"
        What decides about rows that no rule covers, as for `laconic.DecisionSetClassifier`. The OTHERWISE
        rule counts in the sizes of the points.
    binarizer : Binarizer, optional
        How columns become conditions; a copy is fitted. By default ``Binarizer()``.
    time_limit : float, optional
        Seconds for the whole fit. Points that are not proved by then say what is proved about them. Without a
        limit, prices that take much more work than the hardest price proved so far are left open.
    memory_limit : int or str, optional
        As for `laconic.DecisionSetClassifier`.
    n_jobs : int, optional
        Threads, one per class; -1 for all. Inside ``joblib.parallel_config(backend="dask")``, the workers of
        the cluster search the classes and the stretches of λ, unless this is 1.
    random_state : int, RandomState or None
        ``None`` is a fixed seed as well.
    verbose : int, default=0
        1 writes each improvement to standard error.
    on_progress : callable, optional
        Called with a `laconic.engines.api.Progress` at each improvement: ``cost`` and ``lower_bound`` are the
        errors and their bounds in integer units, summed over all sizes that have a set; ``note`` counts the
        points.
    constraints : Constraints or mapping, optional
        What the sets have to respect, as for `laconic.DecisionSetClassifier`. Sizes and errors of the points
        are counted as they say: with costs of conditions and columns, and of errors.
    class_weight : mapping of label to float, or "balanced", optional
        What an error on a row of the class costs.

    Attributes
    ----------
    points_ : tuple of FrontPoint
        By size.
    complete_ : bool
        Whether no point up to ``max_size`` is missing and all are proved.
    front_ : Front
        Points and models; give it to `laconic.learning.front_document.save_front`.
    classes_ : ndarray
    binarizer_ : Binarizer
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only if the training table had names.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"age": [21, 35, 54, 70, 33], "colour": ["red", "blue", "red", "blue", "red"]})
    >>> path = DecisionSetPath(every="size").fit(X, ["no", "yes", "no", "yes", "yes"])
    >>> [(point.size, point.errors, point.proved) for point in path.points_]
    [(0, 5, True), (1, 4, True), (2, 3, True), (4, 2, True), (7, 1, True), (10, 0, True)]
    >>> print(path.model(3))
    IF age <= 30 THEN no      [1 row, precision 1.00]
    IF age > 30  THEN yes     [4 rows, precision 0.75]
    OTHERWISE    THEN yes     [default]
    Wrong on 1 of 5 training rows (20.0 %).
    (2 rules, size 4, errors 2, proven optimal)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "every": [StrOptions(set(EVERY))],
        "max_size": [Interval(Integral, 0, None, closed="left"), None],
        "default": [StrOptions({default.value for default in Default})],
        "binarizer": [HasMethods(["fit", "transform"]), None],
        "time_limit": [Interval(Real, 0, None, closed="neither"), None],
        "memory_limit": [Interval(Integral, 1, None, closed="left"), str, None],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
        "verbose": ["verbose"],
        "on_progress": [callable, None],
        "constraints": [Constraints, Mapping, None],
        "class_weight": [Mapping, StrOptions({"balanced"}), None],
    }

    def __init__(
        self,
        every: str = "breakpoint",
        *,
        max_size: int | None = 20,
        default: str = "explained",
        binarizer: Binarizer | None = None,
        time_limit: float | None = None,
        memory_limit: int | str | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: int = 0,
        on_progress: OnProgress | None = None,
        constraints: Constraints | Mapping[str, Any] | None = None,
        class_weight: Mapping[Any, float] | str | None = None,
    ) -> None:
        self.every = every
        self.max_size = max_size
        self.default = default
        self.binarizer = binarizer
        self.time_limit = time_limit
        self.memory_limit = memory_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.on_progress = on_progress
        self.constraints = constraints
        self.class_weight = class_weight

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find every trade-off.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_samples, n_columns)
            As `laconic.DecisionSetClassifier.fit` takes it; also a `laconic.TrainingTable`.
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        self
        """
        budget = self._checked_budget()
        training = self._training_table(X, y, sample_weight)
        self.front_ = find_front(
            training,
            every=self.every,
            max_size=None if self.max_size is None else int(self.max_size),
            budget=budget,
            seed=self._seed(),
            n_jobs=jobs(self.n_jobs),
            constraints=with_directions(
                combined(self.constraints, class_weight=self.class_weight),
                getattr(self.binarizer, "columns", None),
            ),
            default=Default(self.default),
            on_progress=self._report,
        )
        self.points_ = self.front_.points
        self.complete_ = self.front_.complete
        self.classes_ = training.classes
        self.binarizer_ = training.binarizer
        return self

    def _report(self, state: Progress) -> None:
        self._say(f"{state.seconds:7.1f} s   {state.note}")
        if self.on_progress is not None:
            self.on_progress(state)

    def model(self, index: int) -> DecisionSet:
        """Return the decision set of a point, with its proof.

        Parameters
        ----------
        index : int
            Of `points_`; negative counts from the largest.
        """
        check_is_fitted(self)
        n_points = len(self.points_)
        if not -n_points <= index < n_points:
            raise InputError(f"there is no point {index}; the front has {n_points}, numbered from 0")
        return self.front_.models[index]

    def to_frame(self) -> pd.DataFrame:
        """Return the points as a table."""
        check_is_fitted(self)
        return self.front_.to_frame()

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw size against errors, see `laconic.learning.front_plot.plot_front`.

        Parameters
        ----------
        ax : matplotlib Axes, optional

        Returns
        -------
        matplotlib Axes
        """
        check_is_fitted(self)
        from laconic.learning.front_plot import plot_front

        return plot_front(self.front_, ax=ax)
