"""Certificates under constraints, budgets and other measures, against the oracle that tries every set."""

from __future__ import annotations

import ast
import copy
import random
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from tests.support.checking.builders import sealed
from tests.support.checking.constrained import certified, demanding
from tests.support.checking.mutations import mutations
from tests.support.constraint_problems import KINDS

from laconic import DecisionSetPath
from laconic.checking import checker
from laconic.checking import constraint_checker as constraint_checker
from laconic.checking.certify.apart import prove_apart
from laconic.checking.certify.certify import certify
from laconic.checking.certify.effort import Effort
from laconic.checking.certify.together import prove_together
from laconic.checking.recheck import rebuilt_table
from laconic.problem.objective import Kind, Objective
from laconic.runtime.budget import Budget

SEEDS = range(12)
BUDGETS = {
    "size_budget": Objective(Kind.SPARSE, size_budget=3),
    "max_errors": Objective(Kind.SPARSE, max_errors=3),
}


def cases(kind, objective=None):
    """Problems of a kind that some set solves, each with the best one."""
    found = [demanding(seed, kind, objective) for seed in SEEDS]
    found = [one for one in found if one is not None]
    assert len(found) > 2
    return found


def stated_values(document, table):
    statement = constraint_checker.Statement(document, table)
    return statement, statement.values([tuple(rule) for rule in document["rules"]])


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_constraint_has_a_certificate_that_proves_the_optimum(kind):
    for problem, table, values, rules in cases(kind):
        document = certified(problem, table, rules)
        assert stated_values(document, table)[1] == list(values)
        assert constraint_checker.check(document, table, Effort()) == (document["cost"], document["cost"])


@pytest.mark.parametrize("budget", BUDGETS)
@pytest.mark.parametrize("kind", [None, "max_rules", "measure longest", "lexicographic", "error_costs"])
def test_budgets_have_certificates_too(budget, kind):
    for problem, table, _, rules in cases(kind, BUDGETS[budget]):
        document = certified(problem, table, rules)
        assert constraint_checker.check(document, table, Effort()) == (document["cost"], document["cost"])
        _refuse_more(document, table)


@pytest.mark.parametrize("kind", KINDS)
def test_no_bound_above_the_optimum_is_accepted(kind):
    """Asked to prove one more than the optimum, either kind of proof stops short of it."""
    for problem, table, _, rules in cases(kind):
        _refuse_more(certified(problem, table, rules), table)


def test_corners_of_a_front_are_proved_class_by_class(monkeypatch):
    """Their budgets need prices of single classes only, not a list of rules."""
    monkeypatch.setattr("laconic.checking.certify.demanding.prove_together", lambda *_: (0, None))
    rng = np.random.default_rng(3)
    X = pd.DataFrame(rng.integers(0, 4, (60, 3)), columns=list("abc"))
    y = np.where((X["a"] > 1) ^ (rng.random(60) < 0.2), "p", "q")
    path = DecisionSetPath(max_size=9).fit(X, y)
    assert len(path.points_) > 2
    for model in path.front_.models:
        made = certify(model, rebuilt_table(model, X, y, None), Budget(None))
        assert made.optimal
        assert all(proof is None or "multipliers" in proof for proof in made.content["proofs"])


def test_a_problem_in_which_nothing_costs_anything_is_no_crash():
    """Multipliers of a certificate may leave a class without prices and weights."""
    empty, unweighted = np.empty(0, np.int64), np.zeros(1, np.int64)
    holds = np.array([[False], [True]])
    problem = checker.ClassProblem(holds, np.arange(2), empty, empty, unweighted, False, 0, 0, 0)
    nothing = {"scale": 1, "prices": [], "splitters": [], "blame": []}
    checker.walk(nothing, problem, 0, Effort())
    with pytest.raises(checker.Refuted):
        checker.walk(nothing, problem, 1, Effort())


def _refuse_more(document, table):
    statement, values = stated_values(document, table)
    chance = random.Random(1)
    for place, value in enumerate(values):
        more = [*values[:place], value + 1, *values[place + 1 :]]
        for prover in (prove_apart, prove_together):
            bound, proof = prover(statement, more, place, Budget(60))
            assert bound <= value
            if proof is not None and bound:
                constraint_checker.check_level(statement, more, place, bound, proof, Effort())
        honest = document["proofs"][place]
        for proof in [] if honest is None else [honest, *(_distorted(honest, chance) for _ in range(4))]:
            with pytest.raises((checker.Refuted, checker.Malformed)):
                constraint_checker.check_level(
                    statement, values, place, value + 1, proof, Effort(nodes=20_000)
                )


def _distorted(proof, chance):
    """The same proof with other numbers."""
    proof = copy.deepcopy(proof)
    if "classes" in proof:
        proof["multipliers"] = [max(0, times + chance.choice([-1, 0, 1])) for times in proof["multipliers"]]
        for one in proof["classes"]:
            one["bound"] += chance.choice([0, 1, 2])
        return proof
    nodes = [proof["tree"]]
    while nodes:
        node = nodes.pop()
        nodes += [node[key] for key in ("one", "zero", "then") if key in node]
        if "rows" in node:
            node["rows"][1::2] = [
                round(times * chance.choice([1, 1, 0.5, 3])) for times in node["rows"][1::2]
            ]
    return proof


def accepted(document, table):
    """What the checker proves, or None; anything but a refusal of its own is a failure."""
    try:
        return constraint_checker.check(document, table, Effort(nodes=20_000))
    except (checker.Malformed, checker.Refuted, TimeoutError):
        return None


@pytest.mark.parametrize("kind", ["lexicographic", "max_rules", "error_costs", "required", "rules_out"])
def test_every_edit_is_noticed_and_no_forger_proves_more(kind):
    problem, table, _, rules = cases(kind)[0]
    document = certified(problem, table, rules)
    whole = accepted(document, table)
    assert whole == (document["cost"], document["cost"])
    n_rejected = 0
    for path, changed in mutations(document):
        assert accepted(changed, table) is None, path
        if not isinstance(changed, dict) or "compiled_constraints" in path:
            continue  # other constraints are another problem; `verify` compares them with the user's words
        try:
            proved = accepted(sealed(changed), table)
        except (checker.Malformed, UnicodeEncodeError):
            continue
        n_rejected += proved is None
        if {"objective", "counting", "every_class"} & set(path):
            continue
        assert proved in (None, whole), path
    assert n_rejected > 100


@pytest.mark.parametrize("kind", KINDS)
def test_other_constraints_end_in_a_refusal_or_a_proof(kind):
    """Whatever is written there, the checker does not fail in another way."""
    problem, table, _, rules = cases(kind)[0]
    document = certified(problem, table, rules)
    for path, changed in mutations(document["compiled_constraints"]):
        proved = accepted(sealed({**document, "compiled_constraints": changed}), table)
        assert proved is None or proved[1] <= proved[0], path


def test_the_checker_stands_alone():
    """What the documentation promises: the standard library, numpy and the other checker."""
    folder = Path(constraint_checker.__file__).parent
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else []
            )
            for name in names:
                ours = name == "laconic.checking.checker" or name.startswith(
                    "laconic.checking.constraint_checker"
                )
                assert ours or name.partition(".")[0] in {*sys.stdlib_module_names, "numpy"}, (path, name)
