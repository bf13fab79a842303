"""How soon the studio prices an opinion: all keep, never and edit moves on the smallest raw tables.

    python -m benchmarks.studio_moves [--tables 50] [--summary]
    python -m benchmarks.studio_moves --check 500

A move is made at the λ that the studio chooses, on each rule of the best set: keep it, never have it, drop
each of its conditions, and move each of its thresholds to the neighbours on offer. Measured is the time from
the move to the price, by the clock and in processor time, and whether the price is proved. With ``--check``,
prices of random moves are compared with differences of two fits of ``laconic fit``. Results are one CSV file;
finished tables are skipped.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import io
import json
import random
import shlex
import tempfile
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd

from laconic.bench.suites import data_root
from laconic.cli.main import run as run_command
from laconic.runtime.errors import InputError
from laconic.studio.leave import fit_command, stated
from laconic.studio.opened import open_file
from laconic.studio.session import Session

RESULTS = Path(__file__).parent / "results" / "studio_moves.csv"
FIELDS = (
    "table",
    "rows",
    "regularization",
    "kind",
    "seconds",
    "cpu",
    "proved",
    "least",
    "most",
    "shown",
    "refused",
)


def smallest(count: int) -> list[str]:
    """Return the names of the smallest raw tables, by cells."""
    manifest = pd.read_csv(data_root() / "manifest.csv")
    cells = manifest["rows"] * manifest["columns"]
    known = manifest.loc[cells.sort_values(kind="stable").index, "name"]
    return [name for name in known if (data_root() / f"{name}.csv.gz").exists()][:count]


def opened(name: str, folder: Path) -> Session:
    """Return a session of a table, kept in a folder of its own."""
    place = folder / f"{name}.csv"
    pd.read_csv(data_root() / f"{name}.csv.gz").to_csv(place, index=False)
    return Session(open_file(place))


def plain(rule: dict) -> dict:
    """Return a rule as the page sends it."""
    literals = [{k: v for k, v in one.items() if k != "text"} for one in rule["literals"]]
    return {"label": rule["label"], "literals": literals}


def moves_of(session: Session, step: int, rule: dict) -> Iterator[dict]:
    """Yield the moves about a rule."""
    data = plain(rule)
    yield {"kind": "keep", "rule": data}
    yield {"kind": "never", "rule": data}
    cuts = {one["name"]: one["cuts"] for one in session.conditions(step)["columns"]}
    for k, literal in enumerate(data["literals"]):
        rest = [one for j, one in enumerate(data["literals"]) if j != k]
        yield {"kind": "edit", "rule": {**data, "literals": rest}, "was": data}
        if literal["kind"] != "threshold":
            continue
        known = cuts[literal["column"]]
        place = known.index(literal["value"])
        for other in {max(0, place - 1), min(len(known) - 1, place + 1)} - {place}:
            changed = [*data["literals"]]
            changed[k] = {**literal, "value": known[other]}
            yield {"kind": "edit", "rule": {**data, "literals": changed}, "was": data}


def measure(name: str, folder: Path) -> Iterator[dict]:
    """Yield a row for each move on a table."""
    session = opened(name, folder)
    root = session.do(None, {"kind": "learn", "settings": {"target": "class"}})
    found = session.wait(root.number)
    for rule in found["answer"]["rules"]:
        for opinion in moves_of(session, root.number, rule):
            began, cpu = time.perf_counter(), time.process_time()
            row = {
                "table": name,
                "rows": len(session.opened.frame),
                "regularization": found["regularization"],
            }
            row |= {"kind": opinion["kind"], "refused": ""}
            try:
                step = session.do(root.number, {"kind": "opine", "opinion": opinion})
            except InputError as error:
                yield {**row, "refused": str(error)[:80]}
                continue
            shown = None
            while not (view := session.result(step.number))["done"]:
                if shown is None and "answer" in view:
                    shown = time.perf_counter() - began
                time.sleep(0.002)
            row |= {
                "seconds": round(time.perf_counter() - began, 4),
                "cpu": round(time.process_time() - cpu, 4),
            }
            row["shown"] = "" if shown is None else round(shown, 4)
            if "error" in view:
                yield {**row, "refused": view["error"][:80]}
                continue
            price = view["price"]
            yield {**row, "proved": price["proved"], "least": price["least"], "most": price["most"]}
    session.close()


def run(count: int) -> None:
    """Measure the tables that are not measured yet."""
    done = set(pd.read_csv(RESULTS)["table"]) if RESULTS.exists() else set()
    for name in smallest(count):
        if name in done:
            continue
        with tempfile.TemporaryDirectory() as folder:
            rows = list(measure(name, Path(folder)))
        new = not RESULTS.exists()
        with RESULTS.open("a", newline="") as file:
            writer = csv.DictWriter(file, FIELDS)
            if new:
                writer.writeheader()
            writer.writerows(rows)
        print(name, len(rows), flush=True)


def summary() -> str:
    """Return the figures of all moves as a table."""
    found = pd.read_csv(RESULTS)
    made = found[found["refused"].isna()]
    lines = [
        "| moves | number | tables | processor time, median | 95 % | clock, median | 95 % | proven |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for kind, rows in [("all", made), *made.groupby("kind")]:
        cpu, clock = (np.quantile(rows[name], [0.5, 0.95]) for name in ("cpu", "seconds"))
        lines.append(
            f"| {kind} | {len(rows)} | {rows['table'].nunique()} | {cpu[0]:.2f} s | {cpu[1]:.1f} s "
            f"| {clock[0]:.2f} s | {clock[1]:.1f} s | {100 * rows['proved'].astype(bool).mean():.1f} % |"
        )
    return "\n".join(lines)


def cost_by_command(command: list[str], folder: Path) -> tuple[Fraction, bool]:
    """Return the cost that ``laconic fit`` finds, and whether it is proved."""
    said = io.StringIO()
    words = [str(folder / one) if one == "constraints.json" else one for one in command[1:]]
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(io.StringIO()):
        code = run_command([*words, "--json", "--time-limit", "60"])
    if code:
        raise RuntimeError(f"{shlex.join(command)}: exit code {code}")
    found = json.loads(said.getvalue())
    return Fraction(str(found["cost"])), bool(found["optimal"])


def check(count: int, seed: int) -> None:
    """Compare prices of random moves with differences of command-line fits."""
    chance, compared, open_, different = random.Random(seed), 0, 0, 0
    names = smallest(30)
    while compared < count:
        name = chance.choice(names)
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            session = opened(name, folder)
            root = session.do(
                None,
                {
                    "kind": "learn",
                    "settings": {"target": "class"},
                    "regularization": chance.choice([0.01, 0.02, 0.05]),
                },
            )
            rules = session.wait(root.number)["answer"]["rules"]
            table = str(session.opened.path)
            free = fit_command(root, session, table)
            parent = root.number
            for _ in range(chance.randint(1, 6)):
                moves = [one for rule in rules for one in moves_of(session, parent, rule)]
                if not moves:
                    break
                try:
                    step = session.do(parent, {"kind": "opine", "opinion": chance.choice(moves)})
                except InputError:
                    continue
                view = session.wait(step.number)
                command = fit_command(step, session, table)
                if "error" in view or command is None or free is None:
                    continue
                if not view["price"]["proved"]:
                    open_ += 1
                    continue
                constraints = stated(session, step.number)
                (folder / "constraints.json").write_text(
                    json.dumps({} if constraints is None else constraints.to_document())
                )
                (own, proved), (best, best_proved) = (cost_by_command(one, folder) for one in (command, free))
                if not (proved and best_proved):
                    open_ += 1
                    continue
                compared += 1
                if own - best != Fraction(view["price"]["exact"]):
                    different += 1
                    print("DIFFERENT", name, command, own - best, view["price"], flush=True)
                if compared % 25 == 0:
                    print(f"{compared} compared, {different} different, {open_} not proven", flush=True)
                if chance.random() < 0.6:
                    parent, rules = step.number, view["answer"]["rules"]
                if compared >= count:
                    break
            session.close()
    print(f"{compared} moves compared with the command line, {different} different; {open_} not proven")


def main() -> None:
    """Run what the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--summary", action="store_true")
    parser.add_argument("--check", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    if asked.summary:
        print(summary())
    elif asked.check:
        check(asked.check, asked.seed)
    else:
        run(asked.tables)
        print(summary())


if __name__ == "__main__":
    main()
