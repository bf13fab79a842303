"""Solve one CSV file with our engines and print the answer as one line of JSON, to compare it with a peer's.

python -m benchmarks.support.laconic_solve data.csv sat glucose4 [lambda]
"""

import json
import sys
import time

import numpy as np
import pandas as pd

from benchmarks.support.minds import answer
from laconic.data.table import Table
from laconic.engines.api import Status
from laconic.engines.registry import get
from laconic.problem.objective import Kind, Objective, Problem
from laconic.runtime.budget import Budget


def main(path: str, engine: str, solver: str, *rest: str) -> None:
    """Read a table, solve it, and print the answer."""
    frame = pd.read_csv(path)
    labels = pd.factorize(frame.iloc[:, -1], sort=True)[0]
    solve = get(engine)
    started = time.process_time()
    table = Table.from_arrays(frame.iloc[:, :-1].to_numpy(dtype=bool), labels.astype(np.int64))
    if rest:
        problem = Problem.of(table, Objective(Kind.SPARSE, float(rest[0]), every_class=True))
    else:
        problem = Problem.of(table, Objective(Kind.PERFECT))
    solution = solve(problem, budget=Budget(), options={"solver": solver})
    seconds = time.process_time() - started
    assert solution.status is Status.OPTIMAL
    print(json.dumps(answer(problem, solution, seconds)))


if __name__ == "__main__":
    main(*sys.argv[1:])
