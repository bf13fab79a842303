"""A decision set: rules in the user's words, and everything needed to apply them."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from laconic.data.column import Column, View, view
from laconic.data.foreign import refuse_masked
from laconic.data.labels import Label, label_array, with_marker
from laconic.data.literals import Feature
from laconic.data.words import plain
from laconic.model.card import set_html
from laconic.model.choice import Choice
from laconic.model.decide import decide
from laconic.model.explain import Explanations, explanations
from laconic.model.held_out import HeldOut, measured_on
from laconic.model.origin import Origin
from laconic.model.predict import class_masks, deciding_rules, probabilities, rule_masks
from laconic.model.proof import Proof
from laconic.model.render import set_text
from laconic.model.rule import Rule
from laconic.model.statistics import RuleStatistics, listed_rules, measure, training_statistics
from laconic.problem.history import Progress
from laconic.runtime.errors import InputError

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

ALWAYS_ANSWER: Any = object()
"""Default of ``abstain``: predict a class for every row."""


@dataclass(frozen=True)
class DecisionSet:
    """An unordered set of rules, with a default for rows that no rule covers.

    Attributes
    ----------
    rules : tuple of Rule
        By class, then by conditions. The order has no meaning.
    classes : tuple
        The labels, as plain Python values, sorted.
    label_dtype : str
        The numpy type of the labels in training.
    columns : tuple of Column
        The training columns, used or not, in their order.
    named : bool
        Whether the training table had column names.
    default_class : str, int, float or bool
        Predicted when no rule covers: the class of the OTHERWISE rule if there is one, else the heaviest
        class among the training rows that no rule covers, or among all of them.
    default_rows : int
        Training rows that no rule covers.
    default_weights : tuple of Fraction
        Weight per class of the rows that made the default class.
    else_rule : Rule or None
        The rule of the set that is used when no other rule covers, if it has one: with
        ``default="otherwise"`` the OTHERWISE rule, with ``every_class=True`` the rule ``true ⇒ class`` of
        the heaviest class that has one.
    features : tuple of Feature
        The binary features the rules were chosen from.
    proof : Proof or None
        What is proved about the set.
    class_weights : tuple of Fraction or None
        Training weight per class, in the user's units; ``None`` if unknown.
    mispredicted : Fraction or None
        Weight of the training rows that `predict` gets wrong, in the user's units; ``None`` if
        unknown. What the objective counts as errors is another number.
    notes : tuple of str
        What to know about how the training table was made, such as thresholds from a summary.
    choice : Choice or None
        How λ was chosen, and how such sets do on rows that they were not learned from.
    held_out : HeldOut or None
        How the set does on rows that were held out of its training.
    origin : Origin or None
        How the training file was read, if there was one.
    history : tuple of Progress
        How the search went, in its integer units; empty if that was not kept.
    """

    rules: tuple[Rule, ...]
    classes: tuple[Label, ...]
    label_dtype: str
    columns: tuple[Column, ...]
    named: bool
    default_class: Label
    default_rows: int
    default_weights: tuple[Fraction, ...]
    else_rule: Rule | None = None
    features: tuple[Feature, ...] = ()
    proof: Proof | None = None
    class_weights: tuple[Fraction, ...] | None = None
    mispredicted: Fraction | None = None
    notes: tuple[str, ...] = ()
    choice: Choice | None = field(default=None, compare=False)
    held_out: HeldOut | None = field(default=None, compare=False)
    origin: Origin | None = field(default=None, compare=False)
    history: tuple[Progress, ...] = field(default=(), compare=False, repr=False)

    @property
    def size(self) -> int:
        """Literals plus one per rule, the else included."""
        return sum(rule.size for rule in self.rules) + (self.else_rule is not None)

    @property
    def n_literals(self) -> int:
        """Number of conditions in all rules."""
        return sum(len(rule.literals) for rule in self.rules)

    @property
    def has_otherwise(self) -> bool:
        """Whether the else rule is an OTHERWISE rule: the model itself gives it the rows without rules."""
        return self.proof is not None and self.proof.otherwise is not None

    @property
    def facts(self) -> Proof:
        """The proof facts; a model without them is refused."""
        if self.proof is None:
            raise InputError("this model has no proof facts; save one from a fitted classifier")
        return self.proof

    @property
    def else_word(self) -> str:
        """The word for the else rule."""
        return "OTHERWISE" if self.has_otherwise else "ELSE"

    @property
    def else_class(self) -> Label | None:
        """The class of the else rule, if there is one."""
        return None if self.else_rule is None else self.else_rule.label

    @property
    def fallback_class(self) -> Label:
        """The class of rows that no rule with conditions covers: the else's, or the default."""
        return self.classes[self._fallback]

    @property
    def used_columns(self) -> tuple[str, ...]:
        """Names of the columns that rules use, in training order: all that prediction needs."""
        used = {literal.column for rule in self.rules for literal in rule.literals}
        return tuple(column.name for column in self.columns if column.name in used)

    @property
    def needed_columns(self) -> tuple[str, ...]:
        """Names of the columns of the table that prediction needs, in training order."""
        used = set(self.used_columns)
        computed = [one.derived for one in self.columns if one.derived is not None and one.name in used]
        used |= {name for derived in computed for name in derived.columns}
        return tuple(one.name for one in self.columns if one.derived is None and one.name in used)

    @property
    def classes_without_rules(self) -> tuple[tuple[Label, Fraction], ...]:
        """The classes with training rows that no rule and no else explains, with the weight of their rows."""
        explained = {rule.target for rule in self.rules}
        if self.else_rule is not None:
            explained.add(self.else_rule.target)
        weights = self.class_weights or ()
        return tuple(
            (label, weight)
            for k, (label, weight) in enumerate(zip(self.classes, weights, strict=False))
            if weight and k not in explained
        )

    def covers(self, X: Any) -> NDArray[np.bool_]:
        """Return which rules cover which rows: shape (n_rows, n_rules), without the else rule.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_rows, n_columns)
        """
        return self._masks(self._view(X)).T

    def apply(self, X: Any) -> NDArray[np.intp]:
        """Return the number of the rule that decides each row, as an index of `rules`.

        It is -1 where no rule covers the row, so that the default class or the OTHERWISE rule decides.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_rows, n_columns)
        """
        return self._decide(X)

    def decision_path(self, X: Any) -> csr_matrix:
        """Return which rules cover which rows as a sparse indicator matrix: shape (n_rows, n_rules).

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_rows, n_columns)
        """
        from scipy.sparse import csr_matrix

        return csr_matrix(self.covers(X))

    def column_importances(self) -> NDArray[np.float64]:
        """Return the share of each training column in the explained weight: shape (n_columns,).

        The training weight that a rule covers and predicts right is divided equally among the rule's
        conditions, and each condition counts for its column. The shares sum to 1; all are 0 if no rule has a
        condition.
        """
        found = dict.fromkeys((column.name for column in self.columns if column.derived is None), 0.0)
        sources = {one.name: one.derived.columns for one in self.columns if one.derived is not None}
        for rule in self.rules:
            for literal in rule.literals:
                names = sources.get(literal.column, (literal.column,))
                for name in names:
                    found[name] += float(rule.right) / len(rule.literals) / len(names)
        shares = np.array(list(found.values()))
        total = shares.sum()
        return np.asarray(shares / total) if total else shares

    def conflicts(self, X: Any) -> NDArray[np.bool_]:
        """Return which rows are covered by rules of two or more classes.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_rows, n_columns)
        """
        return np.asarray(self._claimed(self._masks(self._view(X))).sum(axis=0) > 1)

    def predict(self, X: Any, *, abstain: Any = ALWAYS_ANSWER) -> NDArray[Any]:
        """Return a class for every row.

        Parameters
        ----------
        X : DataFrame or array-like
            Tables with names need only `used_columns`; arrays need every training column, in order.
        abstain : object, optional
            If given, this value stands where rules of several classes, or none, cover a row.

        Returns
        -------
        ndarray of shape (n_rows,)
            With the labels' own type, unless the abstention marker does not fit it.
        """
        if abstain is ALWAYS_ANSWER:
            return self.label_per_rule()[self._decide(X)]
        covered = self._masks(self._view(X))
        targets = self._targets[deciding_rules(self.rules, covered)]
        n_claiming = self._claimed(covered).sum(axis=0)
        unclear = n_claiming > 1 if self.else_rule is not None else n_claiming != 1
        targets = np.where(unclear, len(self.classes), targets)
        return with_marker(self._class_array, abstain)[targets]

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return class probabilities: shape (n_rows, n_classes), rows sum to 1.

        They are the Laplace-smoothed class shares of the training rows behind the deciding rule (or
        behind the default); the predicted class is always the most probable.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_rows, n_columns)
        """
        return self._distributions[self._decide(X)]

    def explain(self, X: Any) -> Explanations:
        """Return for every row the prediction, the rules that cover it, and what would change it.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_rows, n_columns)
        """
        return explanations(self, self._view(X))

    def strict_score(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Return the strict accuracy: the share of rows covered by their own class and no other.

        Parameters
        ----------
        X : DataFrame or array-like
        y : array-like of shape (n_rows,)
            Labels; one that training has not seen is always wrong.
        sample_weight : array-like of shape (n_rows,), optional
        """
        claimed = self._claimed(self._masks(self._view(X)))
        if self.else_rule is not None:
            claimed[self.else_rule.target] |= ~claimed.any(axis=0)
        refuse_masked(y, "the label")
        refuse_masked(sample_weight, "sample_weight")
        labels = np.asarray(y)
        if labels.shape != claimed.shape[1:]:
            raise InputError(f"y has shape {labels.shape}, but X has {claimed.shape[1]} rows")
        alone = claimed.sum(axis=0) == 1
        own = np.zeros(labels.shape, bool)
        for target, label in enumerate(self._class_array):
            own |= claimed[target] & np.asarray(labels == label, dtype=bool)
        weights = None if sample_weight is None else np.asarray(sample_weight, dtype=float)
        return float(np.average(alone & own, weights=weights))

    def with_held_out(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        source: str = "rows of your own",
    ) -> DecisionSet:
        """Return the same set with its results on rows held out of its training.

        They are shown with the rules and in reports, and saved with them.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_rows, n_columns)
        y : array-like of shape (n_rows,)
            Labels; one that training has not seen is always wrong.
        sample_weight : array-like of shape (n_rows,), optional
        source : str
            Where the rows are from.
        """
        return replace(self, held_out=measured_on(self, X, y, sample_weight, source))

    def rule_statistics(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> list[RuleStatistics]:
        """Return rows, precision, recall and the recall that only it has, per rule, on any labelled rows.

        The else rule, if there is one, comes last. For the training data see `to_frame`.

        Parameters
        ----------
        X : DataFrame or array-like of shape (n_rows, n_columns)
        y : array-like of shape (n_rows,)
        sample_weight : array-like of shape (n_rows,), optional
        """
        return measure(self, X, y, sample_weight)

    def to_json(self, *, history: bool = False) -> str:
        """Return the set, its default, the binary features and the proof facts as JSON.

        The same model always gives the same text, unless a history is asked for: its times differ.

        Parameters
        ----------
        history : bool
            Whether to write how the search went, for reports from the file.
        """
        from laconic.model.document import dumps

        return dumps(self, history=history)

    def to_sql(
        self, *, dialect: str = "standard", table: str | None = None, column: str = "prediction"
    ) -> str:
        """Return the set as a CASE expression in SQL or, for a table, as a query.

        Parameters
        ----------
        dialect : {"standard", "duckdb", "sqlite"}
        table : str, optional
        column : str
            All as in `laconic.export.sql.to_sql`.
        """
        text: str = _export("sql").to_sql(self, dialect=dialect, table=table, column=column)
        return text

    def to_python(self) -> str:
        """Return the set as a stand-alone Python module; see `laconic.export.python.to_python`."""
        text: str = _export("python").to_python(self)
        return text

    def to_onnx(self) -> bytes:
        """Return the set as an ONNX model; see `laconic.export.onnx.to_onnx`."""
        model: bytes = _export("onnx").to_onnx(self)
        return model

    @classmethod
    def from_json(cls, text: str) -> DecisionSet:
        """Return the set that `to_json` wrote; anything else raises `ModelFileError`.

        Parameters
        ----------
        text : str
        """
        from laconic.model.document import loads

        return loads(text)

    def to_frame(self) -> pd.DataFrame:
        """Return one line per rule: conditions, class, size and its figures on the training data.

        ``recall`` is the share of the class that the rule covers, ``alone`` the share that it covers and
        no other rule of the class does.
        """
        listed, figures = listed_rules(self), training_statistics(self)
        return pd.DataFrame(
            {
                "conditions": [
                    rule.conditions if rule is not self.else_rule else self.else_word.lower()
                    for rule in listed
                ],
                "class": [rule.label for rule in listed],
                "size": [rule.size for rule in listed],
                "rows": [rule.rows for rule in listed],
                "right": [plain(rule.right) for rule in listed],
                "wrong": [plain(rule.wrong) for rule in listed],
                "precision": [rule.precision for rule in listed],
                "recall": [one.recall for one in figures],
                "alone": [one.alone for one in figures],
                "laplace_precision": [rule.laplace_precision for rule in listed],
            }
        )

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __str__(self) -> str:
        return set_text(self)

    def _repr_html_(self) -> str:
        return set_html(self)

    def label_per_rule(self) -> NDArray[Any]:
        """Return the class of each rule, and last that of rows that no rule covers."""
        return self._class_array[self._targets]

    def probabilities_per_rule(self) -> NDArray[np.float64]:
        """Return the class probabilities behind each rule, and last those of rows that no rule covers."""
        return self._distributions

    @property
    def _fallback(self) -> int:
        """The class number predicted when no ordinary rule covers."""
        return self.classes.index(self.default_class) if self.else_rule is None else self.else_rule.target

    @cached_property
    def _class_array(self) -> NDArray[Any]:
        return label_array(self.classes, self.label_dtype)

    @cached_property
    def _targets(self) -> NDArray[np.intp]:
        """The class number each rule predicts; the last entry, which `NO_RULE` reads, is the fallback."""
        return np.array([*(rule.target for rule in self.rules), self._fallback], np.intp)

    @cached_property
    def _distributions(self) -> NDArray[np.float64]:
        """The class shares behind each rule; the last line, which `NO_RULE` reads, is the fallback's."""
        fallback = self.default_weights if self.else_rule is None else self.else_rule.class_weights
        behind = [*((rule.class_weights, rule.target) for rule in self.rules), (fallback, self._fallback)]
        return np.array([probabilities(weights, target) for weights, target in behind])

    def _view(self, X: Any) -> View:
        return view(X, self.columns, self.used_columns, named=self.named)

    def _decide(self, X: Any) -> NDArray[np.intp]:
        return decide(self.rules, X, self.columns, self.used_columns, named=self.named)

    def _masks(self, rows: View) -> NDArray[np.bool_]:
        return rule_masks(self.rules, rows)

    def _claimed(self, covered: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return class_masks(self.rules, covered, len(self.classes))


def _export(name: str) -> Any:
    # The exports are in a layer above, so they are imported by name when they are called.
    return importlib.import_module(f"laconic.export.{name}")
