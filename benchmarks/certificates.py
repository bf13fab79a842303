"""Certificates for the paper's training sets: created, checked, and attacked.

    python -m benchmarks.certificates --seconds 20 --stop-after 600

Each line of ``benchmarks/results/certificates.csv`` is one training set under one objective: solved,
certified, written to JSON, read again and checked by the independent checker. Then a sample of its entries is
edited, with the old seal and with a new one. A second run skips existing lines. ``--summary`` prints the
contents of the file. Times exclude reading the data; the check includes reading the certificate. Limits are
in processor time.
"""

from __future__ import annotations

import math
import random
import statistics
import time
from collections.abc import Iterator
from functools import partial

from tests.support.checking.mutations import mutations

from benchmarks.support import cp20, study
from benchmarks.support.study import FOLDER, Results, Row
from laconic.checking import checker
from laconic.checking.certify.certificate import Certificate, class_by_class, loads
from laconic.checking.certify.certify import check_table, strongest
from laconic.checking.certify.effort import Effort
from laconic.data.table import table_digest
from laconic.data.words import as_fraction
from laconic.engines import registry
from laconic.engines.api import Solution
from laconic.problem.objective import Counting, Kind, Objective, Problem
from laconic.runtime.budget import Budget
from laconic.runtime.errors import CertificateError

MODES = {
    "sparse 0.5": Objective(Kind.SPARSE, 0.5),
    "sparse 0.05": Objective(Kind.SPARSE, 0.05),
    "sparse 0.005": Objective(Kind.SPARSE, 0.005),
    "every class 0.5": Objective(Kind.SPARSE, 0.5, every_class=True),
    "every class 0.05": Objective(Kind.SPARSE, 0.05, every_class=True),
    "per row 0.05": Objective(Kind.SPARSE, 0.05, Counting.PER_ROW),
    "perfect": Objective(Kind.PERFECT),
    "min rules": Objective(Kind.MIN_RULES),
    "min rules then literals": Objective(Kind.MIN_RULES_THEN_LITERALS),
}
KEY = ("dataset", "quantisation", "fold", "mode")
FIELDS = [
    *KEY, "limit_s", "rows", "features", "cost", "engine_bound",
    "certified_bound", "verdict", "solve_s", "certify_s", "check_s", "bytes", "leaves", "edits",
    "edits_rejected", "forgeries", "forgeries_rejected", "forgeries_true",
]  # fmt: skip
RESULTS = FOLDER / "certificates.csv"
QUICK = 0.2
"""Maximum number of seconds of a check up to which edits with a new seal are tried as well."""


def made(task: cp20.Task, mode: str, seconds: float) -> tuple[Solution, str, float, float]:
    """Return the solution of a training set, the text of its certificate, and the seconds that both took."""
    objective, table = MODES[mode], cp20.training_table(task)
    problem = Problem.of(table, objective)
    start = time.perf_counter()
    solution = registry.get("exact")(problem, budget=Budget(seconds, clock=time.process_time))
    solved = time.perf_counter() - start
    share = as_fraction(objective.regularization)
    facts = {
        "format": "laconic certificate",
        "schema_version": 1,
        "table_digest": table_digest(table),
        "objective": objective.kind.value,
        "counting": objective.counting.value,
        "every_class": objective.every_class,
        "regularization": [share.numerator, share.denominator] if objective.kind is Kind.SPARSE else None,
        "cost": solution.cost,
        "rules": [[rule.target, *rule.literals] for rule in solution.rules],
    }
    start = time.perf_counter()
    text = Certificate(strongest(facts, table, Budget(seconds, clock=time.process_time))).to_json()
    return solution, text, solved, time.perf_counter() - start


def measure(task: cp20.Task, mode: str, seconds: float, n_edits: int) -> dict[str, object]:
    table = cp20.training_table(task)
    solution, text, solved, certified = made(task, mode, seconds)
    start = time.perf_counter()
    certificate = loads(text)
    verdict = check_table(certificate, table, 10 * seconds)
    checked = time.perf_counter() - start
    proofs = [part["proof"] for part in class_by_class(certificate.content)["proofs"]]
    return {
        "limit_s": seconds,
        "rows": table.n_rows,
        "features": table.n_features,
        "cost": solution.cost,
        "engine_bound": solution.lower_bound,
        "certified_bound": certificate.lower_bound,
        "verdict": "optimal" if verdict.optimal else "bound" if verdict.holds else verdict.problem,
        "solve_s": f"{solved:.4f}",
        "certify_s": f"{certified:.4f}",
        "check_s": f"{checked:.4f}",
        "bytes": len(text.encode()),
        "leaves": sum(map(leaves, proofs)),
        **attack(certificate, table, f"{task} {mode}", n_edits, forge=checked < QUICK),
    }


def leaves(node: dict[str, object]) -> int:
    return leaves(node["some"]) + leaves(node["none"]) if "rows" in node else 1


def attack(
    certificate: Certificate, table: object, seed: str, n_edits: int, *, forge: bool
) -> dict[str, int]:
    """Edit single entries at random, with the old seal and, if checks are fast, with a new one."""
    counts = dict.fromkeys(FIELDS[-5:], 0)
    everything = mutations(certificate.content)
    sample = reservoir(everything, n_edits, random.Random(seed))
    for changed in sample:
        if not isinstance(changed, dict):
            continue
        counts["edits"] += 1
        counts["edits_rejected"] += proved(changed, table) is None
        if not forge:
            continue
        try:
            forged = {**changed, "seal": checker.seal(changed)}
        except checker.Malformed:
            continue
        try:
            outcome = proved(forged, table)
        except TimeoutError:  # neither accepted nor rejected, so not counted
            continue
        counts["forgeries"] += 1
        counts["forgeries_rejected"] += outcome is None
        # A smaller price or share may leave the proof valid; then the statement must not have changed.
        stated = ("objective", "counting", "every_class", "regularization", "rules")
        same = all(forged.get(key) == certificate.content.get(key) for key in stated)
        if outcome is not None and same:
            assert outcome == (certificate.cost, certificate.lower_bound), outcome
        counts["forgeries_true"] += outcome is not None
    return counts


def reservoir(items, n, rng):
    kept = []
    for number, (_, item) in enumerate(items):
        if number < n:
            kept.append(item)
        elif (place := rng.randrange(number + 1)) < n:
            kept[place] = item
        if number > 20_000:
            break
    return kept


def proved(document, table):
    if "compiled_constraints" not in document:
        try:
            return checker.check(document, table, Effort(20))
        except (checker.Malformed, checker.Refuted):
            return None
    try:  # a proof of all classes together
        verdict = check_table(Certificate(document), table, 20.0)
    except CertificateError:
        return None
    if not verdict.decided:
        raise TimeoutError
    return (verdict.cost, verdict.lower_bound) if verdict.holds else None


def summary(rows: list[Row]) -> None:
    n_sets = len({(row["dataset"], row["quantisation"], row["fold"]) for row in rows})
    print(f"{len(rows)} certificates of {n_sets} training sets")
    print(
        f"{'mode':24} {'sets':>5} {'hold':>6} {'optimal':>8} {'proved':>10} {'bytes':>7} {'solve ms':>9}"
        f" {'certify ms':>11} {'check ms':>9} {'max check s':>12}"
    )
    for mode in (*MODES, "all"):
        here = [row for row in rows if mode in (row["mode"], "all")]
        if not here:
            continue
        holds = [row for row in here if row["verdict"] in {"optimal", "bound"}]
        proved_by_engine = [row for row in here if row["cost"] == row["engine_bound"]]
        optimal = [row for row in here if row["verdict"] == "optimal"]
        median = {
            field: statistics.median(float(row[field]) for row in here)
            for field in ("bytes", "solve_s", "certify_s", "check_s")
        }
        print(
            f"{mode:24} {len(here):5} {len(holds):6} {len(optimal):8} {len(proved_by_engine):10}"
            f" {median['bytes']:7.0f} {1000 * median['solve_s']:9.1f} {1000 * median['certify_s']:11.1f}"
            f" {1000 * median['check_s']:9.1f} {max(float(row['check_s']) for row in here):12.1f}"
        )
    total = {field: sum(int(row[field]) for row in rows) for field in FIELDS[-5:]}
    print(
        f"edits {total['edits']}, rejected {total['edits_rejected']}; "
        f"forgeries with a new seal {total['forgeries']}, rejected {total['forgeries_rejected']}, "
        f"accepted, with nothing untrue in them, {total['forgeries_true']}"
    )


def as_line(row: Row) -> str:
    task = cp20.Task(row["dataset"], row["quantisation"], row["fold"])
    return (
        f"{task} {row['mode']}: {row['cost']} >= {row['certified_bound']} {row['verdict']}; "
        f"solve {row['solve_s']}, certify {row['certify_s']}, check {row['check_s']} s, {row['bytes']} bytes"
    )


def plan(options) -> Iterator[tuple[tuple[object, ...], tuple[object, ...]]]:
    for place, task in enumerate(cp20.tasks(options.folds)):
        if not task.is_among(options.only):
            continue
        if len(cp20.split(task).training.labels) > options.max_rows:
            continue
        turn = (place // 3 + 3 * (place % 3) + task.fold) % len(options.modes)
        for mode in [options.modes[turn]] if options.mixed else options.modes:
            key = (task.dataset, task.quantisation, task.fold, mode)
            yield key, (task, mode, options.seconds, options.edits)


def main() -> None:
    parser = study.arguments(__doc__, results=RESULTS, only=True)
    parser.add_argument("--seconds", type=float, default=20.0, help="for the search, and again for the proof")
    parser.add_argument("--edits", type=int, default=40, help="per certificate")
    parser.add_argument("--folds", type=int, nargs="*", default=[1])
    parser.add_argument("--mixed", action="store_true", help="one objective per training set, by turns")
    parser.add_argument("--modes", nargs="*", default=list(MODES), choices=list(MODES))
    parser.add_argument("--max-rows", type=float, default=math.inf)
    options = parser.parse_args()
    results = Results(options.results, FIELDS, KEY)
    measured = partial(study.isolated, measure)
    study.carry_out(options, results, plan(options), measured, summary, tell=as_line)


if __name__ == "__main__":
    main()
