"""Methods by name; a method's module is imported only in the process that runs it.

Adding a method takes one module and one entry:

1. A module with a function ``run(training, limits, **options) -> MethodAnswer`` (see
   `laconic.bench.methods.api`). It states the rules with `laconic.bench.rules.binary_rule`; a one-class
   learner adds the paper's default rule with `laconic.bench.rules.default_class`. If a package or program is
   missing, it raises `MissingPeerError`, which says how to install it. A module with a peer also defines
   ``missing() -> str | None``, the reason why the method cannot run here, for ``laconic bench methods``.
2. An entry in `METHODS` below: ``"name": MethodEntry(module, label, summary, family, {options})``.

``laconic bench run --method name`` then runs it like all others, and tables and figures include it.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable

from laconic.bench.methods.api import Method, MethodEntry
from laconic.bench.methods.few_rules import FEW_RULES
from laconic.bench.methods.own import OWN
from laconic.bench.methods.packages import PACKAGES
from laconic.runtime.errors import InputError

METHODS: dict[str, MethodEntry] = {
    **OWN,
    **PACKAGES,
    **FEW_RULES,
}

GROUPS: dict[str, tuple[str, ...]] = {
    # All tools compared in "Computing Optimal Decision Sets with SAT" (CP 2020).
    "paper": (
        *("opt", "mopt", "opt-union", "mds2", "mds2-star"),
        *("sp-l1", "sp-l2", "sp-l3", "mds2-star-r1", "mds2-star-r2", "mds2-star-r3"),
        *("ripper", "cn2", "imli1", "imli16"),
    ),
}
"""Names that stand for several methods."""


def entry(name: str) -> MethodEntry:
    """Return a method's entry; the error for an unknown name lists the known ones."""
    try:
        return METHODS[name]
    except KeyError:
        known = ", ".join(METHODS)
        raise InputError(f"unknown method {name!r}; choose among: {known}") from None


def expanded(names: Iterable[str]) -> list[str]:
    """Return the names with every group replaced by its methods."""
    return [method for name in names for method in GROUPS.get(name, (name,))]


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
    """Return the labels of methods; an unregistered name is its own label."""
    return {name: METHODS[name].label if name in METHODS else name for name in names}
