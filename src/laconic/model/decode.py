"""From an engine's numbers to rules in the user's words, with their training counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from laconic.data.column import Column
from laconic.data.labels import label_tuple
from laconic.data.literals import Feature, Literal
from laconic.data.table import Table
from laconic.model.decision_set import DecisionSet
from laconic.model.predict import deciding_rules
from laconic.model.proof import Proof
from laconic.model.rule import Rule
from laconic.problem.coded import CodedRule, covers


def decode(
    coded: Sequence[CodedRule],
    table: Table,
    features: Sequence[Feature],
    classes: NDArray[Any],
    columns: Sequence[Column],
    *,
    named: bool = True,
    every_class: bool = False,
    otherwise: int | None = None,
    proof: Proof | None = None,
) -> DecisionSet:
    """Build the decision set that an engine's rules describe.

    Parameters
    ----------
    coded : sequence of CodedRule
    table : Table
        The training table, not reduced: supports count all samples.
    features : sequence of Feature
        What the table's features mean.
    classes : ndarray
        What its classes mean.
    columns : sequence of Column
        The user's columns.
    named : bool
        Whether these names are the user's.
    every_class : bool
        Whether bare rules are the authors' else: of the rules ``true ⇒ c`` only that of the
        heaviest such class is kept, for rows that no other rule covers.
    otherwise : int or None
        The class of the OTHERWISE rule, if the set has one.
    proof : Proof, optional
    """
    labels = label_tuple(classes)
    bare = [rule.target for rule in coded if every_class and not rule.literals]
    counts = _Counts(table)

    def rule_of(
        target: int,
        literals: tuple[Literal, ...],
        covered: NDArray[np.bool_],
        alone: NDArray[np.bool_],
    ) -> Rule:
        weights, own = counts.weights(covered), counts.weight(alone, target)
        return Rule(literals, labels[target], target, counts.samples(covered), weights, own)

    kept = [rule for rule in coded if rule.literals or not every_class]
    covered_by = covers(kept, table)
    rules = tuple(
        rule_of(rule.target, tuple(_meaning(features, code) for code in rule.literals), covered, alone)
        for rule, covered, alone in zip(
            kept, list(covered_by), list(_covered_alone(kept, covered_by)), strict=True
        )
    )
    uncovered = np.asarray(~covered_by.any(axis=0))
    last = otherwise
    if bare:
        # The authors' prototype sees contradicting rows reduced to their majority, so "heaviest" does too.
        totals = table.reduced_to_majority().weights.sum(axis=0)
        last = max(sorted(bare), key=lambda c: int(totals[c]))
    else_rule = None if last is None else rule_of(last, (), uncovered, uncovered)
    class_weights = counts.weights(np.ones(table.n_rows, bool))
    default_weights = counts.weights(uncovered)
    if not any(default_weights):
        default_weights = class_weights
    default = max(range(len(labels)), key=lambda c: default_weights[c])
    found = DecisionSet(
        rules=rules,
        classes=labels,
        label_dtype=classes.dtype.str,
        columns=tuple(columns),
        named=named,
        default_class=labels[default if otherwise is None else otherwise],
        default_rows=counts.samples(uncovered),
        default_weights=default_weights,
        else_rule=else_rule,
        features=tuple(features),
        proof=proof,
        class_weights=class_weights,
    )
    return replace(found, mispredicted=sum(class_weights, Fraction(0)) - counts.right(found, covered_by))


def _covered_alone(rules: Sequence[CodedRule], covered: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return for each rule the rows that no other rule of its class covers."""
    targets = np.array([rule.target for rule in rules], np.int64)
    alone = covered.copy()
    for target in np.unique(targets):
        alone[targets == target] &= covered[targets == target].sum(axis=0) == 1
    return alone


class _Counts:
    """Samples and exact class weights of sets of table rows."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._exact = _ExactWeights(table.scale)

    def samples(self, covered: NDArray[np.bool_]) -> int:
        return int(self._table.samples[covered].sum())

    def weights(self, covered: NDArray[np.bool_]) -> tuple[Fraction, ...]:
        return tuple(map(self._exact.__getitem__, self._table.weights[covered].sum(axis=0).tolist()))

    def weight(self, covered: NDArray[np.bool_], target: int) -> Fraction:
        return self._exact[int(self._table.weights[covered, target].sum())]

    def right(self, model: DecisionSet, covered: NDArray[np.bool_]) -> Fraction:
        """Return the weight of the samples that get their own class; ``covered`` is rules by rows."""
        targets = np.array(
            [*(rule.target for rule in model.rules), model.classes.index(model.fallback_class)]
        )
        predicted = targets[deciding_rules(model.rules, covered)]
        return self._exact[int(self._table.weights[np.arange(len(predicted)), predicted].sum())]


class _ExactWeights(dict[int, Fraction]):
    """Integer weights in the user's units. With many classes nearly all of them are 0."""

    def __init__(self, scale: Fraction) -> None:
        self._scale = scale

    def __missing__(self, units: int) -> Fraction:
        self[units] = Fraction(units) / self._scale
        return self[units]


def _meaning(features: Sequence[Feature], code: int) -> Literal:
    feature = features[code >> 1]
    literal = feature.positive if code & 1 else feature.negative
    assert literal is not None, f"literal {code} was not allowed"
    return literal
