"""Errors in the checker that would let a false bound pass: each has a test that fails if it is made.

The proofs here are written by hand or drawn at random, with the smallest scales there are: what the prover makes
has scales so large that a comparison off by one unit decides nothing.
"""  # noqa: E501

from __future__ import annotations

import numpy as np
import pytest
from tests.support.checking.builders import certified, facts, optimum, sealed
from tests.support.strategies import has_perfect_set

from laconic.checking import checker
from laconic.checking.certify.certify import with_proofs
from laconic.checking.certify.effort import Effort
from laconic.data.table import Table
from laconic.engines.registry import get
from laconic.problem.objective import Counting, Kind, Objective, Problem, cost
from laconic.runtime.budget import Budget


def of_class(table, objective, target):
    """One class's problem, as the checker sees it."""
    return checker.Task(facts(table, objective, [], 0), table).of_class(target)


def leaf(prices, scale=1, splitters=(), blame=()):
    return {"scale": scale, "prices": prices, "splitters": list(splitters), "blame": list(blame)}


def accepts(problem, node, bound):
    try:
        checker.walk(node, problem, bound, Effort(nodes=20_000))
    except (checker.Malformed, checker.Refuted):
        return False
    return True


def test_a_rule_overpaid_by_one_unit_refutes_the_prices():
    problem = of_class(Table.from_arrays([[0], [1]], [0, 1]), Objective(Kind.PERFECT), 0)
    assert optimum(problem) == 2
    checker.walk(leaf([2]), problem, 2, Effort())
    with pytest.raises(checker.Refuted, match=r"rule \[0\] is overpaid by 1/1"):
        checker.walk(leaf([3]), problem, 3, Effort())


@pytest.mark.parametrize("n_classes", [2, 3])
def test_errors_per_row_are_shared_by_the_own_class_and_the_mean_of_the_others(n_classes):
    """The rules are poor, so that nothing but the classes' bounds keeps the proved bound at the optimum."""
    rng = np.random.default_rng(n_classes)
    n_reached = 0
    for _ in range(12):
        features = rng.integers(0, 2, (6, 2))
        table = Table.from_arrays(features, rng.integers(0, n_classes, 6), rng.integers(1, 9, 6))
        objective = Objective(Kind.SPARSE, 0.04, Counting.PER_ROW)
        problem = Problem.of(table, objective)
        best = get("brute")(problem, budget=Budget()).cost
        document = with_proofs(facts(table, objective, [], cost(problem, [])), table, Budget(None))
        _, bound = checker.check(document, table, Effort())
        assert bound <= best
        n_reached += bound == best
    assert n_reached > 3


def test_per_row_a_bound_of_40_is_not_certified_where_22_is_the_optimum():
    """Each of 20 rows is an error once, though its own class misses it and the other class covers it."""
    table = Table.from_arrays([[0], [1]] * 2, [0, 0, 1, 1], [100, 100, 10, 10])
    objective = Objective(Kind.SPARSE, 0.005, Counting.PER_ROW)
    problem = Problem.of(table, objective)
    assert get("brute")(problem, budget=Budget()).cost == 22
    document = with_proofs(facts(table, objective, [], cost(problem, [])), table, Budget(None))
    assert checker.check(document, table, Effort()) == (220, 22)


@pytest.mark.parametrize("rules", [[], [[0]], [[0, 0], [0, 1]]])
def test_with_every_class_a_set_without_a_rule_of_some_class_is_refused(rules):
    table = Table.from_arrays([[0], [1]], [0, 1])
    task = checker.Task(facts(table, Objective(Kind.SPARSE, 0.1, every_class=True), [], 0), table)
    with pytest.raises(checker.Refuted, match="a class has no rule"):
        task.cost(rules)
    assert task.cost([[0, 0], [1, 1]]) > 0


def test_a_rule_that_must_exist_may_need_a_literal_that_another_one_beats():
    """The best rule, "a and not b", covers nothing. "not a" beats "not b", but "a and not a" is no rule."""
    table = Table.from_arrays(
        [[0, 0], [0, 1], [1, 1]], [0, 1, 0], [13, 5, 6], allowed=[[True, True], [True, False]]
    )
    problem = of_class(table, Objective(Kind.SPARSE, 0.1, every_class=True), 1)
    best = optimum(problem)
    assert best == problem.price(2) + problem.weight[1]
    assert accepts(problem, leaf([0, 0]), best)
    with pytest.raises(checker.Refuted, match="there is a set of 1 rules that costs"):
        checker.walk(leaf([0, 0]), problem, best + 1, Effort())


@pytest.mark.parametrize("kind", [Kind.PERFECT, Kind.SPARSE])
def test_a_class_proves_no_unit_more_than_its_proof(kind):
    """Where errors cannot be avoided, what every set pays is part of the bound, and counts once."""
    table = Table.from_arrays([[0], [0], [1]], [0, 1, 1], [5, 2, 4])
    document, solution = certified(table, Objective(kind, 0.05))
    assert checker.check(document, table, Effort()) == (solution.cost, solution.cost)
    for part in document["proofs"]:
        forged = [{**p, "bound": p["bound"] + (p is part)} for p in document["proofs"]]
        # Poorer rules, so that the cost does not limit the bound.
        rules = [*document["rules"], [0], [1]] if kind is Kind.SPARSE else [[0, 0], [1, 1], [1, 0, 1]]
        more = {**document, "rules": rules, "proofs": forged, "lower_bound": document["lower_bound"] + 1}
        try:
            more["cost"] = checker.Task(more, table).cost(rules)
        except (checker.Refuted, checker.Malformed):
            continue
        with pytest.raises(checker.Refuted, match=f"class {part['class']}: "):
            checker.check(sealed(more), table, Effort())


OBJECTIVES = [
    Objective(Kind.PERFECT),
    Objective(Kind.SPARSE, 0.05),
    Objective(Kind.SPARSE, 0.1),
    Objective(Kind.SPARSE, 0.15, every_class=True),
]


def class_problems(rng, wanted):
    """Problems of one class, small enough for the oracle."""
    while wanted > 0:
        n_features, n_rows = rng.integers(1, 4), rng.integers(3, 9)
        table = Table.from_arrays(
            rng.integers(0, 2, (n_rows, n_features)),
            rng.integers(0, 2, n_rows),
            rng.integers(1, 4, n_rows),
            n_classes=2,
        )
        objective = OBJECTIVES[rng.integers(len(OBJECTIVES))]
        problem = Problem.of(table, objective)
        if problem.hard and not has_perfect_set(problem):
            continue
        for target in checker.Task(facts(table, objective, [], 0), table).classes:
            yield of_class(table, objective, target)
            wanted -= 1


def drawn_leaf(rng, problem, over_prices, over_blame):
    """Prices and blame of a small scale; those of hard rows have no limit, the others' may be exceeded."""
    scale, n_splits = int(rng.integers(1, 4)), len(problem.some)
    weights = problem.weight[problem.pos]
    most = weights * scale * (3 if problem.hard else over_prices)
    prices = [int(rng.integers(0, m + 1)) for m in most]
    prices += [int(rng.integers(0, problem.price(2) * scale)) for _ in range(n_splits)]
    splitters = [[int(code)] for code in problem.codes if rng.random() < 0.7]
    blame = []
    if not problem.hard:
        positions = [[int(np.searchsorted(problem.codes, body[0]))] for body in splitters]
        group, n_pos = checker.groups(problem.holds[:, problem.pos], positions)
        _, n_neg = checker.groups(problem.holds[:, problem.neg], positions)
        heavy = [int(weights[group == g].sum()) for g in range(n_pos)] + [1] * n_splits
        for h in range(n_neg):
            left, row = over_blame * scale, []
            for g in rng.permutation(len(heavy)).tolist():
                units = int(rng.integers(0, left // heavy[g] + 1))
                left -= units * heavy[g]
                row += [(g, units)] if units else []
            blame += [[h, *(x for pair in sorted(row) for x in pair)]] if row else []
    return leaf(prices, scale, splitters, blame)


@pytest.mark.parametrize(
    ("over_prices", "over_blame"),
    [(1, 1), (2, 1), (1, 2)],
    ids=["within limits", "prices above weights", "blame above weights"],
)
def test_no_prices_and_blame_of_a_small_scale_prove_more_than_the_optimum(over_prices, over_blame):
    """Also where the room is just enough for a cheaper set: rules and sets at the very limit are tried."""
    rng = np.random.default_rng(11)
    n_accepted = 0
    for problem in class_problems(rng, 160):
        best = optimum(problem)
        for _ in range(6):
            node = drawn_leaf(rng, problem, over_prices, over_blame)
            assert not accepts(problem, node, best + 1), (problem, node)
            n_accepted += accepts(problem, node, best)
    assert n_accepted > 100
