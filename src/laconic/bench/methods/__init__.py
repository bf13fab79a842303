"""Methods by name; each is imported only in the process that runs it.

Adding a method is one file and one line:

1. a module with a function ``run(training, limits, **options) -> Answer`` (see `laconic.bench.methods.api`).
   State the rules with `laconic.bench.rules.binary_rule`; a learner of one class adds the paper's default
   rule with `laconic.bench.rules.default_class`. Raise `MissingPeerError`, saying how to install it, if a
   package or program is not there. A module whose peer may be absent also defines
   ``missing() -> str | None``, the reason why it cannot run here, for ``laconic bench methods``;
2. a line in `METHODS` below: ``"name": Entry(module, label, summary, family, {options of this variant})``.

``laconic bench run --method name`` then runs it like all the others, and tables and figures show it.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from laconic.bench.methods.api import Method
from laconic.errors import InputError


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a method lives and how it is shown.

    Attributes
    ----------
    module : str
        Importable name of the module with ``run``.
    label : str
        As written in tables and figures: the paper's name where it has one.
    summary : str
    family : str
        "perfect", "sparse", "rules", "heuristic" or "tree": groups the lists. The paper's virtual tool *perfect*
        is all methods of the first family together.
    options : mapping
        Keyword arguments of ``run`` for this variant; plain data, sent to the worker as JSON.
    """

    module: str
    label: str
    summary: str
    family: str
    options: Mapping[str, Any] = field(default_factory=dict)


_OWN = "laconic.bench.methods.laconic"

_LAMBDA = {"1": 0.005, "2": 0.05, "3": 0.5}
"""λ1, λ2, λ3 of the paper."""


def _sparse(engine: str, prefix: str, number: str, suffix: str = "", **options: Any) -> dict[str, Entry]:
    """Return one sparse model of the paper; the prototype forces a rule per class, so that is the plain name."""
    mark = "exact " if prefix else ""
    what = {"": "every class has a rule, as the authors' prototype", "-written": "objective as printed"}
    what["-joint"] = "objective as printed, counted per row"
    letter = "ρ" if options.get("per_feature") else "λ"
    name = f"{prefix}sp-{'r' if letter == 'ρ' else 'l'}{number}{suffix}"
    label = f"{mark}sp[{letter}{number}]" + {"": "", "-written": " as printed", "-joint": "∪"}[suffix]
    price = f"{_LAMBDA[number]:g}" + ("/K" if letter == "ρ" else "")
    summary = f"sparse, {letter}{number} = {price}, {what[suffix]}"
    settings = {
        "engine": engine,
        "objective": "sparse",
        "regularization": _LAMBDA[number],
        "counting": "per_row" if suffix == "-joint" else "per_class",
        "every_class": suffix == "",
        **options,
    }
    return {name: Entry(_OWN, label, summary, "sparse", settings)}


METHODS: dict[str, Entry] = {
    "exact": Entry(
        _OWN,
        "exact",
        "smallest perfect set, exact engine",
        "perfect",
        {"engine": "exact", "objective": "perfect"},
    ),
    "opt": Entry(
        _OWN,
        "opt",
        "smallest perfect set, iterative SAT per class",
        "perfect",
        {"engine": "sat", "objective": "perfect"},
    ),
    "opt-union": Entry(
        _OWN,
        "opt∪",
        "smallest perfect set, iterative SAT on all classes at once",
        "perfect",
        {"engine": "sat", "objective": "perfect", "engine_options": {"joint": True}},
    ),
    "mopt": Entry(
        _OWN,
        "mopt",
        "smallest perfect set, MaxSAT per class",
        "perfect",
        {"engine": "maxsat", "objective": "perfect"},
    ),
    "mopt-union": Entry(
        _OWN,
        "mopt∪",
        "smallest perfect set, MaxSAT on all classes at once",
        "perfect",
        {"engine": "maxsat", "objective": "perfect", "engine_options": {"joint": True}},
    ),
}
for _prefix, _engine in (("", "maxsat"), ("exact-", "exact")):
    for _number in _LAMBDA:
        METHODS |= _sparse(_engine, _prefix, _number)
        METHODS |= _sparse(_engine, _prefix, _number, "-written")
        METHODS |= _sparse(_engine, _prefix, _number, "-joint")
        METHODS |= _sparse(_engine, _prefix, _number, per_feature=True)

# Rivals, a line each.


def entry(name: str) -> Entry:
    """Return a method's line; an unknown name is refused with the list of known ones."""
    try:
        return METHODS[name]
    except KeyError:
        known = ", ".join(METHODS)
        raise InputError(f"unknown method {name!r}; choose among: {known}") from None


def load(module: str) -> Method:
    """Import a method's module and return its ``run``."""
    method: Method = importlib.import_module(module).run
    return method


def missing(name: str) -> str | None:
    """Return why a method cannot run on this machine, or ``None`` if nothing is known to be missing."""
    module = importlib.import_module(entry(name).module)
    check = getattr(module, "missing", None)
    return None if check is None else check()


def labels(names: Iterable[str]) -> dict[str, str]:
    """Return the labels of methods; a name that is no longer registered is its own label."""
    return {name: METHODS[name].label if name in METHODS else name for name in names}
