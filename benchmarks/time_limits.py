"""A 10 s limit holds for every engine: wdbc at 4 bins, which none of the SAT models finishes.

    python benchmarks/time_limits.py

Each line: engine, objective, options, seconds until the answer was there (encoding, search and the
independent check included), cost and lower bound. Exits with 1 if a limit was passed by more than a second.
"""

from __future__ import annotations

import sys
import time

import cp20

from laconic.budget import Budget
from laconic.engines import registry
from laconic.objective import Counting, Kind, Objective, Problem

LIMIT = 10.0
PERFECT = Objective(Kind.PERFECT)
SPARSE = Objective(Kind.SPARSE, 0.005)
JOINT = Objective(Kind.SPARSE, 0.005, Counting.PER_ROW)
EVERY = Objective(Kind.SPARSE, 0.005, every_class=True)

RUNS = [
    ("exact", PERFECT, {}),
    ("exact", SPARSE, {}),
    ("exact", JOINT, {}),
    ("exact", EVERY, {}),
    ("sat", PERFECT, {}),
    ("sat", PERFECT, {"separated": False}),
    ("sat", PERFECT, {"warm_start": False}),
    ("maxsat", PERFECT, {}),
    ("maxsat", PERFECT, {"separated": False}),
    ("maxsat", SPARSE, {}),
    ("maxsat", SPARSE, {"model": "unused"}),
    ("maxsat", JOINT, {}),
    ("maxsat", EVERY, {}),
]


def main() -> None:
    table = cp20.training_table(cp20.Task("wdbc", 4, 1))
    late = False
    for name, objective, options in RUNS:
        problem = Problem.of(table, objective)
        start = time.monotonic()
        solution = registry.get(name)(problem, budget=Budget(LIMIT), options=options)
        seconds = time.monotonic() - start
        late = late or seconds > LIMIT + 1
        every = " every_class" if objective.every_class else ""
        what = f"{name} {objective.kind.value} {objective.counting.value}{every}"
        print(
            f"{what:45} {options!s:30} {seconds:6.2f} s   cost {solution.cost}  bound {solution.lower_bound}",
            flush=True,
        )
    sys.exit(late)


if __name__ == "__main__":
    main()
