"""Ablations of the exact engine: one option changed at a time, on a sample of the paper's tables.

    python -m benchmarks.ablations                     # make bench-ablations: measure, then write the page
    python -m benchmarks.ablations --stop-after 900
    python -m benchmarks.ablations --page              # only write docs/ablations.md from the results

Each variant gives the exact engine other values of some options (`laconic engines --options`) and solves the
first folds named in `SPARSE` or `PERFECT`, on one thread. A search ends when the optimum is proved or after a
number of units of work, so sets, bounds and counts are the same on every machine; processor time is that of
the search in a process of its own. The run can be stopped and resumed: the results are a line per variant and
table in ``benchmarks/results/ablations.csv``.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.support import cp20, study
from benchmarks.support.study import FOLDER, Results, Row
from laconic.engines import registry
from laconic.engines.tuning import options
from laconic.problem.objective import Kind, Objective, Problem
from laconic.runtime.budget import Budget

PAGE = Path(__file__).parents[1] / "docs" / "ablations.md"
KEY = ("variant", "objective", "dataset", "quantisation")
FIELDS = [*KEY, "options", "cost", "lower_bound", "proved", "nodes", "cpu_s"]
RESULTS = Results(FOLDER / "ablations.csv", FIELDS, KEY)
WORK, SECONDS = 300_000, 120.0
"""Units of work of each class search, and a limit of seconds that no search should meet."""
NOISE = 0.05
"""Difference of mean ratios from 1 that says nothing on a machine shared with other programs."""

SPARSE = [
    ("glass", 4), ("cleveland", 2), ("colic", 2), ("heart-h", 3), ("contraceptive", 3),
    ("heart-statlog", 4), ("magic", 3), ("australian", 4), ("diabetes", 3), ("colic", 3),
]  # fmt: skip
PERFECT = [
    ("ilpd", 4), ("heart-statlog", 3), ("hepatitis", 3), ("cleveland", 4), ("ionosphere", 2),
    ("backache", 4), ("cleve", 4),
]  # fmt: skip
OBJECTIVES = {
    "sparse": (Objective(Kind.SPARSE, 0.005), SPARSE),
    "perfect": (Objective(Kind.PERFECT), PERFECT),
}


@dataclass(frozen=True)
class Variant:
    """Options that differ from the defaults, and what that does."""

    name: str
    objective: str
    what: str
    values: dict[str, float]


def halved_and_doubled(objective: str, name: str) -> list[Variant]:
    """Return the variants with half and twice the default of an option."""
    option = options()[name]
    return [
        Variant(f"{name} {word}", objective, option.help, {name: option.number(factor * option.default)})
        for word, factor in (("halved", 0.5), ("doubled", 2))
    ]


VARIANTS = [
    Variant("defaults", "sparse", "", {}),
    Variant("no listing at once", "sparse", "Column generation on every table.", {"sparse_list_rules": 0}),
    Variant("no centre", "sparse", "Complete passes at the ascended dual at once.", {"pass_trust": 1}),
    Variant(
        "all rows in passes",
        "sparse",
        "Rows with hardly a price and small shares of blame stay.",
        {"pass_spare_prices": 0, "pass_spare_blame": 0},
    ),
    Variant(
        "fine groups at once",
        "sparse",
        "The groups are as fine as the rules of the list allow from the first round.",
        {"sparse_first_pairs": 16_000_000},
    ),
    Variant(
        "deep partial passes", "sparse", "Partial passes try all literals.", {"pass_partial_width": 1_000_000}
    ),
    Variant(
        "whole lists", "sparse", "Each step of an ascent scans the whole list.", {"ascent_scan_every": 1}
    ),
    Variant("all shares", "sparse", "Each step moves all shares of blame.", {"ascent_all_every": 1}),
    Variant(
        "no sets tried",
        "sparse",
        "Short lists of survivors go to branch and bound, too.",
        {"sparse_sets_tried": 0},
    ),
    Variant("no dominance", "sparse", "Listed rules are not compared pairwise.", {"list_dominance": 0}),
    Variant(
        "kinds in turn",
        "sparse",
        "Branching asks about rules, positives and negatives in turn.",
        {"list_branching_tries": 1_000_000},
    ),
    *halved_and_doubled("sparse", "sparse_steps"),
    *halved_and_doubled("sparse", "sparse_joining"),
    *halved_and_doubled("sparse", "list_steps"),
    *halved_and_doubled("sparse", "ascent_dual_steps"),
    Variant("defaults", "perfect", "", {}),
    Variant(
        "no listing", "perfect", "Column generation instead of listing all rules.", {"cover_words_listed": 0}
    ),
    Variant(
        "no local search", "perfect", "Covers are neither swapped nor rebuilt.", {"cover_local_steps": 0}
    ),
    Variant(
        "simplex at once", "perfect", "One round of the subgradient's prices.", {"cover_approach_rounds": 1}
    ),
    Variant(
        "no cuts", "perfect", "No zero-half cuts.", {"branch_cut_rounds": 0, "branch_root_cut_rounds": 0}
    ),
    Variant("cuts at the root only", "perfect", "No cuts below the root.", {"branch_cut_rounds": 0}),
    Variant("no strong branching", "perfect", "The first pair of rows is taken.", {"branch_pairs_tried": 1}),
    Variant(
        "no packing",
        "perfect",
        "Exact pricing does not tighten its nodes by packings.",
        {"cover_seed_tightenings": 0},
    ),
    Variant(
        "exact margins",
        "perfect",
        "Exact pricing looks for the least violation at once.",
        {"cover_margin": 0},
    ),
    *halved_and_doubled("perfect", "cover_kept_per_seed"),
]


def main() -> None:
    parser = study.arguments(__doc__, results=RESULTS.path, only=True, summary=False)
    parser.add_argument("--page", action="store_true", help="only write docs/ablations.md from the results")
    asked = parser.parse_args()
    results = Results(asked.results, FIELDS, KEY)
    if not asked.page:
        measured = partial(study.isolated, measure)
        study.run(results, plan(asked.only), measured, stop_after=asked.stop_after)
    PAGE.write_text(page(results.latest()), encoding="utf-8")


def plan(only: Sequence[str]):
    for variant in VARIANTS:
        for dataset, quantisation in OBJECTIVES[variant.objective][1]:
            task = cp20.Task(dataset, quantisation, 1)
            if task.is_among(only):
                yield (variant.name, variant.objective, dataset, quantisation), (task, variant)


def measure(task: cp20.Task, variant: Variant) -> dict[str, object]:
    """Solve one table with the options of a variant."""
    problem = Problem.of(cp20.training_table(task), OBJECTIVES[variant.objective][0])
    began = time.process_time()
    solution = registry.get("exact")(problem, budget=Budget().within(WORK, SECONDS), options=variant.values)
    counts = solution.counts
    return {
        "options": " ".join(f"{name}={value:g}" for name, value in variant.values.items()),
        "cost": solution.cost,
        "lower_bound": solution.lower_bound,
        "proved": int(solution.cost == solution.lower_bound),
        "nodes": counts.get("nodes", 0) + counts.get("pricing_nodes", 0),
        "cpu_s": f"{time.process_time() - began:.3f}",
    }


def page(rows: list[Row]) -> str:
    """Return docs/ablations.md."""
    parts = [HEAD]
    for objective, title in (("sparse", "Sparse sets, λ = 0.005"), ("perfect", "Perfect sets")):
        mine = [row for row in rows if row["objective"] == objective]
        parts.append(f"## {title}\n\n{table_of(mine, objective)}\n")
    return "\n".join(parts)


def table_of(rows: list[Row], objective: str) -> str:
    """Return the variants of an objective, compared with the defaults on the same tables."""
    by_variant = {
        variant.name: {
            (row["dataset"], row["quantisation"]): row for row in rows if row["variant"] == variant.name
        }
        for variant in VARIANTS
        if variant.objective == objective
    }
    base = by_variant["defaults"]
    total = sum(float(row["cpu_s"]) for row in base.values())
    quiet: list[str] = []
    lines = [
        f"{len(base)} tables; with the defaults {sum(row['proved'] == '1' for row in base.values())} proved, "
        f"{total:.1f} s of processor time in all.\n",
        "| variant | options | proved | worse sets | time, mean ratio | largest ratio | nodes, mean ratio |",
        "|---|---|---|---|---|---|---|",
    ]
    for variant in VARIANTS:
        found = by_variant.get(variant.name, {}) if variant.objective == objective else {}
        same = [key for key in found if key in base]
        if variant.name == "defaults" or not same:
            continue
        times = [float(found[key]["cpu_s"]) / max(0.001, float(base[key]["cpu_s"])) for key in same]
        nodes = [(1 + int(found[key]["nodes"])) / (1 + int(base[key]["nodes"])) for key in same]
        worse = sum(int(found[key]["cost"]) > int(base[key]["cost"]) for key in same)
        proved = sum(found[key]["proved"] == "1" for key in same)
        values = ", ".join(
            f"`{name}={options()[name].text(value)}`" for name, value in variant.values.items()
        )
        what = "" if " halved" in variant.name or " doubled" in variant.name else f": {variant.what}"
        if abs(mean(times) - 1) < NOISE and max(times) < 1.2 and proved == len(same) and not worse:
            quiet.append(variant.name)
        lines.append(
            f"| {variant.name}{what} | {values} | {proved} of {len(same)} | {worse} | {mean(times):.2f} | "
            f"{max(times):.2f} | {mean(nodes):.2f} |"
        )
    if quiet:
        lines.append(
            f"\nHardly any difference on these tables: {', '.join(quiet)}. Such options matter, if at all, "
            "on other tables."
        )
    return "\n".join(lines)


def mean(ratios: Sequence[float]) -> float:
    """Return the geometric mean."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


HEAD = f"""# Options and ablations

The native searches of the exact engine have {len(options())} tuning constants. They are one table, `native/src/base/options.hpp`: name, default, range, help. `laconic engines --options` (also with `--json`) lists it, and
values are set by name, so an ablation needs no compiler:

```
laconic fit data.csv --target class --engine-option sparse_list_rules=0 --engine-option pass_trust=0.7
DecisionSetClassifier(engine_options={{"sparse_list_rules": 0, "pass_trust": 0.7}})
```

A name that does not exist or a value outside its range is refused. Searches on remote workers and copies made by `clone` or a grid search keep the options. They apply to all native searches of a fit but those that choose λ
(`regularization="auto"`), so that options never change which λ is chosen; certificates, near-optimal sets and the fronts of `DecisionSetPath` are made with the defaults.

**What options can change.** Bounds are proved in integers and sets are priced exactly, whatever the values: a test solves random tables with random values from all over the ranges and compares with exhaustive search. So options change the work, what is found within a limit, and which of
several optimal sets is found. Model files do not record them, as they record neither seed nor limits: a file states what was proved, by which version, and [that can be checked](certificates.md) without knowing how it was found.

## The measurement

The command is `make bench-ablations` (`benchmarks/results/ablations.csv`, resumable). Each variant changes the options named and nothing else, on first folds of the paper's tables that take the defaults between a twentieth of a second and two seconds of processor time, on one thread. A search ends with a proof or
after {WORK:,} units of work per class. Times are processor times on a machine shared with other programs; ratios are to the defaults on the same table, and a mean ratio within {NOISE} of 1 is noise. *Worse sets* counts tables on which the set found costs more than with the defaults. A search that ends without a proof counts with the time until then, so where fewer tables
are proved the ratios flatter the variant. *Nodes* are those of branch and bound and of pricing together, mostly of pricing; some variants trade nodes for steps of the ascent, which it does not count. This page is written by the command.
"""  # noqa: E501


if __name__ == "__main__":
    main()
