"""The lines of mds2, mds2* and mds2*[ρ]: each reaches its engine with its objective."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.paper.claims import CLAIMS
from laconic.bench.methods import METHODS, load
from laconic.bench.methods.api import Limits, Training
from laconic.bench.methods.few_rules import FEW_RULES

LONG_OR_SHORT = [
    *([1, 1, 1, 1, t == 0, t == 1, 1] for t in range(2)),
    *([k != 0, k != 1, k != 2, k != 3, 0, 0, 0] for k in range(4)),
]
"""Class yes is one rule of four literals, or two rules of one."""


def training(rows):
    table = np.array(rows, dtype=np.int64)
    matrix, labels = table[:, :-1].astype(bool), table[:, -1]
    names = tuple("abcdefgh"[: matrix.shape[1]])
    return Training(names, matrix, labels, ("no", "yes"), np.ones((matrix.shape[1], 2), bool))


def run(name, data, tmp_path):
    line = METHODS[name]
    return load(line.module)(data, Limits(30.0, 1024, 0, tmp_path), **line.options)


def of_class(answer, label):
    return [rule for rule in answer.rules.rules if rule.label == label]


@pytest.mark.parametrize("prefix", ["", "exact-"])
def test_the_fewest_rules_and_then_the_fewest_literals(prefix, tmp_path):
    data = training(LONG_OR_SHORT)
    fewest, then_literals = (run(prefix + name, data, tmp_path) for name in ("mds2", "mds2-star"))
    # Class no: "not e and not f" covers all of it, so two rules in all.
    assert (fewest.optimal, fewest.cost, fewest.rules.n_rules) == (True, 2, 2)
    assert (then_literals.optimal, then_literals.rules.n_rules, then_literals.rules.n_literals) == (
        True,
        2,
        6,
    )
    assert len(of_class(then_literals, "yes")[0].conditions) == 4


@pytest.mark.parametrize("prefix", ["", "exact-"])
@pytest.mark.parametrize(("number", "n_rules"), [(1, 3), (2, 2), (3, 2)])
def test_a_rule_costs_rho(prefix, number, n_rules, tmp_path):
    # 24 rows. Class yes: a (12 rows) or b (2 rows). Class no: neither (10 rows). One rule each gives 2
    # errors; a second rule for yes costs 1.2, 2.4 or 12 rows, so only ρ1 = 0.05 pays for it.
    rows = [[1, 0, 1]] * 12 + [[0, 1, 1]] * 2 + [[0, 0, 0]] * 10
    answer = run(f"{prefix}mds2-star-r{number}", training(rows), tmp_path)
    assert answer.optimal
    assert (answer.rules.n_rules, len(of_class(answer, "no"))) == (n_rules, 1)
    assert len(of_class(answer, "no")[0].conditions) == 2


@pytest.mark.parametrize("number", [1, 2, 3])
def test_both_engines_agree_on_rho(number, tmp_path):
    rng = np.random.default_rng(number)
    features = rng.random((60, 6)) < 0.5
    noisy = np.where(rng.random(60) < 0.2, rng.random(60) < 0.5, features[:, 0] & features[:, 1])
    data = training(np.column_stack([features, noisy]))
    ours, exact = (run(f"{prefix}mds2-star-r{number}", data, tmp_path) for prefix in ("", "exact-"))
    assert ours.optimal
    assert exact.optimal
    assert ours.cost == exact.cost


def test_the_papers_names_are_registered():
    named = {method for claim in CLAIMS for method in claim.methods if method.startswith(("mds2", "imli"))}
    assert named == {"imli1", "imli16", "mds2-star", "mds2-star-r3"}
    assert named | {"mds2", "mds2-star-r1", "mds2-star-r2"} <= FEW_RULES.keys()
    # The paper's virtual tool "perfect" is all that learn perfect sets.
    assert {name for name, line in FEW_RULES.items() if line.family == "perfect"} == {
        "mds2", "mds2-star", "exact-mds2", "exact-mds2-star",
    }  # fmt: skip
