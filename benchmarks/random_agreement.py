"""The exact engine against exhaustive search and MaxSAT on random tables (`make bench-random`).

Every seed gives one table and one objective. Tables have repeated and contradicting rows, weights, classes
without rows, and forbidden literals. Small tables are compared with the oracle, larger ones with MaxSAT if it
proves its answer within a few seconds. Perfect sets are searched in both ways, by listing all rules and by
column generation. A few tables are larger still and searched twice, once with a very short limit: its bound
must not exceed the optimum. A disagreement stops the run and prints the seed. The numbers of agreements are
added up in a CSV; the run can be stopped and resumed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

import numpy as np

from benchmarks.support.study import FOLDER, Results, write
from laconic.data.table import Table
from laconic.engines.registry import entry, get
from laconic.problem.objective import Counting, Default, Kind, Objective, Problem
from laconic.runtime.budget import Budget

FIELDS = ["objective", "oracle", "maxsat", "maxsat_unfinished", "stopped_early", "next_seed"]
RESULTS = Results(FOLDER / "random_agreement.csv", FIELDS, ["objective"])
PRICES = (0.01, 0.02, 0.03, 0.07, 0.1, 0.25)
OBJECTIVES = {
    "perfect": [Objective(Kind.PERFECT)],
    "min_rules": [Objective(Kind.MIN_RULES)],
    "min_rules_then_literals": [Objective(Kind.MIN_RULES_THEN_LITERALS)],
    "sparse": [Objective(Kind.SPARSE, price) for price in PRICES],
    "sparse, per row": [Objective(Kind.SPARSE, price, Counting.PER_ROW) for price in PRICES],
    "sparse, every class": [Objective(Kind.SPARSE, price, every_class=True) for price in PRICES],
    "sparse, otherwise": [Objective(Kind.SPARSE, price, default=Default.OTHERWISE) for price in PRICES],
    "perfect, otherwise": [Objective(Kind.PERFECT, default=Default.OTHERWISE)],
}
MAXSAT_SECONDS = 3.0
LONGEST = 10.0
SIZES = {"small": (16, 6), "medium": (40, 8), "large": (300, 14)}
"""Maximum numbers of rows and features. The oracle takes small tables; for errors per row, 3 features."""


def main() -> None:
    options = arguments()
    totals = {name: Counter[str](dict.fromkeys(FIELDS[1:], 0)) for name in OBJECTIVES}
    for row in RESULTS.rows():
        totals[row["objective"]].update({field: int(row[field]) for field in FIELDS[1:]})
    end = time.monotonic() + options.seconds
    try:
        for n_left, name in zip(range(len(options.objective), 0, -1), options.objective, strict=True):
            now = time.monotonic()
            while time.monotonic() < now + (end - now) / n_left:
                one(name, totals[name]["next_seed"], totals[name])
                totals[name]["next_seed"] += 1
    finally:
        write(RESULTS.path, FIELDS, ({"objective": name, **total} for name, total in totals.items()))
    for name, total in totals.items():
        print(name, dict(total))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=600.0, help="of this slice")
    parser.add_argument("--objective", nargs="*", choices=list(OBJECTIVES), default=list(OBJECTIVES))
    return parser.parse_args()


def one(name: str, seed: int, total: Counter[str]) -> None:
    """Compare the engines on one table, which the objective's name and the seed determine."""
    rng = np.random.default_rng([list(OBJECTIVES).index(name), seed])
    prices = OBJECTIVES[name]
    objective = prices[int(rng.integers(len(prices)))]
    size = str(rng.choice(list(SIZES), p=(0.9, 0.08, 0.02)))
    problem = random_problem(rng, objective, size)
    if problem is None:
        return
    if size == "large":
        stop_early(name, seed, problem, 10 ** rng.uniform(-4, -1), total)
        return
    answers = [get("exact")(problem, budget=Budget())]
    if problem.hard:
        answers.append(solve_by_columns(problem))
    if any(answer.cost != answer.lower_bound for answer in answers):
        sys.exit(f"{name}, seed {seed}: not proved")
    costs = {answer.cost for answer in answers}
    if size == "small":
        costs.add(get("brute")(problem, budget=Budget()).cost)
        total["oracle"] += 1
    elif entry("maxsat").supports(problem):
        other = get("maxsat")(problem, budget=Budget(MAXSAT_SECONDS))
        proved = other.cost == other.lower_bound
        total["maxsat" if proved else "maxsat_unfinished"] += 1
        costs |= {other.cost} if proved else set()
    if len(costs) > 1:
        sys.exit(f"{name}, seed {seed}: {costs}")


def stop_early(name: str, seed: int, problem: Problem, seconds: float, total: Counter[str]) -> None:
    """Compare the bounds of a search that is stopped early with its final result."""
    hurried, whole = (get("exact")(problem, budget=Budget(limit)) for limit in (seconds, LONGEST))
    if not hurried.lower_bound <= whole.cost or not whole.lower_bound <= hurried.cost:
        sys.exit(
            f"{name}, seed {seed}: stopped at {hurried.lower_bound}, {hurried.cost}; {whole.cost} in the end"
        )
    total["stopped_early"] += hurried.cost != hurried.lower_bound


def random_problem(rng: np.random.Generator, objective: Objective, size: str) -> Problem | None:
    """Return a problem, or ``None`` if forbidden literals leave no perfect set."""
    most_rows, most_features = SIZES[size]
    if size == "small" and objective.counting is Counting.PER_ROW:
        most_features = 3
    n_features = int(rng.integers(1, most_features + 1))
    n_samples = int(rng.integers(1, most_rows + 1))
    n_classes = int(rng.integers(2, 5 if objective.counting is Counting.PER_CLASS else 4))
    features = rng.random((n_samples, n_features)) < rng.uniform(0.2, 0.8)
    labels = rng.integers(0, n_classes, n_samples)
    weights = rng.integers(1, 5, n_samples) / int(rng.choice([1, 2, 10])) if rng.random() < 0.5 else None
    allowed = rng.random((n_features, 2)) < (0.9 if rng.random() < 0.3 else 1.0)
    table = Table.from_arrays(features, labels, weights, n_classes=n_classes, allowed=allowed)
    problem = Problem.of(table, objective)
    return None if problem.hard and not separable_by(problem.table) else problem


def separable_by(table: Table) -> bool:
    """Return whether allowed literals separate every two rows of different classes, in both directions."""
    classes = table.weights.argmax(axis=1)
    for i, row in enumerate(table.matrix):
        usable = table.allowed[np.arange(table.n_features), row.astype(int)]
        others = table.matrix[classes != classes[i]]
        if not ((others != row) & usable).any(axis=1).all():
            return False
    return True


def solve_by_columns(problem: Problem):
    """Solve a perfect problem in the way of large tables: by column generation."""
    return get("exact")(problem, budget=Budget(), options={"cover_words_listed": 0})


if __name__ == "__main__":
    main()
