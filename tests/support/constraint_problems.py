"""Random small problems with constraints of every kind."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import numpy as np

from laconic.data.table import Table
from laconic.problem.coded import CodedRule
from laconic.problem.constraints.compiled import CompiledConstraints
from laconic.problem.objective import Counting, Kind, Objective, Problem

MEASURES = ("size", "rules", "literals", "longest", "features", "average_length")

CAPS = {"max_rules": 4, "max_rule_length": 2, "max_literals": 4, "max_size": 7}

KINDS = (
    *CAPS,
    "usable",
    "required",
    "rules_in",
    "rules_out",
    "disjoint",
    "min_precision",
    "min_support",
    "literal_factor",
    "column_cost",
    "class_factor",
    "error_costs",
    *(f"measure {name}" for name in MEASURES[1:]),
    "lexicographic",
)
"""What a problem can be sure to have."""


def constraints_with(table, **more):
    """Return constraints of which a test names all that are not the usual."""
    return replace(CompiledConstraints.nothing(table), **{"any_set": False, "min_support": 1, **more})


def constrained_problem(seed, kind=None, objective=None):
    """Return a problem; ``kind`` is a constraint that it surely has, others come by chance."""
    chance = random.Random(f"{seed} {kind}")
    lengths = kind in {"measure average_length", "lexicographic"}
    n_features = chance.choice([1, 2, 2] if lengths else [1, 2, 2, 3, 3])  # the oracle tells lengths apart
    n_classes = 2 if n_features == 3 else chance.choice([2, 2, 3])
    n_samples = chance.randint(2, 5 if lengths or n_classes > 2 else 7)
    samples = [
        (
            [chance.random() < 0.5 for _ in range(n_features)],
            chance.randrange(n_classes),
            chance.randint(1, 4),
        )
        for _ in range(n_samples)
    ]
    rows, labels, weights = zip(*samples, strict=True)
    table = Table.from_arrays(rows, labels, weights, n_classes=n_classes)
    if objective is None:
        objective = _objective(chance, per_class=kind == "error_costs")
    counts_rules = objective.kind in {Kind.MIN_RULES, Kind.MIN_RULES_THEN_LITERALS}

    def has(name, probability):
        return kind == name or chance.random() < probability

    def fractions(n, low):
        return tuple(Fraction(chance.randint(low, 4), chance.choice([1, 2])) for _ in range(n))

    def class_factors():
        """Some class may weigh nothing, but never all of them."""
        first, *others = fractions(n_classes, 0)
        return (first if any(others) else max(first, Fraction(1)), *others)

    def rule():
        used = chance.sample(range(n_features), chance.randint(0, min(n_features, 2)))
        return CodedRule.of(chance.randrange(n_classes), [2 * f + chance.randrange(2) for f in used])

    usable = np.ones((n_classes, n_features, 2), bool)
    if has("usable", 0.3):
        usable = np.array([chance.random() > 0.25 for _ in range(usable.size)]).reshape(usable.shape)
    n_columns = chance.randint(1, n_features)
    ones = (Fraction(1),) * n_classes
    more = {name: chance.randint(0, most) for name, most in CAPS.items() if has(name, 0.12)}
    if has("required", 0.15):
        more["required"] = tuple(
            frozenset(chance.randrange(2 * n_features) for _ in range(chance.randint(1, 2)))
            for _ in range(chance.randint(1, 2))
        )
    demanded = (
        frozenset(rule() for _ in range(chance.randint(1, 2))) if has("rules_in", 0.15) else frozenset()
    )
    if has("rules_out", 0.25):
        more["rules_out"] = frozenset(rule() for _ in range(chance.randint(1, 4))) - demanded
    if has("min_precision", 0.2):
        more["min_precision"] = Fraction(chance.randint(1, 10), 10)
    if has("min_support", 0.2):
        more["min_support"] = chance.randint(1, 3)
    asymmetric = objective.kind is Kind.SPARSE and objective.counting is Counting.PER_CLASS
    constraints = CompiledConstraints(
        usable=usable,
        column_of=np.array([chance.randrange(n_columns) for _ in range(n_features)]),
        n_columns=n_columns,
        measure=_measure(chance, kind, objective),
        literal_factor=(
            fractions(n_columns, 0)
            if has("literal_factor", 0.15) and not counts_rules
            else (Fraction(1),) * n_columns
        ),
        column_cost=(
            fractions(n_columns, 0)
            if has("column_cost", 0.15) and not counts_rules
            else (Fraction(0),) * n_columns
        ),
        class_factor=class_factors() if has("class_factor", 0.15) else ones,
        miss_factor=fractions(n_classes, 0) if asymmetric and has("error_costs", 0.15) else ones,
        claim_factor=fractions(n_classes, 0) if asymmetric and has("error_costs", 0.15) else ones,
        seen=table.weights,
        rules_in=demanded,
        disjoint=has("disjoint", 0.2),
        **more,
    )
    return Problem.of(table, objective, constraints)


def _objective(chance, *, per_class):
    kind = chance.choice(
        [Kind.SPARSE] * 3 + [Kind.PERFECT] * 2 + [Kind.MIN_RULES, Kind.MIN_RULES_THEN_LITERALS]
    )
    price = chance.choice([0.01, 0.03, 0.07, 0.1, 0.25])
    if per_class:
        return Objective(Kind.SPARSE, price)
    if kind is not Kind.SPARSE:
        return Objective(kind)
    counting = chance.choice([Counting.PER_CLASS, Counting.PER_CLASS, Counting.PER_ROW])
    every_class = counting is Counting.PER_CLASS and chance.random() < 0.2
    return Objective(kind, price, counting, every_class)


def _measure(chance, kind, objective):
    if objective.kind is Kind.MIN_RULES:
        return ("rules",)
    if objective.kind is Kind.MIN_RULES_THEN_LITERALS:
        return ("rules", "literals")
    if kind is not None and kind.startswith("measure "):
        measure = (kind.removeprefix("measure "),)
    elif kind == "lexicographic":
        measure = tuple(chance.sample(MEASURES, chance.choice([2, 3])))
    elif chance.random() < 0.3:
        measure = tuple(chance.sample(MEASURES, chance.choice([1, 2])))
    else:
        measure = ("size",)
    return measure if "size" in measure else (*measure, "size")
