"""The exact engine against MinDS on the paper's first folds, in one run (`make bench-minds`).

Perfect sets are compared with the faster of MinDS `satls` and `2stage`, and sparse sets (with a rule for
every class, as in MinDS) with `sparse`. Both sides get the same rows: contradictions are reduced to their
majority, and columns that are constant in the fold are dropped, because MinDS fails on them. The times are
CPU seconds of the solve, with encoding and without reading. MinDS gets ``--limit`` seconds; a training set
that it does not solve is in the CSV but not in the ratios. Small training sets come first; the run can be
stopped and resumed. ``--summary`` prints the contents of the CSV.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

from benchmarks.support import cp20, study
from benchmarks.support.minds import answer, optimum, require_minds, rows_of, run_minds, with_silent_rules
from benchmarks.support.study import FOLDER, Results, Row
from laconic.data.table import Table
from laconic.engines.registry import get
from laconic.problem.objective import Kind, Objective, Problem
from laconic.runtime.budget import Budget

KEY = ("mode", "dataset", "quantisation")
FIELDS = [
    *KEY, "limit_s", "laconic_s", "minds_s", "minds_approach",
    "laconic_optimum", "minds_optimum",
]  # fmt: skip
ALONE_S = 10.0  # our time limit if MinDS has no answer
MODES: dict[str, tuple[str | None, tuple[tuple[str, ...], ...]]] = {
    "sp[0.5]": ("0.5", (("-a", "sparse", "--lambda", "0.5", "-w"),)),
    "sp[0.05]": ("0.05", (("-a", "sparse", "--lambda", "0.05", "-w"),)),
    "perfect": (None, (("-a", "2stage", "-B", "-w"), ("-a", "satls", "-w"))),
    "sp[0.005]": ("0.005", (("-a", "sparse", "--lambda", "0.005", "-w"),)),
}


def main() -> None:
    parser = study.arguments(__doc__, results=FOLDER / "exact_vs_minds.csv")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for MinDS")
    parser.add_argument("--mode", nargs="*", choices=list(MODES), default=list(MODES))
    parser.add_argument(
        "--largest-first", action="store_true", help="for a second process beside one that goes the other way"
    )
    options = parser.parse_args()
    results = Results(options.results, FIELDS, KEY)
    study.carry_out(options, results, plan(options), compare, summary)


def plan(options) -> Iterator[tuple[tuple[object, ...], tuple[object, ...]]]:
    require_minds()
    tables = sized_tables()[:: -1 if options.largest_first else 1]
    for mode in options.mode:
        for task, table in tables:
            yield (mode, task.dataset, task.quantisation), (mode, table, options.limit)


def sized_tables() -> list[tuple[cp20.Task, Table]]:
    tables = [(task, varying(cp20.training_table(task).reduced_to_majority())) for task in cp20.tasks((1,))]
    return sorted(tables, key=lambda pair: pair[1].n_rows * pair[1].n_features)


def varying(table: Table) -> Table:
    """Return the table without its constant columns."""
    rows = rows_of(table)
    varies = rows.matrix.any(axis=0) & ~rows.matrix.all(axis=0)
    return Table.from_arrays(rows.matrix[:, varies], rows.labels)


def compare(mode: str, table: Table, limit: float) -> dict[str, object]:
    regularization, approaches = MODES[mode]
    answers = []
    for flags in approaches:
        # Only the fastest approach counts, so a slower one is cut off (its start takes a while).
        fastest = min((seconds for seconds, _, _ in answers), default=limit)
        found = run_minds(table, *flags, limit=min(limit, 2 * fastest + 5))
        if found is not None:
            answers.append((found["seconds"], flags[1], found))
    ours = solve(table, regularization, limit if answers else min(limit, ALONE_S))
    row: dict[str, object] = {
        "limit_s": limit,
        "laconic_s": "" if ours is None else round(ours["seconds"], 6),
        "minds_s": "",
        "minds_approach": "",
        "laconic_optimum": optimum(table, ours, regularization),
        "minds_optimum": "",
    }
    if answers:
        seconds, approach, found = min(answers, key=lambda answer: answer[0])
        row |= {"minds_s": round(seconds, 6), "minds_approach": approach}
        row["minds_optimum"] = optimum(table, found, regularization)
        if ours is not None and found["contradictory"]:
            # MinDS counts a contradictory body as a rule.
            row["laconic_optimum"] = optimum(
                table, with_silent_rules(table, ours, regularization), regularization
            )
    return row


def solve(table: Table, regularization: str | None, limit: float) -> dict | None:
    """Return our proved answer and the median CPU time of up to three solves."""
    if regularization is None:
        objective = Objective(Kind.PERFECT)
    else:
        objective = Objective(Kind.SPARSE, float(regularization), every_class=True)
    seconds = []
    while not seconds or (len(seconds) < 3 and seconds[0] < 1):
        started = time.process_time()
        problem = Problem.of(table, objective)
        solution = get("exact")(problem, budget=Budget(limit))
        seconds.append(time.process_time() - started)
    if solution.cost != solution.lower_bound:
        return None
    return answer(problem, solution, statistics.median(seconds))


def summary(rows: list[Row]) -> list[str]:
    """Print ratios by mode; return the differences in optima and the slower solves above 0.1 s."""
    problems = []
    together: list[float] = []
    for mode in MODES:
        tried = [row for row in rows if row["mode"] == mode]
        both = [row for row in tried if row["minds_s"] and row["laconic_s"]]
        if not both:
            continue
        ratios = [float(row["minds_s"]) / float(row["laconic_s"]) for row in both]
        mean = statistics.geometric_mean(ratios)
        together += ratios
        alone = sum(bool(row["laconic_s"]) and not row["minds_s"] for row in tried)
        print(
            f"{mode}: {mean:.0f} times faster (geometric mean of the {len(both)} training sets that MinDS "
            f"solves; least {min(ratios):.1f}, most {max(ratios):.0f}); {alone} solved by us alone, "
            f"{len(tried)} tried"
        )
        for row, ratio in zip(both, ratios, strict=True):
            name = f"{mode} {row['dataset']} {row['quantisation']}"
            if row["laconic_optimum"] != row["minds_optimum"]:
                problems.append(f"different optima: {name}: {row['laconic_optimum']}, {row['minds_optimum']}")
            if ratio < 1 and float(row["laconic_s"]) > 0.1:
                problems.append(f"slower: {name}: ratio {ratio:.2f}")
        problems += [
            f"solved by MinDS alone: {mode} {row['dataset']} {row['quantisation']}"
            for row in tried
            if row["minds_s"] and not row["laconic_s"]
        ]
    if together and not problems:
        mean = statistics.geometric_mean(together)
        print(f"all together: {mean:.0f} times faster (geometric mean of {len(together)})")
        print("same optimum wherever both finished; nowhere slower above 0.1 s")
    return problems


if __name__ == "__main__":
    main()
