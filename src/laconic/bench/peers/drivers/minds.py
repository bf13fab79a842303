"""MinDS, the authors' programs: ``mds.py -a approach -s solver -w``, called as a library."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from minds.check import ConsistencyChecker
from minds.data import Data
from minds.mxsatl import MaxSATLits
from minds.mxsatls import MaxSATLitsSep
from minds.mxsatsp import MaxSATSparse
from minds.options import Options
from minds.satl import SATLits
from minds.satls import SATLitsSep
from minds.satr import SATRules
from minds.twostage import TwoStageApproach

APPROACHES = {
    "satl": SATLits,
    "satls": SATLitsSep,
    "mxsatl": MaxSATLits,
    "mxsatls": MaxSATLitsSep,
    "sparse": MaxSATSparse,
    "satr": SATRules,
    "2stage": TwoStageApproach,
}


def learn(rows: Any, labels: Any, job: dict[str, Any]) -> dict[str, Any]:
    """Do what ``mds.py`` does: drop contradicting rows unless told otherwise, then compute."""
    options = job["options"]
    with tempfile.TemporaryDirectory(dir=".") as directory:
        path = Path(directory, "rows.csv")
        write(path, rows, labels)
        data = Data(filename=str(path), mapfile=None, separator=",", ranges=0)
    command = ["mds.py", "-a", options["approach"], "-s", options["solver"], "-w"]
    if options.get("regularization") is not None:
        command += ["--lambda", str(options["regularization"])]
    settings = Options([*command, "rows.csv"])
    if options["reduce"]:
        checker = ConsistencyChecker(data, settings)
        if checker.status and not checker.do():
            checker.remove_inconsistent()
        if not checker.status:
            return {"refused": "MinDS needs two classes, and the consistent rows have one"}
    learner = APPROACHES[options["approach"]](data, settings)
    wall, cpu = time.monotonic(), time.process_time()
    covers = learner.compute()
    seconds = {"solve": time.monotonic() - wall, "solve_cpu": time.process_time() - cpu}
    return {**stated(covers, data), "optimal": True, "seconds": seconds} | counted(covers, learner)


def write(path: Path, rows: Any, labels: Any) -> None:
    """Write the rows as MinDS reads them."""
    with path.open("w") as stream:
        stream.write(",".join([*(f"f{k}" for k in range(rows.shape[1])), "class"]) + "\n")
        for row, label in zip(rows.tolist(), labels.tolist(), strict=True):
            stream.write(",".join([*map(str, row), f"c{label}"]) + "\n")


def stated(covers: Any, data: Any) -> dict[str, Any]:
    """Return the rules and, as ``mds.py`` prints them, only the heaviest of the bare ones, as default."""
    weight: dict[int, int] = {}
    for sample, count in zip(data.samps, data.wghts, strict=True):
        weight[sample[-1]] = weight.get(sample[-1], 0) + count
    rules, bare = [], []
    for label, cover in covers.items():
        for rule in cover:
            if rule.flits:
                rules.append(
                    {"if": [_literal(code, data) for code in rule.flits], "then": _class(label, data)}
                )
            else:
                bare.append(label)
    default = max(bare, key=lambda label: weight.get(label, 0)) if bare else None
    return {"rules": rules, "default": None if default is None else _class(default, data)}


def counted(covers: Any, learner: Any) -> dict[str, Any]:
    """Return size and errors as MinDS counts them, with bare rules and rules that contradict themselves."""
    rules = [rule for cover in covers.values() for rule in cover]
    size = sum(len(rule) for rule in rules) + len(rules)
    return {"counts": {"size": size, "errors": int(getattr(learner, "nof_misses", 0))}}


def _literal(code: int, data: Any) -> list[int]:
    name, value = data.fvmap.opp[code]
    return [int(name[1:]), int(value)]


def _class(label: int, data: Any) -> int:
    return int(data.fvmap.opp[label][1][1:])
