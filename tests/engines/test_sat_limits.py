"""Time limits hold, and what is returned by then is valid."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from pysat.examples.genhard import PHP
from pysat.solvers import Solver
from tests.support.clock import ProcessorTime

from laconic.checking.verify import violations
from laconic.data.table import Table
from laconic.engines.api import StopReason
from laconic.engines.paper.satkit import oracle
from laconic.engines.paper.satkit.oracle import Oracle, SatTimeoutError, until_expired
from laconic.engines.registry import get
from laconic.problem.objective import Counting, Kind, Objective, Problem
from laconic.runtime.budget import Budget

LIMIT = 1.0
GRACE = 1.0

OBJECTIVES = {
    "perfect": Objective(Kind.PERFECT),
    "sparse": Objective(Kind.SPARSE, 0.005),
    "per_row": Objective(Kind.SPARSE, 0.005, Counting.PER_ROW),
    "every_class": Objective(Kind.SPARSE, 0.005, every_class=True),
}

RUNS = [
    ("sat", "perfect", {}),
    ("sat", "perfect", {"separated": False}),
    ("sat", "perfect", {"solver": "cadical195", "warm_start": False}),
    ("maxsat", "perfect", {}),
    ("maxsat", "perfect", {"separated": False, "solver": "cadical153"}),
    ("maxsat", "sparse", {}),
    ("maxsat", "sparse", {"model": "unused", "minimize": True, "solver": "cadical195"}),
    ("maxsat", "per_row", {}),
    ("maxsat", "every_class", {"solver": "cadical195"}),
]


@pytest.fixture(scope="module")
def hard_table():
    """Noise: no engine proves its optimum in a second."""
    rng = np.random.default_rng(0)
    features = rng.random((300, 40)) < 0.5
    labels = rng.integers(0, 2, 300)
    return Table.from_arrays(features, labels)


@pytest.mark.parametrize(("engine", "objective", "options"), RUNS, ids=str)
def test_a_time_limit_holds_and_the_answer_stands(engine, objective, options, hard_table):
    problem = Problem.of(hard_table, OBJECTIVES[objective])
    with ProcessorTime() as spent:
        solution = get(engine)(problem, budget=Budget(LIMIT), options=options)
    assert spent.seconds < LIMIT + GRACE
    assert solution.stop_reason is StopReason.TIME
    assert 0 < solution.lower_bound < solution.cost
    assert violations(problem, solution.rules, solution.cost, solution.lower_bound) == []


@pytest.mark.parametrize(("engine", "objective", "options"), RUNS, ids=str)
def test_no_time_at_all_still_gives_a_valid_answer(engine, objective, options):
    problem = Problem.of(
        Table.from_arrays([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]), OBJECTIVES[objective]
    )
    solution = get(engine)(problem, budget=Budget(0), options=options)
    assert violations(problem, solution.rules, solution.cost, solution.lower_bound) == []


@pytest.mark.parametrize("solver", ["minisat22", "cadical103", "cadical153", "cadical195"])
def test_a_hard_formula_is_left_on_time(solver):
    holes = 11
    oracle = Oracle(solver)
    pigeons = [[p * holes + h + 1 for h in range(holes)] for p in range(holes + 1)]
    clashes = [[-a[h], -b[h]] for k, a in enumerate(pigeons) for b in pigeons[:k] for h in range(holes)]
    oracle.add([pigeons + clashes], Budget())
    with ProcessorTime() as spent, pytest.raises(SatTimeoutError):
        oracle.solve([], Budget(0.5))
    assert spent.seconds < 1.5 + GRACE
    oracle.delete()


def test_a_clause_stream_cut_short_loses_no_batch():
    class Clock:
        now = 0.0

        def __call__(self):
            return self.now

    clock = Clock()
    stream = iter([[[1]], [[2]], [[3]]])
    taken = []

    def take_until_late():
        for batch in until_expired(stream, Budget(1, clock)):
            taken.append(batch)
            clock.now = 2.0

    with pytest.raises(SatTimeoutError):
        take_until_late()
    assert taken + list(until_expired(stream, Budget(1, clock))) == [[[1]], [[2]], [[3]]]


@pytest.mark.parametrize(
    ("engine", "kind", "solver"), [("sat", "perfect", "cadical195"), ("maxsat", "sparse", "minisat22")]
)
def test_ctrl_c_stops_the_solver_and_keeps_the_answer(engine, kind, solver):
    program = f"""
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
import numpy as np
from laconic.runtime.budget import Budget
from laconic.data.table import Table
from laconic.engines.registry import get
from laconic.problem.objective import Kind, Objective, Problem
rng = np.random.default_rng(0)
table = Table.from_arrays(rng.random((300, 40)) < 0.5, rng.integers(0, 2, 300))
problem = Problem.of(table, Objective(Kind({kind!r}), 0.005))
print("ready", flush=True)
solution = get({engine!r})(problem, budget=Budget(), options={{"solver": {solver!r}}})
print(solution.stop_reason.value)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=20)
    assert (process.returncode, out) == (0, "interrupt\n")


def test_the_length_of_a_slice_does_not_depend_on_the_clock(monkeypatch):
    def lengths(slowness):
        asked = []

        class Counting(Solver):
            def conf_budget(self, budget=-1):
                asked.append(budget)
                super().conf_budget(budget)

        def slow(solver, assumptions):
            time.sleep(slowness)
            return real(solver, assumptions)

        real = oracle.solve_limited
        with Counting(name="cadical195", bootstrap_with=PHP(8)) as solver, monkeypatch.context() as patch:
            patch.setattr(oracle, "solve_limited", slow)
            assert not oracle.Slices().solve(solver, [], Budget())
        return asked

    quick, slow = lengths(0.0), lengths(0.01)
    assert quick == slow
    assert len(quick) > 3
