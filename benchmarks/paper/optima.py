"""Every optimum that a SAT or MaxSAT model proved, against that of the exact engine.

Methods solve the same problem if their entries in `laconic.bench.methods` differ in the engine alone. Costs
are integers of the same problem, so the optima of one training set must be equal.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from laconic.bench.methods import METHODS
from laconic.bench.records import Record

_OF_THE_ENGINE = ("engine", "engine_options")


@dataclass
class Compared:
    """The optima of one method beside those of the exact engine.

    Attributes
    ----------
    method, exact : str
        Names of the methods.
    n : int
        Number of training sets on which both proved an optimum.
    alone : int
        Number of training sets on which only the other method proved one.
    differences : list of str
        The training sets with different optima, and both costs.
    """

    method: str
    exact: str
    n: int = 0
    alone: int = 0
    differences: list[str] = field(default_factory=list)


def compared_optima(records: Iterable[Record]) -> list[Compared]:
    """Return a comparison for each model of a problem that the exact engine solves as well."""
    optima: dict[str, dict[tuple[object, ...], int]] = defaultdict(dict)
    for record in records:
        answer = record.answer
        if answer and answer["optimal"] and answer["cost"] is not None:
            optima[record.task.method][record.task.instance] = answer["cost"]
    exact = {_problem(name): name for name in METHODS if _engine(name) == "exact"}
    found = []
    for name in METHODS:
        if _engine(name) in (None, "exact") or name not in optima or _problem(name) not in exact:
            continue
        one = Compared(name, exact[_problem(name)])
        known = optima[one.exact]
        for instance, cost in optima[name].items():
            one.n += instance in known
            one.alone += instance not in known
            if known.get(instance, cost) != cost:
                one.differences.append(f"{instance}: {cost} and {known[instance]}")
        found.append(one)
    return found


def _engine(name: str) -> str | None:
    engine = METHODS[name].options.get("engine")
    return None if engine is None else str(engine)


def _problem(name: str) -> str:
    """Return the options of a method that state the problem, as text."""
    options = {key: value for key, value in METHODS[name].options.items() if key not in _OF_THE_ENGINE}
    return json.dumps(options, sort_keys=True)
