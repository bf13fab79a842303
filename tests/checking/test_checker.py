"""The checker accepts what is true and nothing else: against brute force, on every kind of objective."""

from __future__ import annotations

import ast
import copy
import itertools
import random
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.support.checking.builders import certified, facts, optimum, sealed
from tests.support.strategies import FLAVOURS, has_perfect_set, tables

from laconic.checking import checker
from laconic.checking.certify import proof as certify_proof
from laconic.checking.certify.certify import class_cost, with_proofs
from laconic.checking.certify.effort import Effort
from laconic.data.table import Table, table_digest
from laconic.problem.coded import CodedRule, rows_covered
from laconic.problem.objective import Counting, Kind, Objective, Problem
from laconic.runtime.budget import Budget

SEPARABLE = [name for name in FLAVOURS if name != "per_row"]


def quick(examples):
    return settings(
        max_examples=examples,
        deadline=None,
        suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
    )


@st.composite
def instances(draw, flavour):
    """A table and an objective that it admits."""
    objective = draw(st.sampled_from(FLAVOURS[flavour]))
    table = draw(
        tables(max_features=3 if flavour == "per_row" else 4, max_classes=2 if flavour == "per_row" else 4)
    )
    assume(objective.kind is Kind.SPARSE or has_perfect_set(Problem.of(table, objective)))
    assume(flavour != "per_row" or table.n_rows <= 6)
    return table, objective


@pytest.mark.parametrize("flavour", SEPARABLE)
def test_every_optimum_of_a_small_table_gets_a_certificate(flavour):
    @quick(40)
    @given(instance=instances(flavour))
    def run(instance):
        document, solution = certified(*instance)
        least = least_with_empty_rules(Problem.of(*instance), solution)
        assert checker.check(document, instance[0], Effort()) == (solution.cost, least)

    run()


def least_with_empty_rules(problem, solution):
    """Return the optimum where the rule that a class must have may cover no row of it."""
    if not problem.objective.every_class:
        return solution.cost
    table, found = problem.table, 0
    for c in problem.classes:
        own = table.weights[:, c]
        others = table.weights.sum(axis=1) - own

        def paid(bodies, c=c, own=own, others=others):
            covered = np.any([rows_covered(CodedRule.of(c, body), table) for body in bodies], axis=0)
            errors = int(own[~covered].sum() + others[covered].sum())
            return problem.error_cost * errors + sum(problem.rule_price(len(body)) for body in bodies)

        empty = [
            body
            for body in every_body(table)
            if not (rows_covered(CodedRule.of(c, body), table) & (own > 0)).any()
        ]
        mine = paid([rule.literals for rule in solution.rules if rule.target == c])
        found += min([mine, *(paid([body]) for body in empty)])
    return found


def every_body(table):
    """Return every conjunction of literals that rules may use."""
    choices = [
        [(), *((2 * f + value,) for value in (0, 1) if allowed[value])]
        for f, allowed in enumerate(table.allowed)
    ]
    return [tuple(itertools.chain(*chosen)) for chosen in itertools.product(*choices)]


def test_a_certificate_of_errors_per_row_proves_a_bound():
    reached = []

    @quick(40)
    @given(instance=instances("per_row"))
    def run(instance):
        document, solution = certified(*instance)
        cost, bound = checker.check(document, instance[0], Effort())
        assert cost == solution.cost
        assert 0 <= bound <= cost
        reached.append(bound == cost)

    run()
    assert any(reached)


@pytest.mark.parametrize("flavour", sorted(FLAVOURS))
def test_no_bound_above_the_optimum_is_accepted(flavour):
    """Prices that are honest, doubled, or random: whatever they are, one more than the optimum must fail.

    Per row the classes' bounds are shares, so their sum is held against the optimum as well: with poor rules,
    whose cost does not limit it.
    """

    @quick(40)
    @given(instance=instances(flavour), seed=st.integers(0, 2**32 - 1))
    def run(instance, seed):
        table, objective = instance
        document, solution = certified(table, objective)
        task = checker.Task(document, table)
        rng = random.Random(seed)
        if flavour == "per_row":
            empty = facts(table, objective, [], task.cost([]))
            proved = checker.check(with_proofs(empty, table, Budget(None)), table, Effort())
            assert proved[1] <= solution.cost
        for part in document["proofs"]:
            problem = task.of_class(part["class"])
            best = optimum(problem)
            assert part["bound"] - problem.constant == best
            for proof in (part["proof"], *(_distorted(part["proof"], rng) for _ in range(4))):
                with pytest.raises((checker.Refuted, checker.Malformed)):
                    checker.walk(proof, problem, best + 1, Effort())

    run()


def _distorted(proof, rng):
    """The same proof with other numbers; a leaf of any proof may be meant."""
    proof = copy.deepcopy(proof)
    leaf = proof
    while "rows" in leaf:
        leaf = leaf[rng.choice(["some", "none"])]
    factor = rng.choice([1, 1, 1.2, 1.5, 2])
    leaf["prices"] = [round(price * factor * rng.choice([1, 1, 1, rng.random()])) for price in leaf["prices"]]
    for row in leaf["blame"]:
        row[2::2] = [max(1, round(units * rng.choice([1, 1, 0.5, 1.3]))) for units in row[2::2]]
    return proof


@pytest.mark.parametrize(
    ("objective", "least_closed"),
    [(Objective(Kind.PERFECT), 14), (Objective(Kind.SPARSE, 0.02, every_class=True), 10)],
    ids=["perfect", "every_class"],
)
def test_proofs_that_must_split_hold_too(objective, least_closed, monkeypatch):
    """With no choice among rules allowed, gaps are closed by splits alone: always if perfect, else mostly."""
    monkeypatch.setattr(certify_proof, "LAST_EFFORT", 0)
    monkeypatch.setattr(certify_proof, "FIRST_EFFORT", 0)
    n_trees = n_closed = 0
    for seed in range(14):
        rng = np.random.default_rng(seed)
        features = rng.integers(0, 2, (70, 7))
        table = Table.from_arrays(features, (features[:, 0] ^ features[:, 1]) ^ (rng.random(70) < 0.3))
        document, solution = certified(table, objective, "exact")
        cost, bound = checker.check(document, table, Effort())
        assert cost == solution.cost
        assert 0.99 * cost < bound <= cost
        n_closed += bound == cost
        for part in document["proofs"]:
            if "rows" in part["proof"]:
                n_trees += 1
                problem = checker.Task(document, table).of_class(part["class"])
                with pytest.raises(checker.Refuted):
                    checker.walk(part["proof"], problem, part["bound"] - problem.constant + 1, Effort())
                lost = {**part["proof"], "none": part["proof"]["some"]}
                with pytest.raises((checker.Refuted, checker.Malformed)):
                    checker.walk(lost, problem, part["bound"] - problem.constant, Effort())
    assert n_trees >= 3
    assert n_closed >= least_closed


def test_a_split_on_any_rows_is_sound():
    """Both parts of a split are proved as far as they go; together they prove no more than is true."""

    @quick(40)
    @given(instance=instances("per_class"), data=st.data())
    def run(instance, data):
        table, objective = instance
        document, _ = certified(table, objective)
        task = checker.Task(document, table)
        part = document["proofs"][0]
        problem = task.of_class(part["class"])
        best = part["bound"] - problem.constant
        rows = data.draw(st.lists(st.integers(0, table.n_rows - 1), max_size=3, unique=True).map(sorted))
        parts = {}
        for name in ("some", "none"):
            there = checker.replace(problem, **{name: (np.array(rows, np.int64),)})
            parts[name], bound = certify_proof.prove(there, best, [], Budget(None))
            assert bound <= best
        checker.walk({"rows": rows, **parts}, problem, 0, Effort())
        with pytest.raises(checker.Refuted):
            checker.walk({"rows": rows, **parts}, problem, best + 1, Effort())

    run()


@quick(40)
@given(table=tables())
def test_the_checker_finds_the_fingerprint_of_the_model_file(table):
    assert checker.digest(table) == table_digest(table)


@pytest.mark.parametrize("flavour", sorted(FLAVOURS))
def test_the_checker_counts_the_cost_as_the_objective_does(flavour):
    @quick(40)
    @given(instance=instances(flavour))
    def run(instance):
        table, objective = instance
        document, solution = certified(table, objective)
        task = checker.Task(document, table)
        assert task.cost(document["rules"]) == solution.cost
        if flavour != "per_row":
            by_class = [
                class_cost(task.of_class(c), [body for target, *body in document["rules"] if target == c])
                + task.of_class(c).constant
                for c in task.classes
            ]
            assert sum(by_class) == solution.cost

    run()


def test_a_pair_of_rules_that_beats_every_single_one_is_certified():
    """Where a class must have a rule, two rules that share false positives can beat every single rule."""
    rows = [([1, 0], 0, 8), ([0, 1], 0, 8), ([1, 1], 1, 10), ([0, 0], 1, 10)]
    features, labels, weights = zip(*rows, strict=True)
    table = Table.from_arrays(features, labels, weights)
    document, solution = certified(table, Objective(Kind.SPARSE, 0.064, Counting.PER_CLASS, every_class=True))
    assert checker.check(document, table, Effort()) == (solution.cost, solution.cost)


def test_a_hard_gap_is_closed_by_the_choice_among_the_rules_left():
    """Three rows, any two of which a rule covers: prices prove three halves of a rule, the choice two."""
    features = [[0, 1, 1], [1, 0, 1], [1, 1, 0], [0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]]
    table = Table.from_arrays(features, [0, 0, 0, 1, 1, 1, 1, 1])
    document, solution = certified(table, Objective(Kind.PERFECT))
    assert checker.check(document, table, Effort()) == (solution.cost, solution.cost)


@pytest.mark.parametrize("seconds", [0, 1e-9])
def test_the_check_stops_in_time(seconds):
    table = Table.from_arrays([[0], [1]], [0, 1])
    document, _ = certified(table, Objective(Kind.PERFECT))
    with pytest.raises(TimeoutError):
        checker.check(document, table, Effort(seconds))
    with pytest.raises(TimeoutError):
        checker.check(document, table, Effort(nodes=0))


def test_a_cheaper_set_is_shown_where_the_rules_are_not_the_best():
    table = Table.from_arrays([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 1, 1])
    objective = Objective(Kind.PERFECT)
    document, _ = certified(table, objective)
    problem = checker.Task(document, table).of_class(0)
    with pytest.raises(checker.Refuted, match="there is a set of 1 rules that costs 2, below the bound"):
        checker.walk(document["proofs"][0]["proof"], problem, 3, Effort())


def test_weights_beyond_exact_arithmetic_are_refused():
    table = Table.from_arrays([[0], [1]], [0, 1], [2**51, 2**51], scale=Fraction(1))
    objective = Objective(Kind.SPARSE, 1 / 3, Counting.PER_CLASS, every_class=True)
    document = sealed({**facts(table, objective, [], 0), "proofs": [], "lower_bound": 0})
    with pytest.raises(checker.Refuted, match="beyond exact arithmetic"):
        checker.check(document, table, Effort())


def test_the_checker_stands_alone():
    """What the documentation promises of the file: it imports the standard library and numpy."""
    source = Path(checker.__file__).read_text(encoding="utf-8")
    imported = {
        name.partition(".")[0]
        for node in ast.walk(ast.parse(source))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported <= {*sys.stdlib_module_names, "numpy"}
