"""The perfect and rule-count optima of the exact engine, against the oracle and against themselves."""

from __future__ import annotations

import importlib
import signal
import threading

import numpy as np
import pytest
from tests.support.clock import ProcessorTime

from laconic.data.table import Table
from laconic.engines import brute
from laconic.engines.api import Solution, StopReason
from laconic.engines.exact import engine
from laconic.problem.objective import Kind, Objective, Problem
from laconic.runtime import _native
from laconic.runtime.budget import Budget

HARD_KINDS = (Kind.PERFECT, Kind.MIN_RULES, Kind.MIN_RULES_THEN_LITERALS)


def solved(problem: Problem, *, seconds: float | None = None, n_jobs: int = 1, seed: int = 0) -> Solution:
    return engine.solve(problem, budget=Budget(seconds), seed=seed, n_jobs=n_jobs)


def random_problem(rng: np.random.Generator, kind: Kind, n_rows: int = 16, n_features: int = 5) -> Problem:
    n_rows = int(rng.integers(1, n_rows + 1))
    n_features = int(rng.integers(1, n_features + 1))
    n_classes = int(rng.integers(1, 4))
    features = rng.random((n_rows, n_features)) < rng.uniform(0.2, 0.8)
    labels = rng.integers(0, n_classes, n_rows)
    return Problem.of(Table.from_arrays(features, labels, n_classes=n_classes), Objective(kind))


def noisy_table(
    seed: int, n_rows: int, n_features: int, noise: float, *, allowed: np.ndarray | None = None
) -> Table:
    rng = np.random.default_rng(seed)
    features = rng.random((n_rows, n_features)) < 0.5
    labels = (features[:, 0] & features[:, 1]) | (features[:, 2] & ~features[:, 3])
    labels = labels ^ (rng.random(n_rows) < noise)
    return Table.from_arrays(features, labels.astype(int), allowed=allowed)


@pytest.mark.parametrize("kind", HARD_KINDS)
def test_the_optimum_is_that_of_the_oracle(kind: Kind, way: str) -> None:
    rng = np.random.default_rng(20200907)
    for _ in range(250):
        problem = random_problem(rng, kind)
        ours = solved(problem)
        assert ours.stop_reason is StopReason.PROVED
        assert ours.cost == brute.solve(problem, budget=Budget()).cost


def test_literals_that_are_not_allowed_are_never_used(way: str) -> None:
    rng = np.random.default_rng(5)
    checked = 0
    while checked < 150:
        problem = random_problem(rng, Kind.PERFECT, n_rows=12)
        # One-sided columns with their complement as a second feature keep every table solvable.
        matrix = problem.table.matrix
        both = np.hstack([matrix, ~matrix])
        if both.shape[1] > brute.MAX_FEATURES:
            continue
        labels = problem.table.weights.argmax(axis=1)
        allowed = np.zeros((both.shape[1], 2), bool)
        allowed[:, 1] = True
        one_sided = Problem.of(Table.from_arrays(both, labels, allowed=allowed), Objective(Kind.PERFECT))
        answer = solved(one_sided)
        assert all(code % 2 == 1 for rule in answer.rules for code in rule.literals)
        assert answer.cost == brute.solve(one_sided, budget=Budget()).cost
        checked += 1


def consistent_rules(problem: Problem, target: int) -> list[tuple[tuple[int, ...], frozenset[int]]]:
    """Every conjunction that covers no row of another class, with the rows of its own that it covers."""
    table = problem.table
    own = table.weights[:, target] > 0
    columns = [(~table.matrix[:, f], table.matrix[:, f]) for f in range(table.n_features)]
    found: list[tuple[tuple[int, ...], frozenset[int]]] = []

    def extend(feature: int, body: tuple[int, ...], rows: np.ndarray) -> None:
        if not (rows & own).any():
            return
        if not (rows & ~own).any():
            found.append((body, frozenset(np.flatnonzero(rows).tolist())))
            return
        for f in range(feature, table.n_features):
            for value in (0, 1):
                if table.allowed[f, value]:
                    extend(f + 1, (*body, 2 * f + value), rows & columns[f][value])

    extend(0, (), np.ones(table.n_rows, bool))
    return found


def cheapest_cover(problem: Problem) -> int:
    """Solve one set cover per class over all consistent rules, by an integer programme."""
    highspy = pytest.importorskip("highspy")
    total = 0
    for target in problem.classes:
        rules = consistent_rules(problem, target)
        highs = highspy.Highs()
        highs.setOptionValue("output_flag", False)
        highs.setOptionValue("mip_rel_gap", 0.0)
        for body, _ in rules:
            highs.addVar(0.0, 1.0)
            column = highs.getNumCol() - 1
            highs.changeColCost(column, float(problem.rule_price(len(body))))
            highs.changeColIntegrality(column, highspy.HighsVarType.kInteger)
        for row in np.flatnonzero(problem.table.weights[:, target] > 0).tolist():
            over = np.array([k for k, (_, rows) in enumerate(rules) if row in rows], dtype=np.int32)
            highs.addRow(1.0, highs.getInfinity(), over.size, over, np.ones(over.size))
        highs.run()
        assert highs.getModelStatus() == highspy.HighsModelStatus.kOptimal
        total += round(highs.getInfoValue("objective_function_value")[1])
    return total


@pytest.mark.parametrize("kind", HARD_KINDS)
def test_noisy_tables_that_need_branching_agree_with_an_integer_programme(kind: Kind, way: str) -> None:
    nodes = cuts_seen = 0
    for seed in range(6):
        problem = Problem.of(noisy_table(seed, 70, 8, 0.25), Objective(kind))
        answer = solved(problem)
        assert answer.stop_reason is StopReason.PROVED
        assert answer.cost == cheapest_cover(problem)
        nodes += answer.counts["nodes"]
        cuts_seen += answer.counts["enumerated"]
    assert nodes > 0
    assert cuts_seen > 0


def test_the_bound_does_not_climb_unit_by_unit_where_a_rule_costs_many(way: str) -> None:
    # A rule costs about a thousand units here: asking for each would take thousands of nodes.
    nodes = []
    for seed in range(8):
        problem = Problem.of(noisy_table(seed, 120, 9, 0.2), Objective(Kind.MIN_RULES_THEN_LITERALS))
        answer = solved(problem)
        assert answer.stop_reason is StopReason.PROVED
        fewest = solved(Problem.of(problem.table, Objective(Kind.MIN_RULES)))
        assert len(answer.rules) == fewest.cost
        nodes.append(answer.counts["nodes"])
    assert 0 < max(nodes) < 200


def test_the_order_of_rows_and_columns_and_the_sign_of_features_do_not_change_the_cost(way: str) -> None:
    table = noisy_table(3, 120, 12, 0.2)
    matrix, labels = table.matrix, table.weights.argmax(axis=1)
    cost = solved(Problem.of(table, Objective(Kind.PERFECT))).cost
    rng = np.random.default_rng(0)
    for _ in range(3):
        rows, columns = rng.permutation(table.n_rows), rng.permutation(table.n_features)
        flipped = matrix[rows][:, columns] ^ (rng.random(table.n_features) < 0.5)
        moved = Table.from_arrays(flipped, labels[rows])
        assert solved(Problem.of(moved, Objective(Kind.PERFECT))).cost == cost


def test_rules_do_not_depend_on_the_number_of_threads(way: str) -> None:
    problem = Problem.of(noisy_table(4, 150, 12, 0.2), Objective(Kind.PERFECT))
    alone, together = solved(problem, n_jobs=1), solved(problem, n_jobs=2)
    assert alone.stop_reason is together.stop_reason is StopReason.PROVED
    assert alone.rules == together.rules


def test_fewest_rules_and_fewest_literals_are_different_questions() -> None:
    # Class 1: three rules of one literal (x0, x1, x2), or two of three literals (x3 x4 x5 and x6 x7 x8).
    left, right = [3, 4, 5], [6, 7, 8]
    rows = [[0, *left], [1, *left], [1, *right], [2, *right]]
    labels = [1] * len(rows)
    for triple in (left, right):
        rows += [[f for f in triple if f != out] for out in triple]
    labels += [0] * 6
    features = np.zeros((len(rows), 9), bool)
    for i, row in enumerate(rows):
        features[i, row] = True
    allowed = np.ones((9, 2), bool)
    allowed[3:, 0] = False
    table = Table.from_arrays(features, labels, allowed=allowed)
    answers = {kind: solved(Problem.of(table, Objective(kind))) for kind in HARD_KINDS}
    found = {kind: (len(a.rules), sum(rule.size for rule in a.rules)) for kind, a in answers.items()}
    assert found[Kind.PERFECT] == (4, 10)
    assert found[Kind.MIN_RULES_THEN_LITERALS] == (3, 12)
    assert found[Kind.MIN_RULES][0] == 3


def test_a_single_class_needs_one_bare_rule() -> None:
    problem = Problem.of(Table.from_arrays([[0, 1], [1, 1]], [0, 0]), Objective(Kind.PERFECT))
    answer = solved(problem)
    assert answer.cost == 1
    assert [rule.literals for rule in answer.rules] == [()]


def hard_problem() -> Problem:
    return Problem.of(noisy_table(1, 700, 40, 0.35), Objective(Kind.PERFECT))


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_time_limit_returns_valid_rules_with_a_bound(n_jobs: int) -> None:
    with ProcessorTime() as spent:
        answer = solved(hard_problem(), seconds=1.0, n_jobs=n_jobs)
    assert spent.seconds < n_jobs * 1.0 + 1.5  # the table is built in this time too
    assert answer.stop_reason is StopReason.TIME
    assert 0 < answer.lower_bound < answer.cost


@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_ctrl_c_stops_the_search_at_once(n_jobs: int) -> None:
    problem = hard_problem()
    timer = threading.Timer(0.5, lambda: signal.raise_signal(signal.SIGINT))
    with ProcessorTime() as spent:
        timer.start()
        try:
            answer = solved(problem, seconds=30.0, n_jobs=n_jobs)
        finally:
            timer.join()
    assert spent.seconds < 5.0
    assert answer.stop_reason is StopReason.INTERRUPT


def test_the_portable_and_the_avx2_build_do_the_same() -> None:
    if not _native.cpu_has_avx2():
        pytest.skip("this processor runs only the portable build")
    builds = [importlib.import_module(f"laconic.runtime.{name}") for name in ("_native", "_native_avx2")]
    table = Problem.of(noisy_table(9, 150, 14, 0.25), Objective(Kind.PERFECT)).table
    own = table.weights[:, 1] > 0
    literals = list(range(2 * table.n_features))
    answers = []
    for build in builds:
        search = build.CoverSolver(table.bits, literals, np.flatnonzero(own), np.flatnonzero(~own), 1, 1, 0)
        assert search.advance(-1.0, build.StopFlag())
        answers.append((search.best(), search.lower_bound, search.counts()))
    assert answers[0] == answers[1]


def test_progress_is_reported_and_only_improves(way: str) -> None:
    seen: list[tuple[int | None, int]] = []
    problem = Problem.of(noisy_table(2, 150, 12, 0.2), Objective(Kind.PERFECT))
    engine.solve(
        problem, budget=Budget(5.0), on_progress=lambda state: seen.append((state.cost, state.lower_bound))
    )
    assert seen
    costs = [cost for cost, _ in seen if cost is not None]
    bounds = [bound for _, bound in seen]
    assert costs == sorted(costs, reverse=True)
    assert bounds == sorted(bounds)


@pytest.mark.slow
def test_a_long_random_run_agrees_with_the_oracle(way: str) -> None:
    rng = np.random.default_rng(1)
    for _ in range(4000):
        problem = random_problem(rng, HARD_KINDS[int(rng.integers(3))])
        assert solved(problem).cost == brute.solve(problem, budget=Budget()).cost
