"""Solve one CSV with our engines and print what was found as one line of JSON, for comparison with a peer.

python benchmarks/laconic_solve.py data.csv sat glucose4 [lambda]
"""

import json
import sys
import time

import numpy as np
import pandas as pd

from laconic.budget import Budget
from laconic.data.table import Table
from laconic.engines.api import Status
from laconic.engines.registry import get
from laconic.objective import Kind, Objective, Problem, coverage, errors


def class_share(problem, solution, target):
    """Return (class, size, errors) of the rules of one class."""
    rules = [rule for rule in solution.rules if rule.target == target]
    covered = coverage(problem.table, rules)[:, target]
    own = problem.table.weights[:, target]
    wrong = np.where(covered, problem.table.weights.sum(axis=1) - own, own).sum()
    return target, sum(rule.size for rule in rules), int(wrong)


def main(path, engine, solver, *rest):
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
    found = {
        "seconds": seconds,
        "size": sum(rule.size for rule in solution.rules),
        "errors": errors(problem, solution.rules),
        "classes": [class_share(problem, solution, c) for c in problem.classes],
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
