"""The verified checker and the Python checker on the same certificates, and on edits of them under new seals.

    python -m benchmarks.verified --stop-after 600

Each line of ``benchmarks/results/verified.csv`` is one certificate of ``certificates.csv``, created again and
kept in ``build/certificates``: the verdicts of both checkers and their times, then the number of edits on
which they agree. Where errors are counted per row, it is the part with the proofs of single classes. The time
of the verified checker is that of ``laconic verify --verified`` after the data are read: the canonical text,
the start of the program, its answer. Edits get a new seal, so that only the proof can reveal them. They are
tried if the Python checker is fast; edits that a checker does not decide in time are counted separately. Both
wall and processor seconds are stored, since only the latter are meaningful on a busy machine. A second run
skips existing lines. Edits on which the checkers differ are kept in ``build/certificates/differences``.
``--summary`` prints the contents of the file.
"""

from __future__ import annotations

import json
import random
import resource
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial

from tests.support.checking.mutations import mutations

from benchmarks import certificates
from benchmarks.support import cp20, study
from benchmarks.support.study import FOLDER, Results, Row
from laconic.checking import checker
from laconic.checking.certify import verified
from laconic.checking.certify.canonical import canonical_text, merged_table_text
from laconic.checking.certify.certificate import class_by_class, loads
from laconic.checking.certify.effort import Effort

KEPT = FOLDER.parents[1] / "build" / "certificates"
RESULTS = FOLDER / "verified.csv"
KEY = certificates.KEY
FIELDS = [
    *KEY, "rows", "features", "bytes", "text_bytes", "cost", "bound",
    "python", "verified", "python_s", "verified_s", "python_cpu_s", "verified_cpu_s", "edits",
    "python_accepts", "verified_accepts", "differences", "undecided",
]  # fmt: skip
QUICK = 0.3
"""Maximum number of seconds of the Python check up to which edits are tried."""
LIMIT = 300.0
"""Time limit in seconds for checking a certificate; an edit gets a thirtieth of it."""
Outcome = tuple[int, int] | str


def certificate_text(task: cp20.Task, mode: str, seconds: float) -> str:
    """Return the certificate of a training set, which is kept for later runs."""
    path = KEPT / f"{task}-{mode.replace(' ', '-')}.json"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = path.with_suffix(".part")
        whole.write_text(certificates.made(task, mode, seconds)[1], encoding="utf-8")
        whole.rename(path)
    return path.read_text(encoding="utf-8")


def by_python(document, table, seconds: float) -> Outcome:
    """Return the bounds that the Python checker proves, or a word."""
    try:
        return checker.check(document, table, Effort(seconds))
    except (checker.Malformed, checker.Refuted):
        return "refused"
    except TimeoutError:
        return "out of time"


def by_program(document, table, text: str, seconds: float) -> Outcome:
    """Return the bounds that the verified checker proves, or a word."""
    try:
        return verified.check(document, table, text, seconds)
    except (checker.Malformed, checker.Refuted) as reason:
        return "not covered" if "does not check" in str(reason) else "refused"
    except TimeoutError:
        return "out of time"


def measure(task: cp20.Task, mode: str, seconds: float, n_edits: int) -> dict[str, object]:
    table, text = cp20.training_table(task), certificate_text(task, mode, seconds)
    document = class_by_class(loads(text).content)
    by_python(document, table, LIMIT / 30)  # the first check includes one-time costs of the process
    python, python_s, python_cpu_s = timed(lambda: by_python(document, table, LIMIT))
    program, verified_s, verified_cpu_s = timed(
        lambda: by_program(document, table, merged_table_text(table), LIMIT)
    )
    whole = canonical_text(document, merged_table_text(table), table)
    row = {
        "rows": table.n_rows,
        "features": table.n_features,
        "bytes": len(text.encode()),
        "text_bytes": len(whole),
        "cost": document["cost"],
        "bound": document["lower_bound"],
        "python": word(python),
        "verified": word(program),
        "python_s": f"{python_s:.4f}",
        "verified_s": f"{verified_s:.4f}",
        "python_cpu_s": f"{python_cpu_s:.4f}",
        "verified_cpu_s": f"{verified_cpu_s:.4f}",
    }
    quick = python_cpu_s < QUICK and program != "not covered"
    return row | compare_edits(document, table, f"{task} {mode}", n_edits if quick else 0)


def timed(check: Callable[[], Outcome]) -> tuple[Outcome, float, float]:
    """Return the outcome, seconds and processor seconds; of fast checks, the best of three."""
    best = []
    while not best or (len(best) < 3 and best[-1][0] < 1):
        wall, cpu = time.perf_counter(), processor_seconds()
        outcome = check()
        best.append((time.perf_counter() - wall, processor_seconds() - cpu))
    return outcome, min(wall for wall, _ in best), min(cpu for _, cpu in best)


def processor_seconds() -> float:
    """Return the processor time of this process and of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def word(outcome: Outcome) -> str:
    return outcome if isinstance(outcome, str) else "accepted"


def compare_edits(document, table, name: str, n_edits: int) -> dict[str, int]:
    """Edit single entries at random, give the edits new seals, and run both checkers."""
    counts = dict.fromkeys(FIELDS[-5:], 0)
    table_text, rng = merged_table_text(table), random.Random(name)
    for number, changed in enumerate(certificates.reservoir(mutations(document), n_edits, rng)):
        try:
            forged = {**changed, "seal": checker.seal(changed)}
        except (checker.Malformed, TypeError):  # not an object, or one without a seal
            continue
        python = by_python(forged, table, LIMIT / 30)
        program = by_program(forged, table, table_text, LIMIT / 30)
        if {"out of time", "not covered"} & {python, program}:
            counts["undecided"] += 1
            continue
        counts["edits"] += 1
        counts["python_accepts"] += python != "refused"
        counts["verified_accepts"] += program != "refused"
        if python != program:
            counts["differences"] += 1
            place = KEPT / "differences" / f"{name.replace(' ', '-')}-{number}.json"
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(json.dumps({"python": python, "verified": program, "certificate": forged}))
    return counts


def summary(rows: list[Row]) -> None:
    print(f"{len(rows)} certificates")
    print(
        f"{'mode':24} {'sets':>5} {'python':>7} {'verified':>9} {'not covered':>12} {'out of time':>12}"
        f" {'python cpu ms':>14} {'verified cpu ms':>16} {'ratio':>6} {'max verified s':>15}"
    )
    for mode in (*certificates.MODES, "all"):
        here = [row for row in rows if mode in (row["mode"], "all")]
        if not here:
            continue
        times = [
            (float(row["python_cpu_s"]), float(row["verified_cpu_s"]))
            for row in here
            if row["python"] == row["verified"] == "accepted"
        ]
        count = {
            word: sum(row["verified"] == word for row in here)
            for word in ("accepted", "not covered", "out of time")
        }
        accepted = sum(row["python"] == "accepted" for row in here)
        print(f"{mode:24} {len(here):5} {accepted:7} {count['accepted']:9}", end="")
        print(f" {count['not covered']:12} {count['out of time']:12}", end="")
        if times:
            median = [1000 * statistics.median(side) for side in zip(*times, strict=True)]
            ratio = statistics.median(program / python for python, program in times)
            print(
                f" {median[0]:14.1f} {median[1]:16.1f} {ratio:6.2f} {max(p for _, p in times):15.1f}", end=""
            )
        print()
    total = {field: sum(int(row[field]) for row in rows) for field in FIELDS[-5:]}
    print(
        f"edits under a new seal {total['edits']}: accepted by Python {total['python_accepts']}, by the "
        f"verified checker {total['verified_accepts']}; judged differently {total['differences']}; besides, "
        f"not decided in time, or not covered, {total['undecided']}"
    )


def as_line(row: Row) -> str:
    task = cp20.Task(row["dataset"], row["quantisation"], row["fold"])
    return (
        f"{task} {row['mode']}: {row['python']} in {row['python_cpu_s']} s; verified: {row['verified']} in "
        f"{row['verified_cpu_s']} s; {row['edits']} edits, {row['differences']} differences"
    )


def plan(options) -> Iterator[tuple[tuple[object, ...], tuple[object, ...]]]:
    for row in Results(certificates.RESULTS, certificates.FIELDS, certificates.KEY).rows():
        task = cp20.Task(row["dataset"], int(row["quantisation"]), int(row["fold"]))
        if not task.is_among(options.only):
            continue
        yield [row[name] for name in KEY], (task, row["mode"], options.seconds, options.edits)


def main() -> None:
    parser = study.arguments(__doc__, results=RESULTS, only=True)
    parser.add_argument("--seconds", type=float, default=3.0, help="for the search, and again for the proof")
    parser.add_argument("--edits", type=int, default=75, help="per certificate")
    options = parser.parse_args()
    results = Results(options.results, FIELDS, KEY)
    if not options.summary:
        print(f"verified checker: {verified.find_program()}")
    measured = partial(study.isolated, measure)
    study.carry_out(options, results, plan(options), measured, summary, tell=as_line)


if __name__ == "__main__":
    main()
