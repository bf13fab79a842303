"""MinDS, the authors' program: as ``mds.py`` with the command-line arguments ``options["arguments"]``."""

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
    """Drop contradicting rows unless ``--no-ccheck`` is given, then compute the rules."""
    settings = Options(["mds.py", *job["options"]["arguments"], "rows.csv"])
    with tempfile.TemporaryDirectory(dir=".") as directory:
        path = Path(directory, "rows.csv")
        write(path, rows, labels)
        data = Data(filename=str(path), mapfile=None, separator=",", ranges=0)
    if not settings.noccheck:
        checker = ConsistencyChecker(data, settings)
        if checker.status and not checker.do():
            checker.remove_inconsistent()
        if not checker.status:
            return {"refused": "MinDS needs two classes, and the consistent rows have one"}
    learner = APPROACHES[settings.approach](data, settings)
    wall, cpu = time.monotonic(), time.process_time()
    covers = learner.compute()
    seconds = {"solve": time.monotonic() - wall, "solve_cpu": time.process_time() - cpu}
    found = stated(covers, data)
    return {**found, "optimal": True, "seconds": seconds, "counts": counted(covers, learner)}


def write(path: Path, rows: Any, labels: Any) -> None:
    """Write the rows in the format of MinDS."""
    with path.open("w") as stream:
        stream.write(",".join([*(f"f{k}" for k in range(rows.shape[1])), "class"]) + "\n")
        for row, label in zip(rows.tolist(), labels.tolist(), strict=True):
            stream.write(",".join([*map(str, row), f"c{label}"]) + "\n")


def stated(covers: Any, data: Any) -> dict[str, Any]:
    """Return the rules; of those without literals only the heaviest is kept, as default, as in ``mds.py``."""
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


def counted(covers: Any, learner: Any) -> dict[str, int]:
    """Count as MinDS does, including rules without literals and contradictory rules."""
    rules = [rule for cover in covers.values() for rule in cover]
    return {
        "rules": len(rules),
        "literals": sum(len(rule) for rule in rules),
        "errors": int(getattr(learner, "nof_misses", 0)),
    }


def _literal(code: int, data: Any) -> list[int]:
    if code not in data.fvmap.opp:  # a column with one value: MinDS has no name for the other value
        column, value = _literal(-code, data)
        return [column, 1 - value]
    name, value = data.fvmap.opp[code]
    return [int(name[1:]), int(value)]


def _class(label: int, data: Any) -> int:
    return int(data.fvmap.opp[label][1][1:])
