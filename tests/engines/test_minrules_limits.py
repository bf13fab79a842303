"""Engine minrules: time limits, options, and what other engines make of its problems."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from tests.support.clock import ProcessorTime

from laconic.checking.verify import violations
from laconic.data.table import Table
from laconic.engines.api import Recorder, StopReason
from laconic.engines.paper.minrules.options import MinRulesOptions
from laconic.engines.paper.minrules.sparse import solve_sparse
from laconic.engines.paper.satkit.part import split
from laconic.engines.paper.satkit.work import Work
from laconic.engines.registry import get
from laconic.problem.coded import CodedRule
from laconic.problem.objective import Counting, Kind, Objective, Problem, cost
from laconic.runtime.budget import Budget
from laconic.runtime.errors import InputError

LIMIT, GRACE = 1.0, 1.0

PARITY = Table.from_arrays([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])


def solve(problem, seconds=60, **options):
    return get("minrules")(problem, budget=Budget(seconds), options=options)


@pytest.fixture(scope="module")
def hard_table():
    rng = np.random.default_rng(0)
    return Table.from_arrays(rng.random((300, 40)) < 0.5, rng.integers(0, 2, 300))


def stated(name, table):
    match name:
        case "rho":
            return Problem.priced_by_rules(table, Objective(Kind.SPARSE, 0.02))
        case "rho every class":
            return Problem.priced_by_rules(table, Objective(Kind.SPARSE, 0.02, every_class=True))
        case _:
            return Problem.of(table, Objective(Kind(name)))


@pytest.mark.parametrize("options", [{}, {"warm_start": False}], ids=str)
@pytest.mark.parametrize("name", ["min_rules", "min_rules_then_literals", "rho", "rho every class"])
def test_a_time_limit_holds_and_the_answer_stands(name, options, hard_table):
    problem = stated(name, hard_table)
    with ProcessorTime() as spent:
        solution = solve(problem, LIMIT, **options)
    assert spent.seconds < LIMIT + GRACE
    assert solution.stop_reason is StopReason.TIME
    assert 0 < solution.lower_bound < solution.cost
    assert violations(problem, solution.rules, solution.cost, solution.lower_bound) == []


def test_time_left_over_goes_to_the_numbers_of_rules_that_were_cut_short(monkeypatch):
    class Clock:
        now = 0.0

        def __call__(self):
            return self.now

    clock, given = Clock(), []

    def only_one_rule_is_hard(part, n_rules, options, budget, work):
        seconds = budget.remaining()
        given.append((n_rules, seconds))
        if n_rules == 1 and seconds < 8:
            clock.now += seconds
            return part.base + part.problem.rule_cost
        return part.cost

    monkeypatch.setattr("laconic.engines.paper.minrules.sparse._solve_number", only_one_rule_is_hard)
    # Each of the four rows of class 1 has a rule of its own, worth 10 and at a price of 4.
    rows = (np.arange(8)[:, None] >> np.arange(3)) & 1
    table = Table.from_arrays(rows, rows.sum(axis=1) % 2, [10] * 8)
    problem = Problem.priced_by_rules(table, Objective(Kind.SPARSE, 0.05))
    budget = Budget(12, clock)
    part = split(problem, budget, Recorder(budget), separated=True, warm_start=True)[1]
    solve_sparse(part, MinRulesOptions(), budget, Work())
    assert given == [(1, 3.0), (2, 3.0), (3, 4.5), (4, 9.0), (1, 9.0)]
    assert part.solved


@pytest.mark.parametrize("name", ["min_rules", "min_rules_then_literals", "rho", "rho every class"])
def test_no_time_at_all_still_gives_a_valid_answer(name):
    problem = stated(name, PARITY)
    solution = solve(problem, 0)
    assert violations(problem, solution.rules, solution.cost, solution.lower_bound) == []


def test_ctrl_c_stops_the_search_and_keeps_the_answer():
    program = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
import numpy as np
from laconic.runtime.budget import Budget
from laconic.data.table import Table
from laconic.engines.registry import get
from laconic.engines.paper.satkit.part import split
from laconic.engines.paper.satkit.work import Work
from laconic.problem.objective import Kind, Objective, Problem
rng = np.random.default_rng(0)
table = Table.from_arrays(rng.random((300, 40)) < 0.5, rng.integers(0, 2, 300))
print("ready", flush=True)
solution = get("minrules")(Problem.of(table, Objective(Kind.MIN_RULES)), budget=Budget())
print(solution.stop_reason.value)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=20)
    assert (process.returncode, out) == (0, "interrupt\n")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"separated": True}, "engine 'minrules' has no option 'separated'; choose from: solver,"),
        ({"counting_solver": "chaff"}, "option counting_solver cannot be 'chaff'; choose one of:"),
        ({"solver": "kissat"}, "option solver cannot be 'kissat'"),
        ({"symmetry": "none"}, "option symmetry must be True or False, not 'none'"),
        ({"warm_start": 1}, "option warm_start must be True or False, not 1"),
    ],
)
def test_bad_options_are_refused_with_the_valid_ones(options, message):
    with pytest.raises(InputError) as refused:
        solve(Problem.of(PARITY, Objective(Kind.MIN_RULES)), **options)
    assert message in str(refused.value)


def test_other_objectives_are_refused_with_the_engines_that_solve_them():
    with pytest.raises(InputError, match="'minrules' does not solve objective='perfect'; use one of: exact"):
        solve(Problem.of(PARITY, Objective(Kind.PERFECT)))
    joint = Problem.of(PARITY, Objective(Kind.SPARSE, 0.1, Counting.PER_ROW))
    with pytest.raises(InputError, match="does not solve objective='sparse' with counting='per_row'"):
        solve(joint)


def test_the_model_by_size_refuses_a_price_by_rules():
    problem = Problem.priced_by_rules(PARITY, Objective(Kind.SPARSE, 0.1))
    with pytest.raises(InputError, match="'maxsat' prices literals and rules alike; use engine='minrules'"):
        get("maxsat")(problem, budget=Budget())


def test_only_sparse_objectives_per_class_can_be_priced_by_rules():
    with pytest.raises(InputError, match="only objective='sparse' can be priced by rules, not 'perfect'"):
        Problem.priced_by_rules(PARITY, Objective(Kind.PERFECT))
    with pytest.raises(InputError, match="a price by rules needs counting='per_class'"):
        Problem.priced_by_rules(PARITY, Objective(Kind.SPARSE, 0.1, Counting.PER_ROW))


@pytest.mark.parametrize("every_class", [False, True])
def test_a_price_by_rules_in_integers(every_class):
    # Four rows, two features: W = 9. ρM = 0.3 · 4 = 1.2: rounded up to 2, or exactly 6/5 with every_class.
    objective = Objective(Kind.SPARSE, 0.3, every_class=every_class)
    problem = Problem.priced_by_rules(PARITY, objective)
    rules = [CodedRule.of(0, [1, 3]), CodedRule.of(1, [])]
    # Class 0 misses one row; class 1 covers two rows of class 0.
    error, rule = (5 * 9, 6 * 9) if every_class else (9, 2 * 9)
    assert cost(problem, rules) == 3 * error + 2 * rule + 2
