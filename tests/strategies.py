"""Hypothesis strategies: small problems of every kind, with all that makes a table awkward."""

from __future__ import annotations

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from laconic.data.table import Table
from laconic.engines.registry import entry
from laconic.objective import Counting, Kind, Objective, Problem

REGULARIZATIONS = (0.01, 0.03, 0.07, 0.1, 0.25)


@st.composite
def objectives(draw, engine=None, kinds=tuple(Kind)):
    """Objectives, or only those that an engine solves."""
    known = entry(engine) if engine else None
    kind = draw(st.sampled_from([k for k in kinds if known is None or k in known.kinds]))
    if kind is not Kind.SPARSE:
        return Objective(kind)
    counting = draw(st.sampled_from([c for c in Counting if known is None or c in known.countings]))
    every_class = counting is Counting.PER_CLASS and draw(st.booleans())
    return Objective(kind, draw(st.sampled_from(REGULARIZATIONS)), counting, every_class)


@st.composite
def tables(draw, max_features=4, max_samples=12, max_classes=4, restrict_literals=True):
    """Tables with repeated and contradicting rows, weights, silent classes and forbidden literals."""
    n_features = draw(st.integers(1, max_features))
    n_classes = draw(st.integers(2, max_classes))
    vectors = st.lists(st.booleans(), min_size=n_features, max_size=n_features)
    samples = draw(
        st.lists(st.tuples(vectors, st.integers(0, n_classes - 1)), min_size=1, max_size=max_samples)
    )
    weights = draw(st.lists(st.integers(1, 4), min_size=len(samples), max_size=len(samples)))
    allowed = np.ones((n_features, 2), bool)
    if restrict_literals and draw(st.booleans()):
        forbidden = draw(st.sets(st.integers(0, 2 * n_features - 1), max_size=2))
        allowed.reshape(-1)[list(forbidden)] = False
    features = np.array([vector for vector, _ in samples], dtype=bool)
    labels = [label for _, label in samples]
    return Table.from_arrays(features, labels, weights, n_classes=n_classes, allowed=allowed)


@st.composite
def problems(draw, engine=None, kinds=tuple(Kind)):
    """Problems small enough for the oracle."""
    objective = draw(objectives(engine, kinds))
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
    """Whether the allowed literals tell every two rows of different classes apart."""
    table = problem.table
    both = np.stack([~table.matrix, table.matrix], axis=2) & table.allowed
    literals = both.reshape(table.n_rows, -1)
    own = table.weights.argmax(axis=1)
    return all(
        (literals[i] & ~literals[j]).any()
        for i in range(table.n_rows)
        for j in range(table.n_rows)
        if own[i] != own[j]
    )
