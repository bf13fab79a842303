"""Hypothesis strategies: small problems of every kind, with all that makes a table awkward."""

from __future__ import annotations

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from laconic.data.table import Table
from laconic.engines.registry import entry
from laconic.problem.objective import Counting, Default, Kind, Objective, Problem

REGULARIZATIONS = (0.01, 0.03, 0.07, 0.1, 0.25)


FLAVOURS = {
    "perfect": [Objective(Kind.PERFECT)],
    "min_rules": [Objective(Kind.MIN_RULES)],
    "min_rules_then_literals": [Objective(Kind.MIN_RULES_THEN_LITERALS)],
    "per_class": [Objective(Kind.SPARSE, price) for price in REGULARIZATIONS],
    "per_row": [Objective(Kind.SPARSE, price, Counting.PER_ROW) for price in REGULARIZATIONS],
    "every_class": [Objective(Kind.SPARSE, price, every_class=True) for price in REGULARIZATIONS],
}
"""Every kind of objective that has every class explained, by a name for test ids."""

WITH_OTHERWISE = {
    "otherwise": [Objective(Kind.SPARSE, price, default=Default.OTHERWISE) for price in REGULARIZATIONS],
    "otherwise_perfect": [Objective(Kind.PERFECT, default=Default.OTHERWISE)],
    "otherwise_rules": [
        Objective(kind, default=Default.OTHERWISE) for kind in (Kind.MIN_RULES, Kind.MIN_RULES_THEN_LITERALS)
    ],
}
"""Those with an OTHERWISE line."""


def flavours_of(engine):
    """The flavours that an engine solves."""
    known = entry(engine)
    flavours = FLAVOURS | WITH_OTHERWISE if known.otherwise else FLAVOURS
    return [
        name
        for name, (objective, *_) in flavours.items()
        if objective.kind in known.kinds
        and (objective.kind is not Kind.SPARSE or objective.counting in known.countings)
    ]


@st.composite
def tables(draw, max_features=4, max_samples=12, max_classes=4, restrict_literals=True):
    """Tables with repeated, contradicting and weightless rows, silent classes and forbidden literals."""
    # Hypothesis leans to small integers and short lists; drawing from ranges keeps most tables large.
    n_features = draw(st.sampled_from(range(1, max_features + 1)))
    n_classes = draw(st.sampled_from(range(2, max_classes + 1)))
    n_samples = draw(st.sampled_from([1, *range(3, max_samples + 1)]))
    sample = st.tuples(
        st.sampled_from(range(2**n_features)), st.sampled_from(range(n_classes)), st.sampled_from(range(5))
    )
    samples = draw(st.lists(sample, min_size=n_samples, max_size=n_samples))
    vectors, labels, weights = np.array(samples).T
    weights[0] = max(1, weights[0])
    features = (vectors[:, None] >> np.arange(n_features)) & 1 == 1
    allowed = np.ones((n_features, 2), bool)
    if restrict_literals and draw(st.booleans()):
        forbidden = draw(st.sets(st.integers(0, 2 * n_features - 1), max_size=2))
        allowed.reshape(-1)[list(forbidden)] = False
    return Table.from_arrays(features, labels, weights, n_classes=n_classes, allowed=allowed)


@st.composite
def problems(draw, flavour=None):
    """Problems small enough for the oracle, of one flavour or of any with every class explained."""
    flavour = flavour or draw(st.sampled_from(sorted(FLAVOURS)))
    objective = draw(st.sampled_from((FLAVOURS | WITH_OTHERWISE)[flavour]))
    if objective.kind is Kind.SPARSE and objective.counting is Counting.PER_ROW:
        # The oracle tries every combination of the classes' covers.
        n_classes = draw(st.integers(2, 3))
        table = draw(tables(max_features=5 - n_classes, max_samples=8, max_classes=n_classes))
        assume(table.n_rows <= 6)
    else:
        table = draw(tables())
    problem = Problem.of(table, objective)
    assume(not problem.hard or has_perfect_set(problem))
    return problem


def has_perfect_set(problem):
    """Whether the allowed literals tell rows from those of other classes; OTHERWISE may give one class."""
    table = problem.table
    both = np.stack([~table.matrix, table.matrix], axis=2) & table.allowed
    literals = both.reshape(table.n_rows, -1)
    own = table.weights.argmax(axis=1)
    weighed = np.flatnonzero(table.row_weights)
    hopeless = {
        own[i]
        for i in weighed
        for j in weighed
        if own[i] != own[j] and not (literals[i] & ~literals[j]).any()
    }
    return len(hopeless) <= (problem.objective.default is Default.OTHERWISE)
