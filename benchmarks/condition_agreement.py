"""Every threshold and every group of categories against exhaustive search, on random tables.

    python -m benchmarks.condition_agreement --tables 300

Each objective gets so many more tables of each kind; a disagreement stops the run and prints the seed. The
CSV holds how many tables agreed.
"""

from __future__ import annotations

import sys

import numpy as np
from tests.support.condition_tables import OBJECTIVES, check_groups, check_thresholds

from benchmarks.support import study
from benchmarks.support.study import FOLDER, Results, write

KINDS = {"every threshold": check_thresholds, "every group": check_groups}
RESULTS = Results(
    FOLDER / "condition_agreement.csv", ["conditions", "objective", "tables"], ["conditions", "objective"]
)


def main() -> None:
    parser = study.arguments(__doc__)
    parser.add_argument("--tables", type=int, default=300, help="tables of each kind and objective")
    given = parser.parse_args()
    agreed = {(row["conditions"], row["objective"]): int(row["tables"]) for row in RESULTS.rows()}
    if not given.summary:
        for kind, check in KINDS.items():
            for objective in OBJECTIVES:
                first = agreed.get((kind, objective), 0)
                for seed in range(first, first + given.tables):
                    try:
                        check(np.random.default_rng([len(kind), seed]), objective, seed)
                    except AssertionError as error:
                        sys.exit(f"{kind}, {objective}, seed {seed}: {error}")
                agreed[kind, objective] = first + given.tables
                rows = ({"conditions": a, "objective": b, "tables": n} for (a, b), n in agreed.items())
                write(RESULTS.path, RESULTS.fields, rows)
    for (kind, objective), n in agreed.items():
        print(f"{kind}, {objective}: {n} tables, no disagreement")


if __name__ == "__main__":
    main()
