"""The scikit-learn classifier: from a user's table to the smallest decision set, with its proof."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from laconic.data.binarize import Binarizer
from laconic.data.scikit import HasMethods, Interval, StrOptions
from laconic.data.training import TrainingTable, header
from laconic.data.words import plain
from laconic.engines import registry
from laconic.engines.api import OnProgress, Progress
from laconic.engines.warm import Start
from laconic.estimators.tables import FromTables
from laconic.learning.learn import DEFAULT_ENGINE, SearchSettings, learn
from laconic.learning.progress import progress_text
from laconic.learning.start import start_from
from laconic.model.card import set_html
from laconic.model.decision_set import ALWAYS_ANSWER, DecisionSet
from laconic.model.explain import Explanations
from laconic.model.rule import Rule
from laconic.problem.constraints.constraints import Constraints, combined
from laconic.problem.constraints.directions import with_directions
from laconic.problem.objective import Counting, Default, Kind, Objective, Problem
from laconic.runtime.budget import Budget
from laconic.runtime.remote import jobs

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from laconic.learning.near import NearOptimalSets

Goal = tuple[Objective, Constraints | None]
"""The objective and the constraints, checked."""


class DecisionSetClassifier(ClassifierMixin, FromTables):  # type: ignore[misc]
    """The smallest decision set that explains the data, with a proof that it is the smallest.

    Parameters
    ----------
    objective : {"sparse", "perfect", "min_rules", "min_rules_then_literals"}, default="sparse"
        ``sparse`` trades errors against size; the others make no avoidable error on the training data
        and minimise size, rules, or rules and then literals.
    regularization : float or "auto", default="auto"
        λ, for ``sparse`` only: one unit of size costs as much as errors on this share of the data. By default
        the λ whose sets do best on rows that they were not learned from, by cross-validation within the fit,
        among sets that people can read: of size 60, or 7 times the number of classes. See `choice_`. With
        five classes and more, a missed row may count 4 there, which is then a constraint of the set.
    counting : {"per_class", "per_row"}, default="per_class"
        For ``sparse`` only. Per class, a row counts once if its own class does not cover it and once more
        for each wrong class that does; per row, it counts once if anything is wrong.
    every_class : bool, default=False
        For ``sparse`` per class only: each class gets at least one rule, as in the paper's experiments;
        of the rules without conditions the heaviest class's is kept, as an else.
    default : {"explained", "otherwise"}, default="explained"
        What decides about rows that no rule covers. Explained: every class needs rules of its own, as in the
        paper; rows that none covers get a default class, which is no part of the set. Otherwise: the set ends
        with an OTHERWISE rule, of size 1, that gives them a class; this class needs no other rules. Which one
        is part of what is optimised. Not for ``per_row`` and `every_class`.
    size_budget : int, optional
        For ``sparse`` per class only: the fewest errors that a set of at most this size can make, then the
        smallest such set; `regularization` is ignored. It replaces the ``max_size`` of `constraints`, which
        limits the size beside λ: the two together are refused.
    max_errors : float, optional
        For ``sparse`` per class only: the smallest set whose training errors weigh at most this much, then
        the one with the fewest errors; `regularization` is ignored. A limit that no set can keep is
        refused.
    engine : str, default="exact"
        Who searches, see `laconic.engines.registry.available`.
    engine_options : mapping, optional
        Options of that engine. Those of the exact engine are the tuning constants of its searches, with their
        ranges: ``laconic engines --options``.
    binarizer : Binarizer, optional
        How columns become conditions; a copy is fitted. By default ``Binarizer()``, or
        ``Binarizer(bins=15)`` where λ is chosen and these conditions do better in the cross-validation.
    time_limit : float, optional
        Seconds for the whole fit. When they are over, the best set found so far is kept, with its gap.
        Without a limit, the search goes on until the set is proved best; if λ is chosen, until a fixed amount
        of work is done (``stop_reason_ == "work"``), which takes seconds and is the same on every machine.
    memory_limit : int or str, optional
        Bytes that the process may hold, or a text such as ``"4GiB"``; at least 512 MiB. A search that needs
        more ends with the best set found so far, its gap, and ``stop_reason_ == "memory"``.
    n_jobs : int, optional
        Threads an engine may use; -1 for all. The exact engine searches classes at once, and on large tables
        threads that no other class needs share one class's search; the rules do not depend on it. Inside
        ``joblib.parallel_config(backend="dask")``, the exact engine has the workers of the cluster search the
        classes, unless this is 1.
    random_state : int, RandomState or None
        ``None`` is a fixed seed as well: the same data always gives the same rules.
    verbose : int, default=0
        1 writes each improvement to standard error.
    on_progress : callable, optional
        Called with a `laconic.engines.api.Progress` at each improvement; while λ is chosen, its ``cost`` is
        None and its ``note`` is a line of text.
    certificate : bool or float, default=False
        Also make `certificate_`, a proof that others can check. A number is a time limit in seconds of its
        own. Otherwise it is made within the time limit of the fit and, if there is none, within 30 seconds or
        twice the time of the search.
    constraints : Constraints or mapping, optional
        What the decision set has to respect, see `laconic.Constraints`: caps, forbidden and required columns,
        monotone columns, costs, rules that must be in or out.
    class_weight : mapping of label to float, or "balanced", optional
        What an error on a row of the class costs; as ``class_weight`` of `constraints`.
    measure : str or sequence of str, optional
        What is kept small instead of the size; as ``measure`` of `constraints`.

    Attributes
    ----------
    decision_set_ : DecisionSet
        The model; ``print`` it, or give it to `laconic.save_model`.
    rules_ : tuple of Rule
        Without the OTHERWISE rule, which is ``decision_set_.else_rule``.
    size_ : int
        Literals plus rules, the OTHERWISE rule included.
    errors_ : int or Fraction
        Weight of the training errors, counted as the objective says, `unavoidable_errors_` included.
    unavoidable_errors_ : int or Fraction
        Weight of samples that contradict a heavier class with equal features and so were set aside
        (0 for ``sparse``, which counts them like all others).
    cost_, lower_bound_ : int or Fraction
        The cost of the rules and a bound on that of every decision set, in the user's units:
        errors + Λ · size for ``sparse``, errors with `size_budget`, otherwise size or number of rules. Exact.
    optimal_ : bool
        Whether the two are equal: nothing better exists.
    gap_ : float
        ``(cost_ - lower_bound_) / cost_``; where several measures decide one after the other, that
        of the first one that is not proved.
    status_, stop_reason_ : str
        ``"optimal"`` or ``"feasible"``, and why the search ended: ``"proved"``, ``"time"``, ``"work"``,
        ``"memory"`` or ``"interrupt"``.
    regularization_ : float
        The λ of `decision_set_`. Only if λ matters.
    choice_ : Choice
        Only if λ was chosen: every λ that was tried, with the size, the training errors and the accuracy on
        rows not learned from; ``choice_.to_frame()`` is a table of them.
    history_ : tuple of Progress
        Costs and bounds as they improved, in the integer units of the search.
    counts_ : dict
        Work the engine did, by name.
    unexplained_classes_ : dict
        The labels without a rule, and what the cheapest rule found for each would cost more than it saves;
        None where that is not known: it is for ``sparse`` per class. Rows of these classes are predicted
        right only by default.
    measures_ : dict
        Only with constraints: the measures that were kept small and their values, in their order.
    certificate_ : Certificate
        Only if ``certificate=True``; save it and see ``laconic verify --certificate``.
    classes_ : ndarray
        The labels.
    binarizer_ : Binarizer
        Fitted.
    training_table_ : TrainingTable
        The unique weighted rows that were learned from, for `partial_fit`. A fit of it with
        `regularization_` as λ is the same problem again.
    weight_scale_ : Fraction
        Integer units of the search per unit of sample weight: 8 times as many where a λ that was chosen
        means less than one row.
    feature_importances_ : ndarray of shape (n_columns,)
        The share of each column in what the rules explain; sums to 1 unless no rule has a condition.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only if the training table had names.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"age": [21, 35, 54, 70], "colour": ["red", "blue", "red", "blue"]})
    >>> clf = DecisionSetClassifier(objective="perfect").fit(X, ["no", "yes", "no", "yes"])
    >>> print(clf.decision_set_)
    IF colour is red  THEN no      [2 rows, precision 1.00]
    IF colour is blue THEN yes     [2 rows, precision 1.00]
    OTHERWISE         THEN no      [default]
    Wrong on 0 of 4 training rows.
    (2 rules, size 4, errors 0, proven optimal)
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "objective": [StrOptions({kind.value for kind in Kind})],
        "regularization": [Interval(Real, 0, None, closed="neither"), StrOptions({"auto"})],
        "counting": [StrOptions({counting.value for counting in Counting})],
        "every_class": ["boolean"],
        "default": [StrOptions({default.value for default in Default})],
        "size_budget": [Interval(Integral, 0, None, closed="left"), None],
        "max_errors": [Interval(Real, 0, None, closed="left"), None],
        "engine": [str],
        "engine_options": [Mapping, None],
        "binarizer": [HasMethods(["fit", "transform"]), None],
        "time_limit": [Interval(Real, 0, None, closed="neither"), None],
        "memory_limit": [Interval(Integral, 1, None, closed="left"), str, None],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
        "verbose": ["verbose"],
        "on_progress": [callable, None],
        "certificate": ["boolean", Interval(Real, 0, None, closed="neither")],
        "constraints": [Constraints, Mapping, None],
        "class_weight": [Mapping, StrOptions({"balanced"}), None],
        "measure": [str, Sequence, None],
    }

    def __init__(
        self,
        objective: str = "sparse",
        *,
        regularization: float | str = "auto",
        counting: str = "per_class",
        every_class: bool = False,
        default: str = "explained",
        size_budget: int | None = None,
        max_errors: float | None = None,
        engine: str = DEFAULT_ENGINE,
        engine_options: Mapping[str, Any] | None = None,
        binarizer: Binarizer | None = None,
        time_limit: float | None = None,
        memory_limit: int | str | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        verbose: int = 0,
        on_progress: OnProgress | None = None,
        certificate: bool | float = False,
        constraints: Constraints | Mapping[str, Any] | None = None,
        class_weight: Mapping[Any, float] | str | None = None,
        measure: str | Sequence[str] | None = None,
    ) -> None:
        self.objective = objective
        self.regularization = regularization
        self.counting = counting
        self.every_class = every_class
        self.default = default
        self.size_budget = size_budget
        self.max_errors = max_errors
        self.engine = engine
        self.engine_options = engine_options
        self.binarizer = binarizer
        self.time_limit = time_limit
        self.memory_limit = memory_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.on_progress = on_progress
        self.certificate = certificate
        self.constraints = constraints
        self.class_weight = class_weight
        self.measure = measure

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the best decision set.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_samples, n_columns)
            Numbers, categories, booleans and missing values. Or a dask DataFrame, which is reduced where
            its partitions are; a relation of DuckDB; or a `laconic.TrainingTable`, which needs no ``y``.
        y : array-like of shape (n_samples,)
            Labels: texts, whole numbers or booleans. With a dask DataFrame or a relation, the name of a
            column of it, or a dask Series.
        sample_weight : array-like of shape (n_samples,), optional
            Weight 2 is the same as the row twice, weight 0 the same as no row. Otherwise as ``y``.

        Returns
        -------
        self

        Raises
        ------
        KeyboardInterrupt
            Ctrl-C ended the search. The classifier is fitted with the best set found so far: catch the
            exception to go on with it.
        """
        goal, budget = self._checked_goal()
        training = self._training_table(X, y, sample_weight)
        return self._fit_table(training, goal, budget, finer=self._finer_table(X, y, sample_weight))

    def partial_fit(
        self, X: Any, y: Any, classes: ArrayLike | None = None, sample_weight: Any = None
    ) -> Self:
        """Add rows to those learned from so far, and find the best decision set for all of them.

        The result is exact for all rows together. The search starts from the rules so far, which stay if
        nothing better exists. The conditions are those of the first call: call `fit` again if the data has
        drifted.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_samples, n_columns)
            Or a dask DataFrame, which is counted where its partitions are.
        y : array-like of shape (n_samples,)
            With a dask DataFrame, the name of a column of it, or a dask Series.
        classes : array-like, optional
            All labels there can be; needed in the first call if its rows lack some.
        sample_weight : array-like of shape (n_samples,), optional
            As ``y``.

        Returns
        -------
        self
        """
        goal, budget = self._checked_goal()
        if not hasattr(self, "training_table_"):
            training = self._training_table(X, y, sample_weight, classes)
            finer = self._finer_table(X, y, sample_weight, classes)
            return self._fit_table(training, goal, budget, finer=finer)
        validate_data(self, header(X, y, sample_weight), reset=False, skip_check_array=True)
        old = self.training_table_
        training = old.extended(X, y, sample_weight)
        start = start_from(self._fitted(), old, training, *goal)
        return self._fit_table(training, goal, budget, start)

    def _checked_goal(self) -> tuple[Goal, Budget]:
        """Check the parameters and start the clock."""
        budget = self._checked_budget()
        registry.entry(self.engine)
        return self._goal(), budget

    def _fit_table(
        self,
        training: TrainingTable,
        goal: Goal,
        budget: Budget,
        start: Start | None = None,
        finer: Callable[[], TrainingTable] | None = None,
    ) -> Self:
        objective, constraints = goal
        search = SearchSettings(
            budget,
            self.engine,
            self.engine_options,
            self._seed(),
            jobs(self.n_jobs),
            partial(self._reporter, budget if objective.needs_choice else None),
            bool(self.certificate),
            None if isinstance(self.certificate, bool | np.bool_) else float(self.certificate),
            partial(self._report_choice, budget),
        )
        learned = learn(training, objective, search, start, constraints, finer)
        training = learned.training
        self.training_table_ = training.slim()
        self.classes_ = training.classes
        self.binarizer_ = training.binarizer
        self.decision_set_ = learned.model
        self.unexplained_classes_ = {
            training.classes[one.target]: None if one.price is None else plain(one.price)
            for one in learned.unexplained
        }
        self._publish(learned.solution.history, learned.solution.counts)
        self._set_or_delete("certificate_", learned.certificate)
        if learned.interrupted:
            raise KeyboardInterrupt("the search was interrupted; the best set so far is kept")
        return self

    def predict(self, X: Any, *, abstain: Any = ALWAYS_ANSWER) -> NDArray[Any]:
        """Return a class for every row, see `DecisionSet.predict`.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_rows, n_columns)
        abstain : object, optional
            If given, this value stands where rules of several classes, or none, cover a row.
        """
        return self._fitted().predict(X, abstain=abstain)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return class probabilities, see `DecisionSet.predict_proba`.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_rows, n_columns)
        """
        return self._fitted().predict_proba(X)

    def apply(self, X: Any) -> NDArray[np.intp]:
        """Return the rule that decides each row, see `DecisionSet.apply`.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_rows, n_columns)
        """
        return self._fitted().apply(X)

    def decision_path(self, X: Any) -> csr_matrix:
        """Return which rules cover which rows as a sparse matrix, see `DecisionSet.decision_path`.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_rows, n_columns)
        """
        return self._fitted().decision_path(X)

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """The share of each column in what the rules explain, see `DecisionSet.column_importances`."""
        return self._fitted().column_importances()

    def near_optimal_sets(
        self,
        *,
        within: float = 0.0,
        best: int | None = None,
        limit: int = 1000,
        time_limit: float | None = None,
    ) -> NearOptimalSets:
        """List the decision sets for the same rows that are as good as `decision_set_`, or nearly.

        Parameters
        ----------
        within : float, default=0
            How much a set may cost more than the optimum, in the units of `cost_`; 0 for all optima.
        best : int, optional
            Instead of a distance: the number of sets, best first.
        limit : int, default=1000
            Maximum number of sets that are listed.
        time_limit : float, optional
            Seconds; when they are over, ``complete`` is false.

        Returns
        -------
        NearOptimalSets

        Examples
        --------
        >>> import pandas as pd
        >>> X = pd.DataFrame({"age": [21, 35, 54, 70], "colour": ["red", "blue", "red", "blue"]})
        >>> clf = DecisionSetClassifier(objective="perfect").fit(X, ["no", "yes", "no", "yes"])
        >>> found = clf.near_optimal_sets(within=1)
        >>> len(found), found.complete
        (1, True)
        """
        from laconic.learning.near import enumerate_sets  # imports HiGHS

        check_is_fitted(self)
        objective, constraints = self._goal()
        if objective.needs_choice:
            objective = replace(objective, regularization=self.regularization_)
            constraints = self.decision_set_.facts.constraints  # the choice may have added costs
        return enumerate_sets(
            self.training_table_,
            objective,
            within=within,
            best=best,
            limit=limit,
            budget=self._budget(time_limit),
            seed=self._seed(),
            n_jobs=jobs(self.n_jobs),
            constraints=constraints,
        )

    def explain(self, X: Any) -> Explanations:
        """Return why each row gets its class, see `DecisionSet.explain`.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_rows, n_columns)
        """
        return self._fitted().explain(X)

    def covers(self, X: Any) -> NDArray[np.bool_]:
        """Return which rules cover which rows, see `DecisionSet.covers`.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_rows, n_columns)
        """
        return self._fitted().covers(X)

    def strict_score(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Return the paper's strict accuracy, see `DecisionSet.strict_score`.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_rows, n_columns)
        y : array-like of shape (n_rows,)
        sample_weight : array-like of shape (n_rows,), optional
        """
        return self._fitted().strict_score(X, y, sample_weight)

    def _card(self) -> str:
        return set_html(self.decision_set_) if hasattr(self, "decision_set_") else ""

    def _fitted(self) -> DecisionSet:
        check_is_fitted(self)
        return self.decision_set_

    def _goal(self) -> Goal:
        constraints = combined(self.constraints, class_weight=self.class_weight, measure=self.measure)
        columns = getattr(self.binarizer, "columns", None)
        return self._objective(), with_directions(constraints, columns) if columns else constraints

    def _objective(self) -> Objective:
        return Objective(
            Kind(self.objective),
            None if self.regularization == "auto" else float(self.regularization),
            Counting(self.counting),
            bool(self.every_class),
            None if self.size_budget is None else int(self.size_budget),
            None if self.max_errors is None else float(self.max_errors),
            Default(self.default),
        )

    def _reporter(self, whole: Budget | None, problem: Problem) -> OnProgress | None:
        """Return what is called at each improvement; with ``whole``, times count from the choice of λ on."""
        if not self.verbose and (self.on_progress is None or whole is None):
            return self.on_progress

        def report(state: Progress) -> None:
            if whole is not None:
                state = replace(state, seconds=whole.elapsed())
            self._say(progress_text(state, problem))
            if self.on_progress is not None:
                self.on_progress(state)

        return report

    def _report_choice(self, budget: Budget, text: str) -> None:
        """Report a line of progress while λ is chosen; there is no cost before λ is known."""
        self._say(text)
        if self.on_progress is not None:
            self.on_progress(Progress(budget.elapsed(), None, 0, text))

    def _publish(self, history: tuple[Progress, ...], counts: Mapping[str, int]) -> None:
        model = self.decision_set_
        proof = model.proof
        assert proof is not None
        self._set_or_delete("choice_", model.choice)
        self._set_or_delete("regularization_", proof.regularization)
        self.rules_: tuple[Rule, ...] = model.rules
        self.size_ = model.size
        self.unavoidable_errors_ = plain(proof.unavoidable_errors / proof.weight_scale)
        self.errors_ = plain((proof.errors + proof.unavoidable_errors) / proof.weight_scale)
        self.cost_ = proof.in_user_units(proof.cost)
        self.lower_bound_ = proof.in_user_units(proof.lower_bound)
        self.optimal_ = proof.optimal
        self.gap_ = proof.gap
        self.status_ = proof.status
        self.stop_reason_ = proof.stop_reason
        self.weight_scale_ = proof.weight_scale
        self.measures_ = {name: plain(value) for name, value in proof.measures}
        self.history_ = history
        self.counts_ = dict(counts)

    def _set_or_delete(self, name: str, value: Any) -> None:
        """Set an attribute, or delete it if the value is None, since only some fits have it."""
        if value is not None:
            setattr(self, name, value)
        elif hasattr(self, name):
            delattr(self, name)
